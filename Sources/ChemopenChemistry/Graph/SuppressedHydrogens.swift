import ChemopenModel

/// Hydrogens that are drawn, and are counted at their neighbours in a graph.
///
/// One may not be counted there where the atom itself says something: an isotope, a charge, hydrogens of its own, more
/// than one bond or none, a neighbour that is as plain a hydrogen or no element, and where it shows the geometry of a
/// double bond, which only the graph can tell. Its bond takes its only electron, so that it is no radical, whatever it
/// says.
struct SuppressedHydrogens: Sendable {
    /// For each atom its neighbour if it is such a hydrogen, else -1; empty if there is none.
    private(set) var neighbours: [Int32] = []
    /// How many there are.
    private(set) var count = 0
    /// Those that are none as they may show the geometry of a double bond, each with its neighbour.
    private(set) var showing: [(hydrogen: Int, neighbour: Int32)] = []
    private var surroundings: [Surroundings] = []

    /// The bonds of an atom.
    private struct Surroundings: Sendable {
        var count: Int32 = 0
        var doubles: Int32 = 0
        /// The atom at the last of them, if that is a single bond, else -1.
        var last: Int32 = -1
    }

    static func find(in molecule: borrowing Molecule) -> [Int32] {
        var search = SuppressedHydrogens()
        search.find(in: molecule)
        return search.neighbours
    }

    /// Looks through a molecule, in the memory of the last one.
    ///
    /// - Parameter keepsMapped: those with a map number are no such hydrogens.
    mutating func find(in molecule: borrowing Molecule, keepsMapped: Bool = false) {
        count = 0
        if !showing.isEmpty { showing.removeAll() }
        if !neighbours.isEmpty { neighbours.removeAll(keepingCapacity: true) }
        let atoms = molecule.atoms.span
        guard atoms.hasHydrogen else { return }
        countBonds(of: molecule)
        neighbours.fill(with: -1, count: atoms.count)
        for index in atoms.indices where atoms[index].element == .hydrogen {
            if keepsMapped, atoms[index].mapNumber != 0 { continue }
            guard let neighbour = neighbour(of: index, atoms),
                atoms[index].saysOnlyHydrogen || Self.asksOnlyForHydrogens(index, molecule)
            else { continue }
            let around = surroundings[Int(neighbour)]
            if around.count == 2, around.doubles == 1, atoms[Int(neighbour)].element == .nitrogen {
                showing.append((index, neighbour))
                continue
            }
            neighbours[index] = neighbour
            count += 1
        }
        if count == 0, showing.isEmpty { neighbours.removeAll(keepingCapacity: true) }
    }

    /// Returns those that show no geometry: there is none next to a second hydrogen or a neighbor that is alike, as in
    /// guanidines, nor if a drawing or a text leaves it open.
    func idle(in graph: borrowing MoleculeGraph) -> [(hydrogen: Int, neighbour: Int32)] {
        showing.filter { shown in
            let nitrogen = Int(graph.placeOfAtom[Int(shown.neighbour)])
            return !graph.range(of: nitrogen).contains {
                graph.geometries[Int(graph.neighbours[$0].edge)].isKnown
            }
        }
    }

    /// Counts those at their neighbours too that do not show a geometry.
    mutating func suppress(_ hydrogens: [(hydrogen: Int, neighbour: Int32)]) {
        for (hydrogen, neighbour) in hydrogens {
            neighbours[hydrogen] = neighbour
            count += 1
        }
    }

    /// Whether an atom is hydrogen with a question for the hydrogens at it, which can only be none: so are all atoms of a
    /// file that has a number in that column.
    private static func asksOnlyForHydrogens(_ index: Int, _ molecule: borrowing Molecule) -> Bool {
        var atom = molecule.atoms[index]
        guard atom.marks.contains(.hasNotes) else { return false }
        atom.marks.remove(.hasNotes)
        return atom.saysOnlyHydrogen
            && molecule.notes(onAtom: index).allSatisfy { if case .hydrogenQuery = $0 { true } else { false } }
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

    private func neighbour(of index: Int, _ atoms: Span<Atom>) -> Int32? {
        let neighbour = surroundings[index].last
        guard neighbour >= 0, surroundings[index].count == 1 else { return nil }
        let other = atoms[Int(neighbour)]
        // Of two hydrogens one is counted at an isotope or an ion: `[2HH]`, `[HH+]`.
        if other.element == .hydrogen, other.isotope == 0, other.charge == 0 { return nil }
        return other.element == .none ? nil : neighbour
    }
}

extension Atom {
    /// Whether it is hydrogen, and says nothing else but a map number.
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
