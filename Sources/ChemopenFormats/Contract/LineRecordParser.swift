import ChemopenBytes
import ChemopenModel

/// A line-based format: it assigns each line of a file to a record, and parses the lines of a record.
///
/// `LineRecordReader` turns it into a reader. It separates records before parsing them, counts lines and records, copies the
/// original bytes, adds positions to errors, and rejects records that are too large.
///
///     let format = plain.read(by: LineRecordReader<XYZFrame>.self)
public protocol LineRecordParser: SendableMetatype {
    /// Creates a parser for a new file.
    init(_ options: ReadOptions)

    /// The number of records that a file can contain.
    static var recordsInFile: RecordsInFile { get }

    /// Prepares for the first line of a record.
    mutating func beginRecord()

    /// Assigns a line, without its line end, to a record.
    ///
    /// Lines are passed in order. A line with the result `.following` is passed again. The function is not used for
    /// formats with one record per file.
    ///
    /// - Returns: the position of the line relative to the current record.
    mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace

    /// Converts the bytes of a record to other text, for formats that encode it.
    ///
    /// - Returns: the converted text, or `nil` if the bytes are the text.
    mutating func unwrap(_ text: Range<Int>, of buffer: [UInt8]) -> [UInt8]?

    /// Parses a complete record from its first line.
    ///
    /// - Parameter record: has no fields. It contains the previous molecule, to reuse its memory.
    /// - Throws: `Fault` if the record is invalid.
    mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault)

    /// Whether the first record of a file can be the header of a table.
    static var mayHaveHead: Bool { get }

    /// Parses the first record of a file as the header of a table.
    ///
    /// - Returns: `false` if it is an ordinary record.
    mutating func takeHead(_ text: Range<Int>, of buffer: [UInt8]) -> Bool

    /// The header of the table.
    var header: SheetHeader { get }

    /// Returns the issues of the current record and clears them.
    mutating func takeIssues() -> [Issue]

    /// The version of the format that the last record uses, if there are several.
    var version: String { get }
}

/// The number of records that a file of a format can contain.
public enum RecordsInFile: Sendable {
    /// Exactly one record. A file without text is invalid.
    case one
    /// At most one record, or any number.
    case oneOrNone, several
}

/// The position of a line relative to a record.
public enum LinePlace: Sendable {
    /// The record continues after the line.
    case inside
    /// The line is the last of the record.
    case last
    /// The line belongs to the next record.
    case following
    /// The line is between two records. This is only possible instead of the first line of a record.
    case between
}

extension LineRecordParser {
    /// The default implementation has no effect.
    public mutating func beginRecord() {}

    /// Returns `.inside` by default: all lines belong to one record.
    public mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace { .inside }

    /// Returns `nil` by default: the bytes are the text.
    public mutating func unwrap(_ text: Range<Int>, of buffer: [UInt8]) -> [UInt8]? { nil }

    /// The default is `nil`, for formats without versions.
    public var version: String { "" }

    /// The default is `false`, for formats without a header.
    public static var mayHaveHead: Bool { false }

    /// Returns `false` by default: there is no header.
    public mutating func takeHead(_ text: Range<Int>, of buffer: [UInt8]) -> Bool { false }

    /// The default is an empty header.
    public var header: SheetHeader { SheetHeader() }
}

/// A reader for a line-based format that a `LineRecordParser` describes.
public struct LineRecordReader<Frame: LineRecordParser>: RecordReader, ~Copyable {
    private var window: RecordSplitter<FrameSeparation<Frame>>
    private var isBegun = false
    /// Whether the first record is already separated, because it is not a header.
    private var isFirstTaken = false
    /// Whether the header is among the bytes before the next record.
    private var isHeadBetween = false
    public private(set) var issues: [Issue] = []

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        window = RecordSplitter(source, options, FrameSeparation(Frame(options)))
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

    public var place: RecordPlace {
        var place = window.place
        // The first record has been separated but not read.
        if isFirstTaken { place.record -= 1 }
        return place
    }

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

    /// Separates the next record and skips the lines before it.
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

/// Separates records by the positions that the format assigns to lines.
private struct FrameSeparation<Frame: LineRecordParser>: RecordSeparation {
    var frame: Frame
    /// The number of lines in the current record.
    private(set) var lineCount = 0
    /// Whether the separated line is not a record.
    private(set) var isBetween = false
    private var isInside = false
    /// The number of bytes of the next line that were already searched for its end.
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
            // If a line is too long for the buffer, its beginning is no longer available, so the line is treated as
            // empty.
            let text = line < window.lowerBound ? index..<index : line..<index
            if let end = end(of: text, in: bytes, next) { return .found(end..<end) }
            line = next
            index = next
        }
    }

    /// Returns the end of the record if the record ends before or after a line.
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
