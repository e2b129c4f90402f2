import ChemopenBytes

/// The counts line of a molfile, its fourth line.
struct CountsLine {
    var atoms = 0
    var bonds = 0
    var lists = 0
    var textEntries = 0
    var isChiral = false
    var isV3000 = false
    /// Whether the line contains the version at any position.
    var hasVersion = false
    /// Whether the version is in its columns and in upper case.
    var isInPlace = false
    /// Whether a count is negative, or the columns of the version contain other text.
    var isOdd = false
    /// Whether the counts are not in their columns.
    var isDoubtful = false

    /// Whether the line can only be a counts line: six columns of digits and blanks, and a version.
    var isUnmistakable: Bool { hasVersion && !isDoubtful }

    /// Reads a counts line; `nil` if the line is not one.
    init?(_ line: Range<Int>, of bytes: Span<UInt8>) {
        if takeUsual(line, bytes) { return }
        findVersion(line, bytes)
        let firstWord = Self.lengthOfFirstWord(line, bytes)
        if firstWord <= 6, !Self.crossesColumns(line, bytes),
            let atoms = bytes.integer(bytes.columns(CountsColumns.atoms, of: line)),
            let bonds = bytes.integer(bytes.columns(CountsColumns.bonds, of: line)), atoms >= 0, bonds >= 0,
            firstWord > 0 && line.count >= 6 || hasVersion
        {
            self.atoms = atoms
            self.bonds = bonds
            lists = bytes.integer(bytes.columns(CountsColumns.lists, of: line)) ?? 0
            textEntries = bytes.integer(bytes.columns(CountsColumns.textEntries, of: line)) ?? 0
            let isOtherVersion = !hasVersion && !bytes.isBlank(bytes.columns(CountsColumns.version, of: line))
            isOdd = lists < 0 || textEntries < 0 || isOtherVersion
            isChiral = bytes.integer(bytes.columns(CountsColumns.chiral, of: line)) == 1
            return
        }
        guard hasVersion else { return nil }
        isDoubtful = true
        let words = bytes.words(line, limit: 6)
        if firstWord == 7 || firstWord == 8 {
            // Counts above 999 that have four digits each and that a program has written without a blank.
            let middle = words[0].upperBound - 4
            guard let atoms = bytes.integer(words[0].lowerBound..<middle),
                let bonds = bytes.integer(middle..<words[0].upperBound)
            else { return nil }
            self.atoms = atoms
            self.bonds = bonds
            return
        }
        guard words.count >= 2, let atoms = bytes.integer(words[0]), let bonds = bytes.integer(words[1]), atoms >= 0,
            bonds >= 0
        else { return nil }
        self.atoms = atoms
        self.bonds = bonds
        isChiral = words.count > 4 && bytes.integer(words[4]) == 1
    }

    /// Reads a line in the usual layout: the exact length, right-aligned numbers, and the version at the end.
    private mutating func takeUsual(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count == CountsColumns.version.upperBound else { return false }
        let version = loadWord(bytes, at: line.upperBound &- 8) &>> 24
        let v2000: UInt64 = 0x30_3030_3256
        let v3000: UInt64 = 0x30_3030_3356
        guard version == v2000 || version == v3000 else { return false }
        let start = line.lowerBound
        let counts = ThreeColumns.twoNumbers(loadWord(bytes, at: start &+ CountsColumns.atoms.lowerBound))
        let lists = ThreeColumns.number(loadWord(bytes, at: start &+ CountsColumns.lists.lowerBound))
        let flags = ThreeColumns.twoNumbers(loadWord(bytes, at: start &+ CountsColumns.chiral.lowerBound))
        // If there were more than 99 lists, or a count of four digits, two numbers would touch.
        guard counts.0 != ThreeColumns.none, lists < 100, flags.0 != ThreeColumns.none else { return false }
        (atoms, bonds) = (Int(counts.0), Int(counts.1))
        self.lists = Int(lists)
        isChiral = flags.0 == 1
        textEntries = Int(flags.1)
        hasVersion = true
        isInPlace = true
        isV3000 = version == v3000
        return true
    }

    /// Whether a number of four or five digits crosses the boundary of the first two counts: ` 1000  0`.
    private static func crossesColumns(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count > 6, let third = line.dropFirst(2).first, Ascii.isDigit(bytes[third]) else { return false }
        return Ascii.isDigit(bytes[third + 1]) && Ascii.isBlank(bytes[third + 3])
    }

    private static func lengthOfFirstWord(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var start = line.lowerBound
        while start < line.upperBound, Ascii.isBlank(bytes[start]) { start &+= 1 }
        var end = start
        while end < line.upperBound, !Ascii.isBlank(bytes[end]) { end &+= 1 }
        return end &- start
    }

    /// Searches for `V2000` or `V3000`, ignoring case.
    private mutating func findVersion(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        var index = line.upperBound &- 5
        while index >= line.lowerBound {
            let digit = bytes[index &+ 1]
            if digit == 0x32 || digit == 0x33, Ascii.lower(bytes[index]) == 0x76, bytes[index &+ 2] == Ascii.zero,
                bytes[index &+ 3] == Ascii.zero, bytes[index &+ 4] == Ascii.zero
            {
                hasVersion = true
                isV3000 = digit == 0x33
                isInPlace = bytes[index] == 0x56 && index == line.lowerBound &+ CountsColumns.version.upperBound &- 5
                return
            }
            index &-= 1
        }
    }
}
