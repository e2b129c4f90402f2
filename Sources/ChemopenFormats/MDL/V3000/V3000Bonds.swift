import ChemopenBytes
import ChemopenModel

/// Reads the bond lines of a V3000 table: `index type atom1 atom2 [KEY=value …]`.
struct V3000BondReader {
    private(set) var numbers = V3000Numbers()
    /// The index of each bond in the file, -1 for omitted bonds; empty if no bond was omitted.
    private(set) var numbering: [Int32] = []
    private var notes: [Indexed<BondNote>] = []
    private var firstLine = 0
    /// The positions in the file of the bonds that were omitted.
    private var dropped: [Int] = []

    /// Stores the first line of the first block.
    mutating func begin(at line: Int) {
        if firstLine == 0 { firstLine = line }
    }

    /// Reads successive lines in the usual layout.
    mutating func readPlain(
        _ bytes: Span<UInt8>, _ cursor: inout LineCursor, _ atoms: V3000Numbers, into molecule: inout Molecule
    ) {
        guard atoms.isInOrder, numbers.isInOrder else { return }
        var bonds = molecule.bonds
        molecule.bonds = []
        let before = bonds.count
        var number = numbers.count
        let atomCount = molecule.atoms.count
        var lines = cursor
        while true {
            PlainV3000Block.addBonds(&lines, numbered: &number, atoms: atomCount, of: bytes, to: &bonds)
            guard
                let plain = PlainV3000Bond(
                    at: lines.position, before: lines.end, number: number &+ 1, atoms: atomCount, of: bytes)
            else { break }
            bonds.append(plain.bond)
            number &+= 1
            lines.take(upTo: plain.feed)
        }
        cursor = lines
        numbers.addNext(bonds.count &- before)
        molecule.bonds = bonds
    }

    /// Reads a line in another layout.
    mutating func read(
        _ line: V3000Line, _ atoms: V3000Numbers, into molecule: inout Molecule, _ ledger: inout IssueCollector
    ) throws(Fault) {
        let text = line.text.span
        var words = V3000Words()
        var number: Int?
        guard words.takeNumber(&number, in: text) else { return }
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
        guard count == 3 else { throw line.fault(expected: "a bond line: number, type and two atoms") }
        if !numbers.add(number) {
            ledger.doubt(
                line, words.first(in: text), "an invalid or repeated bond number; the bond is read without a number")
        }
        guard let from = atoms.place(of: codes[1]), let to = atoms.place(of: codes[2]) else {
            ledger.doubt(line, "the bond refers to an atom that does not exist; omitted")
            dropped.append(numbers.count - 1)
            return
        }
        var bond = Bond(from, to)
        bond.order = order(codes[0], line, &ledger)
        let index = molecule.bonds.count
        var ends: (atoms: [Int32], word: V3000Word)?
        var attach: V3000Word?
        while let word = words.next(in: text) {
            switch V3000Keyword(word.key, of: text) {
            case .endpoints:
                var named: [Int32] = []
                V3000Index(atoms: atoms).members(word, line, .atoms, onto: &named, &ledger)
                ends = (named, word)
            case .attach: attach = word
            default:
                if !read(word, line, &bond, index, &ledger) { keep(word, line, index) }
            }
        }
        if ends != nil || attach != nil { readMulticentre(ends, attach, line, index, &ledger) }
        if notes.last?.index == Int32(clamping: index) { bond.traits.insert(.hasNotes) }
        molecule.bonds.append(bond)
    }

    private func order(_ code: Int, _ line: V3000Line, _ ledger: inout IssueCollector) -> Bond.Order {
        if let order = Bond.Order(mdlType: code) { return order }
        ledger.doubt(
            line, code == 0 ? "MDL has no bond type 0; read as order zero" : "an unknown bond type; read as any")
        return code == 0 ? .zero : .any
    }

    /// Reads a keyword; returns `false` if the keyword or its value is unknown.
    private mutating func read(
        _ word: V3000Word, _ line: V3000Line, _ bond: inout Bond, _ index: Int, _ ledger: inout IssueCollector
    ) -> Bool {
        let text = line.text.span
        let code = text.integer(word.raw)
        switch V3000Keyword(word.key, of: text) {
        case .configuration: readMark(code ?? -1, word, line, &bond, &ledger)
        case .display: notes.append(Indexed(index, .display(word.text(in: text))))
        case let keyword:
            guard let term = BondTerm.term(ofKey: keyword) else {
                if word.key.isEmpty { ledger.doubt(line, word.raw, "not a keyword with a value; preserved verbatim") }
                return false
            }
            guard let code, term.range.contains(code) else {
                ledger.doubt(line, word.raw, "not a valid value of the keyword; preserved verbatim")
                return false
            }
            term.set(&bond, code)
        }
        return true
    }

    /// Reads the stereo configuration: 1 is up, 2 either, 3 down. Some writers use the V2000 codes instead.
    private func readMark(
        _ code: Int, _ word: V3000Word, _ line: V3000Line, _ bond: inout Bond, _ ledger: inout IssueCollector
    ) {
        guard let mark = Bond.Mark(configuration: code) else {
            return ledger.doubt(line, word.raw, "an unknown bond configuration; ignored")
        }
        bond.mark = mark
        if mark.configuration != code {
            ledger.doubt(line, word.raw, "a V2000 code; read as \(mark == .either ? "either" : "down")")
        }
    }

    // MARK: Bonds to several atoms

    private mutating func readMulticentre(
        _ ends: (atoms: [Int32], word: V3000Word)?, _ attach: V3000Word?, _ line: V3000Line, _ index: Int,
        _ ledger: inout IssueCollector
    ) {
        let text = line.text.span
        let how = attach.map { text.bytes($0.value).map(Ascii.upper) } ?? []
        let isAny = how == Array(BondNote.attachedToAny.utf8)
        if let ends, !ends.atoms.isEmpty {
            if !isAny, how != Array(BondNote.attachedToAll.utf8) {
                let key = V3000Keyword.attach
                ledger.doubt(
                    line,
                    "\(V3000Keyword.endpoints) requires \(key)=\(BondNote.attachedToAll) or "
                        + "\(key)=\(BondNote.attachedToAny); read as all")
            }
            notes.append(Indexed(index, .endpoints(atoms: ends.atoms, any: isAny)))
        } else if let attach {
            ledger.doubt(
                line, attach.raw, "\(V3000Keyword.attach) requires \(V3000Keyword.endpoints); preserved verbatim")
            keep(attach, line, index)
        }
    }

    private mutating func keep(_ word: V3000Word, _ line: V3000Line, _ index: Int) {
        let text = line.text.span
        let name = Text(bytes: text.bytes(word.key))
        notes.append(Indexed(index, .keyword(name: name, value: Text(bytes: text.bytes(word.raw)))))
    }

    // MARK: At the end

    /// Removes impossible bonds, and returns the notes of the others.
    mutating func settle(_ molecule: inout Molecule, _ ledger: inout IssueCollector) -> [Indexed<BondNote>] {
        var bonds = molecule.bonds
        molecule.bonds = []
        let places = ledger.dropFaultyBonds(&bonds, of: bonds.count, before: firstLine &+ bonds.count)
        molecule.bonds = bonds
        if places.isEmpty, dropped.isEmpty { return exchange(&notes, with: []) }
        var left = dropped.makeIterator()
        var nextLeft = left.next()
        var kept = 0
        for number in 0..<numbers.count {
            if nextLeft == number {
                nextLeft = left.next()
                numbering.append(-1)
            } else {
                numbering.append(places.isEmpty ? Int32(clamping: kept) : places[kept])
                kept += 1
            }
        }
        if places.isEmpty { return exchange(&notes, with: []) }
        return notes.compactMap { tagged in
            let place = places[Int(tagged.index)]
            return place < 0 ? nil : Indexed(Int(place), tagged.note)
        }
    }
}
