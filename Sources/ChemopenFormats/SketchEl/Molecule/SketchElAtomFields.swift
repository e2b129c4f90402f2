import ChemopenBytes
import ChemopenModel

// Labels, and the fields behind an atom's or bond's numbers, each announced by a letter.

extension SketchElMoleculeReader {
    /// Gives an atom its element, or returns the label that it has instead. Escaped symbols are symbols.
    func name(_ atom: inout Atom, _ range: Range<Int>, _ bytes: Span<UInt8>) -> Text? {
        if let element = Self.element(bytes, range) {
            atom.element = element
            return nil
        }
        let text = label(range, bytes)
        guard let element = Self.element(text.bytes.span, 0..<text.bytes.count) else { return text }
        atom.element = element
        return nil
    }

    /// The element that is spelled here; `D` and `T` are none in SketchEl.
    static func element(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ChemicalElement? {
        guard range.count == 1 || range.count == 2 else { return nil }
        let second = range.count == 2 ? bytes[range.lowerBound + 1] : 0
        if range.count == 2, second <= 0x20 { return nil }
        let element = ChemicalElement.element(ofSymbol: bytes[range.lowerBound], second)
        return element == .none ? nil : element
    }

    /// Text with its escapes resolved, in UTF-8 whatever it was in.
    private func label(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Text {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        SketchElEscapes.unescape(range, of: bytes, into: &text)
        return Text(bytes: text).inUTF8
    }

    /// Calls the atom read last by a label.
    mutating func setLabel(_ label: Text, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        if molecule.labels.count < Self.labelsLookedAt {
            molecule.atoms[molecule.atoms.count - 1].label = molecule.place(ofLabel: label)
        } else {
            molecule.labels.append(label)
            molecule.atoms[molecule.atoms.count - 1].label = Int32(clamping: molecule.labels.count - 1)
        }
        if label.bytes.count > 1000 { doubt(line, of: bytes, "a label of \(label.bytes.count) bytes") }
        if label.bytes.contains(where: { $0 < 0x20 }) { doubt(line, of: bytes, "control characters in a label; kept") }
        for index in line where bytes[index] >= 0x80 {
            doubt(line, of: bytes, "the text is not escaped as it should be; kept")
            break
        }
        if SketchElEscapes.hasLoneSurrogate(label.bytes) {
            doubt(line, of: bytes, "half of a surrogate pair; kept as it is spelled")
        }
    }

    /// Reads a field of the atom read last. The last value of a property wins.
    mutating func readField(_ field: Range<Int>, on line: Range<Int>, _ bytes: Span<UInt8>) {
        let content = field.lowerBound + 1..<field.upperBound
        let atom = molecule.atoms.count - 1
        switch bytes[field.lowerBound] {
        case UInt8(ascii: "i"):
            // The writer counted these hydrogens; the rule decides.
            return
        case UInt8(ascii: "e"):
            if let count = Numeral.whole(bytes, content), -1...127 ~= count {
                molecule.atoms[atom].hydrogens = count < 0 ? .unstated : .fixed(count)
                return
            }
        case UInt8(ascii: "m"):
            if let mass = Numeral.whole(bytes, content), let mass = UInt16(exactly: mass) {
                molecule.atoms[atom].isotope = mass
                return
            }
        case UInt8(ascii: "n"):
            if let number = Numeral.whole(bytes, content), let number = Int32(exactly: number) {
                molecule.atoms[atom].mapNumber = number
                return
            }
        case UInt8(ascii: "z"):
            if let z = Numeral.decimal(bytes, content) {
                setHeight(z)
                return
            }
        case UInt8(ascii: "a"):
            if rare?.abbreviations.last?.atom != Int32(clamping: atom) {
                readAbbreviation(content, on: line, bytes)
                return
            }
        default:
            keep(field, bytes)
            return
        }
        doubt(line, of: bytes, "the value of a field is no number or too large; kept as text")
        keep(field, bytes)
    }

    mutating func setHeight(_ z: Double) {
        molecule.atoms[molecule.atoms.count - 1].position.z = z
        molecule.flags.insert(.threeDimensional)
    }

    /// Keeps a field of the atom read last as text.
    private mutating func keep(_ field: Range<Int>, _ bytes: Span<UInt8>) {
        if let last = lastAtomField, bytes.extracting(field).isSame(as: bytes.extracting(last.text)) {
            return keep(last.note)
        }
        let note = AtomNote(sketchElField: label(field, bytes))
        lastAtomField = (field, note)
        keep(note)
    }

    mutating func keep(_ note: AtomNote) {
        let atom = molecule.atoms.count - 1
        molecule.atoms[atom].marks.insert(.hasNotes)
        atomNotes.append(Tagged(atom, note))
    }

    /// Keeps a field of the bond read last.
    mutating func readBondField(_ field: Range<Int>, _ bytes: Span<UInt8>) {
        if let last = lastBondField, bytes.extracting(field).isSame(as: bytes.extracting(last.text)) {
            return keepOnBond(last.note)
        }
        let note = BondNote(sketchElField: label(field, bytes))
        lastBondField = (field, note)
        keepOnBond(note)
    }

    mutating func keepOnBond(_ note: BondNote) {
        let bond = molecule.bonds.count - 1
        molecule.bonds[bond].traits.insert(.hasNotes)
        bondNotes.append(Tagged(bond, note))
    }

    // MARK: Abbreviations

    /// Reads the piece that the atom read last stands for. What is no molecule stays text.
    private mutating func readAbbreviation(_ content: Range<Int>, on line: Range<Int>, _ bytes: Span<UInt8>) {
        var text: [UInt8] = []
        SketchElEscapes.unescape(content, of: bytes, into: &text)
        readAbbreviation(text, on: line, bytes)
    }

    mutating func readAbbreviation(_ text: [UInt8], on line: Range<Int>, _ bytes: Span<UInt8>) {
        let atom = molecule.atoms.count - 1
        guard depth < Self.greatestDepth else {
            doubt(line, of: bytes, "abbreviations stand inside one another too deeply; kept as text")
            keep(.field(Text(bytes: [UInt8(ascii: "a")] + text)))
            return
        }
        var piece = SketchElMoleculeReader(depth: depth + 1)
        do throws(Fault) {
            try piece.read(0..<text.count, of: text.span)
        } catch {
            doubt(line, of: bytes, "the abbreviation holds no molecule: expected \(error.expected); kept as text")
            keep(.field(Text(bytes: [UInt8(ascii: "a")] + text)))
            return
        }
        if let issue = piece.issues.first { doubt(line, of: bytes, "in the abbreviation: \(issue.message)") }
        if piece.molecule.atoms.count < 2 { doubt(line, of: bytes, "the abbreviation holds no atom to attach") }
        var canonical: [UInt8] = []
        SketchElMoleculeWriter.append(justRead: piece.molecule, to: &canonical)
        let abbreviation = Abbreviation(
            atom: atom, molecule: piece.molecule, spelling: canonical == text ? nil : Text(bytes: text))
        withRare { $0.abbreviations.append(abbreviation) }
    }
}

extension Molecule {
    /// Makes atoms none of their elements, but ones that are called so.
    mutating func makePlaceholders(ofAtoms indices: [Int]) {
        var places: [ChemicalElement: Int32] = [:]
        for index in indices where atoms[index].element != .none {
            let element = atoms[index].element
            let place = places[element] ?? self.place(ofLabel: Text(element.symbol))
            places[element] = place
            atoms[index].element = .none
            atoms[index].label = place
        }
    }
}

extension AtomNote {
    /// The note for a field that stands for nothing of its own, with its letter.
    init(sketchElField text: Text) {
        switch text.bytes.first {
        case UInt8(ascii: "q"): self = .query(Text(bytes: text.bytes.dropFirst()))
        case UInt8(ascii: "y"): self = .transientField(text)
        default: self = .field(text)
        }
    }
}

extension BondNote {
    /// The note for a field of a bond, with its letter.
    init(sketchElField text: Text) {
        switch text.bytes.first {
        case UInt8(ascii: "q"): self = .query(Text(bytes: text.bytes.dropFirst()))
        case UInt8(ascii: "y"): self = .transientField(text)
        default: self = .field(text)
        }
    }
}
