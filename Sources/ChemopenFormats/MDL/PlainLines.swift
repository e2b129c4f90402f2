import ChemopenBytes
import ChemopenModel

/// An atom line of the standard shape, read by words of eight bytes.
///
///     0         1         2         3
///     0123456789012345678901234567890123456789
///         1.2990   -0.7500    0.0000 C   0  0
///
/// Every byte is looked at, so that a line end or a letter in a wrong place is no plain line. Behind the symbol only
/// blanks and zeros are plain; otherwise `hasCodes` sends the reader to the columns.
struct PlainAtom {
    var atom: Atom
    var hasCodes: Bool

    /// `length` is that of the line before: the line feed must stand there again.
    @inline(__always)
    init?(at start: Int, length: Int, before end: Int, of bytes: Span<UInt8>) {
        guard length >= 42, start &+ length < end, end <= bytes.count, bytes[start &+ length] == Ascii.lineFeed else {
            return nil
        }
        let x = Self.coordinate(bytes, start)
        let y = Self.coordinate(bytes, start &+ 10)
        let z = Self.coordinate(bytes, start &+ 20)
        guard x != Self.notPlain, y != Self.notPlain, z != Self.notPlain else { return nil }
        guard bytes[start &+ 30] == Ascii.blank, bytes[start &+ 33] == Ascii.blank else { return nil }
        let second = bytes[start &+ 32]
        let element = ChemicalElement.element(ofSymbol: bytes[start &+ 31], second == Ascii.blank ? 0 : second)
        guard element != .none else { return nil }
        atom = Atom(element, at: Position(Double(x) / 10_000, Double(y) / 10_000, Double(z) / 10_000))
        hasCodes = !Self.isZero(bytes, from: start &+ 34, to: start &+ length)
    }

    private static let notPlain = Int.min

    /// Ten columns `xxxxx.xxxx` as ten-thousandths: a whole number below 2^53, so that the division rounds as it should.
    @inline(__always)
    private static func coordinate(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        let word = bytes.word(at: start &+ 2)
        // The point, and the digits on both sides of it.
        let digits = word ^ 0x3030_3030_2E30_3030
        let decimals = digits >> 32
        let units = (digits >> 16) & 0xFF
        guard digits & 0xFF00_0000 == 0, units <= 9, (decimals &+ 0x7676_7676) & 0x8080_8080 == 0,
            decimals & 0xF0F0_F0F0 == 0
        else { return notPlain }
        // d6 d7 d8 d9, the first in the lowest byte.
        let pairs = (decimals &* 10 &+ (decimals >> 8)) & 0x00FF_00FF
        var value = Int(truncatingIfNeeded: ((pairs &* 100 &+ (pairs >> 16)) & 0xFFFF) &+ units &* 10_000)
        // The columns left of the units: digits, then at most one sign, then blanks.
        var place = 100_000
        var index = start &+ 3
        while index >= start {
            let byte = bytes[index]
            if Ascii.isDigit(byte) {
                value &+= Int(byte &- Ascii.zero) &* place
                place &*= 10
                index &-= 1
                continue
            }
            if byte == Ascii.minus {
                value = 0 &- value
                index &-= 1
            }
            while index >= start {
                if bytes[index] != Ascii.blank { return notPlain }
                index &-= 1
            }
        }
        return value
    }

    /// Whether there are only blanks and zeros: both give the byte of a zero when that bit is set.
    @inline(__always)
    private static func isZero(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while index &+ 8 <= end {
            if bytes.word(at: index) | 0x1010_1010_1010_1010 != 0x3030_3030_3030_3030 { return false }
            index &+= 8
        }
        return bytes.word(at: end &- 8) | 0x1010_1010_1010_1010 == 0x3030_3030_3030_3030
    }
}

/// A bond line of the standard shape: three numbers of three columns, a stereo code, and zeros.
struct PlainBond {
    var bond: Bond

    @inline(__always)
    init?(at start: Int, length: Int, before end: Int, atoms: Int, of bytes: Span<UInt8>) {
        guard length >= 9, start &+ length < end, end <= bytes.count, bytes[start &+ length] == Ascii.lineFeed else {
            return nil
        }
        let first = Self.number(bytes[start], bytes[start &+ 1], bytes[start &+ 2])
        let second = Self.number(bytes[start &+ 3], bytes[start &+ 4], bytes[start &+ 5])
        let type = Self.number(bytes[start &+ 6], bytes[start &+ 7], bytes[start &+ 8])
        guard first &- 1 < UInt32(truncatingIfNeeded: atoms), second &- 1 < UInt32(truncatingIfNeeded: atoms),
            type &- 1 < 10, let order = Bond.Order(mdlType: Int(type))
        else { return nil }
        bond = Bond(Int(first) &- 1, Int(second) &- 1, order)
        var index = start &+ 9
        if length >= 12 {
            switch Self.number(bytes[index], bytes[index &+ 1], bytes[index &+ 2]) {
            case 0: break
            case 1: bond.mark = .up
            case 6: bond.mark = .down
            case 3, 4: bond.mark = .either
            default: return nil
            }
            index &+= 3
        }
        while index < start &+ length {
            guard bytes[index] | 0x10 == Ascii.zero else { return nil }
            index &+= 1
        }
    }

    /// A number in three columns, right-aligned; what is none is too large for anything.
    @inline(__always)
    private static func number(_ hundreds: UInt8, _ tens: UInt8, _ units: UInt8) -> UInt32 {
        let none: UInt32 = 1 << 20
        guard Ascii.isDigit(units) else { return none }
        var value = UInt32(units &- Ascii.zero)
        if Ascii.isDigit(tens) {
            value &+= UInt32(tens &- Ascii.zero) &* 10
            if Ascii.isDigit(hundreds) { return value &+ UInt32(hundreds &- Ascii.zero) &* 100 }
        } else if tens != Ascii.blank {
            return none
        }
        return hundreds == Ascii.blank ? value : none
    }
}
