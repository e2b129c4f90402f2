import ChemopenBytes
import ChemopenModel

/// A table of delimited text, divided into rows and cells.
struct DelimitedText<Delimiter: CellDelimiter>: TableText {
    private(set) var rows: [Range<Int>] = []
    private(set) var columnCount = 0
    private let head: Range<Int>

    init?(_ bytes: borrowing Span<UInt8>) {
        let bytes = copy bytes
        var separation = RowSeparation(delimiter: Delimiter.byte)
        var position = 0
        var head: Range<Int>?
        while position < bytes.count {
            var end = bytes.count
            if case .found(let separator) = separation.search(
                in: bytes, from: position, of: position..<bytes.count, atEnd: true)
            {
                end = separator.upperBound
            }
            let row = position..<max(end, position + 1)
            position = row.upperBound
            let text = Self.text(of: row, bytes)
            if text.allSatisfy({ bytes[$0] == Ascii.blank }) {
                // A blank line is not a row, and belongs to the row before it.
                if head == nil { return nil }
                if rows.isEmpty {
                    head = 0..<row.upperBound
                } else {
                    rows[rows.count - 1] = rows[rows.count - 1].lowerBound..<row.upperBound
                }
            } else if head == nil {
                head = row
            } else {
                rows.append(row)
            }
        }
        guard let head, let cells = Self.cells(of: bytes.extracting(head)) else { return nil }
        self.head = head
        columnCount = cells.count
    }

    /// Returns a row without its line end and byte order mark.
    private static func text(of row: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int> {
        let start = row.lowerBound == 0 ? bytes.startOfText : row.lowerBound
        return bytes.withoutLineEnd(min(start, row.upperBound)..<row.upperBound)
    }

    /// Returns the text of a row without the blank lines that may follow it.
    private static func endOfCells(_ row: Span<UInt8>) -> Range<Int> {
        var separation = RowSeparation(delimiter: Delimiter.byte)
        var end = row.count
        if case .found(let separator) = separation.search(in: row, from: 0, of: 0..<row.count, atEnd: true) {
            end = separator.upperBound
        }
        return text(of: 0..<end, row)
    }

    static func cells(of row: borrowing Span<UInt8>) -> [(column: Int, range: Range<Int>)]? {
        let row = copy row
        var cells = RowCells(endOfCells(row), delimiter: Delimiter.byte)
        var places: [(column: Int, range: Range<Int>)] = []
        while let cell = cells.next(in: row) {
            guard cell.isClosed, cells.count <= DelimitedTable.mostColumns else { return nil }
            let range = cell.isQuoted ? cell.text.lowerBound - 1..<cell.rest.upperBound : cell.text
            places.append((cells.count - 1, range))
        }
        return places
    }

    func rest(of bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[(rows.last ?? head).upperBound...] }

    func head(of bytes: [UInt8], adding columns: [Column], rows difference: Int) -> [UInt8] {
        if columns.isEmpty { return Array(bytes[head]) }
        var names: [UInt8] = []
        for column in columns {
            names.append(Delimiter.byte)
            names.append(cell: column.name.bytes[...], delimiter: Delimiter.byte)
        }
        let end = Self.endOfCells(bytes.span.extracting(head)).upperBound
        return Array(bytes[head.lowerBound..<head.lowerBound + end]) + names
            + bytes[head.lowerBound + end..<head.upperBound]
    }

    static func row(_ row: [UInt8], with cells: [(column: Int, bytes: [UInt8])]) -> [UInt8] {
        guard let places = Self.cells(of: row.span), let last = places.last else { return row }
        var text: [UInt8] = []
        var position = 0
        for cell in cells where cell.column < places.count {
            let range = places[cell.column].range
            text += row[position..<range.lowerBound] + cell.bytes
            position = range.upperBound
        }
        text += row[position..<max(position, last.range.upperBound)]
        var width = places.count
        for cell in cells where cell.column >= places.count && !cell.bytes.isEmpty {
            text += Array(repeating: Delimiter.byte, count: cell.column - width + 1) + cell.bytes
            width = cell.column + 1
        }
        return text + row[max(position, last.range.upperBound)...]
    }

    static func widened(_ row: [UInt8], from width: Int, to newWidth: Int) -> [UInt8] {
        guard let cells = Self.cells(of: row.span), let last = cells.last, cells.count >= width else { return row }
        let missing = max(0, newWidth - cells.count)
        let end = last.range.upperBound
        return Array(row[..<end]) + Array(repeating: Delimiter.byte, count: missing) + row[end...]
    }

    static func numbered(_ row: [UInt8], _ number: Int) -> [UInt8] { row }
}
