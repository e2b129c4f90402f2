import ChemopenBytes

/// The keywords of V3000, in upper or lower case.
enum V3000Keyword: String, CaseIterable, CustomStringConvertible {
    /// Any other text.
    case unknown = ""
    // Lines.
    case begin = "BEGIN"
    case end = "END"
    case counts = "COUNTS"
    case linkNode = "LINKNODE"
    case defaults = "DEFAULT"
    case logic = "RLOGIC"
    // Blocks. `TEMPLATE` also starts lines.
    case table = "CTAB"
    case atom = "ATOM"
    case bond = "BOND"
    case sgroup = "SGROUP"
    case collection = "COLLECTION"
    case object = "OBJ3D"
    case rgroup = "RGROUP"
    case template = "TEMPLATE"
    case reactant = "REACTANT"
    case product = "PRODUCT"
    case agent = "AGENT"
    // Atoms.
    case charge = "CHG"
    case radical = "RAD"
    case configuration = "CFG"
    case mass = "MASS"
    case valence = "VAL"
    case hydrogenCount = "HCOUNT"
    case stereoBox = "STBOX"
    case inversion = "INVRET"
    case exactChange = "EXACHG"
    case substitution = "SUBST"
    case unsaturation = "UNSAT"
    case ringBondCount = "RBCNT"
    case attachmentPoint = "ATTCHPT"
    case rgroups = "RGROUPS"
    case attachmentOrder = "ATTCHORD"
    case classOfTemplate = "CLASS"
    case sequenceID = "SEQID"
    case sequenceName = "SEQNAME"
    // Bonds.
    case topology = "TOPO"
    case reactingCenter = "RXCTR"
    case endpoints = "ENDPTS"
    case attach = "ATTACH"
    case display = "DISP"
    // Sgroups and collections.
    case atoms = "ATOMS"
    case parentAtoms = "PATOMS"
    case bonds = "BONDS"
    case crossingBonds = "XBONDS"
    case containedBonds = "CBONDS"
    case headBonds = "XBHEAD"
    case bondCorrespondence = "XBCORR"
    case sgroups = "SGROUPS"
    case objects = "OBJ3DS"
    case members = "MEMBERS"
    case subtype = "SUBTYPE"
    case multiplier = "MULT"
    case connectivity = "CONNECT"
    case parent = "PARENT"
    case componentNumber = "COMPNO"
    case label = "LABEL"
    case bracket = "BRKXYZ"
    case bracketType = "BRKTYP"
    case expansion = "ESTATE"
    case bondVector = "CSTATE"
    case attachment = "SAP"
    case fieldName = "FIELDNAME"
    case fieldInfo = "FIELDINFO"
    case fieldDisplay = "FIELDDISP"
    case queryType = "QUERYTYPE"
    case queryOperator = "QUERYOP"
    case fieldData = "FIELDDATA"
    case naturalReplacement = "NATREPLACE"

    init(_ range: Range<Int>, of bytes: Span<UInt8>) {
        self = keywordPlaces.keyword(range, of: bytes)
    }

    var description: String { rawValue }

    /// Whether the keyword names a block that contains tables.
    var isOuterBlock: Bool {
        switch self {
        case .rgroup, .template, .reactant, .product, .agent: true
        default: false
        }
    }
}

private let keywordPlaces = KeywordPlaces()

/// A hash table of keywords, which usually finds them in one or two steps.
private struct KeywordPlaces {
    /// The size is a power of two, and much larger than the number of keywords.
    private var slots: [Slot] = Array(repeating: Slot(), count: 256)

    private struct Slot {
        var letters: UInt128 = 0
        var keyword = V3000Keyword.unknown
    }

    init() {
        for keyword in V3000Keyword.allCases where keyword != .unknown {
            let letters = Self.letters(0..<keyword.rawValue.utf8.count, of: Array(keyword.rawValue.utf8).span)
            var slot = Self.slot(of: letters)
            while slots[slot].letters != 0 { slot = (slot + 1) & 255 }
            slots[slot] = Slot(letters: letters, keyword: keyword)
        }
    }

    @inline(__always)
    func keyword(_ range: Range<Int>, of bytes: Span<UInt8>) -> V3000Keyword {
        let letters = Self.letters(range, of: bytes)
        if letters == 0 { return .unknown }
        var slot = Self.slot(of: letters)
        while slots[slot].letters != letters {
            if slots[slot].letters == 0 { return .unknown }
            slot = (slot &+ 1) & 255
        }
        return slots[slot].keyword
    }

    /// Returns up to sixteen letters as a number, the first letter lowest, or 0 if the text is longer.
    @inline(__always)
    private static func letters(_ range: Range<Int>, of bytes: Span<UInt8>) -> UInt128 {
        if range.isEmpty || range.count > 16 || bytes[range.upperBound &- 1] == 0 { return 0 }
        if range.count <= 8, range.lowerBound &+ 8 <= bytes.count {
            let surplus = UInt64(truncatingIfNeeded: 64 &- 8 &* range.count)
            return UInt128(upper((loadWord(bytes, at: range.lowerBound) &<< surplus) &>> surplus))
        }
        var letters: UInt128 = 0
        for index in range.reversed() { letters = letters &<< 8 | UInt128(Ascii.upper(bytes[index])) }
        return letters
    }

    /// Returns eight bytes with the ASCII letters in upper case.
    @inline(__always)
    private static func upper(_ word: UInt64) -> UInt64 {
        let low = word & 0x7F7F_7F7F_7F7F_7F7F
        let isFromA = low &+ 0x1F1F_1F1F_1F1F_1F1F
        let isBehindZ = low &+ 0x0505_0505_0505_0505
        let isSmall = (isFromA ^ isBehindZ) & ~word & 0x8080_8080_8080_8080
        return word ^ (isSmall &>> 2)
    }

    @inline(__always)
    private static func slot(of letters: UInt128) -> Int {
        let folded = UInt64(truncatingIfNeeded: letters) ^ UInt64(truncatingIfNeeded: letters &>> 64)
        return Int(truncatingIfNeeded: (folded &* 0x9E37_79B9_7F4A_7C15) &>> 56)
    }
}

extension Span where Element == UInt8 {
    /// Whether a range contains a keyword in any case. `word` must be in upper case.
    func range(_ range: Range<Int>, spells word: String) -> Bool {
        guard range.count == word.utf8.count else { return false }
        var index = range.lowerBound
        for letter in word.utf8 {
            if Ascii.upper(self[index]) != letter { return false }
            index += 1
        }
        return true
    }
}
