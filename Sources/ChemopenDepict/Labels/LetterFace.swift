/// The shape of letters.
public struct LetterFace: Sendable, Hashable {
    /// The family, 4 where the letters are thick, 8 where they are slanted.
    private var bits: UInt8 = 0

    /// Plain letters without serifs.
    public init() {}

    /// The kind of font.
    public var family: Family {
        get { Family(rawValue: bits & 3) ?? .sans }
        set { bits = bits & ~3 | newValue.rawValue }
    }

    /// Thick letters.
    public var isBold: Bool {
        get { bits & 4 != 0 }
        set { bits = newValue ? bits | 4 : bits & ~4 }
    }

    /// Slanted letters.
    public var isItalic: Bool {
        get { bits & 8 != 0 }
        set { bits = newValue ? bits | 8 : bits & ~8 }
    }

    /// The kinds of fonts that are told apart.
    public enum Family: UInt8, Sendable, Hashable {
        /// Like Arial, like Times, all letters equally wide.
        case sans, serif, typewriter
    }
}

extension LetterFace {
    /// The face by a number.
    var number: Int { Int(bits) }

    init(number: Int) {
        bits = UInt8(truncatingIfNeeded: number & 15)
    }
}
