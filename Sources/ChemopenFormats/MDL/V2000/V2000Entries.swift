import ChemopenBytes
import ChemopenModel

/// Reads the entries of V2000 property lines, and reports announced entries that are missing.
extension IssueCollector {
    /// Returns the pairs of numbers in a line `M  XXXnn8 aaa vvv …`. Missing entries are reported and omitted.
    ///
    /// A value of four characters may use the blank column before it. If the columns contain no numbers, the tokens of
    /// the line are read instead.
    mutating func pairs(_ line: Range<Int>, at place: Int, _ bytes: Span<UInt8>) -> [(Int, Int)] {
        let announced = bytes.integer(bytes.columns(6..<9, of: line))
        var pairs: [(Int, Int)] = []
        var start = 9
        while let announced, pairs.count < announced, start < line.count {
            let second = bytes.columns(start + 4..<start + 8, of: line)
            guard let one = bytes.integer(bytes.columns(start..<start + 4, of: line)), one > 0,
                let other = bytes.integer(second), !bytes.isBlank(second)
            else { break }
            pairs.append((one, other))
            start += 8
        }
        // If an entry extends past the last column, it was truncated there.
        let isCut = !bytes.isBlank(bytes.columns(start..<start + 1, of: line))
        if let announced, pairs.count == announced, !isCut { return pairs }
        let numbers = bytes.words(bytes.columns(6..., of: line)).map { bytes.integer($0) }
        let count = numbers.first ?? nil
        var fromWords: [(Int, Int)] = []
        var index = 1
        while index + 1 < numbers.count, let one = numbers[index], let other = numbers[index + 1] {
            fromWords.append((one, other))
            index += 2
        }
        if let count, count >= 0, isCut || fromWords.count > pairs.count, fromWords.count >= count {
            doubt(line, at: place, of: bytes, "the entries are not in their columns; split at blanks")
            return Array(fromWords.prefix(count))
        }
        doubtCount(announced ?? 0, pairs.count, line, at: place, bytes)
        return pairs
    }

    /// Returns the entries of a line `M  XXXnn8 sss ttt …`: the number of an Sgroup and a token.
    mutating func entries(_ line: Range<Int>, at place: Int, _ bytes: Span<UInt8>) -> [(Int, Text)] {
        let words = bytes.words(bytes.columns(6..., of: line))
        var entries: [(Int, Text)] = []
        guard let first = words.first, let count = bytes.integer(first) else {
            doubt(line, at: place, of: bytes, "the number of entries is missing; the line is omitted")
            return entries
        }
        var index = 1
        while index + 1 < words.count, entries.count < count, let number = bytes.integer(words[index]) {
            entries.append((number, Text(bytes: bytes.bytes(words[index + 1]))))
            index += 2
        }
        if entries.count < count { doubtCount(count, entries.count, line, at: place, bytes) }
        return entries
    }

    /// Returns the members in a line `M  XXX sssn15 aaa …`, from columns of four or, if these contain no numbers,
    /// from tokens.
    mutating func members(_ line: Range<Int>, at place: Int, _ bytes: Span<UInt8>) -> [Int] {
        let count = bytes.integer(bytes.columns(10..<13, of: line)) ?? 0
        var members: [Int] = []
        var start = 13
        while members.count < count, start < line.count,
            let number = bytes.integer(bytes.columns(start..<start + 4, of: line)), number > 0
        {
            members.append(number)
            start += 4
        }
        if members.count == count { return members }
        let numbers = bytes.words(bytes.columns(6..., of: line)).map { bytes.integer($0) ?? 0 }
        if numbers.count == count + 2, !numbers.contains(0) {
            doubt(line, at: place, of: bytes, "the entries are not in their columns; split at blanks")
            return Array(numbers.dropFirst(2))
        }
        doubtCount(count, members.count, line, at: place, bytes)
        return members
    }

    private mutating func doubtCount(
        _ announced: Int, _ present: Int, _ line: Range<Int>, at place: Int, _ bytes: Span<UInt8>
    ) {
        doubt(
            line, at: place, of: bytes,
            "\(announced) entries are announced, but \(present) are present; the announced number is ignored")
    }
}
