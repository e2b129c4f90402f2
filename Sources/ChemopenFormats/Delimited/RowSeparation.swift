import ChemopenBytes

/// Separates a table of delimited text into rows. A line that ends within quotes continues in the next line.
///
/// If a quote is not closed within the maximum length of a row, the row ends after its first line. The same applies to
/// all rows within the bytes that were searched for the closing quote. As a result, no byte is examined more than
/// twice.
struct RowSeparation: RecordSeparation {
    private let delimiter: UInt8
    private var state = State.cellStart
    private var isFirst = true
    /// The number of completed lines in the row.
    private(set) var lineCount = 0
    /// The start of the row's second line, relative to the start of the row.
    private var firstLine: Int?
    /// The number of bytes from here on that contain no closing quote.
    private var searchedAhead = 0

    /// The maximum length of a row with several lines.
    private static let mostOfRow = 1 << 20

    private enum State {
        case cellStart, plain, quoted
        /// After a quote within quotes, which either ends the quoted text or is the first of a doubled quote.
        case quote
    }

    init(delimiter: UInt8) {
        self.delimiter = delimiter
    }

    mutating func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch {
        var index = start
        if index == window.lowerBound, state == .cellStart, firstLine == nil {
            lineCount = 0
            if isFirst { index += bytes.extracting(window).startOfText }
        }
        while index < window.upperBound {
            let byte = bytes[index]
            guard byte == Ascii.lineFeed || byte == Ascii.carriageReturn else {
                take(byte)
                index &+= 1
                continue
            }
            var next = index + 1
            if byte == Ascii.carriageReturn {
                if next == window.upperBound, !atEnd { return .need(from: index) }
                if next < window.upperBound, bytes[next] == Ascii.lineFeed { next += 1 }
            }
            lineCount += 1
            if state != .quoted || searchedAhead > 0 { return end(at: next, window) }
            if firstLine == nil { firstLine = next - window.lowerBound }
            if next - window.lowerBound > Self.mostOfRow { return giveUp(at: next, window) }
            index = next
        }
        return atEnd && state == .quoted && firstLine != nil ? giveUp(at: index, window) : .need(from: index)
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8) {
        switch state {
        case .quoted:
            if byte == Ascii.quote { state = .quote }
        case .cellStart:
            state = byte == Ascii.quote ? .quoted : byte == delimiter ? .cellStart : .plain
        case .plain:
            if byte == delimiter { state = .cellStart }
        case .quote:
            state = byte == Ascii.quote ? .quoted : byte == delimiter ? .cellStart : .plain
        }
    }

    private mutating func end(at next: Int, _ window: Range<Int>) -> SeparatorSearch {
        searchedAhead = max(0, searchedAhead - (next - window.lowerBound))
        state = .cellStart
        firstLine = nil
        isFirst = false
        return .found(next..<next)
    }

    /// Ends the row after its first line.
    private mutating func giveUp(at searched: Int, _ window: Range<Int>) -> SeparatorSearch {
        let next = window.lowerBound + min(firstLine ?? 0, window.count)
        searchedAhead = searched - window.lowerBound
        lineCount = 1
        return end(at: next, window)
    }
}
