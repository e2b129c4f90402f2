import ChemopenBytes
import ChemopenModel

// Writers for lines in the usual form. They store bytes directly in space that was allocated before.

extension MutableSpan where Element == UInt8 {
    /// Stores an atom's line in the usual form at an index, which moves after it: `C=1.2990,0.7500;0,0,i2`. Returns the
    /// number of rounded coordinates.
    ///
    /// If the atom has other properties, or a number is too long, returns `nil` without storing anything.
    @inline(__always)
    mutating func setLine(
        of atom: Atom, _ field: (letter: UInt8, count: Int), at place: inout Int
    ) -> Int? {
        let symbol = atom.element.symbolBytes
        let unpaired = atom.radical.unpairedElectrons
        guard !atom.isLabeledOrNumbered, atom.radical != .singlet, symbol.0 != 0, atom.charge.magnitude < 10,
            unpaired < 10, 0..<10 ~= field.count,
            let x = FourDecimals(atom.position.x), let y = FourDecimals(atom.position.y)
        else { return nil }
        let hasOneLetter = symbol.1 == 0
        let name = UInt64(symbol.0) | (hasOneLetter ? 0x3D00 : UInt64(symbol.1) << 8 | 0x3D_0000)
        storeWord(name, in: &self, at: place)
        place &+= hasOneLetter ? 2 : 3
        x.set(in: &self, at: &place, before: Ascii.comma)
        y.set(in: &self, at: &place, before: 0x3B)
        if atom.charge < 0 {
            self[place] = Ascii.minus
            place &+= 1
        }
        // `0,0,i0` and the line end.
        var rest: UInt64 = 0x0A30_002C_302C_30
        rest |= UInt64(atom.charge.magnitude) | UInt64(truncatingIfNeeded: unpaired) << 16
        rest |= UInt64(field.letter) << 32 | UInt64(truncatingIfNeeded: field.count) << 40
        storeWord(rest, in: &self, at: place)
        place &+= 7
        return (x.isExact ? 0 : 1) &+ (y.isExact ? 0 : 1)
    }

    /// Stores a bond's line at an index, which moves after it: `12-13=1,0`. The numbers of its atoms can have up to
    /// four digits.
    @inline(__always)
    mutating func setLine(of bond: Bond, at place: inout Int) {
        ShortNumber(UInt32(bitPattern: bond.from) &+ 1).set(in: &self, at: &place, before: Ascii.minus)
        ShortNumber(UInt32(bitPattern: bond.to) &+ 1).set(in: &self, at: &place, before: Ascii.equals)
        let order = UInt64(min(bond.orderNumber, 6))
        storeWord(0x0A30_2C30 | order | UInt64(bond.mark.rawValue) << 16, in: &self, at: place)
        place &+= 4
    }
}

extension Atom {
    /// Whether its line contains more than usual. This is a fast check.
    var isLabeledOrNumbered: Bool { label != Atom.noLabel || isotope != 0 || mapNumber != 0 }
}

/// Space for lines, which is truncated to the bytes that were stored.
enum PlainLineRoom {
    static let lines = 64
    /// More than the longest plain line, including the excess bytes of the last store.
    private static let length = 48
    private static let blank = [UInt8](repeating: 0, count: lines * length)

    /// Appends space for up to `PlainLineRoom.lines` lines, and returns its start.
    static func append(lines: Int, to output: inout [UInt8]) -> Int {
        let start = output.count
        output.append(copying: blank.span.extracting(0..<min(lines, Self.lines) * length))
        return start
    }
}

/// A number with up to four digits before the point, rounded to four decimals.
struct FourDecimals {
    /// The number in ten-thousandths, without its sign.
    private let number: UInt32
    private let isNegative: Bool
    /// Whether the number was not rounded.
    let isExact: Bool

    /// Returns `nil` for larger numbers, and for a number exactly halfway between two numbers with four decimals.
    @inline(__always)
    init?(_ value: Double) {
        let scaled = value.magnitude * 10_000
        let (number, rest) = roundedToInteger(scaled)
        guard scaled < 99_999_999, rest.magnitude < 0.5 else { return nil }
        self.number = UInt32(truncatingIfNeeded: number)
        isNegative = value.sign == .minus
        isExact = Double(number) / 10_000 == value.magnitude
    }

    /// Stores the number and a delimiter at an index, which moves after it.
    @inline(__always)
    func set(in text: inout MutableSpan<UInt8>, at place: inout Int, before byte: UInt8) {
        text[place] = Ascii.minus
        place &+= isNegative ? 1 : 0
        let whole = number / 10_000
        let decimals = number &- whole &* 10_000
        // The four digits before the point are in the low half, the decimals in the high half.
        let digits = digits(ofFours: UInt64(whole) | UInt64(decimals) &<< 32)
        let behind = digits &>> 32 | 0x3030_3030 | UInt64(byte) &<< 32
        if whole < 100 {
            // `12.3456,` has eight bytes. A leading zero is shifted out.
            let zeros: UInt64 = whole < 10 ? 8 : 0
            let before = digits &>> 16 & 0xFFFF | 0x3030 | UInt64(Ascii.point) &<< 16
            storeWord((before | behind &<< 24) &>> zeros, in: &text, at: place)
            place &+= 8 &- Int(truncatingIfNeeded: zeros &>> 3)
            return
        }
        ShortNumber(whole).set(in: &text, at: &place, before: Ascii.point)
        storeWord(behind, in: &text, at: place)
        place &+= 5
    }
}

/// A number of up to four digits without leading zeros. The code does not branch between one and two digits, because
/// processors could not predict the branch.
struct ShortNumber {
    /// The digits, the first lowest.
    private let text: UInt64
    private let length: UInt64

    @inline(__always)
    init(_ number: UInt32) {
        if number < 100 {
            let number = UInt64(number)
            let tens = (number &* 103) &>> 10
            let zeros: UInt64 = tens == 0 ? 8 : 0
            text = (0x3030 | tens | (number &- tens &* 10) &<< 8) &>> zeros
            length = 16 &- zeros
            return
        }
        let digits = digits(ofFours: UInt64(number))
        // The last digit is written even if it is zero.
        let zeros = UInt64(truncatingIfNeeded: (digits | 0x0100_0000).trailingZeroBitCount) & ~7
        text = (digits | 0x3030_3030) &>> zeros
        length = 32 &- zeros
    }

    /// Stores the number and a delimiter at an index, which moves after it.
    @inline(__always)
    func set(in text: inout MutableSpan<UInt8>, at place: inout Int, before byte: UInt8) {
        storeWord(self.text | UInt64(byte) &<< length, in: &text, at: place)
        place &+= Int(truncatingIfNeeded: length &>> 3) &+ 1
    }
}
