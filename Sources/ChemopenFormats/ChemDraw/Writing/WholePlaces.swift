import ChemopenBytes
import ChemopenModel

// Numbers of the usual objects, written into room that was made for the whole object.

extension OutputSpan<UInt8> {
    /// Appends a whole number from 0 on and a letter behind it, for which there has to be room: 24 bytes.
    @inline(__always)
    mutating func append(number: Int, before letter: UInt8) {
        guard 0..<10_000_000 ~= number else {
            append(decimal: number)
            append(letter)
            return
        }
        let printed = PrintedNumber(number, before: letter)
        append(word: printed.word, count: printed.count)
    }

    /// Appends so many ten-thousandths in as few digits as they have and a letter behind them, for which there has to be
    /// room: 32 bytes.
    @inline(__always)
    mutating func append(places number: Int, before letter: UInt8) {
        guard 0..<1_000_000_000 ~= number else {
            append(tenThousandths: number)
            append(letter)
            return
        }
        append(PrintedNumber(places: number, before: letter))
    }
}

extension OutputSpan<UInt8> {
    /// Appends so many hundredths in as few digits as they have and a letter behind them, for which there has to be room:
    /// 32 bytes.
    @inline(__always)
    mutating func append(hundredths number: Int, before letter: UInt8) {
        guard 0..<100_000_000 ~= number else { return append(places: number &* 100, before: letter) }
        append(PrintedNumber(hundredths: number, before: letter))
    }

    @inline(__always)
    private mutating func append(_ printed: PrintedNumber) {
        append(word: printed.word, count: Swift.min(8, printed.count))
        if printed.count > 8 { append(word: printed.rest, count: printed.count &- 8) }
    }
}

/// The letters of a number and the one behind it, the first in the lowest byte.
private struct PrintedNumber {
    let word: UInt64
    /// Those behind the first eight.
    let rest: UInt64
    let count: Int

    /// A whole number of up to seven digits.
    @inline(never)
    init(_ number: Int, before letter: UInt8) {
        let high = UInt64(truncatingIfNeeded: number) / 10_000
        let low = UInt64(truncatingIfNeeded: number) &- high &* 10_000
        let digits = digits(ofFours: high | low &<< 32)
        let zeros = Swift.min(7, digits.trailingZeroBitCount &>> 3)
        let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros &* 8)
        count = 9 &- zeros
        word = text | UInt64(letter) &<< UInt64(truncatingIfNeeded: (8 &- zeros) &* 8)
        rest = 0
    }

    /// Hundredths, of which there are fewer than a hundred million.
    @inline(__always)
    init(hundredths number: Int, before letter: UInt8) {
        let high = UInt64(truncatingIfNeeded: number) / 10_000
        let low = UInt64(truncatingIfNeeded: number) &- high &* 10_000
        let digits = digits(ofFours: high | low &<< 32)
        let text = digits | 0x3030_3030_3030_3030
        let zeros = Swift.min(5, digits.trailingZeroBitCount &>> 3)
        let front = (text & 0xFFFF_FFFF_FFFF) &>> UInt64(truncatingIfNeeded: zeros &* 8)
        self.init(front, 6 &- zeros, text &>> 48, digits &>> 56 != 0 ? 3 : digits &>> 48 != 0 ? 2 : 0, letter)
    }

    /// Ten-thousandths, of which there are fewer than a thousand million.
    @inline(__always)
    init(places number: Int, before letter: UInt8) {
        let whole = UInt64(truncatingIfNeeded: number) / 10_000
        let decimals = UInt64(truncatingIfNeeded: number) &- whole &* 10_000
        let tenThousands = whole / 10_000
        let digits = digits(ofFours: (whole &- tenThousands &* 10_000) | decimals &<< 32)
        let text = digits | 0x3030_3030_3030_3030
        let zeros = tenThousands == 0 ? Swift.min(3, digits.trailingZeroBitCount &>> 3) : 0
        var front = (text & 0xFFFF_FFFF) &>> UInt64(truncatingIfNeeded: zeros &* 8)
        var length = 4 &- zeros
        if tenThousands > 0 {
            front = front &<< 8 | tenThousands | 0x30
            length = 5
        }
        let places = decimals == 0 ? 0 : 5 &- digits.leadingZeroBitCount &>> 3
        self.init(front, length, text &>> 32, places, letter)
    }

    /// The letters before the point, those behind it, and how many of them are left with the point: zeros at the end are
    /// left off, and with all of them the point.
    @inline(__always)
    private init(_ front: UInt64, _ length: Int, _ decimals: UInt64, _ places: Int, _ letter: UInt8) {
        let point = UInt64(UInt8(ascii: ".")) | decimals &<< 8
        let shift = UInt64(truncatingIfNeeded: places &* 8)
        let back = point & ((1 &<< shift) &- 1) | UInt64(letter) &<< shift
        let bits = UInt64(truncatingIfNeeded: length &* 8)
        word = front | back &<< bits
        rest = back &>> (64 &- bits)
        count = length &+ places &+ 1
    }
}

/// A place in ten-thousandths of a point.
struct WholePlace {
    let x: Int
    let y: Int

    /// Nothing for a place between them, or too far away.
    @inline(__always)
    init?(_ place: Position) {
        guard let x = Self.whole(place.x), let y = Self.whole(place.y) else { return nil }
        self.x = x
        self.y = y
    }

    @inline(__always)
    private static func whole(_ points: Double) -> Int? {
        let scaled = points.magnitude * 10_000
        guard scaled < 1e12 else { return nil }
        let number = roundedToInteger(scaled).0
        guard Double(number) / 10_000 == points.magnitude else { return nil }
        let whole = Int(truncatingIfNeeded: number)
        return points < 0 ? 0 &- whole : whole
    }
}

/// A box in hundredths of a point.
struct WholeBox {
    let left: Int
    let top: Int
    let right: Int
    let bottom: Int

    /// Nothing for a box that reaches too far.
    @inline(__always)
    init?(_ box: DrawnBox) {
        let far = 1e7
        guard box.left.magnitude < far, box.top.magnitude < far, box.right.magnitude < far, box.bottom.magnitude < far
        else { return nil }
        left = rounded(box.left * 100)
        top = rounded(box.top * 100)
        right = rounded(box.right * 100)
        bottom = rounded(box.bottom * 100)
    }
}

/// A number as the nearest whole one, halves away from zero: `rounded()` without a call of the C library's where it can be.
@inline(__always)
func wholeNumber(_ number: Double) -> Double {
    number.magnitude < 1e9 ? Double(rounded(number)) : number.rounded()
}

/// A number to the nearest integer, halves away from zero: `rounded()` without a call of the C library's.
///
/// The number has to be one that an integer of 32 bits comes near.
@inline(__always)
func rounded(_ number: Double) -> Int {
    let whole = Int(number)
    let rest = number - Double(whole)
    return rest >= 0.5 ? whole &+ 1 : rest <= -0.5 ? whole &- 1 : whole
}
