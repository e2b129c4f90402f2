/// The type of a property's value, and how both spellings write it.
enum DrawnType: Sendable {
    /// So many bytes in CDX, unless the number asks for more.
    case signed(Int)
    case unsigned(Int)
    /// A signed byte, or a fixed-point number with 24 bits behind the point; decimal in CDXML.
    case charge
    /// Fixed-point points in CDX, decimal in CDXML.
    case coordinate
    /// A fraction that CDX writes as so many times its value: tenths, degrees by 65536.
    case multiplied(Int, bytes: Int)
    case real
    case point, point3D, box
    /// Present without a value is true.
    case flag
    /// A byte; nothing is true here, too, and nobody else reads it so.
    case truth
    case text
    case identifier, identifiers, countedIdentifiers
    case elements, names
    case bondOrder
    /// A text, or the number that it is, as the tag's type says.
    case tagValue
    /// A number whose meaning CDXML spells out; the first name is 0.
    case named([String], bytes: Int = 2)
    /// Likewise, where the first name is -1.
    case namedFromMinusOne([String])
    /// Bits with a name each, from the lowest on, and the name for none of them.
    case bits([String], none: String)
    /// Numbers that have a name by themselves.
    case words([Int: String])
    /// Points behind their number.
    case points, points3D
    /// Fixed-point numbers, one behind the other.
    case coordinates
    /// Whole numbers behind their number.
    case countedNumbers
    /// Pictures and the like: bytes in CDX, letters in CDXML.
    case hexadecimal, base64
    /// Text in its fonts.
    case styled
    case fonts, colours
    /// Properties of other objects that an object shows.
    case represented

    /// The names, and the number of the first.
    var names: (names: [String], first: Int)? {
        switch self {
        case .named(let names, _): (names, 0)
        case .namedFromMinusOne(let names): (names, -1)
        default: nil
        }
    }

    /// How many bytes of CDX a number takes.
    var byteCount: Int {
        switch self {
        case .signed(let count), .unsigned(let count), .multiplied(_, let count), .named(_, let count): count
        case .namedFromMinusOne, .flag, .truth: 1
        case .identifier: 4
        default: 2
        }
    }
}

/// The orders of bonds, which are bits of a set.
enum DrawnOrder {
    static let single = 0x0001
    static let any = 0xFFFF

    /// The names of the bits in CDXML, from the lowest on.
    static let names = [
        "1", "2", "3", "4", "5", "6", "0.5", "1.5", "2.5", "3.5", "4.5", "5.5", "dative", "ionic", "hydrogen",
        "threecenter",
    ]

    /// Whether the only bit that is set is that of an order from 1 to 6, whose name is its digit.
    static func isDigit(_ bits: Int) -> Bool { bits > 0 && bits <= 0x20 && bits & (bits - 1) == 0 }

    /// The names of the bits that are set.
    static func spelling(of bits: Int) -> String {
        if bits == any { return "any" }
        return names.indices.filter { bits & 1 << $0 != 0 }.map { names[$0] }.joined(separator: " ")
    }
}
