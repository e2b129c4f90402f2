/// A matching that pairs the vertices of a graph along its edges.
///
/// It covers as many vertices of the highest rank as possible, and then as many of the next rank as possible.
///
/// This is Edmonds' algorithm. A tree of alternating paths grows from each free vertex, and odd cycles are contracted
/// to one vertex. A path that ends at a free vertex, or at a paired vertex of lower rank, is inverted. If a tree finds
/// neither, it never will, so later searches skip it. The number of steps is limited: for a graph that was designed to
/// be slow, the pairing is worse, but the search ends in reasonable time.
package struct Matching {
    /// The priority of finding a partner for a vertex.
    package enum Rank: UInt8, Comparable {
        /// Has no partner.
        case absent
        /// Gets a partner only to complete the pair of a vertex of higher rank.
        case wildcard
        case obliging
        case demanding

        package static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    /// The state of a vertex during the search.
    private enum State: UInt8 {
        case unreached
        /// At an even distance from the root, or in a contracted cycle.
        case even
        case odd
        /// Part of a tree whose search failed.
        case settled
    }

    private struct Vertex {
        let rank: Rank
        var state = State.unreached
        /// The neighbors of this vertex are a range of the `neighbors` array.
        var firstNeighbor: Int32 = 0
        var endOfNeighbors: Int32 = 0
        var partner = nobody
        /// The previous vertex on the path from the root.
        var parent = nobody
        /// The first link of the chain to the vertex that represents the contracted cycle.
        var base: Int32
        var visit: Int32 = 0
    }

    private var vertices: [Vertex]
    private let neighbors: [Int32]
    private var visit: Int32 = 0
    private var reached: [Int32] = []
    /// The number of edges and vertices visited so far.
    private(set) var steps = 0
    private let mostSteps: Int

    private static let nobody: Int32 = -1

    /// Creates a graph with one vertex for each rank.
    ///
    /// Edges are ignored if an end does not exist or is absent, or if both ends are the same.
    package init(_ ranks: [Rank], edges: [(Int32, Int32)]) {
        var vertices: [Vertex] = []
        vertices.reserveCapacity(ranks.count)
        for rank in ranks { vertices.append(Vertex(rank: rank, base: Int32(clamping: vertices.count))) }
        let isPresent = { (one: Int32, other: Int32) in
            one != other && ranks.indices.contains(Int(one)) && ranks.indices.contains(Int(other))
                && ranks[Int(one)] != .absent && ranks[Int(other)] != .absent
        }
        var count: Int32 = 0
        for (one, other) in edges where isPresent(one, other) {
            vertices[Int(one)].endOfNeighbors += 1
            vertices[Int(other)].endOfNeighbors += 1
            count += 2
        }
        var first: Int32 = 0
        for index in vertices.indices {
            let size = vertices[index].endOfNeighbors
            (vertices[index].firstNeighbor, vertices[index].endOfNeighbors) = (first, first)
            first += size
        }
        var neighbors = [Int32](repeating: 0, count: Int(count))
        for (one, other) in edges where isPresent(one, other) {
            neighbors[Int(vertices[Int(one)].endOfNeighbors)] = other
            vertices[Int(one)].endOfNeighbors += 1
            neighbors[Int(vertices[Int(other)].endOfNeighbors)] = one
            vertices[Int(other)].endOfNeighbors += 1
        }
        self.vertices = vertices
        self.neighbors = neighbors
        mostSteps = 1_000_000 + 100 * neighbors.count
    }

    /// Finds the pairs.
    package mutating func fill() {
        for index in vertices.indices where isFree(index, .demanding) { pairWithEqual(Int32(clamping: index)) }
        for rank in [Rank.demanding, .obliging] {
            for index in vertices.indices where isFree(index, rank) { findPartner(for: Int32(clamping: index)) }
        }
    }

    private func isFree(_ index: Int, _ rank: Rank) -> Bool {
        vertices[index].rank == rank && vertices[index].partner == Self.nobody
    }

    /// Returns whether two vertices are a pair, and separates them. A second call for the same pair returns `false`.
    package mutating func takePair(_ one: Int32, _ other: Int32) -> Bool {
        guard vertices.indices.contains(Int(one)), self[one].partner != Self.nobody, self[one].partner == other else {
            return false
        }
        self[one].partner = Self.nobody
        self[other].partner = Self.nobody
        return true
    }

    private subscript(_ vertex: Int32) -> Vertex {
        @inline(__always) get { vertices[Int(vertex)] }
        @inline(__always) _modify { yield &vertices[Int(vertex)] }
    }

    private func neighbors(of vertex: Int32) -> Range<Int> {
        Int(self[vertex].firstNeighbor)..<Int(self[vertex].endOfNeighbors)
    }

    private mutating func pairWithEqual(_ vertex: Int32) {
        for place in neighbors(of: vertex) {
            let other = neighbors[place]
            if self[other].partner == Self.nobody, self[other].rank == self[vertex].rank {
                self[vertex].partner = other
                self[other].partner = vertex
                return
            }
        }
    }

    private mutating func findPartner(for root: Int32) {
        reach(root, as: .even)
        var queue = [root]
        var head = 0
        while head < queue.count, steps < mostSteps {
            let vertex = queue[head]
            head += 1
            for place in neighbors(of: vertex) {
                steps += 1
                let other = neighbors[place]
                switch self[other].state {
                case .unreached:
                    self[other].parent = vertex
                    reach(other, as: .odd)
                    let partner = self[other].partner
                    if partner == Self.nobody { return turnPath(endingAt: other) }
                    reach(partner, as: .even)
                    if self[partner].rank < self[root].rank { return free(partner) }
                    queue.append(partner)
                case .even where base(of: vertex) != base(of: other):
                    let first = queue.count
                    let base = commonBase(vertex, other)
                    shrink(from: vertex, over: other, to: base, &queue)
                    shrink(from: other, over: vertex, to: base, &queue)
                    for added in queue[first...] where self[added].rank < self[root].rank { return free(added) }
                case .even, .odd, .settled:
                    continue
                }
            }
        }
        for vertex in reached { self[vertex].state = .settled }
        reached.removeAll(keepingCapacity: true)
    }

    private mutating func reach(_ vertex: Int32, as state: State) {
        self[vertex].state = state
        reached.append(vertex)
    }

    /// Makes `vertex` free, and pairs its partner along the path from the root instead.
    private mutating func free(_ vertex: Int32) {
        let partner = self[vertex].partner
        self[vertex].partner = Self.nobody
        turnPath(endingAt: partner)
    }

    /// Swaps paired and unpaired edges along the path from the root, and resets the search.
    private mutating func turnPath(endingAt end: Int32) {
        var vertex = end
        while vertex != Self.nobody {
            let parent = self[vertex].parent
            let next = self[parent].partner
            self[vertex].partner = parent
            self[parent].partner = vertex
            vertex = next
        }
        for vertex in reached {
            self[vertex].state = .unreached
            self[vertex].parent = Self.nobody
            self[vertex].base = vertex
        }
        reached.removeAll(keepingCapacity: true)
    }

    private mutating func base(of vertex: Int32) -> Int32 {
        var vertex = vertex
        while self[vertex].base != vertex {
            self[vertex].base = self[self[vertex].base].base
            vertex = self[vertex].base
        }
        return vertex
    }

    /// Returns the vertex where the paths from two vertices to the root meet.
    private mutating func commonBase(_ one: Int32, _ other: Int32) -> Int32 {
        visit &+= 1
        var here = one
        var there = other
        while true {
            if here != Self.nobody {
                here = base(of: here)
                if self[here].visit == visit { return here }
                self[here].visit = visit
                steps += 1
                let partner = self[here].partner
                here = partner == Self.nobody ? Self.nobody : self[partner].parent
            }
            swap(&here, &there)
        }
    }

    /// Contracts one side of an odd cycle into `base`, beginning at `start`, one end of the edge that closes the cycle.
    private mutating func shrink(from start: Int32, over across: Int32, to base: Int32, _ queue: inout [Int32]) {
        var vertex = start
        var before = across
        while self.base(of: vertex) != base {
            steps += 1
            self[vertex].parent = before
            before = self[vertex].partner
            if self[before].state == .odd {
                self[before].state = .even
                queue.append(before)
            }
            if self[vertex].base == vertex { self[vertex].base = base }
            if self[before].base == before { self[before].base = base }
            vertex = self[before].parent
        }
    }
}
