import ChemopenBytes
import ChemopenModel

/// Reads the V3000 part of a molfile: its table, and the R-group and template blocks, which have their own tables.
struct V3000Reader: ~Copyable {
    var text: V3000LineReader
    private(set) var draft: MoleculeBuilder
    /// The numbers of the table, after it was read.
    private var index: V3000Index?
    /// At most one element, because few files have blocks after the table.
    private var outside: [Outside] = []

    /// The R-groups and links outside the table.
    private struct Outside {
        /// The indices of R-groups by number.
        var rgroupPlaces: [Int32: Int] = [:]
        /// The links, with the number of lines that were preserved before each.
        var links: [(line: V3000Line, keptBefore: Int)] = []
    }

    init(_ text: consuming V3000LineReader, into draft: consuming MoleculeBuilder) {
        self.text = text
        self.draft = draft
    }

    /// Reads up to `M  END`.
    mutating func read(_ bytes: Span<UInt8>) throws(Fault) {
        var hasTable = takePlainBegin(bytes)
        if hasTable {
            try readTable(bytes)
            if let feed = PlainV3000Keyword.lastFeed(at: text.lines.position, before: text.lines.end, of: bytes) {
                keepNumbers()
                return text.lines.take(upTo: feed)
            }
        }
        while let line = text.next(bytes) {
            if line.keyword == .begin {
                switch line.block {
                case .table where !hasTable:
                    hasTable = true
                    try readTable(bytes, name: line.tableName)
                case .rgroup: try readRGroup(bytes, line)
                case .template: try readTemplates(bytes, line)
                default:
                    if line.block == .table { text.ledger.doubt(line, "a second CTAB; preserved verbatim") }
                    keepBlock(bytes, line)
                }
            } else if line.keyword == .counts, !hasTable {
                text.ledger.doubt(line, "BEGIN CTAB is missing; read without it")
                hasTable = true
                try readTable(bytes, counts: line)
            } else if line.keyword == .linkNode {
                takeLink(line)
            } else if line.keyword == .end {
                text.ledger.doubt(line, "END without a matching BEGIN; skipped")
            } else if !line.text.isEmpty {
                keep(line)
            }
        }
        guard hasTable else { throw Fault(line: max(0, text.currentLine), expected: "M  V30 BEGIN CTAB") }
        if let links = outside.first?.links, !links.isEmpty {
            var reader = V3000CollectionReader(index ?? V3000Index(), text.ledger.take())
            reader.readLinks(links, into: &draft)
            text.ledger = reader.ledger
        }
        keepNumbers()
        takeEnd(bytes)
    }

    /// Reads a plain `BEGIN CTAB`.
    private mutating func takePlainBegin(_ bytes: Span<UInt8>) -> Bool {
        guard text.endsInLineFeed(bytes),
            let (keyword, feed) = PlainV3000Keyword.read(at: text.lines.position, before: text.lines.end, of: bytes),
            case .begin(.table) = keyword
        else { return false }
        text.lines.take(upTo: feed)
        return true
    }

    /// Reads `M  END`, the line after the table.
    private mutating func takeEnd(_ bytes: Span<UInt8>) {
        guard let line = text.lines.peek(in: bytes), bytes[line.lowerBound] != Ascii.dollar,
            bytes[line.lowerBound] != Ascii.greater
        else {
            return text.ledger.doubt(
                at: text.lines.line, "M  END is missing; read to the end of the structure")
        }
        _ = text.lines.next(in: bytes)
        if !bytes.range(line, begins: "M  END") {
            text.ledger.doubt(line, at: text.currentLine, of: bytes, "a misspelled M  END; read as M  END")
        }
    }

    private mutating func readTable(_ bytes: Span<UInt8>, name: Text = Text(), counts: V3000Line? = nil) throws(Fault) {
        var table = V3000TableReader(text.take(), into: draft.take())
        do throws(Fault) {
            index = try table.read(bytes, name: name, counts: counts)
        } catch {
            text = table.text
            throw error
        }
        text = table.text
        draft = table.draft
    }

    /// Stores the numbers in the file if unrecognized text may refer to them.
    private mutating func keepNumbers() {
        guard index?.isInOrder == false, draft.rare.mayNameNumbers, let kept = index?.kept(beside: draft.rare) else {
            return
        }
        draft.rare.atomNumbers = kept.atoms
        draft.rare.bondNumbers = kept.bonds
    }

    /// Reads a nested table. Its name becomes the title of the molecule, which has no header lines.
    mutating func readInner(_ bytes: Span<UInt8>, name: Text) throws(Fault) -> Molecule {
        var inner = V3000Reader(text.take(), into: MoleculeBuilder())
        defer { text = inner.text.take() }
        try inner.readTable(bytes)
        inner.keepNumbers()
        inner.draft.numberSites()
        inner.draft.settle()
        inner.draft.molecule.name = name
        return inner.draft.molecule
    }

    private mutating func takeLink(_ line: V3000Line) {
        text.ledger.doubt(line, "a link outside of the table; read as part of the table")
        if outside.isEmpty { outside.append(Outside()) }
        outside[0].links.append((line, draft.rare.verbatim.count))
    }

    /// Preserves an unrecognized line.
    mutating func keep(_ line: V3000Line) {
        draft.keep(Text(bytes: line.text), .v3000)
    }

    mutating func keepBlock(_ bytes: Span<UInt8>, _ first: V3000Line) {
        draft.keep(text.block(bytes, from: first), .v3000)
    }

    // MARK: R-groups and templates

    /// Reads `BEGIN RGROUP n`, then `RLOGIC thenR RestH occurrence` and a CTAB for each member.
    mutating func readRGroup(_ bytes: Span<UInt8>, _ first: V3000Line) throws(Fault) {
        let number = first.text.span.integer(2, ofWordsIn: first)
        if number == nil { text.ledger.doubt(first, "the R-group has no number; read as 0") }
        var group = RGroup(number ?? 0)
        try forEachLine(bytes, in: .rgroup, from: first) { (reader, line) throws(Fault) in
            if line.keyword == .begin, line.block == .table {
                group.members.append(try reader.readInner(bytes, name: line.tableName))
            } else if line.keyword == .logic, group.logic == nil {
                group.logic = reader.logic(line)
            } else {
                return false
            }
            return true
        }
        add(group, first)
    }

    /// Removes and returns the R-groups that were read.
    mutating func takeRGroups() -> [RGroup] {
        draft.rare.rgroups.isEmpty ? [] : exchange(&draft.rare.rgroups, with: [])
    }

    /// Adds an R-group. A second block with the same number is merged with the first.
    private mutating func add(_ group: RGroup, _ line: V3000Line) {
        if outside.isEmpty { outside.append(Outside()) }
        guard let place = outside[0].rgroupPlaces[group.number] else {
            outside[0].rgroupPlaces[group.number] = draft.rare.rgroups.count
            return draft.rare.rgroups.append(group)
        }
        text.ledger.doubt(line, "a second block of the R-group; merged with the first")
        draft.rare.rgroups[place].members += group.members
        draft.rare.rgroups[place].logic = draft.rare.rgroups[place].logic ?? group.logic
    }

    private func logic(_ line: V3000Line) -> RGroup.Logic {
        let bytes = line.text.span
        var logic = RGroup.Logic()
        logic.requires = Int32(clamping: bytes.integer(1, ofWordsIn: line) ?? 0)
        logic.restIsHydrogen = bytes.integer(2, ofWordsIn: line) == 1
        var words = V3000Words()
        for _ in 0..<3 { _ = words.next(in: bytes) }
        if let word = words.next(in: bytes) { logic.occurrence = word.text(in: bytes) }
        return logic
    }

    /// Reads lines `TEMPLATE index CLASS/Name[/Alias…] [KEY=value …]`, each followed by a CTAB.
    private mutating func readTemplates(_ bytes: Span<UInt8>, _ first: V3000Line) throws(Fault) {
        var templates: [Template] = []
        var hasTable = true
        try forEachLine(bytes, in: .template, from: first) { (reader, line) throws(Fault) in
            if line.keyword == .template {
                if !hasTable { reader.text.ledger.doubt(line, "the previous template has no CTAB; read as empty") }
                templates.append(reader.template(line))
                hasTable = false
            } else if line.keyword == .begin, line.block == .table, !templates.isEmpty, !hasTable {
                templates[templates.count - 1].molecule = try reader.readInner(bytes, name: line.tableName)
                hasTable = true
            } else {
                return false
            }
            return true
        }
        if !hasTable { text.ledger.doubt(first, "the last template has no CTAB; read as empty") }
        draft.rare.templates += templates
    }

    private func template(_ line: V3000Line) -> Template {
        let bytes = line.text.span
        var words = V3000Words()
        for _ in 0..<2 { _ = words.next(in: bytes) }
        var template = Template(words.next(in: bytes)?.text(in: bytes) ?? Text(), Molecule())
        while let word = words.next(in: bytes) {
            let name = Text(bytes: bytes.bytes(word.key))
            template.keywords.append(.init(name, Text(bytes: bytes.bytes(word.raw))))
        }
        return template
    }

    /// Passes each line of a block to a closure, up to its END. Lines that the closure rejects are preserved
    /// verbatim.
    private mutating func forEachLine(
        _ bytes: Span<UInt8>, in block: V3000Keyword, from first: V3000Line,
        _ take: (inout V3000Reader, V3000Line) throws(Fault) -> Bool
    ) throws(Fault) {
        while true {
            let start = text.lines
            guard let line = text.next(bytes) else { break }
            if line.text.isEmpty { continue }
            let isBegin = line.keyword == .begin
            if line.keyword == .end {
                if line.block == block { return }
                text.ledger.doubt(line, "no such block is open; skipped")
                continue
            }
            if isBegin, line.block.isOuterBlock {
                text.lines = start
                break
            }
            if try take(&self, line) { continue }
            if line.keyword == .linkNode {
                takeLink(line)
                continue
            }
            text.ledger.doubt(line, "not a line of this block; preserved verbatim")
            if isBegin { keepBlock(bytes, line) } else { keep(line) }
        }
        text.ledger.doubt(first, "the block has no END; read without it")
    }
}

extension Span where Element == UInt8 {
    /// Returns the integer at a token index in the line, counted from 0.
    func integer(_ place: Int, ofWordsIn line: V3000Line) -> Int? {
        var words = V3000Words()
        for _ in 0..<place { _ = words.next(in: self) }
        guard let word = words.next(in: self), word.key.isEmpty else { return nil }
        return integer(word.raw)
    }
}
