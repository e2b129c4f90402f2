/// For each ring the rings that share one bond with it.
typealias RingNeighbours = [Int: [Int]]

/// Rings sorted into systems: two rings with one bond in common are fused, if neither is larger than 24 atoms.
struct FusedRings {
    private let candidates: [Int]
    private var neighbours: RingNeighbours = [:]

    init(_ candidates: [Int], of graph: borrowing MoleculeGraph) {
        self.candidates = candidates
        if candidates.count == 1 { return }
        // For each bond the ring that it was met in first.
        var rings = [Int32](repeating: -1, count: graph.edges.count)
        var hasShared = false
        for ring in candidates where graph.rings.range(ring).count <= 24 {
            for edge in graph.rings.edges[graph.rings.range(ring)] {
                if rings[Int(edge)] >= 0 { hasShared = true }
                rings[Int(edge)] = Int32(truncatingIfNeeded: ring)
            }
        }
        if hasShared { findNeighbours(graph) }
    }

    private mutating func findNeighbours(_ graph: borrowing MoleculeGraph) {
        var ringsOfEdge: [Int32: [Int]] = [:]
        for ring in candidates where graph.rings.range(ring).count <= 24 {
            for edge in graph.rings.edges[graph.rings.range(ring)] { ringsOfEdge[edge, default: []].append(ring) }
        }
        var shared: [Pair: Int] = [:]
        for sharing in ringsOfEdge.values where sharing.count > 1 {
            for (place, ring) in sharing.enumerated() {
                for other in sharing[(place + 1)...] { shared[Pair(one: ring, other: other), default: 0] += 1 }
            }
        }
        for (pair, count) in shared where count == 1 {
            neighbours[pair.one, default: []].append(pair.other)
            neighbours[pair.other, default: []].append(pair.one)
        }
    }

    private struct Pair: Hashable {
        let one: Int
        let other: Int
    }

    /// Hands out the rings of each system.
    mutating func forEachSystem(_ take: ([Int], RingNeighbours) -> Void) {
        if neighbours.isEmpty {
            for ring in candidates { take([ring], neighbours) }
            return
        }
        var seen = Set<Int>()
        for root in candidates where seen.insert(root).inserted {
            var system: [Int] = []
            var open = [root]
            while let ring = open.popLast() {
                system.append(ring)
                for next in neighbours[ring] ?? [] where seen.insert(next).inserted { open.append(next) }
            }
            take(system, neighbours)
        }
    }
}

/// The sets of some rings of a system that hang together, each once.
///
/// A set grows from its first ring by rings that come later in the system and are next to it (the way of ESU).
struct ConnectedSubsets {
    private let system: [Int]
    private let size: Int
    private let neighbours: RingNeighbours
    private let ranks: [Int: Int]
    private var root = 0
    private var stack: [State] = []

    private struct State {
        var members: [Int]
        var frontier: [Int]
        var closed: Set<Int>
    }

    init(of system: [Int], size: Int, _ neighbours: RingNeighbours) {
        self.system = system
        self.size = size
        self.neighbours = neighbours
        var ranks: [Int: Int] = [:]
        if size > 1 { for (rank, ring) in system.enumerated() { ranks[ring] = rank } }
        self.ranks = ranks
    }

    mutating func next() -> [Int]? {
        if size == 1 {
            guard root < system.count else { return nil }
            defer { root += 1 }
            return [system[root]]
        }
        while true {
            guard var state = stack.popLast() else {
                guard root < system.count else { return nil }
                let ring = system[root]
                let later = (neighbours[ring] ?? []).filter { (ranks[$0] ?? -1) > root }
                stack.append(State(members: [ring], frontier: later, closed: Set(later + [ring])))
                root += 1
                continue
            }
            guard let ring = state.frontier.popLast() else { continue }
            stack.append(state)
            let members = state.members + [ring]
            if members.count == size { return members }
            let first = ranks[members[0]] ?? 0
            var grown = state
            grown.members = members
            for next in neighbours[ring] ?? [] where (ranks[next] ?? -1) > first && !grown.closed.contains(next) {
                grown.frontier.append(next)
                grown.closed.insert(next)
            }
            stack.append(grown)
        }
    }
}
