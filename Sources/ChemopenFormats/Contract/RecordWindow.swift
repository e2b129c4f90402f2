import ChemopenBytes
import ChemopenModel

/// How the records of a format are told apart without being understood.
protocol RecordSeparation {
    /// Looks for the next separator in a window, from a place where a line begins or which an earlier search has named.
    mutating func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch
}

/// The result of a search for a separator.
enum SeparatorSearch {
    /// The record ends where the range begins; the next one begins where it ends.
    case found(Range<Int>)
    /// There is none up to here; further bytes may make one.
    case need(from: Int)
}

/// A source seen as one record after the other. Each is cut out before it is read: a broken one costs only itself.
struct RecordWindow<Separation: RecordSeparation>: ~Copyable {
    private(set) var source: ByteSource
    private let options: ReadOptions
    var separation: Separation
    /// The record taken or refused last with its separator, in the source's buffer.
    private(set) var current = 0..<0
    /// The same without its separator.
    private(set) var text = 0..<0
    /// How many lines it has, which its reader counts.
    var lineCount = 0
    var place = RecordPlace()
    /// The bytes behind the last record that are no record: blank lines, NUL, Ctrl-Z; their beginning.
    private(set) var padding: [UInt8] = []
    /// The bytes in front of the record that belong to none.
    private(set) var bytesBetween: [UInt8] = []
    /// No more of them are kept: a file may consist of separators.
    private static var mostBetween: Int { 1 << 20 }

    init(_ source: consuming ByteSource, _ options: ReadOptions, _ separation: Separation) {
        self.source = source
        self.options = options
        self.separation = separation
        place.record = options.recordsBefore
        place.line = options.linesBefore + 1
    }

    var buffer: [UInt8] { source.buffer }

    /// Whether the record, its separator included, ends without a line end.
    var isWithoutLineEnd: Bool {
        guard let last = current.last else { return false }
        return source.buffer[last] != Ascii.lineFeed && source.buffer[last] != Ascii.carriageReturn
    }

    /// Whether the record begins the file.
    var isAtStart: Bool { place.offset == 0 }

    func copyRecordBytes(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: source.buffer[current])
    }

    /// Takes the bytes at hand for no record, and keeps them for a copy of the file.
    mutating func passOver() {
        if bytesBetween.count + current.count <= Self.mostBetween {
            bytesBetween.append(contentsOf: source.buffer[current])
        }
    }

    /// Forgets the bytes in front of the last record.
    mutating func forgetBytesBetween() {
        if !bytesBetween.isEmpty { bytesBetween.removeAll() }
    }

    /// Lines are counted no more: the place of a record has none.
    mutating func stopCounting() {
        (place.line, lineCount) = (0, 0)
    }

    /// Moves on to the next record; `false` at the end of the file.
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

    /// Makes the separator behind the record part of it, and all up to the next one; `false` where nothing is there.
    mutating func extend() throws(ReadError) -> Bool {
        let length = text.count
        // A separator without bytes of its own would be found again.
        let separator = try separator(from: min(max(current.upperBound, text.upperBound + 1), source.window.upperBound))
        let start = source.window.lowerBound
        text = start..<(separator?.lowerBound ?? source.window.upperBound)
        current = start..<(separator?.upperBound ?? source.window.upperBound)
        place.length = current.count
        return text.count > length
    }

    /// Ends the record where it ended before it was extended.
    mutating func shorten(to textLength: Int, withSeparator length: Int) {
        text = text.lowerBound..<text.lowerBound + textLength
        current = current.lowerBound..<current.lowerBound + length
        place.length = length
    }

    /// Brings more bytes in. What lies before them is moved; the record's ranges move along.
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

    /// White space, NUL and Ctrl-Z behind the last record are no record.
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

    /// The next separator, or `nil` when the file ends without one.
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

    /// Passes over a record that is larger than anything allowed, without keeping it, from where it was searched last.
    private mutating func refuseTooLarge(_ searched: Int) throws(ReadError) {
        take()
        let expected = options.expected("a record", isSwollen: source.isSwollen) + "; it is passed over"
        let longestSeparator = 64 * 1024
        var from = searched
        while true {
            // One byte stays before the place that is searched next: it tells whether a line begins there.
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

/// The beginnings of lines that start with `$`: where the formats of the family put their keywords.
struct KeywordLines {
    /// The next `$` at the beginning of a line.
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
