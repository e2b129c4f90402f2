import ChemopenBytes
import ChemopenModel

/// Reads one record of an RD file: its first line, its structure and its data.
///
/// The header lines of the file precede the first record.
struct RDRecordReader {
    private(set) var lines: LineCursor
    private(set) var issues: [Issue] = []
    private(set) var version = ""
    private let firstLine: Int
    private let beginsFile: Bool

    /// - Parameter beginsFile: Whether the record is the first of a file. If so, the file's header lines precede it.
    init(_ lines: LineCursor, firstLine: Int, beginsFile: Bool = false) {
        self.lines = lines
        self.firstLine = firstLine
        self.beginsFile = beginsFile
    }

    /// Whether a record begins at the line. `$RXN` also begins a record, because the line before it may be missing.
    static func isBeginning(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let keyword = line.lowerBound..<min(line.upperBound, line.lowerBound + 7)
        return RDRecordStart.begins(keyword, bytes) || bytes.range(keyword, begins: "$RXN")
    }

    mutating func read(_ buffer: [UInt8], into record: inout Record, columns: inout FieldColumns) throws(Fault) {
        let bytes = buffer.span
        skipHead(bytes, &record)
        guard let line = lines.peek(in: bytes) else { return }
        var content = RDRecordStart.Content.reaction
        if RDRecordStart.begins(line, bytes) {
            _ = lines.next(in: bytes)
            let start = RDRecordStart(line, bytes)
            content = start.content
            record.registry = start.registry
            tellDoubts(about: start, line, bytes)
        }
        try readStructure(buffer, content, into: &record)
        while let line = lines.peek(in: bytes), line.isEmpty || bytes[line.lowerBound] != Ascii.dollar {
            _ = lines.next(in: bytes)
            keepStray(line, bytes, &record)
        }
        var data = RDDataReader(lines, firstLine: firstLine)
        data.read(buffer, into: &record, columns: &columns)
        issues.note(data.issues)
        lines = data.lines
        if !data.conditions.isEmpty || data.arrow != nil { record.setArrow(data.arrow, data.conditions) }
        if record.subject == .none { takeStructure(from: &record, columns) }
    }

    /// Uses a structure in the data as the structure of a record that is only a registry number.
    ///
    /// The program ISIS writes such structures as `$DTYPE MOL:MOLSTRUCTURE`.
    private mutating func takeStructure(from record: inout Record, _ columns: FieldColumns) {
        let fields = record.fields
        guard fields.structures.count == 1, let structure = fields.structures.first,
            case .molecule(let molecule) = structure.note
        else { return }
        let place = Int(structure.index)
        guard columns.columns[Int(fields.entries[place].column)].name == "MOL:MOLSTRUCTURE" else { return }
        record.subject = .molecule(molecule)
        record.fields.removeAll()
        for (index, entry) in fields.entries.enumerated() where index != place {
            record.fields.append(column: Int(entry.column), fields.bytes[entry.valueRange])
        }
        issues.note(
            Issue(
                line: firstLine, "the structure is in the data (MOL:MOLSTRUCTURE); read as the record's structure",
                severity: .remark))
    }

    // MARK: The header of the file

    private mutating func skipHead(_ bytes: Span<UInt8>, _ record: inout Record) {
        if beginsFile, let line = lines.peek(in: bytes), !bytes.range(line, begins: "$RDFILE") {
            tell("the first line of an RD file, $RDFILE, is missing; read without it", line, bytes)
        }
        while let line = lines.peek(in: bytes), !Self.isBeginning(line, bytes) {
            _ = lines.next(in: bytes)
            if bytes.range(line, begins: "$RDFILE") {
                let words = bytes.words(line, limit: 2)
                if words.count < 2 || bytes.integer(words[1]) != 1 {
                    tell("the version of the RD file is not 1; read as version 1", line, bytes)
                }
            } else if !bytes.range(line, begins: "$DATM") {
                keepStray(line, bytes, &record)
            }
        }
    }

    private mutating func tellDoubts(about start: RDRecordStart, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        if let nonsense = start.nonsense {
            tell("not a registry number; skipped", nonsense, bytes)
        }
        let isMixed = start.registry.contains {
            start.content != .number && $0.isOfReaction != (start.content == .reaction)
        }
        if isMixed { tell("the registry number does not match the kind of structure; preserved", line, bytes) }
    }

    // MARK: Structures

    private mutating func readStructure(
        _ buffer: [UInt8], _ announced: RDRecordStart.Content, into record: inout Record
    ) throws(Fault) {
        let bytes = buffer.span
        let next = lines.peek(in: bytes) ?? lines.end..<lines.end
        var content = announced
        if bytes.range(next, begins: "$RXN") {
            if announced == .molecule { tell("$MFMT precedes a reaction; read as a reaction", next, bytes) }
            content = .reaction
        } else if announced == .reaction {
            tell("$RFMT is not followed by $RXN; read as a molecule", next, bytes)
            content = .molecule
        } else if announced == .number, !next.isEmpty, bytes[next.lowerBound] == Ascii.dollar {
            content = bytes.range(next, begins: "$MOL") || RGfileReader.isNext(lines, bytes) ? .molecule : .number
        } else if announced == .number {
            content = hasCountsLine(bytes) ? .molecule : .number
        }
        switch content {
        case .number: record.subject = .none
        case .reaction: record.subject = .reaction(try readReaction(buffer, &record))
        case .molecule: record.subject = .molecule(try readMolecule(buffer, into: record.takeMolecule()))
        }
    }

    /// Reads a molecule. Some writers put `$MOL` before the molfile, as in a reaction.
    private mutating func readMolecule(_ buffer: [UInt8], into molecule: Molecule) throws(Fault) -> Molecule {
        let bytes = buffer.span
        if let line = lines.peek(in: bytes), bytes.range(line, begins: "$MOL") { _ = lines.next(in: bytes) }
        if RGfileReader.isNext(lines, bytes) { return try readRGfile(buffer) }
        var molfile = MolfileReader(lines, firstLine: firstLine, into: molecule)
        defer {
            issues.note(molfile.issues)
            version = molfile.version
        }
        try molfile.read(buffer)
        lines = molfile.lines
        return molfile.takeMolecule()
    }

    private mutating func readRGfile(_ buffer: [UInt8]) throws(Fault) -> Molecule {
        var file = RGfileReader(lines, firstLine: firstLine)
        defer { issues.note(file.issues) }
        version = "V2000"
        try file.read(buffer)
        lines = file.lines
        return file.molecule
    }

    private mutating func readReaction(_ buffer: [UInt8], _ record: inout Record) throws(Fault) -> Reaction {
        var reader = ReactionReader(lines, firstLine: firstLine, reusing: record.takeReaction())
        defer {
            issues.note(reader.issues)
            version = reader.version
        }
        try reader.read(buffer)
        lines = reader.lines
        record.verbatim += reader.strays.map { Verbatim(.rdfile, $0) }
        return reader.reaction
    }

    /// Whether a molfile follows: a counts line after three lines that do not begin the data.
    private func hasCountsLine(_ bytes: Span<UInt8>) -> Bool {
        var lines = lines
        for _ in 0..<3 {
            guard let line = lines.next(in: bytes) else { return false }
            if bytes.range(line, begins: "$DTYPE") || bytes.range(line, begins: "$DATUM") { return false }
        }
        guard let line = lines.next(in: bytes) else { return false }
        return CountsLine(line, of: bytes) != nil
    }

    // MARK: Warnings

    private mutating func tell(_ message: String, _ part: Range<Int>, _ bytes: Span<UInt8>) {
        issues.note(Issue(line: firstLine &+ max(0, lines.line &- 1), message, found: Text(bytes: bytes.bytes(part))))
    }

    private mutating func keepStray(_ line: Range<Int>, _ bytes: Span<UInt8>, _ record: inout Record) {
        if line.allSatisfy({ bytes[$0] <= Ascii.blank }) { return }
        tell("text outside of the structure and its data; preserved verbatim", line, bytes)
        record.verbatim.append(Verbatim(.rdfile, Text(bytes: bytes.bytes(line))))
    }
}

extension Record {
    /// Sets the kind of the reaction's arrow and the text at it.
    fileprivate mutating func setArrow(_ arrow: Reaction.Arrow?, _ conditions: [Text]) {
        guard case .reaction(var reaction) = subject else { return }
        subject = .none
        if reaction.steps.isEmpty { reaction.steps = [Reaction.Step()] }
        reaction.steps[0].conditions = conditions
        reaction.steps[0].arrow = arrow ?? .forward
        subject = .reaction(reaction)
    }
}
