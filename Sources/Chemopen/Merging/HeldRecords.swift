/// The records of one of the merged versions: a table of their keys, the text of the file, and parsed records on
/// request.
struct HeldRecords {
    let table: RecordTable
    /// The text of the file, or `nil` if there is no file or it cannot be assembled from pieces.
    let text: FileText?
    private let file: RereadFile?

    /// Creates a version without records. Git passes an empty file if there is no common base.
    init(withoutRecords candidates: Int) {
        (table, text, file) = (RecordTable(candidates: candidates), nil, nil)
    }

    init(_ file: RereadFile, _ bytes: [UInt8], by candidates: [RecordKey], _ hash: KeyedHash) throws(ReadError) {
        self.file = file
        var table = RecordTable(candidates: candidates.count)
        let records = try file.records(skippingStructures: true)
        table.take(records, by: candidates, hash, rows: nil) { _ in }
        if let failure = table.failure { throw failure }
        self.table = table
        let text = try? FileText(file.path, bytes, as: file.format, file.options)
        self.text = text?.records.count == table.count ? text : nil
    }

    var count: Int { table.count }

    /// Returns the bytes of a record.
    func bytes(_ place: Int) -> ArraySlice<UInt8> {
        guard let text else { return [] }
        return text.bytes[text.records[place]]
    }

    /// Returns the bytes before a record that belong to no record. The file's header is not included.
    func lead(_ place: Int) -> ArraySlice<UInt8> { place == 0 ? [] : text?.lead(place) ?? [] }

    /// The header of the file.
    var head: ArraySlice<UInt8> { text?.head ?? [] }

    /// The bytes after the last record.
    var rest: ArraySlice<UInt8> { text?.rest ?? [] }

    /// Returns the traits of some records by index.
    func traits(_ places: some Sequence<Int>) throws(ReadError) -> [Int: RecordTraits] {
        var traits: [Int: RecordTraits] = [:]
        guard let file else { return traits }
        var walk = try ChosenRecords(file, beside: file)
        for place in places.sorted() { traits[place] = RecordTraits(try walk.record(place)) }
        return traits
    }

    /// Returns some of the records by index, without those that are unreadable.
    func records(_ places: some Sequence<Int>) throws(ReadError) -> [Int: Record] {
        var records: [Int: Record] = [:]
        guard let file else { return records }
        var walk = try ChosenRecords(file, beside: file)
        for place in places.sorted() {
            records[place] = try walk.record(place)
            if file.format.needsColumns { records[place]?.fields.columns = table.header.columns }
        }
        return records
    }
}
