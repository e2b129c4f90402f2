import ChemopenModel

/// The racemic and relative stereo groups of a molecule, with the configurations that each of them mirrors together.
struct MirroredGroups: Sendable {
    /// The kind of each group, and its atoms in the graph.
    private(set) var groups: [(kind: StereoGroup.Kind, vertices: [Int])] = []
    /// For each atom of the graph, the index of its group, or -1.
    private(set) var groupOfVertex: [Int32]
    /// The atoms of each group in the molecule.
    private var atoms: [[Int]] = []

    /// The number of groups.
    var count: Int { groups.count }

    /// Finds the groups in a molecule and in its graph, in which stereochemistry was perceived. Groups with the same
    /// kind and number are one. An atom without a configuration belongs to no group.
    init(_ molecule: borrowing Molecule, _ graph: borrowing MoleculeGraph) {
        groupOfVertex = [Int32](repeating: -1, count: graph.vertices.count)
        var known: [StereoGroup: Int] = [:]
        for group in molecule.extras.contents.stereoGroups where group.kind != .absolute {
            for atom in group.atoms where graph.placeOfAtom.indices.contains(Int(atom)) {
                let vertex = Int(graph.placeOfAtom[Int(atom)])
                guard vertex >= 0, graph.centers[vertex] != .none, groupOfVertex[vertex] < 0 else { continue }
                let key = StereoGroup(group.kind, number: Int(group.number), atoms: [])
                let place = known[key] ?? groups.count
                if place == groups.count {
                    known[key] = place
                    groups.append((group.kind, []))
                    atoms.append([])
                }
                groups[place].vertices.append(vertex)
                atoms[place].append(Int(atom))
                groupOfVertex[vertex] = Int32(truncatingIfNeeded: place)
            }
        }
    }

    /// Mirrors the configurations of some groups in the graph.
    ///
    /// - Parameter choice: a bit for each group, set if the group is mirrored.
    func mirror(_ graph: inout MoleculeGraph, _ choice: Int) {
        for (place, group) in groups.enumerated() where place < Int.bitWidth - 1 && choice & 1 << place != 0 {
            for vertex in group.vertices { graph.centers[vertex] = graph.centers[vertex].opposite }
        }
    }

    /// Returns a text for the positions of the groups' atoms, which does not depend on the order of the groups.
    ///
    /// - Parameter order: the molecule's atoms in text order.
    func places(in order: [Int]) -> [UInt8] {
        var places: [Int: Int] = [:]
        for (place, atom) in order.enumerated() where atom >= 0 { places[atom] = place }
        let texts = atoms.indices.map { group in
            let members = atoms[group].map { places[$0] ?? -1 }.sorted()
            return Array("|\(groups[group].kind):\(members)".utf8)
        }
        return texts.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
    }
}
