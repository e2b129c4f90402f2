import ChemopenBytes
import ChemopenModel

/// V3000: blocks of lines with keywords, each line behind `M  V30 `.
///
/// Atom and bond lines of the usual shape are read from the bytes as they pass. All other lines are put together from
/// their parts first. What names atoms, bonds or Sgroups is read at the end of the table, in whatever order it stood.
extension MolfileReader {
    mutating func readV3000(_ bytes: Span<UInt8>) throws(Fault) {
        var table = V3000Table()
        var hasTable = takePlainBegin(bytes)
        if hasTable { try readTable(bytes, name: Text(), &table) }
        while let line = nextV3000Line(bytes) {
            if line.keyword == .begin {
                switch line.block {
                case .table where !hasTable:
                    hasTable = true
                    try readTable(bytes, name: ctabName(line), &table)
                case .rgroup: try readRGroup(bytes, line)
                case .template: try readTemplates(bytes, line)
                default:
                    if line.block == .table { doubt(line, "a second CTAB; kept as it stands") }
                    keepBlock(bytes, line)
                }
            } else if line.keyword == .counts, !hasTable {
                doubt(line, "BEGIN CTAB is missing; read as if it were there")
                hasTable = true
                try readTable(bytes, name: Text(), counts: line, &table)
            } else if line.keyword == .linkNode, hasTable {
                doubt(line, "a link behind the table; read with it")
                table.linkLines = [(line, rare?.verbatim.count ?? 0)]
                readLinkNodes(&table)
            } else if line.keyword == .end {
                doubt(line, "nothing is open that could end here; passed over")
            } else if !line.text.isEmpty {
                keepLine(line)
            }
        }
        guard hasTable else { throw Fault(line: max(0, currentLine), expected: "M  V30 BEGIN CTAB") }
        keepNumbers(table)
        takeEnd(bytes)
    }

    /// Takes `M  END`, the line behind the table.
    private mutating func takeEnd(_ bytes: Span<UInt8>) {
        guard let line = lines.peek(in: bytes), bytes[line.lowerBound] != Ascii.dollar,
            bytes[line.lowerBound] != Ascii.greater
        else {
            issues.append(Issue(line: firstLine &+ lines.line, "M  END is missing; read to the end of the structure"))
            return
        }
        _ = lines.next(in: bytes)
        if !bytes.range(line, begins: "M  END") { doubt(line, of: bytes, "not written M  END; read as that") }
    }

    /// What follows `BEGIN CTAB` in a line.
    func ctabName(_ line: V3000Line) -> Text {
        var words = V3000Words()
        _ = words.next(in: line.text.span)
        _ = words.next(in: line.text.span)
        return words.next(in: line.text.span)?.text(in: line.text.span) ?? Text()
    }

    /// Reads a connection table into an empty molecule, from behind `BEGIN CTAB` to `END CTAB`.
    ///
    /// It stops before a line that shows that `END CTAB` is missing.
    mutating func readCtabV3000(_ bytes: Span<UInt8>, name: Text = Text()) throws(Fault) {
        var table = V3000Table()
        try readTable(bytes, name: name, &table)
        keepNumbers(table)
        if let contents = rare.take() { molecule.extras.contents = contents }
        settleDimension(bytes)
    }

    /// Reads a table of its own inside another one's block. Its name is the title of a molecule without header lines.
    mutating func readInnerCtab(_ bytes: Span<UInt8>, name: Text) throws(Fault) -> Molecule {
        let outer = molecule
        let outerRare = rare
        molecule = Molecule()
        rare = nil
        defer {
            molecule = outer
            rare = outerRare
        }
        try readCtabV3000(bytes)
        molecule.name = name
        return molecule
    }

    // MARK: Blocks

    private mutating func readTable(
        _ bytes: Span<UInt8>, name: Text, counts: V3000Line? = nil, _ table: inout V3000Table
    ) throws(Fault) {
        if !name.isEmpty { withRare { $0.tableName = name } }
        if let counts { readCounts(counts, &table) }
        var line = V3000Line()
        while true {
            switch table.block {
            case .atoms: readPlainAtoms(bytes, &table)
            case .bonds: readPlainBonds(bytes, &table)
            case .none, .sgroups, .collections: break
            }
            if !isAtNumberedLine(bytes), let plain = takePlainKeyword(bytes, &table) {
                if plain == .end { break }
                continue
            }
            let start = lines
            guard nextV3000Line(bytes, into: &line) else {
                close(&table)
                issues.append(Issue(line: firstLine &+ lines.line, "END CTAB is missing; read what is there"))
                break
            }
            let keyword = line.keyword
            if keyword == .end {
                if endsTable(line, &table) {
                    close(&table)
                    break
                }
                if line.block.isOuterBlock {
                    lines = start
                    close(&table)
                    doubt(line, "END CTAB is missing; read what is there")
                    break
                }
            } else if keyword == .begin {
                if line.block.isOuterBlock {
                    lines = start
                    close(&table)
                    doubt(line, "END CTAB is missing; read what is there")
                    break
                }
                try begin(line, bytes, &table)
            } else {
                try read(line, &table)
            }
        }
        settle(&table)
    }

    /// Whether a number follows where a keyword would stand.
    @inline(__always)
    private func isAtNumberedLine(_ bytes: Span<UInt8>) -> Bool {
        let place = lines.position &+ 7
        return place < lines.end && Ascii.isDigit(bytes[place])
    }

    private mutating func begin(_ line: V3000Line, _ bytes: Span<UInt8>, _ table: inout V3000Table) throws(Fault) {
        if line.block == .table { throw fault(line, expected: "a block of the CTAB; a CTAB within a CTAB is none") }
        tellOpen(line, &table)
        close(&table)
        guard let block = V3000Table.Block(line.block) else {
            return keepBlock(bytes, line)
        }
        if table.begun.contains(.init(block)) { doubt(line, "the second block of its kind; read with the first") }
        open(block, &table)
    }

    func open(_ block: V3000Table.Block, _ table: inout V3000Table) {
        table.begun.insert(.init(block))
        table.block = block
        if block == .bonds, table.firstBondLine == 0 { table.firstBondLine = lines.line }
    }

    private mutating func tellOpen(_ line: V3000Line, _ table: inout V3000Table) {
        if table.block != .none { doubt(line, "the block before has no END; read as if it ended here") }
    }

    /// Ends the block that is open; `true` where the line ends the table.
    private mutating func endsTable(_ line: V3000Line, _ table: inout V3000Table) -> Bool {
        if line.block == .table {
            tellOpen(line, &table)
            return true
        }
        guard let block = V3000Table.Block(line.block) else {
            if !line.block.isOuterBlock { doubt(line, "no such block is open; passed over") }
            return false
        }
        if table.block != block {
            doubt(
                line,
                table.block == .none ? "no such block is open; passed over" : "the line ends another block than is open"
            )
        }
        close(&table)
        return false
    }

    private mutating func close(_ table: inout V3000Table) {
        table.block = .none
    }

    private mutating func read(_ line: V3000Line, _ table: inout V3000Table) throws(Fault) {
        switch table.block {
        case .atoms: try readAtom(line, &table)
        case .bonds: try readBond(line, &table)
        case .sgroups: table.sgroupLines.append(line)
        case .collections: table.collectionLines.append(line)
        case .none:
            if line.text.isEmpty { return }
            if line.keyword == .counts {
                readCounts(line, &table)
            } else if line.keyword == .linkNode {
                table.linkLines.append((line, rare?.verbatim.count ?? 0))
            } else {
                keepLine(line)
            }
        }
    }

    /// `COUNTS na nb nsg n3d chiral [REGNO=regno]`
    private mutating func readCounts(_ line: V3000Line, _ table: inout V3000Table) {
        if table.announced != nil { doubt(line, "a second COUNTS line; read with the first") }
        let text = line.text.span
        var words = V3000Words()
        _ = words.next(in: text)
        var numbers: [Int?] = []
        while let word = words.next(in: text) {
            if word.key.isEmpty {
                numbers.append(text.integer(word.raw))
            } else {
                let keyword = Sgroup.Keyword(
                    Text(bytes: text.bytes(word.key)), Text(bytes: text.bytes(word.raw)))
                withRare { $0.keywords.append(keyword) }
            }
        }
        if numbers.count < 2 { doubt(line, "COUNTS holds two to five numbers; read what is there") }
        if numbers.count > 4, numbers[4] == 1 { molecule.flags.insert(.chiral) }
        for number in numbers.prefix(3) where number == nil { doubt(line, "no number that can be; read what is there") }
        table.announced = V3000Table.Announced()
        if numbers.count > 0 { table.announced?.atoms = numbers[0] }
        if numbers.count > 1 { table.announced?.bonds = numbers[1] }
        if numbers.count > 2 { table.announced?.sgroups = numbers[2] }
    }

    // MARK: What is not understood

    mutating func keepLine(_ line: V3000Line) {
        let text = Text(bytes: line.text)
        withRare { $0.verbatim.append(Verbatim(.v3000, text)) }
    }

    /// Keeps a block whole, whatever blocks it holds. One that is never ended gets its end.
    mutating func keepBlock(_ bytes: Span<UInt8>, _ first: V3000Line) {
        var text = first.text
        var open = [first.blockName]
        while let name = open.last {
            let start = lines
            guard let line = nextV3000Line(bytes) else {
                doubt(first, "the block has no END; kept with what follows")
                break
            }
            if line.keyword == .begin {
                open.append(line.blockName)
            } else if line.keyword == .end {
                let ended = line.blockName
                if ended == name {
                    open.removeLast()
                } else if line.block.isOuterBlock || line.block == .table {
                    lines = start
                    doubt(first, "the block has no END; kept with what follows")
                    break
                } else {
                    doubt(line, "the line ends another block than is open; kept as it is")
                }
            }
            text.append(Ascii.lineFeed)
            text += line.text
        }
        for name in open.reversed() { text += [Ascii.lineFeed] + Array("END ".utf8) + name }
        let whole = Text(bytes: text)
        withRare { $0.verbatim.append(Verbatim(.v3000, whole)) }
    }
}
