/// Iterates over two aligned files, reads the records that may differ, and compares them.
struct PairWalk {
    private let (first, second): (RereadFile, RereadFile)
    private let comparison: Comparison
    private let tables: (RecordTable, RecordTable)
    private let alignment: Alignment
    /// Whether identical bytes have the same meaning in both files.
    private let sameBytesAreSame: Bool
    /// The moved pairs that may differ. They are compared after all others.
    private var later: [(first: Int, second: Int)] = []

    /// The maximum number and size of the records that are in memory at the same time.
    private static let (mostHeld, mostBytesHeld) = (10_000, 1 << 26)

    init(
        _ first: RereadFile, _ second: RereadFile, _ comparison: Comparison, _ tables: (RecordTable, RecordTable),
        _ alignment: Alignment
    ) {
        (self.first, self.second) = (first, second)
        self.comparison = comparison
        self.tables = tables
        self.alignment = alignment
        let (header, other) = (tables.0.header, tables.1.header)
        sameBytesAreSame =
            first.format.id == second.format.id && (!header.hasAllColumns || header.columns == other.columns)
    }

    mutating func run(_ tell: (RecordDifference) -> Void) throws(ReadError) {
        compareHeaders(tell)
        try comparePairsInOrder(tell)
        while !later.isEmpty { try comparePairsHeld(tell) }
    }

    private func compareHeaders(_ tell: (RecordDifference) -> Void) {
        let (header, other) = (tables.0.header, tables.1.header)
        guard header.hasAllColumns, other.hasAllColumns else { return }
        let differences = comparison.differences(header, other)
        if differences.isEmpty { return }
        tell(RecordDifference(kind: .changed, first: nil, second: nil, name: "", differences: differences))
    }

    // MARK: Pairs in order

    private mutating func comparePairsInOrder(_ tell: (RecordDifference) -> Void) throws(ReadError) {
        var records = try ChosenRecords(first, beside: second)
        var others = try ChosenRecords(second, beside: first)
        var (one, other) = (0, 0)
        while one < tables.0.count || other < tables.1.count {
            if one < tables.0.count, alignment.partners[one] == Alignment.nobody {
                tell(fate(.deleted, one, nil, try records.record(one)))
                one += 1
            } else if one < tables.0.count, alignment.isMoved[one] {
                let partner = Int(alignment.partners[one])
                tell(fate(.moved, one, partner, try records.record(one)))
                if mayDiffer(one, partner) { later.append((one, partner)) }
                one += 1
            } else if other < tables.1.count, alignment.partnersOfSecond[other] == Alignment.nobody {
                tell(fate(.inserted, nil, other, try others.record(other)))
                other += 1
            } else if other < tables.1.count, alignment.isMovedHere(other) {
                other += 1
            } else {
                if mayDiffer(one, other) {
                    compare(one, try records.record(one), other, try others.record(other), tell)
                }
                one += 1
                other += 1
            }
        }
    }

    /// Returns the difference for a record that is only in one file or has moved.
    private func fate(_ kind: RecordDifference.Kind, _ one: Int?, _ other: Int?, _ record: Record?) -> RecordDifference
    {
        RecordDifference(
            kind: kind, first: one.map { $0 + 1 }, second: other.map { $0 + 1 },
            name: record?.described ?? "cannot be read", differences: [], before: kind == .inserted ? nil : record,
            after: kind == .inserted ? record : nil)
    }

    private func mayDiffer(_ one: Int, _ other: Int) -> Bool {
        !sameBytesAreSame || tables.0.contents[one] != tables.1.contents[other]
    }

    private func compare(
        _ one: Int, _ record: Record?, _ other: Int, _ another: Record?, _ tell: (RecordDifference) -> Void
    ) {
        let differences: [Difference]
        switch (record, another) {
        case (let record?, let another?): differences = comparison.differences(record, another)
        case (nil, nil): differences = [Difference("cannot be read in either file", nil, nil)]
        case (nil, _): differences = [Difference("cannot be read in \(first.path.shown)", nil, nil)]
        case (_, nil): differences = [Difference("cannot be read in \(second.path.shown)", nil, nil)]
        }
        if differences.isEmpty { return }
        let name = (record ?? another)?.described ?? ""
        tell(
            RecordDifference(
                kind: .changed, first: one + 1, second: other + 1, name: name, differences: differences, before: record,
                after: another))
    }

    // MARK: Pairs out of order

    /// Compares as many pairs as the memory limit allows, by reading both files again.
    private mutating func comparePairsHeld(_ tell: (RecordDifference) -> Void) throws(ReadError) {
        var bytes = 0
        let count = later.prefix(Self.mostHeld).prefix { pair in
            defer { bytes += tables.0.lengths[pair.first] + tables.1.lengths[pair.second] }
            return bytes < Self.mostBytesHeld
        }.count
        let pairs = later.prefix(count)
        later.removeFirst(count)
        var others: [Int: Record] = [:]
        var walk = try ChosenRecords(second, beside: first)
        for place in pairs.map(\.second).sorted() { others[place] = try walk.record(place) }
        walk = try ChosenRecords(first, beside: second)
        for pair in pairs { compare(pair.first, try walk.record(pair.first), pair.second, others[pair.second], tell) }
    }
}

/// A reader for selected records of a file, in the order of their positions.
struct ChosenRecords: ~Copyable {
    private var records: RecordStream
    private var rows: RowsAsRecords?
    private var next = 0

    /// - Parameter other: The file to compare with. Rows of a sheet are converted to records of its format.
    init(_ file: RereadFile, beside other: RereadFile) throws(ReadError) {
        records = try file.records()
        rows = RowsAsRecords(records.header, to: other.format)
    }

    /// Reads the record at an index, from 0. Indices must increase. Returns `nil` if the record is unreadable.
    mutating func record(_ place: Int) throws(ReadError) -> Record? {
        while next < place {
            // An unreadable record has also been consumed.
            _ = try? records.pass()
            next += 1
        }
        next += 1
        do throws(ReadError) {
            guard var record = try records.next() else { return nil }
            rows?.prepare(&record, row: records.place.record)
            return record
        } catch {
            if case .file = error.kind { throw error }
            return nil
        }
    }

    /// Whether the file has exactly this number of records.
    mutating func isAtEnd(behind count: Int) throws(ReadError) -> Bool {
        while next < count {
            guard (try? records.pass()) ?? true else { return false }
            next += 1
        }
        return try !records.pass()
    }
}

extension Record {
    /// A short description of the record: its title, or else its formula or kind.
    package var described: String {
        switch subject {
        case .none: "no structure"
        case .molecule(let molecule): molecule.name.isEmpty ? molecule.formula : molecule.name.shown
        case .reaction(let reaction): reaction.name.isEmpty ? "a reaction" : reaction.name.shown
        }
    }
}
