/// A search for repeated edges, which connect two atoms that another edge already connects.
struct RepeatedEdges: Sendable {
    /// The number of repeated edges.
    private(set) var count = 0
    /// Whether each edge is a repeated edge; empty if there are no repeated edges.
    private var isRepeated: [Bool] = []
    /// The last visited neighbor of each atom.
    private var seenFrom: [Int32] = []

    /// Resets the result.
    mutating func forget() {
        count = 0
    }

    /// Searches a graph for repeated edges.
    mutating func find(in graph: borrowing MoleculeGraph) {
        count = 0
        isRepeated = []
        seenFrom.fill(with: -1, count: graph.vertices.count)
        for index in graph.vertices.indices {
            let atom = Int32(truncatingIfNeeded: index)
            for place in graph.range(of: index) {
                let neighbor = graph.neighbors[place]
                if seenFrom[Int(neighbor.atom)] != atom {
                    seenFrom[Int(neighbor.atom)] = atom
                    continue
                }
                if isRepeated.isEmpty { isRepeated = Array(repeating: false, count: graph.edges.count) }
                if !isRepeated[Int(neighbor.edge)] { count += 1 }
                isRepeated[Int(neighbor.edge)] = true
            }
        }
    }

    /// Returns all edges except the repeated ones.
    func left(of edges: [MoleculeGraph.Edge]) -> [MoleculeGraph.Edge] {
        edges.indices.filter { !isRepeated[$0] }.map { edges[$0] }
    }
}
