import ChemopenBytes
import ChemopenChemistry
import ChemopenModel

/// A reader for tables of delimited text, with the column names in the header and a record in each row. It is the
/// inverse of `DelimitedWriter`.
///
/// A cell is a data field, except that the name column contains the title and the SMILES column contains the structure.
/// If a cell in the SMILES column is not a SMILES, it is preserved as text.
struct DelimitedReader<Delimiter: CellDelimiter>: RecordReader, ~Copyable {
    private var window: RecordSplitter<RowSeparation>
    private(set) var header: SheetHeader
    private(set) var issues: [Issue] = []
    /// The number of cells in the header.
    private var width = 0
    /// Whether the header is among the bytes before the next record.
    private var isHeadBetween = false
    private var value: [UInt8] = []
    private var smiles = SMILESReader()

    init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        window = RecordSplitter(source, options, RowSeparation(delimiter: Delimiter.byte))
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

    /// Separates the next row that is not blank.
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
            // A pair of quotes without text is an empty name.
            if cell.isMissing {
                nameColumn()
            } else {
                header.columns.append(Column(Text(bytes: value)))
            }
        }
        width = header.columns.count
        header.nameColumn =
            header.columns.firstIndex { $0.name == "Title" } ?? header.columns.firstIndex { $0.name == "Name" }
        let names = header.columns.map { $0.name.string.lowercased() }
        header.subjectColumn =
            names.firstIndex(of: "structure") ?? names.firstIndex(of: "smiles")
            ?? names.firstIndex { $0.hasSuffix("smiles") }
        if let column = header.subjectColumn { header.columns[column].kind = .molecule }
    }

    /// Adds a column without a name in the header.
    private mutating func nameColumn() {
        header.columns.append(Column(Text("Column \(header.columns.count + 1)")))
    }

    private mutating func readRow(into record: inout Record) throws(Fault) {
        var cells = RowCells(row, delimiter: Delimiter.byte)
        var name: [UInt8]?
        while let cell = try next(&cells) {
            let column = cells.count - 1
            if cell.isMissing { continue }
            if column == header.nameColumn {
                if !value.isEmpty { name = value }
            } else if column != header.subjectColumn || !takeStructure(into: &record) {
                while column >= header.columns.count { nameColumn() }
                record.fields.append(column: column, value[...])
            }
        }
        if let name {
            if case .none = record.subject { record.subject = .molecule(Molecule()) }
            record.setName(name[...])
        }
        if cells.count != width {
            issues.append(
                Issue(
                    line: place.line,
                    "the row has \(cells.count) cells, but the header has \(width)"))
        }
    }

    /// Parses the current cell as the structure of the record. Returns `false` if it is not a SMILES.
    private mutating func takeStructure(into record: inout Record) -> Bool {
        if value.isEmpty { return true }
        let end = value.firstIndex(of: Ascii.blank) ?? value.count
        let extensions = SMILESReader.extensions(in: value, from: end, to: value.count)
        do throws(Fault) {
            issues += try smiles.read(
                0..<end, extended: extensions, of: value, into: &record, from: 0, line: place.line)
            return true
        } catch {
            record.subject = .none
            issues.append(
                Issue(
                    line: place.line, "the cell is not a SMILES: expected \(error.expected); preserved as text",
                    found: Text(bytes: value)))
            return false
        }
    }

    /// Returns the next cell and stores its decoded text in `value`.
    private mutating func next(_ cells: inout RowCells) throws(Fault) -> RowCell? {
        let bytes = window.buffer.span
        guard let cell = cells.next(in: bytes) else { return nil }
        guard cells.count <= DelimitedTable.mostColumns else {
            throw Fault(line: 0, expected: "at most 16384 cells in a row")
        }
        guard cell.isClosed else { throw Fault(line: 0, expected: "a closing quote at the end of the cell") }
        value.removeAll(keepingCapacity: true)
        cell.append(to: &value, from: bytes)
        if !cell.rest.isEmpty {
            issues.append(
                Issue(
                    line: place.line, "expected a delimiter or the end of the row after a quote; read as text",
                    found: Text(bytes: bytes.bytes(cell.rest))))
        }
        return cell
    }
}
