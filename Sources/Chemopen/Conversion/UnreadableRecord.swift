/// A record that cannot be read, with its position and the reason.
public struct UnreadableRecord: Sendable {
    /// The reason why it cannot be read.
    public var error: ReadError
    /// The position in the file.
    public var place: RecordPlace
    /// The original bytes of the record.
    public let text: [UInt8]

    /// Creates a description of the record that a stream has just rejected.
    public init(_ error: ReadError, in records: borrowing RecordStream) {
        self.error = error
        place = records.place
        var text: [UInt8] = []
        if error.kind == .broken { records.copyRecordBytes(to: &text) }
        self.text = text
    }

    /// Adds the numbers of records and lines that precede the record's block in the file.
    mutating func move(behindRecords records: Int, lines: Int) {
        if error.record > 0 { error.record += records }
        if error.line > 0 { error.line += lines }
        place.record += records
        place.line += lines
    }
}
