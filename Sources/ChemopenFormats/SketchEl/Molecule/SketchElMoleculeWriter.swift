import ChemopenBytes
import ChemopenModel

/// Writes one molecule as SketchEl's text; the inverse of `SketchElMoleculeReader`.
///
/// Everything has one spelling: four decimals, hydrogens first, then z, isotope, mapping number, the abbreviation, kept
/// fields, and last the `y` fields. Reading and writing again gives the same bytes.
struct SketchElMoleculeWriter {
    private(set) var losses: [Loss] = []
    /// How many abbreviations the molecule stands in.
    private let depth: Int

    init(depth: Int = 0) {
        self.depth = depth
    }

    /// Adds a molecule, whatever format it came from, and notes what there was no place for.
    /// - Parameter title: a title that has no other place than a field.
    mutating func write(_ molecule: borrowing Molecule, title: Text = Text(), to output: inout [UInt8]) {
        write(molecule, title: title, trustsSpellings: false, to: &output)
    }

    /// - Parameter trustsSpellings: abbreviations were just read, and say what their spellings say.
    private mutating func write(
        _ molecule: borrowing Molecule, title: Text, trustsSpellings: Bool, to output: inout [UInt8]
    ) {
        if title.isEmpty, ForeignFieldsWriter.hasNothingToDo(for: molecule) {
            append(molecule, trustsSpellings: trustsSpellings, to: &output)
        } else {
            var fields = ForeignFieldsWriter(of: molecule)
            fields.translate(title: title) { piece, losses in
                var writer = SketchElMoleculeWriter()
                var text: [UInt8] = []
                writer.write(piece, to: &text)
                losses.note(writer.losses)
                return Text(bytes: text)
            }
            losses.note(fields.losses)
            append(fields.molecule, trustsSpellings: trustsSpellings, to: &output)
        }
    }

    mutating func forgetLosses() {
        if !losses.isEmpty { losses.removeAll(keepingCapacity: true) }
    }

    /// Adds a molecule that was just read from SketchEl's text.
    static func append(justRead molecule: borrowing Molecule, to output: inout [UInt8]) {
        var writer = SketchElMoleculeWriter()
        writer.write(molecule, title: Text(), trustsSpellings: true, to: &output)
    }

    /// Adds a molecule that is in SketchEl's terms.
    private mutating func append(
        _ molecule: borrowing Molecule, trustsSpellings: Bool, to output: inout [UInt8]
    ) {
        output.append("SketchEl!(")
        output.appendDecimal(molecule.atoms.count)
        output.append(Ascii.comma)
        output.appendDecimal(molecule.bonds.count)
        output.append(0x29)
        output.append(Ascii.lineFeed)
        var lines = SketchElLines(of: molecule, depth: depth, trustsSpellings: trustsSpellings)
        lines.appendAtoms(of: molecule, to: &output)
        lines.appendBonds(of: molecule, to: &output)
        output.append("!End\n")
        if lines.lostDigits > 0 { losses.note(.precision, "more than four decimals", count: lines.lostDigits) }
    }
}

extension Abbreviation {
    /// The piece's text: as it was spelled if that still says the same, else as SketchEl writes it.
    ///
    /// To ask what a spelling says costs reading all that is inside of it: within a piece that was just read nobody asks.
    ///
    /// - Parameter depth: how many abbreviations it stands in; what nests too deep says nothing.
    func text(depth: Int, trustsSpelling: Bool) -> [UInt8] {
        if let spelling {
            if trustsSpelling { return spelling.bytes }
            var reader = SketchElMoleculeReader(depth: depth + 1)
            let isRead: Void? = try? reader.read(0..<spelling.bytes.count, of: spelling.bytes.span)
            if isRead != nil, reader.molecule == molecule { return spelling.bytes }
        }
        var text: [UInt8] = []
        if trustsSpelling {
            SketchElMoleculeWriter.append(justRead: molecule, to: &text)
        } else {
            var writer = SketchElMoleculeWriter(depth: depth + 1)
            writer.write(molecule, to: &text)
        }
        return text
    }
}

/// The hydrogens that each atom's line states: `e` where the number is fixed or another than SketchEl's rule gives,
/// else `i`.
struct SketchElHydrogenFields {
    /// The bonds of each atom as they are written, summed up.
    private let sums: [Int32]
    private let rule: Molecule.HydrogenRule
    /// The count that the molecule's own rule gives each atom, where more than the bonds decides.
    private let counts: [Int]

    init(of molecule: borrowing Molecule) {
        rule = molecule.hydrogenRule
        sums = molecule.writtenBondOrderSums()
        let isPlain =
            molecule.extras.isEmpty && molecule.hasOnlyNumberedOrders(upTo: .sextuple)
            && !molecule.mayBeHeldByMetals(sums)
        counts = rule == .sketchEl || isPlain ? [] : molecule.hydrogenCounts()
    }

    @inline(__always)
    func field(of atom: Atom, _ index: Int) -> (letter: UInt8, count: Int) {
        let automatic: UInt8 = 0x69
        let exact: UInt8 = 0x65
        if let fixed = atom.hydrogens.fixed { return (exact, fixed) }
        let sum = Int(sums[index])
        if counts.isEmpty, let plain = atom.plainHydrogens(bondOrderSum: sum) { return (automatic, plain) }
        let ruled = atom.hydrogens(bondOrderSum: sum, by: .sketchEl)
        if rule == .sketchEl { return (automatic, ruled) }
        let count = counts.isEmpty ? atom.hydrogens(bondOrderSum: sum, by: rule) : counts[index]
        return (count == ruled ? automatic : exact, count)
    }
}

extension Molecule {
    /// Whether it takes a look at the elements across the bonds to count any atom's hydrogens.
    fileprivate func mayBeHeldByMetals(_ sums: [Int32]) -> Bool {
        let atoms = atoms
        for index in atoms.indices where atoms[index].mayBeHeldByMetals(bondOrderSum: Int(sums[index])) { return true }
        return false
    }

    /// The count that SketchEl's rule gives each atom by the bonds that are written.
    func hydrogensBySketchElRule() -> [Int] {
        let sums = writtenBondOrderSums()
        return atoms.indices.map { atoms[$0].hydrogens(bondOrderSum: Int(sums[$0]), by: .sketchEl) }
    }
}
