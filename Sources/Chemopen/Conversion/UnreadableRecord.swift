/// A record that cannot be read, with all that it takes to tell where and why.
public struct UnreadableRecord: Sendable {
    /// Why it cannot be read.
    public var error: ReadError
    /// Where it stands.
    public var place: RecordPlace
    /// The record as it stands in the file.
    public let text: [UInt8]

    /// The record that a stream has just refused.
    public init(_ error: ReadError, in records: borrowing RecordStream) {
        self.error = error
        place = records.place
        var text: [UInt8] = []
        if error.kind == .broken { records.copyRecordBytes(to: &text) }
        self.text = text
    }

    /// Moves the record behind others, of a piece that was read by itself.
    mutating func move(behindRecords records: Int, lines: Int) {
        if error.record > 0 { error.record += records }
        if error.line > 0 { error.line += lines }
        place.record += records
        place.line += lines
    }
}
