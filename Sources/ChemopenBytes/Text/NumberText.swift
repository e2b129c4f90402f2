// Integers as text, appended to bytes without a temporary `String`.

extension [UInt8] {
    /// Appends an integer.
    package mutating func appendDecimal(_ value: Int) {
        if 0..<10 ~= value {
            append(UInt8(truncatingIfNeeded: value) | 0x30)
        } else {
            append(addingCapacity: 20) { $0.append(decimal: value) }
        }
    }

    /// Appends an integer, right-aligned to `width` with blanks. A longer number is not truncated.
    package mutating func appendPadded(_ value: Int, width: Int) {
        guard width == 3, 0..<1000 ~= value else {
            appendPlaces(UInt64(value.magnitude), decimals: 0, isNegative: value < 0, width: width)
            return
        }
        let number = UInt32(truncatingIfNeeded: value)
        let hundreds = number / 100
        let tens = number / 10
        let blank: UInt32 = 0x20
        append(addingCapacity: 3) { output in
            output.append(UInt8(truncatingIfNeeded: hundreds > 0 ? hundreds | 0x30 : blank))
            output.append(UInt8(truncatingIfNeeded: tens > 0 ? (tens &- hundreds &* 10) | 0x30 : blank))
            output.append(UInt8(truncatingIfNeeded: (number &- tens &* 10) | 0x30))
        }
    }

    /// Appends a number in hexadecimal, padded with zeros to `width`.
    package mutating func appendHex(_ value: UInt64, width: Int = 1) {
        let digits = (64 - (value | 1).leadingZeroBitCount + 3) / 4
        let count = Swift.max(digits, Swift.min(width, longestWidth))
        for place in (0..<count).reversed() {
            let digit = place < 16 ? UInt8(truncatingIfNeeded: value >> UInt64(place * 4)) & 15 : 0
            append(digit < 10 ? digit | 0x30 : digit &+ 0x57)
        }
    }

    /// Appends `scaled` with a decimal point before its last `decimals` digits, right-aligned to `width` with blanks.
    mutating func appendPlaces(_ scaled: UInt64, decimals: Int, isNegative: Bool, width: Int) {
        let digits = Swift.max(digitCount(scaled), decimals &+ 1)
        let text = digits &+ (decimals > 0 ? 1 : 0) &+ (isNegative ? 1 : 0)
        let count = Swift.max(text, Swift.min(width, longestWidth))
        append(addingCapacity: count) { output in
            output.append(repeating: UInt8(ascii: " "), count: count)
            var places = output.mutableSpan
            var at = count
            var rest = scaled
            for place in 0..<digits {
                if place == decimals && place > 0 {
                    at &-= 1
                    places[at] = UInt8(ascii: ".")
                }
                at &-= 1
                let next = rest / 10
                places[at] = UInt8(truncatingIfNeeded: rest &- next &* 10) | 0x30
                rest = next
            }
            if isNegative { places[at &- 1] = UInt8(ascii: "-") }
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends an integer. Requires space for up to 20 bytes.
    package mutating func append(decimal value: Int) {
        if 0..<100_000_000 ~= value {
            let digits = eightDigits(UInt32(truncatingIfNeeded: value))
            // A zero is written as its last digit.
            let zeros = Swift.min(7, digits.trailingZeroBitCount &>> 3)
            append(
                word: (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros &* 8), count: 8 &- zeros)
            return
        }
        if value < 0 { append(UInt8(ascii: "-")) }
        let number = value.magnitude
        for place in (0..<digitCount(UInt64(number))).reversed() {
            let limit = UInt(truncatingIfNeeded: place == 0 ? 1 : digitLimits[place])
            append(UInt8(truncatingIfNeeded: number / limit % 10) | 0x30)
        }
    }
}

/// The largest column width that is supported. No format has wider columns.
let longestWidth = 1024

/// Returns the number of decimal digits; zero has one.
private func digitCount(_ value: UInt64) -> Int {
    let bits = 64 &- (value | 1).leadingZeroBitCount
    // 1233 / 4096 is slightly more than the decimal logarithm of 2.
    let estimate = (bits &* 1233) >> 12
    return estimate &+ (value >= digitLimits[estimate] ? 1 : 0)
}

/// The smallest number that has one digit more than its index; zero counts as a one-digit number.
private let digitLimits: [UInt64] = [
    0, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]

// Decimal numbers as text, rounded like C's printf: from the exact value of the double, with ties to even.

extension [UInt8] {
    /// Appends a number with a fixed number of decimals, right-aligned to `width` with blanks. A longer number is not
    /// truncated.
    ///
    /// The text is the same as that of C's `%*.*f`, except that a number which rounds to zero has no sign.
    package mutating func appendFixed(_ value: Double, decimals: Int, width: Int) {
        if decimals == 4, width == 10, let columns = TenColumnText(value) {
            append(addingCapacity: 10) { output in columns.append(to: &output) }
        } else if decimals == 4, width == 0, let columns = TenColumnText(value) {
            appendText(of: columns, upTo: 10)
        } else {
            appendAnyFixed(value, decimals: decimals, width: width)
        }
    }

    @inline(never)
    private mutating func appendAnyFixed(_ value: Double, decimals: Int, width: Int) {
        let decimals = Swift.max(0, Swift.min(decimals, longestWidth))
        guard value.isFinite else {
            appendRight(Array((value.isNaN ? "nan" : value < 0 ? "-inf" : "inf").utf8), width: width)
            return
        }
        if decimals <= 15, let scaled = scaledExactly(value.magnitude, decimals) {
            appendPlaces(scaled, decimals: decimals, isNegative: value < 0 && scaled > 0, width: width)
        } else {
            appendRight(exactFixedText(value, decimals: decimals), width: width)
        }
    }

    private mutating func appendRight(_ text: [UInt8], width: Int) {
        append(contentsOf: repeatElement(0x20, count: Swift.max(0, Swift.min(width, longestWidth) &- text.count)))
        append(contentsOf: text)
    }

    /// Appends the columns that are not blank, up to `end`.
    private mutating func appendText(of columns: TenColumnText, upTo end: Int) {
        // Space for two stores of eight bytes each.
        append(addingCapacity: 16) { output in columns.append(columns.start..<end, to: &output) }
    }

    /// Appends the shortest decimal number that is read back as the same double, always without an exponent: 0.00001,
    /// 5, 1.25.
    package mutating func appendShortest(_ value: Double) {
        let scaled = value.magnitude * 10_000
        if scaled < 1e12 {
            let number = roundedToInteger(scaled).0
            if Double(number) / 10_000 == value.magnitude {
                let whole = Int(truncatingIfNeeded: number)
                append(addingCapacity: 24) { $0.append(tenThousandths: value < 0 ? 0 &- whole : whole) }
                return
            }
        }
        for decimals in [0, 8, 12] {
            let power = powersOfTen[decimals]
            let scaled = (value.magnitude * power).rounded()
            // Doubles distinguish all numbers of up to 15 digits. If the digits are read back as the same value, they
            // are the shortest text.
            guard scaled < 1e15 else { break }
            guard scaled / power == value.magnitude else { continue }
            var digits = UInt64(scaled)
            var places = decimals
            while places > 0, digits % 10 == 0 {
                digits /= 10
                places -= 1
            }
            appendPlaces(digits, decimals: places, isNegative: value < 0, width: 0)
            return
        }
        append(contentsOf: plainDigits(value.description.utf8))
    }
}

extension OutputSpan<UInt8> {
    /// Appends a number of ten-thousandths as a decimal number without trailing zeros. Requires space for up to 23
    /// bytes.
    package mutating func append(tenThousandths number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let whole = number.magnitude / 10_000
        let decimals = UInt32(truncatingIfNeeded: number.magnitude &- whole &* 10_000)
        append(decimal: Int(truncatingIfNeeded: whole))
        if decimals == 0 { return }
        // The first four of the eight digits are zeros. The decimal point replaces the last of them.
        let digits = eightDigits(decimals)
        let point = UInt64(UInt8(ascii: "."))
        append(word: point | (digits &>> 24) | 0x30_3030_3000, count: 5 &- digits.leadingZeroBitCount &>> 3)
    }
}

extension MutableSpan where Element == UInt8 {
    /// Writes a number with four decimals into ten columns.
    ///
    /// - Returns: the rounding error in ten-thousandths. If the number has more than four digits before its point, or
    ///   is exactly halfway between two printed numbers, the columns stay unchanged and the result is `nil`.
    @inlinable @inline(__always)
    package mutating func setTenColumns(_ value: Double, at start: Int) -> Double? {
        guard let columns = TenColumnText(value) else { return nil }
        storeWord(columns.front, in: &self, at: start)
        self[start &+ 8] = UInt8(truncatingIfNeeded: columns.back)
        self[start &+ 9] = UInt8(truncatingIfNeeded: columns.back &>> 8)
        return columns.rest
    }

    /// Writes two numbers into ten columns each, followed by four blanks. Returns the larger rounding error, or `nil`
    /// without writing if `setTenColumns` does not support one of the numbers.
    @inlinable @inline(__always)
    package mutating func setTwentyColumns(_ first: Double, _ second: Double, at start: Int) -> Double? {
        guard let one = TenColumnText(first), let other = TenColumnText(second) else { return nil }
        let blanks: UInt64 = 0x2020_2020
        storeWord(one.front, in: &self, at: start)
        storeWord(one.back | other.front &<< 16, in: &self, at: start &+ 8)
        storeWord(other.front &>> 48 | other.back &<< 16 | blanks &<< 32, in: &self, at: start &+ 16)
        return max(one.rest, other.rest)
    }
}

/// A number in ten columns with four decimals, the form of most coordinates in chemical files.
@usableFromInline
struct TenColumnText {
    /// Columns 0 to 7, the first in the lowest byte.
    @usableFromInline let front: UInt64
    /// Columns 8 and 9.
    @usableFromInline let back: UInt64
    /// The first column that is not blank.
    @usableFromInline let start: Int
    /// The magnitude of the rounding error, in ten-thousandths.
    @usableFromInline let rest: Double

    /// Returns `nil` if the number has more than four digits before the point, or is exactly halfway between two
    /// printed numbers.
    @inlinable @inline(__always)
    init?(_ value: Double) {
        let scaled = value.magnitude * 10_000
        guard scaled < 99_999_999 else { return nil }
        let (number, rest) = roundedToInteger(scaled)
        guard rest.magnitude < 0.5 else { return nil }
        let digits = eightDigits(UInt32(truncatingIfNeeded: number))
        let leadingZeros = min(3, UInt64(truncatingIfNeeded: digits.trailingZeroBitCount) >> 3)
        let blanks: UInt64 = 0x10_1010 & ((1 &<< (leadingZeros &* 8)) &- 1)
        let text = (digits | 0x3030_3030_3030_3030) ^ blanks
        let point: UInt64 = 0x2E &<< 40
        let wholePart: UInt64 = (text & 0xFFFF_FFFF) &<< 8
        // For a negative number, the blank before the first digit becomes a minus sign.
        let hasSign = value < 0 && number > 0
        let sign: UInt64 = hasSign ? 0x0D &<< (leadingZeros &* 8) : 0
        front = (0x20 | wholePart | point | (text &>> 32) &<< 48) ^ sign
        back = text &>> 48
        start = Int(truncatingIfNeeded: leadingZeros) &+ (hasSign ? 0 : 1)
        self.rest = rest.magnitude
    }

    /// Appends all ten columns.
    @inline(__always)
    func append(to output: inout OutputSpan<UInt8>) {
        Self.append(front, back, to: &output)
    }

    /// Appends at least one of the columns. Requires space for 16 bytes.
    @inline(__always)
    func append(_ columns: Range<Int>, to output: inout OutputSpan<UInt8>) {
        let skipped = UInt64(truncatingIfNeeded: columns.lowerBound &* 8)
        let count = columns.count
        output.append(word: front >> skipped | back << (64 &- skipped), count: count)
        if count > 8 { output.append(word: back >> skipped, count: count &- 8) }
    }

    @inline(__always)
    private static func append(_ front: UInt64, _ back: UInt64, to output: inout OutputSpan<UInt8>) {
        for column: UInt64 in 0..<8 { output.append(UInt8(truncatingIfNeeded: front &>> (column &* 8))) }
        output.append(UInt8(truncatingIfNeeded: back))
        output.append(UInt8(truncatingIfNeeded: back &>> 8))
    }
}

/// Returns the eight digits of a number below 100,000,000, one per byte, the first in the lowest byte.
@inlinable @inline(__always)
func eightDigits(_ number: UInt32) -> UInt64 {
    let high = number / 10_000
    let low = number &- high &* 10_000
    return digits(ofFours: UInt64(high) | UInt64(low) &<< 32)
}

/// Returns the digits of two numbers below 10,000, stored in the two halves of `fours`. There is one digit per byte,
/// the first in the lowest byte.
@inlinable @inline(__always)
package func digits(ofFours fours: UInt64) -> UInt64 {
    // Both halves are divided by 100, then all four quarters by 10, in parallel.
    let hundreds = ((fours &* 10_486) &>> 20) & 0x7F_0000_007F
    let twos = hundreds | (fours &- 100 &* hundreds) &<< 16
    let tens = ((twos &* 103) &>> 10) & 0xF_000F_000F_000F
    return tens | (twos &- 10 &* tens) &<< 8
}

/// Rounds a number between 0 and 2^51 to the nearest integer, ties to even, and returns the remainder as well.
@inlinable @inline(__always)
package func roundedToInteger(_ value: Double) -> (UInt64, rest: Double) {
    // Doubles from 2^52 on have no fraction, so the sum rounds and its significand is the integer.
    let shift = 0x1p52
    let sum = value + shift
    return (sum.significandBitPattern, value - (sum - shift))
}

/// Returns `value` times a power of ten, correctly rounded to an integer, or `nil` if the product is large.
private func scaledExactly(_ value: Double, _ decimals: Int) -> UInt64? {
    let power = powersOfTen[decimals]
    let product = value * power
    guard product < 0x1p51 else { return nil }
    let (number, rest) = roundedToInteger(product)
    guard rest.magnitude == 0.5 else { return number }
    // The rounded product is exactly between two integers. The sign of the rounding error determines the side of the
    // exact product.
    let cutOff = (-product).addingProduct(value, power)
    if rest > 0 && cutOff > 0 { return number + 1 }
    if rest < 0 && cutOff < 0 { return number - 1 }
    return number
}

/// Rewrites Swift's text of a number, such as `1.5e-07`, without an exponent and without a trailing `.0`.
private func plainDigits(_ text: some Sequence<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    var result: [UInt8] = []
    var pointAt: Int?
    var exponent: [UInt8]?
    for byte in text {
        switch byte {
        case _ where exponent != nil: exponent?.append(byte)
        case UInt8(ascii: "-"): result.append(byte)
        case UInt8(ascii: "."): pointAt = digits.count
        case UInt8(ascii: "e") where !digits.isEmpty: exponent = []
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte)
        default: return Array(text)
        }
    }
    let shift = exponent.flatMap { Numeral.whole($0.span, 0..<$0.count) } ?? 0
    let wholeCount = (pointAt ?? digits.count) + shift
    while digits.count > max(1, wholeCount), digits.last == 0x30 { digits.removeLast() }
    result.append(contentsOf: digits.prefix(max(0, wholeCount)))
    result.append(contentsOf: repeatElement(0x30, count: max(0, wholeCount - digits.count)))
    if wholeCount <= 0 { result.append(0x30) }
    if digits.count > wholeCount {
        result.append(UInt8(ascii: "."))
        result.append(contentsOf: repeatElement(0x30, count: max(0, -wholeCount)))
        result.append(contentsOf: digits.dropFirst(max(0, wholeCount)))
    }
    return result
}
