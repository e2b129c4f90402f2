import ChemopenBytes
import ChemopenModel

/// Writes one molecule as SketchEl's text; the inverse of `SketchElMoleculeReader`.
///
/// Everything has one spelling: four decimals, hydrogens first, then z, isotope, mapping number, the abbreviation, kept
/// fields, and last the `y` fields. Reading and writing again gives the same bytes.
struct SketchElMoleculeWriter {
    private(set) var losses: [Loss] = []

    /// Adds a molecule, whatever format it came from, and notes what there was no place for.
    mutating func write(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
        if SketchElTerms.areEnough(for: molecule) {
            if molecule.flags.contains(.chiral) { losses.note(.chiralFlag) }
            Self.append(molecule, to: &output, losses: &losses)
        } else {
            var terms = SketchElTerms(of: molecule)
            terms.translate()
            for loss in terms.losses { losses.note(loss.feature, loss.detail, count: loss.count) }
            Self.append(terms.molecule, to: &output, losses: &losses)
        }
    }

    mutating func forgetLosses() {
        if !losses.isEmpty { losses.removeAll(keepingCapacity: true) }
    }

    /// Adds a molecule that is in SketchEl's terms.
    static func append(_ molecule: borrowing Molecule, to output: inout [UInt8]) {
        var losses: [Loss] = []
        append(molecule, to: &output, losses: &losses)
    }

    private static func append(_ molecule: borrowing Molecule, to output: inout [UInt8], losses: inout [Loss]) {
        output.append("SketchEl!(")
        output.appendDecimal(molecule.atoms.count)
        output.append(Ascii.comma)
        output.appendDecimal(molecule.bonds.count)
        output.append(0x29)
        output.append(Ascii.lineFeed)
        var lines = SketchElLines(of: molecule)
        lines.appendAtoms(of: molecule, to: &output)
        lines.appendBonds(of: molecule, to: &output)
        output.append("!End\n")
        if lines.lostDigits > 0 { losses.note(.precision, "more than four decimals", count: lines.lostDigits) }
        if lines.singlets > 0 { losses.note(.radicalMultiplicity, "singlet", count: lines.singlets) }
    }
}

/// Prints the lines of a molecule, each with what its atom or bond has beyond the usual.
private struct SketchElLines {
    /// How many coordinates had more than four decimals.
    private(set) var lostDigits = 0
    private(set) var singlets = 0
    private let contents: Extras.Contents?
    /// What SketchEl's rule gives each atom, and what the molecule's own rule does.
    private let ruled: [Int]
    private let counted: [Int]
    private var nextNote = 0
    private var nextAbbreviation = 0
    private var nextBondNote = 0

    init(of molecule: borrowing Molecule) {
        contents = molecule.extras.isEmpty ? nil : molecule.extras.contents
        ruled = molecule.hydrogensBySketchElRule()
        counted = molecule.hydrogenRule == .sketchEl ? ruled : molecule.hydrogenCounts()
    }

    // MARK: Atoms

    mutating func appendAtoms(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        let hasHeights = molecule.flags.contains(.threeDimensional)
        for index in molecule.atoms.indices {
            let atom = molecule.atoms[index]
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
            if atom.radical == .singlet { singlets += 1 }
            appendHydrogens(atom, index, to: &output)
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
            if let contents { appendFields(of: index, contents, to: &output) }
            output.append(Ascii.lineFeed)
        }
    }

    /// `e` where the number is fixed or another than SketchEl's rule gives, else `i`.
    private func appendHydrogens(_ atom: Atom, _ index: Int, to output: inout [UInt8]) {
        let fixed = atom.hydrogens.fixed
        let count = fixed ?? counted[index]
        output.append(fixed != nil || count != ruled[index] ? ",e" : ",i")
        output.appendDecimal(count)
    }

    private mutating func appendFields(of atom: Int, _ contents: Extras.Contents, to output: inout [UInt8]) {
        if nextAbbreviation < contents.abbreviations.count,
            contents.abbreviations[nextAbbreviation].atom == Int32(clamping: atom)
        {
            output.append(",a")
            SketchElEscapes.escape(contents.abbreviations[nextAbbreviation].text, into: &output)
            nextAbbreviation += 1
        }
        let start = nextNote
        while nextNote < contents.atomNotes.count, contents.atomNotes[nextNote].index <= Int32(clamping: atom) {
            nextNote += 1
        }
        for isTransient in [false, true] {
            for tagged in contents.atomNotes[start..<nextNote] {
                switch tagged.note {
                case .query(let text) where !isTransient: appendField("q", text, to: &output)
                case .field(let text) where !isTransient: appendField("", text, to: &output)
                case .transientField(let text) where isTransient: appendField("", text, to: &output)
                default: break
                }
            }
        }
    }

    private func appendField(_ letter: StaticString, _ text: Text, to output: inout [UInt8]) {
        output.append(Ascii.comma)
        output.append(letter)
        SketchElEscapes.escape(text.bytes, into: &output)
    }

    // MARK: Bonds

    mutating func appendBonds(of molecule: borrowing Molecule, to output: inout [UInt8]) {
        for index in molecule.bonds.indices {
            let bond = molecule.bonds[index]
            output.appendDecimal(Int(bond.from) + 1)
            output.append(Ascii.minus)
            output.appendDecimal(Int(bond.to) + 1)
            output.append(Ascii.equals)
            output.append(0x30 | min(bond.order.rawValue, 6))
            output.append(Ascii.comma)
            if let contents {
                appendType(of: index, bond.mark, contents, to: &output)
                appendBondFields(of: index, contents, to: &output)
            } else {
                output.append(0x30 | bond.mark.rawValue)
            }
            output.append(Ascii.lineFeed)
        }
    }

    /// The type, which may be one that means nothing that is known.
    private func appendType(
        of bond: Int, _ mark: Bond.Mark, _ contents: Extras.Contents, to output: inout [UInt8]
    ) {
        let owner = Verbatim.Owner.bond(Int32(clamping: bond))
        let kept =
            contents.verbatim.isEmpty
            ? nil : contents.verbatim.first { $0.dialect == .sketchEl && $0.owner == owner }
        if let kept, mark == .none {
            output.append(contentsOf: kept.text.bytes)
        } else {
            output.append(0x30 | mark.rawValue)
        }
    }

    private mutating func appendBondFields(of bond: Int, _ contents: Extras.Contents, to output: inout [UInt8]) {
        let start = nextBondNote
        while nextBondNote < contents.bondNotes.count, contents.bondNotes[nextBondNote].index <= Int32(clamping: bond) {
            nextBondNote += 1
        }
        for isTransient in [false, true] {
            for tagged in contents.bondNotes[start..<nextBondNote] {
                switch tagged.note {
                case .query(let text) where !isTransient: appendField("q", text, to: &output)
                case .field(let text) where !isTransient: appendField("", text, to: &output)
                case .transientField(let text) where isTransient: appendField("", text, to: &output)
                default: break
                }
            }
        }
    }

    // MARK: Numbers

    /// Four decimals; the sign of a small negative number stays, as in all files of this kind: `-0.0000`.
    private mutating func appendCoordinate(_ value: Double, to output: inout [UInt8]) {
        let scaled = value.magnitude * 10_000
        // Doubles from 2^52 on have no fraction, so the sum rounds and its significand is the integer.
        let sum = scaled + 0x1p52
        let rest = scaled - (sum - 0x1p52)
        guard scaled < 99_999_999, rest.magnitude < 0.5 else {
            let start = output.count
            output.appendFixed(value.isFinite ? value : 0, decimals: 4, width: 0)
            if value < 0, output[start] != Ascii.minus { output.insert(Ascii.minus, at: start) }
            if scaled.rounded() / 10_000 != value.magnitude { lostDigits += 1 }
            return
        }
        let number = UInt32(truncatingIfNeeded: sum.significandBitPattern)
        if Double(number) / 10_000 != value.magnitude { lostDigits += 1 }
        let whole = number / 10_000
        let decimals = number &- whole &* 10_000
        output.append(addingCapacity: 10) { digits in
            if value.sign == .minus { digits.append(Ascii.minus) }
            if whole < 10 {
                digits.append(UInt8(truncatingIfNeeded: whole) | 0x30)
            } else {
                Self.append(whole, to: &digits)
            }
            digits.append(Ascii.point)
            let high = decimals / 100
            let low = decimals &- high &* 100
            digits.append(UInt8(truncatingIfNeeded: high / 10) | 0x30)
            digits.append(UInt8(truncatingIfNeeded: high % 10) | 0x30)
            digits.append(UInt8(truncatingIfNeeded: low / 10) | 0x30)
            digits.append(UInt8(truncatingIfNeeded: low % 10) | 0x30)
        }
    }

    /// Up to four digits, without zeros in front.
    @inline(__always)
    private static func append(_ number: UInt32, to digits: inout OutputSpan<UInt8>) {
        if number >= 1000 { digits.append(UInt8(truncatingIfNeeded: number / 1000) | 0x30) }
        if number >= 100 { digits.append(UInt8(truncatingIfNeeded: number / 100 % 10) | 0x30) }
        digits.append(UInt8(truncatingIfNeeded: number / 10 % 10) | 0x30)
        digits.append(UInt8(truncatingIfNeeded: number % 10) | 0x30)
    }
}

extension Abbreviation {
    /// The piece's text: as it was spelled if that still says the same, else as SketchEl writes it.
    fileprivate var text: [UInt8] {
        if let spelling {
            var reader = SketchElMoleculeReader()
            let isRead: Void? = try? reader.read(0..<spelling.bytes.count, of: spelling.bytes.span)
            if isRead != nil, reader.molecule == molecule { return spelling.bytes }
        }
        var text: [UInt8] = []
        var writer = SketchElMoleculeWriter()
        writer.write(molecule, to: &text)
        return text
    }
}

extension Molecule {
    /// What SketchEl's rule gives each atom by the bonds that are written.
    func hydrogensBySketchElRule() -> [Int] {
        var sums = [Int](repeating: 0, count: atoms.count)
        for bond in bonds {
            let order = Int(min(bond.order.rawValue, 6))
            sums[Int(bond.from)] &+= order
            sums[Int(bond.to)] &+= order
        }
        for index in atoms.indices {
            let atom = atoms[index]
            sums[index] = SketchElHydrogens.count(
                on: atom.element, charge: Int(atom.charge), bondOrderSum: sums[index],
                unpairedElectrons: atom.radical.unpairedElectrons)
        }
        return sums
    }
}
