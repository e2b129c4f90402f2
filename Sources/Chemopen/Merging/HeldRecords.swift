/// The records of a file in memory, each as its bytes, and as records those that are asked for.
struct HeldRecords {
    let table: RecordTable
    private let file: RereadFile?
    /// The bytes of each record, and those in front of it that belong to none; behind the last one those that are left.
    private let texts: [[UInt8]]
    private let between: [[UInt8]]

    /// A file without records, as git hands over where there was none.
    init(withoutRecords candidates: Int) {
        (table, file, texts, between) = (RecordTable(candidates: candidates), nil, [], [[]])
    }

    init(_ file: RereadFile, by candidates: [RecordKey], _ hash: KeyedHash) throws(ReadError) {
        self.file = file
        var table = RecordTable(candidates: candidates.count)
        var (texts, between): ([[UInt8]], [[UInt8]]) = ([], [])
        let records = try file.records(skippingStructures: true)
        table.take(records, by: candidates, hash, rows: nil) { _ in
        } keep: { rest, text in
            between.append(rest)
            if !text.isEmpty { texts.append(text) }
        }
        if let failure = table.failure { throw failure }
        (self.table, self.texts, self.between) = (table, texts, between)
    }

    var count: Int { texts.count }

    func text(_ place: Int) -> [UInt8] { texts[place] }

    /// The bytes of a record behind those in front of it that belong to none.
    func wholeText(_ place: Int) -> [UInt8] { between[place] + texts[place] }

    /// The bytes behind the last record.
    var rest: [UInt8] { between.last ?? [] }

    /// Some of the records, by their places; without those that cannot be read.
    func records(_ places: some Sequence<Int>) throws(ReadError) -> [Int: Record] {
        var records: [Int: Record] = [:]
        guard let file else { return records }
        var walk = try ChosenRecords(file, beside: file)
        for place in places.sorted() { records[place] = try walk.record(place) }
        return records
    }
}
