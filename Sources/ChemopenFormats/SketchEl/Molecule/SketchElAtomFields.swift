import ChemopenBytes
import ChemopenModel

// Labels, and the fields after the numbers of an atom or a bond, each with a letter in front.

extension SketchElMoleculeReader {
    /// Sets the element of an atom, or returns its label. An element symbol can be escaped.
    func name(_ atom: inout Atom, _ range: Range<Int>, _ bytes: Span<UInt8>) -> Text? {
        if let element = ChemicalElement(inSketchEl: bytes, range) {
            atom.element = element
            return nil
        }
        let text = label(range, bytes)
        guard let element = ChemicalElement(inSketchEl: text) else { return text }
        atom.element = element
        return nil
    }

    /// Returns text with decoded escapes, converted to UTF-8.
    private func label(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Text {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        SketchElEscapes.unescape(range, of: bytes, into: &text)
        return Text(bytes: text).inUTF8
    }

    /// Sets the label of the last atom.
    mutating func setLabel(_ label: Text, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        if draft.molecule.labels.count < SketchElMolecule.labelsLookedAt {
            draft.molecule.atoms[draft.molecule.atoms.count - 1].label = draft.molecule.place(ofLabel: label)
        } else {
            draft.molecule.labels.append(label)
            draft.molecule.atoms[draft.molecule.atoms.count - 1].label = Int32(
                clamping: draft.molecule.labels.count - 1)
        }
        if label.bytes.count > 1000 { doubt(line, of: bytes, "a label of \(label.bytes.count) bytes") }
        if label.bytes.contains(where: { $0 < 0x20 }) {
            doubt(line, of: bytes, "control characters in a label; preserved")
        }
        for index in line where bytes[index] >= 0x80 {
            doubt(line, of: bytes, "the text contains unescaped characters; preserved")
            break
        }
        if SketchElEscapes.hasLoneSurrogate(label.bytes) {
            doubt(line, of: bytes, "half of a surrogate pair; preserved as an escape")
        }
    }

    /// Reads a field of the last atom. If a property is repeated, the last value applies.
    mutating func readField(_ field: Range<Int>, on line: Range<Int>, _ bytes: Span<UInt8>) {
        let content = field.lowerBound + 1..<field.upperBound
        let atom = draft.molecule.atoms.count - 1
        switch bytes[field.lowerBound] {
        case UInt8(ascii: "i"):
            // The hydrogens that the writer calculated are ignored in favor of the model's rule.
            return
        case UInt8(ascii: "e"):
            if let count = Numeral.whole(bytes, content), -1...127 ~= count {
                draft.molecule.atoms[atom].hydrogens = count < 0 ? .unstated : .fixed(count)
                return
            }
        case UInt8(ascii: "m"):
            if let mass = Numeral.whole(bytes, content), let mass = UInt16(exactly: mass) {
                draft.molecule.atoms[atom].isotope = mass
                return
            }
        case UInt8(ascii: "n"):
            if let number = Numeral.whole(bytes, content), let number = Int32(exactly: number) {
                draft.molecule.atoms[atom].mapNumber = number
                return
            }
        case UInt8(ascii: "z"):
            if let z = Numeral.decimal(bytes, content) {
                setHeight(z)
                return
            }
        case UInt8(ascii: "a"):
            if draft.rare?.abbreviations.last?.atom != Int32(clamping: atom) {
                readAbbreviation(content, on: line, bytes)
                return
            }
        default:
            keep(field, bytes)
            return
        }
        doubt(line, of: bytes, "the value of a field is not a number or is too large; preserved as text")
        keep(field, bytes)
    }

    mutating func setHeight(_ z: Double) {
        draft.molecule.atoms[draft.molecule.atoms.count - 1].position.z = z
        draft.molecule.flags.insert(.threeDimensional)
    }

    /// Preserves a field of the last atom as text.
    private mutating func keep(_ field: Range<Int>, _ bytes: Span<UInt8>) {
        if let last = lastAtomField, bytes.extracting(field).isSame(as: bytes.extracting(last.text)) {
            return keep(last.note)
        }
        let note = AtomNote(sketchElField: label(field, bytes))
        lastAtomField = (field, note)
        keep(note)
    }

    mutating func keep(_ note: AtomNote) {
        let atom = draft.molecule.atoms.count - 1
        draft.molecule.atoms[atom].marks.insert(.hasNotes)
        draft.atomNotes.append(Indexed(atom, note))
    }

    /// Preserves a field of the last bond.
    mutating func readBondField(_ field: Range<Int>, _ bytes: Span<UInt8>) {
        if let last = lastBondField, bytes.extracting(field).isSame(as: bytes.extracting(last.text)) {
            return keepOnBond(last.note)
        }
        let note = BondNote(sketchElField: label(field, bytes))
        lastBondField = (field, note)
        keepOnBond(note)
    }

    mutating func keepOnBond(_ note: BondNote) {
        let bond = draft.molecule.bonds.count - 1
        draft.molecule.bonds[bond].traits.insert(.hasNotes)
        draft.bondNotes.append(Indexed(bond, note))
    }

    // MARK: Abbreviations

    /// Reads the molecule that the last atom abbreviates. If it is invalid, it is preserved as text.
    private mutating func readAbbreviation(_ content: Range<Int>, on line: Range<Int>, _ bytes: Span<UInt8>) {
        var text: [UInt8] = []
        SketchElEscapes.unescape(content, of: bytes, into: &text)
        readAbbreviation(text, on: line, bytes)
    }

    mutating func readAbbreviation(_ text: [UInt8], on line: Range<Int>, _ bytes: Span<UInt8>) {
        let atom = draft.molecule.atoms.count - 1
        guard depth < SketchElMolecule.greatestDepth else {
            doubt(line, of: bytes, "abbreviations are nested too deeply; preserved as text")
            keep(.field(Text(bytes: [UInt8(ascii: "a")] + text)))
            return
        }
        var piece = SketchElMoleculeReader(depth: depth + 1)
        do throws(Fault) {
            try piece.read(0..<text.count, of: text.span)
        } catch {
            doubt(line, of: bytes, "the abbreviation is not a molecule: expected \(error.expected); preserved as text")
            keep(.field(Text(bytes: [UInt8(ascii: "a")] + text)))
            return
        }
        if let issue = piece.issues.first { doubt(line, of: bytes, "in the abbreviation: \(issue.message)") }
        if piece.molecule.atoms.count < 2 { doubt(line, of: bytes, "the abbreviation contains no atom to attach") }
        var canonical: [UInt8] = []
        SketchElMoleculeWriter.append(justRead: piece.molecule, to: &canonical)
        let abbreviation = Abbreviation(
            atom: atom, molecule: piece.molecule, spelling: canonical == text ? nil : Text(bytes: text))
        draft.withRare { $0.abbreviations.append(abbreviation) }
    }
}

extension AtomNote {
    /// Creates a note for a field without a specific meaning, including its letter.
    init(sketchElField text: Text) {
        switch text.bytes.first {
        case UInt8(ascii: "q"): self = .query(Text(bytes: text.bytes.dropFirst()))
        case UInt8(ascii: "y"): self = .transientField(text)
        default: self = .field(text)
        }
    }
}

extension BondNote {
    /// Creates a note for a field of a bond, including its letter.
    init(sketchElField text: Text) {
        switch text.bytes.first {
        case UInt8(ascii: "q"): self = .query(Text(bytes: text.bytes.dropFirst()))
        case UInt8(ascii: "y"): self = .transientField(text)
        default: self = .field(text)
        }
    }
}
