import ChemopenBytes
import ChemopenModel

/// A format as its records stand in a file: whose each line is, and what the lines of a record say.
///
/// `FrameReader` makes the reader of it: it cuts each record out before it is read, counts lines and records, copies bytes
/// as they stood, tells errors with their place, and refuses a record that is too large.
///
///     let format = plain.read(by: FrameReader<XYZFrame>.self)
public protocol RecordFrame: SendableMetatype {
    /// A frame that has seen nothing.
    init(_ options: ReadOptions)

    /// How many records a file holds.
    static var recordsInFile: RecordsInFile { get }

    /// Says that the next line is the first of a record.
    mutating func beginRecord()

    /// Tells of a line, without its end, whose it is. Lines come one after the other, a line behind `.following` again;
    /// none comes of a format whose files hold one record.
    mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace

    /// The text that the bytes of a record stand for, where it is another one.
    mutating func unwrap(_ text: Range<Int>, of buffer: [UInt8]) -> [UInt8]?

    /// Reads a record that has been cut out, from the first line on. The record has no fields and keeps its molecule,
    /// whose memory may be used again.
    mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault)

    /// Whether the first record of a file may be the head of a table.
    static var mayHaveHead: Bool { get }

    /// Takes the first record of a file for the head of a table; `false` where it is a record like all others.
    mutating func takeHead(_ text: Range<Int>, of buffer: [UInt8]) -> Bool

    /// The facts that the head says of the table.
    var header: SheetHeader { get }

    /// The doubts about the record that is read, taken out.
    mutating func takeIssues() -> [Issue]

    /// The version that the last record is written in, where there are several.
    var version: String { get }
}

/// How many records a file of a format holds.
public enum RecordsInFile: Sendable {
    /// One: a file without text is broken.
    case one
    /// One or none; any number.
    case oneOrNone, several
}

/// Whose a line is.
public enum LinePlace: Sendable {
    /// The record goes on behind it.
    case inside
    /// The record ends with it.
    case last
    /// The record ends before it.
    case following
    /// It stands between two records. Only the first line of a record can be one.
    case between
}

extension RecordFrame {
    /// Nothing has to be done.
    public mutating func beginRecord() {}

    /// Every line is one of the record.
    public mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace { .inside }

    /// The bytes are the text.
    public mutating func unwrap(_ text: Range<Int>, of buffer: [UInt8]) -> [UInt8]? { nil }

    /// There are no versions.
    public var version: String { "" }

    /// There is no head.
    public static var mayHaveHead: Bool { false }

    /// No record is a head.
    public mutating func takeHead(_ text: Range<Int>, of buffer: [UInt8]) -> Bool { false }

    /// Nothing is said of a table.
    public var header: SheetHeader { SheetHeader() }
}

/// Reads the records of a format that says where they end and what they say.
public struct FrameReader<Frame: RecordFrame>: RecordReader, ~Copyable {
    private var window: RecordWindow<FrameSeparation<Frame>>
    private var isBegun = false
    /// The first record is cut out already: it was no head.
    private var isFirstTaken = false
    /// The head is among the bytes in front of the next record.
    private var isHeadBetween = false
    public private(set) var issues: [Issue] = []

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        window = RecordWindow(source, options, FrameSeparation(Frame(options)))
        if Frame.mayHaveHead, options.recordsBefore == 0 { try takeHead() }
    }

    private mutating func takeHead() throws(ReadError) {
        guard try takeNext() else { return }
        let start = window.text.lowerBound + window.buffer.span.extracting(window.text).startOfText
        if window.separation.frame.takeHead(start..<window.text.upperBound, of: window.buffer) {
            window.passOver()
            window.place.record -= 1
            isHeadBetween = true
        } else {
            isFirstTaken = true
        }
    }

    public var header: SheetHeader { window.separation.frame.header }

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
        if !isHeadBetween { window.forgetBytesBetween() }
        isHeadBetween = false
        let isTaken = isFirstTaken
        isFirstTaken = false
        if !isTaken, try !takeNext() { return false }
        record.removeAllFields()
        record.fields.columns = []
        let unwrapped = window.separation.frame.unwrap(window.text, of: window.buffer)
        let buffer = unwrapped ?? window.buffer
        let text = unwrapped.map { 0..<$0.count } ?? window.text
        let bytes = buffer.span
        var lines = LineCursor(text.lowerBound + bytes.extracting(text).startOfText..<text.upperBound, of: bytes)
        let place = window.place
        defer {
            issues.note(window.separation.frame.takeIssues())
            window.place.version = window.separation.frame.version
        }
        do throws(Fault) {
            try window.separation.frame.read(&lines, of: buffer, into: &record, at: place)
        } catch {
            throw ReadError(error, in: text, of: bytes, file: window.source.name, place: place)
        }
        return true
    }

    /// Cuts the next record out, and passes over the lines in front of it.
    private mutating func takeNext() throws(ReadError) -> Bool {
        let isFirst = !isBegun
        isBegun = true
        while try window.next() {
            window.lineCount = window.separation.lineCount
            if !window.separation.isBetween { return true }
            window.passOver()
            window.place.record -= 1
        }
        guard Frame.recordsInFile == .one, isFirst else { return false }
        window.place.record += 1
        return true
    }
}

/// Cuts records where their format says so of a line.
private struct FrameSeparation<Frame: RecordFrame>: RecordSeparation {
    var frame: Frame
    /// The lines of the record so far.
    private(set) var lineCount = 0
    /// The line cut out is no record.
    private(set) var isBetween = false
    private var isInside = false
    /// How many bytes of the next line have been searched for its end.
    private var searched = 0

    init(_ frame: Frame) {
        self.frame = frame
    }

    mutating func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch {
        guard Frame.recordsInFile == .several else { return .need(from: window.upperBound) }
        var line = start - searched
        var index = start
        while true {
            while index < window.upperBound, bytes[index] != Ascii.lineFeed, bytes[index] != Ascii.carriageReturn {
                index += 1
            }
            let isEnded = index + 1 < window.upperBound || index < window.upperBound && bytes[index] == Ascii.lineFeed
            guard isEnded || atEnd && line < window.upperBound else {
                searched = index - line
                return .need(from: index)
            }
            let isPair = isEnded && bytes[index] == Ascii.carriageReturn && bytes[index + 1] == Ascii.lineFeed
            let next = min(index + (isPair ? 2 : 1), window.upperBound)
            // Of a line that is too long to be kept the beginning is gone: nothing is asked of its rest.
            let text = line < window.lowerBound ? index..<index : line..<index
            if let end = end(of: text, in: bytes, next) { return .found(end..<end) }
            line = next
            index = next
        }
    }

    /// Where the record ends, if it does so with a line or before it.
    private mutating func end(of line: Range<Int>, in bytes: Span<UInt8>, _ next: Int) -> Int? {
        if !isInside {
            frame.beginRecord()
            lineCount = 0
        }
        let start = line.lowerBound + (isInside ? 0 : bytes.extracting(line).startOfText)
        let place = frame.place(start..<line.upperBound, of: bytes)
        isBetween = place == .between && !isInside
        isInside = place == .inside
        searched = 0
        if place == .following { return line.lowerBound }
        lineCount += 1
        return isInside ? nil : next
    }
}
