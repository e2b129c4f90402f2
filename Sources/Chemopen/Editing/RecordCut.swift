/// Where the records of a file stand in its bytes.
struct RecordCut {
    /// The bytes of each record.
    private(set) var records: [Range<Int>] = []
    /// The bytes in front of each record that belong to none.
    private(set) var leads: [Range<Int>] = []
    /// The hash of the key of each record, or of its bytes where it has none.
    private(set) var keys: [UInt64] = []
    /// The head of the table, with all columns that were met.
    private(set) var header = SheetHeader()

    /// - Parameters:
    ///   - key: the key of a record.
    ///   - hash: makes numbers of the keys; `nil` where nobody asks for them.
    init(_ file: RereadFile, by key: RecordKey? = nil, _ hash: KeyedHash? = nil) throws(ReadError) {
        var stream = try file.records(skippingStructures: true)
        var record = Record()
        var piece: [UInt8] = []
        var position = 0
        while true {
            var value: [UInt8]?
            do throws(ReadError) {
                guard try stream.read(into: &record) else { break }
                value = key?.value(in: record)
            } catch {
                if error.kind != .broken { throw error }
            }
            piece.removeAll(keepingCapacity: true)
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
