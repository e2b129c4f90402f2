/// A record of one of two files, or of both, in which they differ.
public struct RecordDifference: Sendable {
    /// The fate of a record.
    public enum Kind: String, Sendable {
        /// It is in the first file alone.
        case deleted
        /// It is in the second file alone.
        case inserted
        /// It stands in another order in the second file.
        case moved
        /// It says something else in the second file.
        case changed
    }

    /// The fate of the record.
    public let kind: Kind
    /// Its number in the first file, from 1; `nil` where it is not there.
    public let first: Int?
    /// Its number in the second file.
    public let second: Int?
    /// Its title, or else its formula.
    public let name: String
    /// The parts that a changed record says otherwise.
    public let differences: [Difference]
    /// The record of the first file; `nil` where there is none, or one that cannot be read.
    public let before: Record?
    /// The record of the second file.
    public let after: Record?

    init(
        kind: Kind, first: Int?, second: Int?, name: String, differences: [Difference], before: Record? = nil,
        after: Record? = nil
    ) {
        (self.kind, self.first, self.second, self.name) = (kind, first, second, name)
        (self.differences, self.before, self.after) = (differences, before, after)
    }
}

/// Compares two files record by record, wherever a record stands in either of them.
///
/// Records are found again by a field, or by the first of these that each record of both files has for itself: its title,
/// a field, its bytes. What is kept in memory is a few numbers for each record.
///
///     let files = try FileComparison("before.sdf", "after.sdf")
///     try files.compare { print($0.kind, $0.name, $0.differences) }
public struct FileComparison: Sendable {
    private var (first, second): (RereadFile, RereadFile)
    /// How two records are compared.
    public var comparison = Comparison()
    /// The field by whose value records are found again, or `title`.
    public var key: Text?
    /// The numbers of the records of each file of which differences are told; `nil` for all, and for the table itself.
    private var told: (first: Set<Int>, second: Set<Int>)?

    /// Two files, in the formats that their contents show, or in the one named.
    public init(
        _ first: LocalPath, _ second: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        try self.init(Source(first), Source(second), as: format, options)
    }

    /// Two sources, in the formats that their contents show, or in the one named.
    public init(
        _ first: Source, _ second: Source, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) {
        (self.first, self.second) = (
            try RereadFile(first, as: format, options), try RereadFile(second, as: format, options)
        )
    }

    /// Tells what differs, in the order of the files; changes of records that have moved as well come last.
    ///
    /// - Parameter refuse: is told of each record that cannot be read. Its bytes are compared all the same.
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

    /// Chooses the records of which differences are told: those that a selection takes in either file.
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

    /// All that differs, found on a thread of its own, while the task waits.
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
