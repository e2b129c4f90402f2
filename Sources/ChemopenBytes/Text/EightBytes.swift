/// Functions that test eight bytes at a time. The highest bit of each byte is the result for that byte.
enum Eight {
    static let highest: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Marks the bytes equal to `byte`.
    @inline(__always)
    static func same(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (UInt64(byte) &* ones)
        return ~(((difference & ~highest) &+ ~highest) | difference) & highest
    }

    /// Marks the bytes of two numbers that are not ASCII text: non-ASCII bytes, and control characters except LF and
    /// tab.
    @inline(__always)
    static func others(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        let lower = SIMD2(repeating: ~highest)
        let letters = words & lower
        let isNoBlank = letters &+ SIMD2(repeating: ones &* 0x60)
        let isNoFeed = (letters ^ SIMD2(repeating: ones &* 0x0A)) &+ lower
        let isNoTab = (letters ^ SIMD2(repeating: ones &* 0x09)) &+ lower
        return (words | (~isNoBlank & isNoFeed & isNoTab)) & ~lower
    }

    /// Marks the bytes of one number that are not ASCII text.
    @inline(__always)
    static func others(_ word: UInt64) -> UInt64 { others(SIMD2(word, word))[0] }

    /// Sets each byte that is a line feed to 1, and the others to 0.
    @inline(__always)
    static func feeds(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        let lower = SIMD2(repeating: ~highest)
        let difference = words ^ SIMD2(repeating: ones &* 0x0A)
        return (~(((difference & lower) &+ lower) | difference) & ~lower) &>> SIMD2(repeating: 7)
    }

    /// Returns the sum of all bytes of two numbers.
    @inline(__always)
    static func sum(_ words: SIMD2<UInt64>) -> Int32 {
        let pairs = SIMD2<UInt64>(repeating: 0x00FF_00FF_00FF_00FF)
        let sums: SIMD2<UInt64> = (words & pairs) &+ ((words &>> SIMD2<UInt64>(repeating: 8)) & pairs)
        let sum = (sums[0] &+ sums[1]) &* 0x0001_0001_0001_0001
        return Int32(truncatingIfNeeded: sum >> 48)
    }

    /// Marks the bytes that end the plain part of a quoted value: `"`, `&`, `<` and control characters. Only the lowest
    /// mark is reliable.
    @inline(__always)
    static func endsOfPlainValue(_ word: UInt64) -> UInt64 {
        // `"` and `&` differ in one bit.
        let marks = ((word | (0x04 &* ones)) ^ (0x26 &* ones)) &- ones
        let others = ((word ^ (0x3C &* ones)) &- ones) | (word &- (0x20 &* ones))
        return (marks | others) & ~word & highest
    }

    /// Marks the bytes that are not printable ASCII.
    @inline(__always)
    static func unprintable(_ word: UInt64) -> UInt64 {
        (word | ~((word | highest) &- (0x20 &* ones))) & highest
    }

    /// Marks the bytes equal to `byte`. Only the lowest mark is reliable.
    @inline(__always)
    static func first(of byte: UInt8, in word: UInt64) -> UInt64 {
        let others = word ^ (UInt64(byte) &* ones)
        return (others &- ones) & ~others & highest
    }

    /// Returns eight bytes from an index, the first one lowest, with zeros after `end`.
    @inline(__always)
    static func bytes(at place: Int, of bytes: Span<UInt8>, to end: Int) -> UInt64 {
        let left = end &- place
        if place &+ 8 <= bytes.count {
            let word = loadWord(bytes, at: place)
            return left >= 8 ? word : word & ~(~0 << UInt64(truncatingIfNeeded: left &* 8))
        }
        var word: UInt64 = 0
        for index in 0..<left { word |= UInt64(bytes[place &+ index]) << UInt64(truncatingIfNeeded: index &* 8) }
        return word
    }

    /// Returns the number of marked bytes.
    @inline(__always)
    static func count(_ bits: UInt64) -> Int32 {
        Int32(truncatingIfNeeded: (bits >> 7 &* ones) >> 56)
    }
}

extension Span where Element == UInt8 {
    /// Whether all bytes are ASCII without control characters, except LF and tab.
    package var isPrintableASCII: Bool {
        var index = 0
        var pairs = SIMD2<UInt64>()
        while index &+ 16 <= count {
            pairs |= Eight.others(loadWords(self, at: index))
            index &+= 16
        }
        var others = pairs[0] | pairs[1]
        while index &+ 8 <= count {
            others |= Eight.others(loadWord(self, at: index))
            index &+= 8
        }
        if index < count {
            let length = UInt64(truncatingIfNeeded: (count &- index) &* 8)
            others |= Eight.others(lastBytes(count &- index) | 0x2020_2020_2020_2020 << length)
        }
        return others == 0
    }

    /// Whether all bytes are printable ASCII, and none of them is `one` or `other`.
    package func isPrintableASCII(without one: UInt8, _ other: UInt8) -> Bool {
        var found: UInt64 = 0
        var index = 0
        while index &+ 8 <= count {
            let word = loadWord(self, at: index)
            found |= Eight.unprintable(word) | Eight.same(word, one) | Eight.same(word, other)
            index &+= 8
        }
        while index < count {
            let byte = self[index]
            if byte < 0x20 || byte >= 0x80 || byte == one || byte == other { return false }
            index &+= 1
        }
        return found == 0
    }

    /// Whether the bytes are text that XML permits, with LF as the only line end.
    var isSound: Bool {
        if isPrintableASCII { return true }
        for index in indices where self[index] < 0x20 && self[index] != 0x0A && self[index] != 0x09 { return false }
        return areLettersSound
    }

    /// Whether the non-ASCII characters are valid UTF-8 that XML permits, which excludes U+FFFE and U+FFFF.
    var areLettersSound: Bool {
        if isASCII(self) { return true }
        var index = 0
        while let place = firstIndex(of: 0xEF, in: self, from: index, to: count) {
            guard place &+ 2 < count, self[place &+ 1] != 0xBF || self[place &+ 2] < 0xBE else { return false }
            index = place &+ 1
        }
        return isUTF8(self)
    }

    /// The number of line feeds in the text.
    @inline(__always)
    var countOfLineFeeds: Int32 {
        var lines: Int32 = 0
        var index = 0
        while index &+ 16 <= count {
            // Each byte can count up to 255.
            let end = Swift.min(count, index &+ 255 &* 16)
            var feeds = SIMD2<UInt64>()
            while index &+ 16 <= end {
                feeds &+= Eight.feeds(loadWords(self, at: index))
                index &+= 16
            }
            lines &+= Eight.sum(feeds)
        }
        while index &+ 8 <= count {
            lines &+= Eight.count(Eight.same(loadWord(self, at: index), Ascii.lineFeed))
            index &+= 8
        }
        while index < count {
            if self[index] == 0x0A { lines &+= 1 }
            index &+= 1
        }
        return lines
    }

    /// Whether all lines end in LF, no line is empty or starts with `first`, and `byte` does not occur.
    ///
    /// Bytes after the last LF also count as a line. The two bytes can be any except NUL.
    package func hasOnlyFullLines(without byte: UInt8, noneBeginning first: UInt8) -> Bool {
        var lines = FullLines(byte, first)
        var index = 0
        while index &+ 8 <= count {
            lines.take(loadWord(self, at: index), 8)
            index &+= 8
        }
        if index < count { lines.take(lastBytes(count &- index), count &- index) }
        return lines.areFull
    }

    /// Returns the last bytes, fewer than eight, as a number padded with zeros.
    private func lastBytes(_ number: Int) -> UInt64 {
        if count >= 8 {
            return loadWord(self, at: count &- 8) >> UInt64(truncatingIfNeeded: (8 &- number) &* 8)
        }
        var word: UInt64 = 0
        for index in (count &- number)..<count {
            word |= UInt64(self[index]) << UInt64(truncatingIfNeeded: (index &- count &+ number) &* 8)
        }
        return word
    }
}

/// A test of lines, eight bytes at a time. All lines must end in LF, no line may be empty or start with one byte, and
/// another byte must not occur.
private struct FullLines {
    private let byte: UInt8
    private let first: UInt8
    private var others: UInt64 = 0
    /// Whether a line starts with the next byte, as the highest bit. The first line starts like any other.
    private var isLineStart: UInt64 = 0x80

    @inline(__always)
    init(_ byte: UInt8, _ first: UInt8) {
        self.byte = byte
        self.first = first
    }

    /// Tests the first bytes of a number, which is padded with zeros.
    @inline(__always)
    mutating func take(_ word: UInt64, _ length: Int) {
        let feeds = Eight.same(word, Ascii.lineFeed)
        others |= Eight.same(word, Ascii.carriageReturn) | Eight.same(word, byte)
        others |= (feeds | Eight.same(word, first)) & (feeds << 8 | isLineStart)
        isLineStart = feeds >> UInt64(truncatingIfNeeded: (length &- 1) &* 8)
    }

    var areFull: Bool { others == 0 && isLineStart == 0 }
}
