import ChemopenBytes
import ChemopenModel

/// The property block of a V2000 molfile, collected while the atoms and bonds are written.
struct V2000Properties: ~Copyable {
    var charges: [(Int, Int)] = []
    var radicals: [(Int, Int)] = []
    var isotopes: [(Int, Int)] = []
    /// The orders without a bond type, which are written as `M  ZBO`.
    var trueOrders: [(Int, Int)] = []
    /// The charges that `M  CHG` cannot express, which are written as `M  ZCH`.
    var trueCharges: [(Int, Int)] = []
    /// The labels that are too long for a symbol, which are written as aliases.
    var longLabels: [(Int, Text)] = []
    /// The statements about hydrogens.
    let hydrogens: HydrogenStatements
    /// Whether no atom needs a valence, a hydrogen count or a drawn charge.
    let isPlain: Bool
    /// The charges for readers that do not support `M  ZCH`, by atom.
    let drawnCharges: [Int: Int]
    private var notes: [Indexed<AtomNote>] = []
    private var nextNote = 0

    init(_ molecule: borrowing Molecule, meantBy rule: Molecule.HydrogenRule) {
        let notes = molecule.extras.isEmpty ? [] : molecule.extras.contents.atomNotes
        var isExtended = molecule.flags.contains(.hydrogenLines)
        var statesHydrogens = false
        for atom in molecule.atoms {
            isExtended = isExtended || !(-15...15 ~= atom.charge)
            statesHydrogens = statesHydrogens || atom.hydrogens != .unstated
        }
        isExtended = isExtended || molecule.bonds.contains { $0.order.mdlType == nil }
        let statesNothing = !isExtended && rule == .mdl && !statesHydrogens
        let drawnCharges = notes.isEmpty ? [:] : notes.drawnCharges(beside: molecule.atoms)
        // Each property is set exactly once: if there are two code paths, the optimizer of Swift 6.3 releases a value
        // that was never set.
        var hydrogens = HydrogenStatements()
        if !statesNothing || !drawnCharges.isEmpty {
            hydrogens = HydrogenStatements(
                molecule, drawnCharges: drawnCharges, isExtended: isExtended || !drawnCharges.isEmpty)
        }
        isPlain = notes.isEmpty && statesNothing
        self.notes = notes
        self.drawnCharges = drawnCharges
        self.hydrogens = hydrogens
    }

    /// Whether a valence exceeds the range of V2000. The valence may be required for the hydrogens or specified in the
    /// source.
    var needsLargeValence: Bool {
        let stated = hydrogens.valences
        return stated.contains { $0 > 14 }
            || notes.contains { tagged in
                guard case .valence(let valence) = tagged.note, valence > 14 else { return false }
                let index = Int(tagged.index)
                return !stated.indices.contains(index) || stated[index] < 0
            }
    }

    /// Sets the columns of an atom line that correspond to notes. Atoms must be written in order.
    mutating func writeCodes(ofAtom index: Int, at start: Int, to output: inout MutableSpan<UInt8>) {
        var valence = -1
        while nextNote < notes.count, notes[nextNote].index <= Int32(clamping: index) {
            let note = notes[nextNote].note
            if case .valence(let stated) = note {
                valence = stated
            } else {
                let term = AtomTerm.place(of: note)
                if let column = AtomTerm.all[term].column, let code = AtomTerm.all[term].columnCode(of: note) {
                    output.setNumber(code, at: start + column.range.lowerBound)
                }
            }
            nextNote += 1
        }
        if !hydrogens.valences.isEmpty, hydrogens.valences[index] >= 0 { valence = hydrogens.valences[index] }
        if valence >= 0 {
            output.setNumber(
                valence == 0 ? 15 : min(14, valence), at: start + AtomColumn.valence.range.lowerBound)
        }
    }
}

extension [Loss] {
    /// Records hydrogens that a molfile cannot express.
    mutating func noteHydrogens(_ statements: HydrogenStatements) {
        if statements.unsaid == 0 { return }
        note(.hydrogenCounts, "on labels, or next to bonds of an unknown order", count: statements.unsaid)
    }
}

/// Writes the property lines of a V2000 molfile.
struct V2000PropertyWriter {
    /// The content that no property line can express.
    private(set) var losses: [Loss] = []

    /// Appends the lines, without `M  END`.
    mutating func write(
        _ molecule: borrowing Molecule, _ properties: borrowing V2000Properties, to output: inout [UInt8]
    ) {
        let notes = molecule.extras.isEmpty ? [] : molecule.extras.contents.atomNotes
        writeTexts(properties.longLabels, notes, to: &output)
        output.appendPairs(.charges, properties.charges)
        output.appendPairs(.radicals, properties.radicals)
        output.appendPairs(.isotopes, properties.isotopes)
        let added = properties.hydrogens.sgroups
        if !molecule.extras.isEmpty {
            var rare = molecule.extras.contents
            if !added.isEmpty { rare.sgroups += added }
            writeRare(rare, KeptLines(rare, .v2000, hasAtoms: !molecule.atoms.isEmpty), to: &output)
        } else if !added.isEmpty {
            V2000SgroupWriter(added).write(to: &output)
        }
        output.appendPairs(.trueOrders, properties.trueOrders)
        output.appendPairs(.trueCharges, properties.trueCharges)
        output.appendPairs(.hydrogens, properties.hydrogens.counts)
        losses.noteHydrogens(properties.hydrogens)
    }

    /// Appends an alias. If a line would end the record, it is indented by a blank.
    private mutating func writeAlias(_ alias: Text, ofAtom index: Int, to output: inout [UInt8]) {
        output.append("A  ")
        output.appendPadded(index + 1, width: 3)
        output.append(Ascii.lineFeed)
        if alias.bytes[...].beginsLikeKeyword {
            output.append(Ascii.blank)
            losses.note(.aliases, "written with a blank in front of $")
        }
        output.appendLine(alias)
        output.append(Ascii.lineFeed)
        if alias.changesOnOneLine { losses.note(.aliases, "line breaks, written as blanks") }
    }

    /// Appends aliases and values on separate lines, in the order of the atoms. A long label precedes its atom's
    /// aliases.
    private mutating func writeTexts(_ labels: [(Int, Text)], _ notes: [Indexed<AtomNote>], to output: inout [UInt8]) {
        var labels = labels[...]
        for tagged in notes {
            writeLabels(&labels, upTo: Int(tagged.index), to: &output)
            switch tagged.note {
            case .alias(let alias):
                writeAlias(alias, ofAtom: Int(tagged.index), to: &output)
            case .value(let value):
                output.append("V  ")
                output.appendPadded(Int(tagged.index) + 1, width: 3)
                output.append(Ascii.blank)
                output.appendLine(value)
                output.append(Ascii.lineFeed)
                if value.changesOnOneLine { losses.note(.atomValues, "line breaks, written as blanks") }
            default: break
            }
        }
        writeLabels(&labels, upTo: .max, to: &output)
    }

    private mutating func writeLabels(
        _ labels: inout ArraySlice<(Int, Text)>, upTo index: Int, to output: inout [UInt8]
    ) {
        while let (atom, label) = labels.first, atom <= index {
            writeAlias(label, ofAtom: atom, to: &output)
            labels.removeFirst()
        }
    }

    private mutating func writeRare(_ rare: Extras.Contents, _ kept: KeptLines, to output: inout [UInt8]) {
        writeQueries(rare, to: &output)
        V2000SgroupWriter(rare.sgroups).write(to: &output)
        losses.noteChangedTexts(of: rare.sgroups) { $0.changesOnOneLine || $0.hasOuterBlanks }
        for text in kept.inside { output.appendLines(text) }
        for keyword in rare.keywords where keyword.isRegistryNumber {
            output.beginPropertyLine(.registryNumber)
            output.append(Ascii.blank)
            output.appendLine(keyword.value)
            output.append(Ascii.lineFeed)
        }
        for text in kept.leftOut { losses.note(Verbatim(.v2000, text)) }
        losses.note(rare, unsupportedBy: .v2000)
    }

    private mutating func writeQueries(_ rare: Extras.Contents, to output: inout [UInt8]) {
        let notes = rare.atomNotes.filter { AtomTerm.hasLine($0.note) }
        for (line, place) in notes.isEmpty ? [] : AtomTerm.withLines {
            var pairs: [(Int, Int)] = []
            for tagged in notes {
                for code in AtomTerm.all[place].codes(of: tagged.note) {
                    if -99...999 ~= code {
                        pairs.append((Int(tagged.index), code))
                    } else {
                        losses.note(tagged.note.feature, "a number that does not fit into three columns")
                    }
                }
            }
            output.appendPairs(line, pairs, perLine: line == .attachmentPoints ? 2 : 8)
        }
        for tagged in rare.atomNotes {
            switch tagged.note {
            case .elementList(let list): writeList(list, ofAtom: Int(tagged.index), to: &output)
            case .attachmentOrder(let order): writeOrder(order, ofAtom: Int(tagged.index), to: &output)
            default: break
            }
        }
        for link in rare.linkNodes where link.neighbors.count <= 2 {
            output.beginPropertyLine(.linkNodes)
            output.append("  1")
            let maximum = min(999, max(0, Int(link.maximum)))
            if maximum != Int(link.maximum), link.neighbors.isEmpty {
                losses.note(.linkNodes, "repeats beyond 999")
            }
            for number in [Int(link.atom) + 1, maximum] { output.appendField(number) }
            for place in 0..<2 {
                output.appendField(place < link.neighbors.count ? Int(link.neighbors[place]) + 1 : 0)
            }
            output.append(Ascii.lineFeed)
        }
        for group in rare.rgroups {
            // Such a group is already reported as a loss. A clamped number would refer to another group.
            guard let logic = group.logicInV2000 else { continue }
            output.beginPropertyLine(.rgroupLogic)
            output.append("  1")
            for number in [Int(group.number), Int(logic.requires), logic.restIsHydrogen ? 1 : 0] {
                output.appendField(min(999, max(-99, number)))
            }
            output.append("   ")
            output.appendLine(logic.occurrence.trimmed)
            output.append(Ascii.lineFeed)
        }
    }

    /// Writes a list. All entries are padded to four columns, including the last, because some readers require it.
    private mutating func writeList(_ list: ElementList, ofAtom index: Int, to output: inout [UInt8]) {
        let entries = ListEntry.all(list, ListEntry.column, &losses)
        output.beginPropertyLine(.atomList)
        output.append(Ascii.blank)
        output.appendPadded(index + 1, width: 3)
        output.appendPadded(entries.count, width: 3)
        output.append(list.isExcluding ? " T " : " F ")
        for entry in entries {
            output.appendColumns(Text(bytes: entry), width: ListEntry.columns)
        }
        output.append(Ascii.lineFeed)
    }

    private func writeOrder(_ order: [AtomNote.Attachment], ofAtom index: Int, to output: inout [UInt8]) {
        let numbered = order.compactMap { attachment in
            Int(attachment.point.string).map { (Int(attachment.neighbor) + 1, $0) }
        }
        if numbered.isEmpty { return }
        output.beginPropertyLine(.attachmentOrder)
        output.append(Ascii.blank)
        output.appendPadded(index + 1, width: 3)
        output.appendPadded(numbered.count, width: 3)
        for (neighbor, point) in numbered {
            output.appendField(neighbor)
            output.appendField(point)
        }
        output.append(Ascii.lineFeed)
    }
}

extension [UInt8] {
    /// Appends lines of counted pairs: the index of an atom or bond, and a value.
    mutating func appendPairs(_ key: PropertyKey, _ pairs: [(Int, Int)], perLine: Int = 8) {
        var start = 0
        while start < pairs.count {
            let end = Swift.min(start + perLine, pairs.count)
            beginPropertyLine(key)
            appendPadded(end - start, width: 3)
            for (index, value) in pairs[start..<end] {
                appendField(index + 1)
                appendField(value)
            }
            append(Ascii.lineFeed)
            start = end
        }
    }
}
