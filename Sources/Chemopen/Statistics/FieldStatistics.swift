/// Statistics about the data fields of records: how many have a value, its type, the distinct values, the smallest, the
/// largest and the middle one, and their distribution.
///
///     var statistics = FieldStatistics()
///     while try stream.read(into: &record) { statistics.take(record) }
///     for field in statistics.fields { print(field.name, field.kind, field.distinct, field.filled) }
///
/// They are exact for up to `exactLimit` distinct values in each field. Beyond, the number of distinct values and the
/// distribution are estimates, and `FieldSummary.isExact` is `false`. The same applies to the fields with the most
/// distinct values if all fields together would need more than 32 MiB of memory.
public struct FieldStatistics: Sendable {
    /// The largest number of distinct values of a field for which its statistics are exact.
    public static let exactLimit = 100_000

    /// The largest number of fields. The values of further fields are only counted.
    public static let mostFields = 1024

    /// The number of records.
    public private(set) var records = 0
    /// The number of values in fields beyond the first `mostFields`.
    public private(set) var valuesOfOtherFields = 0
    private var tallies: [FieldTally] = []
    private var places: [Text: Int] = [:]
    /// The columns of the last record, and the index of the tally of each, or -1.
    private var known: [Column] = []
    private var targets: [Int] = []

    /// The memory for exact statistics of all fields.
    private static let budget = 32 << 20

    /// Creates empty statistics.
    public init() {}

    /// Adds the fields of a record.
    public mutating func take(_ record: borrowing Record) {
        beginRecord()
        let fields = record.fields
        if fields.entries.isEmpty { return }
        // Within a file, the columns are the same array, which is compared quickly.
        if fields.columns != known { learn(fields.columns) }
        let bytes = fields.bytes.span
        for (place, entry) in fields.entries.enumerated() {
            let target = targets[Int(entry.column)]
            guard target >= 0 else {
                valuesOfOtherFields += 1
                continue
            }
            if !fields.structures.isEmpty, !fields.structures.notes(of: place).isEmpty {
                tallies[target].addStructure(record: records)
            } else {
                tallies[target].add(entry.valueRange, of: bytes, record: records)
            }
        }
    }

    /// Begins a record whose values are added one by one.
    public mutating func beginRecord() {
        records += 1
        if records & 255 == 0 { limitMemory() }
    }

    /// Adds a value to the current record.
    public mutating func add(_ value: Text, to name: Text) {
        let target = place(of: name)
        guard target >= 0 else {
            valuesOfOtherFields += 1
            return
        }
        tallies[target].add(0..<value.bytes.count, of: value.bytes.span, record: records)
    }

    /// Adds the statistics of other records, such as those of another part of the file.
    public mutating func merge(_ other: FieldStatistics) {
        records += other.records
        valuesOfOtherFields += other.valuesOfOtherFields
        for tally in other.tallies {
            let target = place(of: tally.name)
            if target >= 0 { tallies[target].merge(tally) } else { valuesOfOtherFields += tally.values }
        }
        limitMemory()
    }

    private mutating func learn(_ columns: [Column]) {
        if !columns.starts(with: known) { targets = [] }
        for column in columns[targets.count...] { targets.append(place(of: column.name)) }
        known = columns
    }

    private mutating func place(of name: Text) -> Int {
        if let place = places[name] { return place }
        guard tallies.count < Self.mostFields else { return -1 }
        places[name] = tallies.count
        tallies.append(FieldTally(name))
        return tallies.count - 1
    }

    /// Replaces the largest exact tallies by estimates if all of them need too much memory.
    private mutating func limitMemory() {
        var size = tallies.reduce(0) { $0 + $1.exactSize }
        while size > Self.budget {
            guard let largest = tallies.indices.max(by: { tallies[$0].exactSize < tallies[$1].exactSize }) else {
                return
            }
            size -= tallies[largest].exactSize
            tallies[largest].makeEstimate()
        }
    }

    // MARK: Results

    /// The statistics of each field, in the order of the first occurrences.
    public var fields: [FieldSummary] { tallies.map { FieldSummary($0) } }

    /// The names of the fields, in the order of their first occurrences.
    public var names: [Text] { tallies.map(\.name) }

    /// Returns the statistics of a field, or `nil` if no record has it.
    public func summary(of name: Text) -> FieldSummary? { places[name].map { FieldSummary(tallies[$0]) } }
}
