import ChemopenBytes

/// Whether a head and a first row have the same number of cells, three or more. So has many a text that is no table: the
/// name or the declared type has to say that it is one.
func sniffDelimited(_ head: Head, delimiter: UInt8) -> Confidence {
    let bytes = head.bytes.span
    if head.bytes.contains(where: { $0 < Ascii.blank && $0 != Ascii.tab && $0 != Ascii.lineFeed && $0 != 0x0D }) {
        return .no
    }
    var separation = RowSeparation(delimiter: delimiter)
    var counts: [Int] = []
    var start = 0
    while counts.count < 2, start < bytes.count {
        var end = bytes.count
        if case .found(let next) = separation.search(in: bytes, from: start, of: start..<end, atEnd: head.isWhole) {
            end = next.lowerBound
        } else if !head.isWhole {
            return .no
        }
        let row = bytes.withoutLineEnd(start..<end)
        start = end
        if row.isEmpty { continue }
        guard let count = bytes.cellCount(of: row, delimiter: delimiter) else { return .no }
        counts.append(count)
    }
    return counts.count == 2 && counts[0] >= 3 && counts[0] == counts[1] ? .possible : .no
}

extension Span<UInt8> {
    /// How many cells a row has; `nil` where its quotes are not as they should be.
    fileprivate func cellCount(of row: Range<Int>, delimiter: UInt8) -> Int? {
        var cells = RowCells(row, delimiter: delimiter)
        while let cell = cells.next(in: self) {
            guard cell.isClosed, cell.rest.isEmpty else { return nil }
        }
        return cells.count
    }
}
