import ChemopenBytes
import ChemopenModel

/// Reads one reaction: `$RXN`, three header lines, then counts and components in V2000 or V3000.
///
/// The bytes are passed to each method, as in `MolfileReader`, which reads the components.
struct ReactionReader {
    var lines: LineCursor
    var reaction = Reaction(Reaction.Step())
    var issues: [Issue] = []
    /// Lines that belong to no component.
    var strays: [Text] = []
    private(set) var version = ""
    let firstLine: Int
    /// Unused molecules, which are filled again to reuse their memory.
    private var spare: [Molecule]

    init(_ lines: LineCursor, firstLine: Int, reusing spare: consuming [Molecule] = []) {
        self.lines = lines
        self.firstLine = firstLine
        self.spare = spare
    }

    /// Skips the lines before `$RXN`; any text is reported and preserved.
    mutating func skipToKeyword(_ bytes: Span<UInt8>) {
        while let line = lines.peek(in: bytes), !bytes.range(line, begins: "$RXN") {
            _ = lines.next(in: bytes)
            keepStray(line, bytes, "text before the reaction; preserved verbatim")
        }
    }

    /// Reads from `$RXN` to the end of the last component, and stops before the keyword of another block.
    mutating func read(_ buffer: [UInt8]) throws(Fault) {
        let bytes = buffer.span
        guard let keyword = lines.next(in: bytes), bytes.range(keyword, begins: "$RXN") else {
            throw Fault(line: max(0, lines.line - 1), expected: "$RXN, the first line of a reaction")
        }
        let counts = try readHeading(buffer)
        guard let counts else {
            version = "V3000"
            if !statesV3000(keyword, bytes) { tell("$RXN does not specify V3000; read as V3000", keyword, bytes) }
            var step = Reaction.Step()
            try readV3000(buffer, into: &step)
            reaction.steps = [step]
            return
        }
        version = "V2000"
        var step = Reaction.Step()
        let present = try readBlocks(buffer, counts, into: &step)
        let announced = counts.reactants + counts.products + counts.agents
        if announced != present {
            let line = max(0, lines.line - 1)
            issues.note(
                Issue(
                    line: firstLine &+ line,
                    "\(announced) components are announced, but \(present) are present; "
                        + (present > announced ? "the others are read as agents" : "the announced number is ignored")))
        }
        reaction.steps = [step]
    }

    // MARK: Header

    private func statesV3000(_ keyword: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.words(keyword).contains { bytes.range($0, begins: "V3000") }
    }

    /// Reads the name, program and comment lines, and the counts of a V2000 reaction.
    ///
    /// One surplus or missing line is tolerated if the counts line is certain.
    ///
    /// - Returns: The counts, or `nil` for V3000. The V3000 counts line is not read here.
    private mutating func readHeading(_ buffer: [UInt8]) throws(Fault) -> ReactionCounts? {
        let bytes = buffer.span
        let start = lines
        if let name = lines.next(in: bytes), let origin = lines.next(in: bytes), let comment = lines.next(in: bytes),
            let line = lines.peek(in: bytes), let counts = ReactionCounts(line, of: bytes), !counts.isDoubtful
        {
            _ = lines.next(in: bytes)
            reaction.heading.set(name: buffer[name], origin: buffer[origin], comment: buffer[comment])
            return counts
        }
        for length in [3, 2, 4] {
            lines = start
            var head: [Range<Int>] = []
            while head.count < length, let line = lines.next(in: bytes) { head.append(line) }
            guard head.count == length, let line = lines.peek(in: bytes) else { continue }
            let isV3000 = bytes.range(line, begins: "M  V30") || bytes.range(line, begins: "M V30")
            let counts = isV3000 ? nil : ReactionCounts(line, of: bytes)
            guard isV3000 || counts != nil, length == 3 || isV3000 || isBeforeComponent(lines, bytes) else { continue }
            if length != 3 {
                tell("the header has \(length) lines instead of 3", line, bytes)
                if length == 4 { head.remove(at: bytes.isBlank(head[0]) ? 0 : 3) }
                head.append(line.lowerBound..<line.lowerBound)
            }
            reaction.heading.set(name: buffer[head[0]], origin: buffer[head[1]], comment: buffer[head[2]])
            guard let counts else { return nil }
            _ = lines.next(in: bytes)
            if counts.isDoubtful { tell("the counts are not in their columns; split at blanks", line, bytes) }
            return counts
        }
        lines = start
        for _ in 0..<4 { _ = lines.next(in: bytes) }
        throw Fault(
            line: max(0, lines.line - 1),
            expected: "the counts line of a reaction: the numbers of reactants and products")
    }

    /// Whether `$MOL` follows the counts line.
    private func isBeforeComponent(_ start: LineCursor, _ bytes: Span<UInt8>) -> Bool {
        var lines = start
        _ = lines.next(in: bytes)
        guard let line = lines.next(in: bytes) else { return false }
        return bytes.range(line, begins: "$MOL")
    }

    // MARK: Components

    /// Reads all `$MOL` blocks, regardless of the announced number. Surplus components become agents.
    ///
    /// - Returns: The number of blocks.
    private mutating func readBlocks(
        _ buffer: [UInt8], _ counts: ReactionCounts, into step: inout Reaction.Step
    ) throws(Fault) -> Int {
        let bytes = buffer.span
        var present = 0
        while isBeforeBlock(bytes) {
            var blankLine: Int?
            while let line = lines.peek(in: bytes), !Self.beginsBlock(line, bytes) {
                _ = lines.next(in: bytes)
                if line.allSatisfy({ bytes[$0] <= Ascii.blank }) { blankLine = lines.line &- 1 }
                keepStray(line, bytes, "text between the components; preserved verbatim")
            }
            guard let line = lines.next(in: bytes) else { break }
            if bytes.range(line, begins: "$MDL") { tell("$MDL instead of $MOL; read as $MOL", line, bytes) }
            if let blank = blankLine {
                issues.note(Issue(line: firstLine &+ blank, "a blank line between the components; skipped"))
            }
            let component = Reaction.Component(try readMolecule(buffer))
            if present < counts.reactants {
                step.reactants.append(component)
            } else if present - counts.reactants < counts.products {
                step.products.append(component)
            } else {
                step.agents.append(component)
            }
            present += 1
        }
        return present
    }

    /// Reads the molfile or the R-group file of a component.
    private mutating func readMolecule(_ buffer: [UInt8]) throws(Fault) -> Molecule {
        if RGfileReader.isNext(lines, buffer.span) {
            var file = RGfileReader(lines, firstLine: firstLine)
            defer { issues.note(file.issues) }
            try file.read(buffer)
            lines = file.lines
            return file.molecule
        }
        var molfile = MolfileReader(lines, firstLine: firstLine, into: spare.popLast() ?? Molecule())
        defer { issues.note(molfile.issues) }
        try molfile.read(buffer)
        lines = molfile.lines
        return molfile.takeMolecule()
    }

    private static func beginsBlock(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.range(line, begins: "$MOL") || bytes.range(line, begins: "$MDL")
    }

    /// Whether a component follows before any other keyword.
    private func isBeforeBlock(_ bytes: Span<UInt8>) -> Bool {
        var lines = lines
        while let line = lines.next(in: bytes) {
            if !line.isEmpty, bytes[line.lowerBound] == Ascii.dollar { return Self.beginsBlock(line, bytes) }
        }
        return false
    }

    // MARK: Warnings

    /// Adds a warning about the line that was read last; `line` is the text to show.
    mutating func tell(_ message: String, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        issues.note(
            Issue(line: firstLine &+ lines.line &- 1, message, found: Text(bytes: bytes.bytes(line))))
    }

    /// Reports a line that belongs to no component, and preserves the line unless it is blank.
    mutating func keepStray(_ line: Range<Int>, _ bytes: Span<UInt8>, _ message: String) {
        if line.allSatisfy({ bytes[$0] <= Ascii.blank }) { return }
        tell(message, line, bytes)
        strays.append(Text(bytes: bytes.bytes(line)))
    }
}

/// The counts line of a V2000 reaction: the number of components in each role.
///
///     rrrpppaaa
struct ReactionCounts {
    private(set) var reactants = 0
    private(set) var products = 0
    private(set) var agents = 0
    /// Whether the counts are not in their columns.
    private(set) var isDoubtful = false

    /// Reads a counts line; `nil` if the line is not one. The third count is an extension that is often missing.
    init?(_ line: Range<Int>, of bytes: Span<UInt8>) {
        if takeUsual(line, bytes) { return }
        let columns = [bytes.columns(0..<3, of: line), bytes.columns(3..<6, of: line), bytes.columns(6..<9, of: line)]
        var counts = columns.map { bytes.integer($0) }
        if bytes.isBlank(columns[0]) || bytes.isBlank(columns[1]) || counts[0] == nil || counts[1] == nil {
            counts = bytes.words(line, limit: 4).map { bytes.integer($0) }
            guard counts.count == 2 || counts.count == 3 else { return nil }
            isDoubtful = true
        }
        guard let reactants = counts[0], let products = counts[1], reactants >= 0, products >= 0 else { return nil }
        self.reactants = reactants
        self.products = products
        if counts.count > 2 { agents = max(0, counts[2] ?? 0) }
    }

    /// Reads two or three counts that are right-aligned in their columns.
    private mutating func takeUsual(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count == 6 || line.count == 9 else { return false }
        let word = loadWord(bytes, at: line.lowerBound)
        let third = line.count == 9 ? ThreeColumns.number(loadWord(bytes, at: line.upperBound &- 8) &>> 40) : 0
        let (first, second) = (ThreeColumns.number(word), ThreeColumns.number(word &>> 24))
        guard first | second | third < 1024 else { return false }
        (reactants, products, agents) = (Int(first), Int(second), Int(third))
        return true
    }
}
