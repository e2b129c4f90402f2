import ChemopenBytes
import ChemopenModel

/// The meaning of an atom's symbol: an element or another label.
enum AtomSymbol {
    case element(ChemicalElement)
    /// `D` or `T`, which means hydrogen with this mass number.
    case hydrogenIsotope(UInt16)
    case label
    /// An element with incorrect case: `CL`, `br`.
    case misspelled(ChemicalElement)

    /// Parses a symbol without blanks around it.
    ///
    /// Two capital letters are a group (`CO`, `NO`, `AC`) and not an element. The exceptions are `CL` and `BR`, which
    /// old programs write. Symbols in lower case are elements.
    init(_ range: Range<Int>, of bytes: Span<UInt8>) {
        guard range.count == 1 || range.count == 2 else {
            self = .label
            return
        }
        let first = bytes[range.lowerBound]
        let second = range.count == 2 ? bytes[range.lowerBound + 1] : 0
        let element = ChemicalElement.element(ofSymbol: first, second)
        if element != .none {
            self = .element(element)
        } else if second == 0, first == 0x44 || first == 0x54 {
            self = .hydrogenIsotope(first == 0x44 ? 2 : 3)
        } else {
            self = Self.misspelled(first, second) ?? .label
        }
    }

    private static func misspelled(_ first: UInt8, _ second: UInt8) -> AtomSymbol? {
        let isOldHalogen = (first == 0x43 && second == 0x4C) || (first == 0x42 && second == 0x52)
        let isSmall = first &- 0x61 < 26 && (second == 0 || second &- 0x61 < 26)
        guard isOldHalogen || isSmall else { return nil }
        let element = ChemicalElement.element(ofSymbol: Ascii.upper(first), Ascii.lower(second))
        return element == .none ? nil : .misspelled(element)
    }
}
