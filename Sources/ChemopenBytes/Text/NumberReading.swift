// Text as numbers, read from bytes without a `String` between.

/// The whole number written in `range`: digits with an optional sign. Nil when it is none, or too large for an `Int`.
package func parseInteger(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    let end = min(range.upperBound, bytes.count)
    var at = max(range.lowerBound, 0)
    guard at < end else { return nil }
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative || bytes[at] == UInt8(ascii: "+") { at &+= 1 }
    guard at < end else { return nil }
    var value = 0
    while at < end {
        let digit = bytes[at] &- 0x30
        guard digit < 10 else { return nil }
        let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
        // Counting downwards from zero reaches the least integer as well.
        let (next, overflowOfSum) =
            isNegative
            ? tenfold.subtractingReportingOverflow(Int(digit)) : tenfold.addingReportingOverflow(Int(digit))
        guard !overflow, !overflowOfSum else { return nil }
        value = next
        at &+= 1
    }
    return value
}

/// The decimal number written in `range`, rounded to the nearest double.
///
/// Digits with an optional sign, point and exponent: `-1.5`, `.5`, `2.`, `1e-3`. Nil for everything else, `nan`, `inf`
/// and numbers beyond the largest double included.
package func parseDouble(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    let text = bytes.extracting(range.clamped(to: 0..<bytes.count))
    guard let first = text.isEmpty ? nil : text[0] else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    let start = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    var at = start
    var digits: UInt64 = 0
    passDigits(text, &at, &digits)
    var digitCount = at &- start
    var exponent = 0
    if at < text.count, text[at] == UInt8(ascii: ".") {
        at &+= 1
        let point = at
        passDigits(text, &at, &digits)
        exponent = point &- at
        digitCount &-= exponent
    }
    guard digitCount > 0 else { return nil }
    let endOfDigits = at
    if at < text.count {
        guard let power = parseExponent(text, at, text.count) else { return nil }
        exponent += power
    }
    // Nineteen digits fit; both factors below are exact, so that the one operation rounds once.
    if digitCount <= 19, digits <= 1 << 53, -22...22 ~= exponent {
        let power = powersOfTen[abs(exponent)]
        let value = exponent <= 0 ? Double(digits) / power : Double(digits) * power
        // The sign bit is set without a branch, which no processor could foresee.
        return Double(bitPattern: value.bitPattern | (isNegative ? 1 << 63 : 0))
    }
    return parseLongDouble(text, start..<endOfDigits, exponent, isNegative: isNegative)
}

/// The decimal number that the next word of a text is, as the other `parseDouble` reads it; what stands up to a blank is
/// a word. Moves behind the word where it is a number.
package func parseDouble(_ bytes: Span<UInt8>, wordAt at: inout Int) -> Double? {
    while at < bytes.count, bytes[at] <= 0x20 { at &+= 1 }
    let start = at
    let isNegative = start < bytes.count && bytes[start] == UInt8(ascii: "-")
    var place = isNegative ? start &+ 1 : start
    var length = 0 &- place
    var digits: UInt64 = 0
    passDigits(bytes, &place, &digits)
    length &+= place
    var fraction = 0
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
        place &+= 1
        fraction = place
        passDigits(bytes, &place, &digits)
        fraction = place &- fraction
        length &+= fraction
    }
    // Fifteen digits and a small power of ten are exact, so that the one division rounds once.
    if 1...15 ~= length, place == bytes.count || bytes[place] <= 0x20 {
        at = place
        let value = Double(digits) / powersOfTen[fraction]
        return Double(bitPattern: value.bitPattern | (isNegative ? 1 << 63 : 0))
    }
    while place < bytes.count, bytes[place] > 0x20 { place &+= 1 }
    at = place
    return parseDouble(bytes, start..<place)
}

/// Passes digits, which continue a number.
@inline(__always)
private func passDigits(_ bytes: Span<UInt8>, _ at: inout Int, _ digits: inout UInt64) {
    while at < bytes.count {
        let digit = bytes[at] &- 0x30
        guard digit < 10 else { return }
        digits = digits &* 10 &+ UInt64(digit)
        at &+= 1
    }
}

/// The power of ten that `e` or `E` announces; nil when the text is no exponent. A huge one is cut to what matters.
private func parseExponent(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    guard bytes[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var at = start + 1
    guard at < end else { return nil }
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }
    guard at < end else { return nil }
    var power = 0
    while at < end {
        let digit = bytes[at] &- 0x30
        guard digit < 10 else { return nil }
        power = min(power * 10 + Int(digit), 1 << 40)
        at += 1
    }
    return isNegative ? -power : power
}

/// Reads a number with too many digits for a machine word, or far from 1.
private func parseLongDouble(
    _ bytes: Span<UInt8>, _ digits: Range<Int>, _ exponent: Int, isNegative: Bool
) -> Double? {
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    for at in digits where bytes[at] != UInt8(ascii: ".") { text.append(bytes[at]) }
    text.append(contentsOf: "e\(exponent)".utf8)
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    return value
}

/// The powers of ten that a double holds exactly.
let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]

/// The number that four digits make, each given by its value, the first lowest.
@inline(__always)
package func fourDigits(_ digits: UInt64) -> UInt64? {
    if (digits &+ 0x7676_7676) & 0x8080_8080 | digits & 0xF0F0_F0F0 != 0 { return nil }
    let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF
    return (pairs &* 100 &+ (pairs >> 16)) & 0xFFFF
}
