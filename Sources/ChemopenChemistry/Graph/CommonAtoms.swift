import ChemopenModel

/// The atoms that two molecules have in common: a large connected substructure of both, found greedily.
///
///     let common = CommonAtoms(try Molecule(smiles: "Cc1ccccc1"), try Molecule(smiles: "Nc1ccccc1"))
///     print(common.differing.first.count)     // 1: the methyl group
package struct CommonAtoms {
    /// The atoms of each molecule outside the common part; empty if the molecules are too large to compare or have
    /// nothing in common.
    package private(set) var differing: (first: [Int], second: [Int]) = ([], [])

    /// The maximum number of atoms of a molecule.
    private static let mostAtoms = 300
    /// The number of pairs of atoms from which a common part is grown.
    private static let mostSeeds = 60

    package init(_ one: Molecule, _ other: Molecule) {
        let (first, second) = (Surroundings(one), Surroundings(other))
        guard (1...Self.mostAtoms).contains(first.count), (1...Self.mostAtoms).contains(second.count) else { return }
        var best: [Int32] = []
        var size = 0
        for (start, end) in Self.seeds(first, second) {
            let map = Self.grow(first, second, from: start, end)
            let found = map.count { $0 >= 0 }
            if found > size { (best, size) = (map, found) }
            if size == min(first.count, second.count) { break }
        }
        guard size > 1 else { return }
        let matched = Set(best)
        differing.first = best.indices.filter { best[$0] < 0 }.map { first.origin($0) }
        differing.second = (0..<second.count).filter { !matched.contains(Int32($0)) }.map { second.origin($0) }
    }

    /// Returns pairs of atoms that have the largest equal surroundings.
    private static func seeds(_ one: Surroundings, _ other: Surroundings) -> [(Int, Int)] {
        var seeds: [(Int, Int)] = []
        for level in (0..<Surroundings.levels).reversed() {
            for first in 0..<one.count {
                for second in 0..<other.count where one.keys[level][first] == other.keys[level][second] {
                    if level + 1 < Surroundings.levels, one.keys[level + 1][first] == other.keys[level + 1][second] {
                        continue
                    }
                    seeds.append((first, second))
                    if seeds.count == mostSeeds { return seeds }
                }
            }
        }
        return seeds
    }

    /// Extends a pair of atoms by matching neighbors, as long as possible.
    private static func grow(_ one: Surroundings, _ other: Surroundings, from start: Int, _ end: Int) -> [Int32] {
        var map = [Int32](repeating: -1, count: one.count)
        var isUsed = [Bool](repeating: false, count: other.count)
        map[start] = Int32(clamping: end)
        isUsed[end] = true
        var queue = [start]
        var next = 0
        while next < queue.count {
            let atom = queue[next]
            next += 1
            let partner = Int(map[atom])
            for step in one.neighbors(atom) where map[step.atom] < 0 {
                var choice: (atom: Int, score: Int)?
                for candidate in other.neighbors(partner) where !isUsed[candidate.atom] {
                    guard step.bond == candidate.bond, one.keys[0][step.atom] == other.keys[0][candidate.atom] else {
                        continue
                    }
                    // Prefer atoms that close the same rings, then those with the larger equal surroundings.
                    let closed = one.neighbors(step.atom).count { ring in
                        map[ring.atom] >= 0
                            && other.neighbors(candidate.atom).contains { $0.atom == Int(map[ring.atom]) }
                    }
                    var level = 0
                    while level + 1 < Surroundings.levels,
                        one.keys[level + 1][step.atom] == other.keys[level + 1][candidate.atom]
                    {
                        level += 1
                    }
                    let score = closed * Surroundings.levels + level
                    if score > choice?.score ?? -1 { choice = (candidate.atom, score) }
                }
                guard let choice else { continue }
                map[step.atom] = Int32(clamping: choice.atom)
                isUsed[choice.atom] = true
                queue.append(step.atom)
            }
        }
        return map
    }
}

/// The atoms of a molecule with keys that are equal for equal surroundings of growing size.
private struct Surroundings {
    static let levels = 5

    private let graph: MoleculeGraph
    private(set) var keys: [[UInt64]] = []

    init(_ molecule: Molecule) {
        var graph = MoleculeGraph(molecule)
        graph.perceiveAromaticity()
        self.graph = graph
        var keys = graph.vertices.map { vertex in
            Self.mixed(
                [UInt64(vertex.element), UInt64(bitPattern: Int64(vertex.charge)), vertex.isAromatic ? 1 : 0])
        }
        self.keys.append(keys)
        for _ in 1..<Self.levels {
            keys = graph.vertices.indices.map { atom in
                let around = neighbors(atom).map { Self.mixed([$0.bond, keys[$0.atom]]) }.sorted()
                return Self.mixed([keys[atom]] + around)
            }
            self.keys.append(keys)
        }
    }

    var count: Int { graph.vertices.count }

    func origin(_ atom: Int) -> Int { Int(graph.vertices[atom].origin) }

    func neighbors(_ atom: Int) -> [(atom: Int, bond: UInt64)] {
        let vertex = graph.vertices[atom]
        return graph.neighbors[Int(vertex.first)..<Int(vertex.end)].map { neighbor in
            let edge = graph.edges[Int(neighbor.edge)]
            let kind: UInt64 =
                if edge.isAromatic { 9 } else {
                    switch edge.order {
                    case .single: 1
                    case .double: 2
                    case .triple: 3
                    default: 4
                    }
                }
            return (Int(neighbor.atom), kind)
        }
    }

    /// Combines numbers into a key that is the same in every process.
    private static func mixed(_ values: [UInt64]) -> UInt64 {
        values.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1) &* 0x0000_0100_0000_01B3 ^ ($0 >> 29) }
    }
}
