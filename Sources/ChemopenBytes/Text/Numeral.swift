/// Parsers for numbers in text that do not create a `String`.
///
/// `TenColumns`, `FourPlaces` and `ThreeColumns` parse numbers in fixed columns. Functions with a range require that
/// the number fills it. Functions with a start index stop at the end of the number, and the caller checks the text
/// after it.
@usableFromInline
package enum Numeral {}

// MARK: Integers

extension Numeral {
    /// Returns the integer that fills a range: digits with an optional sign. Returns `nil` if the text is invalid or
    /// the number does not fit into an `Int`.
    @inlinable
    package static func whole(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let end = min(range.upperBound, bytes.count)
        var at = max(range.lowerBound, 0)
        guard at < end else { return nil }
        let isNegative = bytes[at] == Ascii.minus
        if isNegative || bytes[at] == Ascii.plus { at &+= 1 }
        let start = at
        var value: UInt64 = 0
        passDigits(bytes, &at, before: end, &value)
        guard at == end, at > start else { return nil }
        if end &- start > 18 { return longWhole(bytes, start..<end, isNegative: isNegative) }
        return isNegative ? 0 &- Int(value) : Int(value)
    }

    /// Reads one to nine digits and returns their number, or -1 if there are no digits or more than nine. Moves past
    /// ten digits at most.
    @inlinable @inline(__always)
    package static func whole(_ bytes: Span<UInt8>, at: inout Int) -> Int {
        // Most numbers have one or two digits, which are loaded together.
        let word = loadWord(bytes, at: at)
        let first = UInt8(truncatingIfNeeded: word) &- Ascii.zero
        if first <= 9 {
            let second = UInt8(truncatingIfNeeded: word &>> 8) &- Ascii.zero
            if second > 9 {
                at &+= 1
                return Int(first)
            }
            if UInt8(truncatingIfNeeded: word &>> 16) &- Ascii.zero > 9 {
                at &+= 2
                return Int(first) &* 10 &+ Int(second)
            }
        }
        let start = at
        var value: UInt64 = 0
        passDigits(bytes, &at, before: min(bytes.count, start &+ 10), &value)
        return at > start && at &- start <= 9 ? Int(truncatingIfNeeded: value) : -1
    }

    /// Moves past digits and appends them to a number.
    @inlinable @inline(__always)
    static func passDigits(_ bytes: Span<UInt8>, _ at: inout Int, before end: Int, _ value: inout UInt64) {
        while at < end {
            let digit = bytes[at] &- Ascii.zero
            guard digit <= 9 else { return }
            value = value &* 10 &+ UInt64(digit)
            at &+= 1
        }
    }

    @usableFromInline
    static func longWhole(_ bytes: Span<UInt8>, _ digits: Range<Int>, isNegative: Bool) -> Int? {
        var value = 0
        for at in digits {
            let digit = Int(bytes[at] &- Ascii.zero)
            // Counting down from zero also reaches the smallest integer.
            let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, isSumTooLarge) =
                isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            guard !isTooLarge, !isSumTooLarge else { return nil }
            value = next
        }
        return value
    }
}

// MARK: Decimal numbers

extension Numeral {
    /// Returns the decimal number that fills a range, rounded to the nearest double.
    ///
    /// A number has digits and an optional sign, point and exponent: `-1.5`, `.5`, `2.`, `1e-3`. Any other text returns
    /// `nil`, including `nan`, `inf` and numbers beyond the largest double.
    package static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        let range = range.clamped(to: 0..<bytes.count)
        let end = range.upperBound
        guard !range.isEmpty else { return nil }
        let first = bytes[range.lowerBound]
        let isNegative = first == Ascii.minus
        let start = isNegative || first == Ascii.plus ? range.lowerBound &+ 1 : range.lowerBound
        var at = start
        if let value = usual(bytes, &at), at == end { return signed(value, isNegative) }
        at = start
        let spelling = Spelling(bytes, &at, before: end)
        guard spelling.count > 0 else { return nil }
        let endOfDigits = at
        var exponent = 0 &- spelling.decimals
        if at < end {
            guard let power = self.exponent(bytes, at..<end) else { return nil }
            exponent += power
        }
        // Nineteen digits fit into 64 bits. Both operands below are exact, so only this single operation rounds.
        if spelling.count <= 19, spelling.digits <= 1 << 53, -22...22 ~= exponent {
            let power = powersOfTen[abs(exponent)]
            let digits = Double(spelling.digits)
            return signed(exponent <= 0 ? digits / power : digits * power, isNegative)
        }
        return longDecimal(bytes, start..<endOfDigits, exponent, isNegative: isNegative)
    }

    /// Reads a decimal number of up to fifteen digits without a plus sign or an exponent, and returns `nil` for any
    /// other text. Moves past eighteen bytes at most.
    @inlinable @inline(__always)
    package static func decimal(_ bytes: Span<UInt8>, at: inout Int) -> Double? {
        guard at < bytes.count else { return nil }
        let isNegative = bytes[at] == Ascii.minus
        if isNegative { at &+= 1 }
        let start = at
        if let value = usual(bytes, &at) { return signed(value, isNegative) }
        at = start
        return fifteenDigits(bytes, &at).map { signed($0, isNegative) }
    }

    /// Returns the decimal number that is the next token of a text, and moves past the token. Blanks and control
    /// characters delimit tokens.
    package static func decimal(_ bytes: Span<UInt8>, wordAt at: inout Int) -> Double? {
        while at < bytes.count, bytes[at] <= Ascii.blank { at &+= 1 }
        let start = at
        if let value = decimal(bytes, at: &at), at == bytes.count || bytes[at] <= Ascii.blank { return value }
        while at < bytes.count, bytes[at] > Ascii.blank { at &+= 1 }
        return decimal(bytes, start..<at)
    }

    /// The powers of ten that a double represents exactly, to be loaded once before a loop.
    package static let powers: [Double] = (0..<powersOfTen.count).map { powersOfTen[$0] }

    /// Reads a decimal number with one to seven digits before its point and at most seven after it, without a plus sign
    /// or an exponent. Returns `nil` for any other text.
    ///
    /// - Parameter powers: `Numeral.powers`, loaded once before a loop.
    @inlinable @inline(__always)
    package static func usual(_ bytes: Span<UInt8>, at: inout Int, _ powers: Span<Double>) -> Double? {
        let isNegative = bytes[at] == Ascii.minus
        at &+= isNegative ? 1 : 0
        return usual(bytes, &at) { powers[$0] }.map { signed($0, isNegative) }
    }

    @inlinable @inline(__always)
    static func usual(_ bytes: Span<UInt8>, _ at: inout Int) -> Double? {
        usual(bytes, &at) { powersOfTen[$0] }
    }

    /// Reads a number with one to seven digits before its point and at most seven after it, eight bytes at a time.
    @inlinable @inline(__always)
    static func usual(_ bytes: Span<UInt8>, _ at: inout Int, _ power: (Int) -> Double) -> Double? {
        let word = loadWord(bytes, at: at)
        let others = others(in: word)
        let length = others.trailingZeroBitCount &>> 3
        guard 1...7 ~= length else { return nil }
        let bits = UInt64(truncatingIfNeeded: length &* 8)
        if UInt8(truncatingIfNeeded: word &>> bits) != Ascii.point {
            at &+= length
            return Double(length == 1 ? Int(truncatingIfNeeded: word & 0x0F) : number(of: word, digits: length))
        }
        let end = (others & (others &- 1)).trailingZeroBitCount &>> 3
        if end < 8 {
            // All digits fit into one load. The decimal point is removed by a shift of the digits after it.
            let digits = word & ((1 &<< bits) &- 1) | (word &>> (bits &+ 8)) &<< bits
            at &+= end
            return Double(number(of: digits, digits: end &- 1)) / power(end &- length &- 1)
        }
        let tail = loadWord(bytes, at: at &+ length &+ 1)
        let decimals = self.others(in: tail).trailingZeroBitCount &>> 3
        guard 1...7 ~= decimals else { return nil }
        at &+= length &+ decimals &+ 1
        // Both operands are integers below 2^53, so only the quotient is rounded.
        let unit = power(decimals)
        let whole = Double(number(of: word, digits: length))
        return (whole * unit + Double(number(of: tail, digits: decimals))) / unit
    }

    /// Reads a number in any other form. Fifteen digits and a small power of ten are exact, so the single division
    /// rounds once.
    @usableFromInline
    static func fifteenDigits(_ bytes: Span<UInt8>, _ at: inout Int) -> Double? {
        let spelling = Spelling(bytes, &at, before: min(bytes.count, at &+ 17))
        guard 1...15 ~= spelling.count else { return nil }
        return Double(spelling.digits) / powersOfTen[spelling.decimals]
    }

    /// Sets the sign bit without a branch, because processors could not predict it.
    @inlinable @inline(__always)
    package static func signed(_ value: Double, _ isNegative: Bool) -> Double {
        Double(bitPattern: value.bitPattern | (isNegative ? 1 << 63 : 0))
    }

    /// The digits of a number before and after its point.
    private struct Spelling {
        var digits: UInt64 = 0
        var count: Int
        var decimals = 0

        init(_ bytes: Span<UInt8>, _ at: inout Int, before end: Int) {
            let start = at
            passDigits(bytes, &at, before: end, &digits)
            count = at &- start
            guard at < end, bytes[at] == Ascii.point else { return }
            at &+= 1
            let point = at
            passDigits(bytes, &at, before: end, &digits)
            decimals = at &- point
            count &+= decimals
        }
    }

    /// Returns the power of ten after `e` or `E`, or `nil` if the text is not an exponent. Huge exponents are clamped.
    private static func exponent(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Int? {
        var at = text.lowerBound &+ 1
        guard bytes[text.lowerBound] | 0x20 == UInt8(ascii: "e"), at < text.upperBound else { return nil }
        let isNegative = bytes[at] == Ascii.minus
        if isNegative || bytes[at] == Ascii.plus { at &+= 1 }
        guard at < text.upperBound else { return nil }
        var power = 0
        while at < text.upperBound {
            guard Ascii.isDigit(bytes[at]) else { return nil }
            power = min(power * 10 + Int(bytes[at] &- Ascii.zero), 1 << 40)
            at &+= 1
        }
        return isNegative ? -power : power
    }

    /// Returns a number that has too many digits for 64 bits or a large exponent.
    private static func longDecimal(
        _ bytes: Span<UInt8>, _ digits: Range<Int>, _ exponent: Int, isNegative: Bool
    ) -> Double? {
        var text: [UInt8] = isNegative ? [Ascii.minus] : []
        for at in digits where bytes[at] != Ascii.point { text.append(bytes[at]) }
        text.append(contentsOf: "e\(exponent)".utf8)
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}

// MARK: Eight bytes at a time

extension Numeral {
    /// Sets the highest bit of each byte that is not a digit.
    @inlinable @inline(__always)
    static func others(in word: UInt64) -> UInt64 {
        let values = word ^ 0x3030_3030_3030_3030
        return (((values & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
    }

    /// Returns the number formed by the first one to eight bytes. It combines digits to pairs, pairs to groups of four,
    /// and groups to the number.
    @inlinable @inline(__always)
    static func number(of word: UInt64, digits count: Int) -> Int {
        let digits = (word & 0x0F0F_0F0F_0F0F_0F0F) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let pairs = (digits &* 2561) &>> 8
        let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
        let all = ((fours & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
        return Int(truncatingIfNeeded: all)
    }
}

/// The powers of ten that a double represents exactly. This is a fixed-size array because access to a global `[Double]`
/// checks its initialization each time.
@usableFromInline
let powersOfTen: [23 of Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]
