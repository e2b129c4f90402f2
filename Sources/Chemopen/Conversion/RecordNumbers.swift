/// A choice of records by number: `1-100,205,300-`.
public struct RecordNumbers: Sendable, Hashable {
    private var ranges: [ClosedRange<Int>] = []

    /// Reads numbers and ranges, separated by commas; a range may lack its end. `nil` for anything else.
    public init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }), first > 0 else { return nil }
            let last = ends.count == 1 ? first : ends[1].isEmpty ? Int.max : Int(ends[1])
            guard let last, last >= first else { return nil }
            ranges.append(first...last)
        }
    }

    /// Whether a number is among them.
    public func contains(_ number: Int) -> Bool {
        ranges.contains { $0.contains(number) }
    }

    /// The choice that follows a number: `205`, `300-400`; empty where there is nothing.
    public func beginning(behind number: Int) -> String {
        let beyond = ranges.filter { $0.lowerBound > number }
        let parts = beyond.map { range in
            if range.count == 1 { return "\(range.lowerBound)" }
            return "\(range.lowerBound)-" + (range.upperBound == .max ? "" : "\(range.upperBound)")
        }
        return parts.joined(separator: ",")
    }

    /// The last number; there is no need to read on behind it.
    public var last: Int { ranges.map(\.upperBound).max() ?? 0 }
}

/// Numbers of records in rising order, as ranges; as many as are worth telling.
public struct RecordRanges: Sendable, Hashable {
    private var ranges: [ClosedRange<Int>] = []
    /// How many numbers there are, told or not.
    public private(set) var count = 0
    private static let limit = 64
    /// The number that was added last, kept or not.
    private var last: Int?

    /// No numbers.
    public init() {}

    /// The first number.
    package var first: Int? { ranges.first?.lowerBound }

    /// All of them as `RecordNumbers` takes them, `1-3,7`; nothing where they are too many to be kept.
    public var list: String? {
        guard ranges.reduce(0, { $0 + $1.count }) == count else { return nil }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    /// Adds a number that is not below the last one.
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
    /// `record 5`, `records 1, 7 and 9-12`, `800 records, from 3 on`; 0 is the head of a table.
    public var description: String {
        if count == 1, let only = ranges.first {
            return only.lowerBound == 0 ? "the head of the table" : "record \(only.lowerBound)"
        }
        if ranges.count > 8, let first = ranges.first { return "\(count) records, from \(first.lowerBound) on" }
        let parts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        if parts.count == 1 { return "records \(parts[0])" }
        return "records " + parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
    }
}
