/// A table that counts values by their 64-bit keys, such as hashes or bit patterns of numbers, or a set of such keys,
/// which uses little more memory than the keys.
struct CountTable: Sendable {
    /// The keys, increased by one. Zero is an empty slot.
    private var keys: [UInt64] = []
    /// The counts by slot; empty in a set.
    private var counts: [UInt32] = []
    private let isSet: Bool
    /// The number of distinct keys.
    private(set) var count = 0
    private var shift: UInt64 = 64

    /// An unpredictable factor, so that no file can be made to fill neighboring slots.
    private static let factor = UInt64.random(in: 0 ... .max) | 1

    /// Creates an empty table.
    ///
    /// - Parameter isSet: Whether to store only the keys. The count of a key is then 1 or, if it is not new, 2.
    init(isSet: Bool = false) {
        self.isSet = isSet
    }

    /// The number of bytes in use.
    var size: Int { keys.count * 8 + counts.count * 4 }

    /// Adds a key. Returns how often it was added until now. The largest key, which no finite number has, is treated
    /// as the second largest.
    @discardableResult
    mutating func add(_ key: UInt64, times: UInt32 = 1) -> UInt32 {
        if count &* 4 >= keys.count &* 3 { grow() }
        let key = min(key, .max &- 1) &+ 1
        let slot = slot(of: key)
        let isNew = keys[slot] == 0
        if isNew {
            keys[slot] = key
            count += 1
        }
        if isSet { return isNew ? 1 : 2 }
        let (sum, isTooLarge) = counts[slot].addingReportingOverflow(times)
        counts[slot] = isTooLarge ? .max : sum
        return counts[slot]
    }

    /// Returns the slot that contains a key, or the empty one for it.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: (key &* Self.factor) &>> shift)
        while keys[slot] != 0, keys[slot] != key { slot = (slot &+ 1) & (keys.count &- 1) }
        return slot
    }

    private mutating func grow() {
        let old = self
        let size = max(16, keys.count * 2)
        keys = Array(repeating: 0, count: size)
        if !isSet { counts = Array(repeating: 0, count: size) }
        shift = 64 - UInt64(size.trailingZeroBitCount)
        count = 0
        old.visit { add($0, times: $1) }
    }

    func visit(_ body: (_ key: UInt64, _ times: UInt32) -> Void) {
        for slot in keys.indices where keys[slot] != 0 { body(keys[slot] &- 1, isSet ? 1 : counts[slot]) }
    }

    /// Returns how often a key was added.
    func times(_ key: UInt64) -> UInt32 { keys.isEmpty ? 0 : counts[slot(of: min(key, .max &- 1) &+ 1)] }
}
