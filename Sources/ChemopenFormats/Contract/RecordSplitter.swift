import ChemopenBytes
import ChemopenModel

/// A method to separate the records of a format without parsing them.
protocol RecordSeparation {
    /// Searches a window for the next separator, from the start of a line or from the index that an earlier search has
    /// returned.
    mutating func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch
}

/// The result of a search for a separator.
enum SeparatorSearch {
    /// The record ends at the start of the range, and the next record begins at its end.
    case found(Range<Int>)
    /// No separator was found up to this index. More bytes are needed.
    case need(from: Int)
}

/// A source as a sequence of records. Each record is separated before it is parsed, so an invalid one does not affect
/// the others.
struct RecordSplitter<Separation: RecordSeparation>: ~Copyable {
    private(set) var source: ByteSource
    private let options: ReadOptions
    var separation: Separation
    /// The current record with its separator, as a range in the source's buffer.
    private(set) var current = 0..<0
    /// The current record without its separator.
    private(set) var text = 0..<0
    /// The number of lines in the current record, as counted by the reader.
    var lineCount = 0
    var place = RecordPlace()
    /// The first of the bytes after the last record that are not a record: blank lines, NUL, Ctrl-Z.
    private(set) var padding: [UInt8] = []
    /// The bytes before the record that belong to no record.
    private(set) var bytesBetween: [UInt8] = []
    /// The limit for `bytesBetween`, because a file may consist of separators only.
    private static var mostBetween: Int { 1 << 20 }

    init(_ source: consuming ByteSource, _ options: ReadOptions, _ separation: Separation) {
        self.source = source
        self.options = options
        self.separation = separation
        place.record = options.recordsBefore
        place.line = options.linesBefore + 1
    }

    var buffer: [UInt8] { source.buffer }

    /// Whether the record, including its separator, lacks a line end.
    var isWithoutLineEnd: Bool {
        guard let last = current.last else { return false }
        return source.buffer[last] != Ascii.lineFeed && source.buffer[last] != Ascii.carriageReturn
    }

    /// Whether the record is at the start of the file.
    var isAtStart: Bool { place.offset == 0 }

    func copyRecordBytes(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: source.buffer[current])
    }

    /// Treats the current bytes as not belonging to a record, and stores them for a copy of the file.
    mutating func passOver() {
        if bytesBetween.count + current.count <= Self.mostBetween {
            bytesBetween.append(contentsOf: source.buffer[current])
        }
    }

    /// Clears the bytes before the last record.
    mutating func forgetBytesBetween() {
        if !bytesBetween.isEmpty { bytesBetween.removeAll() }
    }

    /// Stops counting lines. The positions of records then have no line.
    mutating func stopCounting() {
        (place.line, lineCount) = (0, 0)
    }

    /// Moves to the next record. Returns `false` at the end of the file.
    mutating func next() throws(ReadError) -> Bool {
        place.line &+= lineCount
        source.consume(to: current.upperBound)
        current = source.window.lowerBound..<source.window.lowerBound
        text = current
        lineCount = 0
        guard let separator = try separator(from: current.lowerBound) else {
            text = source.window
            current = source.window
            if isPadding(source.window) {
                padding = source.buffer.span.bytes(source.window.prefix(8))
                passOver()
                source.consume(to: source.window.upperBound)
                return false
            }
            take()
            return true
        }
        text = source.window.lowerBound..<separator.lowerBound
        current = source.window.lowerBound..<separator.upperBound
        take()
        return true
    }

    /// Extends the record by its separator and everything up to the next separator. Returns `false` if there is no more
    /// text.
    mutating func extend() throws(ReadError) -> Bool {
        let length = text.count
        // The search must start later, because it would find an empty separator again.
        let separator = try separator(from: min(max(current.upperBound, text.upperBound + 1), source.window.upperBound))
        let start = source.window.lowerBound
        text = start..<(separator?.lowerBound ?? source.window.upperBound)
        current = start..<(separator?.upperBound ?? source.window.upperBound)
        place.length = current.count
        return text.count > length
    }

    /// Restores the end that the record had before it was extended.
    mutating func shorten(to textLength: Int, withSeparator length: Int) {
        text = text.lowerBound..<text.lowerBound + textLength
        current = current.lowerBound..<current.lowerBound + length
        place.length = length
    }

    /// Reads more bytes. If the buffer moves, the record's ranges move with it.
    mutating func more() throws(ReadError) {
        let start = source.window.lowerBound
        var failure: FileError?
        do throws(FileError) {
            _ = try source.fill()
        } catch {
            failure = error
        }
        let shift = start - source.window.lowerBound
        current = current.lowerBound - shift..<current.upperBound - shift
        text = text.lowerBound - shift..<text.upperBound - shift
        if let failure { throw ReadError(failure) }
    }

    /// Whether a range after the last record contains only white space, NUL and Ctrl-Z.
    func isPadding(_ range: Range<Int>) -> Bool {
        let bytes = source.buffer.span
        for index in range where bytes[index] > Ascii.blank { return false }
        return true
    }

    private mutating func take() {
        place.record += 1
        place.offset = source.offset
        place.length = current.count
    }

    private mutating func search(from start: Int) -> SeparatorSearch {
        let buffer = source.buffer
        return separation.search(in: buffer.span, from: start, of: source.window, atEnd: source.isAtEnd)
    }

    /// Returns the next separator, or `nil` if the file ends without one.
    private mutating func separator(from start: Int) throws(ReadError) -> Range<Int>? {
        var scanned = start
        while true {
            switch search(from: scanned) {
            case .found(let separator): return separator
            case .need(let from):
                if source.isAtEnd { return nil }
                if source.window.count >= options.largestRecord || source.isSwollen { try refuseTooLarge(from) }
                let offset = from - source.window.lowerBound
                try more()
                scanned = source.window.lowerBound + offset
            }
        }
    }

    /// Skips a record that is too large without storing it, from the index of the last search.
    private mutating func refuseTooLarge(_ searched: Int) throws(ReadError) {
        take()
        let expected = options.expected("a record", isSwollen: source.isSwollen) + "; it is skipped"
        let longestSeparator = 64 * 1024
        var from = searched
        while true {
            // One byte before the next search position remains in the buffer, because it shows whether a line begins
            // there.
            pass(to: source.window.upperBound - from > longestSeparator ? source.window.upperBound - 1 : from - 1)
            try more()
            let window = source.window
            let start = min(window.lowerBound + 1, window.upperBound)
            switch search(from: start) {
            case .found(let separator):
                pass(to: separator.upperBound)
            case .need(let next):
                from = next
                if !source.isAtEnd { continue }
                pass(to: window.upperBound)
            }
            break
        }
        current = source.window.lowerBound..<source.window.lowerBound
        text = current
        throw ReadError(
            .tooLarge, file: source.name, record: place.record, line: place.line, offset: place.offset,
            expected: expected)
    }

    private mutating func pass(to index: Int) {
        lineCount &+= countLineEnds(source.window.lowerBound..<max(index, source.window.lowerBound))
        source.consume(to: index)
    }

    private func countLineEnds(_ range: Range<Int>) -> Int {
        let bytes = source.buffer.span
        var count = 0
        var isBehindReturn = false
        for place in range {
            if isBehindReturn || bytes[place] == Ascii.lineFeed { count &+= 1 }
            isBehindReturn = bytes[place] == Ascii.carriageReturn
        }
        return count
    }
}

/// A search for lines that start with `$`, as the keywords of MDL's formats do.
struct KeywordLines {
    /// Returns the index of the next `$` at the start of a line.
    static func next(in bytes: Span<UInt8>, from start: Int, of window: Range<Int>) -> Int? {
        var index = start
        while let dollar = firstIndex(of: Ascii.dollar, in: bytes, from: index, to: window.upperBound) {
            if dollar == window.lowerBound || bytes[dollar &- 1] == Ascii.lineFeed
                || bytes[dollar &- 1] == Ascii.carriageReturn
            {
                return dollar
            }
            index = dollar &+ 1
        }
        return nil
    }
}
