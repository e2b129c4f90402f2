/// A selection of records by number, such as `1-100,205,300-`.
public struct RecordNumbers: Sendable, Hashable {
    private var ranges: [ClosedRange<Int>] = []
    /// The same numbers as separate ranges in ascending order, for fast lookup among thousands of them.
    private var sorted: [ClosedRange<Int>] = []

    /// Parses numbers and ranges, separated by commas. A range may have no upper bound.
    ///
    /// Returns `nil` if the text is invalid.
    public init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }), first > 0 else { return nil }
            let last = ends.count == 1 ? first : ends[1].isEmpty ? Int.max : Int(ends[1])
            guard let last, last >= first else { return nil }
            ranges.append(first...last)
        }
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = sorted.last, range.lowerBound <= last.upperBound {
                sorted[sorted.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                sorted.append(range)
            }
        }
    }

    /// Whether the selection contains a number.
    public func contains(_ number: Int) -> Bool {
        // The number of ranges whose lower bound is at most the number.
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].lowerBound <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 && sorted[low - 1].contains(number)
    }

    /// Returns the part of the selection that starts after a number.
    ///
    /// - Returns: The remaining numbers and ranges, such as `205,300-400`, or an empty string.
    public func beginning(behind number: Int) -> String {
        let beyond = ranges.filter { $0.lowerBound > number }
        let parts = beyond.map { range in
            if range.count == 1 { return "\(range.lowerBound)" }
            return "\(range.lowerBound)-" + (range.upperBound == .max ? "" : "\(range.upperBound)")
        }
        return parts.joined(separator: ",")
    }

    /// The largest selected number. Reading can stop after this record.
    public var last: Int { sorted.last?.upperBound ?? 0 }
}

/// A list of record numbers in ascending order, stored as ranges. Only the first 64 ranges are stored.
public struct RecordRanges: Sendable, Hashable {
    private var ranges: [ClosedRange<Int>] = []
    /// The number of record numbers, including any that are not stored.
    public private(set) var count = 0
    private static let limit = 64
    /// The last number that was added, whether it is stored or not.
    private var last: Int?

    /// Creates an empty list.
    public init() {}

    /// The first number.
    package var first: Int? { ranges.first?.lowerBound }

    /// The complete list in the syntax of `RecordNumbers`, such as `1-3,7`, or `nil` if some numbers were not stored.
    public var list: String? {
        guard ranges.reduce(0, { $0 + $1.count }) == count else { return nil }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    /// Adds a number, which must not be less than the last one.
    public mutating func add(_ number: Int) {
        if number == last { return }
        last = number
        count += 1
        if let end = ranges.last?.upperBound, end + 1 == number {
            ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound...number
        } else if ranges.count < Self.limit {
            ranges.append(number...number)
        }
    }
}

extension RecordRanges: CustomStringConvertible {
    /// The list as text: `record 5`, `records 1, 7 and 9-12`, or `800 records, from 3 on`. Record 0 is the table
    /// header.
    public var description: String {
        if count == 1, let only = ranges.first {
            return only.lowerBound == 0 ? "the table header" : "record \(only.lowerBound)"
        }
        if ranges.count > 8, let first = ranges.first { return "\(count) records, from \(first.lowerBound) on" }
        let parts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        if parts.count == 1 { return "records \(parts[0])" }
        return "records " + parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
    }
}
