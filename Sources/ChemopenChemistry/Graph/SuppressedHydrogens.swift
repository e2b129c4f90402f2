import ChemopenModel

/// Drawn hydrogens that a graph counts at their neighbors.
///
/// A hydrogen remains an atom of the graph if it has an isotope, a charge, hydrogens of its own, or not exactly one
/// bond. The same applies if its neighbor is a plain hydrogen or not an element, and if the hydrogen determines the
/// geometry of a double bond, which can be recognized only in the graph.
///
/// A specified radical is ignored, because the bond uses the only electron of the hydrogen.
struct SuppressedHydrogens: Sendable {
    /// The neighbor of each suppressed hydrogen, and -1 for all other atoms; empty if no hydrogen is suppressed.
    private(set) var neighbors: [Int32] = []
    /// The number of suppressed hydrogens.
    private(set) var count = 0
    /// The hydrogens, with their neighbors, that are not suppressed because they may determine the geometry of a double
    /// bond.
    private(set) var showing: [(hydrogen: Int, neighbor: Int32)] = []
    private var surroundings: [Surroundings] = []

    /// The number and kinds of an atom's bonds.
    private struct Surroundings: Sendable {
        var count: Int32 = 0
        var doubles: Int32 = 0
        /// The atom at the other end of the last bond if that is a single bond, otherwise -1.
        var last: Int32 = -1
    }

    static func find(in molecule: borrowing Molecule) -> [Int32] {
        var search = SuppressedHydrogens()
        search.find(in: molecule)
        return search.neighbors
    }

    /// Searches a molecule for hydrogens to suppress, and reuses the memory.
    ///
    /// - Parameter keepsMapped: whether hydrogens with a map number remain atoms.
    mutating func find(in molecule: borrowing Molecule, keepsMapped: Bool = false) {
        count = 0
        if !showing.isEmpty { showing.removeAll() }
        if !neighbors.isEmpty { neighbors.removeAll(keepingCapacity: true) }
        let atoms = molecule.atoms.span
        guard atoms.hasHydrogen else { return }
        countBonds(of: molecule)
        neighbors.fill(with: -1, count: atoms.count)
        for index in atoms.indices where atoms[index].element == .hydrogen {
            if keepsMapped, atoms[index].mapNumber != 0 { continue }
            guard let neighbor = neighbor(of: index, atoms),
                atoms[index].saysOnlyHydrogen || Self.hasOnlyEmptyNotes(index, molecule)
            else { continue }
            let around = surroundings[Int(neighbor)]
            if around.count == 2, around.doubles == 1, atoms[Int(neighbor)].element == .nitrogen {
                showing.append((index, neighbor))
                continue
            }
            neighbors[index] = neighbor
            count += 1
        }
        if count == 0, showing.isEmpty { neighbors.removeAll(keepingCapacity: true) }
    }

    /// Returns the hydrogens that do not determine a geometry.
    ///
    /// A double bond has no geometry if one end has two hydrogens or other equivalent neighbors, as in guanidines, or
    /// if the drawing or text does not specify it.
    func idle(in graph: borrowing MoleculeGraph) -> [(hydrogen: Int, neighbor: Int32)] {
        showing.filter { shown in
            let nitrogen = Int(graph.placeOfAtom[Int(shown.neighbor)])
            return !graph.range(of: nitrogen).contains {
                graph.geometries[Int(graph.neighbors[$0].edge)].isKnown
            }
        }
    }

    /// Suppresses hydrogens that do not determine a geometry.
    mutating func suppress(_ hydrogens: [(hydrogen: Int, neighbor: Int32)]) {
        for (hydrogen, neighbor) in hydrogens {
            neighbors[hydrogen] = neighbor
            count += 1
        }
    }

    /// Returns whether an atom is a hydrogen with no notes except a query for its number of hydrogens, a valence of 1 and
    /// data of other programs.
    ///
    /// For a hydrogen, such a query can only mean 0, and a valence of 1 adds no information. Some files have these
    /// values for every atom. Data of other programs does not change the substance.
    private static func hasOnlyEmptyNotes(_ index: Int, _ molecule: borrowing Molecule) -> Bool {
        var atom = molecule.atoms[index]
        guard atom.marks.contains(.hasNotes) else { return false }
        atom.marks.remove(.hasNotes)
        return atom.saysOnlyHydrogen
            && molecule.notes(onAtom: index).allSatisfy { note in
                switch note {
                case .hydrogenQuery, .valence(1), .field, .transientField, .keyword: true
                default: false
                }
            }
    }

    private mutating func countBonds(of molecule: borrowing Molecule) {
        surroundings.fill(with: Surroundings(), count: molecule.atoms.count)
        let bonds = molecule.bonds.span
        var surroundings = surroundings.mutableSpan
        for place in bonds.indices {
            let bond = bonds[place]
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard surroundings.indices.contains(from), surroundings.indices.contains(to), from != to else { continue }
            let order = bond.orderNumber
            let double: Int32 = order == Bond.Order.double.rawValue ? 1 : 0
            let isSingle = order == Bond.Order.single.rawValue
            surroundings[from].count &+= 1
            surroundings[to].count &+= 1
            surroundings[from].doubles &+= double
            surroundings[to].doubles &+= double
            surroundings[from].last = isSingle ? bond.to : -1
            surroundings[to].last = isSingle ? bond.from : -1
        }
    }

    private func neighbor(of index: Int, _ atoms: Span<Atom>) -> Int32? {
        let neighbor = surroundings[index].last
        guard neighbor >= 0, surroundings[index].count == 1 else { return nil }
        let other = atoms[Int(neighbor)]
        // If both atoms are hydrogens, one is counted at an isotope or an ion: `[2HH]`, `[HH+]`.
        if other.element == .hydrogen, other.isotope == 0, other.charge == 0 { return nil }
        return other.element == .none ? nil : neighbor
    }
}

extension Atom {
    /// Whether the atom is a hydrogen without further properties except a map number.
    var saysOnlyHydrogen: Bool {
        element == .hydrogen && charge == 0 && isotope == 0 && hydrogens.fixed ?? 0 == 0 && label == Atom.noLabel
            && !marks.contains(.hasNotes)
    }
}

extension Span<Atom> {
    fileprivate var hasHydrogen: Bool {
        for index in indices where self[index].element == .hydrogen { return true }
        return false
    }
}
