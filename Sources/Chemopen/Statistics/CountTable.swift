/// A table that counts values by their 64-bit keys, such as hashes or bit patterns.
struct CountTable: Sendable {
    /// The keys and their counts. A slot with a count of zero is empty.
    private var keys: [UInt64] = []
    private var counts: [UInt32] = []
    /// The number of distinct keys.
    private(set) var count = 0
    private var shift: UInt64 = 64

    /// An unpredictable factor, so that no file can be made to fill neighboring slots.
    private static let factor = UInt64.random(in: 0 ... .max) | 1

    init() {}

    /// The number of bytes in use.
    var size: Int { keys.count * 12 }

    /// Adds a key. Returns how often it was added until now.
    @discardableResult
    mutating func add(_ key: UInt64, times: UInt32 = 1) -> UInt32 {
        if count &* 4 >= keys.count &* 3 { grow() }
        let mask = keys.count &- 1
        var slot = Int(truncatingIfNeeded: (key &* Self.factor) &>> shift)
        while counts[slot] > 0 {
            if keys[slot] == key {
                let (sum, isTooLarge) = counts[slot].addingReportingOverflow(times)
                counts[slot] = isTooLarge ? .max : sum
                return counts[slot]
            }
            slot = (slot &+ 1) & mask
        }
        (keys[slot], counts[slot]) = (key, times)
        count += 1
        return times
    }

    private mutating func grow() {
        let old = self
        let size = max(16, keys.count * 2)
        keys = Array(repeating: 0, count: size)
        counts = Array(repeating: 0, count: size)
        shift = 64 - UInt64(size.trailingZeroBitCount)
        count = 0
        old.visit { add($0, times: $1) }
    }

    func visit(_ body: (_ key: UInt64, _ times: UInt32) -> Void) {
        for slot in keys.indices where counts[slot] > 0 { body(keys[slot], counts[slot]) }
    }

    /// Returns how often a key was added.
    func times(_ key: UInt64) -> UInt32 {
        if keys.isEmpty { return 0 }
        var slot = Int(truncatingIfNeeded: (key &* Self.factor) &>> shift)
        while counts[slot] > 0 {
            if keys[slot] == key { return counts[slot] }
            slot = (slot &+ 1) & (keys.count &- 1)
        }
        return 0
    }
}

/// A set of 64-bit keys that uses little more memory than the keys.
struct KeySet: Sendable {
    private var keys: [UInt64] = []
    private(set) var count = 0
    private var shift: UInt64 = 64
    private static let factor = UInt64.random(in: 0 ... .max) | 1

    init() {}

    /// Adds a key. Returns whether it is new. Zero is treated as one.
    mutating func insert(_ key: UInt64) -> Bool {
        if count &* 4 >= keys.count &* 3 { grow() }
        let key = max(1, key)
        var slot = Int(truncatingIfNeeded: (key &* Self.factor) &>> shift)
        while keys[slot] != 0 {
            if keys[slot] == key { return false }
            slot = (slot &+ 1) & (keys.count &- 1)
        }
        keys[slot] = key
        count += 1
        return true
    }

    private mutating func grow() {
        let old = keys
        let size = max(16, old.count * 2)
        keys = Array(repeating: 0, count: size)
        shift = 64 - UInt64(size.trailingZeroBitCount)
        count = 0
        for key in old where key != 0 { _ = insert(key) }
    }
}
