import ChemopenBytes
import ChemopenModel

/// Writes the data fields of an SD record: the inverse of `DataFieldReader`.
///
/// Field names and values are copied directly from the record's bytes to the output.
struct DataFieldWriter {
    private let options: WriteOptions
    /// The columns of the headers in `headerLines`.
    private var columns: [Column] = []
    /// The default header lines of all columns, concatenated.
    private var headerLines: [UInt8] = []
    /// For each column, the range of its header in `headerLines`, and whether its name had to be changed to fit.
    private var headers: [(line: Range<Int>, isChanged: Bool)] = []
    /// Whether the record's fields contain a NUL, which must not be written to a text file.
    private var hasNUL = false

    init(_ options: WriteOptions) {
        self.options = options
    }

    mutating func write(
        _ fields: Fields, to output: inout [UInt8], _ report: inout WriteReport
    ) throws(WriteError) {
        if fields.columns != columns { prepare(fields.columns) }
        let bytes = fields.bytes.span
        hasNUL = firstIndex(of: 0, in: bytes, from: 0, to: bytes.count) != nil
        for index in fields.entries.indices {
            if !fields.structures.isEmpty, let text = try structureText(index, of: fields, &report) {
                write(index, of: fields, text.span, to: &output, &report)
            } else {
                write(index, of: fields, bytes.extracting(fields.entries[index].valueRange), to: &output, &report)
            }
        }
    }

    private func write(
        _ index: Int, of fields: Fields, _ value: Span<UInt8>, to output: inout [UInt8], _ report: inout WriteReport
    ) {
        let entry = fields.entries[index]
        if entry.hasHeader { return write(fields.bytes[fields.headerRange(at: index)], value, to: &output, &report) }
        guard headers.indices.contains(Int(entry.column)) else { return }
        let header = headers[Int(entry.column)]
        write(headerLines.span.extracting(header.line), endsLine: true, value, to: &output, &report)
        if header.isChanged { report.losses.note(.fields, "a line break in a field's name, written as a blank") }
    }

    /// Returns the molfile or RXN file of a structure, or `nil` for other values.
    ///
    /// The result is also `nil` if the value already contains the text, as in records from an RD file.
    private func structureText(
        _ index: Int, of fields: Fields, _ report: inout WriteReport
    ) throws(WriteError) -> [UInt8]? {
        guard let structure = fields.structures.notes(of: index).first,
            !StructureText.begins(fields.bytes[fields.entries[index].valueRange])
        else { return nil }
        var text: [UInt8] = []
        report.losses.note(try structure.write(to: &text, options))
        if SheetMark.kind(in: fields.headerRange(at: index), of: fields.bytes.span) == nil {
            report.losses.note(.structuresInFields, "written as text in the same format")
        }
        text.removeLast()
        return text
    }

    /// Writes a field that has its own header, which must fit on one line.
    private func write(
        _ header: ArraySlice<UInt8>, _ value: Span<UInt8>, to output: inout [UInt8], _ report: inout WriteReport
    ) {
        let isLine = header.first == Ascii.greater && !header.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
        if isLine { return write(header.span, endsLine: false, value, to: &output, &report) }
        var line: [UInt8] = []
        if header.first != Ascii.greater { line.append(contentsOf: ">  ".utf8) }
        if line.appendOneLine(header) {
            report.losses.note(.fields, "a line break in a field's header, written as a blank")
        }
        write(line.span, endsLine: false, value, to: &output, &report)
    }

    @inline(__always)
    private func write(
        _ header: Span<UInt8>, endsLine: Bool, _ value: Span<UInt8>, to output: inout [UInt8],
        _ report: inout WriteReport
    ) {
        let isPlain = !hasNUL && value.hasOnlyFullLines(without: Ascii.dollar, noneBeginning: Ascii.greater)
        output.append(addingCapacity: header.count &+ value.count &+ 3) { output in
            output.append(copying: header)
            if !endsLine { output.append(Ascii.lineFeed) }
            if isPlain {
                output.append(copying: value)
                output.append(Ascii.lineFeed)
                output.append(Ascii.lineFeed)
            }
        }
        if isPlain { return }
        writeLines(of: value, to: &output, &report)
        output.append(Ascii.lineFeed)
    }

    private mutating func prepare(_ columns: [Column]) {
        self.columns = columns
        headerLines = []
        headers = []
        for column in columns {
            let start = headerLines.count
            headerLines.append(">  <")
            let isChanged = headerLines.appendOneLine(column.name.bytes)
            headerLines.append(">\n")
            headers.append((start..<headerLines.count, isChanged))
        }
    }

    /// Writes a value line by line, and changes the lines that a reader would misread.
    ///
    /// An empty line or a header after a blank line would end the value; `$$$$` would end the record.
    private func writeLines(of value: Span<UInt8>, to output: inout [UInt8], _ report: inout WriteReport) {
        var lines = LineCursor(0..<value.count, of: value)
        var followsBlanks = false
        while let line = lines.next(in: value) {
            if followsBlanks, DataFieldReader.isHeader(line, value) {
                output.append(Ascii.blank)
                report.losses.note(
                    .fields, "a line of a value that reads as a data header, written with a blank in front")
            }
            write(line: value.extracting(line), to: &output, &report)
            followsBlanks = value.isBlank(line)
        }
        if value.endsLine(at: value.count - 1) { write(line: value.extracting(last: 0), to: &output, &report) }
    }

    private func write(line: Span<UInt8>, to output: inout [UInt8], _ report: inout WriteReport) {
        if line.isEmpty {
            output.append(Ascii.blank)
            report.losses.note(.emptyLinesInValues, "written as a line of one blank")
        } else if line.range(0..<line.count, begins: "$$$$") {
            output.append(Ascii.blank)
            report.losses.note(.fields, "a line of a value that begins with $$$$, written with a blank in front")
        }
        let start = output.count
        output.append(copying: line)
        if hasNUL, output.replaceNUL(from: start) {
            report.losses.note(.fields, "a NUL in a value, written as a blank")
        }
        output.append(Ascii.lineFeed)
    }
}
