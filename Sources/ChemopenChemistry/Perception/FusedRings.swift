/// The rings that share exactly one bond with each ring.
typealias RingNeighbours = [Int: [Int]]

/// Rings grouped into fused systems. Two rings are fused if they share exactly one bond and neither has more than 24
/// atoms.
struct FusedRings {
    private let candidates: [Int]
    private var neighbours: RingNeighbours = [:]

    init(_ candidates: [Int], of graph: borrowing MoleculeGraph) {
        self.candidates = candidates
        if candidates.count == 1 { return }
        // The last ring that contains each bond.
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

    /// Calls `take` with the rings of each system.
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

/// The connected subsets of a system's rings of a certain size, each once.
///
/// A subset grows from its first ring by adjacent rings that follow it in the system (the ESU algorithm).
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
