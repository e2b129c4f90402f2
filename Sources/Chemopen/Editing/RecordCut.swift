/// The ranges of the records in a file.
struct RecordCut {
    /// The range of each record. The records of a drawing share the range of the complete file.
    private(set) var records: [Range<Int>] = []
    /// The range of the bytes before each record that belong to no record.
    private(set) var leads: [Range<Int>] = []
    /// The hash of each record's key, or of its bytes if it has no key.
    private(set) var keys: [UInt64] = []
    /// Whether all records share the bytes of the file, as in a drawing.
    let sharesBytes: Bool
    /// The header of the table, with all columns.
    private(set) var header = SheetHeader()

    /// - Parameters:
    ///   - key: The key of a record.
    ///   - hash: Hashes the keys. If it is `nil`, no hashes are computed.
    ///   - target: The format to whose records the rows of a table are converted.
    init(
        _ file: RereadFile, by key: RecordKey? = nil, _ hash: KeyedHash? = nil, as target: Format? = nil
    ) throws(ReadError) {
        var stream = try file.records(skippingStructures: true)
        sharesBytes = stream.sharesBytes
        var rows = target.flatMap { RowsAsRecords(stream.header, to: $0) }
        var record = Record()
        var piece: [UInt8] = []
        var position = 0
        while true {
            var value: [UInt8]?
            do throws(ReadError) {
                guard try stream.read(into: &record) else { break }
                rows?.prepare(&record, row: stream.place.record)
                value = key?.value(in: record)
            } catch {
                if error.kind != .broken { throw error }
            }
            piece.removeAll(keepingCapacity: true)
            if let hash, sharesBytes {
                stream.copyRecordBytes(to: &piece)
                leads.append(0..<0)
                records.append(0..<piece.count)
                // Without a key, records with the same number correspond to each other.
                let named = value ?? Array("\(records.count)".utf8)
                keys.append(max(1, hash(named.span)))
                continue
            }
            stream.copyBytesBetweenRecords(to: &piece)
            let start = position + piece.count
            stream.copyRecordBytes(to: &piece)
            leads.append(position..<start)
            position += piece.count
            records.append(start..<position)
            guard let hash else { continue }
            if value == nil { piece.removeFirst(start - leads[leads.count - 1].lowerBound) }
            let named = value ?? piece
            keys.append(max(1, hash(named.span)))
        }
        header = stream.header
    }
}
