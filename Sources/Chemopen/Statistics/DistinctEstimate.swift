/// An estimate of the number of distinct values, from their hashes (HyperLogLog with Ertl's estimator).
///
/// The standard error is 0.3 %. It needs 128 KiB for any number of values.
struct DistinctEstimate: Sendable {
    private static let bits: UInt64 = 17
    private var registers: [UInt8] = Array(repeating: 0, count: 1 << bits)

    init() {}

    var size: Int { registers.count }

    /// Adds the hash of a value.
    mutating func add(_ hash: UInt64) {
        let register = Int(truncatingIfNeeded: hash >> (64 - Self.bits))
        let rank = UInt8(truncatingIfNeeded: (hash << Self.bits | 1 << (Self.bits - 1)).leadingZeroBitCount + 1)
        if registers[register] < rank { registers[register] = rank }
    }

    mutating func merge(_ other: DistinctEstimate) {
        for index in registers.indices where other.registers[index] > registers[index] {
            registers[index] = other.registers[index]
        }
    }

    /// The estimated number of distinct values.
    var count: Int {
        let last = 64 - Int(Self.bits)
        var multiplicity = Array(repeating: 0.0, count: last + 2)
        for rank in registers { multiplicity[Int(rank)] += 1 }
        let all = Double(registers.count)
        var sum = all * Self.tau(1 - multiplicity[last + 1] / all)
        for rank in (1...last).reversed() { sum = (sum + multiplicity[rank]) / 2 }
        sum += all * Self.sigma(multiplicity[0] / all)
        // The constant is 1 / (2 ln 2).
        let estimate = 0.721_347_520_444_481_7 * all * all / sum
        return estimate.isFinite ? Int(estimate.rounded()) : 0
    }

    private static func sigma(_ start: Double) -> Double {
        if start >= 1 { return .infinity }
        var (x, y, z) = (start, 1.0, start)
        while true {
            x *= x
            let old = z
            z += x * y
            y += y
            if z == old { return z }
        }
    }

    private static func tau(_ start: Double) -> Double {
        if start <= 0 || start >= 1 { return 0 }
        var (x, y, z) = (start, 1.0, 1 - start)
        while true {
            x = x.squareRoot()
            let old = z
            y /= 2
            z -= (1 - x) * (1 - x) * y
            if z == old { return z / 3 }
        }
    }
}
