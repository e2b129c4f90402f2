import ChemopenBytes
import ChemopenModel

// Text that has to stay on one line, and where lines end.

extension [UInt8] {
    /// Adds text in which line breaks and NUL become blanks; `true` where there were any.
    @discardableResult
    mutating func appendOneLine(_ text: some Swift.Collection<UInt8>) -> Bool {
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

    /// Puts a blank in the place of each NUL from a place on; `false` where there is none. NUL is no text.
    mutating func replaceNUL(from start: Int = 0) -> Bool {
        guard let first = ChemopenBytes.firstIndex(of: 0, in: span, from: start, to: count) else { return false }
        for index in first..<count where self[index] == 0 { self[index] = Ascii.blank }
        return true
    }

    /// Lets the lines from `start` on end in CR LF.
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
    /// Whether a byte is there and ends a line.
    func endsLine(at index: Int) -> Bool {
        indices.contains(index) && (self[index] == Ascii.lineFeed || self[index] == Ascii.carriageReturn)
    }

    /// Where the text begins, behind a byte order mark.
    package var startOfText: Int { range(indices, begins: "\u{FEFF}") ? 3 : 0 }

    /// A text without the line end that it ends in: LF, CR or CR LF.
    func withoutLineEnd(_ text: Range<Int>) -> Range<Int> {
        var end = text.upperBound
        if end > text.lowerBound, self[end - 1] == Ascii.lineFeed { end -= 1 }
        if end > text.lowerBound, self[end - 1] == Ascii.carriageReturn { end -= 1 }
        return text.lowerBound..<end
    }

    /// The last line of a text that ends without a line end.
    func lastLine(of text: Range<Int>) -> Range<Int> {
        var start = text.upperBound
        while start > text.lowerBound, !endsLine(at: start - 1) { start -= 1 }
        return start..<text.upperBound
    }

    /// The line end behind the first line: LF, CR or CR LF; `nil` where there is none.
    package var firstLineEnd: [UInt8]? {
        guard let end = indices.first(where: { endsLine(at: $0) }) else { return nil }
        let isPair = self[end] == Ascii.carriageReturn && end + 1 < count && self[end + 1] == Ascii.lineFeed
        return bytes(end..<end + (isPair ? 2 : 1))
    }
}

extension Text {
    /// The text without white space at its two ends.
    var trimmed: Text {
        var rest = bytes[...]
        while let first = rest.first, first <= 0x20 { rest.removeFirst() }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        return rest.count == bytes.count ? self : Text(bytes: rest)
    }
}
