/// Pairs the vertices of a graph along its edges: as many of the highest rank as can be, then of the next.
///
/// Edmonds' algorithm: from each free vertex a tree of alternating paths grows; an odd cycle shrinks to one vertex. A
/// path that ends at a free vertex, or at a paired one of lower rank, is turned over. A tree that finds neither will
/// never find one, and is left out of all later searches. What a search may cost is bounded, so that a graph made to
/// be slow gets a poorer pairing and not a long wait.
package struct Matching {
    /// How much a vertex wants a partner.
    package enum Rank: UInt8, Comparable {
        /// Takes none.
        case absent
        /// Takes one to oblige another.
        case wildcard
        case obliging
        case demanding

        package static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    /// Where a vertex stands in the search.
    private enum State: UInt8 {
        case unreached
        /// At an even distance from the root, or in a shrunk cycle.
        case even
        case odd
        /// Part of a tree that found nothing.
        case settled
    }

    private struct Vertex {
        let rank: Rank
        var state = State.unreached
        /// Its neighbours are a part of all neighbours.
        var firstNeighbour: Int32 = 0
        var endOfNeighbours: Int32 = 0
        var partner = nobody
        /// The vertex before it on the path from the root.
        var parent = nobody
        /// Leads to the vertex for which the shrunk cycle stands.
        var base: Int32
        var visit: Int32 = 0
    }

    private var vertices: [Vertex]
    private let neighbours: [Int32]
    private var visit: Int32 = 0
    private var reached: [Int32] = []
    /// How much has been looked at.
    private(set) var steps = 0
    private let mostSteps: Int

    private static let nobody: Int32 = -1

    /// A graph of as many vertices as there are ranks. Edges that lead nowhere or to an absent vertex are left out.
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
            vertices[Int(one)].endOfNeighbours += 1
            vertices[Int(other)].endOfNeighbours += 1
            count += 2
        }
        var first: Int32 = 0
        for index in vertices.indices {
            let size = vertices[index].endOfNeighbours
            (vertices[index].firstNeighbour, vertices[index].endOfNeighbours) = (first, first)
            first += size
        }
        var neighbours = [Int32](repeating: 0, count: Int(count))
        for (one, other) in edges where isPresent(one, other) {
            neighbours[Int(vertices[Int(one)].endOfNeighbours)] = other
            vertices[Int(one)].endOfNeighbours += 1
            neighbours[Int(vertices[Int(other)].endOfNeighbours)] = one
            vertices[Int(other)].endOfNeighbours += 1
        }
        self.vertices = vertices
        self.neighbours = neighbours
        mostSteps = 1_000_000 + 100 * neighbours.count
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

    /// Whether two vertices are a pair; asked a second time they are none.
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

    private func neighbours(of vertex: Int32) -> Range<Int> {
        Int(self[vertex].firstNeighbour)..<Int(self[vertex].endOfNeighbours)
    }

    private mutating func pairWithEqual(_ vertex: Int32) {
        for place in neighbours(of: vertex) {
            let other = neighbours[place]
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
            for place in neighbours(of: vertex) {
                steps += 1
                let other = neighbours[place]
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

    /// Gives the partner of a vertex to the path that led there.
    private mutating func free(_ vertex: Int32) {
        let partner = self[vertex].partner
        self[vertex].partner = Self.nobody
        turnPath(endingAt: partner)
    }

    /// Pairs anew along the path from the root, and forgets the search.
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

    /// Where the ways of two vertices to the root meet.
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

    /// Takes one side of an odd cycle, from one end of the edge that closes it to the base, into the base.
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
