import ChemopenModel

/// Hydrogens that are drawn, and are counted at their neighbours in a graph.
enum SuppressedHydrogens {
    /// For each atom its neighbour if it is a hydrogen that may as well be counted there, else -1; empty if there is none.
    ///
    /// It may not where the atom itself says something: an isotope, a charge, more than one bond or none, a neighbour
    /// that is hydrogen or no element, and where it shows the geometry of a double bond. Its bond takes its only electron, so
    /// that it is no radical, whatever it says.
    static func find(in molecule: borrowing Molecule) -> [Int32] {
        let atoms = molecule.atoms
        guard atoms.contains(where: { $0.element == .hydrogen }) else { return [] }
        var neighbours = [Int32](repeating: -1, count: atoms.count)
        var degrees = [Int32](repeating: 0, count: atoms.count)
        var doubles = [Int32](repeating: 0, count: atoms.count)
        let bonds = molecule.bonds
        for bond in bonds {
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard atoms.indices.contains(from), atoms.indices.contains(to), from != to else { continue }
            degrees[from] += 1
            degrees[to] += 1
            if bond.order == .double {
                doubles[from] += 1
                doubles[to] += 1
            }
            let isSingle = bond.order == .single
            if atoms[from].element == .hydrogen { neighbours[from] = isSingle ? bond.to : -1 }
            if atoms[to].element == .hydrogen { neighbours[to] = isSingle ? bond.from : -1 }
        }
        for index in atoms.indices where neighbours[index] >= 0 {
            let atom = atoms[index]
            let neighbour = Int(neighbours[index])
            let isPlain =
                degrees[index] == 1 && atom.charge == 0 && atom.isotope == 0 && atom.label == Atom.noLabel
                && !atom.marks.contains(.hasNotes)
            let showsGeometry =
                degrees[neighbour] == 2 && doubles[neighbour] == 1 && atoms[neighbour].element == .nitrogen
            let isAway =
                isPlain && !showsGeometry && atoms[neighbour].element != .hydrogen
                && atoms[neighbour].element != .none
            if !isAway { neighbours[index] = -1 }
        }
        return neighbours
    }
}
