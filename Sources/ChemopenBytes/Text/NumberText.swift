// Whole numbers and literals as text, appended to bytes without a `String` between.

extension [UInt8] {
    /// Appends a whole number.
    package mutating func appendDecimal(_ value: Int) {
        if 0..<10 ~= value {
            append(UInt8(truncatingIfNeeded: value) | 0x30)
        } else {
            appendPlaces(UInt64(value.magnitude), decimals: 0, isNegative: value < 0, width: 0)
        }
    }

    /// Appends a whole number with blanks in front of it up to `width`; a wider one is written whole.
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

    /// Appends a number in hexadecimal, with zeros in front of it up to `width`.
    package mutating func appendHex(_ value: UInt64, width: Int = 1) {
        let digits = (64 - (value | 1).leadingZeroBitCount + 3) / 4
        let count = Swift.max(digits, Swift.min(width, longestWidth))
        for place in (0..<count).reversed() {
            let digit = place < 16 ? UInt8(truncatingIfNeeded: value >> UInt64(place * 4)) & 15 : 0
            append(digit < 10 ? digit | 0x30 : digit &+ 0x57)
        }
    }

    /// Appends `scaled` with its last `decimals` digits behind a point, and blanks in front up to `width`.
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

/// Wider columns than any format has are cut to this.
let longestWidth = 1024

/// How many decimal digits the number has; zero has one.
private func digitCount(_ value: UInt64) -> Int {
    let bits = 64 &- (value | 1).leadingZeroBitCount
    // 1233 / 4096 is a little more than the decimal logarithm of 2.
    let estimate = (bits &* 1233) >> 12
    return estimate &+ (value >= digitLimits[estimate] ? 1 : 0)
}

/// The least number that has one digit more than its index; zero counts as a number of one digit.
private let digitLimits: [UInt64] = [
    0, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]
