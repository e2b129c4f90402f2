/// Hydrogens in patterns.
extension QueryGraph {
    /// Makes hydrogens that the pattern names counts at their neighbors: `[H]O` is `[O;H{1-}]`.
    ///
    /// A hydrogen of a molecule, drawn or not, is no atom of the graph that is searched. A hydrogen stays an atom of the
    /// pattern if more is asked of it, such as an isotope, if a direction shows a geometry by it, and if the match begins
    /// there.
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

    /// Whether an atom of the pattern can only be hydrogen.
    private func isHydrogen(_ place: Int) -> Bool {
        atoms[place].expression.literals.contains { $0.test == .element(1) && !$0.isNegated && $0.endsClause }
    }

    /// The neighbor of a hydrogen of which nothing else is asked, over a bond that a hydrogen can have.
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

    /// Takes hydrogens and their bonds out; at a center one is still a neighbor.
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
            let isCenter = left[place].chirality != .none
            let moved = left[place].bonds.map { $0 < 0 ? -1 : numbers[Int($0)] }
            left[place].bonds = isCenter ? moved : moved.filter { $0 >= 0 }
            if isCenter, moved.contains(-1) { left[place].hasImpliedHydrogen = true }
        }
        (atoms, bonds) = (left, leftBonds)
    }
}
