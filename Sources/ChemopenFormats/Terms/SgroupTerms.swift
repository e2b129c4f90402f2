import ChemopenModel

/// An Sgroup property: its line in V2000, its keyword in V3000, and its representation in the model.
///
/// The rows are in the order of V3000's keywords. `lists` and `lines` have the order of V2000.
struct SgroupTerm: Sendable {
    var line: PropertyKey?
    /// The columns in the line, if the line contains several properties.
    var columns: Range<Int>?
    var key: V3000Keyword?
    /// A different keyword that is used in one kind of Sgroup.
    var special: Special?
    var content: Content

    enum Special: Sendable {
        /// In data Sgroups. The ordinary keyword is accepted as well.
        case data(V3000Keyword)
        /// In multiple groups. The ordinary keyword is not accepted.
        case multiple(V3000Keyword)

        fileprivate var key: V3000Keyword {
            switch self {
            case .data(let key), .multiple(let key): key
            }
        }

        fileprivate var isEither: Bool { if case .data = self { true } else { false } }

        fileprivate func holds(in kind: Sgroup.Kind) -> Bool {
            switch self {
            case .data: kind == .data
            case .multiple: kind == .multiple
            }
        }
    }

    enum Content: Sendable {
        case kind
        /// Up to three letters in V2000, any text in V3000.
        case word(Sgroup.TextField)
        case text(Sgroup.TextField)
        case number(Sgroup.NumberField)
        case atoms(Sgroup.ListField)
        case bonds(Sgroup.ListField)
        case data(Sgroup.Data.Field)
        case values
        /// A part of a value that continues in the next V2000 line.
        case valuePart
        case parent, bracket, bracketStyle, expansion, bondVector, attachment
    }

    init(
        line: PropertyKey? = nil, columns: Range<Int>? = nil, key: V3000Keyword? = nil, in special: Special? = nil,
        _ content: Content
    ) {
        self.line = line
        self.columns = columns
        self.key = key
        self.special = special
        self.content = content
    }
}

extension SgroupTerm {
    static let all: [SgroupTerm] = [
        SgroupTerm(line: .sgroupKinds, .kind),
        SgroupTerm(line: .sgroupIdentifiers, .number(.identifier)),
        SgroupTerm(line: .sgroupAtoms, key: .atoms, .atoms(.atoms)),
        SgroupTerm(line: .sgroupParentAtoms, key: .parentAtoms, .atoms(.parentAtoms)),
        SgroupTerm(
            line: .sgroupBonds, key: .crossingBonds,
            in: .data(.containedBonds), .bonds(.bonds)),
        SgroupTerm(key: .containedBonds, .bonds(.containedBonds)),
        SgroupTerm(key: .headBonds, .bonds(.headBonds)),
        SgroupTerm(line: .sgroupCorrespondence, key: .bondCorrespondence, .bonds(.bondCorrespondence)),
        SgroupTerm(line: .sgroupSubtypes, key: .subtype, .word(.subtype)),
        SgroupTerm(line: .sgroupLabel, key: .label, in: .multiple(.multiplier), .text(.label)),
        SgroupTerm(line: .sgroupConnectivities, key: .connectivity, .word(.connectivity)),
        SgroupTerm(line: .sgroupParents, key: .parent, .parent),
        SgroupTerm(line: .sgroupComponentNumbers, key: .componentNumber, .number(.componentNumber)),
        SgroupTerm(line: .sgroupBracket, key: .bracket, .bracket),
        SgroupTerm(line: .sgroupBracketStyles, key: .bracketType, .bracketStyle),
        SgroupTerm(line: .sgroupExpansions, key: .expansion, .expansion),
        SgroupTerm(line: .sgroupBondVector, key: .bondVector, .bondVector),
        SgroupTerm(line: .sgroupField, columns: 11..<41, key: .fieldName, .data(.fieldName)),
        SgroupTerm(line: .sgroupField, columns: 41..<43, .data(.fieldType)),
        SgroupTerm(line: .sgroupField, columns: 43..<63, key: .fieldInfo, .data(.units)),
        SgroupTerm(line: .sgroupDisplay, key: .fieldDisplay, .data(.display)),
        SgroupTerm(line: .sgroupField, columns: 63..<65, key: .queryType, .data(.queryType)),
        SgroupTerm(line: .sgroupField, columns: 65..<Int.max, key: .queryOperator, .data(.queryOperator)),
        SgroupTerm(line: .sgroupData, key: .fieldData, .values),
        SgroupTerm(line: .sgroupDataPart, .valuePart),
        SgroupTerm(line: .sgroupClass, key: .classOfTemplate, .text(.templateClass)),
        SgroupTerm(line: .sgroupAttachments, key: .attachment, .attachment),
    ]

    /// Returns the keyword in an Sgroup of a kind.
    func key(in kind: Sgroup.Kind) -> V3000Keyword? {
        if let special, special.holds(in: kind) { return special.key }
        return key
    }

    /// Returns the row of a line. If several rows share a line, returns the first.
    static func term(ofLine key: PropertyKey) -> SgroupTerm? {
        codes.firstIndex(of: key.code).map { all[$0] }
    }

    /// Returns the row of a keyword in an Sgroup of a kind.
    static func term(ofKey key: V3000Keyword, in kind: Sgroup.Kind) -> SgroupTerm? {
        if key == .unknown { return nil }
        let (keys, specialKeys) = (keys, specialKeys)
        for place in keys.indices where keys[place] == key || specialKeys[place] == key {
            let term = all[place]
            guard let special = term.special else { return term }
            if keys[place] == key ? special.isEither || !special.holds(in: kind) : special.holds(in: kind) {
                return term
            }
        }
        return nil
    }

    /// The V3000 value for an abbreviation that is shown with all its atoms.
    static let expanded = "E"
    /// The V3000 value for a leaving atom that is the attached atom itself.
    static let leavingItself = "aidx"

    /// The V2000 lines that list several Sgroups with a value each, in writing order.
    static let lists = rows(of: [
        .sgroupKinds, .sgroupSubtypes, .sgroupIdentifiers, .sgroupConnectivities, .sgroupParents,
        .sgroupComponentNumbers,
        .sgroupBracketStyles,
    ])

    /// The V2000 lines of a single Sgroup, in writing order.
    static let lines = rows(of: [
        .sgroupAtoms, .sgroupBonds, .sgroupParentAtoms, .sgroupLabel, .sgroupBracket, .sgroupBondVector,
        .sgroupCorrespondence, .sgroupClass, .sgroupAttachments, .sgroupField, .sgroupDisplay, .sgroupData,
    ])

    private static func rows(of keys: [PropertyKey]) -> [SgroupTerm] { keys.compactMap(term(ofLine:)) }

    // The keys of the rows in separate arrays, which can be searched without loading the rows.

    private static let codes: [UInt32] = all.map { $0.line?.code ?? 0 }
    private static let keys: [V3000Keyword] = all.map { $0.key ?? .unknown }
    private static let specialKeys: [V3000Keyword] = all.map { $0.special?.key ?? .unknown }
}

extension Sgroup.BracketStyle {
    /// The value in V3000.
    var word: String { self == .round ? "PAREN" : "BRACKET" }

    /// The code in V2000.
    var code: Text { self == .round ? "1" : "0" }
}

extension Sgroup {
    enum TextField: Sendable { case subtype, label, connectivity, templateClass }
    enum NumberField: Sendable { case identifier, componentNumber }
    enum ListField: Sendable { case atoms, parentAtoms, bonds, containedBonds, headBonds, bondCorrespondence }

    // These subscripts replace key paths, which would copy the Sgroup to access one of its fields.

    subscript(field: TextField) -> Text {
        get {
            switch field {
            case .subtype: subtype
            case .label: label
            case .connectivity: connectivity
            case .templateClass: templateClass
            }
        }
        set {
            switch field {
            case .subtype: subtype = newValue
            case .label: label = newValue
            case .connectivity: connectivity = newValue
            case .templateClass: templateClass = newValue
            }
        }
    }

    subscript(field: NumberField) -> Int32 {
        get { field == .identifier ? identifier : componentNumber }
        set { if field == .identifier { identifier = newValue } else { componentNumber = newValue } }
    }

    subscript(field: ListField) -> [Int32] {
        get {
            switch field {
            case .atoms: atoms
            case .parentAtoms: parentAtoms
            case .bonds: bonds
            case .containedBonds: containedBonds
            case .headBonds: headBonds
            case .bondCorrespondence: bondCorrespondence
            }
        }
        _modify {
            switch field {
            case .atoms: yield &atoms
            case .parentAtoms: yield &parentAtoms
            case .bonds: yield &bonds
            case .containedBonds: yield &containedBonds
            case .headBonds: yield &headBonds
            case .bondCorrespondence: yield &bondCorrespondence
            }
        }
    }
}

extension Sgroup.Data {
    enum Field: Sendable { case fieldName, fieldType, units, display, queryType, queryOperator }

    subscript(field: Field) -> Text {
        get {
            switch field {
            case .fieldName: fieldName
            case .fieldType: fieldType
            case .units: units
            case .display: display
            case .queryType: queryType
            case .queryOperator: queryOperator
            }
        }
        set {
            switch field {
            case .fieldName: fieldName = newValue
            case .fieldType: fieldType = newValue
            case .units: units = newValue
            case .display: display = newValue
            case .queryType: queryType = newValue
            case .queryOperator: queryOperator = newValue
            }
        }
    }
}
