import ChemopenModel

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
