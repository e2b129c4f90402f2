/// One thing in which two records differ in chemical terms.
public struct Difference: Sendable, Hashable {
    /// The part that differs: `title`, `atom 3 charge`, `field MASS`. Atoms and bonds count from 1, as in most files.
    public let subject: String
    /// How it is in the first record; `nil` where it is not there.
    public let first: String?
    /// How it is in the second.
    public let second: String?

    /// A difference in a subject, and what either side has of it.
    public init(_ subject: String, _ first: String?, _ second: String?) {
        self.subject = subject
        self.first = first
        self.second = second
    }
}

extension Difference: CustomStringConvertible {
    /// The difference in one line.
    public var description: String {
        switch (first, second) {
        case (let first?, let second?): "\(subject): \(first), then \(second)"
        case (let first?, nil): "\(subject): only in the first: \(first)"
        case (nil, let second?): "\(subject): only in the second: \(second)"
        case (nil, nil): subject
        }
    }
}

/// Compares records in chemical terms: what they mean, not how they are written.
///
///     let comparison = Comparison(tolerance: 0.001)
///     for difference in comparison.differences(one, other) { print(difference) }
public struct Comparison: Sendable {
    /// Coordinates that differ by no more are the same.
    public var tolerance: Double

    /// A comparison that takes positions for the same up to a tolerance.
    public init(tolerance: Double = 0.0001) {
        self.tolerance = tolerance
    }

    /// The differences between two records, in the order of their parts.
    public func differences(_ one: Record, _ other: Record) -> [Difference] {
        // Most records of two files are the same, which is seen sooner than what differs.
        if one == other { return [] }
        var list = DifferenceList(tolerance: tolerance)
        list.compare(one, other)
        return list.differences
    }
}

extension Comparison {
    /// The differences between the heads of two tables.
    func differences(_ one: SheetHeader, _ other: SheetHeader) -> [Difference] {
        var list = DifferenceList(tolerance: tolerance)
        list.note("title of the table", one.title, other.title)
        list.note("summary of the table", one.summary, other.summary)
        let columns = Dictionary(one.columns.map { ($0.name, $0.kind) }) { first, _ in first }
        let others = Dictionary(other.columns.map { ($0.name, $0.kind) }) { first, _ in first }
        for column in one.columns {
            guard let kind = others[column.name] else {
                list.note("column \(column.name.shown)", onlyFirst: column.kind.name.shown)
                continue
            }
            if one.hasTypes, other.hasTypes {
                list.note("kind of column \(column.name.shown)", column.kind.name, kind.name)
            }
        }
        for column in other.columns where columns[column.name] == nil {
            list.note("column \(column.name.shown)", onlySecond: column.kind.name.shown)
        }
        return list.differences
    }
}

/// The values of a record's fields by name; those of one name in one piece, and structures as such.
private struct FieldValues {
    var list: [(Text, Text)]
    var byName: [Text: Text]
    var molecules: [Text: [Molecule]]
}

/// The differences found so far, and the path to what is compared at the moment.
struct DifferenceList {
    let tolerance: Double
    private(set) var differences: [Difference] = []
    private var path = ""

    init(tolerance: Double) {
        self.tolerance = tolerance
    }

    mutating func note<Value: Equatable>(_ subject: String, _ one: Value, _ other: Value) {
        if one != other { differences.append(Difference(path + subject, "\(one)", "\(other)")) }
    }

    mutating func note(_ subject: String, _ one: Text, _ other: Text) {
        if one == other || one.inUTF8 == other.inUTF8 { return }
        differences.append(Difference(path + subject, "\"\(one.shown)\"", "\"\(other.shown)\""))
    }

    mutating func note(_ subject: String, onlyFirst text: String) {
        differences.append(Difference(path + subject, text, nil))
    }

    mutating func note(_ subject: String, onlySecond text: String) {
        differences.append(Difference(path + subject, nil, text))
    }

    /// Compares something within a part that goes by a name.
    mutating func within(_ part: String, _ body: (inout DifferenceList) -> Void) {
        let outer = path
        path += part + " "
        body(&self)
        path = outer
    }

    // MARK: Records

    fileprivate mutating func compare(_ one: Record, _ other: Record) {
        let values = (values(one), values(other))
        compareTitles((one, values.0.byName), (other, values.1.byName))
        switch (one.subject, other.subject) {
        case (.molecule(let first), .molecule(let second)): compare(first, second)
        case (.reaction(let first), .reaction(let second)): compare(first, second)
        // A molecule without atoms and a record without a structure are the same.
        case (.molecule(let empty), .none), (.none, .molecule(let empty)):
            if !empty.atoms.isEmpty { note("kind", one.subject.kind, other.subject.kind) }
        default: note("kind", one.subject.kind, other.subject.kind)
        }
        note("registry numbers", one.registry.map(\.number), other.registry.map(\.number))
        compareFields(one, values.0, other, values.1)
        compareFeatures(one, other)
    }

    /// The column in which a sheet has the titles of records.
    private static let nameColumn: Text = "Name"

    private mutating func compareFields(
        _ one: Record, _ first: FieldValues, _ other: Record, _ second: FieldValues
    ) {
        for (name, values) in first.list {
            if name == Self.nameColumn, second.byName[name] == nil, values.inUTF8 == other.title?.inUTF8 { continue }
            if let molecules = first.molecules[name], let others = second.molecules[name],
                molecules.count == others.count
            {
                for (molecule, other) in zip(molecules, others) {
                    within("field \(name.shown)") { $0.compare(molecule, other) }
                }
            } else if let others = second.byName[name] {
                note("field \(name.shown)", values, others)
            } else {
                note("field \(name.shown)", onlyFirst: "\"\(values)\"")
            }
        }
        for (name, values) in second.list where first.byName[name] == nil {
            if name == Self.nameColumn, values.inUTF8 == one.title?.inUTF8 { continue }
            note("field \(name.shown)", onlySecond: "\"\(values)\"")
        }
    }

    /// The title of a row of a sheet may be in a column.
    private mutating func compareTitles(
        _ one: (record: Record, byName: [Text: Text]), _ other: (record: Record, byName: [Text: Text])
    ) {
        guard let first = one.record.title, let second = other.record.title else { return }
        if first.isEmpty, one.byName[Self.nameColumn]?.inUTF8 == second.inUTF8 { return }
        if second.isEmpty, other.byName[Self.nameColumn]?.inUTF8 == first.inUTF8 { return }
        note("title", first, second)
    }

    /// The values by name; those of one name in one piece, and structures as such.
    private func values(_ record: Record) -> FieldValues {
        var molecules: [Text: [Molecule]] = [:]
        var names: [Text] = []
        var byName: [Text: [UInt8]] = [:]
        for field in record.fields {
            var value = field.value.bytes
            // The end of a molecule's last line says nothing.
            if case .molecule(let molecule) = field.cell {
                if value.last == 0x0A { value.removeLast() }
                molecules[field.name, default: []].append(molecule)
            } else if record.fields.columns[field.column].kind == .molecule, let molecule = Self.molecule(in: value) {
                molecules[field.name, default: []].append(molecule)
            }
            if byName[field.name] == nil {
                names.append(field.name)
                byName[field.name] = value
            } else {
                byName[field.name]?.append(0x0A)
                byName[field.name]?.append(contentsOf: value)
            }
        }
        let texts = byName.mapValues { Text(bytes: $0) }
        return FieldValues(list: names.map { ($0, texts[$0] ?? "") }, byName: texts, molecules: molecules)
    }

    /// The molecule that the text of a sheet's cell stands for.
    private static func molecule(in text: [UInt8]) -> Molecule? {
        guard var records = try? readUnknown(bytes: text), let record = try? records.next() else { return nil }
        return record.molecule
    }

    /// Features whose presence is no matter of how a format writes things down.
    private static let chemical = Features.all.subtracting(
        Features(
            .names, .origins, .comments, .coordinates, .heights, .precision, .parities, .hydrogenCounts,
            .impliedHydrogens, .valences, .labels, .bonds, .fields, .fieldHeaders, .repeatedFields,
            .emptyLinesInValues, .columnTypes, .columnSummaries, .foreignEncoding, .registryNumbers, .molecules,
            .reactions, .recordsWithoutStructure, .numbering, .severalRecords, .structuresInFields,
            .radicalMultiplicity, .arrowKinds
        ))

    /// An abbreviation is a group whose atoms are drawn elsewhere.
    private static func chemicalFeatures(of record: Record) -> Features {
        let features = record.features.intersection(chemical)
        if !features.contains(.abbreviations) { return features }
        return features.subtracting(Features(.abbreviations)).union(Features(.sgroups))
    }

    private mutating func compareFeatures(_ one: Record, _ other: Record) {
        let (first, second) = (Self.chemicalFeatures(of: one), Self.chemicalFeatures(of: other))
        for feature in first.subtracting(second).list { note("feature", onlyFirst: feature.name) }
        for feature in second.subtracting(first).list { note("feature", onlySecond: feature.name) }
    }

    // MARK: Reactions

    private mutating func compare(_ one: Reaction, _ other: Reaction) {
        note("number of steps", one.steps.count, other.steps.count)
        for (index, (first, second)) in zip(one.steps, other.steps).enumerated() {
            let step = one.steps.count > 1 ? "step \(index + 1) " : ""
            compare(step + "reactant", first.reactants, second.reactants)
            compare(step + "agent", first.agents, second.agents)
            compare(step + "product", first.products, second.products)
            note(step + "conditions", first.conditions, second.conditions)
            note(step + "arrow", first.arrow.name, second.arrow.name)
        }
    }

    private mutating func compare(_ role: String, _ one: [Reaction.Component], _ other: [Reaction.Component]) {
        note("number of \(role)s", one.count, other.count)
        for (index, (first, second)) in zip(one, other).enumerated() {
            within("\(role) \(index + 1)") { list in
                list.note("name", first.name, second.name)
                list.note("stoichiometry", first.stoichiometry, second.stoichiometry)
                list.note("title", first.molecule.name, second.molecule.name)
                list.compare(first.molecule, second.molecule)
            }
        }
    }
}

extension Record.Subject {
    fileprivate var kind: String {
        switch self {
        case .none: "no structure"
        case .molecule: "molecule"
        case .reaction: "reaction"
        }
    }
}
