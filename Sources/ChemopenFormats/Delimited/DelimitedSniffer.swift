import ChemopenBytes

/// Returns whether a file can be a table of delimited text: its header and its first row have the same number of cells,
/// and their quotes match. Most text looks like a table with one column, so the file must also have the name or the
/// declared type of a table.
///
/// A table without rows has only a header. If a row is longer than the head of the file, it is not checked.
func sniffDelimited(_ head: Head, delimiter: UInt8) -> Confidence {
    let bytes = head.bytes.span
    if head.bytes.contains(0) || bytes.beginsMarkup { return .no }
    var separation = RowSeparation(delimiter: delimiter)
    var width: Int?
    var start = bytes.startOfText
    while start < bytes.count {
        guard
            case .found(let next) = separation.search(
                in: bytes, from: start, of: start..<bytes.count, atEnd: head.isWhole)
        else {
            if head.isWhole { return fits(start..<bytes.count, width) ? .possible : .no }
            return .possible
        }
        let row = bytes.withoutLineEnd(start..<next.lowerBound)
        start = next.lowerBound
        if row.allSatisfy({ bytes[$0] == Ascii.blank }) { continue }
        guard fits(row, width) else { return .no }
        if width != nil { return .possible }
        width = bytes.cellCount(of: row, delimiter: delimiter)
    }
    return width == nil ? .no : .possible

    /// Whether a row has the specified number of cells, if it is known.
    func fits(_ row: Range<Int>, _ width: Int?) -> Bool {
        let bytes = head.bytes.span
        guard let count = bytes.cellCount(of: row, delimiter: delimiter) else { return false }
        return width == nil || width == count
    }
}

extension Span<UInt8> {
    /// Whether the text is HTML, such as the error page of a server, or other XML.
    fileprivate var beginsMarkup: Bool {
        let start = bytes(startOfText..<min(startOfText + 5, count)).map { Ascii.lower($0) }
        return start.starts(with: "<!".utf8) || start.starts(with: "<?".utf8) || start.starts(with: "<html".utf8)
    }

    /// Returns the number of cells in a row, or `nil` if its quotes do not match.
    fileprivate func cellCount(of row: Range<Int>, delimiter: UInt8) -> Int? {
        var cells = RowCells(row, delimiter: delimiter)
        while let cell = cells.next(in: self) {
            guard cell.isClosed, cell.rest.isEmpty else { return nil }
        }
        return cells.count
    }
}
