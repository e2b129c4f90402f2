/// Looks around a bond for a small ring, without finding all rings of its block.
struct RingSurroundings: Sendable {
    /// The search that has met each atom last.
    private var marks: [Int32] = []
    private var search: Int32 = 0
    /// The atoms that were met, by their distance.
    private var queue: [Int32] = []
    private var stepsLeft = 0

    /// A ring of seven bonds has no atom that is farther from both ends of one of them.
    private static var reach: Int { RingSet.mostInSmallRing / 2 }
    /// More than there are around a bond of a molecule.
    private static var mostSteps: Int { 512 }

    /// Whether a bond is in a small ring; `nil` where too much stands around it to be looked through for each bond.
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

    /// Marks the atoms that few bonds of rings lead to, as far as one that has a mark already.
    ///
    /// - Returns: whether there is such an atom.
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
                    let neighbour = graph.neighbours[place]
                    stepsLeft -= 1
                    if stepsLeft < 0 { return false }
                    if neighbour.edge == edge || !graph.edges[Int(neighbour.edge)].isInRing { continue }
                    let known = marks[Int(neighbour.atom)]
                    if known == other { return true }
                    if known == mark { continue }
                    marks[Int(neighbour.atom)] = mark
                    queue.append(neighbour.atom)
                }
                next += 1
            }
        }
        return false
    }
}
