import ChemopenModel

/// One thing that an Sgroup may say: its line of V2000, its keyword of V3000, and its place in the model.
///
/// The rows stand in the order of V3000's keywords; `PropertyKey.sgroupLines` has that of V2000's lines.
struct SgroupTerm: Sendable {
    var line: PropertyKey?
    /// Where it stands in its line, if others stand there too.
    var columns: Range<Int>?
    var key: V3000Keyword?
    /// The keyword in Sgroups of one kind.
    var special: Special?
    var content: Content

    struct Special: Sendable {
        let kind: Sgroup.Kind
        let key: V3000Keyword
        /// Whether such an Sgroup may have the usual keyword all the same.
        var isEither = false
    }

    enum Content: Sendable {
        case kind
        /// A word of up to three letters in V2000, any text in V3000.
        case word(WritableKeyPath<Sgroup, Text> & Sendable)
        case text(WritableKeyPath<Sgroup, Text> & Sendable)
        case number(WritableKeyPath<Sgroup, Int32> & Sendable)
        case atoms(WritableKeyPath<Sgroup, [Int32]> & Sendable)
        case bonds(WritableKeyPath<Sgroup, [Int32]> & Sendable)
        case data(WritableKeyPath<Sgroup.Data, Text> & Sendable)
        case values
        /// A value that goes on in the next line of V2000.
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
        SgroupTerm(line: .sgroupIdentifiers, .number(\.identifier)),
        SgroupTerm(line: .sgroupAtoms, key: .atoms, .atoms(\.atoms)),
        SgroupTerm(line: .sgroupParentAtoms, key: .parentAtoms, .atoms(\.parentAtoms)),
        SgroupTerm(
            line: .sgroupBonds, key: .crossingBonds,
            in: Special(kind: .data, key: .containedBonds, isEither: true), .bonds(\.bonds)),
        SgroupTerm(key: .containedBonds, .bonds(\.containedBonds)),
        SgroupTerm(key: .headBonds, .bonds(\.headBonds)),
        SgroupTerm(line: .sgroupCorrespondence, key: .bondCorrespondence, .bonds(\.bondCorrespondence)),
        SgroupTerm(line: .sgroupSubtypes, key: .subtype, .word(\.subtype)),
        SgroupTerm(line: .sgroupLabel, key: .label, in: Special(kind: .multiple, key: .multiplier), .text(\.label)),
        SgroupTerm(line: .sgroupConnectivities, key: .connectivity, .word(\.connectivity)),
        SgroupTerm(line: .sgroupParents, key: .parent, .parent),
        SgroupTerm(line: .sgroupComponentNumbers, key: .componentNumber, .number(\.componentNumber)),
        SgroupTerm(line: .sgroupBracket, key: .bracket, .bracket),
        SgroupTerm(line: .sgroupBracketStyles, key: .bracketType, .bracketStyle),
        SgroupTerm(line: .sgroupExpansions, key: .expansion, .expansion),
        SgroupTerm(line: .sgroupBondVector, key: .bondVector, .bondVector),
        SgroupTerm(line: .sgroupField, columns: 11..<41, key: .fieldName, .data(\.fieldName)),
        SgroupTerm(line: .sgroupField, columns: 41..<43, .data(\.fieldType)),
        SgroupTerm(line: .sgroupField, columns: 43..<63, key: .fieldInfo, .data(\.units)),
        SgroupTerm(line: .sgroupDisplay, key: .fieldDisplay, .data(\.display)),
        SgroupTerm(line: .sgroupField, columns: 63..<65, key: .queryType, .data(\.queryType)),
        SgroupTerm(line: .sgroupField, columns: 65..<Int.max, key: .queryOperator, .data(\.queryOperator)),
        SgroupTerm(line: .sgroupData, key: .fieldData, .values),
        SgroupTerm(line: .sgroupDataPart, .valuePart),
        SgroupTerm(line: .sgroupClass, key: .classOfTemplate, .text(\.templateClass)),
        SgroupTerm(line: .sgroupAttachments, key: .attachment, .attachment),
    ]

    /// The keyword in an Sgroup of a kind.
    func key(in kind: Sgroup.Kind) -> V3000Keyword? {
        if let special, special.kind == kind { return special.key }
        return key
    }

    /// The row of a line; where several share it, the first.
    static func term(ofLine key: PropertyKey) -> SgroupTerm? {
        lines.firstIndex { $0 == key.code }.map { all[$0] }
    }

    /// The row that a keyword means in an Sgroup of a kind.
    static func term(ofKey key: V3000Keyword, in kind: Sgroup.Kind) -> SgroupTerm? {
        if key == .unknown { return nil }
        for place in all.indices where keys[place] == key || specialKeys[place] == key {
            guard let special = all[place].special else { return all[place] }
            if keys[place] == key ? special.kind != kind || special.isEither : special.kind == kind {
                return all[place]
            }
        }
        return nil
    }

    /// The word of V3000 for an abbreviation that is shown with all its atoms.
    static let expanded = "E"

    // What is looked for, by the rows' places: a row need not be touched to be passed.

    private static let lines: [UInt32] = all.map { $0.line?.code ?? 0 }
    private static let keys: [V3000Keyword] = all.map { $0.key ?? .unknown }
    private static let specialKeys: [V3000Keyword] = all.map { $0.special?.key ?? .unknown }
}

extension PropertyKey {
    /// The lines that list Sgroups with a word each, in the order in which they are written.
    static let sgroupLists: [PropertyKey] = [
        .sgroupKinds, .sgroupSubtypes, .sgroupIdentifiers, .sgroupConnectivities, .sgroupParents,
        .sgroupComponentNumbers,
        .sgroupBracketStyles,
    ]

    /// The lines of one Sgroup, in that order.
    static let sgroupLines: [PropertyKey] = [
        .sgroupAtoms, .sgroupBonds, .sgroupParentAtoms, .sgroupLabel, .sgroupBracket, .sgroupBondVector,
        .sgroupCorrespondence, .sgroupClass, .sgroupAttachments, .sgroupField, .sgroupDisplay, .sgroupData,
    ]
}

extension Sgroup.BracketStyle {
    /// The word of V3000.
    var word: String { self == .round ? "PAREN" : "BRACKET" }

    /// The code of V2000.
    var code: Text { self == .round ? "1" : "0" }
}
