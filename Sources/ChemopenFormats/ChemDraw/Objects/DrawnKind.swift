/// The kind of an object, by its tag in CDX.
struct DrawnKind: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    static let document = DrawnKind(rawValue: 0x8000)
    static let page = DrawnKind(rawValue: 0x8001)
    static let group = DrawnKind(rawValue: 0x8002)
    static let fragment = DrawnKind(rawValue: 0x8003)
    static let node = DrawnKind(rawValue: 0x8004)
    static let bond = DrawnKind(rawValue: 0x8005)
    static let text = DrawnKind(rawValue: 0x8006)
    static let graphic = DrawnKind(rawValue: 0x8007)
    static let alternativeGroup = DrawnKind(rawValue: 0x800A)
    static let registryNumber = DrawnKind(rawValue: 0x800C)
    static let scheme = DrawnKind(rawValue: 0x800D)
    static let step = DrawnKind(rawValue: 0x800E)
    static let objectTag = DrawnKind(rawValue: 0x8011)
    static let splitter = DrawnKind(rawValue: 0x8015)
    static let table = DrawnKind(rawValue: 0x8016)
    static let bracketedGroup = DrawnKind(rawValue: 0x8017)
    static let bracketAttachment = DrawnKind(rawValue: 0x8018)
    static let crossingBond = DrawnKind(rawValue: 0x8019)
    static let chemicalProperty = DrawnKind(rawValue: 0x8020)
    static let arrow = DrawnKind(rawValue: 0x8021)
    static let annotation = DrawnKind(rawValue: 0x802B)
    /// A CDXML element that is not in the tables.
    static let unknown = DrawnKind(rawValue: 0xFFFF)
    /// The tag for an unknown CDXML element in CDX, from the range that is reserved for users.
    static let own = DrawnKind(rawValue: 0xCF00)

    private static let first: UInt16 = 0x8000

    /// The CDXML elements, in the order of their tags from 8000.
    private static let names = [
        "CDXML", "page", "group", "fragment", "n", "b", "t", "graphic", "curve", "embeddedobject", "altgroup",
        "templategrid", "regnum", "scheme", "step", "objectdefinition", "spectrum", "objecttag", "", "sequence",
        "crossreference", "splitter", "table", "bracketedgroup", "bracketattachment", "crossingbond", "border",
        "geometry", "constraint", "tlcplate", "tlclane", "tlcspot", "chemicalproperty", "arrow", "stoichiometrygrid",
        "sgcomponent", "sgdatum", "bioshape", "plasmidmap", "plasmidmarker", "plasmidregion", "rlogic", "rlogicitem",
        "annotation", "gepplate", "gepband", "marker", "geplane", "documentproperties", "property",
        "ColoredMolecularArea",
    ]

    /// The CDXML names of objects, followed by two alternative spellings.
    static var elements: [String] { names + others }

    private static let others = ["DocumentProperties", "Property"]

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates the kind of a CDXML element from its index in `elements`.
    init(elementAt place: Int) {
        let other = place - Self.names.count
        let place = other < 0 ? place : Self.names.firstIndex(of: Self.others[other].lowercased()) ?? 0
        rawValue = Self.first + UInt16(place)
    }

    /// Returns the kind of an element by name; nil if the name is not in the tables.
    static func named(_ name: [UInt8]) -> DrawnKind? { kindsByName[name] }

    private static let kindsByName: [[UInt8]: DrawnKind] = Dictionary(
        elements.enumerated().filter { !$0.element.isEmpty }
            .map { (Array($0.element.utf8), DrawnKind(elementAt: $0.offset)) }, uniquingKeysWith: { first, _ in first })

    /// The CDXML name; for unknown kinds, the tag in hexadecimal.
    var name: String {
        if Self.names.indices.contains(place), !Self.names[place].isEmpty { return Self.names[place] }
        return String(rawValue, radix: 16, uppercase: true)
    }

    private static let namesInBytes = names.map { Array($0.utf8) }

    /// The same name in UTF-8.
    var nameInBytes: [UInt8] {
        if Self.namesInBytes.indices.contains(place), !Self.namesInBytes[place].isEmpty {
            return Self.namesInBytes[place]
        }
        return Array(name.utf8)
    }

    /// All kinds in the published tables.
    static var known: [DrawnKind] { names.indices.map { DrawnKind(elementAt: $0) } }

    /// The index in the published tables. It can be out of range.
    var place: Int { Int(rawValue) &- Int(Self.first) }

    /// Whether the kind is in the published tables.
    var isKnown: Bool { Self.names.indices.contains(place) }

    /// A bit that is unique among the known kinds.
    var bit: UInt64 { 1 << UInt64(rawValue & 63) }

    /// Whether the kind only groups objects on a page.
    var isContainer: Bool {
        self == .document || self == .page || self == .group || self == .table
    }
}
