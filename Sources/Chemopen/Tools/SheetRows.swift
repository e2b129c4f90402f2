/// Rows of DataSheets in the order of the output. Their files are kept in memory, because a header counts the rows.
struct SheetRows {
    var inputs: [ToolInput] = []
    /// The index of the input and the index of the row.
    var order: [(input: Int, row: Int)] = []
}

extension ToolRun {
    /// Writes rows as a sheet with the header of the first input.
    func write(_ rows: SheetRows, to path: LocalPath) throws(Conversion.Failure) {
        guard let format, let first = rows.inputs.first else { throw .impossible("there is no input") }
        var sink = try sink(path, format)
        let text = try text(of: first, format)
        var others: [Int: FileText] = [:]
        var pieces: [FileText.Piece] = []
        var last = -1
        for (input, row) in rows.order {
            if input == 0 {
                guard row < text.records.count else { throw Self.otherRows(first) }
                pieces.append(FileText.Piece(lead: row == last + 1 ? text.lead(row) : [], text: .kept(row)))
                last = row
                continue
            }
            if others[input] == nil { others[input] = try self.text(of: rows.inputs[input], format) }
            guard let other = others[input], row < other.records.count else { throw Self.otherRows(rows.inputs[input]) }
            pieces.append(FileText.Piece(lead: [], text: .copied(Array(other.bytes[other.records[row]]))))
            last = -2
        }
        let isWhole = rows.inputs.count == 1 && rows.order.map(\.row) == Array(0..<text.records.count)
        sink.bytes = isWhole ? text.bytes : try text.assembled(pieces)
        try commit(&sink)
        summary.written = rows.order.count
        summary.files = 1
    }

    /// Returns the text of an input that was read.
    func text(of input: ToolInput, _ format: Format) throws(Conversion.Failure) -> FileText {
        var options = tool.reading
        options.shouldCancel = tool.shouldCancel
        return try FileText(input.name, try input.allBytes(), as: format, options.ofConvertedText)
    }

    static func otherRows(_ input: ToolInput) -> Conversion.Failure {
        .read(ReadError(FileError(input.name, .changedMeanwhile)))
    }

    func commit(_ sink: inout ByteSink) throws(Conversion.Failure) {
        do throws(FileError) {
            try sink.commit()
        } catch {
            throw .write(WriteError(error))
        }
    }
}
