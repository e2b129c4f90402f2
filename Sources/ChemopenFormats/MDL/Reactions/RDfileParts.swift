import ChemopenBytes

/// The parts of a record of an RD file, with the same boundaries as in `RDRecordReader`.
enum RDfileParts {
    @Sendable static func parts(of record: borrowing Span<UInt8>) -> RecordParts? {
        let bytes = copy record
        var lines = LineCursor(bytes.startOfText..<bytes.count, of: bytes)
        while let line = lines.peek(in: bytes), !RDRecordReader.isBeginning(line, bytes) {
            guard RDfileHead.isLine(line, bytes) || bytes.isBlank(line) else { return nil }
            lines.takeSeen(line, in: bytes)
        }
        let start = lines.position
        var title: Range<Int>?
        var isReaction = false
        if let first = lines.next(in: bytes) {
            isReaction = bytes.range(first, begins: "$RFMT") || bytes.range(first, begins: "$RXN")
            if isReaction, !bytes.range(first, begins: "$RXN") { _ = lines.next(in: bytes) }
            if isReaction || bytes.range(first, begins: "$MFMT") { title = lines.peek(in: bytes) }
            if let line = title, bytes.range(line, begins: "$") { title = nil }
        }
        while let line = lines.peek(in: bytes), !isKeyword("$DTYPE", line, bytes) { lines.takeSeen(line, in: bytes) }
        if isReaction { passConditions(&lines, bytes) }
        var parts = RecordParts(structureUpTo: lines.position)
        (parts.start, parts.title) = (start, title)
        while let field = nextField(&lines, bytes) { parts.fields.append(field) }
        if !bytes.endsLine(at: bytes.count - 1) { parts.closing = bytes.firstLineEnd ?? [Ascii.lineFeed] }
        return parts
    }

    private static func isKeyword(_ keyword: StaticString, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.range(line, begins: keyword) && (line.count == 6 || Ascii.isBlank(bytes[line.lowerBound + 6]))
    }

    /// Skips the kind of a reaction's arrow and the texts at it, which are not data fields.
    private static func passConditions(_ lines: inout LineCursor, _ bytes: Span<UInt8>) {
        var behind = lines
        if let line = lines.peek(in: bytes), name(in: line, bytes) == RDDataReader.arrow.bytes,
            let field = nextField(&behind, bytes), isArrow(field, bytes)
        {
            lines = behind
        }
        behind = lines
        while let line = lines.peek(in: bytes),
            name(in: line, bytes) == RDDataReader.conditions.bytes,
            nextField(&behind, bytes) != nil
        {
            lines = behind
        }
    }

    private static func name(in line: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
        bytes.bytes(bytes.trimmed(bytes.columns(7..<max(7, line.count), of: line)))
    }

    private static func isArrow(_ field: RecordParts.Field, _ bytes: Span<UInt8>) -> Bool {
        var lines = LineCursor(field.value..<field.range.upperBound, of: bytes)
        guard let line = lines.next(in: bytes), lines.isAtEnd else { return false }
        return RDDataReader.arrow(called: name(in: line, bytes)) != nil
    }

    /// Returns the next name and its value, without the blank lines that separate the record from the next.
    private static func nextField(_ lines: inout LineCursor, _ bytes: Span<UInt8>) -> RecordParts.Field? {
        guard let first = lines.next(in: bytes), isKeyword("$DTYPE", first, bytes) else { return nil }
        var behind = lines
        var value: Int?
        while let line = lines.peek(in: bytes), !isKeyword("$DTYPE", line, bytes) {
            if isKeyword("$DATUM", line, bytes) {
                if value != nil { return nil }
                value = line.lowerBound
            }
            lines.takeSeen(line, in: bytes)
            if !bytes.isBlank(line) { behind = lines }
        }
        if lines.isAtEnd { lines = behind }
        return RecordParts.Field(range: first.lowerBound..<lines.position, value: value ?? lines.position)
    }
}
