import ChemopenBytes
import ChemopenModel

/// Reads a table of text: the names of the columns from its head, and a record from each row behind it; the inverse of
/// `DelimitedWriter`.
///
/// A cell is a data field, and the one in the column of names is the title. A structure stays the text that it is.
struct DelimitedReader<Delimiter: CellDelimiter>: RecordReader, ~Copyable {
    private var window: RecordWindow<RowSeparation>
    private(set) var header: SheetHeader
    private(set) var issues: [Issue] = []
    /// How many cells the head has.
    private var width = 0
    /// The head is among the bytes in front of the next record.
    private var isHeadBetween = false
    private var value: [UInt8] = []

    init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        window = RecordWindow(source, options, RowSeparation(delimiter: Delimiter.byte))
        var header = SheetHeader()
        header.hasAllColumns = true
        header.hasTypes = false
        self.header = header
        try takeHead()
    }

    private mutating func takeHead() throws(ReadError) {
        guard try takeRow() else { return }
        do throws(Fault) {
            try readHead()
        } catch {
            throw told(error)
        }
        window.passOver()
        window.place.record -= 1
        isHeadBetween = true
    }

    var place: RecordPlace { window.place }

    var bytesRead: Int { window.source.bytesRead }

    func copyRecordBytes(to bytes: inout [UInt8]) {
        window.copyRecordBytes(to: &bytes)
    }

    func copyBytesBetweenRecords(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: window.bytesBetween)
    }

    mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues.removeAll(keepingCapacity: true)
        if !isHeadBetween { window.forgetBytesBetween() }
        isHeadBetween = false
        guard try takeRow() else { return false }
        record.subject = .none
        record.removeAllFields()
        do throws(Fault) {
            try readRow(into: &record)
        } catch {
            throw told(error)
        }
        record.fields.columns = header.columns
        return true
    }

    /// Cuts the next row out that is no blank line.
    private mutating func takeRow() throws(ReadError) -> Bool {
        while try window.next() {
            window.lineCount = window.separation.lineCount
            if !row.allSatisfy({ window.buffer[$0] == Ascii.blank }) { return true }
            window.passOver()
            window.place.record -= 1
        }
        return false
    }

    /// The row without its line end.
    private var row: Range<Int> {
        let bytes = window.buffer.span
        let text = bytes.withoutLineEnd(window.text)
        return text.lowerBound + (window.isAtStart ? bytes.extracting(text).startOfText : 0)..<text.upperBound
    }

    private func told(_ fault: Fault) -> ReadError {
        ReadError(fault, in: window.text, of: window.buffer.span, file: window.source.name, place: window.place)
    }

    // MARK: Rows

    private mutating func readHead() throws(Fault) {
        var cells = RowCells(row, delimiter: Delimiter.byte)
        while let cell = try next(&cells) {
            if cell.text.isEmpty, cell.rest.isEmpty {
                nameColumn()
            } else {
                header.columns.append(Column(Text(bytes: value)))
            }
        }
        width = header.columns.count
        header.nameColumn =
            header.columns.firstIndex { $0.name == "Title" } ?? header.columns.firstIndex { $0.name == "Name" }
    }

    /// Adds a column that the head does not name.
    private mutating func nameColumn() {
        header.columns.append(Column(Text("Column \(header.columns.count + 1)")))
    }

    private mutating func readRow(into record: inout Record) throws(Fault) {
        var cells = RowCells(row, delimiter: Delimiter.byte)
        while let cell = try next(&cells) {
            let column = cells.count - 1
            if cell.isMissing { continue }
            if column == header.nameColumn {
                if value.isEmpty { continue }
                var molecule = Molecule()
                molecule.name = Text(bytes: value)
                record.subject = .molecule(molecule)
            } else {
                while column >= header.columns.count { nameColumn() }
                record.fields.append(column: column, value[...])
            }
        }
        if cells.count != width {
            issues.append(
                Issue(
                    line: place.line,
                    "the row has \(cells.count) cells, and the head \(width); read as far as they go"))
        }
    }

    /// The next cell; `value` becomes the text that it stands for.
    private mutating func next(_ cells: inout RowCells) throws(Fault) -> RowCell? {
        let bytes = window.buffer.span
        guard let cell = cells.next(in: bytes) else { return nil }
        guard cells.count <= DelimitedTable.mostColumns else {
            throw Fault(line: 0, expected: "at most 16384 cells in a row")
        }
        guard cell.isClosed else { throw Fault(line: 0, expected: "a quote at the end of a cell that begins with one") }
        value.removeAll(keepingCapacity: true)
        cell.append(to: &value, from: bytes)
        if !cell.rest.isEmpty {
            issues.append(
                Issue(
                    line: place.line, "a delimiter or the end of the row expected behind a quote; taken as text",
                    found: Text(bytes: bytes.bytes(cell.rest))))
        }
        return cell
    }
}
