import ChemopenBytes
import ChemopenModel

/// Writes the lines of a molecule in SketchEl's format, with the fields of each atom and bond.
struct SketchElLines {
    /// The number of coordinates with more than four decimals.
    private(set) var lostDigits = 0
    /// Whether some atoms or bonds have fields. The lists are separate properties because access to all contents would
    /// copy them for each line.
    private let hasFields: Bool
    private let abbreviations: [Abbreviation]
    private let atomNotes: [Indexed<AtomNote>]
    private let bondNotes: [Indexed<BondNote>]
    /// The types of bonds that are not supported.
    private var bondTypes: [Int32: Text] = [:]
    private let hydrogens: SketchElHydrogenFields
    private var nextNote = 0
    private var nextAbbreviation = 0
    private var nextBondNote = 0
    private let depth: Int
    private let trustsSpellings: Bool
    /// The fields that were written last, and their escaped text. All atoms of a group have the same field, and the
    /// fields of two groups often alternate.
    private var spelledFields: [(field: Text, spelling: [UInt8])] = []
    private var nextSpelled = 0

    /// - Parameters:
    ///   - depth: the number of abbreviations around the molecule.
    ///   - trustsSpellings: whether the abbreviations' original text is still correct, because it has just been read.
    init(of molecule: borrowing Molecule, depth: Int, trustsSpellings: Bool) {
        self.depth = depth
        self.trustsSpellings = trustsSpellings
        hasFields = !molecule.extras.isEmpty
        hydrogens = SketchElHydrogenFields(of: molecule)
        guard hasFields else {
            (abbreviations, atomNotes, bondNotes) = ([], [], [])
            return
        }
        let contents = molecule.extras.contents
        (abbreviations, atomNotes, bondNotes) = (contents.abbreviations, contents.atomNotes, contents.bondNotes)
        for verbatim in contents.verbatim.reversed() where verbatim.dialect == .sketchEl {
            if case .bond(let bond) = verbatim.owner { bondTypes[bond] = verbatim.text }
        }
    }

    // MARK: Atoms

    mutating func appendAtoms(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let hasHeights = molecule.flags.contains(.threeDimensional)
        let atoms = molecule.atoms
        var next = 0
        while true {
            if !hasHeights { next = appendPlainAtoms(from: next, of: atoms, to: &output) }
            guard next < atoms.count else { return }
            let index = next
            next += 1
            let atom = atoms[index]
            if atom.label == Atom.noLabel {
                atom.element.appendSymbol(to: &output)
            } else if molecule.labels.indices.contains(Int(atom.label)) {
                SketchElEscapes.escape(molecule.labels[Int(atom.label)].bytes, into: &output)
            }
            output.append(Ascii.equals)
            appendCoordinate(atom.position.x, to: &output)
            output.append(Ascii.comma)
            appendCoordinate(atom.position.y, to: &output)
            output.append(0x3B)
            output.appendDecimal(Int(atom.charge))
            output.append(Ascii.comma)
            output.appendDecimal(atom.radical.unpairedElectrons)
            let field = hydrogens.field(of: atom, index)
            output.append(Ascii.comma)
            output.append(field.letter)
            output.appendDecimal(field.count)
            if hasHeights {
                output.append(",z")
                output.appendShortest(atom.position.z.isFinite ? atom.position.z : 0)
            }
            if atom.isotope != 0 {
                output.append(",m")
                output.appendDecimal(Int(atom.isotope))
            }
            if atom.mapNumber != 0 {
                output.append(",n")
                output.appendDecimal(Int(atom.mapNumber))
            }
            if hasFields { appendFields(of: index, to: &output) }
            output.append(Ascii.lineFeed)
        }
    }

    /// Appends the lines of plain atoms from an index on. Returns the index of the first atom that is not plain.
    private mutating func appendPlainAtoms(from start: Int, of atoms: [Atom], to output: inout [UInt8]) -> Int {
        let limit = min(atoms.count, nextAtomWithFields)
        // A copy, because access to the lists of this object would be slower.
        let hydrogens = hydrogens
        var next = start
        var lost = 0
        while next < limit, !atoms[next].isLabeledOrNumbered {
            let end = min(next + PlainLineRoom.lines, limit)
            var at = PlainLineRoom.append(lines: end - next, to: &output)
            var text = output.mutableSpan
            while next < end {
                let field = hydrogens.field(of: atoms[next], next)
                guard let inexact = text.setLine(of: atoms[next], field, at: &at) else { break }
                lost &+= inexact
                next &+= 1
            }
            output.removeLast(output.count - at)
            if next < end { break }
        }
        lostDigits &+= lost
        return next
    }

    /// The next atom that has notes or an abbreviation; both lists are in the order of the atoms.
    private var nextAtomWithFields: Int {
        var atom = Int.max
        if nextNote < atomNotes.count { atom = Int(atomNotes[nextNote].index) }
        if nextAbbreviation < abbreviations.count { atom = min(atom, Int(abbreviations[nextAbbreviation].atom)) }
        return atom
    }

    private mutating func appendFields(of atom: Int, to output: inout [UInt8]) {
        if nextAbbreviation < abbreviations.count, abbreviations[nextAbbreviation].atom == Int32(clamping: atom) {
            output.append(",a")
            let text = abbreviations[nextAbbreviation].text(depth: depth, trustsSpelling: trustsSpellings)
            SketchElEscapes.escape(text, into: &output)
            nextAbbreviation += 1
        }
        let start = nextNote
        while nextNote < atomNotes.count, atomNotes[nextNote].index <= Int32(clamping: atom) { nextNote += 1 }
        if start == nextNote { return }
        for isTransient in [false, true] {
            for place in start..<nextNote {
                switch atomNotes[place].note {
                case .query(let text) where !isTransient: appendField("q", text, to: &output)
                case .field(let text) where !isTransient: appendField("", text, to: &output)
                case .transientField(let text) where isTransient: appendField("", text, to: &output)
                default: break
                }
            }
        }
    }

    private mutating func appendField(_ letter: StaticString, _ text: Text, to output: inout [UInt8]) {
        let place = spelledFields.firstIndex { $0.field == text } ?? spell(text)
        output.append(Ascii.comma)
        output.append(letter)
        output.append(contentsOf: spelledFields[place].spelling)
    }

    private mutating func spell(_ text: Text) -> Int {
        var spelling: [UInt8] = []
        SketchElEscapes.escape(text.bytes, into: &spelling)
        if spelledFields.count < Self.mostSpelledFields {
            spelledFields.append((text, spelling))
            return spelledFields.count - 1
        }
        let place = nextSpelled
        nextSpelled = (nextSpelled + 1) % Self.mostSpelledFields
        spelledFields[place] = (text, spelling)
        return place
    }

    private static let mostSpelledFields = 4

    // MARK: Bonds

    mutating func appendBonds(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let bonds = molecule.bonds
        var next = 0
        while true {
            if bondTypes.isEmpty { next = appendPlainBonds(from: next, of: bonds, to: &output) }
            guard next < bonds.count else { return }
            let index = next
            next += 1
            let bond = bonds[index]
            output.appendDecimal(Int(bond.from) + 1)
            output.append(Ascii.minus)
            output.appendDecimal(Int(bond.to) + 1)
            output.append(Ascii.equals)
            output.append(0x30 | min(bond.orderNumber, 6))
            output.append(Ascii.comma)
            appendType(of: index, bond.mark, to: &output)
            if hasFields { appendFields(ofBond: index, to: &output) }
            output.append(Ascii.lineFeed)
        }
    }

    /// Appends the lines of plain bonds from an index on. Returns the index of the first bond that is not plain.
    private func appendPlainBonds(from start: Int, of bonds: [Bond], to output: inout [UInt8]) -> Int {
        let limit = nextBondNote < bondNotes.count ? min(bonds.count, Int(bondNotes[nextBondNote].index)) : bonds.count
        var next = start
        while next < limit {
            let end = min(next + PlainLineRoom.lines, limit)
            var at = PlainLineRoom.append(lines: end - next, to: &output)
            var text = output.mutableSpan
            while next < end, max(bonds[next].from, bonds[next].to) < 9999 {
                text.setLine(of: bonds[next], at: &at)
                next &+= 1
            }
            output.removeLast(output.count - at)
            if next < end { break }
        }
        return next
    }

    /// Appends the type, which may not be supported.
    private func appendType(of bond: Int, _ mark: Bond.Mark, to output: inout [UInt8]) {
        if mark == .none, !bondTypes.isEmpty, let type = bondTypes[Int32(clamping: bond)] {
            output.append(contentsOf: type.bytes)
        } else {
            output.append(0x30 | mark.rawValue)
        }
    }

    private mutating func appendFields(ofBond bond: Int, to output: inout [UInt8]) {
        let start = nextBondNote
        while nextBondNote < bondNotes.count, bondNotes[nextBondNote].index <= Int32(clamping: bond) {
            nextBondNote += 1
        }
        if start == nextBondNote { return }
        for isTransient in [false, true] {
            for place in start..<nextBondNote {
                switch bondNotes[place].note {
                case .query(let text) where !isTransient: appendField("q", text, to: &output)
                case .field(let text) where !isTransient: appendField("", text, to: &output)
                case .transientField(let text) where isTransient: appendField("", text, to: &output)
                default: break
                }
            }
        }
    }

    // MARK: Numbers

    /// Appends a number with four decimals. Small negative numbers preserve their sign, as in all SketchEl files:
    /// `-0.0000`.
    private mutating func appendCoordinate(_ value: Double, to output: inout [UInt8]) {
        if let number = FourDecimals(value) {
            if !number.isExact { lostDigits += 1 }
            var at = PlainLineRoom.append(lines: 1, to: &output)
            var text = output.mutableSpan
            number.set(in: &text, at: &at, before: Ascii.comma)
            output.removeLast(output.count - at + 1)
            return
        }
        let start = output.count
        output.appendFixed(value.isFinite ? value : 0, decimals: 4, width: 0)
        if value < 0, output[start] != Ascii.minus { output.insert(Ascii.minus, at: start) }
        if (value.magnitude * 10_000).rounded() / 10_000 != value.magnitude { lostDigits += 1 }
    }
}
