import ChemopenBytes
import ChemopenModel

/// The property block of a V2000 connection table: the lines behind the bonds, up to `M  END`.
extension MolfileReader {
    mutating func readProperties(
        _ bytes: Span<UInt8>, _ counts: CountsLine, _ table: inout V2000Table
    ) throws(Fault) {
        defer { settleNotes() }
        skipTextEntries(counts.textEntries, bytes)
        while let line = lines.peek(in: bytes) {
            if isBehindTheTable(line, bytes) { break }
            lines.takeSeen(line, in: bytes)
            if line.count < 3 {
                if !bytes.isBlank(line) { keepStray(line, bytes) }
                continue
            }
            switch bytes[line.lowerBound] {
            case 0x4D where isPropertyLine(line, bytes):
                if property(line, bytes, &table) { return }
            case 0x41 where isAtomLineOfText(line, bytes): readAlias(line, bytes)
            case 0x56 where isAtomLineOfText(line, bytes): readValue(line, bytes)
            case 0x47 where isAtomLineOfText(line, bytes): readGroupLabel(line, bytes)
            case 0x53 where bytes.range(line, begins: "S  SKP"): skipLines(line, bytes)
            default:
                if looseProperty(line, bytes, &table) { return }
            }
        }
        issues.append(Issue(line: firstLine &+ lines.line, "M  END is missing; read to the end of the structure"))
    }

    /// What can only stand behind a molfile: a data header, another block of an RXN or RD file, a separator.
    private func isBehindTheTable(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard let first = line.isEmpty ? nil : bytes[line.lowerBound] else { return false }
        if first == Ascii.dollar { return true }
        guard first == Ascii.greater else { return false }
        return firstIndex(of: Ascii.less, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
    }

    /// `M`, two blanks, and a key that is no small letters and has no blank before it.
    private func isPropertyLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes[line.lowerBound + 1] == Ascii.blank && bytes[line.lowerBound + 2] == Ascii.blank && line.count > 3
            && bytes[line.lowerBound + 3] > Ascii.blank && bytes[line.lowerBound + 3] &- 0x61 >= 26
    }

    /// Old files have texts with a place, two lines each. They are kept, and no writer puts them back: they cost the
    /// molecule in other programs.
    private mutating func skipTextEntries(_ count: Int, _ bytes: Span<UInt8>) {
        var skipped = 0
        while skipped < count, let place = lines.peek(in: bytes), isPlaceOfText(place, bytes) {
            _ = lines.next(in: bytes)
            let text = lines.next(in: bytes) ?? place.upperBound..<place.upperBound
            withRare {
                $0.verbatim.append(Verbatim(.v2000Text, Text(bytes: bytes.bytes(place.lowerBound..<text.upperBound))))
            }
            skipped += 1
        }
        if count <= 0 { return }
        issues.append(
            Issue(
                line: firstLine &+ lines.line, "\(skipped) of \(count) texts on the drawing are passed over",
                severity: skipped == count ? .remark : .doubt))
    }

    private func isPlaceOfText(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let words = bytes.words(line, limit: 3)
        return words.count == 2 && words.allSatisfy { Numeral.decimal(bytes, $0) != nil }
    }

    private mutating func withVerbatim(_ text: Text) {
        withRare { $0.verbatim.append(Verbatim(.v2000, text)) }
    }

    private mutating func keep(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        withVerbatim(Text(bytes: bytes.bytes(bytes.trimmedRight(line))))
    }

    private mutating func keepStray(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        doubt(line, of: bytes, "no property line; kept as it is")
        keep(line, bytes)
    }

    // MARK: Lines that name one atom

    /// `A`, `V` and `G` lines: a letter, two blanks, an atom's number.
    private func isAtomLineOfText(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 4, bytes[line.lowerBound + 1] == Ascii.blank, bytes[line.lowerBound + 2] == Ascii.blank
        else {
            return false
        }
        return (bytes.integer(bytes.columns(3..<6, of: line)) ?? 0) > 0
    }

    /// The atom whose number stands in the columns; `nil`, and told, where there is none of that number.
    func atomIndex(_ columns: Range<Int>, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        guard let number = bytes.integer(bytes.columns(columns, of: line)),
            molecule.atoms.indices.contains(number - 1)
        else { return nil }
        return number - 1
    }

    private mutating func readAlias(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        let index = atomIndex(3..<6, line, bytes)
        guard let text = lines.next(in: bytes) else { return }
        guard let index else { return doubt(line, of: bytes, "the alias names an atom that is not there; left out") }
        noteLater(.alias(Text(bytes: bytes.bytes(text))), onAtom: index)
    }

    private mutating func readValue(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let index = atomIndex(3..<6, line, bytes) else {
            return doubt(line, of: bytes, "the value names an atom that is not there; left out")
        }
        noteLater(.value(Text(bytes: bytes.bytes(bytes.columns(7..., of: line)))), onAtom: index)
    }

    /// The obsolete abbreviation of two lines is kept as it stands.
    private mutating func readGroupLabel(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        var text = bytes.bytes(bytes.trimmedRight(line))
        if let label = lines.next(in: bytes) { text += [Ascii.lineFeed] + bytes.bytes(bytes.trimmedRight(label)) }
        withVerbatim(Text(bytes: text))
    }

    /// `S  SKPnnn`: the next lines are for other programs. A number that cannot be meant skips nothing.
    private mutating func skipLines(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let count = bytes.integer(bytes.columns(6..<9, of: line)), count >= 0 else {
            return doubt(line, of: bytes, columns: 6..<9, "no number of lines to skip; skipped none")
        }
        let start = lines
        var text = bytes.bytes(bytes.trimmedRight(line))
        for _ in 0..<count {
            guard let next = lines.next(in: bytes) else {
                wantsMore = true
                lines = start
                return doubt(line, of: bytes, columns: 6..<9, "fewer lines follow than are to be skipped; skipped none")
            }
            text += [Ascii.lineFeed] + bytes.bytes(bytes.trimmedRight(next))
        }
        withVerbatim(Text(bytes: text))
    }

    /// `M END`, `m  chg` and other near misses; everything else is kept. `true` at the end of the table.
    private mutating func looseProperty(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) -> Bool {
        if bytes.isBlank(line) { return false }
        let words = bytes.words(line, limit: 3)
        if words.count >= 2, words[0].count == 1, Ascii.upper(bytes[words[0].lowerBound]) == 0x4D, words[1].count >= 3 {
            let key = bytes.bytes(words[1].lowerBound..<words[1].lowerBound + 3).map(Ascii.upper)
            if key == Array("END".utf8) {
                doubt(line, of: bytes, "not written M  END; read as that")
                return true
            }
            let rest = bytes.bytes(words[1].lowerBound + 3..<line.upperBound)
            let proper = Array("M  ".utf8) + key + rest
            doubt(line, of: bytes, "a property line begins with M and two blanks; read as one")
            _ = property(0..<proper.count, proper.span, &table)
            return false
        }
        if isListLine(line, bytes) {
            readLegacyList(line, bytes)
        } else {
            keepStray(line, bytes)
        }
        return false
    }

    // MARK: `M` lines

    /// Reads a line that begins `M  `; `true` at the end of the table.
    private mutating func property(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) -> Bool {
        guard line.count >= 6 else {
            keepStray(line, bytes)
            return false
        }
        let key = PropertyKey(bytes[line.lowerBound + 3], bytes[line.lowerBound + 4], bytes[line.lowerBound + 5])
        switch key {
        case .end: return true
        case .charges: readCharges(line, bytes, &table)
        case .radicals: readRadicals(line, bytes, &table)
        case .isotopes: readIsotopes(line, bytes, &table)
        case .rgroupSites: readRGroupSites(line, bytes)
        case .linkNodes: readLinkNodes(line, bytes)
        case .atomList: readAtomList(line, bytes)
        case .attachmentOrder: readAttachmentOrder(line, bytes)
        case .rgroupLogic: readRGroupLogic(line, bytes)
        case .trueOrders: readZeroOrders(line, bytes, &table)
        case .trueCharges:
            table.hasExtensions = true
            for (atom, charge) in atomPairs(line, bytes) { table.trueCharges.append((atom, charge)) }
        case .hydrogens:
            table.hasExtensions = true
            molecule.flags.insert(.hydrogenLines)
            for (atom, count) in atomPairs(line, bytes) where count >= 0 {
                molecule.atoms[atom].hydrogens = .fixed(count)
            }
        case .registryNumber:
            let number = bytes.trimmed(line.lowerBound + 6..<line.upperBound)
            withRare { $0.keywords.append(.init("REGNO", Text(bytes: bytes.bytes(number)))) }
        default:
            if sgroupProperty(key, line, bytes, &table) { break }
            if let term = AtomTerm.term(ofLine: key), case .code(let code) = term.content {
                setNotes(code, line, bytes)
            } else {
                keep(line, bytes)
            }
        }
        return false
    }

    /// The pairs of a line `M  XXXnn8 aaa vvv …`, as numbers; those that the line does not hold are told and left out.
    ///
    /// A value may fill the blank before it. A line whose columns hold no numbers is read by its words.
    mutating func pairs(_ line: Range<Int>, _ bytes: Span<UInt8>) -> [(Int, Int)] {
        let announced = bytes.integer(bytes.columns(6..<9, of: line))
        var pairs: [(Int, Int)] = []
        var start = 9
        while let announced, pairs.count < announced, start < line.count {
            let second = bytes.columns(start + 4..<start + 8, of: line)
            guard let one = bytes.integer(bytes.columns(start..<start + 4, of: line)), one > 0,
                let other = bytes.integer(second), !bytes.isBlank(second)
            else { break }
            pairs.append((one, other))
            start += 8
        }
        // What goes on behind the last column was cut there.
        let isCut = !bytes.isBlank(bytes.columns(start..<start + 1, of: line))
        if let announced, pairs.count == announced, !isCut { return pairs }
        let numbers = bytes.words(bytes.columns(6..., of: line)).map { bytes.integer($0) }
        let count = numbers.first ?? nil
        var fromWords: [(Int, Int)] = []
        var index = 1
        while index + 1 < numbers.count, let one = numbers[index], let other = numbers[index + 1] {
            fromWords.append((one, other))
            index += 2
        }
        if let count, count >= 0, isCut || fromWords.count > pairs.count, fromWords.count >= count {
            doubt(line, of: bytes, "the entries are not in their columns; read as words")
            return Array(fromWords.prefix(count))
        }
        doubt(
            line, of: bytes, "\(announced ?? 0) entries are announced and \(pairs.count) are there; read what is there")
        return pairs
    }

    /// The pairs of a line that name atoms, by index; entries that name no atom are told and left out.
    mutating func atomPairs(_ line: Range<Int>, _ bytes: Span<UInt8>) -> [(Int, Int)] {
        var found: [(Int, Int)] = []
        for (number, value) in pairs(line, bytes) {
            if molecule.atoms.indices.contains(number - 1) {
                found.append((number - 1, value))
            } else {
                doubt(line, of: bytes, "the line names atom \(number), which is not there; left out")
            }
        }
        return found
    }

    /// Notes a value on each atom of a line; 0 is none. The last word on an atom counts.
    private mutating func setNotes(_ code: AtomTerm.Code, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        for (atom, value) in atomPairs(line, bytes) {
            if molecule.atoms[atom].marks.contains(.hasNotes) {
                withRare { $0.atomNotes.removeAll(of: atom) { code.get($0) != nil } }
            }
            let (new, isKnown) = code.note(forCode: value)
            if let new { note(new, onAtom: atom) }
            if !isKnown { doubt(line, of: bytes, "the code \(value) means nothing here; left out") }
        }
    }

    /// The first `M  CHG` or `M  RAD` line voids all charges and radicals of the atom block.
    private mutating func voidCharges(_ table: inout V2000Table) {
        if table.hasChargeLines { return }
        table.hasChargeLines = true
        guard table.hasChargeCodes else { return }
        for index in molecule.atoms.indices
        where molecule.atoms[index].charge != 0 || molecule.atoms[index].radical != .none {
            table.voidedCharges.append(index)
            molecule.atoms[index].charge = 0
            molecule.atoms[index].radical = .none
        }
    }

    private mutating func readCharges(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) {
        voidCharges(&table)
        for (atom, charge) in atomPairs(line, bytes) {
            molecule.atoms[atom].charge = Int16(clamping: charge)
            if Int(molecule.atoms[atom].charge) != charge {
                doubt(line, of: bytes, "no atom has such a charge; clamped")
            }
        }
    }

    private mutating func readRadicals(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) {
        voidCharges(&table)
        for (atom, code) in atomPairs(line, bytes) {
            molecule.atoms[atom].radical = Radical(mdlCode: code)
            if code > 3 { doubt(line, of: bytes, "radical codes end at 3; read as a multiplicity") }
        }
    }

    /// The first `M  ISO` line voids all mass differences of the atom block, but not the mass that `D` and `T` mean.
    private mutating func readIsotopes(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) {
        if !table.hasIsotopeLines, table.hasMassDifferences {
            for index in molecule.atoms.indices
            where molecule.atoms[index].isotope != 0 && molecule.atoms[index].label == Atom.noLabel {
                table.voidedMasses.append(index)
                molecule.atoms[index].isotope = 0
            }
        }
        table.hasIsotopeLines = true
        for (atom, mass) in atomPairs(line, bytes) {
            molecule.atoms[atom].isotope = UInt16(clamping: mass)
            if Int(molecule.atoms[atom].isotope) != mass { doubt(line, of: bytes, "no atom has such a mass; clamped") }
        }
    }

    private mutating func readZeroOrders(_ line: Range<Int>, _ bytes: Span<UInt8>, _ table: inout V2000Table) {
        table.hasExtensions = true
        for (number, order) in pairs(line, bytes) {
            guard let index = table.bondIndex(number, count: molecule.bonds.count) else {
                doubt(line, of: bytes, "the line names bond \(number), which is not there; left out")
                continue
            }
            guard (0...6).contains(order), let order = Bond.Order(rawValue: UInt8(order)) else {
                doubt(line, of: bytes, "a bond order is 0 to 6; left out")
                continue
            }
            molecule.bonds[Int(index)].order = order
        }
    }
}
