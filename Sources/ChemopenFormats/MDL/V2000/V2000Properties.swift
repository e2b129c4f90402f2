import ChemopenBytes
import ChemopenModel

/// Reads the property block of a V2000 connection table: the lines after the bonds, up to `M  END`.
struct V2000PropertyReader: ~Copyable {
    private(set) var lines: LineCursor
    private(set) var ledger: IssueCollector
    private(set) var draft: MoleculeBuilder
    /// Whether more lines are to be skipped than the text contains.
    private(set) var wantsMore = false
    /// The codes of the atom block; property lines may override them.
    private let codes: V2000Codes
    private let bonds: V2000Bonds
    /// The reader of Sgroup lines; `nil` before the first such line.
    private var sgroups: V2000SgroupReader?
    /// The atoms with a charge or radical in the atom block that `M  CHG` or `M  RAD` overrides.
    private var voidedCharges: [Int] = []
    private var voidedMasses: [Int] = []
    private var hasChargeLines = false
    private var hasIsotopeLines = false
    /// The charges in `M  ZCH` lines, which override all other charges.
    private var trueCharges: [(Int, Int)] = []
    private var hasExtensions = false

    init(behind table: consuming V2000TableReader) {
        lines = table.lines
        codes = table.codes
        bonds = table.bonds
        ledger = table.ledger
        draft = table.draft
    }

    /// Reads up to `M  END`.
    mutating func read(_ bytes: Span<UInt8>, textEntries: Int) {
        readLines(bytes, textEntries: textEntries)
        settle()
    }

    private mutating func readLines(_ bytes: Span<UInt8>, textEntries: Int) {
        skipTextEntries(textEntries, bytes)
        while let line = lines.peek(in: bytes) {
            if isBehindTheTable(line, bytes) { break }
            lines.takeSeen(line, in: bytes)
            if line.count < 3 {
                if !bytes.isBlank(line) { keepStray(line, bytes) }
                continue
            }
            switch bytes[line.lowerBound] {
            case 0x4D where isPropertyLine(line, bytes):
                if property(line, bytes) { return }
            case 0x41 where isAtomLineOfText(line, bytes): readAlias(line, bytes)
            case 0x56 where isAtomLineOfText(line, bytes): readValue(line, bytes)
            case 0x47 where isAtomLineOfText(line, bytes): readGroupLabel(line, bytes)
            case 0x53 where bytes.range(line, begins: "S  SKP"): skipLines(line, bytes)
            default:
                if looseProperty(line, bytes) { return }
            }
        }
        ledger.doubt(at: lines.line, "M  END is missing; read to the end of the structure")
    }

    /// Whether the line can only follow a molfile: it is a data header, a separator or another block of an RXN or RD
    /// file.
    private func isBehindTheTable(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard let first = line.isEmpty ? nil : bytes[line.lowerBound] else { return false }
        if first == Ascii.dollar { return true }
        guard first == Ascii.greater else { return false }
        return firstIndex(of: Ascii.less, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
    }

    /// Whether a line is `M`, two blanks, and a key that starts with neither a blank nor a lower-case letter.
    private func isPropertyLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes[line.lowerBound + 1] == Ascii.blank && bytes[line.lowerBound + 2] == Ascii.blank && line.count > 3
            && bytes[line.lowerBound + 3] > Ascii.blank && bytes[line.lowerBound + 3] &- 0x61 >= 26
    }

    /// Reads the positioned texts of old files, with two lines each. They are preserved, but not written again, because
    /// other programs cannot read a molecule with such texts.
    private mutating func skipTextEntries(_ count: Int, _ bytes: Span<UInt8>) {
        var skipped = 0
        while skipped < count, let place = lines.peek(in: bytes), isPlaceOfText(place, bytes) {
            _ = lines.next(in: bytes)
            let text = lines.next(in: bytes) ?? place.upperBound..<place.upperBound
            draft.keep(Text(bytes: bytes.bytes(place.lowerBound..<text.upperBound)), .v2000Text)
            skipped += 1
        }
        if count <= 0 { return }
        ledger.doubt(
            at: lines.line, "\(skipped) of \(count) texts in the drawing are skipped",
            severity: skipped == count ? .remark : .doubt)
    }

    private func isPlaceOfText(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let words = bytes.words(line, limit: 3)
        return words.count == 2 && words.allSatisfy { Numeral.decimal(bytes, $0) != nil }
    }

    private mutating func keep(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        draft.keep(Text(bytes: bytes.bytes(bytes.trimmedRight(line))), .v2000)
    }

    private mutating func keepStray(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        doubt(line, of: bytes, "not a property line; preserved verbatim")
        keep(line, bytes)
    }

    // MARK: Lines for a single atom

    /// Whether a line is an `A`, `V` or `G` line: a letter, two blanks and an atom number.
    private func isAtomLineOfText(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 4, bytes[line.lowerBound + 1] == Ascii.blank, bytes[line.lowerBound + 2] == Ascii.blank
        else {
            return false
        }
        return (bytes.integer(bytes.columns(3..<6, of: line)) ?? 0) > 0
    }

    /// Reads an atom number from columns, and returns the atom's index; `nil` if the atom does not exist.
    private func atomIndex(_ columns: Range<Int>, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        guard let number = bytes.integer(bytes.columns(columns, of: line)),
            draft.molecule.atoms.indices.contains(number - 1)
        else { return nil }
        return number - 1
    }

    private mutating func readAlias(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        let index = atomIndex(3..<6, line, bytes)
        guard let text = lines.next(in: bytes) else { return }
        guard let index else {
            return doubt(line, of: bytes, "the alias refers to an atom that does not exist; omitted")
        }
        draft.noteLater(.alias(Text(bytes: bytes.bytes(text))), onAtom: index)
    }

    private mutating func readValue(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let index = atomIndex(3..<6, line, bytes) else {
            return doubt(line, of: bytes, "the value refers to an atom that does not exist; omitted")
        }
        draft.noteLater(.value(Text(bytes: bytes.bytes(bytes.columns(7..., of: line)))), onAtom: index)
    }

    /// Preserves the obsolete abbreviation, which has two lines.
    private mutating func readGroupLabel(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        var text = bytes.bytes(bytes.trimmedRight(line))
        if let label = lines.next(in: bytes) { text += [Ascii.lineFeed] + bytes.bytes(bytes.trimmedRight(label)) }
        draft.keep(Text(bytes: text), .v2000)
    }

    /// Reads `S  SKPnnn`: the next lines are for other programs. If the number is not plausible, no line is skipped.
    private mutating func skipLines(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let count = bytes.integer(bytes.columns(6..<9, of: line)), count >= 0 else {
            return doubt(
                line, of: bytes, columns: 6..<9, "the number of lines to skip is missing; no lines are skipped")
        }
        let start = lines
        var text = bytes.bytes(bytes.trimmedRight(line))
        for _ in 0..<count {
            guard let next = lines.next(in: bytes) else {
                wantsMore = true
                lines = start
                return doubt(
                    line, of: bytes, columns: 6..<9, "fewer lines follow than are to be skipped; no lines are skipped")
            }
            text += [Ascii.lineFeed] + bytes.bytes(bytes.trimmedRight(next))
        }
        draft.keep(Text(bytes: text), .v2000)
    }

    /// Reads misspelled lines such as `M END` or `m  chg`, and preserves all others. Returns `true` at the end of the
    /// block.
    private mutating func looseProperty(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        if bytes.isBlank(line) { return false }
        let words = bytes.words(line, limit: 3)
        if words.count >= 2, words[0].count == 1, Ascii.upper(bytes[words[0].lowerBound]) == 0x4D, words[1].count >= 3 {
            let key = bytes.bytes(words[1].lowerBound..<words[1].lowerBound + 3).map(Ascii.upper)
            if key == Array("END".utf8) {
                doubt(line, of: bytes, "a misspelled M  END; read as M  END")
                return true
            }
            let rest = bytes.bytes(words[1].lowerBound + 3..<line.upperBound)
            let proper = Array("M  ".utf8) + key + rest
            doubt(line, of: bytes, "a property line must begin with M and two blanks; read anyway")
            _ = property(0..<proper.count, proper.span)
            return false
        }
        if Self.isListLine(line, bytes) {
            readLegacyList(line, bytes)
        } else {
            keepStray(line, bytes)
        }
        return false
    }

    // MARK: `M` lines

    /// Reads a line that begins with `M  `. Returns `true` at the end of the block.
    private mutating func property(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 6 else {
            keepStray(line, bytes)
            return false
        }
        let key = PropertyKey(bytes[line.lowerBound + 3], bytes[line.lowerBound + 4], bytes[line.lowerBound + 5])
        switch key {
        case .end: return true
        case .charges: readCharges(line, bytes)
        case .radicals: readRadicals(line, bytes)
        case .isotopes: readIsotopes(line, bytes)
        case .rgroupSites: readRGroupSites(line, bytes)
        case .linkNodes: readLinkNodes(line, bytes)
        case .atomList: readAtomList(line, bytes)
        case .attachmentOrder: readAttachmentOrder(line, bytes)
        case .rgroupLogic: readRGroupLogic(line, bytes)
        case .trueOrders: readZeroOrders(line, bytes)
        case .trueCharges:
            hasExtensions = true
            for (atom, charge) in atomPairs(line, bytes) { trueCharges.append((atom, charge)) }
        case .hydrogens:
            hasExtensions = true
            draft.molecule.flags.insert(.hydrogenLines)
            for (atom, count) in atomPairs(line, bytes) where count >= 0 {
                draft.molecule.atoms[atom].hydrogens = .fixed(count)
            }
        case .registryNumber:
            let number = bytes.trimmed(line.lowerBound + 6..<line.upperBound)
            draft.rare.keywords.append(.registryNumber(Text(bytes: bytes.bytes(number))))
        default:
            if let term = SgroupTerm.term(ofLine: key) {
                let atomCount = draft.molecule.atoms.count
                let line = V2000SgroupReader.Line(
                    range: line, place: lines.line &- 1, atomCount: atomCount, bonds: bonds)
                if sgroups == nil { sgroups = V2000SgroupReader() }
                sgroups?.read(term, line, bytes, &ledger)
                break
            }
            if let term = AtomTerm.term(ofLine: key), case .code(let code) = term.content {
                setNotes(code, line, bytes)
            } else {
                keep(line, bytes)
            }
        }
        return false
    }

    /// Returns the pairs of a line with atom indices. Entries without an existing atom are reported and omitted.
    private mutating func atomPairs(_ line: Range<Int>, _ bytes: Span<UInt8>) -> [(Int, Int)] {
        var found: [(Int, Int)] = []
        for (number, value) in ledger.pairs(line, at: lines.line &- 1, bytes) {
            if draft.molecule.atoms.indices.contains(number - 1) {
                found.append((number - 1, value))
            } else {
                doubt(line, of: bytes, "the line refers to atom \(number), which does not exist; omitted")
            }
        }
        return found
    }

    /// Sets a note on each atom of a line, or removes it if the value is 0. The last value for an atom is used.
    private mutating func setNotes(_ code: AtomTerm.Code, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        for (atom, value) in atomPairs(line, bytes) {
            if draft.molecule.atoms[atom].marks.contains(.hasNotes) {
                draft.rare.atomNotes.removeAll(of: atom) { code.get($0) != nil }
            }
            let (new, isKnown) = code.note(forCode: value)
            if let new { draft.note(new, onAtom: atom) }
            if !isKnown { doubt(line, of: bytes, "the code \(value) is undefined; omitted") }
        }
    }

    /// Removes all charges and radicals of the atom block at the first `M  CHG` or `M  RAD` line.
    private mutating func voidCharges() {
        if hasChargeLines { return }
        hasChargeLines = true
        guard codes.hasChargeCodes else { return }
        for index in draft.molecule.atoms.indices
        where draft.molecule.atoms[index].charge != 0 || draft.molecule.atoms[index].radical != .none {
            voidedCharges.append(index)
            draft.molecule.atoms[index].charge = 0
            draft.molecule.atoms[index].radical = .none
        }
    }

    private mutating func readCharges(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        voidCharges()
        for (atom, charge) in atomPairs(line, bytes) {
            draft.molecule.atoms[atom].charge = Int16(clamping: charge)
            if Int(draft.molecule.atoms[atom].charge) != charge {
                doubt(line, of: bytes, "the charge is out of range; clamped")
            }
        }
    }

    private mutating func readRadicals(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        voidCharges()
        for (atom, code) in atomPairs(line, bytes) {
            draft.molecule.atoms[atom].radical = Radical(mdlCode: code)
            if code > 3 { doubt(line, of: bytes, "radical codes must not exceed 3; read as a multiplicity") }
        }
    }

    /// Reads isotopes. The first `M  ISO` line overrides all mass differences of the atom block, but not `D` and `T`.
    private mutating func readIsotopes(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        if !hasIsotopeLines, codes.hasMassDifferences {
            for index in draft.molecule.atoms.indices
            where draft.molecule.atoms[index].isotope != 0 && draft.molecule.atoms[index].label == Atom.noLabel {
                voidedMasses.append(index)
                draft.molecule.atoms[index].isotope = 0
            }
        }
        hasIsotopeLines = true
        for (atom, mass) in atomPairs(line, bytes) {
            draft.molecule.atoms[atom].isotope = UInt16(clamping: mass)
            if Int(draft.molecule.atoms[atom].isotope) != mass {
                doubt(line, of: bytes, "the mass is out of range; clamped")
            }
        }
    }

    private mutating func readZeroOrders(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        hasExtensions = true
        for (number, order) in ledger.pairs(line, at: lines.line &- 1, bytes) {
            guard let index = bonds.index(number) else {
                doubt(line, of: bytes, "the line refers to bond \(number), which does not exist; omitted")
                continue
            }
            guard (0...6).contains(order), let order = Bond.Order(rawValue: UInt8(order)) else {
                doubt(line, of: bytes, "a bond order must be 0 to 6; omitted")
                continue
            }
            draft.molecule.bonds[Int(index)].order = order
        }
    }

    // MARK: Queries and R-groups

    /// Reads the R-groups of sites. An atom may be listed several times.
    private mutating func readRGroupSites(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        for (atom, number) in atomPairs(line, bytes) {
            let number = Int32(clamping: number)
            var isNew = true
            for place in draft.rare.atomNotes.places(of: atom) {
                guard case .rgroups(var numbers) = draft.rare.atomNotes[place].note else { continue }
                // Without a second reference, the list can grow without being copied.
                draft.rare.atomNotes[place].note = .rgroups([])
                numbers.append(number)
                draft.rare.atomNotes[place].note = .rgroups(numbers)
                isNew = false
            }
            if isNew { draft.note(.rgroups([number]), onAtom: atom) }
        }
    }

    /// Reads `M  LINnn4 aaa vvv bbb ccc`: an atom, its largest repeat, and its neighbors in the chain (0 if missing).
    private mutating func readLinkNodes(_ line: Range<Int>, _ bytes: Span<UInt8>) {
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
            let neighbors = numbers[2...].filter { draft.molecule.atoms.indices.contains($0 - 1) }
            guard draft.molecule.atoms.indices.contains(numbers[0] - 1) else {
                doubt(line, of: bytes, "the link refers to an atom that does not exist; omitted")
                continue
            }
            if neighbors.count < numbers[2...].count(where: { $0 != 0 }) {
                doubt(line, of: bytes, "the link refers to a neighbor that does not exist; omitted")
            }
            let link = LinkNode(
                atom: numbers[0] - 1, repeats: 1, to: numbers[1], neighbors: neighbors.map { Int32($0 - 1) })
            draft.rare.linkNodes.append(link)
        }
        if read < count {
            doubt(
                line, of: bytes,
                "\(count) links are announced, but \(read) are present; the announced number is ignored")
        }
    }

    /// Reads `M  ALS aaannn e 11112222…`: symbols in four columns each. Writers may omit the trailing blanks.
    private mutating func readAtomList(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let atom = atomIndex(7..<10, line, bytes) else {
            return doubt(line, of: bytes, "the list refers to an atom that does not exist; omitted")
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
            doubt(line, of: bytes, "a list must contain only elements, A and Q; preserved verbatim")
        }
        if symbols.count < count {
            doubt(
                line, of: bytes,
                "\(count) elements are announced, but \(symbols.count) are present; the announced number is ignored")
        }
        let isExcluding = !sense.isEmpty && Ascii.upper(bytes[sense.lowerBound]) == 0x54
        setList(ElementList(excluding: isExcluding, symbols.filter { !$0.isEmpty }), onAtom: atom)
    }

    private static func isListEntry(_ symbol: Text) -> Bool {
        symbol == "A" || symbol == "Q" || ChemicalElement(symbol: symbol.string) != nil
    }

    /// Whether a line is a list line of the obsolete block: `aaa kSSSSn 111 222 …`. The counts line is ignored.
    static func isListLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard line.count >= 10, let atom = bytes.integer(bytes.columns(0..<3, of: line)), atom > 0 else { return false }
        let start = line.lowerBound
        let sense = bytes[start + 4]
        return bytes[start + 3] == Ascii.blank && (sense == 0x54 || sense == 0x46)
            && bytes.isBlank(start + 5..<start + 9) && Ascii.isDigit(bytes[start + 9])
    }

    private mutating func readLegacyList(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let atom = atomIndex(0..<3, line, bytes) else {
            return doubt(line, of: bytes, "the list refers to an atom that does not exist; omitted")
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
        // If an `M  ALS` line for the same atom follows, it replaces the list.
        setList(ElementList(excluding: isExcluding, symbols), onAtom: atom)
    }

    private mutating func setList(_ list: ElementList, onAtom atom: Int) {
        // The label of a list atom is `L`, regardless of its symbol in the file.
        let named = draft.molecule.atoms[atom]
        if named.label != Atom.noLabel, named.element == .none { draft.molecule.setLabel("L", ofAtom: atom) }
        draft.rare.atomNotes.removeAll(of: atom) { if case .elementList = $0 { true } else { false } }
        draft.note(.elementList(list), onAtom: atom)
    }

    /// Reads `M  AAL aaann2 111 v1v 222 v2v`: the attachment order of the neighbors of an R-group site.
    private mutating func readAttachmentOrder(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let atom = atomIndex(7..<10, line, bytes) else {
            return doubt(line, of: bytes, "the line refers to an atom that does not exist; omitted")
        }
        let numbers = bytes.words(bytes.columns(10..., of: line)).compactMap { bytes.integer($0) }
        var attachments: [AtomNote.Attachment] = []
        var index = 1
        while index + 1 < numbers.count, attachments.count < numbers[0] {
            if draft.molecule.atoms.indices.contains(numbers[index] - 1) {
                attachments.append(.init(neighbor: numbers[index] - 1, point: Text("\(numbers[index + 1])")))
            } else {
                doubt(line, of: bytes, "the line refers to atom \(numbers[index]), which does not exist; omitted")
            }
            index += 2
        }
        // A long order continues in another line.
        for place in draft.rare.atomNotes.places(of: atom) {
            guard case .attachmentOrder(var all) = draft.rare.atomNotes[place].note else { continue }
            draft.rare.atomNotes[place].note = .attachmentOrder([])
            all += attachments
            draft.rare.atomNotes[place].note = .attachmentOrder(all)
            return
        }
        draft.note(.attachmentOrder(attachments), onAtom: atom)
    }

    /// Reads `M  LOGnn1 rrr iii hhh ooo…`: the required R-group, whether the rest is hydrogen, and the occurrence.
    private mutating func readRGroupLogic(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        guard let number = bytes.integer(bytes.columns(9..<13, of: line)), number > 0 else {
            return doubt(line, of: bytes, "the line specifies no R-group; omitted")
        }
        var logic = RGroup.Logic()
        logic.requires = Int32(clamping: bytes.integer(bytes.columns(13..<17, of: line)) ?? 0)
        logic.restIsHydrogen = bytes.integer(bytes.columns(17..<21, of: line)) == 1
        logic.occurrence = Text(bytes: bytes.bytes(bytes.trimmed(bytes.columns(21..<max(21, line.count), of: line))))
        let place = draft.rare.rgroups.firstIndex { $0.number == Int32(clamping: number) }
        if let place {
            draft.rare.rgroups[place].logic = logic
        } else {
            var group = RGroup(number)
            group.logic = logic
            draft.rare.rgroups.append(group)
        }
    }

    // MARK: At the end

    /// Applies the data that are complete only after the last line.
    private mutating func settle() {
        for index in voidedCharges where isWithoutCharge(draft.molecule.atoms[index]) {
            tellVoided(index, by: "\(PropertyKey.charges) or \(PropertyKey.radicals)", "charges")
        }
        for index in voidedMasses where draft.molecule.atoms[index].isotope == 0 {
            tellVoided(index, by: "\(PropertyKey.isotopes)", "mass differences")
        }
        if hasExtensions { draft.molecule.hydrogenRule = .sketchEl }
        if let groups = sgroups?.settle(&ledger), !groups.isEmpty { draft.rare.sgroups = groups }
        if !codes.notes.isEmpty {
            for tagged in codes.notes { draft.molecule.atoms[Int(tagged.index)].marks.insert(.hasNotes) }
            if draft.rare.atomNotes.isEmpty {
                draft.rare.atomNotes = codes.notes
            } else {
                // Both lists are sorted. For each atom, the notes of the atom block precede the others.
                var merged: [Indexed<AtomNote>] = []
                var later = draft.rare.atomNotes[...]
                for note in codes.notes {
                    while let first = later.first, first.index < note.index { merged.append(later.removeFirst()) }
                    merged.append(note)
                }
                draft.rare.atomNotes = merged + later
            }
        }
        if !trueCharges.isEmpty { draft.setTrueCharges(Dictionary(trueCharges) { $1 }) }
        if draft.rare.sgroups.contains(where: DataSgroupReader.isOfChemistry) { applyDataSgroups() }
    }

    private mutating func applyDataSgroups() {
        var reader = DataSgroupReader(draft.take(), ledger.take(), line: lines.line, keepsCoordination: true)
        reader.read { bonds.index($0) }
        ledger = reader.ledger
        draft = reader.draft
    }

    private func isWithoutCharge(_ atom: Atom) -> Bool { atom.charge == 0 && atom.radical == .none }

    private mutating func tellVoided(_ atom: Int, by lines: String, _ codes: String) {
        ledger.doubt(
            "atom \(atom + 1): \(lines) lines override the \(codes) of the atom block; this atom's was discarded")
    }

    /// Adds a warning about the line that was read last.
    private mutating func doubt(
        _ line: Range<Int>, of bytes: Span<UInt8>, columns: Range<Int>? = nil, _ message: String
    ) {
        ledger.doubt(line, at: lines.line &- 1, of: bytes, columns: columns, message)
    }
}
