import ChemopenBytes
import ChemopenModel

/// Reads Sgroup lines: `index type extindex [KEY=value …]`.
struct V3000SgroupReader: ~Copyable {
    private(set) var ledger: IssueCollector
    /// The numbers of the table. The Sgroups are added when they are read.
    private(set) var index: V3000Index
    /// The line number for warnings about all Sgroups.
    private let lastLine: Int

    init(_ index: V3000Index, _ ledger: consuming IssueCollector, lastLine: Int) {
        self.index = index
        self.ledger = ledger
        self.lastLine = lastLine
    }

    mutating func read(_ lines: [V3000Line]) -> [Sgroup] {
        var sgroups: [Sgroup] = []
        sgroups.reserveCapacity(lines.count)
        var parents: [(child: Int, parent: Int, line: V3000Line)] = []
        var defaults: V3000Line?
        for line in lines {
            if line.keyword == .defaults {
                defaults = takeDefaults(line)
                continue
            }
            let text = line.text.span
            var words = V3000Words()
            guard let first = words.next(in: text) else { continue }
            guard let type = words.next(in: text), first.key.isEmpty, type.key.isEmpty else {
                ledger.doubt(line, "an Sgroup line must begin with a number and a type; omitted")
                continue
            }
            var sgroup = Sgroup(kind(type, text))
            let number = text.integer(first.raw)
            if index.sgroups.add(number, at: sgroups.count) {
                sgroup.number = Int32(clamping: number ?? 0)
            } else {
                ledger.doubt(line, first.raw, "an invalid or repeated Sgroup number; read without a number")
            }
            var said: [V3000Keyword] = []
            var parent: Int?
            var isIdentifierNext = true
            while let word = words.next(in: text) {
                if isIdentifierNext, word.key.isEmpty, let identifier = text.integer(word.raw) {
                    sgroup.identifier = Int32(clamping: identifier)
                } else {
                    if word.key.isEmpty {
                        ledger.doubt(line, word.raw, "not a keyword with a value; preserved verbatim")
                    }
                    let keyword = V3000Keyword(word.key, of: text)
                    if defaults != nil { said.append(keyword) }
                    read(keyword, word, line, &sgroup, &parent)
                }
                isIdentifierNext = false
            }
            if let defaults {
                // Values in the line override the defaults.
                let text = defaults.text.span
                var words = V3000Words()
                _ = words.next(in: text)
                while let word = words.next(in: text) {
                    let keyword = V3000Keyword(word.key, of: text)
                    if keyword != .unknown, said.contains(keyword) { continue }
                    read(keyword, word, defaults, &sgroup, &parent)
                }
            }
            if let parent { parents.append((sgroups.count, parent, line)) }
            sgroups.append(consume sgroup)
        }
        for (child, parent, line) in parents {
            if let place = index.sgroups.place(of: parent) {
                sgroups[child].parent = Int32(clamping: place)
            } else {
                ledger.doubt(line, "the parent is an Sgroup that does not exist; omitted")
            }
        }
        if !parents.isEmpty { breakCycles(&sgroups) }
        return sgroups
    }

    /// Returns the kind that a code specifies. Frequent kinds share their storage.
    private func kind(_ type: V3000Word, _ text: Span<UInt8>) -> Sgroup.Kind {
        if text.range(type.raw, spells: "DAT") { return .data }
        if text.range(type.raw, spells: "SUP") { return .abbreviation }
        if text.range(type.raw, spells: "SRU") { return .repeatingUnit }
        if text.range(type.raw, spells: "MUL") { return .multiple }
        if text.range(type.raw, spells: "GEN") { return .generic }
        return Sgroup.Kind(Text(bytes: type.text(in: text).bytes.map(Ascii.upper)))
    }

    /// Reads `DEFAULT KEY=value …`, which applies to all following Sgroups without the keyword.
    private mutating func takeDefaults(_ line: V3000Line) -> V3000Line? {
        // The length is limited because the defaults are repeated for every Sgroup.
        guard line.text.count <= 1000 else {
            ledger.doubt(line, "the defaults are too long; omitted")
            return nil
        }
        return line
    }

    /// Removes parents that would nest an Sgroup in itself.
    private mutating func breakCycles(_ sgroups: inout [Sgroup]) {
        // For each Sgroup, the number of the search that visited it, or 0 if it was not visited.
        var walks = [Int](repeating: 0, count: sgroups.count)
        for start in sgroups.indices where walks[start] == 0 {
            var at = start
            while walks[at] == 0, let parent = sgroups[at].parent {
                walks[at] = start + 1
                let next = Int(parent)
                if walks[next] == start + 1 {
                    sgroups[at].parent = nil
                    ledger.doubt(
                        at: lastLine,
                        "Sgroup \(sgroups[at].number) is nested in itself; its parent is omitted")
                    break
                }
                at = next
            }
            walks[at] = start + 1
        }
    }

    // MARK: Keywords

    private mutating func read(
        _ keyword: V3000Keyword, _ word: V3000Word, _ line: V3000Line, _ sgroup: inout Sgroup, _ parent: inout Int?
    ) {
        let text = line.text.span
        var isUnderstood = false
        if let term = SgroupTerm.term(ofKey: keyword, in: sgroup.kind) {
            switch term.content {
            case .atoms(let field):
                index.members(word, line, .atoms, onto: &sgroup[field], &ledger)
                isUnderstood = true
            case .bonds(let field):
                index.members(word, line, .bonds, onto: &sgroup[field], &ledger)
                isUnderstood = true
            case .parent:
                if !word.raw.isEmpty, let number = text.integer(word.raw) { (parent, isUnderstood) = (number, true) }
            case .bracket: isUnderstood = readBracket(word, line, &sgroup)
            case .attachment: isUnderstood = readAttachment(word, line, &sgroup)
            case .bondVector: isUnderstood = readBondVector(word, line, &sgroup)
            default: isUnderstood = take(word, text, as: term, &sgroup)
            }
        }
        if isUnderstood { return }
        sgroup.keywords.append(.init(Text(bytes: text.bytes(word.key)), Text(bytes: text.bytes(word.raw))))
    }

    /// Stores a text or a number; returns `false` if the value is not supported.
    private func take(_ word: V3000Word, _ text: Span<UInt8>, as term: SgroupTerm, _ sgroup: inout Sgroup) -> Bool {
        switch term.content {
        case .word(let field), .text(let field): sgroup[field] = word.text(in: text)
        case .number(let field):
            guard let number = text.integer(word.raw).flatMap({ Int32(exactly: $0) }) else { return false }
            sgroup[field] = number
        case .bracketStyle:
            let styles = [Sgroup.BracketStyle.round, .square]
            guard let style = styles.first(where: { text.range(word.value, spells: $0.word) }) else { return false }
            sgroup.bracketStyle = style
        case .expansion:
            guard text.range(word.value, spells: SgroupTerm.expanded) else { return false }
            sgroup.isExpanded = true
        case .data(let field):
            var data = sgroup.data.take() ?? Sgroup.Data()
            data[field] = word.text(in: text)
            sgroup.data = consume data
        case .values:
            var data = sgroup.data.take() ?? Sgroup.Data()
            data.values.append(word.text(in: text))
            sgroup.data = consume data
        default: return false
        }
        return true
    }

    private mutating func readBracket(_ word: V3000Word, _ line: V3000Line, _ sgroup: inout Sgroup) -> Bool {
        guard let (bracket, isSound) = bracket(word, line.text.span) else { return false }
        sgroup.brackets.append(bracket)
        if !isSound { ledger.doubt(line, word.raw, "a bracket must have nine numbers; read anyway") }
        return true
    }

    /// Reads `(9 x1 y1 z1 x2 y2 z2 0 0 0)`; `nil` if fewer than six numbers are present or one of the last three is
    /// not 0.
    private func bracket(_ word: V3000Word, _ text: Span<UInt8>) -> (Sgroup.Bracket, isSound: Bool)? {
        guard word.form == .list else { return nil }
        var bracket = Sgroup.Bracket(from: Position(), to: Position())
        var at = word.value.lowerBound
        let end = word.value.upperBound
        var count = -1
        var isSound = word.isClosed
        while true {
            while at < end, Ascii.isBlank(text[at]) { at &+= 1 }
            if at >= end { break }
            let start = at
            while at < end, !Ascii.isBlank(text[at]) { at &+= 1 }
            guard let number = Numeral.decimal(text, start..<at) else { return nil }
            switch count {
            case -1: isSound = isSound && number == 9
            case 0: bracket.start.x = number
            case 1: bracket.start.y = number
            case 2: bracket.start.z = number
            case 3: bracket.end.x = number
            case 4: bracket.end.y = number
            case 5: bracket.end.z = number
            default: if number != 0 { return nil }
            }
            count &+= 1
        }
        return count >= 6 ? (bracket, isSound && count == 9) : nil
    }

    /// Reads `SAP=(3 atom leaving id)`, with `leaving` 0 if no atom leaves, or `aidx` for the atom itself.
    private mutating func readAttachment(
        _ word: V3000Word, _ line: V3000Line, _ sgroup: inout Sgroup
    ) -> Bool {
        let text = line.text.span
        let list = V3000List(word, in: text)
        guard let first = list.items.first, let number = text.integer(first.raw),
            let atom = index.atoms.place(of: number)
        else {
            ledger.doubt(line, word.raw, "the attachment refers to an atom that does not exist; omitted")
            return true
        }
        var leaving: Int?
        if list.items.count > 1 {
            let item = list.items[1]
            if text.range(item.raw, spells: SgroupTerm.leavingItself.uppercased()) {
                leaving = atom
            } else if let number = text.integer(item.raw), number != 0 {
                leaving = index.atoms.place(of: number)
                if leaving == nil {
                    ledger.doubt(line, word.raw, "the attachment refers to an atom that does not exist; omitted")
                }
            }
        }
        let identifier = list.items.count > 2 ? list.items[2].text(in: text) : Text()
        sgroup.attachments.append(.init(atom: atom, leaving: leaving, identifier: identifier))
        return true
    }

    /// Reads `CSTATE=(4 bond x y z)` or `(1 bond)`.
    private mutating func readBondVector(
        _ word: V3000Word, _ line: V3000Line, _ sgroup: inout Sgroup
    ) -> Bool {
        let text = line.text.span
        let list = V3000List(word, in: text)
        guard let first = list.items.first, let number = text.integer(first.raw), let bond = index.bondIndex(number)
        else {
            ledger.doubt(line, word.raw, "the line refers to a bond that does not exist; omitted")
            return true
        }
        let ends = list.items.dropFirst().compactMap { Numeral.decimal(text, $0.raw) }
        let vector = ends.count == 3 ? Position(ends[0], ends[1], ends[2]) : nil
        if list.items.count != 1, vector == nil {
            ledger.doubt(line, word.raw, "a bond's vector must have three numbers; omitted")
        }
        sgroup.bondVectors.append(.init(bond: Int(bond), vector: vector))
        return true
    }
}
