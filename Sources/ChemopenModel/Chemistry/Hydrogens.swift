extension Molecule {
    /// Computes the number of implicit hydrogens on each atom.
    ///
    ///     var methanol = Molecule()
    ///     methanol.atoms = [Atom(.carbon), Atom(.oxygen)]
    ///     methanol.bonds = [Bond(0, 1)]
    ///     methanol.hydrogenCounts()        // [3, 1]
    ///
    /// A fixed count overrides the molecule's `hydrogenRule`. MDL's rules also use a specified valence. SketchEl's rule
    /// ignores it, because SketchEl writes valences for other programs.
    ///
    /// Aromatic bonds count as in the Kekulé form. Zero-order, dative and hydrogen bonds count 0 at both ends. In a
    /// specified valence, however, a dative bond counts 1 at the atom that receives it: the valence of platinum in
    /// cisplatin is 4. Atoms that are not an element and atoms with a query bond have 0 hydrogens unless a count is
    /// fixed. Abbreviations are not expanded.
    ///
    /// A bond with several end points counts only at the atom where it starts. Its end points retain all their
    /// hydrogens. If the bond is to all of them together, they lose no hydrogens. If it is to any one of them, it is
    /// unknown which atom would lose a hydrogen.
    ///
    /// - Returns: the number of hydrogens for each atom, in the order of the atoms.
    public func hydrogenCounts() -> [Int] {
        var counts: [Int] = []
        _ = countHydrogens(into: &counts)
        return counts
    }

    /// Counts the hydrogens into `counts`, whose memory is reused, and returns the Kekulé form that was used.
    ///
    /// - Returns: whether each bond is double in the Kekulé form; empty if no bond is aromatic.
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
    /// Whether the hydrogen count of at least one atom is fixed.
    package var hasStatedHydrogens: Bool {
        let atoms = atoms
        for index in atoms.indices where atoms[index].hydrogens != .unstated { return true }
        return false
    }

    /// Returns the hydrogen counts that the rule implies if all fixed counts are ignored.
    ///
    /// - Parameter counts: the molecule's current hydrogen counts, which are returned if no count is fixed.
    package func impliedHydrogenCounts(where counts: [Int]) -> [Int] {
        var unfixed = self
        return unfixed.forgetHydrogens() ? unfixed.hydrogenCounts() : counts
    }

    /// Removes all fixed hydrogen counts, and returns whether there were any.
    package mutating func forgetHydrogens() -> Bool {
        guard hasStatedHydrogens else { return false }
        for index in atoms.indices { atoms[index].hydrogens = .unstated }
        return true
    }
}

extension Molecule {
    /// Whether all rules imply the same hydrogens because the molecule contains only elements and simple bonds. This is
    /// true for nearly all molecules.
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
    /// Whether these contents have no effect on hydrogens if all bonds are simple.
    fileprivate var leavesHydrogensAlone: Bool {
        guard bondNotes.isEmpty, abbreviations.isEmpty else { return false }
        for tagged in atomNotes where tagged.note.isOfHydrogens { return false }
        return true
    }
}

extension AtomNote {
    /// Whether the note affects hydrogens: a total valence, or a charge that is drawn for readers that use another
    /// rule.
    fileprivate var isOfHydrogens: Bool {
        switch self {
        case .valence, .drawnCharge: true
        default: false
        }
    }
}

/// The number of single bonds between each atom and metals, counted on first use.
private struct SingleBondsToMetals {
    private var counts: [Int32] = []

    /// Returns the number of hydrogens that the molecule's rule implies for an atom with this sum of bond orders.
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
    /// Returns the number of hydrogens that a rule implies for this sum of bond orders.
    @inlinable @inline(__always)
    package func hydrogens(bondOrderSum sum: Int, by rule: Molecule.HydrogenRule) -> Int {
        plainHydrogens(bondOrderSum: sum) ?? unusualHydrogens(bondOrderSum: sum, by: rule)
    }

    /// Returns whether all rules and all programs agree on the atom's hydrogens for this sum of bond orders.
    ///
    /// The result does not depend on the bonds to metals. These bonds can only reduce the hydrogens to 0, and if that
    /// makes a difference, SketchEl's rule gives 0 in any case.
    @inlinable @inline(__always)
    package func hasSameHydrogensByAllRules(bondOrderSum sum: Int) -> Bool {
        plainHydrogens(bondOrderSum: sum) != nil || hasSameUnusualHydrogensByAllRules(bondOrderSum: sum)
    }

    @usableFromInline
    package func hasSameUnusualHydrogensByAllRules(bondOrderSum sum: Int) -> Bool {
        unusualHydrogens(bondOrderSum: sum, by: .mdl) == unusualHydrogens(bondOrderSum: sum, by: .sketchEl)
            && MDLValence.isAgreedUpon(element, charge: Int(charge), bondOrderSum: sum)
    }

    /// Returns whether MDL's hydrogen count for the atom can depend on the number of its bonds to metals.
    @inlinable @inline(__always)
    package func mayBeHeldByMetals(bondOrderSum sum: Int) -> Bool {
        // A sum of 1 never exceeds a rung.
        sum > 1 && !MDLValence.isLiftedByMetals(element) && plainHydrogens(bondOrderSum: sum) == nil
    }

    /// Returns the number of hydrogens on a neutral atom in its lowest valence, which all rules agree on.
    ///
    /// Nearly all atoms are handled here. Hydrogen and halogens qualify only with one single bond.
    ///
    /// - Returns: the number of hydrogens, or `nil` for other atoms.
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

/// The sums of bond orders at each atom, and the kinds of its bonds.
package struct BondSums: Sendable {
    /// The sum of the known bond orders; aromatic bonds count 0.
    package private(set) var sums: [Int]
    /// The number of dative bonds that end at each atom; each counts 1 toward a valence.
    package private(set) var received: [Int]
    /// Whether each atom has a query bond.
    package private(set) var isAsked: [Bool]
    /// Whether each atom has an aromatic bond, whose order depends on the ring.
    package private(set) var isAromatic: [Bool]
    /// Whether each atom has a bond of an order that MDL cannot express and other programs ignore.
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
    /// Whether MDL has no bond type for the order, which is 0 or more than 3.
    package var isBeyondMDL: Bool { self == .zero || Self.quadruple.rawValue...Self.sextuple.rawValue ~= rawValue }
}

extension Molecule {
    /// Returns the sum of the numeric bond orders at each atom. Every order without a number counts as 6.
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

    /// Returns whether every bond has a numeric order of at most `greatest`.
    package func hasOnlyNumberedOrders(upTo greatest: Bond.Order) -> Bool {
        let bonds = bonds
        for index in bonds.indices where bonds[index].orderNumber > greatest.rawValue { return false }
        return true
    }
}
