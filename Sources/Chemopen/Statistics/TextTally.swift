/// A tally of texts: exact for a limited number of distinct values, estimated beyond.
struct TextTally: Sendable {
    private(set) var count = 0
    /// The first and the last value in the order of their bytes.
    private(set) var least: [UInt8] = []
    private(set) var greatest: [UInt8] = []
    private var table = CountTable()
    private var estimate: DistinctEstimate?
    /// The values that occurred at least `threshold` times, by their hashes.
    private var texts: [UInt64: [UInt8]] = [:]
    private var textSize = 0
    private var threshold: UInt32 = 1
    /// The counts of the values in `texts`, after the table was replaced by an estimate.
    private var counts: [UInt64: Int] = [:]

    private static let hash = KeyedHash()
    /// The maximum size of `texts`, and of each text in it.
    private static let mostText = 32 * 1024
    private static let longestText = 200

    init() {}

    var isExact: Bool { estimate == nil }

    var size: Int { (estimate?.size ?? table.size) + textSize }

    var distinct: Int { estimate?.count ?? table.count }

    mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) {
        let value = bytes.extracting(range)
        if count == 0 || Self.isLess(value, least.span) {
            least = Self.start(of: value)
        }
        if count == 0 || Self.isLess(greatest.span, value) {
            greatest = Self.start(of: value)
        }
        count += 1
        let key = Self.hash(value)
        if estimate != nil {
            estimate?.add(key)
            if let times = counts[key] { counts[key] = times + 1 }
            return
        }
        if table.add(key) == threshold { remember(key, Self.start(of: value)) }
        if table.count > FieldStatistics.exactLimit { makeEstimate() }
    }

    private static func start(of value: Span<UInt8>) -> [UInt8] {
        value.bytes(0..<min(value.count, longestText))
    }

    private mutating func remember(_ key: UInt64, _ text: [UInt8]) {
        texts[key] = text
        textSize += text.count + 64
        while textSize > Self.mostText {
            // The rarer half of the values is not among the most frequent ones.
            threshold = threshold < .max / 2 ? threshold * 2 : .max
            texts = texts.filter { table.times($0.key) >= threshold }
            textSize = texts.reduce(0) { $0 + $1.value.count + 64 }
            if threshold == .max { break }
        }
    }

    /// Replaces the table of values with an estimate.
    mutating func makeEstimate() {
        if estimate != nil { return }
        var distinct = DistinctEstimate()
        table.visit { key, _ in distinct.add(key) }
        for key in texts.keys { counts[key] = Int(table.times(key)) }
        estimate = distinct
        table = CountTable()
    }

    mutating func merge(_ other: TextTally) {
        if other.count == 0 { return }
        if count == 0 {
            self = other
            return
        }
        if other.least.lexicographicallyPrecedes(least) { least = other.least }
        if greatest.lexicographicallyPrecedes(other.greatest) { greatest = other.greatest }
        count += other.count
        guard estimate == nil, other.estimate == nil else {
            var other = other
            makeEstimate()
            other.makeEstimate()
            if let distinct = other.estimate { estimate?.merge(distinct) }
            for (key, times) in other.counts { counts[key, default: 0] += times }
            texts.merge(other.texts) { mine, _ in mine }
            return
        }
        other.table.visit { key, times in
            let sum = table.add(key, times: times)
            guard sum >= threshold, texts[key] == nil, let text = other.texts[key] else { return }
            remember(key, text)
        }
        if table.count > FieldStatistics.exactLimit { makeEstimate() }
    }

    /// Compares the first bytes of two texts.
    private static func isLess(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        let count = min(one.count, other.count, longestText)
        for index in 0..<count where one[index] != other[index] { return one[index] < other[index] }
        return min(one.count, longestText) < min(other.count, longestText)
    }

    /// The most frequent values.
    func mostFrequent(_ limit: Int) -> [(text: [UInt8], count: Int)] {
        let all = texts.map { key, text in (text: text, count: isExact ? Int(table.times(key)) : counts[key] ?? 0) }
        return Array(
            all.sorted { $0.count == $1.count ? $0.text.lexicographicallyPrecedes($1.text) : $0.count > $1.count }
                .prefix(limit))
    }
}
