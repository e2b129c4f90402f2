/// Finds the bonds of a graph that stand between two atoms between which there is one already.
struct RepeatedEdges: Sendable {
    /// How many there are.
    private(set) var count = 0
    /// Whether each edge is one of them; empty where none is.
    private var isRepeated: [Bool] = []
    /// The last atom from which each atom was seen.
    private var seenFrom: [Int32] = []

    /// Forgets what was found.
    mutating func forget() {
        count = 0
    }

    /// Looks through a graph.
    mutating func find(in graph: borrowing MoleculeGraph) {
        count = 0
        isRepeated = []
        seenFrom.fill(with: -1, count: graph.vertices.count)
        for index in graph.vertices.indices {
            let atom = Int32(truncatingIfNeeded: index)
            for place in graph.range(of: index) {
                let neighbour = graph.neighbours[place]
                if seenFrom[Int(neighbour.atom)] != atom {
                    seenFrom[Int(neighbour.atom)] = atom
                    continue
                }
                if isRepeated.isEmpty { isRepeated = Array(repeating: false, count: graph.edges.count) }
                if !isRepeated[Int(neighbour.edge)] { count += 1 }
                isRepeated[Int(neighbour.edge)] = true
            }
        }
    }

    /// The edges but for these.
    func left(of edges: [MoleculeGraph.Edge]) -> [MoleculeGraph.Edge] {
        edges.indices.filter { !isRepeated[$0] }.map { edges[$0] }
    }
}
