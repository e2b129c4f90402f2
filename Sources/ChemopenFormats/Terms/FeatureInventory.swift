import ChemopenBytes
import ChemopenModel

/// An inventory of the features in a record.
///
/// It has two uses: `Record.features` lists all features that it finds, and writers report the features that their
/// format cannot represent.
struct FeatureInventory {
    /// The features to look for.
    let sought: Features
    /// Whether losses are recorded in addition to features.
    let isReport: Bool
    /// The dialects of verbatim lines that can be written.
    var dialects: [Verbatim.Dialect] = []
    private(set) var features = Features()
    private(set) var losses: [Loss] = []

    init(of sought: Features = .all, isReport: Bool = false) {
        self.sought = sought
        self.isReport = isReport
    }

    mutating func add(_ feature: Feature, _ words: @autoclosure () -> Text = Text(bytes: []), count: Int = 1) {
        if count == 0 || !sought.contains(feature) { return }
        features.add(feature)
        if isReport { losses.note(feature, words(), count: count) }
    }

    mutating func add(
        _ feature: Feature, _ words: @autoclosure () -> Text = Text(bytes: []), if condition: @autoclosure () -> Bool
    ) {
        if sought.contains(feature), condition() { add(feature, words()) }
    }

    /// Adds the names of a record's lost fields. Names from different columns are not compared with each other.
    mutating func addNames(of fields: Fields) {
        features.add(.fields)
        if losses.isEmpty { losses.reserveCapacity([Loss].mostDetails) }
        var last: Int32 = -1
        for (place, entry) in fields.entries.enumerated() {
            let name = fields.columns[Int(entry.column)].name
            if entry.column > last, place < [Loss].mostDetails {
                losses.append(Loss(.fields, name))
            } else {
                losses.note(.fields, name)
            }
            last = max(last, entry.column)
        }
    }

    mutating func add(_ features: Features) {
        features.intersection(sought).each { add($0) }
    }
}

extension [Loss] {
    /// Returns the losses sorted by feature, with the order within a feature preserved.
    fileprivate func inOrder(of features: Features) -> [Loss] {
        if isInOrder { return self }
        var sorted: [Loss] = []
        sorted.reserveCapacity(count)
        for feature in features.list {
            for place in indices where self[place].feature == feature { sorted.append(self[place]) }
        }
        return sorted
    }

    private var isInOrder: Bool {
        let losses = span
        var last: UInt8 = 0
        for place in losses.indices {
            let feature = losses[place].feature.rawValue
            if feature < last { return false }
            last = feature
        }
        return true
    }

    /// Records everything in a record that a format cannot represent, in the order of the features.
    ///
    /// - Parameter held: the features that the format can represent.
    public mutating func note(_ record: borrowing Record, unsupportedBy held: Features) {
        var account = FeatureInventory(of: .all.subtracting(held), isReport: true)
        account.take(record)
        let losses = account.losses.inOrder(of: account.features)
        // Each of these losses already counts all occurrences.
        if isEmpty { self = losses } else { note(losses) }
    }

    /// Records features of a record that are not in its molecule or in the components of its reaction.
    ///
    /// - Parameter dialects: the dialects of verbatim lines that can be written.
    package mutating func note(
        _ features: Features, of record: borrowing Record, keeping dialects: Verbatim.Dialect...
    ) {
        var account = FeatureInventory(of: features, isReport: true)
        account.dialects = dialects
        account.takeFrame(of: record)
        if !account.losses.isEmpty { note(account.losses) }
    }

    /// Does the same for a record whose molecule is passed separately, which avoids a copy.
    mutating func note(_ features: Features, of record: borrowing Record, holding molecule: borrowing Molecule) {
        var account = FeatureInventory(of: features, isReport: true)
        account.takeFrame(of: record, holding: molecule)
        if account.losses.isEmpty { return }
        if isEmpty { self = account.losses } else { note(account.losses) }
    }

    /// Records features of a reaction that are not in its components.
    package mutating func note(_ features: Features, of reaction: Reaction) {
        var account = FeatureInventory(of: features, isReport: true)
        account.takeFrame(of: reaction)
        note(account.losses)
    }

    /// Records features of a component's heading.
    package mutating func note(_ features: Features, of component: Reaction.Component) {
        var account = FeatureInventory(of: features, isReport: true)
        account.take(component.molecule.heading, "of a component")
        note(account.losses)
    }

    /// Records the components whose name in the reaction differs from the name of their molecule, if only one name can
    /// be written.
    package mutating func noteSecondNames(of reaction: Reaction) {
        let second = reaction.components.count {
            let title = $0.molecule.name
            return !$0.name.isEmpty && !title.isEmpty && $0.name != title
        }
        note(.names, "a component's name in the reaction", count: second)
    }

    /// Records a verbatim line that cannot be written, by the key of a property line or by its beginning.
    mutating func note(_ verbatim: Verbatim) {
        note(.unknown, verbatim.told.words, count: verbatim.told.count)
    }
}

extension Verbatim {
    private static let passedOver = Array("passed over: ".utf8)
    private static let times = Array(" × ".utf8)

    /// Creates a count of unsupported objects with the same name.
    init(_ dialect: Dialect, passedOver name: Text, count: Int) {
        self.init(dialect, Text(bytes: Self.passedOver + Array("\(count)".utf8) + Self.times + name.bytes))
    }

    /// The name for reports, and the number of objects it represents.
    var told: (words: Text, count: Int) { tally ?? (beginning, 1) }

    private var tally: (words: Text, count: Int)? {
        guard text.bytes.starts(with: Self.passedOver) else { return nil }
        let rest = text.bytes.dropFirst(Self.passedOver.count)
        let digits = Array(rest.prefix { $0 >= 0x30 && $0 <= 0x39 })
        guard let count = Numeral.whole(digits.span, 0..<digits.count), count > 0,
            rest.dropFirst(digits.count).starts(with: Self.times)
        else { return nil }
        return (Text(bytes: rest.dropFirst(digits.count + Self.times.count)), count)
    }
}

extension Verbatim {
    /// The beginning of the line, for reports of losses.
    var beginning: Text {
        let line = text.bytes.prefix { $0 != 0x0A }
        let isProperty = dialect == .v2000 && line.starts(with: "M  ".utf8)
        return Text(bytes: line.prefix(isProperty ? 6 : 40))
    }
}
