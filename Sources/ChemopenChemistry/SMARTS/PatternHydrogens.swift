extension QueryGraph.Atom {
    /// Whether the atom is a hydrogen without further conditions.
    var isPlainHydrogen: Bool { expression == Expression(.element(1)) }
}

/// The treatment of hydrogens in patterns.
extension QueryGraph {
    /// Converts explicit hydrogens to hydrogen counts of their neighbors: `[H]O` becomes `[O;H{1-}]`.
    ///
    /// This is necessary because hydrogens of a molecule are usually not atoms of the graph that is searched. A
    /// hydrogen remains an atom of the pattern if it has further conditions, such as an isotope, if a bond direction
    /// refers to it, or if the match begins at it.
    mutating func countHydrogens(isAnchored: Bool) {
        var neighbors: [Int: Int32] = [:]
        for place in atoms.indices where !(isAnchored && place == 0) {
            if let neighbor = neighbor(ofPlainHydrogen: place) { neighbors[place] = neighbor }
        }
        if neighbors.isEmpty { return }
        for neighbor in Set(neighbors.values) {
            let hydrogens = bonds.count { bond in
                (bond.from == neighbor || bond.to == neighbor) && isHydrogen(Int(bond.other(than: neighbor)))
            }
            let test = AtomTest.hydrogens(Bounds(Int32(clamping: hydrogens), .max))
            atoms[Int(neighbor)].expression.append(test, isNegated: false, joinedBy: .clause)
        }
        leaveOut(Set(neighbors.keys))
    }

    /// Returns whether an atom of the pattern matches only hydrogen. It can have further conditions.
    private func isHydrogen(_ place: Int) -> Bool {
        atoms[place].expression.literals.contains { $0.test == .element(1) && !$0.isNegated && $0.endsClause }
    }

    /// Returns the neighbor of a hydrogen without further conditions, if a hydrogen can have this kind of bond.
    private func neighbor(ofPlainHydrogen place: Int) -> Int32? {
        let atom = atoms[place]
        guard isHydrogen(place), atom.expression.literals.count == 1, atom.bonds.count == 1, atom.bonds[0] >= 0 else {
            return nil
        }
        let bond = bonds[Int(atom.bonds[0])]
        let neighbor = bond.other(than: Int32(truncatingIfNeeded: place))
        let isSingle = bond.expression.holds { $0 == .any || $0 == .plain || $0 == .single }
        return isSingle && bond.direction == .none && !isHydrogen(Int(neighbor)) ? neighbor : nil
    }

    /// Removes hydrogens and their bonds. At a stereocenter, a hydrogen remains an implicit neighbor.
    private mutating func leaveOut(_ hydrogens: Set<Int>) {
        var places = [Int32](repeating: -1, count: atoms.count)
        var left: [Atom] = []
        for place in atoms.indices where !hydrogens.contains(place) {
            places[place] = Int32(truncatingIfNeeded: left.count)
            left.append(atoms[place])
        }
        var numbers = [Int32](repeating: -1, count: bonds.count)
        var leftBonds: [Bond] = []
        for (number, bond) in bonds.enumerated() {
            let ends = (places[Int(bond.from)], places[Int(bond.to)])
            if ends.0 < 0 || ends.1 < 0 { continue }
            numbers[number] = Int32(truncatingIfNeeded: leftBonds.count)
            leftBonds.append(bond)
            (leftBonds[leftBonds.count - 1].from, leftBonds[leftBonds.count - 1].to) = ends
        }
        for place in left.indices {
            let isCenter = left[place].chirality != .none || left[place].coordination != nil
            let moved = left[place].bonds.map { $0 < 0 ? -1 : numbers[Int($0)] }
            left[place].bonds = isCenter ? moved : moved.filter { $0 >= 0 }
            if isCenter, moved.contains(-1) { left[place].hasImpliedHydrogen = true }
        }
        (atoms, bonds) = (left, leftBonds)
    }
}
