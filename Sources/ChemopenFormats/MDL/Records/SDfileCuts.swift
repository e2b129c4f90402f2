import ChemopenBytes

/// Finds the ends of records without parsing the records.
extension SDfileReader {
    /// Whether the text before a separator is certainly a complete record.
    ///
    /// This is the case if no line skips others, and if either an empty line closes the last value or the record has no
    /// value (no line starts with `>`).
    static func isClosed(_ text: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let hasOpenValue =
            !endsInEmptyLine(text, bytes)
            && firstIndex(of: Ascii.greater, in: bytes, from: text.lowerBound, to: text.upperBound) != nil
        return !hasOpenValue && !mentionsSkip(text, bytes)
    }

    private static func endsInEmptyLine(_ text: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        func isLineEnd(_ index: Int) -> Bool {
            index >= text.lowerBound && (bytes[index] == Ascii.lineFeed || bytes[index] == Ascii.carriageReturn)
        }
        let last = text.upperBound - 1
        guard isLineEnd(last) else { return false }
        let isPair = bytes[last] == Ascii.lineFeed && last > text.lowerBound && bytes[last - 1] == Ascii.carriageReturn
        return isLineEnd(isPair ? last - 2 : last - 1)
    }

    private static func mentionsSkip(_ text: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        var index = text.lowerBound + 4
        while let letter = firstIndex(of: 0x4B, in: bytes, from: index, to: text.upperBound) {
            if bytes.range(letter - 4..<text.upperBound, begins: "S  SKP") { return true }
            index = letter + 1
        }
        return false
    }

    /// Returns the end of the last record that is certainly complete.
    ///
    /// The separator of such a record follows an empty or blank line, or it is between `M  END` and another record. In
    /// addition, no earlier line skips the separator.
    @Sendable static func lastRecordEnd(_ bytes: borrowing Span<UInt8>) -> Int? {
        let bytes = copy bytes
        var skips = linesThatSkip(bytes)
        var index = bytes.count - 6
        while index > 6 {
            if bytes[index] == Ascii.dollar, bytes[index + 1] == Ascii.dollar, bytes[index + 2] == Ascii.dollar,
                bytes[index + 3] == Ascii.dollar, bytes[index + 4] == Ascii.lineFeed,
                bytes[index - 1] == Ascii.lineFeed,
                isBlankLine(endingBefore: index - 1, bytes)
                    || (bytes[index - 2] == 0x44 && bytes[index - 3] == 0x4E && isBeforeRecord(index + 5, bytes))
            {
                while let skip = skips.last, skip > index { skips.removeLast() }
                guard let skip = skips.last, reaches(index, from: skip, bytes) else { return index + 5 }
                index = skip
            }
            index -= 1
        }
        return nil
    }

    /// Returns the end of the first record after `place` that is certainly complete.
    ///
    /// This uses the same criteria as `lastRecordEnd`, but lines may also end in CR LF.
    @Sendable static func nextRecordEnd(_ bytes: borrowing Span<UInt8>, from place: Int, isAtEnd: Bool) -> Int? {
        let bytes = copy bytes
        let last = bytes.count - (isAtEnd ? 7 : 6 + longestBeginning)
        var skips: [Int]?
        var index = max(place - 6, 7)
        while let dollar = firstIndex(of: Ascii.dollar, in: bytes, from: index, to: last + 1) {
            index = dollar + 1
            guard let end = endOfCertainSeparator(dollar, bytes), end >= place else { continue }
            let known = skips ?? linesThatSkip(bytes)
            skips = known
            let isSkipped = known.contains {
                $0 < dollar && $0 >= dollar - Format.cutContext && reaches(dollar, from: $0, bytes)
            }
            if !isSkipped { return end }
        }
        return nil
    }

    /// Whether the line before the line end at index `end` is empty or blank.
    private static func isBlankLine(endingBefore end: Int, _ bytes: Span<UInt8>) -> Bool {
        var start = end
        while start > 0, Ascii.isBlank(bytes[start - 1]) { start -= 1 }
        return start > 0 && bytes[start - 1] == Ascii.lineFeed
    }

    /// Returns the end of a separator that follows an empty or blank line, or that is between `M  END` and another
    /// record.
    ///
    /// The result is `nil` for all other separators.
    private static func endOfCertainSeparator(_ index: Int, _ bytes: Span<UInt8>) -> Int? {
        guard bytes.range(index..<bytes.count, begins: "$$$$"), bytes[index - 1] == Ascii.lineFeed else { return nil }
        let behind = index + 4
        let hasReturn = bytes[behind] == Ascii.carriageReturn && behind + 1 < bytes.count
        guard bytes[hasReturn ? behind + 1 : behind] == Ascii.lineFeed else { return nil }
        let end = hasReturn ? behind + 2 : behind + 1
        let line = bytes[index - 2] == Ascii.carriageReturn ? index - 2 : index - 1
        if isBlankLine(endingBefore: line, bytes) { return end }
        return bytes[line - 1] == 0x44 && bytes[line - 2] == 0x4E && isBeforeRecord(end, bytes) ? end : nil
    }

    /// The number of bytes that suffice to decide whether a record begins.
    private static let longestBeginning = 2048

    /// Whether a record begins at an index, judging by its fourth and fifth line. `M  END` alone may be part of a
    /// value.
    private static func isBeforeRecord(_ start: Int, _ bytes: Span<UInt8>) -> Bool {
        var lines = LineCursor(start..<min(bytes.count, start + longestBeginning), of: bytes)
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let line = lines.next(in: bytes), !lines.isAtEnd, let counts = CountsLine(line, of: bytes) else {
            return false
        }
        if counts.hasVersion || counts.atoms == 0 { return true }
        guard let atom = lines.next(in: bytes), !lines.isAtEnd else { return false }
        return bytes.words(atom, limit: 4).count == 4
    }

    /// Returns the start of each line `S  SKP`, which can skip a separator. The search uses `K`, the rarest of its
    /// letters.
    private static func linesThatSkip(_ bytes: Span<UInt8>) -> [Int] {
        var lines: [Int] = []
        var index = 0
        while let letter = firstIndex(of: 0x4B, in: bytes, from: index, to: bytes.count) {
            index = letter + 1
            let start = letter - 4
            if start > 0, bytes[start - 1] == Ascii.lineFeed, bytes.range(start..<letter, begins: "S  S") {
                lines.append(start)
            }
        }
        return lines
    }

    /// Whether a line can skip a separator: `S  SKP` skips at most 999 lines.
    private static func reaches(_ separator: Int, from line: Int, _ bytes: Span<UInt8>) -> Bool {
        var index = line
        for _ in 0..<1000 {
            guard let end = firstIndex(of: Ascii.lineFeed, in: bytes, from: index, to: separator) else { return true }
            index = end + 1
        }
        return index >= separator
    }
}
