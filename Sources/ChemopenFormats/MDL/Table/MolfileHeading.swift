import ChemopenBytes
import ChemopenModel

extension [UInt8] {
    /// Appends a header line of a molfile or a reaction.
    ///
    /// Control characters are replaced. Lines that a reader would treat as the start or end of a record are indented
    /// by a blank.
    mutating func appendHeadingLine(_ line: ArraySlice<UInt8>, _ losses: inout [Loss]) {
        if line.beginsLikeKeyword {
            append(Ascii.blank)
            losses.note(.names, "written with a blank in front of $")
        }
        let start = count
        append(copying: line.span)
        append(Ascii.lineFeed)
        if !line.span.hasControlCharacters { return }
        var replaced = 0
        for index in start..<count - 1 where (self[index] < 0x20 && self[index] != 0x09) || self[index] == 0x7F {
            self[index] = Ascii.blank
            replaced += 1
        }
        losses.note(.names, "control characters", count: replaced)
    }
}

extension Span<UInt8> {
    /// Whether any byte is a control character, including the tab.
    fileprivate var hasControlCharacters: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var found: UInt64 = 0
        var index = 0
        while index &+ 8 <= count {
            let word = loadWord(self, at: index)
            let deletes = word ^ (0x7F &* ones)
            found |= ((word &- 0x20 &* ones) & ~word) | ((deletes &- ones) & ~deletes)
            index &+= 8
        }
        while index < count {
            if self[index] < 0x20 || self[index] == 0x7F { return true }
            index &+= 1
        }
        return found & (0x80 &* ones) != 0
    }
}

extension ArraySlice<UInt8> {
    /// Whether a line could be read as a keyword of an MDL format: `$$$$`, `$RXN`, `$MFMT`.
    var beginsLikeKeyword: Bool {
        guard first == Ascii.dollar, count > 1 else { return false }
        let second = self[startIndex + 1]
        return second == Ascii.dollar || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(second)
    }
}

extension [UInt8] {
    /// Appends the three header lines of a molfile.
    ///
    /// The second line is written verbatim, except for the dimension in columns 21 and 22.
    mutating func appendHeading(
        of molecule: borrowing Molecule, _ version: WriteOptions.Version, _ losses: inout [Loss]
    ) {
        let lines = molecule.heading.lines
        var name = lines.name
        if version == .v2000, !molecule.extras.isEmpty {
            let tableName = molecule.extras.contents.tableName.bytes
            if name.isEmpty { name = tableName[...] }
            if name != tableName[...], !tableName.isEmpty { losses.note(.names, "the name of the connection table") }
        }
        let dimension: UInt8 = molecule.flags.contains(.threeDimensional) ? 0x33 : 0x32
        if name.first == 0xEF, name.starts(with: [0xEF, 0xBB, 0xBF]) {
            // Readers would treat it as the byte order mark of the file.
            name = name.dropFirst(3)
            losses.note(.names, "a byte order mark")
        }
        if name.first == Ascii.greater {
            append(Ascii.blank)
            losses.note(.names, "written with a blank in front of >")
        }
        appendHeadingLine(name, &losses)
        if lines.origin.contains(where: { $0 > Ascii.blank && $0 != 0x7F }) {
            let start = count
            appendHeadingLine(lines.origin, &losses)
            correctDimension(dimension, from: start)
        } else {
            append("  CHEMOPEN          ")
            append(dimension)
            append("D\n")
            if lines.origin.contains(where: { !Ascii.isBlank($0) }) { losses.note(.names, "control characters") }
        }
        appendHeadingLine(lines.comment, &losses)
    }

    /// Corrects `2D` or `3D` in columns 21 and 22. Other text in these columns is left unchanged.
    private mutating func correctDimension(_ dimension: UInt8, from start: Int) {
        let length = count - start - 1
        if length <= 20 {
            guard dimension == 0x33 else { return }
            removeLast()
            append(contentsOf: repeatElement(Ascii.blank, count: 20 - length))
            append("3D\n")
        } else if length >= 22 {
            let first = self[start + 20]
            let second = self[start + 21]
            let isBlank = first == Ascii.blank && second == Ascii.blank
            guard (Ascii.isDigit(first) && Ascii.upper(second) == 0x44) || (isBlank && dimension == 0x33) else {
                return
            }
            self[start + 20] = dimension
            self[start + 21] = 0x44
        }
    }
}
