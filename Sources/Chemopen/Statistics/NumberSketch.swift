/// The distribution of many numbers in a fixed amount of memory.
///
/// Neighboring numbers share an entry. No entry with different numbers has more than 0.05 % of them, so a rank is
/// exact to about that.
struct NumberSketch: Sendable {
    struct Entry: Sendable {
        var low: Double
        var high: Double
        var count: Int

        var middle: Double { low / 2 + high / 2 }
    }

    private static let limit = 4096
    /// The entries in ascending order of their lowest numbers.
    private var entries: [Entry] = []
    /// Further entries in any order.
    private var pending: [Entry] = []
    private(set) var count = 0

    init() {}

    static let size = 3 * limit * MemoryLayout<Entry>.stride

    mutating func add(_ number: Double, times: Int = 1) { add(Entry(low: number, high: number, count: times)) }

    mutating func merge(_ other: NumberSketch) {
        for entry in other.entries { add(entry) }
        for entry in other.pending { add(entry) }
    }

    private mutating func add(_ entry: Entry) {
        count += entry.count
        pending.append(entry)
        if pending.count >= Self.limit { settle() }
    }

    /// Merges the pending entries with the others, and combines neighbors with few numbers.
    private mutating func settle() {
        var all = entries + pending
        all.sort { $0.low == $1.low ? $0.high < $1.high : $0.low < $1.low }
        entries.removeAll(keepingCapacity: true)
        pending.removeAll(keepingCapacity: true)
        let most = max(1, 2 * count / Self.limit)
        for entry in all {
            guard let last = entries.last else {
                entries.append(entry)
                continue
            }
            let isSame = last.low == last.high && last.low == entry.low && entry.low == entry.high
            if isSame || last.count + entry.count <= most {
                entries[entries.count - 1].count += entry.count
                entries[entries.count - 1].high = max(last.high, entry.high)
            } else {
                entries.append(entry)
            }
        }
    }

    /// Returns all entries in ascending order.
    func settled() -> [Entry] {
        var copy = self
        copy.settle()
        return copy.entries
    }

    /// Returns the median of entries in ascending order.
    static func median(_ entries: [Entry], count: Int) -> Double {
        var before = 0
        for entry in entries {
            if (before + entry.count) * 2 >= count {
                if entry.low == entry.high { return entry.low }
                let part = (Double(count) / 2 - Double(before)) / Double(entry.count)
                return entry.low * (1 - part) + entry.high * part
            }
            before += entry.count
        }
        return entries.last?.high ?? 0
    }
}
