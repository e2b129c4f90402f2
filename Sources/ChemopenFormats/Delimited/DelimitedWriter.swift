import ChemopenBytes
import ChemopenChemistry
import ChemopenModel

/// A writer for tables of delimited text (RFC 4180). It writes a header with the names of the columns, and a row for
/// each record with the structure as SMILES, the title and the data fields.
///
/// `begin` receives the columns. An empty cell has no value; an empty value is written as a pair of quotes.
struct DelimitedWriter<Delimiter: CellDelimiter>: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private let lineEnd: StaticString
    private let held = Features.inDelimitedTable
    private var header = SheetHeader()
    /// All columns of the table, before the requested ones are selected.
    private var given: [Column] = []
    private var hasHead = false
    private var places = ColumnPlaces()
    private var structure = SMILESText()
    /// The columns with a value in the current row.
    private var cells: [Int] = []

    init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
        lineEnd = options.carriageReturns ? "\r\n" : "\n"
        structure.isCanonical = options.isCanonical
    }

    mutating func begin(_ header: SheetHeader) throws(WriteError) {
        guard !hasHead else { return }
        self.header = header
        given = header.columns
    }

    mutating func replaceHeader(by header: SheetHeader) throws(WriteError) -> Bool {
        // The number of rows is not written.
        header.columns == given
    }

    mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try record.validate()
        if !hasHead { try writeHead(for: record.fields.columns) }
        var report = WriteReport()
        if options.columns.isEmpty {
            places.assign(record.fields, &report.losses)
        } else {
            // Columns that were not requested are not losses.
            var left: [Loss] = []
            places.assign(record.fields, &left)
        }
        structure.print(record)
        let start = sink.bytes.count
        gatherCells()
        var last = 0
        for column in cells {
            leaveEmpty(column - last)
            last = column
            if let entry = places.entry(at: column) {
                appendValue(entry, of: record.fields, &report.losses)
            } else if column == header.subjectColumn {
                append(structure: structure.bytes)
            } else if column == header.nameColumn {
                append(title: record.nameBytes, &report.losses)
            }
        }
        leaveEmpty(header.columns.count - 1 - last)
        if sink.bytes.count == start {
            // A blank line would not be a row.
            sink.bytes.append("\"\"")
            report.losses.note(.fields, "written as an empty value instead of a missing one")
        }
        sink.bytes.append(lineEnd)
        noteLosses(record, &report.losses)
        try sink.handOn()
        return report
    }

    mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        if beginsFile { hasHead = true } else if !hasHead { try writeHead(for: nil) }
        sink.bytes.append(contentsOf: bytes)
        if let last = bytes.last, last != Ascii.lineFeed, last != Ascii.carriageReturn { sink.bytes.append(lineEnd) }
        try sink.handOn()
    }

    mutating func finish() throws(WriteError) {
        if !hasHead { try writeHead(for: nil) }
        try sink.finishWriting()
    }

    mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }

    // MARK: Header

    /// - Parameter columns: the columns of the first record, if there is one. They are used if `begin` has specified no
    ///   columns.
    private mutating func writeHead(for columns: [Column]?) throws(WriteError) {
        hasHead = true
        if header.columns.isEmpty, let columns {
            header.columns = [Column("SMILES", .molecule), Column("Name")] + columns
            (header.subjectColumn, header.nameColumn) = (0, 1)
        }
        try chooseColumns()
        let count = header.columns.count
        guard count <= DelimitedTable.mostColumns else {
            throw WriteError(
                .impossible,
                "the table would have \(count) columns, but the maximum is \(DelimitedTable.mostColumns)")
        }
        places = ColumnPlaces(header, takesNames: true)
        if options.isPiece || header.columns.isEmpty { return }
        for (place, column) in header.columns.enumerated() {
            if place > 0 { sink.bytes.append(Delimiter.byte) }
            sink.bytes.append(cell: column.name.bytes[...], delimiter: Delimiter.byte)
        }
        sink.bytes.append(lineEnd)
    }

    /// Selects the requested columns.
    private mutating func chooseColumns() throws(WriteError) {
        if options.columns.isEmpty { return }
        var chosen = SheetHeader()
        for name in options.columns {
            guard let place = header.columns.firstIndex(where: { $0.name == name }) else {
                let names = header.columns.prefix(20).map(\.name.string).joined(separator: ", ")
                throw WriteError(.impossible, "no column is named \"\(name.string)\"; the first columns are \(names)")
            }
            if place == header.subjectColumn { chosen.subjectColumn = chosen.columns.count }
            if place == header.nameColumn { chosen.nameColumn = chosen.columns.count }
            chosen.columns.append(header.columns[place])
        }
        header = chosen
    }

    // MARK: Cells

    private mutating func gatherCells() {
        let (subject, name) = (header.subjectColumn, header.nameColumn)
        cells.removeAll(keepingCapacity: true)
        if let subject { cells.append(subject) }
        if let name, name != subject { cells.append(name) }
        for column in places.filled where column != subject && column != name { cells.append(column) }
        let isSorted = cells.indices.dropFirst().allSatisfy { cells[$0 - 1] < cells[$0] }
        if !isSorted { cells.sort() }
    }

    /// Writes a number of delimiters.
    private mutating func leaveEmpty(_ count: Int) {
        if count <= 0 { return }
        if count == 1 { return sink.bytes.append(Delimiter.byte) }
        sink.bytes.append(addingCapacity: count) { $0.append(repeating: Delimiter.byte, count: count) }
    }

    private mutating func appendValue(_ entry: Int, of fields: borrowing Fields, _ losses: inout [Loss]) {
        let value = fields.entries[entry].valueRange
        if !fields.structures.isEmpty, let structure = fields.structures.notes(of: entry).first {
            return append(value: structure, &losses)
        }
        if sink.bytes.append(plainCell: fields.bytes.span.extracting(value), delimiter: Delimiter.byte) { return }
        sink.bytes.append(cell: fields.bytes[value], delimiter: Delimiter.byte)
    }

    /// Appends the structure of a field as SMILES.
    private mutating func append(value: Fields.Structure, _ losses: inout [Loss]) {
        var record = Record()
        switch value {
        case .molecule(let molecule): record.subject = .molecule(molecule)
        case .reaction(let reaction): record.subject = .reaction(reaction)
        }
        var text = SMILESText()
        text.isCanonical = options.isCanonical
        text.print(record)
        append(structure: text.bytes)
        losses.note(.structuresInFields, "written as SMILES")
        text.noteLosses(of: record, unsupportedBy: .inSMILES, in: &losses)
    }

    /// CX extensions can contain commas.
    private mutating func append(structure text: [UInt8]) {
        if sink.bytes.append(plainCell: text.span, delimiter: Delimiter.byte) || text.isEmpty { return }
        sink.bytes.append(cell: text[...], delimiter: Delimiter.byte)
    }

    private mutating func append(title: ArraySlice<UInt8>, _ losses: inout [Loss]) {
        if sink.bytes.append(plainCell: title.span, delimiter: Delimiter.byte) || title.isEmpty { return }
        sink.bytes.append(cell: title, delimiter: Delimiter.byte)
        if !Text(bytes: title).isUTF8 { losses.note(.foreignEncoding) }
    }

    private func noteLosses(_ record: borrowing Record, _ losses: inout [Loss]) {
        var held = self.held.union(Features(.structuresInFields))
        if !options.columns.isEmpty { return structure.noteLosses(of: record, unsupportedBy: held, in: &losses) }
        if let column = header.nameColumn, let entry = places.entry(at: column) {
            let isSame = record.fields.bytes[record.fields.entries[entry].valueRange].elementsEqual(record.nameBytes)
            if !isSame { held.remove(Features(.names)) }
        } else if header.nameColumn == nil {
            held.remove(Features(.names))
        }
        if header.subjectColumn == nil, !structure.bytes.isEmpty { held.subtract(.inSMILES) }
        structure.noteLosses(of: record, unsupportedBy: held, in: &losses)
    }
}

extension [UInt8] {
    /// Appends a text as a cell if it needs no quotes and no conversion, as in most cases. Returns whether it did.
    fileprivate mutating func append(plainCell text: Span<UInt8>, delimiter: UInt8) -> Bool {
        guard text.count > 0, text[0] != Ascii.blank, text[text.count &- 1] != Ascii.blank,
            text.isPrintableASCII(without: delimiter, Ascii.quote)
        else { return false }
        append(copying: text)
        return true
    }

    /// Appends a text as a cell in UTF-8, in quotes if necessary.
    mutating func append(cell text: ArraySlice<UInt8>, delimiter: UInt8) {
        if append(plainCell: text.span, delimiter: delimiter) { return }
        var isQuoted = text.isEmpty
        var isASCII = true
        for byte in text {
            if byte <= Ascii.blank { isQuoted = isQuoted || byte != Ascii.blank }
            if byte == delimiter || byte == Ascii.quote { isQuoted = true }
            if byte >= 0x80 { isASCII = false }
        }
        let isForeign = !isASCII && String(validating: text, as: UTF8.self) == nil
        let text = isForeign ? Array(Text(bytes: text).string.utf8)[...] : text
        // Some readers remove blanks at the ends and a byte order mark from the text.
        if text.first == Ascii.blank || text.last == Ascii.blank || text.first == 0xEF { isQuoted = true }
        guard isQuoted else { return append(contentsOf: text) }
        append(Ascii.quote)
        for byte in text {
            if byte == Ascii.quote { append(byte) }
            append(byte)
        }
        append(Ascii.quote)
    }
}
