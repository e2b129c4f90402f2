import ChemopenBytes

/// Returns whether a file that is named or declared a table of text can be one: its header and its first row have the same
/// number of cells, and their quotes are in order. Most text looks like a table of one column, so that a name has to say it.
///
/// A table without rows has a header only. Of a row that is longer than the head of the file, nothing is known.
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

    /// Whether a row has so many cells, if their number is known.
    func fits(_ row: Range<Int>, _ width: Int?) -> Bool {
        let bytes = head.bytes.span
        guard let count = bytes.cellCount(of: row, delimiter: delimiter) else { return false }
        return width == nil || width == count
    }
}

extension Span<UInt8> {
    /// Whether this is a page of the web, such as the answer of a server that had an error, or other XML.
    fileprivate var beginsMarkup: Bool {
        let start = bytes(startOfText..<min(startOfText + 5, count)).map { Ascii.lower($0) }
        return start.starts(with: "<!".utf8) || start.starts(with: "<?".utf8) || start.starts(with: "<html".utf8)
    }

    /// The number of cells of a row; `nil` if its quotes are not in order.
    fileprivate func cellCount(of row: Range<Int>, delimiter: UInt8) -> Int? {
        var cells = RowCells(row, delimiter: delimiter)
        while let cell = cells.next(in: self) {
            guard cell.isClosed, cell.rest.isEmpty else { return nil }
        }
        return cells.count
    }
}
