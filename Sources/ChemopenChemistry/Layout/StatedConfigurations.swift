import ChemopenModel

/// The kind of a molecule's coordinates.
public enum CoordinateKind: Sendable, Hashable {
    /// 2D coordinates of a drawing, or a molecule of at most one atom.
    case drawn
    /// 3D coordinates.
    case inSpace
    /// No coordinates.
    case unplaced

    /// Determines the kind of a molecule's coordinates.
    ///
    /// Small z coordinates in a nearly flat molecule count as 2D unless the molecule is flagged as 3D.
    ///
    ///     print(CoordinateKind(of: molecule))
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

/// Functions that make the configurations of a molecule explicit, as required without positions.
enum StatedConfigurations {
    /// Returns the molecule without positions, with its configurations as parities and double-bond geometries.
    static func state(_ molecule: Molecule) -> Molecule {
        let graph = MoleculeGraph(stereoOf: molecule)
        var result = molecule
        for bond in result.bonds.indices where result.bonds[bond].mark != .either { result.bonds[bond].mark = .none }
        for index in result.atoms.indices {
            result.atoms[index].position = Position()
            result.atoms[index].marks.parity = parity(ofAtom: index, graph)
        }
        result.flags.remove(.threeDimensional)
        if CoordinateKind(of: molecule) == .unplaced { return result }
        if !result.extras.isEmpty {
            result.extras.contents.atomNotes.removeAll { if case .configuration = $0.note { true } else { false } }
        }
        for coordination in graph.coordinations {
            let origin = Int(graph.vertices[Int(coordination.atom)].origin)
            result.addNote(.configuration(AtomNote.Configuration(coordination, in: graph)), toAtom: origin)
        }
        for (index, edge) in graph.edges.enumerated() where graph.geometries[index].isKnown {
            let geometry = graph.geometries[index]
            let (one, other) = (graph.vertices[Int(geometry.first)].origin, graph.vertices[Int(geometry.second)].origin)
            let note = BondNote.Geometry(Int(one), Int(other), isTrans: geometry.isTrans)
            result.addNote(.geometry(note), toBond: Int(edge.origin))
        }
        return result
    }

    /// Returns the parity of an atom as defined for molecules without positions, or 0 if the atom is not a
    /// stereocenter.
    private static func parity(ofAtom index: Int, _ graph: MoleculeGraph) -> Int {
        let place = graph.placeOfAtom[index]
        guard place >= 0 else { return 0 }
        let atoms = graph.range(of: Int(place)).map { graph.vertices[Int(graph.neighbors[$0].atom)].origin }
        let isEven = isEvenPermutation(atoms)
        switch graph.centers[Int(place)] {
        case .none: return 0
        case .clockwise: return isEven ? 1 : 2
        case .anticlockwise: return isEven ? 2 : 1
        }
    }

    /// Returns the specified configurations, in which counted hydrogens are not atoms.
    private static func configurations(
        in molecule: Molecule, countingHydrogens neighbors: [Int32]
    ) -> [Indexed<AtomNote.Configuration>] {
        if molecule.extras.isEmpty { return [] }
        return molecule.extras.contents.atomNotes.compactMap { tagged in
            guard case .configuration(var configuration) = tagged.note else { return nil }
            for place in configuration.neighbors.indices {
                let neighbor = Int(configuration.neighbors[place])
                if neighbors.indices.contains(neighbor), neighbors[neighbor] >= 0 {
                    configuration.neighbors[place] = AtomNote.Configuration.hydrogen
                }
            }
            return Indexed(Int(tagged.index), configuration)
        }
    }

    /// Returns the molecule without the hydrogens that can be counted at their neighbors. Hydrogens with a map number
    /// are retained, and so are all parities.
    static func countHydrogens(of molecule: Molecule) -> Molecule {
        let neighbors = SuppressedHydrogens.find(in: molecule)
        let removed = neighbors.indices.filter { neighbors[$0] >= 0 && molecule.atoms[$0].mapNumber == 0 }
        if removed.isEmpty { return molecule }
        var counts = molecule.hydrogenCounts()
        var result = molecule
        let configurations = configurations(in: molecule, countingHydrogens: neighbors)
        for index in removed {
            let neighbor = Int(neighbors[index])
            counts[neighbor] += 1
            result.atoms[neighbor].hydrogens = .fixed(counts[neighbor])
        }
        result.removeAtoms(removed)
        // The parities remain valid: an implicit hydrogen is the last neighbor, and so is a drawn one.
        let isRemoved = Set(removed)
        let kept = molecule.atoms.indices.lazy.filter { !isRemoved.contains($0) }
        for (place, index) in kept.enumerated() where result.atoms.indices.contains(place) {
            result.atoms[place].marks.parity = molecule.atoms[index].marks.parity
        }
        if configurations.isEmpty { return result }
        var places: [Int32: Int32] = [:]
        for (place, index) in kept.enumerated() { places[Int32(clamping: index)] = Int32(clamping: place) }
        for tagged in configurations {
            guard let place = places[tagged.index], result.configuration(ofAtom: Int(place)) == nil else { continue }
            var configuration = tagged.note
            configuration.neighbors = configuration.neighbors.map { $0 < 0 ? $0 : places[$0] ?? -1 }
            result.addNote(.configuration(configuration), toAtom: Int(place))
        }
        return result
    }
}
