import ChemopenBytes
import ChemopenModel

/// Reads one V3000 connection table, from the line after `BEGIN CTAB` to `END CTAB`.
///
/// Atom and bond lines in the usual layout are read directly from the bytes. All other lines are first joined with
/// their continuation lines. References to atoms, bonds or Sgroups are resolved at the end of the table, in any
/// order.
struct V3000TableReader: ~Copyable {
    private(set) var text: V3000LineReader
    private(set) var draft: MoleculeBuilder
    private var atoms = V3000AtomReader()
    private var bonds = V3000BondReader()
    /// The open block.
    private var block = Block.none
    /// The blocks that have already begun.
    private var begun: Blocks = []
    private var announced: Announced?
    // Lines that refer to atoms, bonds and Sgroups are stored until all of these have been read.
    private var sgroupLines: [V3000Line] = []
    /// The links, with the number of lines that were preserved before each.
    private var linkLines: [(line: V3000Line, keptBefore: Int)] = []
    private var collectionLines: [V3000Line] = []

    init(_ text: consuming V3000LineReader, into draft: consuming MoleculeBuilder) {
        self.text = text
        self.draft = draft
    }

    private enum Block: UInt8 {
        case none, atoms, bonds, sgroups, collections

        /// Creates the block of a table that a name begins; `nil` for other names.
        init?(_ name: V3000Keyword) {
            switch name {
            case .atom: self = .atoms
            case .bond: self = .bonds
            case .sgroup: self = .sgroups
            case .collection: self = .collections
            default: return nil
            }
        }
    }

    private struct Blocks: OptionSet {
        var rawValue: UInt8

        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        init(_ block: Block) {
            rawValue = 1 << block.rawValue
        }
    }

    /// The numbers in the COUNTS line; `nil` for missing ones.
    private struct Announced {
        var atoms: Int?
        var bonds: Int?
        var sgroups: Int?
    }

    /// Reads the table into an empty molecule, and returns the mapping of its numbers.
    ///
    /// Reading stops before a line that implies that `END CTAB` is missing.
    mutating func read(_ bytes: Span<UInt8>, name: Text = Text(), counts: V3000Line? = nil) throws(Fault) -> V3000Index
    {
        if !name.isEmpty { draft.rare.tableName = name }
        if let counts { readCounts(counts) }
        var line = V3000Line()
        while true {
            let isPlain = text.endsInLineFeed(bytes)
            switch block {
            case .atoms where isPlain: atoms.readPlain(bytes, &text.lines, into: &draft.molecule)
            case .bonds where isPlain: bonds.readPlain(bytes, &text.lines, atoms.numbers, into: &draft.molecule)
            default: break
            }
            if !isAtNumberedLine(bytes), let progress = takePlainKeyword(bytes) {
                if progress == .end { break }
                continue
            }
            let start = text.lines
            guard text.next(bytes, into: &line) else {
                block = .none
                text.ledger.doubt(at: text.lines.line, "END CTAB is missing; read without it")
                break
            }
            let keyword = line.keyword
            if keyword == .end {
                if endsTable(line) { break }
            }
            if keyword == .end || keyword == .begin, line.block.isOuterBlock {
                text.lines = start
                text.ledger.doubt(line, "END CTAB is missing; read without it")
                break
            }
            if keyword == .begin {
                try begin(line, bytes)
            } else if keyword != .end {
                try read(line)
            }
        }
        return settle()
    }

    // MARK: Blocks

    /// Whether the line begins with a number instead of a keyword.
    @inline(__always)
    private func isAtNumberedLine(_ bytes: Span<UInt8>) -> Bool {
        let place = text.lines.position &+ 7
        return place < text.lines.end && Ascii.isDigit(bytes[place])
    }

    private enum Progress {
        case goesOn, end
    }

    /// Reads a line of keywords if it has the usual layout and is expected here; otherwise `nil`, without reading.
    private mutating func takePlainKeyword(_ bytes: Span<UInt8>) -> Progress? {
        guard text.endsInLineFeed(bytes),
            let (keyword, feed) = PlainV3000Keyword.read(at: text.lines.position, before: text.lines.end, of: bytes)
        else { return nil }
        switch keyword {
        case .begin(let name):
            guard block == .none, let next = Block(name), !begun.contains(Blocks(next)) else { return nil }
            text.lines.take(upTo: feed)
            open(next)
        case .end(.table):
            guard block == .none else { return nil }
            text.lines.take(upTo: feed)
            return .end
        case .end(let name):
            guard let ended = Block(name), block == ended else { return nil }
            text.lines.take(upTo: feed)
            block = .none
        case .counts(let atoms, let bonds, let sgroups, let isChiral):
            guard block == .none, announced == nil else { return nil }
            text.lines.take(upTo: feed)
            announced = Announced(atoms: atoms, bonds: bonds, sgroups: sgroups)
            if isChiral { draft.molecule.flags.insert(.chiral) }
        }
        return .goesOn
    }

    private mutating func begin(_ line: V3000Line, _ bytes: Span<UInt8>) throws(Fault) {
        if line.block == .table { throw line.fault(expected: "a block of the CTAB, which cannot be another CTAB") }
        tellOpen(line)
        block = .none
        guard let next = Block(line.block) else { return draft.keep(text.block(bytes, from: line), .v3000) }
        if begun.contains(Blocks(next)) {
            text.ledger.doubt(line, "the second block of its kind; merged with the first")
        }
        open(next)
    }

    private mutating func open(_ next: Block) {
        begun.insert(Blocks(next))
        block = next
        if next == .bonds { bonds.begin(at: text.lines.line) }
    }

    private mutating func tellOpen(_ line: V3000Line) {
        if block != .none { text.ledger.doubt(line, "the previous block has no END; read as if it ended here") }
    }

    /// Ends the open block; returns `true` if the line ends the table.
    private mutating func endsTable(_ line: V3000Line) -> Bool {
        if line.block == .table {
            tellOpen(line)
            return true
        }
        guard let ended = Block(line.block) else {
            if !line.block.isOuterBlock { text.ledger.doubt(line, "no such block is open; skipped") }
            return false
        }
        if block == .none {
            text.ledger.doubt(line, "no such block is open; skipped")
        } else if block != ended {
            text.ledger.doubt(line, "the line does not match the open block")
        }
        block = .none
        return false
    }

    private mutating func read(_ line: V3000Line) throws(Fault) {
        switch block {
        case .atoms: try atoms.read(line, into: &draft.molecule, &text.ledger)
        case .bonds: try bonds.read(line, atoms.numbers, into: &draft.molecule, &text.ledger)
        case .sgroups: sgroupLines.append(line)
        case .collections: collectionLines.append(line)
        case .none:
            if line.text.isEmpty { return }
            if line.keyword == .counts {
                readCounts(line)
            } else if line.keyword == .linkNode {
                linkLines.append((line, draft.rare.verbatim.count))
            } else {
                draft.keep(Text(bytes: line.text), .v3000)
            }
        }
    }

    /// Reads `COUNTS na nb nsg n3d chiral [REGNO=regno]`.
    private mutating func readCounts(_ line: V3000Line) {
        if announced != nil { text.ledger.doubt(line, "a second COUNTS line; replaces the first") }
        let bytes = line.text.span
        var words = V3000Words()
        _ = words.next(in: bytes)
        var numbers: [Int?] = []
        while let word = words.next(in: bytes) {
            if word.key.isEmpty {
                numbers.append(bytes.integer(word.raw))
            } else {
                let keyword = Sgroup.Keyword(
                    Text(bytes: bytes.bytes(word.key)), Text(bytes: bytes.bytes(word.raw)))
                draft.rare.keywords.append(keyword)
            }
        }
        if numbers.count < 2 { text.ledger.doubt(line, "COUNTS must contain at least two numbers; read anyway") }
        if numbers.count > 4, numbers[4] == 1 { draft.molecule.flags.insert(.chiral) }
        for number in numbers.prefix(3) where number == nil {
            text.ledger.doubt(line, "not a valid number; ignored")
        }
        announced = Announced()
        if numbers.count > 0 { announced?.atoms = numbers[0] }
        if numbers.count > 1 { announced?.bonds = numbers[1] }
        if numbers.count > 2 { announced?.sgroups = numbers[2] }
    }

    // MARK: At the end

    /// Resolves references that require the complete table.
    private mutating func settle() -> V3000Index {
        let bondNotes = bonds.settle(&draft.molecule, &text.ledger)
        let atomNotes = atoms.settle(&text.ledger)
        if !atomNotes.isEmpty { draft.rare.atomNotes = atomNotes }
        if !bondNotes.isEmpty { draft.rare.bondNotes = bondNotes }
        var index = V3000Index(atoms: atoms.numbers, bonds: bonds.numbers, bondNumbering: bonds.numbering)
        var sgroupCount = 0
        if !sgroupLines.isEmpty {
            var reader = V3000SgroupReader(index, text.ledger.take(), lastLine: text.currentLine)
            let sgroups = reader.read(sgroupLines)
            index = reader.index
            sgroupCount = sgroups.count
            text.ledger = reader.ledger
            draft.rare.sgroups = sgroups
        }
        if !linkLines.isEmpty || !collectionLines.isEmpty {
            var reader = V3000CollectionReader(index, text.ledger.take())
            reader.readLinks(linkLines, into: &draft)
            if !collectionLines.isEmpty { reader.read(collectionLines, into: &draft) }
            text.ledger = reader.ledger
        }
        tellCounts(sgroups: sgroupCount)
        if draft.rare.sgroups.contains(where: DataSgroupReader.isOfChemistry) { applyDataSgroups(index) }
        return index
    }

    private mutating func applyDataSgroups(_ index: V3000Index) {
        var reader = DataSgroupReader(draft.take(), text.ledger.take(), line: text.currentLine)
        reader.read { index.bondIndex($0) }
        text.ledger = reader.ledger
        draft = reader.draft
    }

    /// Reports counts that differ from the actual numbers. They have no other use.
    private mutating func tellCounts(sgroups sgroupCount: Int) {
        guard let announced = announced else {
            return text.ledger.doubt(at: text.currentLine, "COUNTS is missing; read without it")
        }
        tell(announced.atoms, "atoms", present: atoms.numbers.count)
        tell(announced.bonds, "bonds", present: bonds.numbers.count)
        tell(announced.sgroups, "Sgroups", present: sgroupCount)
    }

    private mutating func tell(_ announced: Int?, _ what: StaticString, present: Int) {
        guard let announced, announced != present else { return }
        text.ledger.doubt(
            at: text.currentLine,
            "\(announced) \(what) are announced, but \(present) are present; the announced number is ignored")
    }
}
