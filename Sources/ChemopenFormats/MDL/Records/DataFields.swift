import ChemopenBytes
import ChemopenModel

/// Reads the data fields of an SD record: headers that start with `>`, and values that end at the first empty line.
///
/// A line of blanks also ends a value if a header or the end of the record follows, as in PubChem Substance files.
struct DataFieldReader {
    var lines: LineCursor
    let firstLine: Int
    var issues: [Issue] = []
    /// Whether the record ended before an empty line closed the last value.
    private(set) var isOpen = false
    private var isBehindMolfile = true
    /// The number of lines read for the last value.
    private var valueLines = 0

    init(_ lines: LineCursor, firstLine: Int) {
        self.lines = lines
        self.firstLine = firstLine
    }

    mutating func read(_ bytes: Span<UInt8>, into record: inout Record, columns: inout FieldColumns) {
        while true {
            if !lines.hasCarriageReturns, let column = columns.passExpectedHeader(&lines, bytes) {
                isBehindMolfile = false
                add(column, header: record.fields.bytes.count, bytes, &record.fields)
                continue
            }
            guard let line = lines.next(in: bytes) else { return }
            if line.isEmpty {
                if isBehindMolfile { remark("an empty line precedes the first data field", "") }
                continue
            }
            isBehindMolfile = false
            if bytes[line.lowerBound] == Ascii.greater {
                field(line, bytes, &record.fields, &columns)
            } else if !bytes.isBlank(line) {
                keepStray(line, bytes, &record)
            }
        }
    }

    /// Continues a value that is still open, because the `$$$$` at the end of the text belongs to the value.
    mutating func resume(
        _ rest: Range<Int>, _ bytes: Span<UInt8>, into record: inout Record, columns: inout FieldColumns
    ) {
        lines = LineCursor(rest, of: bytes, line: lines.line)
        appendValue(bytes, to: &record.fields.bytes)
        let last = record.fields.entries.count - 1
        if last >= 0 { record.fields.entries[last].end = UInt32(clamping: record.fields.bytes.count) }
        read(bytes, into: &record, columns: &columns)
    }

    /// Reports a line that belongs to no field, and preserves it in the record.
    private mutating func keepStray(_ line: Range<Int>, _ bytes: Span<UInt8>, _ record: inout Record) {
        let text = Text(bytes: bytes.bytes(line))
        doubt("text between the data fields; preserved verbatim", text)
        record.verbatim.append(Verbatim(.sdfile, text))
    }

    private mutating func remark(_ message: String, _ found: Text) {
        issues.note(Issue(line: firstLine &+ lines.line &- 1, message, found: found, severity: .remark))
    }

    private mutating func doubt(_ message: String, _ found: Text) {
        issues.note(Issue(line: firstLine &+ lines.line &- 1, message, found: found))
    }

    private mutating func field(
        _ header: Range<Int>, _ bytes: Span<UInt8>, _ fields: inout Fields, _ columns: inout FieldColumns
    ) {
        let name = fieldName(header, bytes)
        let column = columns.place(of: name.range, in: bytes)
        let start = fields.bytes.count
        if name.needsHeader {
            fields.bytes.append(copying: bytes.extracting(header))
        } else if !name.range.isEmpty, !lines.hasCarriageReturns, lines.position > header.upperBound {
            columns.remember(header: header.lowerBound..<lines.position, of: column, in: bytes)
        }
        add(column, header: start, bytes, &fields)
    }

    /// Adds a field and reads its value. Its header, which begins at index `start`, was already appended.
    private mutating func add(_ column: Int, header start: Int, _ bytes: Span<UInt8>, _ fields: inout Fields) {
        let value = fields.bytes.count
        valueLines = 0
        appendValue(bytes, to: &fields.bytes)
        fields.entries.append(Fields.Entry(column: column, header: start, value: value, end: fields.bytes.count))
    }

    /// Returns the name in a header, and whether the header contains anything else that must be preserved.
    ///
    /// The name extends from the first `<` to the last `>` of the line. If there are no angle brackets, the name is
    /// `DTn` or the field number.
    private mutating func fieldName(_ header: Range<Int>, _ bytes: Span<UInt8>) -> (
        range: Range<Int>, needsHeader: Bool
    ) {
        let open = firstIndex(of: Ascii.less, in: bytes, from: header.lowerBound + 1, to: header.upperBound)
        if let open {
            var close = header.upperBound &- 1
            while close > open, bytes[close] != Ascii.greater { close &-= 1 }
            if close > open {
                let hasMore =
                    !bytes.isEmptyOfText(header.lowerBound + 1..<open)
                    || !bytes.isEmptyOfText(close + 1..<header.upperBound)
                if close == open + 1 {
                    doubt("a data header with an empty name; the field is preserved", Text(bytes: bytes.bytes(header)))
                }
                return (open + 1..<close, hasMore)
            }
            doubt(
                "the name of a data field is not closed by >; the field is preserved", Text(bytes: bytes.bytes(header)))
            return (bytes.trimmed(open + 1..<header.upperBound), true)
        }
        let words = bytes.words(header.lowerBound + 1..<header.upperBound)
        let field = words.first { bytes.range($0, begins: "DT") } ?? words.first { bytes.integer($0) != nil }
        if field == nil {
            doubt("a data header without a name or number; the field is preserved", Text(bytes: bytes.bytes(header)))
        }
        return (field ?? bytes.trimmed(header.lowerBound + 1..<header.upperBound), true)
    }

    /// Reads the lines up to the first empty one and appends them, joined by LF.
    private mutating func appendValue(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        isOpen = true
        if valueLines > 0, !lines.isAtEnd { output.append(Ascii.lineFeed) }
        if !lines.hasCarriageReturns {
            output.append(copying: bytes.extracting(takeValue(bytes)))
            return
        }
        var isFirst = true
        while let line = lines.next(in: bytes) {
            if Self.endsValue(line, before: lines, bytes) {
                close(line)
                break
            }
            if bytes[line.lowerBound] == Ascii.greater { remarkHeaderInValue(line, bytes) }
            if !isFirst { output.append(Ascii.lineFeed) }
            output.append(copying: bytes.extracting(line))
            isFirst = false
            valueLines &+= 1
        }
    }

    /// Reads the lines up to the first empty one if all end in LF, and returns their range, which needs no
    /// conversion.
    private mutating func takeValue(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = lines.position
        while lines.position < lines.end {
            let line = lines.position
            if bytes[line] == Ascii.lineFeed {
                lines.take(upTo: line)
                isOpen = false
                return start..<max(start, line &- 1)
            }
            let feed = firstIndex(of: Ascii.lineFeed, in: bytes, from: line, to: lines.end)
            lines.take(upTo: feed ?? lines.end &- 1)
            if Ascii.isBlank(bytes[line]), Self.endsValue(line..<(feed ?? lines.end), before: lines, bytes) {
                close(line..<(feed ?? lines.end))
                return start..<max(start, line &- 1)
            }
            valueLines &+= 1
            if bytes[line] == Ascii.greater { remarkHeaderInValue(line..<(feed ?? lines.end), bytes) }
        }
        let hasLineEnd = lines.position > start && bytes[lines.position &- 1] == Ascii.lineFeed
        return start..<(hasLineEnd ? lines.position &- 1 : lines.position)
    }

    private mutating func close(_ line: Range<Int>) {
        isOpen = false
        if !line.isEmpty { remark("a line of blanks ends the value of a data field; it should be empty", "") }
    }

    private mutating func remarkHeaderInValue(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        remark("a line of a value looks like a data header; read as part of the value", Text(bytes: bytes.bytes(line)))
    }
}

extension DataFieldReader {
    /// Whether a line ends a value: it is empty, or it is blank and a data header or the end of the record follows.
    static func endsValue(_ line: Range<Int>, before lines: LineCursor, _ bytes: Span<UInt8>) -> Bool {
        if line.isEmpty { return true }
        guard bytes.isBlank(line) else { return false }
        return lines.peek(in: bytes).map { isHeader($0, bytes) } ?? true
    }

    /// Whether a line is a data header that has a name.
    static func isHeader(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        !line.isEmpty && bytes[line.lowerBound] == Ascii.greater
            && firstIndex(of: Ascii.less, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
    }
}

extension Span<UInt8> {
    /// Whether a range contains only blanks and NULs, which are replaced by blanks.
    fileprivate func isEmptyOfText(_ range: Range<Int>) -> Bool {
        for index in range where !Ascii.isBlank(self[index]) && self[index] != 0 { return false }
        return true
    }
}
