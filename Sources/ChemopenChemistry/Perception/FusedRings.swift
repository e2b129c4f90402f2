struct FusedRings {
    /// The candidates, by their numbers in the graph's rings. The others are called by their places among these.
    private let candidates: [Int]
    /// For each candidate where its fused rings begin, and at the end where the last ones end.
    private var starts: [Int32] = []
    private var neighbors: [Int32] = []
    /// There are more pairs of rings than are looked at, and the rings are taken one by one.
    private(set) var isBounded = false

    private static let largest = 24
    /// So many pairs of rings with a bond in common are looked at for each ring.
    private static let mostPairs = 4000

    init(_ candidates: [Int], of graph: borrowing MoleculeGraph) {
        self.candidates = candidates
        if candidates.count == 1 { return }
        // The last ring that contains each bond.
        var rings = [Int32](repeating: -1, count: graph.edges.count)
        var hasShared = false
        for ring in candidates where graph.rings.range(ring).count <= Self.largest {
            for edge in graph.rings.edges[graph.rings.range(ring)] {
                if rings[Int(edge)] >= 0 { hasShared = true }
                rings[Int(edge)] = Int32(truncatingIfNeeded: ring)
            }
        }
        if hasShared { findNeighbors(graph) }
    }

    private mutating func findNeighbors(_ graph: borrowing MoleculeGraph) {
        let ringsOfEdges = RingsOfEdges(candidates, graph, largest: Self.largest)
        var stepsLeft = Self.mostPairs * candidates.count
        // For each candidate how many bonds it has in common with the one that is looked at.
        var shared = [Int32](repeating: 0, count: candidates.count)
        var touched: [Int32] = []
        starts.append(0)
        for ring in candidates where stepsLeft >= 0 {
            touched.removeAll(keepingCapacity: true)
            if graph.rings.range(ring).count <= Self.largest {
                for edge in graph.rings.edges[graph.rings.range(ring)] {
                    let range = ringsOfEdges.range(edge)
                    stepsLeft -= range.count
                    if stepsLeft < 0 { break }
                    for other in ringsOfEdges.rings[range] {
                        if shared[Int(other)] == 0 { touched.append(other) }
                        shared[Int(other)] += 1
                    }
                }
            }
            // A ring has all of its bonds in common with itself.
            for other in touched {
                if shared[Int(other)] == 1 { neighbors.append(other) }
                shared[Int(other)] = 0
            }
            starts.append(Int32(truncatingIfNeeded: neighbors.count))
        }
        if stepsLeft >= 0 { return }
        isBounded = true
        (starts, neighbors) = ([], [])
    }

    /// The places of the rings that are fused with one.
    func neighbors(of place: Int32) -> ArraySlice<Int32> {
        starts.isEmpty ? [] : neighbors[Int(starts[Int(place)])..<Int(starts[Int(place) + 1])]
    }

    var count: Int { candidates.count }

    /// Whether any two are fused.
    var areFused: Bool { !neighbors.isEmpty }

    /// The number of a candidate among the graph's rings.
    func ring(at place: Int32) -> Int { candidates[Int(place)] }

    /// The systems, each as the places of its rings.
    func systems() -> [[Int32]] {
        let places = candidates.indices.map { Int32(truncatingIfNeeded: $0) }
        var isSeen = [Bool](repeating: false, count: candidates.count)
        var systems: [[Int32]] = []
        for root in places where !isSeen[Int(root)] {
            isSeen[Int(root)] = true
            var system: [Int32] = []
            var open = [root]
            while let place = open.popLast() {
                system.append(place)
                for next in neighbors(of: place) where !isSeen[Int(next)] {
                    isSeen[Int(next)] = true
                    open.append(next)
                }
            }
            systems.append(system)
        }
        return systems
    }
}

/// For each bond the places of the candidates that have it.
private struct RingsOfEdges {
    private var starts: [Int32]
    private(set) var rings: [Int32] = []

    init(_ candidates: [Int], _ graph: borrowing MoleculeGraph, largest: Int) {
        starts = [Int32](repeating: 0, count: graph.edges.count + 1)
        for ring in candidates where graph.rings.range(ring).count <= largest {
            for edge in graph.rings.edges[graph.rings.range(ring)] { starts[Int(edge) + 1] += 1 }
        }
        for edge in graph.edges.indices { starts[edge + 1] += starts[edge] }
        rings = [Int32](repeating: 0, count: Int(starts[graph.edges.count]))
        var ends = starts
        for (place, ring) in candidates.enumerated() where graph.rings.range(ring).count <= largest {
            for edge in graph.rings.edges[graph.rings.range(ring)] {
                rings[Int(ends[Int(edge)])] = Int32(truncatingIfNeeded: place)
                ends[Int(edge)] += 1
            }
        }
    }

    func range(_ edge: Int32) -> Range<Int> { Int(starts[Int(edge)])..<Int(starts[Int(edge) + 1]) }
}
