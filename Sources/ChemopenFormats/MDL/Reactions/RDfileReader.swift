import ChemopenBytes
import ChemopenModel

/// Reads RD files. Each record is cut out, up to the start of the next one, before it is parsed.
public struct RDfileReader: RecordReader, ~Copyable {
    private var window: RecordSplitter<RDSeparator>
    private var columns = FieldColumns()
    private let date: Text?
    /// The read error that occurred while the first lines were examined.
    private var failure: ReadError?
    public private(set) var issues: [Issue] = []

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        var source = source
        failure = source.lookAhead()
        date = Self.date(in: source.buffer.span, source.window)
        window = RecordSplitter(source, options, RDSeparator())
    }

    /// The columns of the records read until now, and the date of the file as an extension named `$DATM`.
    public var header: SheetHeader {
        var header = SheetHeader()
        header.columns = columns.columns
        if let date { header.extensions = [.init(name: RDfileHead.dateName, type: RDfileHead.type, content: date)] }
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
        guard try takeNext() else { return false }
        let buffer = window.buffer
        let bytes = buffer.span
        record.removeAllFields()
        columns.beginRecord()
        let start = window.text.lowerBound + bytes.extracting(window.text).startOfText
        var reader = RDRecordReader(
            LineCursor(start..<window.text.upperBound, of: bytes), firstLine: place.line,
            beginsFile: place.record == 1 && place.line == 1)
        do throws(Fault) {
            try reader.read(buffer, into: &record, columns: &columns)
        } catch {
            issues = reader.issues
            window.place.version = reader.version
            window.lineCount = countLines(bytes)
            throw ReadError(error, in: window.text, of: bytes, file: window.source.name, place: place)
        }
        issues = reader.issues
        window.place.version = reader.version
        window.lineCount = reader.lines.line
        record.fields.columns = columns.columns
        return true
    }

    public mutating func pass() throws(ReadError) -> Bool {
        window.stopCounting()
        return try takeNext()
    }

    /// Cuts out the next record.
    private mutating func takeNext() throws(ReadError) -> Bool {
        issues.removeAll(keepingCapacity: true)
        window.forgetBytesBetween()
        if let error = failure {
            failure = nil
            throw error
        }
        guard try window.next() else { return false }
        if firstKeyword() != nil { return true }
        // The header lines of the file belong to its first record.
        _ = try window.extend()
        return firstKeyword() == nil ? try refuseHead(window.buffer.span) : true
    }

    /// Returns the line that begins the first record in the text.
    private func firstKeyword() -> Range<Int>? {
        let bytes = window.buffer.span
        var index = window.text.lowerBound
        while let dollar = KeywordLines.next(in: bytes, from: index, of: window.text) {
            let rest = dollar..<window.text.upperBound
            if RDRecordReader.isBeginning(rest, bytes) { return rest }
            index = dollar + 1
        }
        return nil
    }

    /// Returns `false` if a file without records has only header lines, and throws an error if it contains other
    /// text.
    private mutating func refuseHead(_ bytes: Span<UInt8>) throws(ReadError) -> Bool {
        window.place.record -= 1
        window.lineCount = countLines(bytes)
        var lines = LineCursor(window.text, of: bytes)
        while let line = lines.next(in: bytes) {
            if RDfileHead.isLine(line, bytes) || bytes.isBlank(line) { continue }
            throw ReadError(
                Fault(line: lines.line - 1, expected: "a record: $MFMT, $RFMT or a registry number"), in: window.text,
                of: bytes, file: window.source.name, place: place)
        }
        issues.note(Issue(line: place.line, "the file contains no records"))
        window.passOver()
        return false
    }

    private func countLines(_ bytes: Span<UInt8>) -> Int {
        var lines = LineCursor(window.text, of: bytes)
        while lines.next(in: bytes) != nil {}
        return lines.line
    }

    private static func date(in bytes: Span<UInt8>, _ window: Range<Int>) -> Text? {
        var lines = LineCursor(window.lowerBound..<min(window.upperBound, window.lowerBound + 1024), of: bytes)
        while let line = lines.next(in: bytes), !RDRecordReader.isBeginning(line, bytes) {
            if bytes.range(line, begins: "$DATM") {
                return Text(bytes: bytes.bytes(bytes.trimmed(bytes.columns(5..., of: line))))
            }
        }
        return nil
    }
}

/// The two header lines of an RD file: `$RDFILE 1` and `$DATM` with a date.
enum RDfileHead {
    static let dateName: Text = "$DATM"
    static let type: Text = "chemical/x-mdl-rdfile"

    static func isLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let start = line.lowerBound + (line.lowerBound == 0 ? bytes.startOfText : 0)
        let text = min(start, line.upperBound)..<line.upperBound
        return bytes.range(text, begins: "$RDFILE") || bytes.range(text, begins: "$DATM")
    }
}

extension ByteSource {
    /// Buffers the first bytes of the source, and returns the error if reading them failed.
    fileprivate mutating func lookAhead() -> ReadError? {
        while window.count < 1024, !isAtEnd {
            do throws(FileError) {
                _ = try fill()
            } catch {
                return ReadError(error)
            }
        }
        return nil
    }
}
