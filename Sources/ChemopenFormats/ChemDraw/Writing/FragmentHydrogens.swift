import ChemopenModel

/// The hydrogens of a molecule's atoms, and which of them have to be stated in a drawing.
///
/// A class: it is looked at for each atom, and a copy would count all its arrays anew.
final class FragmentHydrogens {
    private let counts: [Int]
    /// Those that have to be stated; -1 where none have.
    private let stated: [Int32]
    private let isAsked: [Bool]
    /// The hydrogens that atoms would have if nobody had stated any; empty where nobody has.
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

    /// The hydrogens of an atom that have to be stated: those that somebody stated, and those that nobody would count so.
    func stated(_ index: Int) -> Int? { stated[index] < 0 ? nil : Int(stated[index]) }

    /// Whether somebody stated those hydrogens of an atom that it would have anyway. The number beside its label does not say
    /// so, as every label has one.
    func isStatedForItself(_ index: Int, by atom: Atom) -> Bool {
        !unstated.isEmpty && atom.hydrogens.fixed == unstated[index]
    }

    /// The hydrogens that a label shows, beside which ChemDraw keeps their number: Open Babel counts none where it is missing.
    func shown(_ index: Int) -> Int? {
        if !isAsked.isEmpty, isAsked[index] { return nil }
        return OwnStatement.hasProperty(hydrogens: self[index]) ? self[index] : nil
    }
}
