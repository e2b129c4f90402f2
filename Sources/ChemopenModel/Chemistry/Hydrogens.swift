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
    /// count as in their Kekulé form; zero-order, dative and hydrogen bonds count 0 at both ends. Only in a stated
    /// valence a dative bond counts 1 at the atom that receives it: that of platinum in cisplatin is 4. An atom without
    /// an element and an atom at a query bond have none unless a count is fixed. Abbreviations are not expanded.
    ///
    /// A bond with several end points belongs to the atom it is drawn to. Its end points keep all their hydrogens:
    /// bound together they lose none, and where any one of them may be meant no particular one does.
    public func hydrogenCounts() -> [Int] {
        var counts: [Int] = []
        _ = countHydrogens(into: &counts)
        return counts
    }

    /// Counts the hydrogens in the memory of others, and returns the Kekulé form that they belong to; that is empty where no
    /// bond is aromatic.
    package func countHydrogens(into counts: inout [Int]) -> [Bool] {
        var drawn = DrawnValences(of: self, takingMemoryOf: &counts)
        let doubled = drawn.takeKekuleForm(of: self)
        var metals = SingleBondsToMetals()
        if !drawn.areAllSums {
            counts = atoms.indices.map { hydrogens(onAtom: $0, drawn, &metals) }
            return doubled
        }
        drawn.handSumsOver(to: &counts)
        let atoms = atoms.span
        var sums = counts.mutableSpan
        for index in sums.indices {
            let (atom, sum) = (atoms[index], sums[index])
            sums[index] =
                atom.hydrogens.fixed ?? atom.plainHydrogens(bondOrderSum: sum)
                ?? metals.hydrogens(onAtom: index, of: self, bondOrderSum: sum)
        }
        return doubled
    }

    private func hydrogens(onAtom index: Int, _ drawn: DrawnValences, _ metals: inout SingleBondsToMetals) -> Int {
        let atom = atoms[index]
        if let fixed = atom.hydrogens.fixed { return fixed }
        if atom.element == .none || drawn.isUndefined(atom: index) { return 0 }
        if let stated = drawn.hydrogens(onAtom: index) { return stated }
        let sum = drawn.sums[index]
        if hydrogenRule != .sketchEl, let valence = drawn.valence(ofAtom: index) {
            return max(0, valence &- sum &- drawn.receivedBonds(ofAtom: index))
        }
        return metals.hydrogens(onAtom: index, of: self, bondOrderSum: sum)
    }
}

extension Molecule {
    /// Whether any atom's hydrogens are fixed.
    package var hasStatedHydrogens: Bool {
        let atoms = atoms
        for index in atoms.indices where atoms[index].hydrogens != .unstated { return true }
        return false
    }

    /// The hydrogens that the rule would give each atom if no count were fixed; `counts` are those as it is.
    package func impliedHydrogenCounts(where counts: [Int]) -> [Int] {
        var unfixed = self
        return unfixed.forgetHydrogens() ? unfixed.hydrogenCounts() : counts
    }

    /// Leaves every atom's hydrogens to the rule, and says whether any were fixed.
    package mutating func forgetHydrogens() -> Bool {
        guard hasStatedHydrogens else { return false }
        for index in atoms.indices { atoms[index].hydrogens = .unstated }
        return true
    }
}

extension Molecule {
    /// Whether there are only elements and simple bonds, to which every rule gives the same hydrogens: so is nearly every
    /// molecule.
    package var isAlikeByAllRules: Bool {
        guard labels.isEmpty, extras.isEmpty || extras.contents.leavesHydrogensAlone else { return false }
        let bonds = bonds
        for index in bonds.indices where !(1...3 ~= bonds[index].orderNumber) { return false }
        let (atoms, sums) = (atoms, writtenBondOrderSums())
        for index in atoms.indices {
            guard atoms[index].hydrogens == .unstated,
                atoms[index].hasSameHydrogensByAllRules(bondOrderSum: Int(sums[index]))
            else { return false }
        }
        return true
    }
}

extension Extras.Contents {
    /// Nothing in it says anything of hydrogens where bonds are simple ones.
    fileprivate var leavesHydrogensAlone: Bool {
        guard bondNotes.isEmpty, abbreviations.isEmpty else { return false }
        for tagged in atomNotes where tagged.note.isOfHydrogens { return false }
        return true
    }
}

extension AtomNote {
    /// A total valence, or a charge that is drawn for readers of another rule.
    fileprivate var isOfHydrogens: Bool {
        switch self {
        case .valence, .drawnCharge: true
        default: false
        }
    }
}

/// The single bonds between each atom and a metal, which are looked for when they are first asked for.
private struct SingleBondsToMetals {
    private var counts: [Int32] = []

    /// The hydrogens that the molecule's rule gives an atom by its bonds.
    mutating func hydrogens(onAtom index: Int, of molecule: borrowing Molecule, bondOrderSum sum: Int) -> Int {
        let (atom, rule) = (molecule.atoms[index], molecule.hydrogenRule)
        if let plain = atom.plainHydrogens(bondOrderSum: sum) { return plain }
        let asksForMetals = rule != .sketchEl && atom.mayBeHeldByMetals(bondOrderSum: sum)
        return atom.unusualHydrogens(
            bondOrderSum: sum, singleBondsToMetals: asksForMetals ? count(ofAtom: index, in: molecule) : 0, by: rule)
    }

    private mutating func count(ofAtom index: Int, in molecule: borrowing Molecule) -> Int {
        if counts.isEmpty { count(in: molecule) }
        return Int(counts[index])
    }

    private mutating func count(in molecule: borrowing Molecule) {
        let atoms = molecule.atoms
        counts = [Int32](repeating: 0, count: atoms.count)
        for bond in molecule.bonds where bond.order == .single {
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard counts.indices.contains(from), counts.indices.contains(to) else { continue }
            if atoms[to].element.isMetal { counts[from] += 1 }
            if atoms[from].element.isMetal { counts[to] += 1 }
        }
    }
}

extension Atom {
    /// The hydrogens that a rule gives the atom by the orders of its bonds.
    @inlinable @inline(__always)
    package func hydrogens(bondOrderSum sum: Int, by rule: Molecule.HydrogenRule) -> Int {
        plainHydrogens(bondOrderSum: sum) ?? unusualHydrogens(bondOrderSum: sum, by: rule)
    }

    /// Whether all rules give the atom the same hydrogens by the orders of its bonds, and no program gives it others.
    ///
    /// Which of the bonds lead to metals need not be known: they can only leave the atom without hydrogens, and where
    /// that makes a difference, SketchEl's rule gives it none.
    @inlinable @inline(__always)
    package func hasSameHydrogensByAllRules(bondOrderSum sum: Int) -> Bool {
        plainHydrogens(bondOrderSum: sum) != nil || hasSameUnusualHydrogensByAllRules(bondOrderSum: sum)
    }

    @usableFromInline
    package func hasSameUnusualHydrogensByAllRules(bondOrderSum sum: Int) -> Bool {
        unusualHydrogens(bondOrderSum: sum, by: .mdl) == unusualHydrogens(bondOrderSum: sum, by: .sketchEl)
            && MDLValence.isAgreedUpon(element, charge: Int(charge), bondOrderSum: sum)
    }

    /// Whether the hydrogens that MDL's rules give the atom may depend on which of its bonds lead to metals.
    @inlinable @inline(__always)
    package func mayBeHeldByMetals(bondOrderSum sum: Int) -> Bool {
        // A sum of 1 is above no rung.
        sum > 1 && !MDLValence.isLiftedByMetals(element) && plainHydrogens(bondOrderSum: sum) == nil
    }

    /// The hydrogens of a neutral atom that is filled up to its lowest valence, or has one bond and room for no more, as
    /// nearly all are: every rule says so. Nothing for others.
    @inlinable @inline(__always)
    package func plainHydrogens(bondOrderSum sum: Int) -> Int? {
        let valence =
            switch element {
            case .carbon: 4
            case .nitrogen, .phosphorus: 3
            case .oxygen, .sulfur: 2
            case .hydrogen, .fluorine, .chlorine, .bromine, .iodine: sum == 1 ? 1 : 0
            default: 0
            }
        return charge == 0 && radical.code == 0 && valence > 0 && sum <= valence ? valence &- sum : nil
    }

    @usableFromInline
    func unusualHydrogens(
        bondOrderSum sum: Int, singleBondsToMetals: Int = 0, by rule: Molecule.HydrogenRule
    ) -> Int {
        let unpaired = radical.unpairedElectrons
        return switch rule {
        case .mdl, .mdl2017:
            MDLValence.hydrogens(
                on: element, charge: Int(charge), bondOrderSum: sum, singleBondsToMetals: singleBondsToMetals,
                unpairedElectrons: unpaired, rule: rule == .mdl ? .ladder2009 : .restricted2017)
        case .sketchEl:
            SketchElHydrogens.count(
                on: element, charge: Int(charge), bondOrderSum: sum, unpairedElectrons: unpaired)
        }
    }
}

/// The sums of the bonds at each atom.
package struct BondSums: Sendable {
    /// The known orders summed up; an aromatic bond counts nothing.
    package private(set) var sums: [Int]
    /// The dative bonds that end here, each of which counts 1 in a valence.
    package private(set) var received: [Int]
    /// A bond whose order is a question.
    package private(set) var isAsked: [Bool]
    /// A bond whose order follows from the ring.
    package private(set) var isAromatic: [Bool]
    /// A bond of an order that MDL cannot say and other programs do not see.
    package private(set) var hasOtherOrder: [Bool]

    package init(_ molecule: borrowing Molecule) {
        sums = Array(repeating: 0, count: molecule.atoms.count)
        received = sums
        isAsked = Array(repeating: false, count: molecule.atoms.count)
        isAromatic = isAsked
        hasOtherOrder = isAsked
        for bond in molecule.bonds {
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard sums.indices.contains(from), sums.indices.contains(to) else { continue }
            let order = bond.order
            let valence = order.valence ?? 0
            sums[from] += valence
            sums[to] += valence
            if 1...3 ~= bond.orderNumber { continue }
            for atom in [from, to] {
                if order.isQuery { isAsked[atom] = true }
                if order == .aromatic { isAromatic[atom] = true }
                if order.isBeyondMDL { hasOtherOrder[atom] = true }
            }
            if order == .dative { received[to] += 1 }
        }
    }
}

extension Bond.Order {
    /// Whether MDL has no bond type for it: zero, and more than three.
    package var isBeyondMDL: Bool { self == .zero || Self.quadruple.rawValue...Self.sextuple.rawValue ~= rawValue }
}

extension Molecule {
    /// The orders of each atom's bonds as they are written, summed up.
    package func writtenBondOrderSums() -> [Int32] {
        var sums = [Int32](repeating: 0, count: atoms.count)
        let bonds = bonds
        var sum = sums.mutableSpan
        for index in bonds.indices {
            let order = Int32(min(bonds[index].orderNumber, Bond.Order.sextuple.rawValue))
            sum[Int(bonds[index].from)] &+= order
            sum[Int(bonds[index].to)] &+= order
        }
        return sums
    }

    /// Whether every bond has an order in numbers up to one.
    package func hasOnlyNumberedOrders(upTo greatest: Bond.Order) -> Bool {
        let bonds = bonds
        for index in bonds.indices where bonds[index].orderNumber > greatest.rawValue { return false }
        return true
    }
}
