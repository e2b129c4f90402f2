/// The shape of letters.
public struct LetterFace: Sendable, Hashable {
    /// The kind of font.
    public var family = Family.sans
    /// Thick letters.
    public var isBold = false
    /// Slanted letters.
    public var isItalic = false

    /// Plain letters without serifs.
    public init() {}

    /// The kinds of fonts that are told apart.
    public enum Family: UInt8, Sendable, Hashable {
        /// Like Arial, like Times, all letters equally wide.
        case sans, serif, typewriter
    }
}

extension LetterFace {
    /// The face by a number: its family, 4 where it is bold, 8 where it is slanted.
    var number: Int { Int(family.rawValue) + (isBold ? 4 : 0) + (isItalic ? 8 : 0) }

    init(number: Int) {
        self.init()
        family = Family(rawValue: UInt8(truncatingIfNeeded: number & 3)) ?? .sans
        isBold = number & 4 != 0
        isItalic = number & 8 != 0
    }
}
