import ChemopenBytes
import ChemopenModel

/// Reads one molfile: the three header lines, the counts line and the connection table of its version.
///
/// The bytes travel beside it; it holds where it is and what it has found so far.
struct MolfileReader {
    var lines: LineCursor
    var molecule: Molecule
    /// What few molecules have; put into the molecule at the end.
    var rare: Extras.Contents?
    /// Aliases and values of atoms, which come in any order; they join the notes when the last one is read.
    private var looseNotes: [Tagged<AtomNote>] = []
    /// Where the R-group of a number stands among those that were read.
    var rgroupPlaces: [Int32: Int] = [:]
    var issues: [Issue] = []
    /// The number of the file's line at which the cursor counts 0.
    let firstLine: Int
    var version = ""
    /// Lines to skip (`S  SKP`) ran past the end of the text: the record goes on behind what looked like its end.
    var wantsMore = false
    private var hasToldShortLines = false
    /// V3000 lines that do not begin as they should are told once.
    var hasLooseLines = false

    init(_ lines: LineCursor, firstLine: Int, into molecule: consuming Molecule) {
        self.lines = lines
        self.firstLine = firstLine
        self.molecule = molecule
    }

    /// Hands the molecule on without a copy; an empty one stays.
    mutating func takeMolecule() -> Molecule {
        exchange(&molecule, with: Molecule())
    }

    /// Reads from the title to `M  END`.
    mutating func read(_ buffer: [UInt8]) throws(Fault) {
        let bytes = buffer.span
        molecule.removeAll()
        let counts = try header(bytes, buffer)
        try readTable(counts, bytes)
    }

    /// Reads a table without the three header lines: from the counts line to `M  END`.
    mutating func readTable(_ bytes: Span<UInt8>) throws(Fault) {
        guard let line = lines.next(in: bytes), let counts = CountsLine(line, of: bytes) else {
            throw Fault(line: currentLine, expected: "a counts line: how many atoms and bonds, and the version")
        }
        if counts.isDoubtful { doubt(line, of: bytes, "the counts are not in their columns; read as words") }
        if counts.isChiral { molecule.flags.insert(.chiral) }
        try readTable(counts, bytes)
    }

    private mutating func readTable(_ counts: CountsLine, _ bytes: Span<UInt8>) throws(Fault) {
        let isV3000InDisguise = !counts.isV3000 && isBeforeV3000(bytes)
        if isV3000InDisguise {
            let message = "the counts line does not say V3000, the lines do; read as that"
            issues.append(Issue(line: firstLine &+ lines.line, message))
        }
        if counts.isV3000 || isV3000InDisguise {
            version = "V3000"
            try readV3000(bytes)
        } else {
            version = "V2000"
            try readV2000(bytes, counts)
        }
        numberSites()
        if let contents = rare.take() { molecule.extras.contents = contents }
        settleDimension(bytes)
    }

    /// Whether the next line is one of V3000.
    private func isBeforeV3000(_ bytes: Span<UInt8>) -> Bool {
        guard lines.position < lines.end, bytes[lines.position] == UInt8(ascii: "M") else { return false }
        return lines.peek(in: bytes).map { bytes.range($0, begins: "M  V30 ") } ?? false
    }

    // MARK: Header

    /// Takes the header's four lines. One line too many or too few is mended where the counts line is unmistakable.
    private mutating func header(_ bytes: Span<UInt8>, _ buffer: [UInt8]) throws(Fault) -> CountsLine {
        let start = lines
        guard let title = lines.next(in: bytes) else {
            throw Fault(line: 0, expected: "a molfile of at least four lines")
        }
        guard let origin = lines.next(in: bytes), let comment = lines.next(in: bytes) else {
            throw Fault(line: lines.line, expected: "the counts line, the fourth of a molfile")
        }
        if let line = lines.peek(in: bytes), let counts = CountsLine(line, of: bytes), !counts.isDoubtful {
            _ = lines.next(in: bytes)
            setHeading(title, origin, comment, buffer)
            if counts.isChiral { molecule.flags.insert(.chiral) }
            if counts.isOdd {
                doubt(line, of: bytes, "a count below 0, or a version that there is not; read as V2000 without it")
            } else if !counts.isInPlace {
                remark(line, of: bytes, "the counts line does not name its version in its columns")
            }
            return counts
        }
        return try mendedHeader(bytes, buffer, from: start)
    }

    /// Takes the three lines. NUL is no text: a blank stands in its place.
    private mutating func setHeading(
        _ title: Range<Int>, _ origin: Range<Int>, _ comment: Range<Int>, _ buffer: [UInt8]
    ) {
        let end = max(title.upperBound, comment.upperBound)
        guard firstIndex(of: 0, in: buffer.span, from: title.lowerBound, to: end) != nil else {
            return molecule.heading.set(name: buffer[title], origin: buffer[origin], comment: buffer[comment])
        }
        issues.append(Issue(line: firstLine, "a NUL in the header; a blank put in its place"))
        let lines = [title, origin, comment].map { buffer[$0].map { $0 == 0 ? Ascii.blank : $0 }[...] }
        molecule.heading.set(name: lines[0], origin: lines[1], comment: lines[2])
    }

    private mutating func mendedHeader(
        _ bytes: Span<UInt8>, _ buffer: [UInt8], from start: LineCursor
    ) throws(Fault) -> CountsLine {
        lines = start
        var head: [Range<Int>] = []
        let mostBlankLines = 20
        for _ in 0..<4 + mostBlankLines {
            guard let line = lines.next(in: bytes) else { break }
            let surplus = head.count - 3
            let isSurplusBlank = surplus >= 0 && head.prefix(surplus).allSatisfy { bytes.isBlank($0) }
            if head.count >= 2, surplus != 0, surplus <= 1 || isSurplusBlank, let counts = CountsLine(line, of: bytes),
                counts.isUnmistakable
            {
                doubt(
                    line, of: bytes,
                    "the header has \(head.count) lines and not 3; read with the counts line that is here")
                if surplus > 0 { head.removeSubrange(isSurplusBlank ? 0..<surplus : 3..<4) }
                head.append(line.lowerBound..<line.lowerBound)
                setHeading(head[0], head[1], head[2], buffer)
                return counts
            }
            head.append(line)
        }
        lines = start
        for _ in 0..<3 { _ = lines.next(in: bytes) }
        guard let line = lines.next(in: bytes) else {
            throw Fault(line: lines.line, expected: "the counts line, the fourth of a molfile")
        }
        guard let counts = CountsLine(line, of: bytes) else {
            throw Fault(
                line: lines.line &- 1, 0..<line.count,
                expected: "a counts line: how many atoms and bonds, and the version")
        }
        doubt(line, of: bytes, "the counts are not in their columns; read as words")
        setHeading(head[0], head[1], head[2], buffer)
        if counts.isChiral { molecule.flags.insert(.chiral) }
        return counts
    }

    /// `3D` in the header or a height that is not 0 is a molecule in space; positions that are all 0 are none.
    mutating func settleDimension(_ bytes: Span<UInt8>) {
        var isDrawn = false
        for atom in molecule.atoms {
            if atom.position.z != 0 {
                molecule.flags.insert(.threeDimensional)
                return
            }
            isDrawn = isDrawn || atom.position.x != 0 || atom.position.y != 0
        }
        let origin = molecule.heading.lines.origin
        if origin.dropFirst(20).prefix(2).elementsEqual("3D".utf8) {
            molecule.flags.insert(.threeDimensional)
        } else if !isDrawn, !molecule.atoms.isEmpty {
            molecule.flags.insert(.withoutCoordinates)
        }
    }

    // MARK: What both versions need

    /// `R0` to `R99` name their R-group by themselves, where nothing else does.
    private mutating func numberSites() {
        if molecule.labels.isEmpty { return }
        let numbers = molecule.labels.map { label -> Int32? in
            guard label.bytes.first == 0x52, (2...3).contains(label.bytes.count) else { return nil }
            return label.bytes.dropFirst().allSatisfy(Ascii.isDigit) ? Int32(label.string.dropFirst()) : nil
        }
        if numbers.allSatisfy({ $0 == nil }) { return }
        for index in molecule.atoms.indices {
            let label = Int(molecule.atoms[index].label)
            guard numbers.indices.contains(label), let number = numbers[label] else { continue }
            let isNumbered = rare?.atomNotes.notes(of: index).contains { note in
                if case .rgroups = note { true } else { false }
            }
            if isNumbered != true { note(.rgroups([number]), onAtom: index) }
        }
    }

    /// The number of the line taken last, from 0 in this cursor.
    var currentLine: Int { lines.line &- 1 }

    /// Notes a doubt about the line taken last.
    mutating func doubt(
        _ line: Range<Int>, of bytes: Span<UInt8>, columns: Range<Int>? = nil, _ message: String
    ) {
        let part = columns.map { bytes.columns($0, of: line) } ?? line
        let shown = Text(bytes: bytes.bytes(part.lowerBound..<min(part.upperBound, part.lowerBound &+ 200)))
        issues.append(
            Issue(
                line: firstLine &+ currentLine, columns: columns.map { $0.lowerBound + 1..<$0.upperBound + 1 } ?? 0..<0,
                message, found: shown))
    }

    /// Notes a departure from the format that leaves no doubt.
    mutating func remark(_ line: Range<Int>, of bytes: Span<UInt8>, _ message: String) {
        doubt(line, of: bytes, message)
        issues[issues.count - 1].severity = .remark
    }

    /// Tells once that atom lines end early.
    mutating func remarkShortLine(_ line: Range<Int>, of bytes: Span<UInt8>) {
        if hasToldShortLines { return }
        hasToldShortLines = true
        remark(line, of: bytes, "the atom lines end early; what is not there reads as 0")
    }

    /// Changes what few molecules have.
    mutating func withRare(_ change: (inout Extras.Contents) -> Void) {
        var contents = rare.take() ?? Extras.Contents()
        change(&contents)
        rare = consume contents
    }

    /// Adds a note to an atom, keeping the notes sorted by atom.
    mutating func note(_ note: AtomNote, onAtom index: Int) {
        settleNotes()
        molecule.atoms[index].marks.insert(.hasNotes)
        withRare { $0.atomNotes.insert(note, at: index) }
    }

    /// Adds a note in front of which no other has to be read before `settleNotes()`.
    mutating func noteLater(_ note: AtomNote, onAtom index: Int) {
        molecule.atoms[index].marks.insert(.hasNotes)
        looseNotes.append(Tagged(index, note))
    }

    mutating func settleNotes() {
        if looseNotes.isEmpty { return }
        let notes = looseNotes
        looseNotes = []
        withRare { $0.atomNotes.insert(contentsOf: notes) }
    }

    mutating func note(_ note: BondNote, onBond index: Int) {
        molecule.bonds[index].traits.insert(.hasNotes)
        withRare { $0.bondNotes.insert(note, at: index) }
    }
}

/// The fourth line of a molfile.
struct CountsLine {
    var atoms = 0
    var bonds = 0
    var lists = 0
    var textEntries = 0
    var isChiral = false
    var isV3000 = false
    /// The version stands in the line, wherever.
    var hasVersion = false
    /// The version stands where it should and as it should.
    var isInPlace = false
    /// Some count is negative, or something that is no version stands in its place.
    var isOdd = false
    /// The counts were not in their columns.
    var isDoubtful = false

    /// Nothing else looks like it: six columns of digits and blanks, and a version.
    var isUnmistakable: Bool { hasVersion && !isDoubtful }

    /// `nil` where the line is none.
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
            // Counts beyond 999 that a writer has squeezed in, four digits each.
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

    /// Takes a line of just the usual length, numbers to the right of their columns, and the version at its end.
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
        // More lists than 99 would touch the number before them, and so do counts of four digits each.
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

    /// Whether a number of four or five digits stands where the counts of three columns meet: ` 1000  0`.
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

    /// Looks for `V2000` or `V3000` in any letter case.
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
