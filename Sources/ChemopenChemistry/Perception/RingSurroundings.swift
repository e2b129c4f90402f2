/// A local search for a small ring around a bond, which avoids finding all rings of its block.
struct RingSurroundings: Sendable {
    /// The number of the last search that visited each atom.
    private var marks: [Int32] = []
    private var search: Int32 = 0
    /// The visited atoms, in the order of their distance.
    private var queue: [Int32] = []
    private var stepsLeft = 0

    /// The search radius: in a ring of seven bonds, no atom is farther than this from both ends of a bond.
    private static var reach: Int { RingSet.mostInSmallRing / 2 }
    /// The limit of steps, which is more than the surroundings of a bond usually need.
    private static var mostSteps: Int { 512 }

    /// Returns whether a bond is in a small ring, or `nil` if the limit of steps was reached.
    mutating func haveSmallRing(over edge: Int32, in graph: borrowing MoleculeGraph) -> Bool? {
        if marks.count < graph.vertices.count || search > Int32.max - 2 {
            marks.fill(with: 0, count: graph.vertices.count)
            search = 0
        }
        stepsLeft = Self.mostSteps
        search += 2
        let (from, to) = (graph.edges[Int(edge)].from, graph.edges[Int(edge)].to)
        let isMet =
            walk(from: from, besides: edge, in: graph, marking: search - 1, until: search)
            || walk(from: to, besides: edge, in: graph, marking: search, until: search - 1)
        return isMet ? true : stepsLeft < 0 ? nil : false
    }

    /// Marks the atoms near `start` with a breadth-first search, which stops at an atom of the other search.
    ///
    /// - Returns: whether it reached such an atom.
    private mutating func walk(
        from start: Int32, besides edge: Int32, in graph: borrowing MoleculeGraph, marking mark: Int32,
        until other: Int32
    ) -> Bool {
        if marks[Int(start)] == other { return true }
        marks[Int(start)] = mark
        queue.removeAll(keepingCapacity: true)
        queue.append(start)
        var next = 0
        for _ in 0..<Self.reach {
            let end = queue.count
            while next < end {
                for place in graph.range(of: Int(queue[next])) {
                    let neighbor = graph.neighbors[place]
                    stepsLeft -= 1
                    if stepsLeft < 0 { return false }
                    if neighbor.edge == edge || !graph.edges[Int(neighbor.edge)].isInRing { continue }
                    let known = marks[Int(neighbor.atom)]
                    if known == other { return true }
                    if known == mark { continue }
                    marks[Int(neighbor.atom)] = mark
                    queue.append(neighbor.atom)
                }
                next += 1
            }
        }
        return false
    }
}
