/// A chemical difference between two records.
public struct Difference: Sendable, Hashable {
    /// The part that differs, such as `title`, `atom 3 charge` or `field MASS`. Atoms and bonds are numbered from 1, as
    /// in most files.
    public let subject: String
    /// The complete value in the first record, or `nil` if it does not have the part.
    public let first: String?
    /// The complete value in the second record, or `nil` if it does not have the part.
    public let second: String?
    /// Whether the values are texts of a file, which are shown in quotes.
    let isText: Bool

    /// Creates a difference.
    public init(_ subject: String, _ first: String?, _ second: String?) {
        self.init(subject, first, second, isText: false)
    }

    init(_ subject: String, _ first: String?, _ second: String?, isText: Bool) {
        (self.subject, self.first, self.second, self.isText) = (subject, first, second, isText)
    }
}

extension Difference: CustomStringConvertible {
    /// The difference as one line of text.
    ///
    /// Invisible characters are replaced with escapes such as `\n`. Of long values, only the part with the first
    /// difference is shown.
    public var description: String {
        switch shownValues {
        case (let first?, let second?): "\(subject): \(first), then \(second)"
        case (let first?, nil): "\(subject): only in the first: \(first)"
        case (nil, let second?): "\(subject): only in the second: \(second)"
        case (nil, nil): subject
        }
    }

    /// The values as they are shown in a line.
    package var shownValues: (first: String?, second: String?) {
        guard let first, let second else {
            return (
                first.map { VisiblePair.shown($0, isText: isText) },
                second.map { VisiblePair.shown($0, isText: isText) }
            )
        }
        let pair = VisiblePair(first, second, isText: isText, isCut: true)
        return (pair.first, pair.second)
    }
}

/// A comparison of records by their chemical meaning, independent of notation.
///
///     let comparison = Comparison(tolerance: 0.001)
///     for difference in comparison.differences(one, other) { print(difference) }
public struct Comparison: Sendable {
    /// The maximum difference of coordinates that are considered equal.
    public var tolerance: Double

    /// Creates a comparison with a tolerance for coordinates.
    public init(tolerance: Double = 0.0001) {
        self.tolerance = tolerance
    }

    /// Compares two records.
    ///
    /// - Returns: The differences in the order of the record's parts.
    public func differences(_ one: Record, _ other: Record) -> [Difference] {
        // Most records of two files are equal, and equality is fast to test.
        if one == other { return [] }
        var list = DifferenceList(tolerance: tolerance)
        list.compare(one, other)
        return list.differences
    }
}

extension Comparison {
    /// Returns the differences between the headers of two tables.
    func differences(_ one: SheetHeader, _ other: SheetHeader) -> [Difference] {
        var list = DifferenceList(tolerance: tolerance)
        list.note("title of the table", one.title, other.title)
        list.note("summary of the table", one.summary, other.summary)
        let columns = Dictionary(one.columns.map { ($0.name, $0.kind) }) { first, _ in first }
        let others = Dictionary(other.columns.map { ($0.name, $0.kind) }) { first, _ in first }
        for column in one.columns {
            guard let kind = others[column.name] else {
                list.note("column \(column.name.visible)", onlyFirst: column.kind.name.visible)
                continue
            }
            if one.hasTypes, other.hasTypes {
                list.note("kind of column \(column.name.visible)", column.kind.name, kind.name)
            }
        }
        for column in other.columns where columns[column.name] == nil {
            list.note("column \(column.name.visible)", onlySecond: column.kind.name.visible)
        }
        return list.differences
    }
}

/// The values of a record's fields by name. Values with the same name are concatenated; structures are also stored as
/// molecules.
private struct FieldValues {
    var list: [(Text, Text)]
    var byName: [Text: Text]
    var molecules: [Text: [Molecule]]
}

/// The differences found, and the path of the part that is being compared.
struct DifferenceList {
    let tolerance: Double
    var differences: [Difference] = []
    var path = ""

    init(tolerance: Double, path: String = "") {
        (self.tolerance, self.path) = (tolerance, path)
    }

    mutating func note<Value: Equatable>(_ subject: String, _ one: Value, _ other: Value) {
        if one != other { differences.append(Difference(path + subject, "\(one)", "\(other)")) }
    }

    mutating func note(_ subject: String, _ one: Text, _ other: Text) {
        if one == other || one.inUTF8 == other.inUTF8 { return }
        differences.append(Difference(path + subject, one.string, other.string, isText: true))
    }

    mutating func note(_ subject: String, onlyFirst text: String, isText: Bool = false) {
        differences.append(Difference(path + subject, text, nil, isText: isText))
    }

    mutating func note(_ subject: String, onlySecond text: String, isText: Bool = false) {
        differences.append(Difference(path + subject, nil, text, isText: isText))
    }

    /// Compares content within a named part.
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
        // A molecule without atoms is equal to a missing structure.
        case (.molecule(let empty), .none), (.none, .molecule(let empty)):
            if !empty.atoms.isEmpty { note("kind", one.subject.kind, other.subject.kind) }
        default: note("kind", one.subject.kind, other.subject.kind)
        }
        note("registry numbers", one.registry.map(\.number), other.registry.map(\.number))
        compareFields(one, values.0, other, values.1)
        compareFeatures(one, other)
    }

    /// The column for the titles of records in a sheet.
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
                    within("field \(name.visible)") { $0.compare(molecule, other) }
                }
            } else if let others = second.byName[name] {
                note("field \(name.visible)", values, others)
            } else {
                note("field \(name.visible)", onlyFirst: values.string, isText: true)
            }
        }
        for (name, values) in second.list where first.byName[name] == nil {
            if name == Self.nameColumn, values.inUTF8 == one.title?.inUTF8 { continue }
            note("field \(name.visible)", onlySecond: values.string, isText: true)
        }
    }

    /// Compares the titles. In a sheet, the title of a row may be in a column.
    private mutating func compareTitles(
        _ one: (record: Record, byName: [Text: Text]), _ other: (record: Record, byName: [Text: Text])
    ) {
        guard let first = one.record.title, let second = other.record.title else { return }
        if first.isEmpty, one.byName[Self.nameColumn]?.inUTF8 == second.inUTF8 { return }
        if second.isEmpty, other.byName[Self.nameColumn]?.inUTF8 == first.inUTF8 { return }
        note("title", first, second)
    }

    /// Returns the values by name. Values with the same name are concatenated; structures are also stored as molecules.
    private func values(_ record: Record) -> FieldValues {
        var molecules: [Text: [Molecule]] = [:]
        var names: [Text] = []
        var byName: [Text: [UInt8]] = [:]
        for field in record.fields {
            var value = field.value.bytes
            // A line feed at the end of a molecule is not significant.
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

    /// Parses the molecule in a cell of a sheet.
    private static func molecule(in text: [UInt8]) -> Molecule? {
        guard var records = try? readUnknown(bytes: text), let record = try? records.next() else { return nil }
        return record.molecule
    }

    /// The features that are chemically significant and do not depend on the format.
    private static let chemical = Features.all.subtracting(
        Features(
            .names, .origins, .comments, .coordinates, .heights, .precision, .parities, .hydrogenCounts,
            .impliedHydrogens, .valences, .labels, .bonds, .fields, .fieldHeaders, .repeatedFields, .fieldOrder,
            .emptyLinesInValues, .columnTypes, .columnSummaries, .foreignEncoding, .registryNumbers, .molecules,
            .reactions, .recordsWithoutStructure, .numbering, .severalRecords, .structuresInFields,
            .radicalMultiplicity, .arrowKinds, .aromaticBonds
        ))

    /// Returns the chemical features. An abbreviation is equivalent to a group with expanded atoms.
    private static func chemicalFeatures(of record: Record) -> Features {
        let features = record.features.intersection(chemical)
        if !features.contains(.abbreviations) { return features }
        return features.subtracting(Features(.abbreviations)).union(Features(.sgroups))
    }

    private mutating func compareFeatures(_ one: Record, _ other: Record) {
        var (first, second) = (Self.chemicalFeatures(of: one), Self.chemicalFeatures(of: other))
        if one.features.contains(.coordinates) != other.features.contains(.coordinates) {
            // Without a drawing, configurations are written in another notation.
            first.subtract(Features(.stereoMarks, .bondGeometries))
            second.subtract(Features(.stereoMarks, .bondGeometries))
        }
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
