import ChemopenBytes
import ChemopenModel

/// Writes a molecule in SketchEl's format, the inverse of `SketchElMoleculeReader`.
///
/// The output is normalized: coordinates have four decimals, and the fields are in the order hydrogens, z, isotope,
/// mapping number, abbreviation, preserved fields, and finally `y` fields. Reading and writing the output again results
/// in the same bytes.
struct SketchElMoleculeWriter {
    private(set) var losses: [Loss] = []
    /// The number of abbreviations around the molecule.
    private let depth: Int

    init(depth: Int = 0) {
        self.depth = depth
    }

    /// Appends a molecule of any origin and records its losses.
    ///
    /// - Parameter title: a title that must be stored in a field.
    mutating func write(_ molecule: borrowing Molecule, title: Text = Text(), to output: inout [UInt8]) {
        write(molecule, title: title, trustsSpellings: false, to: &output)
    }

    /// - Parameter trustsSpellings: whether the abbreviations' original text is still correct, because it has just been
    ///   read.
    private mutating func write(
        _ molecule: borrowing Molecule, title: Text, trustsSpellings: Bool, to output: inout [UInt8]
    ) {
        if title.isEmpty, ForeignFieldsWriter.hasNothingToDo(for: molecule) {
            append(molecule, trustsSpellings: trustsSpellings, to: &output)
        } else {
            var fields = ForeignFieldsWriter(of: molecule)
            fields.translate(title: title)
            losses.note(fields.losses)
            append(fields.molecule, trustsSpellings: trustsSpellings, to: &output)
        }
    }

    mutating func forgetLosses() {
        if !losses.isEmpty { losses.removeAll(keepingCapacity: true) }
    }

    /// Appends a molecule that has just been read from SketchEl's format.
    static func append(justRead molecule: borrowing Molecule, to output: inout [UInt8]) {
        var writer = SketchElMoleculeWriter()
        writer.write(molecule, title: Text(), trustsSpellings: true, to: &output)
    }

    /// Appends a molecule that contains only SketchEl's own features.
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
    /// Returns the text of the abbreviation's molecule: the original text if it is still correct, otherwise new text.
    ///
    /// To check the original text, all molecules inside it must be read. This is unnecessary in a molecule that has
    /// just been read.
    ///
    /// - Parameter depth: the number of abbreviations around it. If the nesting exceeded the limit, the original text
    ///   could not be read.
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

/// The hydrogen field of each atom's line: `e` if the number is fixed or differs from SketchEl's rule, otherwise `i`.
struct SketchElHydrogenFields {
    /// The sum of each atom's bond orders as written.
    private let sums: [Int32]
    private let rule: Molecule.HydrogenRule
    /// The hydrogen counts by the molecule's own rule, if they depend on more than the bond orders.
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
    /// Whether the hydrogens of any atom depend on the elements of its neighbors.
    fileprivate func mayBeHeldByMetals(_ sums: [Int32]) -> Bool {
        let atoms = atoms
        for index in atoms.indices where atoms[index].mayBeHeldByMetals(bondOrderSum: Int(sums[index])) { return true }
        return false
    }

    /// Returns the hydrogens of each atom by SketchEl's rule and the written bonds.
    func hydrogensBySketchElRule() -> [Int] {
        let sums = writtenBondOrderSums()
        return atoms.indices.map { atoms[$0].hydrogens(bondOrderSum: Int(sums[$0]), by: .sketchEl) }
    }
}
