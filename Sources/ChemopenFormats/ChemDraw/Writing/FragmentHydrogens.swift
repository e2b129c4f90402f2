import ChemopenModel

/// The hydrogen counts of a molecule's atoms, and the counts that a drawing must specify.
///
/// This is a class because it is used for each atom; each copy of a struct would retain all of its arrays.
final class FragmentHydrogens {
    private let counts: [Int]
    /// The counts that must be stored; -1 for the other atoms.
    private let stated: [Int32]
    private let isAsked: [Bool]
    /// The counts that the rule would give without any specified hydrogens; empty if no hydrogens are specified.
    private let unstated: [Int]

    init(_ molecule: Molecule) {
        let counts = molecule.hydrogenCounts()
        var byRule: [Int] = []
        var unstated: [Int] = []
        if molecule.hydrogenRule != .mdl || molecule.hasStatedHydrogens {
            var other = molecule
            other.hydrogenRule = .mdl
            if molecule.hydrogenRule != .mdl { byRule = other.hydrogenCounts() }
            if other.forgetHydrogens() { unstated = other.hydrogenCounts() }
        }
        self.unstated = unstated
        let sums = molecule.hasOnlyNumberedOrders(upTo: .triple) ? nil : BondSums(molecule)
        self.counts = counts
        isAsked = sums?.isAsked ?? []
        let atoms = molecule.atoms
        stated = atoms.indices.map { index in
            let atom = atoms[index]
            let count = Self.capped(counts[index])
            if atom.hydrogens.fixed != nil { return count }
            if let sums, sums.isAsked[index] { return -1 }
            if !byRule.isEmpty, Self.capped(byRule[index]) != count { return count }
            if atom.marks.contains(.hasNotes), molecule.valence(ofAtom: index) != nil { return count }
            if let sums, sums.isAromatic[index], atom.element != .carbon { return count }
            return -1
        }
    }

    private static func capped(_ count: Int) -> Int32 { Int32(truncatingIfNeeded: min(count, HydrogenCount.most)) }

    subscript(_ index: Int) -> Int { min(counts[index], HydrogenCount.most) }

    /// Returns the hydrogen count that must be stored, because the input specifies it or it differs from the rule; nil
    /// for other atoms.
    func stated(_ index: Int) -> Int? { stated[index] < 0 ? nil : Int(stated[index]) }

    /// Whether an atom specifies the same hydrogen count as the rule. The count next to its label does not show this,
    /// because every label has a count.
    func isStatedForItself(_ index: Int, by atom: Atom) -> Bool {
        !unstated.isEmpty && atom.hydrogens.fixed == unstated[index]
    }

    /// Returns the hydrogen count to write with a label, as ChemDraw does. If it is missing, Open Babel assumes zero.
    func shown(_ index: Int) -> Int? {
        if !isAsked.isEmpty, isAsked[index] { return nil }
        return OwnStatement.hasProperty(hydrogens: self[index]) ? self[index] : nil
    }
}
