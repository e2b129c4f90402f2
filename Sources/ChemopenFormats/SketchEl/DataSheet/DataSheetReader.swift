import ChemopenBytes
import ChemopenModel

/// A reader for XML DataSheets. Each row is a record: the first molecule column is the structure, and the other columns
/// are fields.
///
/// The file passes through the parser in blocks until a row is complete. Rows are read from the events of a block,
/// which form a queue. Cells without a value are not stored, so the cost of a row depends only on its content.
public struct DataSheetReader: RecordReader, ~Copyable {
    private var source: ByteSource
    private let options: ReadOptions
    private var parser: XMLParser
    private var row: DataSheetRow
    private var sheet: DataSheetHeader
    private let names: DataSheetNames
    private let plainRows: PlainRows
    /// The number of bytes that the parser receives if a row is not plain. It increases until a row is plain again.
    private var foreignSize = Self.leastForeignSize
    /// The index of the next event, and the end of the events that were searched for the end of its element.
    private var cursor = 0
    private var scanned = 0
    private var depth = 0
    private var part = Part.root
    private var isPushed = false
    private var rowRange = 0..<0
    /// The offset of the source's first byte in the file.
    private let sourceStart: Int
    public private(set) var place = RecordPlace()
    public private(set) var issues: [Issue] = []
    /// How to read the file a second time; only needed until the header is known. It is set until the header is known.
    private var secondPass: SecondPass

    private enum Part {
        case root, head, content, tail, end
    }

    private enum SecondPass {
        case fromFile
        /// Reads the bytes again that were read until now.
        case fromMemory([UInt8])
        /// Reading the file again is unnecessary or impossible.
        case none
    }

    private static let blockSize = 64 * 1024
    private static let leastForeignSize = 1024
    /// The limit for bytes in memory. If the columns follow the rows and the source cannot be read again, its bytes
    /// must be stored.
    private static let mostInMemory = 1 << 30

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        var parser = XMLParser()
        secondPass = source.canRewind ? .fromFile : .fromMemory([])
        sourceStart = source.offset
        self.source = source
        self.options = options
        names = DataSheetNames(&parser.events)
        parser.events.markedName = names.row
        plainRows = PlainRows(of: "Row", "Cell", by: "id", &parser.events)
        self.parser = parser
        sheet = DataSheetHeader(names)
        row = DataSheetRow(names, options)
        place.record = options.recordsBefore
        try readHead()
    }

    public var header: SheetHeader { sheet.header }

    public var bytesRead: Int { source.bytesRead }

    public func copyRecordBytes(to bytes: inout [UInt8]) {
        DataSheetWriter.append(row: rowRange, of: parser.events, names, to: &bytes)
    }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        guard try pass() else { return false }
        row.read(rowRange, of: parser.events, number: place.record, header: sheet.header, into: &record)
        issues.note(row.issues)
        return true
    }

    public mutating func pass() throws(ReadError) -> Bool {
        issues = sheet.takeIssues()
        rowRange = 0..<0
        while part == .content {
            guard let range = try nextElement() else { break }
            let tag = parser.events.list[range.lowerBound]
            guard tag.name == names.row else {
                doubt(range.lowerBound, "skipped an element between the rows")
                continue
            }
            rowRange = range
            place.record += 1
            place.line = Int(tag.line)
            place.offset = parser.events.takeMark(ofElementAt: range.lowerBound).map { $0 + sourceStart } ?? 0
            return true
        }
        try readTail()
        return false
    }

    // MARK: Before and after the rows

    private mutating func readHead() throws(ReadError) {
        guard try enterRoot() else { return }
        while part == .head {
            guard let start = try nextStart() else {
                part = .end
                throw error("a Header and a Content element", line: 0)
            }
            if parser.events.list[start].name == names.content {
                try enterContent(start)
            } else {
                guard let element = try nextElement() else { throw unfinished(start) }
                try readPart(element.lowerBound)
            }
        }
    }

    private mutating func enterRoot() throws(ReadError) -> Bool {
        guard let start = try nextStart() else { throw error("an XML DataSheet", line: 0) }
        guard parser.events.list[start].name == names.dataSheet else {
            part = .end
            throw error(
                "the root element DataSheet", line: Int(parser.events.list[start].line),
                found: parser.events.name(of: start))
        }
        cursor = start + 1
        (scanned, depth) = (cursor, 0)
        part = .head
        return true
    }

    /// Continues with the rows if the columns are known. Otherwise, reads the entire file for the columns and starts
    /// again.
    private mutating func enterContent(_ start: Int) throws(ReadError) {
        if sheet.hasColumns && sheet.hasSummary {
            secondPass = .none
            cursor = start + 1
            (scanned, depth) = (cursor, 0)
            part = .content
            return
        }
        guard isFirstPass else {
            if !sheet.hasColumns { throw error("a Header before the rows", line: place.line) }
            cursor = start + 1
            (scanned, depth) = (cursor, 0)
            part = .content
            return
        }
        try readAllForHead(start)
    }

    /// Performs the first of two passes, which reads everything except the rows.
    private mutating func readAllForHead(_ start: Int) throws(ReadError) {
        let line = Int(parser.events.list[start].line)
        cursor = start + 1
        (scanned, depth) = (cursor, 0)
        part = .content
        while try nextElement() != nil {}
        try readTail()
        guard sheet.hasColumns else {
            part = .end
            throw error("a Header", line: line)
        }
        try startSecondPass(line)
        parser = XMLParser()
        parser.events.markedName = DataSheetNames(&parser.events).row
        (cursor, scanned, depth, isPushed, part) = (0, 0, 0, false, .root)
        guard try enterRoot() else { return }
        while let start = try nextStart() {
            if parser.events.list[start].name == names.content {
                cursor = start + 1
                (scanned, depth) = (cursor, 0)
                part = .content
                return
            }
            guard try nextElement() != nil else { throw unfinished(start) }
        }
    }

    private mutating func startSecondPass(_ line: Int) throws(ReadError) {
        guard isFirstPass else {
            part = .end
            throw error(
                "a Summary and a Header before the rows, because the input is too large to read twice", line: line)
        }
        do throws(FileError) {
            if case .fromMemory(let bytes) = secondPass {
                source = try ByteSource(inBlocksOf: Self.blockSize, bytes, name: source.path)
            } else {
                try source.rewind()
            }
        } catch {
            part = .end
            throw ReadError(error)
        }
        secondPass = .none
    }

    private mutating func unfinished(_ start: Int) -> ReadError {
        part = .end
        return error("the end of an element", line: 0)
    }

    private mutating func readPart(_ start: Int) throws(ReadError) {
        do throws(Fault) {
            try sheet.read(elementAt: start, parser.events)
        } catch {
            part = .end
            throw self.error("\(error.expected)", line: error.line)
        }
    }

    /// Reads the content after the rows, and compares their number with the header.
    private mutating func readTail() throws(ReadError) {
        guard part == .content || part == .tail else { return }
        part = .tail
        while let element = try nextElement() {
            let name = parser.events.list[element.lowerBound].name
            if name == names.extensionBlock || (name == names.header && !sheet.hasColumns)
                || (name == names.summary && !sheet.hasSummary)
            {
                try readPart(element.lowerBound)
                issues.note(sheet.takeIssues())
                if !isFirstPass { doubt(element.lowerBound, "a part of the sheet follows its rows") }
            } else {
                doubt(element.lowerBound, "skipped an element after the rows")
            }
        }
        while try push() {
            cursor = parser.events.list.count
            (scanned, depth) = (cursor, 0)
        }
        part = .end
        let count = place.record - options.recordsBefore
        if !isFirstPass, let stated = sheet.header.rowCount, stated != count {
            issues.note(Issue(line: 0, "nrows is \(stated), but there are \(count) rows"))
        }
    }

    // MARK: Events

    /// Returns the index of the next start tag and skips text before it. Returns `nil` at the end of the surrounding
    /// element.
    private mutating func nextStart() throws(ReadError) -> Int? {
        while true {
            if let isStart = moveToTag() {
                if isStart { return cursor }
                cursor += 1
                (scanned, depth) = (cursor, 0)
                return nil
            }
            guard try push() else { return nil }
        }
    }

    /// Moves to the next tag and returns whether it is a start tag, or `nil` if more events are needed.
    private mutating func moveToTag() -> Bool? {
        let events = parser.events.list.span
        var place = cursor
        defer {
            if place > cursor { (cursor, scanned, depth) = (place, place, 0) }
        }
        while place < events.count {
            if events[place].isStart { return true }
            if events[place].isEnd { return false }
            place &+= 1
        }
        return nil
    }

    /// Returns the events of the next element when it is complete.
    private mutating func nextElement() throws(ReadError) -> Range<Int>? {
        guard var start = try nextStart() else { return nil }
        let bytesBefore = source.bytesRead
        while true {
            if isElementComplete() {
                cursor = scanned
                depth = 0
                return start..<scanned
            }
            let size = parser.events.text.count
            let isSwollen = source.isCompressed && source.isSwollen(size, from: source.bytesRead - bytesBefore)
            if size > options.largestRecord || isSwollen {
                part = .end
                throw ReadError(
                    .tooLarge, file: source.name, record: place.record + 1, line: Int(parser.events.list[start].line),
                    expected: options.expected("a row", isSwollen: isSwollen))
            }
            guard try push() else { return nil }
            start = cursor
        }
    }

    /// Searches the new events for the end of the element at the cursor.
    private mutating func isElementComplete() -> Bool {
        let events = parser.events.list.span
        var place = scanned
        var depth = self.depth
        defer {
            scanned = place
            self.depth = depth
        }
        while place < events.count {
            let event = events[place]
            place &+= 1
            if event.isStart {
                depth &+= 1
            } else if event.isEnd {
                depth &-= 1
                if depth == 0 { return true }
            }
        }
        return false
    }

    /// Passes the next block to the parser and removes processed events. Returns `false` at the end of the file.
    private mutating func push() throws(ReadError) -> Bool {
        if let failure = parser.failure { try refuse(failure) }
        if isPushed { return false }
        parser.events.forget(before: cursor)
        (cursor, scanned) = (0, scanned - cursor)
        if source.window.isEmpty { _ = try fill() }
        if source.window.isEmpty {
            isPushed = true
            let nothing: [UInt8] = []
            parser.push(nothing.span)
        } else {
            try pushBlock()
        }
        return true
    }

    /// Parses the next plain rows directly, or passes the next block to the parser if it is not plain.
    private mutating func pushBlock() throws(ReadError) {
        let isInRows = part == .content && !isFirstPass
        if isInRows, parser.isBetweenRows {
            if takePlainRows() { return }
            while isRowCutOff, try fill() {
                if takePlainRows() { return }
            }
            foreignSize = min(foreignSize * 2, Self.blockSize)
        }
        let end = min(source.window.upperBound, source.window.lowerBound + Self.blockSize)
        var block = source.window.lowerBound..<end
        var endsHead = false
        let buffer = source.buffer
        if isInRows {
            // After a row, plain rows can bypass the parser again.
            let start = min(end, block.lowerBound + foreignSize)
            block = block.lowerBound..<(plainRows.endOfRow(in: buffer.span, from: start, to: end) ?? end)
        } else if part == .root || part == .head, let content = DataSheetNames.endOfContentTag(in: buffer.span, block) {
            block = block.lowerBound..<content
            endsHead = true
        }
        keep(block)
        if endsHead {
            parser.pushHead(buffer.span.extracting(block))
        } else {
            parser.push(buffer.span.extracting(block))
        }
        source.consume(to: block.upperBound)
    }

    /// Whether the next row continues after the window, and the window is small.
    private var isRowCutOff: Bool {
        let window = source.window
        if window.count >= Self.blockSize { return false }
        return plainRows.endOfRow(in: source.buffer.span, from: window.lowerBound, to: window.upperBound) == nil
    }

    private mutating func takePlainRows() -> Bool {
        let block = source.window.prefix(Self.blockSize)
        let end = parser.take(plainRows, from: block, of: source.buffer)
        guard end > block.lowerBound else { return false }
        source.consume(to: end)
        foreignSize = Self.leastForeignSize
        return true
    }

    private mutating func fill() throws(ReadError) -> Bool {
        do throws(FileError) {
            return try source.fill()
        } catch {
            part = .end
            throw ReadError(error)
        }
    }

    private mutating func keep(_ block: Range<Int>) {
        guard case .fromMemory(var bytes) = secondPass else { return }
        secondPass = .none
        let count = bytes.count + block.count
        if count > Self.mostInMemory { return }
        if source.isCompressed, source.isSwollen(count, from: source.bytesRead) { return }
        bytes.append(contentsOf: source.buffer[block])
        secondPass = .fromMemory(bytes)
    }

    private var isFirstPass: Bool {
        if case .none = secondPass { false } else { true }
    }

    private mutating func refuse(_ failure: XMLFailure) throws(ReadError) {
        if part == .end { return }
        let isInRows = part == .content
        part = .end
        cursor = parser.events.list.count
        if isInRows { place.record += 1 }
        throw ReadError(
            file: source.name, record: isInRows ? place.record : 0, line: failure.line,
            expected: "well-formed XML: \(failure.message)")
    }

    private func error(_ expected: String, line: Int, found: Text = "") -> ReadError {
        ReadError(file: source.name, line: line, expected: expected, found: found)
    }

    private mutating func doubt(_ event: Int, _ message: String) {
        let line = Int(parser.events.list[event].line)
        let name = parser.events.name(of: event)
        issues.note(Issue(line: line, message, found: name))
    }
}
