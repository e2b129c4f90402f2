import ChemopenBytes
import ChemopenModel

/// One thing that an atom may say beside its element, its place and its charge: its word in each format, and its place
/// in the model.
///
/// A row is all that has to be written for a new property. Readers and writers go through the rows, and what a format
/// has no word for is a loss. A row is handed on by reference: its many parts would be counted at every copy.
final class AtomTerm: Sendable {
    /// The line of V2000 that lists atoms with their codes: `M  RBC`.
    let line: PropertyKey?
    /// The field of the atom line in V2000.
    let column: AtomColumn?
    /// The keyword of V3000.
    let key: V3000Keyword?
    /// The data Sgroup that says it in V3000, where there is no keyword.
    let dataField: StaticString?
    /// The field of SketchEl's text.
    let field: StaticString?
    /// The letter of SketchEl's queries that says the same.
    let query: Character?
    let content: Content

    enum Content: Sendable {
        /// A whole number.
        case code(Code)
        case text(get: @Sendable (AtomNote) -> Text?, make: @Sendable (Text) -> AtomNote)
        /// The numbers of R-groups.
        case numbers(get: @Sendable (AtomNote) -> [Int32]?, make: @Sendable ([Int32]) -> AtomNote)
        /// Neighbours with the attachment points they hang on.
        case attachments
    }

    /// A whole number in the model, and how each format spells it where that differs.
    final class Code: Sendable {
        /// The numbers that mean something in the model; a word for any other is kept as it stands.
        let range: ClosedRange<Int>
        /// The word for nothing, which no note stands for.
        let nothing: Int?
        /// V3000's words that are not the number itself.
        let inKeys: [Int: Int]
        /// The number that V2000 adds to the number in the columns of an atom line, and its words that are neither.
        let columnOffset: Int
        let inColumns: [Int: Int]
        /// The numbers that SketchEl's queries spell as they are, and words for others.
        let queried: ClosedRange<Int>
        let inQueries: [Int: Int]
        let get: @Sendable (AtomNote) -> Int?
        let make: @Sendable (Int) -> AtomNote

        init(
            range: ClosedRange<Int>, nothing: Int? = 0, inKeys: [Int: Int] = [:], columnOffset: Int = 0,
            inColumns: [Int: Int] = [:], queried: ClosedRange<Int> = 1...0x7FFF_FFFF, inQueries: [Int: Int] = [:],
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

    init(
        line: PropertyKey? = nil, column: AtomColumn? = nil, key: V3000Keyword? = nil, dataField: StaticString? = nil,
        field: StaticString? = nil, query: Character? = nil, _ content: Content
    ) {
        self.line = line
        self.column = column
        self.key = key
        self.dataField = dataField
        self.field = field
        self.query = query
        self.content = content
    }
}

extension AtomTerm {
    static let all: [AtomTerm] = [
        AtomTerm(
            column: .valence, key: .valence, field: "yMDL_EXPLICIT_VALENCE",
            .code(
                Code(range: 0...0x7FFF_FFFF, inKeys: [0: -1], inColumns: [0: 15]) {
                    if case .valence(let count) = $0 { count } else { nil }
                } make: {
                    .valence($0)
                })),
        AtomTerm(
            field: "yMDL_DRAWN_CHARGE",
            .code(
                Code(range: -0x8000...0x7FFF, nothing: nil) {
                    if case .drawnCharge(let charge) = $0 { charge } else { nil }
                } make: {
                    .drawnCharge($0)
                })),
        AtomTerm(
            column: .hydrogens, key: .hydrogenCount, query: "H",
            .code(
                Code(range: 0...0x7FFF_FFFF, inKeys: [0: -1], columnOffset: 1, queried: 0...0x7FFF_FFFF) {
                    if case .hydrogenQuery(let count) = $0 { count } else { nil }
                } make: {
                    .hydrogenQuery($0)
                })),
        AtomTerm(
            line: .ringBonds, key: .ringBondCount, field: "yMDL_RBC", query: "G",
            .code(
                Code(range: -2...0x7FFF_FFFF, inQueries: [-1: 0]) {
                    if case .ringBondCount(let count) = $0 { count } else { nil }
                } make: {
                    .ringBondCount($0)
                })),
        AtomTerm(
            line: .substitution, key: .substitution, field: "yMDL_SUB", query: "J",
            .code(
                Code(range: -2...0x7FFF_FFFF, inQueries: [-1: 0]) {
                    if case .substitutionCount(let count) = $0 { count } else { nil }
                } make: {
                    .substitutionCount($0)
                })),
        AtomTerm(
            line: .unsaturated, key: .unsaturation, query: "U",
            .code(
                Code(range: 1...1) {
                    if case .unsaturated = $0 { 1 } else { nil }
                } make: { _ in
                    .unsaturated
                })),
        AtomTerm(
            line: .rgroupSites, key: .rgroups, field: "yMDL_RGROUPS",
            .numbers {
                if case .rgroups(let numbers) = $0 { numbers } else { nil }
            } make: {
                .rgroups($0)
            }),
        AtomTerm(
            line: .attachmentPoints, key: .attachmentPoint, field: "yMDL_ATTCHPT",
            .code(
                Code(range: 1...3, inKeys: [3: -1]) {
                    if case .attachmentPoint(let first, let second) = $0 {
                        (first ? 1 : 0) + (second ? 2 : 0)
                    } else {
                        nil
                    }
                } make: {
                    .attachmentPoint(first: $0 & 1 != 0, second: $0 & 2 != 0)
                })),
        AtomTerm(line: .attachmentOrder, key: .attachmentOrder, field: "yMDL_SCSR_ATTCHORD", .attachments),
        AtomTerm(
            dataField: "MDL_ALIAS", field: "yMDL_ALIAS",
            .text {
                if case .alias(let text) = $0 { text } else { nil }
            } make: {
                .alias($0)
            }),
        AtomTerm(
            dataField: "MDL_VALUE", field: "yMDL_VALUE",
            .text {
                if case .value(let text) = $0 { text } else { nil }
            } make: {
                .value($0)
            }),
        AtomTerm(
            key: .classOfTemplate, field: "yMDL_SCSR_CLASS",
            .text {
                if case .templateClass(let text) = $0 { text } else { nil }
            } make: {
                .templateClass($0)
            }),
        AtomTerm(
            key: .sequenceID, field: "yMDL_SCSR_SEQID",
            .code(
                Code(range: -0x8000_0000...0x7FFF_FFFF, nothing: nil) {
                    if case .sequenceNumber(let number) = $0 { number } else { nil }
                } make: {
                    .sequenceNumber($0)
                })),
        AtomTerm(
            key: .sequenceName, field: "yMDL_SCSR_SEQNAME",
            .text {
                if case .sequenceName(let text) = $0 { text } else { nil }
            } make: {
                .sequenceName($0)
            }),
        AtomTerm(
            column: .fixedHydrogens, field: "yMDL_H0",
            .code(
                Code(range: -99...999) {
                    if case .fixedHydrogens(let code) = $0 { code } else { nil }
                } make: {
                    .fixedHydrogens($0)
                })),
        AtomTerm(
            column: .component, field: "yMDL_COMPONENT",
            .code(
                Code(range: -99...999) {
                    if case .componentType(let code) = $0 { code } else { nil }
                } make: {
                    .componentType($0)
                })),
        AtomTerm(
            column: .componentNumber, field: "yMDL_COMPONENT_NUMBER",
            .code(
                Code(range: -99...999) {
                    if case .componentNumber(let code) = $0 { code } else { nil }
                } make: {
                    .componentNumber($0)
                })),
    ]

    /// The row of a note; `nil` for notes that no row speaks of.
    static func term(of note: AtomNote) -> AtomTerm? { place(of: note).map { all[$0] } }

    /// Where the row that speaks of a note stands.
    static func place(of note: AtomNote) -> Int? {
        let place = placesByNote[note.ordinal]
        return place < 0 ? nil : place
    }

    private static let placesByNote: [Int] = {
        var places = [Int](repeating: -1, count: AtomNote.ordinals)
        for place in all.indices { places[all[place].sample.ordinal] = place }
        return places
    }()

    /// Some note of which the row speaks.
    private var sample: AtomNote {
        switch content {
        case .code(let code): code.make(code.range.upperBound)
        case .text(_, let make): make("")
        case .numbers(_, let make): make([])
        case .attachments: .attachmentOrder([])
        }
    }

    static func term(ofLine key: PropertyKey) -> AtomTerm? {
        for place in all.indices where all[place].line == key { return all[place] }
        return nil
    }

    static func term(ofColumn column: AtomColumn) -> AtomTerm? { byColumn[column.rawValue] }

    private static let byColumn = AtomColumn.allCases.map { column in all.first { $0.column == column } }

    /// Whether a note has a line in V2000, where nearly none has.
    static func hasLine(_ note: AtomNote) -> Bool { place(of: note).map { all[$0].line != nil } ?? false }

    /// The rows that have a line in V2000.
    static let withLines: [(line: PropertyKey, place: Int)] = all.indices.compactMap { place in
        all[place].line.map { ($0, place) }
    }

    static func term(ofKey key: V3000Keyword) -> AtomTerm? {
        placesByKey[key].map { all[$0] }
    }

    private static let placesByKey: [V3000Keyword: Int] = Dictionary(
        uniqueKeysWithValues: all.indices.compactMap { place in all[place].key.map { ($0, place) } })

    /// The row whose text data of this name say.
    static func term(ofData name: Text) -> AtomTerm? {
        let bytes = name.bytes.span
        for place in all.indices {
            guard let field = all[place].dataField, field.utf8CodeUnitCount == bytes.count else { continue }
            if bytes.range(0..<bytes.count, begins: field) { return all[place] }
        }
        return nil
    }

    /// The data Sgroup that says a note on an atom; `nil` for all notes but those that only data can say.
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

    /// Whether V3000 has a word for it and V2000 none.
    var isOnlyInV3000: Bool { key != nil && line == nil && column == nil }

    /// The codes that a line of V2000 has for a note; none where the row is not the note's, or the note says nothing.
    func codes(of note: AtomNote) -> [Int] {
        switch content {
        case .code(let code): code.get(note).flatMap { code.range.contains($0) ? [$0] : nil } ?? []
        case .numbers(let get, _): get(note)?.map { Int($0) } ?? []
        case .text, .attachments: []
        }
    }
}

extension AtomTerm {
    /// The code that the columns of an atom line have for a note, cut to what three columns hold.
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

    /// The note that V3000's word stands for, none for the word that says nothing, and whether the word means anything.
    func note(forKey word: Int) -> (note: AtomNote?, isKnown: Bool) {
        note(for: inKeys.first { $0.value == word }?.key ?? word, isNothing: word == nothing)
    }

    /// The note that the code in the columns of a V2000 atom line stands for.
    func note(forColumn word: Int) -> (note: AtomNote?, isKnown: Bool) {
        note(for: inColumns.first { $0.value == word }?.key ?? word - columnOffset, isNothing: word == 0)
    }

    /// The note that a code of a V2000 line, or of a field, stands for.
    func note(forCode word: Int) -> (note: AtomNote?, isKnown: Bool) {
        note(for: word, isNothing: word == nothing)
    }

    private func note(for value: Int, isNothing: Bool) -> (note: AtomNote?, isKnown: Bool) {
        if isNothing { return (nil, true) }
        return range.contains(value) ? (make(value), true) : (nil, false)
    }
}
