import ChemopenBytes

/// The lines of a molfile, assigned to the atoms and bonds that they describe.
struct MolfileLines {
    /// A line with its end. In V3000, the lines that continue it belong to it.
    struct Line {
        let bytes: ArraySlice<UInt8>
        /// The text without line ends, the prefix of V3000 and the marks of continued lines.
        let text: [UInt8]
        /// The positions of the words in the first of the physical lines.
        var words: [Range<Int>] { MolfileLines.words(of: bytes) }
    }

    let isV3000: Bool
    /// The lines before the atoms, with the counts in the last one.
    private(set) var head: [Line] = []
    private(set) var atoms: [Line] = []
    /// The lines between the atoms and the bonds: in V3000 the end of the one block and the start of the other.
    private(set) var between: [Line] = []
    private(set) var bonds: [Line] = []
    /// The lines of properties and groups.
    private(set) var properties: [Line] = []
    /// The line `M  END` and everything after it.
    private(set) var rest: [Line] = []

    /// The index of the counts in `head`.
    private(set) var counts = 0

    /// Finds the lines, or returns `nil` if they are not in the usual order.
    init?(_ molfile: ArraySlice<UInt8>) {
        let lines = Self.lines(of: molfile)
        guard lines.count > 4 else { return nil }
        isV3000 = Self.contains(lines[3], "V3000")
        if isV3000 { guard readV3000(lines) else { return nil } } else { guard readV2000(lines) else { return nil } }
    }

    private mutating func readV2000(_ lines: [ArraySlice<UInt8>]) -> Bool {
        let plain = lines.map { Line(bytes: $0, text: Self.text(of: $0)) }
        let counts = plain[3].text
        guard let atomCount = Self.number(in: 0..<3, of: counts), let bondCount = Self.number(in: 3..<6, of: counts),
            4 + atomCount + bondCount < plain.count
        else { return false }
        head = Array(plain[..<4])
        self.counts = 3
        atoms = Array(plain[4..<4 + atomCount])
        bonds = Array(plain[(4 + atomCount)..<(4 + atomCount + bondCount)])
        let others = plain[(4 + atomCount + bondCount)...]
        guard let end = others.firstIndex(where: { Self.begins($0.text, "M  END") }) else { return false }
        properties = Array(others[..<end])
        rest = Array(others[end...])
        return !properties.contains { Self.begins($0.text, "S  SKP") || Self.begins($0.text, "$") }
    }

    private mutating func readV3000(_ lines: [ArraySlice<UInt8>]) -> Bool {
        var place = 4
        head = lines[..<4].map { Line(bytes: $0, text: Self.text(of: $0)) }
        var found: [Line] = []
        while place < lines.count {
            let start = place
            var text = Self.text(of: lines[place])
            guard Self.begins(text, "M  V30") else {
                found.append(Line(bytes: lines[place], text: text))
                place += 1
                continue
            }
            text.removeFirst(min(7, text.count))
            while text.last == UInt8(ascii: "-"), place + 1 < lines.count,
                Self.begins(Self.text(of: lines[place + 1]), "M  V30")
            {
                text.removeLast()
                place += 1
                text += Self.text(of: lines[place]).dropFirst(7)
            }
            let bytes = lines[start...place].reduce(into: [UInt8]()) { $0 += $1 }
            found.append(Line(bytes: bytes[...], text: text))
            place += 1
        }
        var rest = found[...]
        func take(until word: String) -> [Line]? {
            guard let end = rest.firstIndex(where: { Self.begins($0.text, word) }) else { return nil }
            defer { rest = rest[end...] }
            return Array(rest[..<end])
        }
        // R-group members and templates have tables of their own, which follow this one.
        guard let before = take(until: "BEGIN ATOM"), let opening = rest.popFirst(),
            let counts = before.firstIndex(where: { Self.begins($0.text, "COUNTS") })
        else { return false }
        self.counts = head.count + counts
        head += before + [opening]
        guard let atomLines = take(until: "END ATOM"), let closing = rest.popFirst() else { return false }
        atoms = atomLines
        between = [closing]
        if let next = rest.first, Self.begins(next.text, "BEGIN BOND") {
            between.append(next)
            rest = rest.dropFirst()
            guard let bondLines = take(until: "END BOND") else { return false }
            bonds = bondLines
        }
        guard let properties = take(until: "END CTAB") else { return false }
        if properties.contains(where: { Self.begins($0.text, "BEGIN BOND") || Self.begins($0.text, "BEGIN ATOM") }) {
            return false
        }
        self.properties = properties
        self.rest = Array(rest)
        return true
    }

    // MARK: Text

    private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var place = start
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            guard byte == Ascii.lineFeed || byte == Ascii.carriageReturn else { continue }
            if byte == Ascii.carriageReturn, place < bytes.endIndex, bytes[place] == Ascii.lineFeed { place += 1 }
            lines.append(bytes[start..<place])
            start = place
        }
        if start < bytes.endIndex { lines.append(bytes[start...]) }
        return lines
    }

    static func text(of line: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(line)
        while let last = text.last, last == Ascii.lineFeed || last == Ascii.carriageReturn { text.removeLast() }
        return text
    }

    static func begins(_ text: [UInt8], _ word: String) -> Bool { text.starts(with: word.utf8) }

    private static func contains(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (text.startIndex...text.endIndex - word.count).contains {
            text[$0..<$0 + word.count].elementsEqual(word)
        }
    }

    /// Returns the non-negative number in some columns; blank columns are 0.
    static func number(in columns: Range<Int>, of text: [UInt8]) -> Int? {
        let columns = columns.clamped(to: 0..<text.count)
        let digits = text[columns].filter { $0 != Ascii.blank }
        if digits.isEmpty { return 0 }
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    static func words(of line: ArraySlice<UInt8>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for place in line.indices {
            let byte = line[place]
            if byte == Ascii.lineFeed || byte == Ascii.carriageReturn {
                if let first = start { words.append(first..<place) }
                return words
            }
            let isBlank = byte == Ascii.blank || byte == 0x09
            if isBlank, let first = start {
                words.append(first..<place)
                start = nil
            } else if !isBlank, start == nil {
                start = place
            }
        }
        if let first = start { words.append(first..<line.endIndex) }
        return words
    }
}
