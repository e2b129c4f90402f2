import ChemopenModel

/// The statements about hydrogens that a molfile must contain so that every reader computes the intended hydrogens.
///
/// A valence is written if readers would compute a different number, or if they might disagree and the source specifies
/// the number. The hydrogens of an aromatic atom are written as data (`MRV_IMPLICIT_H`), because readers cannot
/// determine its valence.
///
/// In a molecule with an order or a charge that MDL cannot express, readers of the zero-order extension use SketchEl's
/// rule, and `M  HYD` corrects its result. In other molecules such lines are harmful, because RDKit adds its own
/// hydrogens to the number and ignores the valence. In this case, they are written only if the source has them.
struct HydrogenStatements {
    /// The total valences by atom, with -1 for atoms without one; empty if no atom has one.
    private(set) var valences: [Int] = []
    /// The counts for the zero-order extension.
    private(set) var counts: [(atom: Int, count: Int)] = []
    /// The counts of atoms with aromatic bonds.
    private(set) var aromatic: [(atom: Int, count: Int)] = []
    /// The number of atoms with hydrogens that cannot be written, because of a label or a bond of an unknown order.
    private(set) var unsaid = 0

    /// Creates an empty set of statements.
    init() {}

    /// Determines the statements that a molecule needs.
    ///
    /// - Parameter drawnCharges: The charges that are drawn instead of the true ones, by atom.
    /// - Parameter isExtended: Whether the molecule is written with lines of the zero-order extension.
    init(_ molecule: borrowing Molecule, drawnCharges: [Int: Int], isExtended: Bool) {
        let meant = molecule.hydrogenCounts()
        var read = copy molecule
        _ = read.forgetHydrogens()
        read.hydrogenRule = isExtended ? .sketchEl : .mdl
        let counted = read.hydrogenCounts()
        var stated = read
        read.hydrogenRule = .mdl
        read.extras = Extras()
        for (atom, charge) in drawnCharges { read.atoms[atom].charge = Int16(clamping: charge) }
        // The hydrogens that other readers add matter only if lines of the extension are written.
        let filled = isExtended ? read.hydrogenCounts() : counted
        let bonds = BondSums(molecule)
        let isOfAnotherRule = molecule.hydrogenRule != .mdl
        let goesBack = molecule.flags.contains(.hydrogenLines)
        for index in molecule.atoms.indices {
            let atom = molecule.atoms[index]
            let count = meant[index]
            let isFixed = atom.hydrogens != .unstated
            let sum = bonds.sums[index]
            let isAgreed = MDLValence.isAgreedUpon(
                atom.element, charge: Int(read.atoms[index].charge), bondOrderSum: sum)
            let valence = sum + bonds.received[index] + min(127, count)
            if isExtended {
                let isListed = count != counted[index] || (isFixed && (goesBack || count > 0))
                // Numbers above 127 are not real counts, but valences in a damaged file.
                if isListed { counts.append((index, min(127, count))) }
                if atom.element == .none || bonds.isAsked[index] || bonds.isAromatic[index] { continue }
                if bonds.hasOtherOrder[index] {
                    // The atom has no free valences, neither with the drawn nor with the true bonds.
                    if count == 0, !isListed, filled[index] != 0 || !isAgreed { state(valence, index, molecule) }
                } else if count != filled[index] || !isAgreed {
                    state(valence, index, molecule)
                }
            } else if atom.element == .none || bonds.isAsked[index] {
                if count != counted[index] { unsaid += 1 }
            } else if bonds.isAromatic[index] {
                // Only the hydrogens of carbon follow from its bonds.
                let isSeen = count == 0 || atom.element == .carbon
                if count != counted[index] || (isFixed && !isSeen) { aromatic.append((index, count)) }
            } else if count != counted[index] || ((isFixed || isOfAnotherRule) && !isAgreed) {
                state(valence, index, molecule)
            }
        }
        if counts.isEmpty && aromatic.isEmpty { return }
        // The count of one ring atom affects the double bonds of other atoms.
        for (index, count) in counts + aromatic { stated.atoms[index].hydrogens = .fixed(count) }
        let again = stated.hydrogenCounts()
        if !again.indices.contains(where: { bonds.isAromatic[$0] && again[$0] != meant[$0] }) { return }
        for index in again.indices where bonds.isAromatic[index] && stated.atoms[index].hydrogens == .unstated {
            if isExtended { counts.append((index, meant[index])) } else { aromatic.append((index, meant[index])) }
        }
        counts.sort { $0.atom < $1.atom }
    }

    private mutating func state(_ valence: Int, _ index: Int, _ molecule: borrowing Molecule) {
        if valences.isEmpty { valences = Array(repeating: -1, count: molecule.atoms.count) }
        valences[index] = valence
    }
}

extension HydrogenStatements {
    /// The data Sgroups that specify the hydrogens of aromatic atoms.
    var sgroups: [Sgroup] {
        if aromatic.isEmpty { return [] }
        return aromatic.map { atom, count in
            var sgroup = Sgroup(.data)
            var data = Sgroup.Data()
            data.fieldName = "MRV_IMPLICIT_H"
            data.values = [Text("IMPL_H\(count)")]
            sgroup.data = data
            sgroup.atoms = [Int32(clamping: atom)]
            return sgroup
        }
    }
}

extension [Indexed<AtomNote>] {
    /// Returns the drawn charges that differ from the atoms' own charges, by atom.
    func drawnCharges(beside atoms: [Atom]) -> [Int: Int] {
        var charges: [Int: Int] = [:]
        for tagged in self {
            let index = Int(tagged.index)
            guard case .drawnCharge(let charge) = tagged.note, atoms.indices.contains(index) else { continue }
            if charge != Int(atoms[index].charge) { charges[index] = charge }
        }
        return charges
    }
}
