import ChemopenBytes
import ChemopenModel

/// The account of what a record says, a feature at a time.
///
/// One walk has two uses: `Record.features` is everything that it meets, and the losses of a writer are what it meets of
/// the features that the format has no place for.
struct Account {
    /// The features that are looked for.
    let sought: Features
    /// The losses are wanted, and not only which features there are.
    let isReport: Bool
    /// Lines of these dialects have a place.
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

    /// Adds the names of a record's lost fields: those of different columns are not looked for among each other.
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
    /// The losses by their features, those of one feature as they are.
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

    /// Notes everything that a record says and a format has no place for: its features, less those that the format holds,
    /// in the order of the features.
    public mutating func note(_ record: borrowing Record, beyond held: Features) {
        var account = Account(of: .all.subtracting(held), isReport: true)
        account.take(record)
        let losses = account.losses.inOrder(of: account.features)
        // Each of them stands for all of its kind already.
        if isEmpty { self = losses } else { note(losses) }
    }

    /// Notes these features of a record, as far as they stand beside its molecule or the components of its reaction.
    ///
    /// - Parameter dialects: the kept lines that have a place.
    package mutating func note(
        _ features: Features, of record: borrowing Record, keeping dialects: Verbatim.Dialect...
    ) {
        var account = Account(of: features, isReport: true)
        account.dialects = dialects
        account.takeFrame(of: record)
        if !account.losses.isEmpty { note(account.losses) }
    }

    /// The same of a record whose molecule was taken out of it, which costs a copy.
    mutating func note(_ features: Features, of record: borrowing Record, holding molecule: borrowing Molecule) {
        var account = Account(of: features, isReport: true)
        account.takeFrame(of: record, holding: molecule)
        if account.losses.isEmpty { return }
        if isEmpty { self = account.losses } else { note(account.losses) }
    }

    /// Notes these features of a reaction, as far as they stand beside its components.
    package mutating func note(_ features: Features, of reaction: Reaction) {
        var account = Account(of: features, isReport: true)
        account.takeFrame(of: reaction)
        note(account.losses)
    }

    /// Notes these features of a component's heading.
    package mutating func note(_ features: Features, of component: Reaction.Component) {
        var account = Account(of: features, isReport: true)
        account.take(component.molecule.heading, "of a component")
        note(account.losses)
    }

    /// Notes the components that the reaction calls otherwise than their molecules are called: there is room for one name.
    package mutating func noteSecondNames(of reaction: Reaction) {
        let second = reaction.components.count {
            let title = $0.molecule.name
            return !$0.name.isEmpty && !title.isEmpty && $0.name != title
        }
        note(.names, "a component's name in the reaction", count: second)
    }

    /// Notes lines that are kept and have no place: the key of a property line, or how they begin.
    mutating func note(_ verbatim: Verbatim) {
        note(.unknown, verbatim.told.words, count: verbatim.told.count)
    }
}

extension Verbatim {
    private static let passedOver = Array("passed over: ".utf8)
    private static let times = Array(" × ".utf8)

    /// A tally of parts that a reader has made nothing of, all of one name.
    init(_ dialect: Dialect, passedOver name: Text, count: Int) {
        self.init(dialect, Text(bytes: Self.passedOver + Array("\(count)".utf8) + Self.times + name.bytes))
    }

    /// How a report calls it, and how often it is there: a tally tells of several parts.
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
    /// How it is called in a report of losses.
    var beginning: Text {
        let line = text.bytes.prefix { $0 != 0x0A }
        let isProperty = dialect == .v2000 && line.starts(with: "M  ".utf8)
        return Text(bytes: line.prefix(isProperty ? 6 : 40))
    }
}
