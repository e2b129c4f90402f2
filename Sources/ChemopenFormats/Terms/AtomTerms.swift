import ChemopenBytes
import ChemopenModel

/// An atom property other than element, position and charge: its name in each format, and its representation in the
/// model.
///
/// A new property needs only a row in this table. Readers and writers iterate over the rows. If a format has no name
/// for a property, the property is lost. This is a class because copying a structure would count references to its many
/// parts.
final class AtomTerm: Sendable {
    /// The feature that records with this property have.
    let feature: Feature
    /// The key in JSON.
    let name: StaticString
    /// The V2000 line that lists atoms with their codes: `M  RBC`.
    let line: PropertyKey?
    /// The field of the atom line in V2000.
    let column: AtomColumn?
    /// The keyword of V3000.
    let key: V3000Keyword?
    /// The name of the data Sgroup that represents it in V3000, if there is no keyword.
    let dataField: StaticString?
    /// The field in SketchEl files.
    let field: StaticString?
    /// The letter in SketchEl's queries with the same meaning.
    let query: Character?
    /// The tables that can represent it: in a line, a column, a keyword or in another form.
    let tables: MDLTables
    let content: Content

    enum Content: Sendable {
        /// An integer.
        case code(Code)
        case text(get: @Sendable (AtomNote) -> Text?, make: @Sendable (Text) -> AtomNote)
        /// The numbers of R-groups.
        case numbers(get: @Sendable (AtomNote) -> [Int32]?, make: @Sendable ([Int32]) -> AtomNote)
        /// Neighbors with their attachment points.
        case attachments
        case elements
        /// The configuration of a coordination center or of an allene.
        case configuration
        /// A V3000 keyword without a meaning in the model.
        case keyword
    }

    /// An integer in the model, and its value in each format if that differs.
    final class Code: Sendable {
        /// The values that the model supports. Any other value is preserved verbatim.
        let range: ClosedRange<Int>
        /// The value that means "not set" and has no note.
        let nothing: Int?
        /// Values in V3000 that differ from the number.
        let inKeys: [Int: Int]
        /// The difference between the value in the columns of a V2000 atom line and the number, and values that are
        /// exceptions.
        let columnOffset: Int
        let inColumns: [Int: Int]
        /// The numbers that SketchEl's queries write unchanged, and values for other numbers.
        let queried: ClosedRange<Int>
        let inQueries: [Int: Int]
        let get: @Sendable (AtomNote) -> Int?
        let make: @Sendable (Int) -> AtomNote

        init(
            range: ClosedRange<Int>, nothing: Int?, inKeys: [Int: Int], columnOffset: Int, inColumns: [Int: Int],
            queried: ClosedRange<Int>, inQueries: [Int: Int],
            get: @escaping @Sendable (AtomNote) -> Int?, make: @escaping @Sendable (Int) -> AtomNote
        ) {
            self.range = range
            self.nothing = nothing
            self.inKeys = inKeys
            self.columnOffset = columnOffset
            self.inColumns = inColumns
            self.queried = queried
            self.inQueries = inQueries
            self.get = get
            self.make = make
        }
    }

    /// - Parameter others: the tables that represent it in a form other than a line of pairs, a column or a keyword.
    init(
        _ feature: Feature, _ name: StaticString, line: PropertyKey? = nil, column: AtomColumn? = nil,
        key: V3000Keyword? = nil,
        dataField: StaticString? = nil, field: StaticString? = nil, query: Character? = nil,
        alsoIn others: MDLTables = [], _ content: Content
    ) {
        self.feature = feature
        self.name = name
        tables =
            others.union(line == nil && column == nil ? [] : .v2000)
            .union(key == nil && dataField == nil ? [] : .v3000)
        self.line = line
        self.column = column
        self.key = key
        self.dataField = dataField
        self.field = field
        self.query = query
        self.content = content
    }
}

extension AtomTerm.Content {
    static func code(
        range: ClosedRange<Int>, nothing: Int? = 0, inKeys: [Int: Int] = [:], columnOffset: Int = 0,
        inColumns: [Int: Int] = [:], queried: ClosedRange<Int> = 1...0x7FFF_FFFF, inQueries: [Int: Int] = [:],
        get: @escaping @Sendable (AtomNote) -> Int?, make: @escaping @Sendable (Int) -> AtomNote
    ) -> Self {
        .code(
            AtomTerm.Code(
                range: range, nothing: nothing, inKeys: inKeys, columnOffset: columnOffset, inColumns: inColumns,
                queried: queried, inQueries: inQueries, get: get, make: make))
    }
}

extension AtomTerm {
    static let all: [AtomTerm] = [
        AtomTerm(
            .valences, "valence", column: .valence, key: .valence, field: "yMDL_EXPLICIT_VALENCE",
            .code(
                range: 0...0x7FFF_FFFF, inKeys: [0: -1], inColumns: [0: 15],
                get: { if case .valence(let count) = $0 { count } else { nil } }, make: AtomNote.valence)),
        AtomTerm(
            .charges, "drawn_charge", field: "yMDL_DRAWN_CHARGE", alsoIn: .all,
            .code(
                range: -0x8000...0x7FFF, nothing: nil,
                get: { if case .drawnCharge(let charge) = $0 { charge } else { nil } }, make: AtomNote.drawnCharge)),
        AtomTerm(
            .queryAtoms, "hydrogen_query", column: .hydrogens, key: .hydrogenCount, query: "H",
            .code(
                range: 0...0x7FFF_FFFF, inKeys: [0: -1], columnOffset: 1, queried: 0...0x7FFF_FFFF,
                get: { if case .hydrogenQuery(let count) = $0 { count } else { nil } }, make: AtomNote.hydrogenQuery)),
        AtomTerm(
            .queryAtoms, "ring_bond_count", line: .ringBonds, key: .ringBondCount, field: "yMDL_RBC", query: "G",
            .code(
                range: -2...0x7FFF_FFFF, inQueries: [-1: 0],
                get: { if case .ringBondCount(let count) = $0 { count } else { nil } }, make: AtomNote.ringBondCount)),
        AtomTerm(
            .queryAtoms, "substitution_count", line: .substitution, key: .substitution, field: "yMDL_SUB", query: "J",
            .code(
                range: -2...0x7FFF_FFFF, inQueries: [-1: 0],
                get: { if case .substitutionCount(let count) = $0 { count } else { nil } },
                make: AtomNote.substitutionCount)),
        AtomTerm(
            .queryAtoms, "unsaturated", line: .unsaturated, key: .unsaturation, query: "U",
            .code(range: 1...1, get: { if case .unsaturated = $0 { 1 } else { nil } }, make: { _ in .unsaturated })),
        AtomTerm(
            .rgroups, "rgroups", line: .rgroupSites, key: .rgroups, field: "yMDL_RGROUPS",
            .numbers(get: { if case .rgroups(let numbers) = $0 { numbers } else { nil } }, make: AtomNote.rgroups)),
        AtomTerm(
            .attachmentPoints, "attachment_point", line: .attachmentPoints, key: .attachmentPoint,
            field: "yMDL_ATTCHPT",
            .code(
                range: 1...3, inKeys: [3: -1],
                get: {
                    guard case .attachmentPoint(let first, let second) = $0 else { return nil }
                    return (first ? 1 : 0) + (second ? 2 : 0)
                }, make: { .attachmentPoint(first: $0 & 1 != 0, second: $0 & 2 != 0) })),
        AtomTerm(
            .attachmentPoints, "attachment_order", line: .attachmentOrder, key: .attachmentOrder,
            field: "yMDL_SCSR_ATTCHORD", .attachments),
        AtomTerm(
            .aliases, "alias", dataField: "MDL_ALIAS", field: "yMDL_ALIAS", alsoIn: .v2000,
            .text(get: { if case .alias(let text) = $0 { text } else { nil } }, make: AtomNote.alias)),
        AtomTerm(
            .atomValues, "value", dataField: "MDL_VALUE", field: "yMDL_VALUE", alsoIn: .v2000,
            .text(get: { if case .value(let text) = $0 { text } else { nil } }, make: AtomNote.value)),
        AtomTerm(
            .templates, "template_class", key: .classOfTemplate, field: "yMDL_SCSR_CLASS",
            .text(get: { if case .templateClass(let text) = $0 { text } else { nil } }, make: AtomNote.templateClass)),
        AtomTerm(
            .templates, "sequence_number", key: .sequenceID, field: "yMDL_SCSR_SEQID",
            .code(
                range: -0x8000_0000...0x7FFF_FFFF, nothing: nil,
                get: { if case .sequenceNumber(let number) = $0 { number } else { nil } },
                make: AtomNote.sequenceNumber)),
        AtomTerm(
            .templates, "sequence_name", key: .sequenceName, field: "yMDL_SCSR_SEQNAME",
            .text(get: { if case .sequenceName(let text) = $0 { text } else { nil } }, make: AtomNote.sequenceName)),
        AtomTerm(
            .queryAtoms, "fixed_hydrogens", column: .fixedHydrogens, field: "yMDL_H0",
            .code(
                range: -99...999, get: { if case .fixedHydrogens(let code) = $0 { code } else { nil } },
                make: AtomNote.fixedHydrogens)),
        AtomTerm(
            .reactionMarks, "component_type", column: .component, field: "yMDL_COMPONENT",
            .code(
                range: -99...999, get: { if case .componentType(let code) = $0 { code } else { nil } },
                make: AtomNote.componentType)),
        AtomTerm(
            .reactionMarks, "component_number", column: .componentNumber, field: "yMDL_COMPONENT_NUMBER",
            .code(
                range: -99...999, get: { if case .componentNumber(let code) = $0 { code } else { nil } },
                make: AtomNote.componentNumber)),
        AtomTerm(.atomLists, "element_list", line: .atomList, alsoIn: .v3000, .elements),
        AtomTerm(.coordinationStereo, "configuration", .configuration),
        AtomTerm(.unknown, "keyword", alsoIn: .v3000, .keyword),
        AtomTerm(
            .queryAtoms, "query",
            .text(get: { if case .query(let text) = $0 { text } else { nil } }, make: AtomNote.query)),
        AtomTerm(
            .extensionFields, "field",
            .text(get: { if case .field(let text) = $0 { text } else { nil } }, make: AtomNote.field)),
        AtomTerm(
            .extensionFields, "transient_field",
            .text(get: { if case .transientField(let text) = $0 { text } else { nil } }, make: AtomNote.transientField)),
    ]

    static func term(of note: AtomNote) -> AtomTerm { all[place(of: note)] }

    /// Returns the index of the row for a note.
    static func place(of note: AtomNote) -> Int { placesByNote[note.ordinal] }

    private static let placesByNote: [Int] = {
        var places = [Int](repeating: 0, count: AtomNote.ordinals)
        for place in all.indices { places[all[place].sample.ordinal] = place }
        return places
    }()

    /// A note that belongs to the row.
    private var sample: AtomNote {
        switch content {
        case .code(let code): code.make(code.range.upperBound)
        case .text(_, let make): make("")
        case .numbers(_, let make): make([])
        case .attachments: .attachmentOrder([])
        case .elements: .elementList(ElementList([]))
        case .configuration: .configuration(.init(.squarePlanar, 1, of: []))
        case .keyword: .keyword(name: "", value: "")
        }
    }

    /// The reason to write V3000 for this property with any value.
    var need: V3000Need? { tables == .v3000 ? (feature == .unknown ? .keptKeywords : .templateAtoms) : nil }

    static func term(ofLine key: PropertyKey) -> AtomTerm? {
        for place in all.indices where all[place].line == key { return all[place] }
        return nil
    }

    static func term(ofColumn column: AtomColumn) -> AtomTerm? { byColumn[column.rawValue] }

    private static let byColumn = AtomColumn.allCases.map { column in all.first { $0.column == column } }

    /// Whether a note has a line in V2000, which is rare.
    static func hasLine(_ note: AtomNote) -> Bool { all[place(of: note)].line != nil }

    /// The rows that have a line in V2000.
    static let withLines: [(line: PropertyKey, place: Int)] = all.indices.compactMap { place in
        all[place].line.map { ($0, place) }
    }

    static func term(ofKey key: V3000Keyword) -> AtomTerm? {
        placesByKey[key].map { all[$0] }
    }

    private static let placesByKey: [V3000Keyword: Int] = Dictionary(
        uniqueKeysWithValues: all.indices.compactMap { place in all[place].key.map { ($0, place) } })

    /// Returns the row for a data Sgroup with this name.
    static func term(ofData name: Text) -> AtomTerm? {
        let bytes = name.bytes.span
        for place in all.indices {
            guard let field = all[place].dataField, field.utf8CodeUnitCount == bytes.count else { continue }
            if bytes.range(0..<bytes.count, begins: field) { return all[place] }
        }
        return nil
    }

    /// Returns the data Sgroup that represents a note on an atom, or `nil` if the note has another form.
    func sgroup(of note: AtomNote, onAtom index: Int32) -> Sgroup? {
        guard let dataField, case .text(let get, _) = content, let text = get(note) else { return nil }
        var data = Sgroup.Data()
        data.fieldName.bytes.append(dataField)
        data.values = [text]
        var sgroup = Sgroup(.data)
        sgroup.data = data
        sgroup.atoms = [index]
        return sgroup
    }

    /// Returns the codes of a note in a V2000 line. The array is empty if the note belongs to another row or has no
    /// value.
    func codes(of note: AtomNote) -> [Int] {
        switch content {
        case .code(let code): code.get(note).flatMap { code.range.contains($0) ? [$0] : nil } ?? []
        case .numbers(let get, _): get(note)?.map { Int($0) } ?? []
        case .text, .attachments, .elements, .configuration, .keyword: []
        }
    }
}

extension AtomNote {
    var feature: Feature { AtomTerm.term(of: self).feature }

    /// The text of the note, or the value of its keyword.
    var text: Text? {
        if case .keyword(_, let value) = self { return value }
        guard case .text(let get, _) = AtomTerm.term(of: self).content else { return nil }
        return get(self)
    }
}

extension AtomTerm {
    /// Returns the code of a note in the columns of an atom line, clamped to three columns.
    func columnCode(of note: AtomNote) -> Int? {
        guard case .code(let code) = content, let value = code.get(note) else { return nil }
        return min(999, max(-99, code.word(inColumn: value)))
    }
}

extension AtomTerm.Code {
    func word(inKey value: Int) -> Int { inKeys[value] ?? value }

    func word(inColumn value: Int) -> Int { inColumns[value] ?? value + columnOffset }

    func word(inQuery value: Int) -> Int? { inQueries[value] ?? (queried.contains(value) ? value : nil) }

    func note(forQuery word: Int) -> AtomNote? {
        let value = inQueries.first { $0.value == word }?.key ?? word
        return self.word(inQuery: value) == word && range.contains(value) ? make(value) : nil
    }

    /// Returns the note for a V3000 value, or no note for "not set", and whether the value is known.
    func note(forKey word: Int) -> (note: AtomNote?, isKnown: Bool) {
        note(for: inKeys.first { $0.value == word }?.key ?? word, isNothing: word == nothing)
    }

    /// Returns the note for a code in the columns of a V2000 atom line.
    func note(forColumn word: Int) -> (note: AtomNote?, isKnown: Bool) {
        note(for: inColumns.first { $0.value == word }?.key ?? word - columnOffset, isNothing: word == 0)
    }

    /// Returns the note for a code in a V2000 line or a field.
    func note(forCode word: Int) -> (note: AtomNote?, isKnown: Bool) {
        note(for: word, isNothing: word == nothing)
    }

    private func note(for value: Int, isNothing: Bool) -> (note: AtomNote?, isKnown: Bool) {
        if isNothing { return (nil, true) }
        return range.contains(value) ? (make(value), true) : (nil, false)
    }
}
