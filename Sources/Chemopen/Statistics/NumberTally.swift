/// A tally of numbers: exact for a limited number of distinct values, estimated beyond.
struct NumberTally: Sendable {
    private(set) var count = 0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    private var table = CountTable()
    private var estimate: (distinct: DistinctEstimate, sketch: NumberSketch)?

    init() {}

    var isExact: Bool { estimate == nil }

    var size: Int { estimate.map { $0.distinct.size + NumberSketch.size } ?? table.size }

    var distinct: Int { estimate?.distinct.count ?? table.count }

    mutating func add(_ number: Double) { add(number, times: 1) }

    private mutating func add(_ number: Double, times: UInt32) {
        // Negative zero equals zero.
        let number = number + 0
        count += Int(times)
        minimum = min(minimum, number)
        maximum = max(maximum, number)
        if estimate != nil {
            estimate?.distinct.add(Self.hash(number))
            estimate?.sketch.add(number, times: Int(times))
        } else {
            table.add(number.bitPattern, times: times)
            if table.count > FieldStatistics.exactLimit { makeEstimate() }
        }
    }

    /// Replaces the table of values with estimates.
    mutating func makeEstimate() {
        if estimate != nil { return }
        var (distinct, sketch) = (DistinctEstimate(), NumberSketch())
        table.visit { key, times in
            distinct.add(Self.hash(Double(bitPattern: key)))
            sketch.add(Double(bitPattern: key), times: Int(times))
        }
        estimate = (distinct, sketch)
        table = CountTable()
    }

    mutating func merge(_ other: NumberTally) {
        if other.count == 0 { return }
        guard let theirs = other.estimate else {
            other.table.visit { add(Double(bitPattern: $0), times: $1) }
            return
        }
        makeEstimate()
        estimate?.distinct.merge(theirs.distinct)
        estimate?.sketch.merge(theirs.sketch)
        count += other.count
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
    }

    /// Spreads the bits of a number over all bits of a hash.
    private static func hash(_ number: Double) -> UInt64 {
        var bits = number.bitPattern &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    // MARK: Results

    /// The values with their counts, in ascending order.
    private var entries: [NumberSketch.Entry] {
        if let estimate { return estimate.sketch.settled() }
        var entries: [NumberSketch.Entry] = []
        entries.reserveCapacity(table.count)
        table.visit { key, times in
            let number = Double(bitPattern: key)
            entries.append(NumberSketch.Entry(low: number, high: number, count: Int(times)))
        }
        entries.sort { $0.low < $1.low }
        return entries
    }

    /// The median and the histogram, or `nil` if there are no numbers.
    ///
    /// - Parameter areWhole: Whether all numbers are integers, which get a bin each if there are few.
    func distribution(areWhole: Bool) -> (median: Double, histogram: FieldHistogram)? {
        if count == 0 { return nil }
        let entries = entries
        let median = isExact ? exactMedian(entries) : NumberSketch.median(entries, count: count)
        return (median, FieldHistogram(entries, from: minimum, to: maximum, median: median, areWhole: areWhole))
    }

    /// Returns the middle value, or the mean of the two middle values.
    private func exactMedian(_ entries: [NumberSketch.Entry]) -> Double {
        let (lower, upper) = ((count - 1) / 2, count / 2)
        var before = 0
        var low: Double?
        for entry in entries {
            before += entry.count
            if low == nil, before > lower { low = entry.low }
            if before > upper { return low.map { $0 == entry.low ? $0 : $0 / 2 + entry.low / 2 } ?? entry.low }
        }
        return entries.last?.low ?? 0
    }

    /// The most frequent values, or an empty array if they are not known.
    func mostFrequent(_ limit: Int) -> [(number: Double, count: Int)] {
        let entries = isExact ? entries : entries.filter { $0.low == $0.high }
        let sorted = entries.sorted { $0.count == $1.count ? $0.low < $1.low : $0.count > $1.count }
        return sorted.prefix(limit).map { ($0.low, $0.count) }
    }
}
