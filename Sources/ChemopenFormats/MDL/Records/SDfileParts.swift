import ChemopenBytes

extension SDfileReader {
    /// Returns the parts of a record, with the same rules for headers and ends of values as in `DataFieldReader`.
    @Sendable static func parts(of record: borrowing Span<UInt8>) -> RecordParts? {
        let bytes = copy record
        let last = bytes.lastLine(of: bytes.withoutLineEnd(0..<bytes.count))
        let end = bytes.range(last, begins: "$$$$") ? last.lowerBound : bytes.count
        let start = bytes.startOfText
        var lines = LineCursor(start..<end, of: bytes)
        guard let title = lines.peek(in: bytes), !DataFieldReader.isHeader(title, bytes) else { return nil }
        let isRGfile = bytes.range(title, begins: "$MDL")
        while let line = lines.next(in: bytes), !bytes.range(line, begins: isRGfile ? "$END MOL" : "M  END") {}
        while let line = lines.peek(in: bytes), !DataFieldReader.isHeader(line, bytes) {
            if !line.isEmpty { return nil }
            lines.takeSeen(line, in: bytes)
        }
        var parts = RecordParts(structureUpTo: lines.position)
        parts.start = start
        if !isRGfile { parts.title = title }
        var isClosed = true
        while let header = lines.next(in: bytes) {
            guard !header.isEmpty, bytes[header.lowerBound] == Ascii.greater else { continue }
            let value = lines.position
            isClosed = false
            while !isClosed, let line = lines.next(in: bytes) {
                isClosed = DataFieldReader.endsValue(line, before: lines, bytes)
            }
            parts.fields.append(RecordParts.Field(range: header.lowerBound..<lines.position, value: value))
        }
        let lineEnd = bytes.firstLineEnd ?? [Ascii.lineFeed]
        let hasLineEnd = bytes.endsLine(at: end - 1)
        parts.closing = (hasLineEnd ? [] : lineEnd) + (isClosed ? [] : lineEnd)
        return parts
    }
}
