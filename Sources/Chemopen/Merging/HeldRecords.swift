/// The records of one of the versions that are merged: a table of their keys, the file as its text, and as records those that
/// are asked for.
struct HeldRecords {
    let table: RecordTable
    /// The file as its text; `nil` where there is no file, or one whose text is not put together of pieces.
    let text: FileText?
    private let file: RereadFile?

    /// A file without records, as git hands over where there was none.
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

    /// The bytes of a record.
    func bytes(_ place: Int) -> ArraySlice<UInt8> {
        guard let text else { return [] }
        return text.bytes[text.records[place]]
    }

    /// The bytes in front of a record that belong to none; those that head the file are none of a record.
    func lead(_ place: Int) -> ArraySlice<UInt8> { place == 0 ? [] : text?.lead(place) ?? [] }

    /// The bytes that head the file.
    var head: ArraySlice<UInt8> { text?.head ?? [] }

    /// The bytes behind the last record.
    var rest: ArraySlice<UInt8> { text?.rest ?? [] }

    /// The traits of some of the records, by their places.
    func traits(_ places: some Sequence<Int>) throws(ReadError) -> [Int: RecordTraits] {
        var traits: [Int: RecordTraits] = [:]
        guard let file else { return traits }
        var walk = try ChosenRecords(file, beside: file)
        for place in places.sorted() { traits[place] = RecordTraits(try walk.record(place)) }
        return traits
    }

    /// Some of the records, by their places; without those that cannot be read.
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
