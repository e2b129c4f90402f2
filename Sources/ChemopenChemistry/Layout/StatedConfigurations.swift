import ChemopenModel

/// How the positions of a molecule are to be taken.
public enum MoleculeStanding: Sendable, Hashable {
    /// They are those of a drawing, or there is nothing to be placed.
    case drawn
    /// They are those of the molecule in space.
    case inSpace
    /// There are none.
    case unplaced

    /// Small heights in a molecule that is flat otherwise, and is not said to be in space, are those of a drawing.
    ///
    ///     print(MoleculeStanding(of: molecule))
    public init(of molecule: borrowing Molecule) {
        self = .drawn
        guard let first = molecule.atoms.first, molecule.atoms.count > 1 else { return }
        var hasHeights = false
        var (low, high) = (first.position, first.position)
        for atom in molecule.atoms {
            let position = atom.position
            low = Position(min(low.x, position.x), min(low.y, position.y), min(low.z, position.z))
            high = Position(max(high.x, position.x), max(high.y, position.y), max(high.z, position.z))
            if position.z != 0 { hasHeights = true }
        }
        let (width, height) = (max(high.x - low.x, high.y - low.y), high.z - low.z)
        if molecule.flags.contains(.withoutCoordinates) || max(width, height) <= Self.nearest {
            self = .unplaced
        } else if hasHeights, molecule.flags.contains(.threeDimensional) || height > 0.1 * width {
            self = .inSpace
        }
    }

    private static let nearest = 1e-6
}

/// Configurations as a molecule without positions states them.
enum StatedConfigurations {
    /// The molecule without positions, its configurations as parities and geometries of double bonds.
    static func state(_ molecule: Molecule) -> Molecule {
        let graph = MoleculeGraph(stereoOf: molecule)
        var result = molecule
        for bond in result.bonds.indices where result.bonds[bond].mark != .either { result.bonds[bond].mark = .none }
        for index in result.atoms.indices {
            result.atoms[index].position = Position()
            result.atoms[index].marks.parity = parity(ofAtom: index, graph)
        }
        result.flags.remove(.threeDimensional)
        if MoleculeStanding(of: molecule) == .unplaced { return result }
        for (index, edge) in graph.edges.enumerated() where graph.geometries[index].isKnown {
            let geometry = graph.geometries[index]
            let (one, other) = (graph.vertices[Int(geometry.first)].origin, graph.vertices[Int(geometry.second)].origin)
            let note = BondNote.Geometry(Int(one), Int(other), isTrans: geometry.isTrans)
            result.addNote(.geometry(note), toBond: Int(edge.origin))
        }
        return result
    }

    /// The parity of one of the molecule's atoms, as it is read from a molecule without positions; 0 where it is no centre.
    private static func parity(ofAtom index: Int, _ graph: MoleculeGraph) -> Int {
        let place = graph.placeOfAtom[index]
        guard place >= 0 else { return 0 }
        let atoms = graph.range(of: Int(place)).map { graph.vertices[Int(graph.neighbours[$0].atom)].origin }
        let isEven = isEvenPermutation(atoms)
        switch graph.centres[Int(place)] {
        case .none: return 0
        case .clockwise: return isEven ? 1 : 2
        case .anticlockwise: return isEven ? 2 : 1
        }
    }

    /// The molecule with no hydrogen as an atom that may as well be counted at its neighbour. Parities stay.
    static func countHydrogens(of molecule: Molecule) -> Molecule {
        let neighbours = SuppressedHydrogens.find(in: molecule)
        let removed = neighbours.indices.filter { neighbours[$0] >= 0 && molecule.atoms[$0].mapNumber == 0 }
        if removed.isEmpty { return molecule }
        var counts = molecule.hydrogenCounts()
        var result = molecule
        for index in removed {
            let neighbour = Int(neighbours[index])
            counts[neighbour] += 1
            result.atoms[neighbour].hydrogens = .fixed(counts[neighbour])
        }
        result.removeAtoms(removed)
        // A hydrogen that is not drawn comes last among the neighbours, as one does that is.
        let isRemoved = Set(removed)
        let kept = molecule.atoms.indices.lazy.filter { !isRemoved.contains($0) }
        for (place, index) in kept.enumerated() where result.atoms.indices.contains(place) {
            result.atoms[place].marks.parity = molecule.atoms[index].marks.parity
        }
        return result
    }
}
