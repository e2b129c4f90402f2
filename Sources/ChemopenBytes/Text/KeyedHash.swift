/// A hash function for bytes with unpredictable results: each instance has its own random key.
///
/// It multiplies 64-bit pairs to 128 bits and folds the result.
package struct KeyedHash: Sendable {
    private let key: SIMD2<UInt64>

    package init() {
        var random = SystemRandomNumberGenerator()
        key = SIMD2(random.next(), random.next() | 1)
    }

    package func callAsFunction(_ bytes: borrowing Span<UInt8>) -> UInt64 {
        var state = key.x
        var index = 0
        while index &+ 16 <= bytes.count {
            state = fold(loadWords(bytes, at: index), state)
            index &+= 16
        }
        var rest = SIMD2<UInt64>()
        for place in index..<bytes.count {
            let half = (place &- index) / 8
            rest[half] |= UInt64(bytes[place]) << UInt64(truncatingIfNeeded: (place & 7) &* 8)
        }
        return fold(SIMD2(UInt64(truncatingIfNeeded: bytes.count), key.y), fold(rest, state))
    }

    @inline(__always)
    private func fold(_ words: SIMD2<UInt64>, _ state: UInt64) -> UInt64 {
        let (high, low) = (words.x ^ key.y).multipliedFullWidth(by: words.y ^ state)
        return high ^ low
    }
}
