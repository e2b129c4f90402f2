import ChemopenBytes
import ChemopenModel

/// Writes V3000 in a normalized form: at most 80 columns, numbers from 1, all COUNTS numbers, and quotes only if
/// required.
struct V3000Writer {
    /// The losses of all molecules that were written.
    private(set) var losses: [Loss] = []

    /// Appends the header and the connection table.
    mutating func write(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
        output.appendHeading(of: molecule, .v3000, &losses)
        output.append(contentsOf: "  0  0  0     0  0            999 V3000\n".utf8)
        let contents = molecule.extras.contents
        let kept = KeptLines(contents, .v3000)
        writeCtab(molecule, kept, to: &output)
        if !molecule.extras.isEmpty {
            for text in kept.behind { output.appendV3000Lines(text) }
            for group in contents.rgroups { write(group, to: &output) }
            write(contents.templates, to: &output)
        }
        output.append(contentsOf: "M  END\n".utf8)
    }

    /// Appends only the connection table, for a component of a reaction, a member of an R-group or a template.
    ///
    /// Such a table has no header lines, so the title becomes the name of the table.
    mutating func writeTable(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
        let kept = KeptLines(molecule.extras.contents, .v3000)
        for text in kept.behind { losses.note(Verbatim(.v3000, text)) }
        let name = molecule.heading.lines.name
        if !name.isEmpty, molecule.extras.contents.tableName.isEmpty {
            var named = copy molecule
            named.extras.contents.tableName = Text(bytes: name)
            return writeCtab(named, kept, to: &output)
        }
        if !name.isEmpty, molecule.extras.contents.tableName.bytes[...] != name {
            losses.note(.names, "the title of a component")
        }
        writeCtab(molecule, kept, to: &output)
    }

    private mutating func writeCtab(_ molecule: borrowing Molecule, _ kept: KeptLines, to output: inout [UInt8]) {
        if let settled = molecule.settlingDataSgroups() {
            writeTable(settled, kept, to: &output)
        } else {
            writeTable(molecule, kept, to: &output)
        }
    }

    private mutating func writeTable(_ molecule: borrowing Molecule, _ kept: KeptLines, to output: inout [UInt8]) {
        let contents = molecule.extras.contents
        let chemistry = V3000Chemistry(molecule, contents)
        losses.noteHydrogens(chemistry.hydrogens)
        let table = V3000Places(molecule, contents, kept)
        var start = output.beginV3000Line()
        output.append(.begin, .table)
        if !contents.tableName.isEmpty {
            output.append(Ascii.blank)
            output.appendV3000Value(contents.tableName, isName: true)
            if contents.tableName.changesOnOneLine { losses.note(.names, "line breaks, written as blanks") }
        }
        output.endV3000Line(from: start)
        start = output.beginV3000Line()
        output.append(.counts)
        output.append(Ascii.blank)
        output.appendDecimal(molecule.atoms.count)
        output.append(Ascii.blank)
        output.appendDecimal(molecule.bonds.count)
        output.append(Ascii.blank)
        output.appendDecimal(contents.sgroups.count + chemistry.sgroupCount)
        output.append(Ascii.blank)
        output.appendDecimal(objectCount(kept))
        output.append(contentsOf: (molecule.flags.contains(.chiral) ? " 1" : " 0").utf8)
        for keyword in contents.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
        output.endV3000Line(from: start)
        writeAtoms(molecule, table, chemistry, to: &output)
        if !molecule.bonds.isEmpty { writeBonds(molecule, table, to: &output) }
        if !molecule.extras.isEmpty {
            writeGroups(molecule, contents, table, chemistry, kept, to: &output)
        } else if chemistry.sgroupCount > 0 {
            var groups = V3000GroupWriter(table)
            groups.writeSgroups(molecule, [], chemistry, to: &output)
            losses.note(groups.losses)
        }
        output.appendV3000Line(.end, .table)
    }

    private mutating func writeGroups(
        _ molecule: borrowing Molecule, _ contents: Extras.Contents, _ table: V3000Places, _ chemistry: V3000Chemistry,
        _ kept: KeptLines, to output: inout [UInt8]
    ) {
        var groups = V3000GroupWriter(table)
        for link in contents.linkNodes { groups.write(link, to: &output) }
        if !contents.sgroups.isEmpty || chemistry.sgroupCount > 0 {
            groups.writeSgroups(molecule, contents.sgroups, chemistry, to: &output)
        }
        if !contents.stereoGroups.isEmpty || !contents.collections.isEmpty {
            groups.writeCollections(contents, to: &output)
        }
        losses.note(groups.losses)
        for text in kept.inside { output.appendV3000Lines(text) }
        for text in kept.leftOut { losses.note(Verbatim(.v3000, text)) }
        losses.note(contents, unsupportedBy: [.v3000, .behind])
    }

    /// Returns the number of lines in `OBJ3D` blocks, which are preserved verbatim.
    private func objectCount(_ kept: KeptLines) -> Int {
        var count = 0
        for text in kept.inside {
            let lines = text.bytes.split(separator: Ascii.lineFeed)
            if let first = lines.first, first.map(Ascii.upper).elementsEqual("BEGIN OBJ3D".utf8) {
                count += lines.count - 2
            }
        }
        return max(0, count)
    }

    // MARK: Atoms

    private mutating func writeAtoms(
        _ molecule: borrowing Molecule, _ table: V3000Places, _ chemistry: V3000Chemistry, to output: inout [UInt8]
    ) {
        output.appendV3000Line(.begin, .atom)
        for index in molecule.atoms.indices {
            let atom = molecule.atoms[index]
            let start = output.beginV3000Line()
            output.appendDecimal(table.atoms[Int32(truncatingIfNeeded: index)] ?? 0)
            output.append(Ascii.blank)
            if atom.label == Atom.noLabel, atom.element != .none {
                atom.element.appendSymbol(to: &output)
            } else {
                appendType(molecule, index, to: &output)
            }
            output.append(Ascii.blank)
            output.appendV3000(atom.position)
            output.append(Ascii.blank)
            output.appendDecimal(Int(atom.mapNumber))
            let charge = chemistry.drawnCharges[index] ?? Int(atom.charge)
            if charge != 0 { output.appendV3000(.charge, charge) }
            if atom.radical != .none || atom.marks.parity != 0 { output.appendV3000(MarkTerm.first, of: atom) }
            if atom.isotope != 0, !isSaid(atom.isotope, by: molecule.labels, atom) {
                output.appendV3000(.mass, Int(atom.isotope))
            }
            if chemistry.hasValences || atom.marks.contains(.hasNotes),
                let valence = chemistry.valence(ofAtom: index) ?? molecule.valence(ofAtom: index)
            {
                output.appendV3000(.valence, valence == 0 ? -1 : valence)
            }
            if atom.marks != [] { appendMarks(molecule, index, table, to: &output) }
            output.endV3000Line(from: start)
        }
        output.appendV3000Line(.end, .atom)
    }

    /// Whether the label specifies the mass, as `D` and `T` do.
    private func isSaid(_ isotope: UInt16, by labels: [Text], _ atom: Atom) -> Bool {
        guard atom.element == .hydrogen, labels.indices.contains(Int(atom.label)) else { return false }
        return labels[Int(atom.label)] == (isotope == 2 ? "D" : isotope == 3 ? "T" : "")
    }

    /// Appends the type of an atom that is a list or a label.
    private mutating func appendType(_ molecule: borrowing Molecule, _ index: Int, to output: inout [UInt8]) {
        let atom = molecule.atoms[index]
        for case .elementList(let list) in molecule.notes(onAtom: index) {
            output.append(contentsOf: (list.isExcluding ? "NOT[" : "[").utf8)
            for (place, word) in ListEntry.all(list, ListEntry.word, &losses).enumerated() {
                if place > 0 { output.append(Ascii.comma) }
                output.append(contentsOf: word)
            }
            return output.append(0x5D)
        }
        let label = molecule.symbol(ofAtom: index)
        if atom.element != .none {
            if isSaid(atom.isotope, by: molecule.labels, atom) { return output.appendV3000Value(label) }
            return atom.element.appendSymbol(to: &output)
        }
        if molecule.isNamedByGroup(index) { return output.append(0x2A) }
        if V3000AtomType.isLabel(label) || isTemplate(molecule, index) { return output.appendV3000Value(label) }
        // Otherwise, the label would be read without its blanks, or as an element or a list.
        losses.note(.labels, label)
        let rest = Text(bytes: label.bytes.filter { $0 >= Ascii.blank && $0 != 0x7F }).trimmed
        output.appendV3000Value(V3000AtomType.isLabel(rest) ? rest : "*")
    }

    private func isTemplate(_ molecule: borrowing Molecule, _ index: Int) -> Bool {
        for case .templateClass(let name) in molecule.notes(onAtom: index) where !name.isEmpty { return true }
        return false
    }

    private mutating func appendMarks(
        _ molecule: borrowing Molecule, _ index: Int, _ table: V3000Places, to output: inout [UInt8]
    ) {
        output.appendV3000(MarkTerm.others, of: molecule.atoms[index])
        if !molecule.atoms[index].marks.contains(.hasNotes) { return }
        for note in molecule.notes(onAtom: index) {
            switch note {
            // The valence was written after the charge.
            case .valence: break
            case .keyword(let name, let value): output.appendV3000(name, raw: value)
            default: append(note, table, to: &output)
            }
        }
    }

    /// Appends the keyword of a note, if there is one.
    private func append(_ note: AtomNote, _ table: V3000Places, to output: inout [UInt8]) {
        let term = AtomTerm.term(of: note)
        guard let key = term.key else { return }
        switch term.content {
        case .code(let code):
            if let value = code.get(note) { output.appendV3000(key, code.word(inKey: value)) }
        case .text(let get, _):
            if let text = get(note) { output.appendV3000(key, text) }
        case .numbers(let get, _):
            // These numbers count from 1 and do not refer to atoms or bonds.
            let numbers = get(note)?.map { $0 &- 1 } ?? []
            output.appendV3000(key, numbers, numbers: V3000Numbering([], count: .max))
        case .attachments:
            if case .attachmentOrder(let attachments) = note { append(attachments, table, to: &output) }
        case .elements, .configuration, .keyword: break
        }
    }

    private func append(_ attachments: [AtomNote.Attachment], _ table: V3000Places, to output: inout [UInt8]) {
        if attachments.isEmpty { return }
        output.appendV3000Key(.attachmentOrder)
        output.append(0x28)
        output.appendDecimal(2 * attachments.count)
        for attachment in attachments {
            output.append(Ascii.blank)
            output.appendDecimal(table.atoms[attachment.neighbor] ?? 0)
            output.append(Ascii.blank)
            output.appendV3000Value(attachment.point)
        }
        output.append(0x29)
    }

    // MARK: Bonds

    private mutating func writeBonds(_ molecule: borrowing Molecule, _ table: V3000Places, to output: inout [UInt8]) {
        output.appendV3000Line(.begin, .bond)
        for index in molecule.bonds.indices {
            let bond = molecule.bonds[index]
            let start = output.beginV3000Line()
            output.appendDecimal(table.bonds[Int32(truncatingIfNeeded: index)] ?? 0)
            output.append(Ascii.blank)
            // Orders that MDL cannot express are written as data Sgroups.
            output.appendDecimal(bond.order.mdlType ?? (bond.order == .zero ? 1 : 3))
            output.append(Ascii.blank)
            output.appendDecimal(table.atoms[bond.from] ?? 0)
            output.append(Ascii.blank)
            output.appendDecimal(table.atoms[bond.to] ?? 0)
            if bond.mark != .none { output.appendV3000(.configuration, bond.mark.configuration) }
            if bond.traits != [] || bond.reactingCenter != 0 { appendTraits(molecule, index, table, to: &output) }
            output.endV3000Line(from: start)
        }
        output.appendV3000Line(.end, .bond)
    }

    private mutating func appendTraits(
        _ molecule: borrowing Molecule, _ index: Int, _ table: V3000Places, to output: inout [UInt8]
    ) {
        let bond = molecule.bonds[index]
        for term in BondTerm.all {
            let code = term.get(bond)
            if code != 0 { output.appendV3000(term.key, code) }
        }
        if !bond.traits.contains(.hasNotes) { return }
        for note in molecule.notes(onBond: index) {
            switch note {
            case .endpoints(let atoms, let any):
                output.appendV3000(.endpoints, atoms, numbers: table.atoms)
                output.appendV3000(.attach, Text(any ? BondNote.attachedToAny : BondNote.attachedToAll))
            case .display(let display): output.appendV3000(.display, display)
            case .keyword(let name, let value): output.appendV3000(name, raw: value)
            case .geometry, .query, .drawnOrder, .asksForAromatic, .field, .transientField: break
            }
        }
    }

    // MARK: R-groups and templates

    mutating func write(_ group: RGroup, to output: inout [UInt8]) {
        let head = output.beginV3000Line()
        output.append(.begin, .rgroup)
        output.append(Ascii.blank)
        output.appendDecimal(Int(group.number))
        output.endV3000Line(from: head)
        if let logic = group.logic {
            let start = output.beginV3000Line()
            output.append(.logic)
            output.append(Ascii.blank)
            output.appendDecimal(Int(logic.requires))
            output.append(contentsOf: (logic.restIsHydrogen ? " 1" : " 0").utf8)
            if !logic.occurrence.isEmpty {
                output.append(Ascii.blank)
                output.appendV3000Value(logic.occurrence, isName: true)
            }
            output.endV3000Line(from: start)
        }
        for member in group.members { writeInner(member, to: &output) }
        output.appendV3000Line(.end, .rgroup)
    }

    mutating func write(_ templates: [Template], to output: inout [UInt8]) {
        if templates.isEmpty { return }
        output.appendV3000Line(.begin, .template)
        for (index, template) in templates.enumerated() {
            let start = output.beginV3000Line()
            output.append(.template)
            output.append(Ascii.blank)
            output.appendDecimal(index + 1)
            output.append(Ascii.blank)
            output.appendV3000Value(template.name, isName: true)
            for keyword in template.keywords { output.appendV3000(keyword.name, raw: keyword.value) }
            output.endV3000Line(from: start)
            writeInner(template.molecule, to: &output)
        }
        output.appendV3000Line(.end, .template)
    }

    /// Appends a nested table, which cannot contain R-groups and templates.
    private mutating func writeInner(_ molecule: Molecule, to output: inout [UInt8]) {
        writeTable(molecule, to: &output)
        losses.noteBlocks(of: molecule.extras.contents, unsupportedBy: .v3000, "within an R-group")
    }
}
