/// Kekulé forms, which represent aromatic bonds as single and double bonds.
///
/// A Kekulé form pairs atoms over aromatic bonds; each pair is a double bond. Most carbons require a partner. A
/// nitrogen whose hydrogens are unknown has a partner if possible, as in pyridine, and carries a hydrogen otherwise, as
/// in pyrrole. The pairing covers as many atoms that require a partner as possible, and then as many optional ones as
/// possible, to minimize the number of hydrogens. The result is deterministic.
extension Molecule {
    /// Returns whether each bond is aromatic and double in the molecule's Kekulé form.
    package func kekuleForm() -> [Bool] {
        DrawnValences(of: self).kekuleForm(of: self)
    }
}

extension DrawnValences {
    /// Returns whether each bond is aromatic and double in the Kekulé form, or an array of `false` if no bond is
    /// aromatic.
    func kekuleForm(of molecule: borrowing Molecule) -> [Bool] {
        let (atoms, bonds) = (molecule.atoms, molecule.bonds)
        var doubled = Array(repeating: false, count: bonds.count)
        guard hasAromaticBonds else { return doubled }
        var edges: [(Int32, Int32)] = []
        edges.reserveCapacity(bonds.count)
        for bond in bonds where bond.order == .aromatic { edges.append((bond.from, bond.to)) }
        var ranks: [Matching.Rank] = Array(repeating: .absent, count: atoms.count)
        var isRanked = Array(repeating: false, count: atoms.count)
        func rankAtom(_ index: Int) {
            if !ranks.indices.contains(index) || isRanked[index] { return }
            isRanked[index] = true
            ranks[index] = rank(of: atoms[index], at: index)
        }
        for (one, other) in edges {
            rankAtom(Int(one))
            rankAtom(Int(other))
        }
        var matching = Matching(ranks, edges: edges)
        matching.fill()
        for (place, bond) in bonds.enumerated() where bond.order == .aromatic {
            doubled[place] = matching.takePair(bond.from, bond.to)
        }
        return doubled
    }

    /// Returns whether an atom must, can or cannot have a double bond among its aromatic bonds.
    private func rank(of atom: Atom, at index: Int) -> Matching.Rank {
        if atom.element == .none || isUndefined(atom: index) { return .wildcard }
        let ladder = MDLValence.ladder(of: atom.element, charge: Int(atom.charge))
        let unpaired = atom.radical.unpairedElectrons
        let sum = sums[index]
        var known = atom.hydrogens.fixed ?? hydrogens(onAtom: index)
        if known == nil, let valence = valence(ofAtom: index) {
            let room = valence &- sum &- receivedBonds(ofAtom: index)
            if room > 0 { return room == 1 ? .obliging : .demanding }
            known = 0
        }
        if let known {
            let used = sum &+ known &+ unpaired
            if ladder.rung(atLeast: used) == used { return .absent }
            guard let rung = ladder.rung(atLeast: used &+ 1) else { return .absent }
            return rung == used &+ 1 ? .demanding : .obliging
        }
        guard let rung = ladder.rung(atLeast: sum) else { return .absent }
        let room = rung &- sum &- unpaired
        if room <= 0 { return .absent }
        if room > 1 { return .demanding }
        let isTetravalent = ladder.rung(atLeast: 0) == 4
        return unpaired == 0 && (isTetravalent || atom.isOnium) ? .demanding : .obliging
    }
}

extension Atom {
    /// Whether the atom is a positive oxygen, sulfur, selenium or tellurium, as in pyrylium.
    fileprivate var isOnium: Bool {
        switch element {
        case .oxygen, .sulfur, .selenium, .tellurium: charge > 0
        default: false
        }
    }
}
