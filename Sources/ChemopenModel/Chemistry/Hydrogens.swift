extension Molecule {
    /// How many hydrogens sit on each atom without being drawn, in the order of the atoms.
    ///
    ///     var methanol = Molecule()
    ///     methanol.atoms = [Atom(.carbon), Atom(.oxygen)]
    ///     methanol.bonds = [Bond(0, 1)]
    ///     methanol.hydrogenCounts()        // [3, 1]
    ///
    /// A fixed count stands before the molecule's `hydrogenRule`, of which a stated valence is part where it is MDL's:
    /// beside SketchEl's rule a valence speaks to other readers, of the bonds as they are drawn for them. Aromatic bonds
    /// count as in their Kekulé form; zero-order, dative and hydrogen bonds count 0 at both ends. An atom without an
    /// element and an atom at a query bond have none unless a count is fixed. Abbreviations are not expanded.
    ///
    /// A bond with several end points belongs to the atom it is drawn to. Its end points keep all their hydrogens:
    /// bound together they lose none, and where any one of them may be meant no particular one does.
    public func hydrogenCounts() -> [Int] {
        hydrogenCountsAndKekuleForm().counts
    }

    /// The hydrogens, and the Kekulé form that they belong to; that is empty where no bond is aromatic.
    package func hydrogenCountsAndKekuleForm() -> (counts: [Int], doubled: [Bool]) {
        var drawn = DrawnValences(of: self)
        let doubled = drawn.hasAromaticBonds ? kekuleForm(drawn) : []
        if !doubled.isEmpty { drawn.add(doubled, of: bonds) }
        if !drawn.areAllSums { return (atoms.indices.map { hydrogens(onAtom: $0, drawn) }, doubled) }
        var counts = drawn.sums
        for index in counts.indices {
            let atom = atoms[index]
            counts[index] = atom.hydrogens.fixed ?? atom.hydrogens(bondOrderSum: counts[index], by: hydrogenRule)
        }
        return (counts, doubled)
    }

    private func hydrogens(onAtom index: Int, _ drawn: DrawnValences) -> Int {
        let atom = atoms[index]
        if let fixed = atom.hydrogens.fixed { return fixed }
        if atom.element == .none || drawn.isUndefined(atom: index) { return 0 }
        if let stated = drawn.hydrogens(onAtom: index) { return stated }
        let sum = drawn.sums[index]
        if hydrogenRule == .mdl, let valence = drawn.valence(ofAtom: index) { return max(0, valence &- sum) }
        return atom.hydrogens(bondOrderSum: sum, by: hydrogenRule)
    }
}

extension Atom {
    /// The hydrogens that a rule gives the atom by the orders of its bonds.
    @inlinable @inline(__always)
    package func hydrogens(bondOrderSum sum: Int, by rule: Molecule.HydrogenRule) -> Int {
        plainHydrogens(bondOrderSum: sum) ?? unusualHydrogens(bondOrderSum: sum, by: rule)
    }

    /// Whether all rules give the atom the same hydrogens by the orders of its bonds.
    @inlinable @inline(__always)
    package func hasSameHydrogensByAllRules(bondOrderSum sum: Int) -> Bool {
        plainHydrogens(bondOrderSum: sum) != nil
            || unusualHydrogens(bondOrderSum: sum, by: .mdl) == unusualHydrogens(bondOrderSum: sum, by: .sketchEl)
    }

    /// The hydrogens of a neutral atom that is filled up to its lowest valence, as nearly all are: every rule says so.
    /// Nothing for others.
    @inlinable @inline(__always)
    package func plainHydrogens(bondOrderSum sum: Int) -> Int? {
        let valence =
            switch element {
            case .carbon: 4
            case .nitrogen, .phosphorus: 3
            case .oxygen, .sulfur: 2
            default: 0
            }
        return charge == 0 && radical.code == 0 && valence > 0 && sum <= valence ? valence &- sum : nil
    }

    @usableFromInline
    func unusualHydrogens(bondOrderSum sum: Int, by rule: Molecule.HydrogenRule) -> Int {
        let unpaired = radical.unpairedElectrons
        return switch rule {
        case .mdl:
            MDLValence.hydrogens(
                on: element, charge: Int(charge), bondOrderSum: sum, unpairedElectrons: unpaired)
        case .sketchEl:
            SketchElHydrogens.count(
                on: element, charge: Int(charge), bondOrderSum: sum, unpairedElectrons: unpaired)
        }
    }
}
