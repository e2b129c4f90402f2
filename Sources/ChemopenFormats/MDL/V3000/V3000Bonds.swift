import ChemopenBytes
import ChemopenModel

/// Bond lines that are not of the usual shape: `index type atom1 atom2 [KEY=value …]`.
extension MolfileReader {
    mutating func readBond(_ line: V3000Line, _ table: inout V3000Table) throws(Fault) {
        let text = line.text.span
        var words = V3000Words()
        let number = words.number(in: text)
        var first: V3000Word?
        if number == nil {
            first = words.next(in: text)
            if first == nil { return }
        }
        var codes: [3 of Int] = .init(repeating: 0)
        var count = 0
        while count < 3 {
            if let code = words.number(in: text) {
                codes[count] = code
            } else if let word = words.next(in: text), word.key.isEmpty, let code = text.integer(word.raw) {
                codes[count] = code
            } else {
                break
            }
            count += 1
        }
        guard count == 3 else { throw fault(line, expected: "a bond line: number, type and two atoms") }
        if !table.bonds.add(number ?? first.flatMap { text.integer($0.raw) }) {
            doubt(
                line, words.first(in: text), "no number for a bond, or one that is taken; the bond is read without one")
        }
        guard let from = table.atoms.place(of: codes[1]), let to = table.atoms.place(of: codes[2]) else {
            doubt(line, "the bond names an atom that is not there; left out")
            table.droppedBonds.append(table.bonds.count - 1)
            return
        }
        var bond = Bond(from, to)
        bond.order = order(codes[0], line)
        let index = molecule.bonds.count
        var ends: (atoms: [Int32], word: V3000Word)?
        var attach: V3000Word?
        while let word = words.next(in: text) {
            switch V3000Keyword(word.key, of: text) {
            case .endpoints:
                var atoms: [Int32] = []
                readMembers(word, line, .atoms, onto: &atoms, &table)
                ends = (atoms, word)
            case .attach: attach = word
            default:
                if !read(word, line, &bond, index, &table) { keep(word, line, index, &table) }
            }
        }
        if ends != nil || attach != nil { readMulticentre(ends, attach, line, index, &table) }
        if table.bondNotes.last?.index == Int32(clamping: index) { bond.traits.insert(.hasNotes) }
        molecule.bonds.append(bond)
    }

    private mutating func order(_ code: Int, _ line: V3000Line) -> Bond.Order {
        if let order = Bond.Order(mdlType: code) { return order }
        doubt(line, code == 0 ? "MDL has no bond type 0; read as order zero" : "no bond type; read as any")
        return code == 0 ? .zero : .any
    }

    /// Reads a keyword; `false` where it is unknown, or says what it cannot.
    private mutating func read(
        _ word: V3000Word, _ line: V3000Line, _ bond: inout Bond, _ index: Int, _ table: inout V3000Table
    ) -> Bool {
        let text = line.text.span
        let code = text.integer(word.raw)
        switch V3000Keyword(word.key, of: text) {
        case .configuration: readMark(code ?? -1, word, line, &bond)
        case .topology:
            guard let code, 0...2 ~= code else { return doubtValue(word, line) }
            if code > 0 { bond.traits.insert(code == 1 ? .inRing : .inChain) }
        case .reactingCentre:
            guard let centre = code.flatMap({ Int8(exactly: $0) }) else { return doubtValue(word, line) }
            bond.reactingCentre = centre
        case .stereoBox:
            guard let code, 0...1 ~= code else { return doubtValue(word, line) }
            if code == 1 { bond.traits.insert(.stereoCare) }
        case .display: table.bondNotes.append(Tagged(index, .display(word.text(in: text))))
        default:
            if word.key.isEmpty { doubt(line, word.raw, "no keyword and value; kept as it is") }
            return false
        }
        return true
    }

    private mutating func doubtValue(_ word: V3000Word, _ line: V3000Line) -> Bool {
        doubt(line, word.raw, "the keyword has no such value; kept as it is")
        return false
    }

    /// 1 up, 2 either, 3 down; some writers have the codes of V2000 here.
    private mutating func readMark(_ code: Int, _ word: V3000Word, _ line: V3000Line, _ bond: inout Bond) {
        switch code {
        case 0: bond.mark = .none
        case 1: bond.mark = .up
        case 2: bond.mark = .either
        case 3: bond.mark = .down
        case 4, 6:
            bond.mark = code == 4 ? .either : .down
            doubt(line, word.raw, "a code of V2000; read as \(code == 4 ? "either" : "down")")
        default: doubt(line, word.raw, "no bond configuration; read as none")
        }
    }

    // MARK: Bonds to several atoms

    private mutating func readMulticentre(
        _ ends: (atoms: [Int32], word: V3000Word)?, _ attach: V3000Word?, _ line: V3000Line, _ index: Int,
        _ table: inout V3000Table
    ) {
        let text = line.text.span
        let how = attach.map { text.bytes($0.value).map(Ascii.upper) } ?? []
        let isAny = how == Array("ANY".utf8)
        if let ends, !ends.atoms.isEmpty {
            if !isAny, how != Array("ALL".utf8) { doubt(line, "ENDPTS go with ATTACH=ALL or ATTACH=ANY; read as all") }
            table.bondNotes.append(Tagged(index, .endpoints(atoms: ends.atoms, any: isAny)))
        } else if let attach {
            doubt(line, attach.raw, "ATTACH goes with ENDPTS; kept as it is")
            keep(attach, line, index, &table)
        }
    }

    private func keep(_ word: V3000Word, _ line: V3000Line, _ index: Int, _ table: inout V3000Table) {
        let text = line.text.span
        let name = Text(bytes: text.bytes(word.key))
        table.bondNotes.append(Tagged(index, .keyword(name: name, value: Text(bytes: text.bytes(word.raw)))))
    }

    /// Adds the indices of what a list names by number; what is not there is told and left out.
    mutating func readMembers(
        _ word: V3000Word, _ line: V3000Line, _ kind: V3000Table.Member, onto members: inout [Int32],
        _ table: inout V3000Table
    ) {
        let text = line.text.span
        var at = word.form == .list ? word.value.lowerBound : text.count
        let end = word.form == .list ? word.value.upperBound : text.count
        var announced: Int?
        var count = -1
        while true {
            while at < end, Ascii.isBlank(text[at]) { at &+= 1 }
            if at >= end { break }
            let start = at
            var number: Int? = Numeral.whole(text, at: &at)
            if number == -1 || at < end && !Ascii.isBlank(text[at]) {
                while at < end, !Ascii.isBlank(text[at]) { at &+= 1 }
                number = text.integer(start..<at)
            }
            count &+= 1
            if count == 0 {
                announced = number
                // Two bytes are the least that a member takes.
                let most = max(0, min(number ?? 0, (end &- at) / 2))
                if members.isEmpty { members.reserveCapacity(most) }
            } else if let number, let index = table.index(of: kind, number) {
                members.append(index)
            } else {
                doubt(line, start..<at, "the list names something that is not there; left out")
            }
        }
        if !word.isClosed || announced != count {
            doubt(line, word.raw, "the list does not hold what it announces; read what is there")
        }
    }

    // MARK: At the end

    /// Takes out the bonds that can be none, with their notes.
    mutating func settleBonds(_ table: inout V3000Table) {
        var bonds = molecule.bonds
        molecule.bonds = []
        let cursor = lines
        lines.line = table.firstBondLine &+ bonds.count
        let places = dropFaultyBonds(&bonds, of: bonds.count)
        lines = cursor
        molecule.bonds = bonds
        if places.isEmpty, table.droppedBonds.isEmpty { return }
        var dropped = table.droppedBonds.makeIterator()
        var nextDropped = dropped.next()
        var kept = 0
        for number in 0..<table.bonds.count {
            if nextDropped == number {
                nextDropped = dropped.next()
                table.bondNumbering.append(-1)
            } else {
                table.bondNumbering.append(places.isEmpty ? Int32(clamping: kept) : places[kept])
                kept += 1
            }
        }
        if places.isEmpty { return }
        table.bondNotes = table.bondNotes.compactMap { tagged in
            let place = places[Int(tagged.index)]
            return place < 0 ? nil : Tagged(Int(place), tagged.note)
        }
    }
}
