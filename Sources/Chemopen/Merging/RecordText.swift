/// The bytes of a record that has changed, as they go into the file it comes from.
struct RecordText {
    let format: Format

    /// Writes a record.
    ///
    /// - Parameter structure: the bytes of a record with the same structure, whose lines stay as they are where the format
    ///   has the data behind them.
    func bytes(of record: Record, keepingStructureOf structure: [UInt8]) throws(WriteError) -> [UInt8] {
        var options = WriteOptions()
        options.isPiece = true
        options.carriageReturns = structure.span.firstLineEnd?.first == Ascii.carriageReturn
        guard var writer = try format.makeWriter?(ByteSink(), options) else {
            throw WriteError(.impossible, "\(format.name) is read here, but not written")
        }
        _ = try writer.write(record)
        let written = writer.takeBytes()
        // What is neither structure nor data is written where the writer has a place for it.
        guard record.verbatim.isEmpty, let split = format.startOfData, let end = split(structure.span),
            let start = split(written.span)
        else { return written }
        return Array(structure[..<end] + written[start...])
    }
}
