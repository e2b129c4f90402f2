extension Span where Element == UInt8 {
    /// Returns a line without leading and trailing blanks and tabs.
    @inlinable
    package func trimmed(_ line: Range<Int>) -> Range<Int> {
        var start = line.lowerBound
        var end = line.upperBound
        if end &- start >= 8 {
            let others = loadWord(self, at: start) ^ 0x2020_2020_2020_2020
            start &+= others.trailingZeroBitCount &>> 3
        }
        while start < end, Ascii.isBlank(self[start]) { start &+= 1 }
        while end > start, Ascii.isBlank(self[end &- 1]) { end &-= 1 }
        return start..<end
    }

    /// Returns a line without trailing blanks and tabs.
    @inlinable
    package func trimmedRight(_ line: Range<Int>) -> Range<Int> {
        var end = line.upperBound
        while end > line.lowerBound, Ascii.isBlank(self[end &- 1]) { end &-= 1 }
        return line.lowerBound..<end
    }

    /// Whether a line is empty or contains only blanks and tabs.
    @inlinable
    package func isBlank(_ line: Range<Int>) -> Bool {
        for index in line where !Ascii.isBlank(self[index]) { return false }
        return true
    }

    /// Returns columns of a line, counted from 0, without those beyond its end.
    @inlinable @inline(__always)
    package func columns(_ columns: Range<Int>, of line: Range<Int>) -> Range<Int> {
        let start = Swift.min(line.lowerBound &+ columns.lowerBound, line.upperBound)
        return start..<Swift.max(start, Swift.min(line.lowerBound &+ columns.upperBound, line.upperBound))
    }

    /// Returns the columns of a line from a start to its end, counted from 0. The range is empty if the line is
    /// shorter.
    @inlinable
    package func columns(_ columns: PartialRangeFrom<Int>, of line: Range<Int>) -> Range<Int> {
        Swift.min(line.lowerBound &+ columns.lowerBound, line.upperBound)..<line.upperBound
    }

    /// Returns an integer with optional blanks around it. Blanks alone are 0; the result for any other text is `nil`.
    @inlinable
    package func integer(_ range: Range<Int>) -> Int? {
        let text = trimmed(range)
        if text.isEmpty { return 0 }
        // No integer in these formats has more digits.
        return text.count <= 15 ? Numeral.whole(self, text) : nil
    }

    /// Returns the first token at or after an index, delimited by blanks and tabs.
    @inlinable
    package func word(from start: Int, to end: Int) -> Range<Int>? {
        var start = start
        while start < end, Ascii.isBlank(self[start]) { start &+= 1 }
        if start >= end { return nil }
        var index = start
        while index < end, !Ascii.isBlank(self[index]) { index &+= 1 }
        return start..<index
    }

    /// Returns the tokens of a line, separated by blanks and tabs.
    package func words(_ line: Range<Int>, limit: Int = .max) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var index = line.lowerBound
        while words.count < limit {
            guard let word = word(from: index, to: line.upperBound) else { break }
            words.append(word)
            index = word.upperBound
        }
        return words
    }

    /// Whether the bytes equal those of another span.
    @inlinable @inline(__always)
    package func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        if count < 8 {
            var difference: UInt8 = 0
            for index in indices { difference |= self[index] ^ other[index] }
            return difference == 0
        }
        // The last load overlaps the one before it.
        var difference = loadWord(self, at: count &- 8) ^ loadWord(other, at: count &- 8)
        var index = 0
        while index &+ 8 < count {
            difference |= loadWord(self, at: index) ^ loadWord(other, at: index)
            index &+= 8
        }
        return difference == 0
    }

    /// Returns the bytes of a range as a new array.
    @inlinable
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(range, of: self)
        return bytes
    }
}

extension [UInt8] {
    /// Appends a range of other bytes.
    @inlinable
    package mutating func append(_ range: Range<Int>, of bytes: Span<UInt8>) {
        append(copying: bytes.extracting(range))
    }
}
