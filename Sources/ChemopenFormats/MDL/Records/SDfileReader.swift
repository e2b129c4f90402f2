import ChemopenBytes
import ChemopenModel

/// Reads SD files. Each record is cut out at its `$$$$` before it is parsed.
public struct SDfileReader: RecordReader, ~Copyable {
    private var window: RecordSplitter<SDSeparator>
    private var columns = FieldColumns()
    public private(set) var issues: [Issue] = []
    /// Whether the molfile skips more lines than precede the separator. If so, the separator is a skipped line.
    private var molfileWantsMore = false
    /// Whether the previous record had carriage returns; only a change is reported.
    private var hadCarriageReturns = false
    private let skipsStructures: Bool

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        skipsStructures = options.skipsStructures
        window = RecordSplitter(source, options, SDSeparator())
    }

    public var header: SheetHeader {
        var header = SheetHeader()
        header.columns = columns.columns
        return header
    }

    public var place: RecordPlace { window.place }

    public var bytesRead: Int { window.source.bytesRead }

    public func copyRecordBytes(to bytes: inout [UInt8]) {
        window.copyRecordBytes(to: &bytes)
    }

    public func copyBytesBetweenRecords(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: window.bytesBetween)
    }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues.removeAll(keepingCapacity: true)
        window.forgetBytesBetween()
        while try window.next() {
            if isEmptyRecord() { continue }
            try readText(into: &record)
            return true
        }
        remarkPadding()
        return false
    }

    public mutating func pass() throws(ReadError) -> Bool {
        issues.removeAll(keepingCapacity: true)
        window.forgetBytesBetween()
        window.stopCounting()
        while try window.next() {
            if isEmptyRecord() { continue }
            if Self.isClosed(window.text, window.buffer.span) { return true }
            var record = Record()
            try readText(into: &record)
            return true
        }
        return false
    }

    /// Parses the record that was cut out, and extends it past its separator if that is part of the record.
    private mutating func readText(into record: inout Record) throws(ReadError) {
        let told = issues
        let isFresh = record.fields.isFresh
        columns.beginRecord()
        var fields = try readMolfile(into: &record)
        let (textLength, length) = (window.text.count, window.current.count)
        while molfileWantsMore {
            // If even the rest of the file is too short, the number of lines to skip is wrong.
            if try !window.extend() { window.shorten(to: textLength, withSeparator: length) }
            let isLast = window.text.count == textLength
            issues = told
            fields = try readMolfile(into: &record)
            if isLast { break }
        }
        fields.read(window.buffer.span, into: &record, columns: &columns)
        while fields.isOpen, try isSeparatorOfValue() {
            let taken = window.text.count
            guard try window.extend() else { break }
            // The `$$$$` was a line of a value, so the record continues after it.
            let rest = window.text.lowerBound + taken..<window.text.upperBound
            fields.resume(rest, window.buffer.span, into: &record, columns: &columns)
        }
        if isFresh { record.fields.trim() }
        record.fields.columns = columns.columns
        issues.note(fields.issues)
        window.lineCount = fields.lines.line &+ 1
        if fields.isOpen, window.current.upperBound == window.text.upperBound, mayBeCutOff {
            let last = place.line &+ fields.lines.line &- 1
            issues.note(Issue(line: last, "the file ends within a value; read up to the end"))
        }
        if record.fields.bytes.replaceNUL() { doubtNUL() }
        remarkFrame(fields.lines)
    }

    /// Whether a file that ends in a value may be truncated.
    ///
    /// Many programs write a single molecule without the closing lines. This is accepted if the last line is complete.
    private var mayBeCutOff: Bool {
        place.record > 1 || !window.buffer.span.endsLine(at: window.text.upperBound - 1)
    }

    private mutating func doubtNUL() {
        let bytes = window.buffer.span
        let doubtfulLines = Set(issues.map(\.line))
        var lines = LineCursor(window.text, of: bytes)
        while let line = lines.next(in: bytes) {
            if firstIndex(of: 0, in: bytes, from: line.lowerBound, to: line.upperBound) == nil { continue }
            let number = place.line &+ lines.line &- 1
            if doubtfulLines.contains(number) { continue }
            issues.note(Issue(line: number, "a NUL in the line; replaced by a blank"))
        }
    }

    // MARK: Harmless deviations

    /// Adds remarks on deviations from the format in the lines around the record.
    private mutating func remarkFrame(_ lines: LineCursor) {
        if lines.hasCarriageReturns != hadCarriageReturns {
            hadCarriageReturns = lines.hasCarriageReturns
            remark(
                place.line,
                hadCarriageReturns ? "lines end in CR or CR LF from here on" : "lines end in LF from here on")
        }
        let last = place.line &+ lines.line
        let separator = window.current.upperBound - window.text.upperBound
        if separator == 0 {
            remark(last, "the last $$$$ is missing")
        } else if separator != 5, window.isWithoutLineEnd {
            remark(last, "the last line has no line end")
        } else if separator > 6 {
            remark(last, "blanks or text after $$$$")
        }
        if window.isAtStart, window.buffer.span.extracting(window.text).startOfText > 0 {
            remark(1, "the file begins with a byte order mark")
        }
    }

    private mutating func remarkPadding() {
        guard let first = window.padding.first else { return }
        remark(
            place.line,
            first > 0x0D || first == 0
                ? "control characters after the last record" : "empty lines after the last record")
    }

    private mutating func remark(_ line: Int, _ message: String) {
        issues.note(Issue(line: line, message, severity: .remark))
    }

    /// Reports and skips an empty record: two separators in a row, or only empty lines between them.
    private mutating func isEmptyRecord() -> Bool {
        guard window.text.count < 256, window.isPadding(window.text) else { return false }
        issues.note(Issue(line: place.line, "an empty record; skipped"))
        window.passOver()
        window.lineCount = countLines(of: window.text) + 1
        window.place.record -= 1
        return true
    }

    private func countLines(of text: Range<Int>) -> Int {
        let bytes = window.buffer.span
        var lines = LineCursor(text, of: bytes)
        while lines.next(in: bytes) != nil {}
        return lines.line
    }

    // MARK: Separators that are data

    /// Whether the separator is a line of the value that precedes it and that no empty line has closed.
    ///
    /// The separator ends the record if the file ends there, or if the fourth line after it is a counts line; in these
    /// cases, the program omitted the empty line.
    private mutating func isSeparatorOfValue() throws(ReadError) -> Bool {
        if window.current.upperBound == window.text.upperBound { return false }
        while true {
            switch whatFollows() {
            case .other: return true
            case .unknown: try window.more()
            case .nothing, .record:
                let line = place.line &+ countLines(of: window.text)
                issues.note(Issue(line: line, "no empty line closes the last value; the record ends at $$$$"))
                return false
            }
        }
    }

    private enum Sequel {
        case nothing, record, other
        /// More bytes are needed to decide.
        case unknown
    }

    /// Determines the text after the separator. A record is recognized by its fourth line, the counts line.
    private func whatFollows() -> Sequel {
        let longestHeader = 8 * 1024
        let start = window.current.upperBound
        let end = window.source.window.upperBound
        let behind = start..<min(end, start + longestHeader)
        let isAll = window.source.isAtEnd && behind.upperBound == end
        let isEnough = isAll || behind.count == longestHeader
        if window.isPadding(behind) { return isAll ? .nothing : isEnough ? .other : .unknown }
        let bytes = window.buffer.span
        var lines = LineCursor(behind, of: bytes)
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let line = lines.next(in: bytes), !lines.isAtEnd || isAll else { return isEnough ? .other : .unknown }
        guard let counts = CountsLine(line, of: bytes) else { return .other }
        if counts.hasVersion || counts.atoms == 0 { return .record }
        // Any six-digit number looks like counts, so an atom line must follow.
        let atom = lines.next(in: bytes)
        if !isEnough, lines.isAtEnd { return .unknown }
        return atom.map { bytes.words($0, limit: 4).count == 4 } == true ? .record : .other
    }

    // MARK: Reading a record

    /// Reads the molfile and returns a reader for the data that follow it.
    private mutating func readMolfile(into record: inout Record) throws(ReadError) -> DataFieldReader {
        let buffer = window.buffer
        let bytes = buffer.span
        let text = window.text
        record.removeAllFields()
        let start = text.lowerBound + (window.isAtStart ? bytes.extracting(text).startOfText : 0)
        var lines = LineCursor(start..<text.upperBound, of: bytes)
        skipBlankLines(&lines, bytes)
        if let first = lines.peek(in: bytes), DataFieldReader.isHeader(first, bytes), !hasCountsLine(lines, bytes) {
            issues.note(Issue(line: place.line, "the record has no molfile, only data"))
            record.subject = .none
            return DataFieldReader(lines, firstLine: place.line)
        }
        if let first = lines.peek(in: bytes), bytes.range(first, begins: "$MDL") {
            return try readRGfile(lines, into: &record)
        }
        if skipsStructures, let title = PlainMolfile.pass(&lines, bytes) {
            var molecule = record.takeMolecule()
            molecule.removeAll()
            molecule.heading.set(name: buffer[title], origin: [], comment: [])
            record.subject = .molecule(molecule)
            molfileWantsMore = false
            return DataFieldReader(lines, firstLine: place.line)
        }
        var molfile = MolfileReader(lines, firstLine: place.line, into: record.takeMolecule())
        do throws(Fault) {
            try molfile.read(buffer)
        } catch {
            window.lineCount = countLines(of: text) + 1
            issues.note(molfile.issues)
            window.place.version = molfile.version
            throw ReadError(error, in: text, of: bytes, file: window.source.name, place: place)
        }
        window.place.version = molfile.version
        molfileWantsMore = molfile.wantsMore
        issues.note(molfile.issues)
        let behind = molfile.lines
        record.subject = .molecule(molfile.takeMolecule())
        return DataFieldReader(behind, firstLine: place.line)
    }

    /// Reads a record that is an R-group file.
    private mutating func readRGfile(
        _ lines: LineCursor, into record: inout Record
    ) throws(ReadError) -> DataFieldReader {
        var file = RGfileReader(lines, firstLine: place.line)
        window.place.version = "V2000"
        molfileWantsMore = false
        defer { issues.note(file.issues) }
        do throws(Fault) {
            try file.read(window.buffer)
        } catch {
            window.lineCount = countLines(of: window.text) + 1
            throw ReadError(
                error, in: window.text, of: window.buffer.span, file: window.source.name, place: place)
        }
        record.subject = .molecule(file.molecule)
        return DataFieldReader(file.lines, firstLine: place.line)
    }

    /// Skips blank lines before a record, but only if the fourth line is then the counts line.
    ///
    /// The title, program and comment lines may be blank themselves.
    private mutating func skipBlankLines(_ lines: inout LineCursor, _ bytes: Span<UInt8>) {
        var ahead = lines
        guard let first = ahead.next(in: bytes), bytes.isBlank(first), let second = ahead.peek(in: bytes),
            bytes.isBlank(second), !hasCountsLine(lines, bytes)
        else { return }
        let most = 64
        for count in 2...most {
            guard let line = ahead.next(in: bytes), bytes.isBlank(line) else { return }
            if hasCountsLine(ahead, bytes) {
                issues.note(Issue(line: place.line, "\(count) blank lines before the record; skipped"))
                lines = ahead
                return
            }
        }
    }

    private func hasCountsLine(_ start: LineCursor, _ bytes: Span<UInt8>) -> Bool {
        var lines = start
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let line = lines.next(in: bytes) else { return false }
        return CountsLine(line, of: bytes) != nil
    }
}

/// The separator line `$$$$`, optionally followed by a blank and any text.
struct SDSeparator: RecordSeparation {
    func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch {
        var index = start
        while let dollar = KeywordLines.next(in: bytes, from: index, of: window) {
            index = dollar &+ 1
            guard dollar &+ 4 <= window.upperBound else {
                if atEnd { break }
                return .need(from: dollar)
            }
            guard bytes[dollar &+ 1] == Ascii.dollar, bytes[dollar &+ 2] == Ascii.dollar,
                bytes[dollar &+ 3] == Ascii.dollar
            else { continue }
            if dollar &+ 4 == window.upperBound {
                return atEnd ? .found(dollar..<window.upperBound) : .need(from: dollar)
            }
            if bytes[dollar &+ 4] > Ascii.blank { continue }
            if let end = endOfLine(bytes, from: dollar &+ 4, to: window.upperBound, atEnd: atEnd) {
                return .found(dollar..<end)
            }
            return .need(from: dollar)
        }
        return .need(from: window.upperBound)
    }

    private func endOfLine(_ bytes: Span<UInt8>, from start: Int, to end: Int, atEnd: Bool) -> Int? {
        for index in start..<end {
            if bytes[index] == Ascii.lineFeed { return index &+ 1 }
            if bytes[index] == Ascii.carriageReturn {
                if index &+ 1 < end { return bytes[index &+ 1] == Ascii.lineFeed ? index &+ 2 : index &+ 1 }
                return atEnd ? end : nil
            }
        }
        return atEnd ? end : nil
    }
}
