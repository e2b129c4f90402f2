// Numbers as text, appended without a `String` between.

extension [UInt8] {
    /// Appends a whole number.
    package mutating func appendDecimal(_ value: Int) {
        appendDigits(value.magnitude, isNegative: value < 0, width: 0)
    }

    /// Appends a whole number with blanks in front of it up to `width`; a wider one is written whole.
    package mutating func appendPadded(_ value: Int, width: Int) {
        appendDigits(value.magnitude, isNegative: value < 0, width: width)
    }

    fileprivate mutating func appendDigits(_ magnitude: UInt, isNegative: Bool, width: Int) {
        let digits = countOfDigits(UInt64(magnitude))
        let count = Swift.max(digits &+ (isNegative ? 1 : 0), Swift.min(width, 1024))
        append(addingCapacity: count) { output in
            output.append(repeating: UInt8(ascii: " "), count: count)
            var text = output.mutableSpan
            var rest = magnitude
            var at = count
            repeat {
                at &-= 1
                text[at] = UInt8(truncatingIfNeeded: rest % 10) | 0x30
                rest /= 10
            } while rest > 0
            if isNegative { text[at &- 1] = UInt8(ascii: "-") }
        }
    }

    /// Appends the bytes of a literal.
    package mutating func append(_ text: StaticString) { append(contentsOf: String(describing: text).utf8) }

    package mutating func appendHex(_ value: UInt64) { append(contentsOf: String(value, radix: 16).utf8) }

    package mutating func appendFixed(_ value: Double, decimals: Int, width: Int) { appendDecimal(Int(value)) }

    package mutating func appendShortest(_ value: Double) { append(contentsOf: value.description.utf8) }
}

func countOfDigits(_ value: UInt64) -> Int {
    var count = 1
    var limit: UInt64 = 10
    while value >= limit && count < 20 {
        count += 1
        let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
        limit = overflow ? .max : next
    }
    return count
}

package func parseDouble(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? { nil }
package func parseInteger(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? { nil }
