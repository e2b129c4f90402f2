import ChemopenBytes
import ChemopenModel

/// The property lines of queries and R-groups.
extension MolfileReader {
    /// One atom may be listed several times.
    mutating func readRGroupSites(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        for (atom, number) in atomPairs(line, bytes) {
            let number = Int32(clamping: number)
            var isNew = true
            withRare { rare in
                for place in rare.atomNotes.indices where rare.atomNotes[place].index == Int32(clamping: atom) {
                    guard case .rgroups(let numbers) = rare.atomNotes[place].note else { continue }
                    rare.atomNotes[place].note = .rgroups(numbers + [number])
                    isNew = false
                }
            }
            if isNew { note(.rgroups([number]), onAtom: atom) }
        }
    }

    /// `M  LINnn4 aaa vvv bbb ccc`: atom, largest repeat, its neighbours in the chain, 0 for a missing one.
    mutating func readLinkNodes(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        let count = bytes.integer(bytes.columns(6..<9, of: line)) ?? 0
        var start = 9
        var read = 0
        while read < count, start < line.count {
            var numbers: [Int] = []
            for field in 0..<4 {
                let columns = start + 4 * field..<start + 4 * field + 4
                numbers.append(bytes.integer(bytes.columns(columns, of: line)) ?? 0)
            }
            start += 16
            read += 1
            let neighbours = numbers[2...].filter { molecule.atoms.indices.contains($0 - 1) }
            guard molecule.atoms.indices.contains(numbers[0] - 1) else {
                doubt(line, of: bytes, "the link names an atom that is not there; left out")
                continue
            }
            if neighbours.count < numbers[2...].count(where: { $0 != 0 }) {
                doubt(line, of: bytes, "the link names a neighbour that is not there; left out")
            }
            let link = LinkNode(
                atom: numbers[0] - 1, repeats: 1, to: numbers[1], neighbours: neighbours.map { Int32($0 - 1) })
            withRare { $0.linkNodes.append(link) }
        }
        if read < count {
            doubt(line, of: bytes, "\(count) links are announced and \(read) are there; read what is there")
        }
    }

    /// `M  ALS aaannn e 11112222…`: symbols of four columns; writers trim the last blanks.
    mutating func readAtomList(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let atom = atomIndex(7..<10, line, bytes) else {
            return doubt(line, of: bytes, "the list names an atom that is not there; left out")
        }
        let count = bytes.integer(bytes.columns(10..<13, of: line)) ?? 0
        let sense = bytes.columns(14..<15, of: line)
        var symbols: [Text] = []
        var start = 16
        while symbols.count < count, start < line.count {
            symbols.append(Text(bytes: bytes.bytes(bytes.columns(start..<start + 4, of: line))).trimmed)
            start += 4
        }
        if count < 0 || symbols.contains(where: { !Self.isListEntry($0) }) {
            doubt(line, of: bytes, "a list holds elements, A and Q; read as it is")
        }
        if symbols.count < count {
            doubt(line, of: bytes, "\(count) elements are announced and \(symbols.count) are there; read what is there")
        }
        let isExcluding = !sense.isEmpty && Ascii.upper(bytes[sense.lowerBound]) == 0x54
        setList(ElementList(excluding: isExcluding, symbols.filter { !$0.isEmpty }), onAtom: atom)
    }

    private static func isListEntry(_ symbol: Text) -> Bool {
        symbol == "A" || symbol == "Q" || ChemicalElement(symbol: symbol.string) != nil
    }

    /// A list line of the obsolete block: `aaa kSSSSn 111 222 …`, whatever the counts line says of it.
    func isListLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 10, let atom = bytes.integer(bytes.columns(0..<3, of: line)), atom > 0 else { return false }
        let start = line.lowerBound
        let sense = bytes[start + 4]
        return bytes[start + 3] == Ascii.blank && (sense == 0x54 || sense == 0x46)
            && bytes.isBlank(start + 5..<start + 9) && Ascii.isDigit(bytes[start + 9])
    }

    mutating func readLegacyList(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let atom = atomIndex(0..<3, line, bytes) else {
            return doubt(line, of: bytes, "the list names an atom that is not there; left out")
        }
        var symbols: [Text] = []
        for entry in 0..<5 {
            let columns = 11 + 4 * entry..<14 + 4 * entry
            guard let number = bytes.integer(bytes.columns(columns, of: line)), number > 0,
                let element = ChemicalElement(rawValue: UInt8(clamping: number))
            else { break }
            symbols.append(Text(element.symbol))
        }
        let isExcluding = bytes[line.lowerBound + 4] == 0x54
        // An `M  ALS` line for the same atom comes later and wins.
        setList(ElementList(excluding: isExcluding, symbols), onAtom: atom)
    }

    private mutating func setList(_ list: ElementList, onAtom atom: Int) {
        // Its name is the list's, whatever stood in the columns of the symbol.
        if molecule.atoms[atom].label != Atom.noLabel { molecule.setLabel("L", ofAtom: atom) }
        withRare { rare in
            rare.atomNotes.removeAll {
                guard $0.index == Int32(clamping: atom), case .elementList = $0.note else { return false }
                return true
            }
        }
        note(.elementList(list), onAtom: atom)
    }

    /// `M  AAL aaann2 111 v1v 222 v2v`: which neighbour of an R-group site is attached first.
    mutating func readAttachmentOrder(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let atom = atomIndex(7..<10, line, bytes) else {
            return doubt(line, of: bytes, "the line names an atom that is not there; left out")
        }
        let numbers = bytes.words(bytes.columns(10..., of: line)).compactMap { bytes.integer($0) }
        var attachments: [AtomNote.Attachment] = []
        var index = 1
        while index + 1 < numbers.count, attachments.count < numbers[0] {
            if molecule.atoms.indices.contains(numbers[index] - 1) {
                attachments.append(.init(neighbour: numbers[index] - 1, point: Text("\(numbers[index + 1])")))
            } else {
                doubt(line, of: bytes, "the line names atom \(numbers[index]), which is not there; left out")
            }
            index += 2
        }
        note(.attachmentOrder(attachments), onAtom: atom)
    }

    /// `M  LOGnn1 rrr iii hhh ooo…`: the R-group that is required with this one, hydrogens at the rest, how often.
    mutating func readRGroupLogic(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let number = bytes.integer(bytes.columns(9..<13, of: line)), number > 0 else {
            return doubt(line, of: bytes, "the line names no R-group; left out")
        }
        var logic = RGroup.Logic()
        logic.requires = Int32(clamping: bytes.integer(bytes.columns(13..<17, of: line)) ?? 0)
        logic.restIsHydrogen = bytes.integer(bytes.columns(17..<21, of: line)) == 1
        logic.occurrence = Text(bytes: bytes.bytes(bytes.trimmed(bytes.columns(21..<max(21, line.count), of: line))))
        withRare { rare in
            let place = rare.rgroups.firstIndex { $0.number == Int32(clamping: number) }
            if let place {
                rare.rgroups[place].logic = logic
            } else {
                var group = RGroup(number)
                group.logic = logic
                rare.rgroups.append(group)
            }
        }
    }
}
