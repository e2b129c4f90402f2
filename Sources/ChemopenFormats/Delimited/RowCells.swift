import ChemopenBytes

/// A cell in its encoded form.
struct RowCell {
    /// The text without the quotes around it.
    var text: Range<Int>
    var isQuoted = false
    /// Whether doubled quotes in the text represent single ones.
    var hasPairs = false
    /// Text after the closing quote.
    var rest = 0..<0
    var isClosed = true

    /// Whether the cell has no value.
    var isMissing: Bool { !isQuoted && text.isEmpty }

    /// Appends the decoded text of the cell.
    func append(to text: inout [UInt8], from bytes: Span<UInt8>) {
        var isBehindQuote = false
        for place in self.text {
            let byte = bytes[place]
            isBehindQuote = hasPairs && byte == Ascii.quote && !isBehindQuote
            if !isBehindQuote { text.append(byte) }
        }
        for place in rest { text.append(bytes[place]) }
    }
}

/// An iterator over the cells of a row.
struct RowCells {
    private var position: Int
    private let end: Int
    private let delimiter: UInt8
    private var isAtEnd = false
    /// The number of cells that were returned.
    private(set) var count = 0

    init(_ row: Range<Int>, delimiter: UInt8) {
        position = row.lowerBound
        end = row.upperBound
        self.delimiter = delimiter
    }

    /// Returns the next cell. A row has at least one.
    mutating func next(in bytes: Span<UInt8>) -> RowCell? {
        if isAtEnd { return nil }
        var cell = RowCell(text: position..<position)
        if position < end, bytes[position] == Ascii.quote {
            cell.isQuoted = true
            takeQuoted(&cell, bytes)
        }
        let start = position
        while position < end, bytes[position] != delimiter { position += 1 }
        if cell.isQuoted { cell.rest = start..<position } else { cell.text = start..<position }
        isAtEnd = position == end
        count += 1
        position += 1
        return cell
    }

    private mutating func takeQuoted(_ cell: inout RowCell, _ bytes: Span<UInt8>) {
        position += 1
        let start = position
        while let quote = firstIndex(of: Ascii.quote, in: bytes, from: position, to: end) {
            position = quote + 1
            guard position < end, bytes[position] == Ascii.quote else {
                cell.text = start..<quote
                return
            }
            cell.hasPairs = true
            position += 1
        }
        cell.text = start..<end
        cell.isClosed = false
        position = end
    }
}
