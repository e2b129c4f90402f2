import ChemopenBytes
import ChemopenModel

/// Reads SD files. Each record is cut out at its `$$$$` before it is read, so that a broken one costs only itself.
public struct SDfileReader: RecordReader, ~Copyable {
    private var source: ByteSource
    private let options: ReadOptions
    private var columns = FieldColumns()
    /// The record read or refused last, in the source's buffer.
    private var current = 0..<0
    /// The lines of the record read or refused last.
    private var currentLines = 0
    public private(set) var place = RecordPlace()
    public private(set) var issues: [Issue] = []

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        self.source = source
        self.options = options
        place.record = options.recordsBefore
        place.line = options.linesBefore + 1
    }

    public var header: SheetHeader {
        var header = SheetHeader()
        header.columns = columns.columns
        return header
    }

    public var bytesRead: Int { source.bytesRead }

    public func copyRecordBytes(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: source.buffer[current])
    }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues.removeAll(keepingCapacity: true)
        while true {
            guard let text = try delimitNext() else { return false }
            if let cursor = emptyRecord(text) {
                issues.append(Issue(line: place.line, "an empty record; passed over"))
                currentLines = cursor.line + 1
                place.record -= 1
                continue
            }
            var end = text.upperBound
            while true {
                let outcome = try parse(text.lowerBound..<end, into: &record)
                guard outcome == .openValue, let further = try endIfSeparatorIsData(after: end) else { return true }
                // The `$$$$` was a line of a value: the record goes on behind it.
                end = further
            }
        }
    }

    // MARK: Cutting records out

    /// Moves on to the next record; returns its text without the separator, or `nil` at the end of the file.
    private mutating func delimitNext() throws(ReadError) -> Range<Int>? {
        place.line &+= currentLines
        source.consume(to: current.upperBound)
        currentLines = 0
        var scanned = source.window.lowerBound
        while true {
            switch Separator.find(in: source.buffer.span, from: scanned, of: source.window, atEnd: source.isAtEnd) {
            case .found(let separator):
                take(separator.upperBound)
                return source.window.lowerBound..<separator.lowerBound
            case .need(let from):
                if source.isAtEnd {
                    if isPadding(source.window) {
                        current = source.window.upperBound..<source.window.upperBound
                        return nil
                    }
                    take(source.window.upperBound)
                    return source.window
                }
                let offset = from - source.window.lowerBound
                try more()
                scanned = source.window.lowerBound + offset
            }
        }
    }

    private mutating func take(_ end: Int) {
        current = source.window.lowerBound..<end
        place.record += 1
        place.offset = source.offset
        place.length = current.count
    }

    private mutating func more() throws(ReadError) {
        if source.window.count >= options.largestRecord { try refuseTooLarge() }
        do throws(FileError) {
            _ = try source.fill()
        } catch {
            throw ReadError(error)
        }
    }

    /// Passes over a record that is larger than anything allowed, without keeping it.
    private mutating func refuseTooLarge() throws(ReadError) {
        let offset = source.offset
        var tail = source.window.upperBound
        while true {
            source.consume(to: max(source.window.lowerBound, tail - 8))
            let found = Separator.find(
                in: source.buffer.span, from: source.window.lowerBound, of: source.window, atEnd: source.isAtEnd)
            if case .found(let separator) = found {
                current = source.window.lowerBound..<separator.upperBound
                break
            }
            tail = source.window.upperBound
            if source.isAtEnd {
                current = tail..<tail
                break
            }
            do throws(FileError) {
                _ = try source.fill()
            } catch {
                throw ReadError(error)
            }
            tail = source.window.upperBound
        }
        place.record += 1
        throw ReadError(
            .tooLarge, file: source.name, record: place.record, line: place.line, offset: offset,
            expected: "a record of at most \(options.largestRecord) bytes; it is passed over")
    }

    /// White space, NUL and Ctrl-Z behind the last record are no record.
    private func isPadding(_ range: Range<Int>) -> Bool {
        let bytes = source.buffer.span
        for index in range where bytes[index] > Ascii.blank { return false }
        return true
    }

    /// A cursor behind a record in the middle of the file that holds nothing but white space.
    private func emptyRecord(_ text: Range<Int>) -> LineCursor? {
        guard text.count < 256, isPadding(text) else { return nil }
        let bytes = source.buffer.span
        var lines = LineCursor(text, of: bytes)
        while lines.next(in: bytes) != nil {}
        return lines
    }

    /// The end of the record if the separator behind it, in a value that no empty line has closed, is data.
    ///
    /// It ends the record all the same when nothing follows in the file, or when the fourth line behind it is a counts
    /// line: then somebody forgot the empty line.
    private mutating func endIfSeparatorIsData(after end: Int) throws(ReadError) -> Int? {
        let base = source.window.lowerBound
        if current.upperBound == end { return nil }
        let separatorEnd = current.upperBound - base
        let recordEnd = end - base
        search: while true {
            switch whatFollows(source.window.lowerBound + separatorEnd) {
            case .nothing, .record: return tellForgottenLine()
            case .other: break search
            case .unknown: try more()
            }
        }
        var scanned = source.window.lowerBound + separatorEnd
        while true {
            switch Separator.find(in: source.buffer.span, from: scanned, of: source.window, atEnd: source.isAtEnd) {
            case .found(let separator):
                current = source.window.lowerBound..<separator.upperBound
                place.length = current.count
                return separator.lowerBound
            case .need(let from):
                if source.isAtEnd {
                    current = source.window
                    place.length = current.count
                    return source.window.upperBound > source.window.lowerBound + recordEnd
                        ? source.window.upperBound : nil
                }
                let offset = from - source.window.lowerBound
                try more()
                scanned = source.window.lowerBound + offset
            }
        }
    }

    private enum Sequel {
        case nothing, record, other
        /// More bytes are needed to tell.
        case unknown
    }

    /// What stands behind a separator: a record has a counts line as its fourth.
    private func whatFollows(_ start: Int) -> Sequel {
        let bytes = source.buffer.span
        let behind = start..<source.window.upperBound
        if isPadding(behind) { return source.isAtEnd ? .nothing : .unknown }
        var lines = LineCursor(behind, of: bytes)
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let counts = lines.next(in: bytes), !lines.isAtEnd || source.isAtEnd else {
            return source.isAtEnd ? .other : .unknown
        }
        return CountsLine(counts, of: bytes) != nil ? .record : .other
    }

    private mutating func tellForgottenLine() -> Int? {
        issues.append(
            Issue(line: place.line &+ currentLines &- 1, "no empty line closes the last value; the record ends at $$$$"))
        return nil
    }

    // MARK: Reading a record

    private enum Outcome {
        case whole
        /// No empty line has closed the last value.
        case openValue
    }

    private mutating func parse(_ text: Range<Int>, into record: inout Record) throws(ReadError) -> Outcome {
        let buffer = source.buffer
        let bytes = buffer.span
        record.removeAllFields()
        let isFirst = place.offset == 0
        let start = text.lowerBound + (isFirst ? MolfileSniffer.startOfText(bytes.extracting(text)) : 0)
        var lines = LineCursor(start..<text.upperBound, of: bytes)
        if let first = lines.peek(in: bytes), isDataHeader(first, bytes), !hasCountsLine(lines, bytes) {
            issues.append(Issue(line: place.line, "the record has no molfile, only data"))
            record.subject = .none
        } else {
            var molfile = MolfileReader(lines, firstLine: place.line, into: record.takeMolecule())
            do throws(Fault) {
                try molfile.read(buffer)
            } catch {
                currentLines = countLines(text, bytes)
                issues += molfile.issues
                place.version = molfile.version
                throw readError(error, text, bytes)
            }
            place.version = molfile.version
            lines = molfile.lines
            if !molfile.issues.isEmpty { issues += molfile.issues }
            record.subject = .molecule(molfile.molecule)
        }
        var fields = DataFieldReader(lines, firstLine: place.line)
        fields.read(buffer, into: &record, columns: &columns)
        record.fields.columns = columns.columns
        if !fields.issues.isEmpty { issues += fields.issues }
        currentLines = fields.lines.line &+ 1
        return fields.isOpen ? .openValue : .whole
    }

    private func isDataHeader(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        !line.isEmpty && bytes[line.lowerBound] == Ascii.greater
            && firstIndex(of: Ascii.less, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
    }

    private func hasCountsLine(_ start: LineCursor, _ bytes: Span<UInt8>) -> Bool {
        var lines = start
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let line = lines.next(in: bytes) else { return false }
        return CountsLine(line, of: bytes) != nil
    }

    private func countLines(_ text: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var lines = LineCursor(text, of: bytes)
        while lines.next(in: bytes) != nil {}
        return lines.line &+ 1
    }

    private func readError(_ fault: Fault, _ text: Range<Int>, _ bytes: Span<UInt8>) -> ReadError {
        ReadError(fault, in: text, of: bytes, file: source.name, place: place)
    }

    // MARK: Cutting work for several threads

    /// The end of the last record that is whole without doubt: its separator stands behind an empty line or `M  END`.
    @Sendable static func lastRecordEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        var index = bytes.count - 6
        while index > 6 {
            if bytes[index] == Ascii.dollar, bytes[index + 1] == Ascii.dollar, bytes[index + 2] == Ascii.dollar,
                bytes[index + 3] == Ascii.dollar, bytes[index + 4] == Ascii.lineFeed, bytes[index - 1] == Ascii.lineFeed,
                bytes[index - 2] == Ascii.lineFeed || (bytes[index - 2] == 0x44 && bytes[index - 3] == 0x4E)
            {
                return index + 5
            }
            index -= 1
        }
        return nil
    }
}

/// The line `$$$$`, alone or with blanks and then anything behind it.
private enum Separator {
    enum Search {
        /// From the first `$` to behind the line's end.
        case found(Range<Int>)
        /// There is none up to here; further bytes may make one.
        case need(from: Int)
    }

    static func find(in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool) -> Search {
        var index = start
        while let dollar = firstIndex(of: Ascii.dollar, in: bytes, from: index, to: window.upperBound) {
            index = dollar &+ 1
            if dollar > window.lowerBound, bytes[dollar &- 1] != Ascii.lineFeed, bytes[dollar &- 1] != Ascii.carriageReturn {
                continue
            }
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

    private static func endOfLine(_ bytes: Span<UInt8>, from start: Int, to end: Int, atEnd: Bool) -> Int? {
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
