/// Returns a finite number with a fixed number of decimals, exactly rounded. Used for numbers that are too large or
/// have too many decimals for 64-bit arithmetic.
func exactFixedText(_ value: Double, decimals: Int) -> [UInt8] {
    var number = BigNatural(significand(value))
    for _ in 0..<decimals { number.multiply(by: 10) }
    let exponent = Int(max(value.exponentBitPattern, 1)) - 1075
    if exponent > 0 { number.shiftLeft(exponent) } else { number.shiftRightRounding(-exponent) }
    var digits = number.decimalDigits()
    let isNegative = value < 0 && digits.contains { $0 != 0x30 }
    if digits.count <= decimals {
        digits.insert(contentsOf: repeatElement(0x30, count: decimals + 1 - digits.count), at: 0)
    }
    if decimals > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - decimals) }
    if isNegative { digits.insert(UInt8(ascii: "-"), at: 0) }
    return digits
}

/// Returns the significand as an integer: the number is this times a power of two.
private func significand(_ value: Double) -> UInt64 {
    value.exponentBitPattern == 0 ? value.significandBitPattern : value.significandBitPattern | 1 << 52
}

/// A natural number of any size, with the operations needed for the digits of a double.
private struct BigNatural {
    /// The digits of 32 bits each, the lowest first.
    private var limbs: [UInt32]

    init(_ value: UInt64) {
        limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    }

    mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            carry += UInt64(limbs[index]) * UInt64(factor)
            limbs[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry > 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
    }

    mutating func shiftLeft(_ bits: Int) {
        for _ in 0..<bits % 32 { multiply(by: 2) }
        limbs.insert(contentsOf: repeatElement(0, count: bits / 32), at: 0)
    }

    /// Divides by a power of two and rounds half to even.
    mutating func shiftRightRounding(_ bits: Int) {
        guard bits > 0 else { return }
        let isHalfOrMore = bit(bits - 1)
        let isMoreThanHalf = isHalfOrMore && (0..<bits - 1).contains { bit($0) }
        limbs.removeFirst(min(bits / 32, limbs.count))
        for index in limbs.indices {
            let upper = index + 1 < limbs.count ? limbs[index + 1] : 0
            let pair = UInt64(upper) << 32 | UInt64(limbs[index])
            limbs[index] = UInt32(truncatingIfNeeded: pair >> UInt64(bits % 32))
        }
        if isMoreThanHalf || (isHalfOrMore && bit(0)) { addOne() }
    }

    private func bit(_ place: Int) -> Bool {
        place / 32 < limbs.count && limbs[place / 32] >> UInt32(place % 32) & 1 == 1
    }

    private mutating func addOne() {
        for index in limbs.indices {
            limbs[index] &+= 1
            if limbs[index] != 0 { return }
        }
        limbs.append(1)
    }

    /// Returns the digits as text without leading zeros, or `0` for zero.
    consuming func decimalDigits() -> [UInt8] {
        var reversed: [UInt8] = []
        var rest = limbs
        while !rest.isEmpty {
            var remainder: UInt64 = 0
            for index in rest.indices.reversed() {
                let part = remainder << 32 | UInt64(rest[index])
                rest[index] = UInt32(truncatingIfNeeded: part / 1_000_000_000)
                remainder = part % 1_000_000_000
            }
            for _ in 0..<9 {
                reversed.append(UInt8(truncatingIfNeeded: remainder % 10) | 0x30)
                remainder /= 10
            }
            while rest.last == 0 { rest.removeLast() }
        }
        while reversed.last == 0x30 { reversed.removeLast() }
        return reversed.isEmpty ? [0x30] : reversed.reversed()
    }
}
