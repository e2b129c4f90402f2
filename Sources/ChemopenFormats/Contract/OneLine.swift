import ChemopenBytes
import ChemopenModel

// Text that must stay on one line, and line ends.

extension [UInt8] {
    /// Appends text with line breaks and NUL replaced by blanks. Returns whether there were any.
    @discardableResult
    mutating func appendOneLine(_ text: some Collection<UInt8>) -> Bool {
        let start = count
        append(contentsOf: text)
        var isChanged = false
        for index in start..<count
        where self[index] == Ascii.lineFeed || self[index] == Ascii.carriageReturn || self[index] == 0 {
            self[index] = Ascii.blank
            isChanged = true
        }
        return isChanged
    }

    /// Replaces each NUL after an index with a blank, because NUL is not text. Returns `false` if the text contains no
    /// NUL.
    mutating func replaceNUL(from start: Int = 0) -> Bool {
        guard let first = ChemopenBytes.firstIndex(of: 0, in: span, from: start, to: count) else { return false }
        for index in first..<count where self[index] == 0 { self[index] = Ascii.blank }
        return true
    }

    /// Changes the line ends after `start` to CR LF.
    mutating func endLinesInCarriageReturns(from start: Int) {
        let lines = self[start...]
        var output: [UInt8] = []
        output.reserveCapacity(lines.count + lines.count / 16)
        var last: UInt8 = 0
        for byte in lines {
            if byte == Ascii.lineFeed, last != Ascii.carriageReturn { output.append(Ascii.carriageReturn) }
            output.append(byte)
            last = byte
        }
        replaceSubrange(start..., with: output)
    }
}

extension Span where Element == UInt8 {
    /// Whether an index is valid and its byte ends a line.
    func endsLine(at index: Int) -> Bool {
        indices.contains(index) && (self[index] == Ascii.lineFeed || self[index] == Ascii.carriageReturn)
    }

    /// The start of the text, after an optional byte order mark.
    package var startOfText: Int { range(indices, begins: "\u{FEFF}") ? 3 : 0 }

    /// Returns a text without its final line end: LF, CR or CR LF.
    func withoutLineEnd(_ text: Range<Int>) -> Range<Int> {
        var end = text.upperBound
        if end > text.lowerBound, self[end - 1] == Ascii.lineFeed { end -= 1 }
        if end > text.lowerBound, self[end - 1] == Ascii.carriageReturn { end -= 1 }
        return text.lowerBound..<end
    }

    /// Returns the last line of a text that does not end in a line end.
    func lastLine(of text: Range<Int>) -> Range<Int> {
        var start = text.upperBound
        while start > text.lowerBound, !endsLine(at: start - 1) { start -= 1 }
        return start..<text.upperBound
    }

    /// The first line end: LF, CR or CR LF, or `nil` without any line end.
    package var firstLineEnd: [UInt8]? {
        guard let end = indices.first(where: { endsLine(at: $0) }) else { return nil }
        let isPair = self[end] == Ascii.carriageReturn && end + 1 < count && self[end + 1] == Ascii.lineFeed
        return bytes(end..<end + (isPair ? 2 : 1))
    }
}

extension Text {
    /// The text without leading and trailing white space.
    var trimmed: Text {
        var rest = bytes[...]
        while let first = rest.first, first <= 0x20 { rest.removeFirst() }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        return rest.count == bytes.count ? self : Text(bytes: rest)
    }
}
