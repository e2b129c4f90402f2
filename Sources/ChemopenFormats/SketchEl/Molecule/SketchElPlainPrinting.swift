import ChemopenBytes
import ChemopenModel

// Lines as nearly all are, set byte for byte in room made for them; the counterpart of how they are read.

extension MutableSpan where Element == UInt8 {
    /// Sets an atom's line as nearly all are at a place, which goes on behind it: `C=1.2990,0.7500;0,0,i2`. Returns how many
    /// coordinates were rounded.
    ///
    /// Nothing, and nothing set, where there is more to say of the atom, or a number has no short spelling.
    @inline(__always)
    mutating func setLine(
        of atom: Atom, _ field: (letter: UInt8, count: Int), at place: inout Int
    ) -> Int? {
        let symbol = atom.element.symbolBytes
        let unpaired = atom.radical.unpairedElectrons
        guard !atom.isLabelledOrNumbered, atom.radical != .singlet, symbol.0 != 0, atom.charge.magnitude < 10,
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
        // `0,0,i0` and the line's end.
        var rest: UInt64 = 0x0A30_002C_302C_30
        rest |= UInt64(atom.charge.magnitude) | UInt64(truncatingIfNeeded: unpaired) << 16
        rest |= UInt64(field.letter) << 32 | UInt64(truncatingIfNeeded: field.count) << 40
        storeWord(rest, in: &self, at: place)
        place &+= 7
        return (x.isExact ? 0 : 1) &+ (y.isExact ? 0 : 1)
    }

    /// Sets a bond's line at a place, which goes on behind it: `12-13=1,0`. Its atoms have numbers of up to four digits.
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
    /// Whether its line says more than most, which shows at once.
    var isLabelledOrNumbered: Bool { label != Atom.noLabel || isotope != 0 || mapNumber != 0 }
}

/// Room for lines that are set in it, which is cut to what they took.
enum PlainLineRoom {
    static let lines = 64
    /// More than the longest plain line, and the word that its last bytes are set with, take.
    private static let length = 48
    private static let blank = [UInt8](repeating: 0, count: lines * length)

    /// Adds room for so many lines, at most those that there are, and returns where it begins.
    static func append(lines: Int, to output: inout [UInt8]) -> Int {
        let start = output.count
        output.append(copying: blank.span.extracting(0..<min(lines, Self.lines) * length))
        return start
    }
}

/// A number with at most four digits before the point, rounded to four behind it.
struct FourDecimals {
    /// In ten-thousandths, without its sign.
    private let number: UInt32
    private let isNegative: Bool
    /// Nothing was rounded away.
    let isExact: Bool

    /// `nil` for larger numbers, and for one on the very half between two texts.
    @inline(__always)
    init?(_ value: Double) {
        let scaled = value.magnitude * 10_000
        let (number, rest) = roundedToInteger(scaled)
        guard scaled < 99_999_999, rest.magnitude < 0.5 else { return nil }
        self.number = UInt32(truncatingIfNeeded: number)
        isNegative = value.sign == .minus
        isExact = Double(number) / 10_000 == value.magnitude
    }

    /// Sets the number and a byte behind it at a place, which goes on behind that.
    @inline(__always)
    func set(in text: inout MutableSpan<UInt8>, at place: inout Int, before byte: UInt8) {
        text[place] = Ascii.minus
        place &+= isNegative ? 1 : 0
        let whole = number / 10_000
        let decimals = number &- whole &* 10_000
        // The four digits before the point lowest, then those behind it.
        let digits = digits(ofFours: UInt64(whole) | UInt64(decimals) &<< 32)
        let behind = digits &>> 32 | 0x3030_3030 | UInt64(byte) &<< 32
        if whole < 100 {
            // `12.3456,` fills a word; a zero in the place of the tens is left out of it.
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

/// A number of up to four digits, without zeros in front. Nothing branches on whether there are one or two, since no
/// processor could foresee that.
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
        // The last digit stays, whatever it is.
        let zeros = UInt64(truncatingIfNeeded: (digits | 0x0100_0000).trailingZeroBitCount) & ~7
        text = (digits | 0x3030_3030) &>> zeros
        length = 32 &- zeros
    }

    /// Sets the number and a byte behind it at a place, which goes on behind that.
    @inline(__always)
    func set(in text: inout MutableSpan<UInt8>, at place: inout Int, before byte: UInt8) {
        storeWord(self.text | UInt64(byte) &<< length, in: &text, at: place)
        place &+= Int(truncatingIfNeeded: length &>> 3) &+ 1
    }
}
