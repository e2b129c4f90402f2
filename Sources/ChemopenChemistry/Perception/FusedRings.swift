/// The rings of a graph that can be aromatic, with the rings that are fused with each of them.
struct FusedRings {
    /// The candidates, as indices in the graph's rings. All other properties identify a ring by its index in this
    /// array.
    private let candidates: [Int]
    /// The start of each candidate's fused rings in `neighbors`, and the end of the last candidate's.
    private var starts: [Int32] = []
    private var neighbors: [Int32] = []
    /// Whether there are too many pairs of rings to examine. If so, each ring is treated separately.
    private(set) var isBounded = false

    private static let largest = 24
    /// The maximum number of ring pairs with a common bond, for each ring.
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
        // The number of bonds that each candidate shares with the current ring.
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
            // A ring shares all of its bonds with itself, so its number of shared bonds is never one.
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

    /// Returns the rings that are fused with a ring.
    func neighbors(of place: Int32) -> ArraySlice<Int32> {
        starts.isEmpty ? [] : neighbors[Int(starts[Int(place)])..<Int(starts[Int(place) + 1])]
    }

    var count: Int { candidates.count }

    /// Whether any two rings are fused.
    var areFused: Bool { !neighbors.isEmpty }

    /// Returns the index of a candidate in the graph's rings.
    func ring(at place: Int32) -> Int { candidates[Int(place)] }

    /// Returns the fused systems, each as a list of rings.
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

/// The candidates that contain each bond.
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
