/// The style of a font: its family, and whether it is bold or italic.
public struct Font: Sendable, Hashable {
    /// The family, plus 4 for bold and 8 for italic.
    private var bits: UInt8 = 0

    /// Creates a regular sans-serif face.
    public init() {}

    /// The font family.
    public var family: Family {
        get { Family(rawValue: bits & 3) ?? .sans }
        set { bits = bits & ~3 | newValue.rawValue }
    }

    /// Whether the letters are bold.
    public var isBold: Bool {
        get { bits & 4 != 0 }
        set { bits = newValue ? bits | 4 : bits & ~4 }
    }

    /// Whether the letters are italic.
    public var isItalic: Bool {
        get { bits & 8 != 0 }
        set { bits = newValue ? bits | 8 : bits & ~8 }
    }

    /// The supported font families.
    public enum Family: UInt8, Sendable, Hashable {
        /// A font like Arial, a font like Times, and a monospaced font.
        case sans, serif, typewriter
    }
}

extension Font {
    /// The number of the face in the paint notation.
    var number: Int { Int(bits) }

    init(number: Int) {
        bits = UInt8(truncatingIfNeeded: number & 15)
    }
}
