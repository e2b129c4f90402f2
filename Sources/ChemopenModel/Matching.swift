/// Pairs the vertices of a graph along its edges: as many of the highest rank as can be, then of the next.
///
/// Edmonds' algorithm: from each free vertex a tree of alternating paths grows; an odd cycle shrinks to one vertex. A
/// path that ends at a free vertex, or at a paired one of lower rank, is turned over. A tree that finds neither will
/// never find one, and is left out of all later searches. What a search may cost is bounded, so that a graph made to
/// be slow gets a poorer pairing and not a long wait.
struct Matching {
    /// How much a vertex wants a partner.
    enum Rank: UInt8, Comparable {
        /// Takes none.
        case absent
        /// Takes one to oblige another.
        case wildcard
        case obliging
        case demanding

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
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

    private let ranks: [Rank]
    /// The neighbours of vertex `v` are `neighbours[starts[v]..<starts[v + 1]]`.
    private let starts: [Int]
    private let neighbours: [Int]
    private var partners: [Int]
    private var states: [State]
    /// The vertex before it on the path from the root.
    private var parents: [Int]
    /// Leads to the vertex for which the shrunk cycle stands.
    private var bases: [Int]
    private var visits: [Int]
    private var visit = 0
    private var reached: [Int] = []
    private var steps: Int

    private static let nobody = -1

    /// A graph of as many vertices as there are ranks. Edges that lead nowhere or to an absent vertex are left out.
    init(_ ranks: [Rank], edges: some Sequence<(Int, Int)>) {
        self.ranks = ranks
        let isPresent = { (one: Int, other: Int) in
            one != other && ranks.indices.contains(one) && ranks.indices.contains(other)
                && ranks[one] != .absent && ranks[other] != .absent
        }
        var starts = Array(repeating: 0, count: ranks.count + 1)
        for (one, other) in edges where isPresent(one, other) {
            starts[one + 1] += 1
            starts[other + 1] += 1
        }
        for vertex in ranks.indices { starts[vertex + 1] += starts[vertex] }
        var ends = starts
        var neighbours = Array(repeating: 0, count: starts[ranks.count])
        for (one, other) in edges where isPresent(one, other) {
            neighbours[ends[one]] = other
            ends[one] += 1
            neighbours[ends[other]] = one
            ends[other] += 1
        }
        self.starts = starts
        self.neighbours = neighbours
        partners = Array(repeating: Self.nobody, count: ranks.count)
        states = Array(repeating: .unreached, count: ranks.count)
        parents = partners
        bases = Array(ranks.indices)
        visits = Array(repeating: 0, count: ranks.count)
        steps = 1_000_000 + 100 * neighbours.count
    }

    /// Finds the pairs.
    mutating func fill() {
        for vertex in ranks.indices where ranks[vertex] == .demanding && partners[vertex] == Self.nobody {
            pairWithEqual(vertex)
        }
        for rank in [Rank.demanding, .obliging] {
            for vertex in ranks.indices where ranks[vertex] == rank && partners[vertex] == Self.nobody {
                findPartner(for: vertex)
            }
        }
    }

    /// Whether two vertices are a pair; asked a second time they are none.
    mutating func takePair(_ one: Int, _ other: Int) -> Bool {
        guard partners.indices.contains(one), partners[one] != Self.nobody, partners[one] == other else { return false }
        partners[one] = Self.nobody
        partners[other] = Self.nobody
        return true
    }

    private mutating func pairWithEqual(_ vertex: Int) {
        for place in starts[vertex]..<starts[vertex + 1] {
            let other = neighbours[place]
            if partners[other] == Self.nobody, ranks[other] == ranks[vertex] {
                partners[vertex] = other
                partners[other] = vertex
                return
            }
        }
    }

    private mutating func findPartner(for root: Int) {
        reach(root, as: .even)
        var queue = [root]
        var head = 0
        while head < queue.count, steps > 0 {
            let vertex = queue[head]
            head += 1
            for place in starts[vertex]..<starts[vertex + 1] {
                steps -= 1
                let other = neighbours[place]
                switch states[other] {
                case .unreached:
                    parents[other] = vertex
                    reach(other, as: .odd)
                    let partner = partners[other]
                    if partner == Self.nobody { return turnPath(endingAt: other) }
                    reach(partner, as: .even)
                    if ranks[partner] < ranks[root] { return free(partner) }
                    queue.append(partner)
                case .even where base(of: vertex) != base(of: other):
                    let first = queue.count
                    let base = commonBase(vertex, other)
                    shrink(from: vertex, over: other, to: base, &queue)
                    shrink(from: other, over: vertex, to: base, &queue)
                    for added in queue[first...] where ranks[added] < ranks[root] { return free(added) }
                case .even, .odd, .settled:
                    continue
                }
            }
        }
        for vertex in reached { states[vertex] = .settled }
        reached.removeAll(keepingCapacity: true)
    }

    private mutating func reach(_ vertex: Int, as state: State) {
        states[vertex] = state
        reached.append(vertex)
    }

    /// Gives the partner of a vertex to the path that led there.
    private mutating func free(_ vertex: Int) {
        let partner = partners[vertex]
        partners[vertex] = Self.nobody
        turnPath(endingAt: partner)
    }

    /// Pairs anew along the path from the root, and forgets the search.
    private mutating func turnPath(endingAt end: Int) {
        var vertex = end
        while vertex != Self.nobody {
            let parent = parents[vertex]
            let next = partners[parent]
            partners[vertex] = parent
            partners[parent] = vertex
            vertex = next
        }
        for vertex in reached {
            states[vertex] = .unreached
            parents[vertex] = Self.nobody
            bases[vertex] = vertex
        }
        reached.removeAll(keepingCapacity: true)
    }

    private mutating func base(of vertex: Int) -> Int {
        var vertex = vertex
        while bases[vertex] != vertex {
            bases[vertex] = bases[bases[vertex]]
            vertex = bases[vertex]
        }
        return vertex
    }

    /// Where the ways of two vertices to the root meet.
    private mutating func commonBase(_ one: Int, _ other: Int) -> Int {
        visit += 1
        var here = one
        var there = other
        while true {
            if here != Self.nobody {
                here = base(of: here)
                if visits[here] == visit { return here }
                visits[here] = visit
                steps -= 1
                let partner = partners[here]
                here = partner == Self.nobody ? Self.nobody : parents[partner]
            }
            swap(&here, &there)
        }
    }

    /// Takes one side of an odd cycle, from one end of the edge that closes it to the base, into the base.
    private mutating func shrink(from start: Int, over across: Int, to base: Int, _ queue: inout [Int]) {
        var vertex = start
        var before = across
        while self.base(of: vertex) != base {
            steps -= 1
            parents[vertex] = before
            before = partners[vertex]
            if states[before] == .odd {
                states[before] = .even
                queue.append(before)
            }
            if bases[vertex] == vertex { bases[vertex] = base }
            if bases[before] == before { bases[before] = base }
            vertex = parents[before]
        }
    }
}
