/// The hashes of a file's records, which allow aligning two files without loading them into memory.
struct RecordTable {
    /// For each candidate key, the hash of its value in each record, or `RecordTable.none`.
    private(set) var keys: [[UInt64]]
    /// The hash of the bytes of each record.
    private(set) var contents: [UInt64] = []
    /// The number of bytes in each record.
    private(set) var lengths: [Int] = []
    /// The indices of the unreadable records.
    private(set) var refused: Set<Int> = []
    /// The error that ended the reading of the file after its last record.
    private(set) var failure: ReadError?
    /// The header of the table, with all columns.
    private(set) var header = SheetHeader()

    static let none: UInt64 = 0

    init(candidates: Int) {
        keys = Array(repeating: [], count: candidates)
    }

    var count: Int { contents.count }

    /// Reads all records of a stream.
    ///
    /// - Parameters:
    ///   - refuse: Receives each unreadable record.
    ///   - keep: Receives the bytes before each record and its own bytes, and finally the remaining bytes.
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
                case .file, .unrecognized:
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

    /// Returns the candidate key to use for several files: the specified key, or else the first one that is unique in
    /// each file. Returns `nil` if there is no unique key.
    static func chosenCandidate(for tables: [RecordTable], isNamed: Bool) -> Int? {
        if isNamed { return 0 }
        return tables[0].keys.indices.first { candidate in tables.allSatisfy { $0.isUnique(candidate) } }
    }

    /// Whether each readable record has a unique key.
    func isUnique(_ candidate: Int) -> Bool {
        var seen = Set<UInt64>(minimumCapacity: count)
        for (place, key) in keys[candidate].enumerated() where !refused.contains(place) {
            if key == Self.none || !seen.insert(key).inserted { return false }
        }
        return true
    }

    /// Whether no record has the key.
    func isWithout(_ candidate: Int) -> Bool { keys[candidate].allSatisfy { $0 == Self.none } }

    /// Returns the key of each record, or the hash of its bytes if it has no key.
    func names(by candidate: Int?) -> [UInt64] {
        candidate.map { names(by: $0, else: contents) } ?? contents
    }

    /// Returns the key of each record, or the alternative if it has no key.
    func names(by candidate: Int, else others: [UInt64]) -> [UInt64] {
        zip(keys[candidate], others).map { $0 == Self.none ? $1 : $0 }
    }

    /// Creates the error for a specified key that no record has.
    static func noKey(_ key: Text, in tables: [RecordTable], of path: LocalPath) -> ReadError {
        let nearest = nearestName(to: key.string, among: tables.flatMap { $0.header.columns.map(\.name.string) })
        let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
        return ReadError(.unrecognized, file: path.shown, expected: "no record has a field \"\(key.shown)\"\(hint)")
    }
}
