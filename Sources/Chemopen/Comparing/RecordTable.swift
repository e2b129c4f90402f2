/// The numbers by which the records of a file are told apart, so that two files can be aligned without either in memory.
struct RecordTable {
    /// For each candidate the hash of its value in each record; `RecordTable.none` where a record has none.
    private(set) var keys: [[UInt64]]
    /// The hash of the bytes of each record.
    private(set) var contents: [UInt64] = []
    /// How many bytes each record has.
    private(set) var lengths: [Int] = []
    /// The records that cannot be read, by their place from 0.
    private(set) var refused: Set<Int> = []
    /// The file as a whole fails behind the last record.
    private(set) var failure: ReadError?
    /// The head of the table, with all columns that were met.
    private(set) var header = SheetHeader()

    static let none: UInt64 = 0

    init(candidates: Int) {
        keys = Array(repeating: [], count: candidates)
    }

    var count: Int { contents.count }

    /// Reads all records of a stream.
    ///
    /// - Parameters:
    ///   - refuse: is told of each record that cannot be read.
    ///   - keep: gets the bytes in front of each record and its own; behind the last one the bytes that are left.
    mutating func take(
        _ records: consuming RecordStream, by candidates: [RecordKey], _ hash: KeyedHash,
        rows: consuming RowsAsRecords?,
        refuse: (UnreadableRecord) -> Void, keep: ((_ between: [UInt8], _ record: [UInt8]) -> Void)? = nil
    ) {
        var record = Record()
        var bytes: [UInt8] = []
        var content: UInt64 = 0
        while true {
            do throws(ReadError) {
                guard try records.read(into: &record) else { break }
                rows?.prepare(&record, row: records.place.record)
                for (place, key) in candidates.enumerated() {
                    keys[place].append(key.value(in: record).map { max(hash($0.span), 1) } ?? Self.none)
                }
            } catch {
                refuse(UnreadableRecord(error, in: records))
                switch error.kind {
                case .file, .unrecognised:
                    failure = error
                    continue
                case .broken, .tooLarge: break
                }
                refused.insert(count)
                for place in keys.indices { keys[place].append(Self.none) }
            }
            if contents.isEmpty || !records.sharesBytes {
                bytes.removeAll(keepingCapacity: true)
                records.copyRecordBytes(to: &bytes)
                content = hash(bytes.span)
            }
            contents.append(content)
            lengths.append(bytes.count)
            keep?(Self.bytesBetween(records), bytes)
        }
        keep?(Self.bytesBetween(records), [])
        header = records.header
    }

    private static func bytesBetween(_ records: borrowing RecordStream) -> [UInt8] {
        var bytes: [UInt8] = []
        records.copyBytesBetweenRecords(to: &bytes)
        return bytes
    }

    /// The candidate by which the records of several files are found again: the sole one where a person named it, else the
    /// first by which each record of each file is told from the others; nothing where there is none.
    static func chosenCandidate(for tables: [RecordTable], isNamed: Bool) -> Int? {
        if isNamed { return 0 }
        return tables[0].keys.indices.first { candidate in tables.allSatisfy { $0.isUnique(candidate) } }
    }

    /// Whether each record that can be read has a key of its own.
    func isUnique(_ candidate: Int) -> Bool {
        var seen = Set<UInt64>(minimumCapacity: count)
        for (place, key) in keys[candidate].enumerated() where !refused.contains(place) {
            if key == Self.none || !seen.insert(key).inserted { return false }
        }
        return true
    }

    /// Whether no record has a key.
    func isWithout(_ candidate: Int) -> Bool { keys[candidate].allSatisfy { $0 == Self.none } }

    /// A key for each record: that of a candidate where it has one, else its bytes.
    func names(by candidate: Int?) -> [UInt64] {
        candidate.map { names(by: $0, else: contents) } ?? contents
    }

    /// A key for each record: that of a candidate, or another one if it has none.
    func names(by candidate: Int, else others: [UInt64]) -> [UInt64] {
        zip(keys[candidate], others).map { $0 == Self.none ? $1 : $0 }
    }

    /// The failure to find a key that a person named in any record.
    static func noKey(_ key: Text, in tables: [RecordTable], of path: LocalPath) -> ReadError {
        let nearest = nearestName(to: key.string, among: tables.flatMap { $0.header.columns.map(\.name.string) })
        let hint = nearest.map { "; there is \($0)" } ?? ""
        return ReadError(.unrecognised, file: path.shown, expected: "no record has a field \(key.shown)\(hint)")
    }
}
