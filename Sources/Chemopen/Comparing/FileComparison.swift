/// A difference between two files in one record.
public struct RecordDifference: Sendable {
    /// The kind of difference.
    public enum Kind: String, Sendable {
        /// The record is only in the first file.
        case deleted
        /// The record is only in the second file.
        case inserted
        /// The record is at a different position in the second file.
        case moved
        /// The content of the record differs.
        case changed
    }

    /// The kind of difference.
    public let kind: Kind
    /// The record's number in the first file, from 1, or `nil` if it is only in the second.
    public let first: Int?
    /// The record's number in the second file, from 1, or `nil` if it is only in the first.
    public let second: Int?
    /// The record's title, or its formula if it has no title.
    public let name: String
    /// The differences in the content of a changed record.
    public let differences: [Difference]
    /// The record in the first file, or `nil` if it does not exist or is unreadable.
    public let before: Record?
    /// The record in the second file, or `nil` if it does not exist or is unreadable.
    public let after: Record?

    init(
        kind: Kind, first: Int?, second: Int?, name: String, differences: [Difference], before: Record? = nil,
        after: Record? = nil
    ) {
        (self.kind, self.first, self.second, self.name) = (kind, first, second, name)
        (self.differences, self.before, self.after) = (differences, before, after)
    }
}

/// A comparison of two files, record by record, regardless of the positions of the records.
///
/// Records are matched by the specified field. By default, the first of these keys that identifies each record in both
/// files is used: the title, a field, or the bytes. Only a few numbers for each record are stored in memory.
///
///     let files = try FileComparison("before.sdf", "after.sdf")
///     try files.compare { print($0.kind, $0.name, $0.differences) }
public struct FileComparison: Sendable {
    private var (first, second): (RereadFile, RereadFile)
    /// The comparison for two records.
    public var comparison = Comparison()
    /// The field that identifies a record, or `title`. By default it is chosen automatically.
    public var key: Text?
    /// The numbers of the records to report in each file, or `nil` to report all and the table header.
    private var told: (first: Set<Int>, second: Set<Int>)?

    /// Creates a comparison of two files in the specified or the detected formats.
    ///
    /// - Throws: `ReadError` if a file cannot be opened or its format is unknown.
    public init(
        _ first: LocalPath, _ second: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        try self.init(Source(first), Source(second), as: format, options)
    }

    /// Creates a comparison of two sources in the specified or the detected formats.
    ///
    /// - Throws: `ReadError` if a source cannot be opened or its format is unknown.
    public init(
        _ first: Source, _ second: Source, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        (self.first, self.second) = (
            try RereadFile(first, as: format, options), try RereadFile(second, as: format, options)
        )
    }

    /// Compares the files in the order of their records. Changes of records that have also moved are reported last.
    ///
    /// - Parameter refuse: Receives each unreadable record. Its bytes are still compared.
    /// - Parameter tell: Receives each difference.
    /// - Throws: `ReadError` if a file cannot be read or no record has the specified key.
    public func compare(
        refuse: (UnreadableRecord) -> Void = { _ in }, _ tell: (RecordDifference) -> Void
    ) throws(ReadError) {
        let candidates = try RecordKey.candidates(in: first, named: key)
        let hash = KeyedHash()
        let tables = (
            try table(of: first, beside: second, candidates, hash, refuse),
            try table(of: second, beside: first, candidates, hash, refuse)
        )
        if let failure = tables.0.failure ?? tables.1.failure { throw failure }
        if let key, tables.0.isWithout(0), tables.1.isWithout(0) {
            throw RecordTable.noKey(key, in: [tables.0, tables.1], of: first.path)
        }
        let chosen = RecordTable.chosenCandidate(for: [tables.0, tables.1], isNamed: key != nil)
        let alignment = Alignment(
            tables.0.names(by: chosen), tables.1.names(by: chosen), pairingRest: key == nil)
        var walk = PairWalk(first, second, comparison, tables, alignment)
        try walk.run { difference in
            if isChosen(difference) { tell(difference) }
        }
    }

    /// Restricts the report to records that are selected in at least one of the files.
    package mutating func choose(_ selection: RecordSelection) throws(ReadError) -> ChoiceTally {
        var tally = ChoiceTally(of: selection)
        var numbers: [Set<Int>] = []
        for file in [first, second] {
            var records = try file.records()
            let found = records.numbers(of: selection, from: file.path)
            tally.add(found.choice, taken: found.numbers.count, isWhole: found.failure == nil)
            numbers.append(Set(found.numbers))
        }
        told = (numbers[0], numbers[1])
        return tally
    }

    private func isChosen(_ difference: RecordDifference) -> Bool {
        guard let told else { return true }
        return difference.first.map(told.first.contains) ?? false
            || difference.second.map(told.second.contains) ?? false
    }

    /// Finds all differences on a separate thread while the task waits.
    ///
    /// - Returns: The differences in the order of the records.
    /// - Throws: `Conversion.Failure` if a file cannot be read, or `.cancelled`.
    public func differences() async throws(Conversion.Failure) -> [RecordDifference] {
        try await onReadingThread(by: first.options) { [self] options throws(Conversion.Failure) in
            var files = self
            (files.first.options, files.second.options) = (options, options)
            var found: [RecordDifference] = []
            do throws(ReadError) {
                try files.compare { found.append($0) }
            } catch {
                throw .read(error)
            }
            return found
        }
    }

    private func table(
        of file: RereadFile, beside other: RereadFile, _ candidates: [RecordKey], _ hash: KeyedHash,
        _ refuse: (UnreadableRecord) -> Void
    ) throws(ReadError) -> RecordTable {
        var table = RecordTable(candidates: candidates.count)
        var records = try file.records(skippingStructures: true)
        let rows = RowsAsRecords(records.header, to: other.format)
        // Whether a row becomes a molecule or a reaction depends on its structure.
        if rows != nil { records = try file.records() }
        table.take(records, by: candidates, hash, rows: rows, refuse: refuse)
        return table
    }
}
