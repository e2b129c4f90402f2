import ChemopenModel

/// How the positions of a molecule are to be taken.
public enum MoleculeStanding: Sendable, Hashable {
    /// They are those of a drawing, or there is nothing to be placed.
    case drawn
    /// They are those of the molecule in space.
    case inSpace
    /// There are none.
    case unplaced
}

extension Molecule {
    /// How the positions are to be taken. Small heights in what is flat otherwise, and is not said to be in space, are
    /// those of a drawing.
    ///
    ///     print(molecule.standing)
    public var standing: MoleculeStanding {
        guard let first = atoms.first, atoms.count > 1 else { return .drawn }
        if flags.contains(.withoutCoordinates) { return .unplaced }
        let nearest = 1e-6
        var isPlaced = false
        var hasHeights = false
        var (low, high) = (first.position, first.position)
        for atom in atoms {
            let position = atom.position
            low = Position(min(low.x, position.x), min(low.y, position.y), min(low.z, position.z))
            high = Position(max(high.x, position.x), max(high.y, position.y), max(high.z, position.z))
            if position.z != 0 { hasHeights = true }
        }
        isPlaced = max(high.x - low.x, high.y - low.y, high.z - low.z) > nearest
        if !isPlaced { return .unplaced }
        guard hasHeights else { return .drawn }
        let isHigh = (high.z - low.z) > 0.1 * max(high.x - low.x, high.y - low.y)
        return isHigh || flags.contains(.threeDimensional) ? .inSpace : .drawn
    }

    /// The molecule without positions, its configurations as parities and geometries of double bonds.
    func statingConfigurations() -> Molecule {
        let graph = MoleculeGraph(stereoOf: self)
        var result = self
        for bond in result.bonds.indices where result.bonds[bond].mark != .either { result.bonds[bond].mark = .none }
        for index in result.atoms.indices {
            result.atoms[index].position = Position()
            result.atoms[index].marks.parity = graph.parity(ofAtom: index)
        }
        result.flags.remove(.threeDimensional)
        let statesGeometries = standing == .unplaced
        for (index, edge) in graph.edges.enumerated() where !statesGeometries && graph.geometries[index].isKnown {
            let geometry = graph.geometries[index]
            let (one, other) = (graph.origin(ofVertex: geometry.first), graph.origin(ofVertex: geometry.second))
            result.addNote(.geometry(.init(one, other, isTrans: geometry.isTrans)), toBond: Int(edge.origin))
        }
        return result
    }

    /// The molecule with no hydrogen as an atom that may as well be counted at its neighbour. Parities stay.
    func withoutCountedHydrogens() -> Molecule {
        let neighbours = SuppressedHydrogens.find(in: self)
        let removed = neighbours.indices.filter { neighbours[$0] >= 0 && atoms[$0].mapNumber == 0 }
        if removed.isEmpty { return self }
        var counts = hydrogenCounts()
        var result = self
        for index in removed {
            let neighbour = Int(neighbours[index])
            counts[neighbour] += 1
            result.atoms[neighbour].hydrogens = .fixed(counts[neighbour])
        }
        result.removeAtoms(removed)
        // A hydrogen that is not drawn comes last among the neighbours, as one does that is.
        let isRemoved = Set(removed)
        for (place, index) in atoms.indices.lazy.filter({ !isRemoved.contains($0) }).enumerated()
        where result.atoms.indices.contains(place) {
            result.atoms[place].marks.parity = atoms[index].marks.parity
        }
        return result
    }
}

extension MoleculeGraph {
    /// A molecule with its configurations.
    init(stereoOf molecule: borrowing Molecule) {
        self.init()
        take(molecule, unifies: false)
        perceiveStereo(of: molecule)
    }

    func handedness(ofAtom index: Int) -> Handedness {
        let place = placeOfAtom[index]
        return place < 0 ? .none : centres[Int(place)]
    }

    /// The place among the molecule's atoms.
    func origin(ofVertex vertex: Int32) -> Int {
        vertices.indices.contains(Int(vertex)) ? Int(vertices[Int(vertex)].origin) : 0
    }

    /// The parity of one of the molecule's atoms, as it is read from a molecule without positions; 0 where it is no centre.
    func parity(ofAtom index: Int) -> Int {
        let place = placeOfAtom[index]
        guard place >= 0 else { return 0 }
        let atoms = range(of: Int(place)).map { vertices[Int(neighbours[$0].atom)].origin }
        let isEven = isEvenPermutation(atoms)
        switch centres[Int(place)] {
        case .none: return 0
        case .clockwise: return isEven ? 1 : 2
        case .anticlockwise: return isEven ? 2 : 1
        }
    }
}
