import ChemopenBytes
import ChemopenModel

// Numbers of the usual objects, written into room that was made for the whole object.

extension OutputSpan<UInt8> {
    /// Appends a whole number from 0 on and a letter behind it, for which there has to be room: 24 bytes.
    @inline(__always)
    mutating func append(number: Int, before letter: UInt8) {
        guard PrintedNumber.wholes ~= number else {
            append(decimal: number)
            append(letter)
            return
        }
        append(PrintedNumber(number, before: letter))
    }

    /// Appends a few letters and behind them an id and a quote, for which there has to be room: 32 bytes.
    @inline(__always)
    mutating func append(_ letters: ShortText, id: UInt32) {
        if PrintedNumber.wholes ~= Int(id) {
            return append(PrintedNumber(Int(id), before: Ascii.quote).behind(letters))
        }
        append(word: letters.word, count: letters.count)
        append(decimal: Int(id))
        append(Ascii.quote)
    }

    /// Appends a printed number, for which there has to be room: 16 bytes.
    @inline(__always)
    mutating func append(_ printed: PrintedNumber) {
        append(words: printed.word, printed.rest, count: printed.count)
    }
}

/// The letters of a number and the one behind it, sixteen at most, the first in the lowest byte.
struct PrintedNumber {
    let word: UInt64
    /// Those behind the first eight.
    let rest: UInt64
    let count: Int

    /// The numbers that are printed by a rule that is as quick for all of them: whole numbers, ten-thousandths and hundredths.
    static let wholes = 0..<10_000_000
    static let places = 0..<1_000_000_000
    static let hundredths = 0..<100_000_000

    @inline(__always)
    private init(_ word: UInt64, _ rest: UInt64, count: Int) {
        self.word = word
        self.rest = rest
        self.count = count
    }

    /// The letters of a whole number in one word.
    @inline(__always)
    init(_ word: UInt64) {
        self.init(word, 0, count: 8 &- word.leadingZeroBitCount &>> 3)
    }

    /// The same behind one to seven letters; all of them are sixteen at most.
    @inline(__always)
    func behind(_ letters: ShortText) -> PrintedNumber {
        let bits = UInt64(truncatingIfNeeded: letters.count &* 8)
        return PrintedNumber(
            letters.word | word &<< bits, rest &<< bits | word &>> (64 &- bits), count: count &+ letters.count)
    }

    /// A whole number of up to seven digits.
    @inline(__always)
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
    var x: Int
    var y: Int

    @inline(__always)
    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// The place in points.
    @inline(__always)
    var position: Position { Position(Double(x) / 10_000, Double(y) / 10_000) }

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

    @inline(__always)
    init(left: Int, top: Int, right: Int, bottom: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// The nearest one; nothing for a box that reaches too far.
    init?(_ box: DrawnBox) {
        let far = 1e7
        guard box.left.magnitude < far, box.top.magnitude < far, box.right.magnitude < far, box.bottom.magnitude < far
        else { return nil }
        self.init(
            left: rounded(box.left * 100), top: rounded(box.top * 100), right: rounded(box.right * 100),
            bottom: rounded(box.bottom * 100))
    }

    /// The box in points.
    @inline(__always)
    var box: DrawnBox {
        DrawnBox(
            left: Double(left) / 100, top: Double(top) / 100, right: Double(right) / 100, bottom: Double(bottom) / 100)
    }
}

/// The bounds of places.
struct WholeBounds {
    private(set) var least = WholePlace(x: .max, y: .max)
    private(set) var most = WholePlace(x: .min, y: .min)

    @inline(__always)
    mutating func include(_ place: WholePlace) {
        least = WholePlace(x: min(least.x, place.x), y: min(least.y, place.y))
        most = WholePlace(x: max(most.x, place.x), y: max(most.y, place.y))
    }

    /// Includes a box in hundredths.
    @inline(__always)
    mutating func include(_ box: WholeBox) {
        include(WholePlace(x: box.left &* 100, y: box.top &* 100))
        include(WholePlace(x: box.right &* 100, y: box.bottom &* 100))
    }

    var isPoint: Bool { least.x == most.x && least.y == most.y }

    /// Those of places in ten-thousandths of a point, in points.
    var box: DrawnBox {
        let (start, end) = (least.position, most.position)
        return DrawnBox(left: start.x, top: start.y, right: end.x, bottom: end.y)
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
