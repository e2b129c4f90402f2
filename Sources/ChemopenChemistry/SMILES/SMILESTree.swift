/// The order of atoms in a SMILES: a depth-first search along the bonds, and the bonds that close rings.
struct SMILESTree: Sendable {
    /// An atom of the search. Its lists are linked by indices, and -1 ends a list.
    private struct Stop: Sendable {
        /// The position of the atom in the text, and the bond to its parent.
        var turn: Int32 = -1
        var entry: Int32 = -1
        /// The first and last atom reached from this atom, and the next atom with the same parent.
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var sibling: Int32 = -1
        /// The ring bonds with their first digit at this atom.
        var firstOpened: Int32 = -1
        var lastOpened: Int32 = -1
        /// The ring bonds with their second digit at this atom.
        var firstClosed: Int32 = -1
        var lastClosed: Int32 = -1
    }

    /// A bond of the search.
    private struct Step: Sendable {
        /// The position of the bond in the search.
        var turn: Int32 = -1
        /// The next ring bonds in the lists of its two atoms.
        var nextOpened: Int32 = -1
        var nextClosed: Int32 = -1
        var isClosing = false
    }

    /// An atom on the current path that has unvisited neighbors.
    private struct Fork: Sendable {
        var atom: Int32 = 0
        var next: Int32 = 0
        var end: Int32 = 0
    }

    private(set) var roots: [Int32] = []
    /// The bonds in search order.
    private(set) var edgesInOrder: [Int32] = []
    private var stops: [Stop] = []
    private var steps: [Step] = []
    private var path: [Fork] = []

    /// Visits all atoms of a graph.
    ///
    /// - Parameter ranks: the ranks that determine the first atom of each part. By default, it is the first in the
    ///   file.
    mutating func grow(over graph: borrowing MoleculeGraph, by ranks: [Int32] = []) {
        let count = graph.vertices.count
        roots.removeAll(keepingCapacity: true)
        edgesInOrder.fill(with: -1, count: graph.edges.count)
        stops.fill(with: Stop(), count: count)
        steps.fill(with: Step(), count: graph.edges.count)
        if path.count < count { path.fill(with: Fork(), count: count) }
        var turn: Int32 = 0
        var met = 0
        if ranks.isEmpty {
            for root in 0..<count where stops[root].turn < 0 { grow(from: root, over: graph, &turn, &met) }
        } else {
            let order = (0..<count).sorted { ranks[$0] < ranks[$1] }
            for root in order where stops[root].turn < 0 { grow(from: root, over: graph, &turn, &met) }
        }
    }

    /// Visits the connected part of the graph that contains an atom.
    private mutating func grow(
        from root: Int, over graph: borrowing MoleculeGraph, _ turn: inout Int32, _ met: inout Int
    ) {
        roots.append(Int32(truncatingIfNeeded: root))
        Self.walk(
            from: root, over: graph.vertices.span, graph.neighbors.span, &turn, &met, &stops, &steps, &path,
            &edgesInOrder)
    }

    private static func walk(
        from root: Int, over vertices: Span<MoleculeGraph.Vertex>, _ neighbors: Span<MoleculeGraph.Neighbor>,
        _ turn: inout Int32, _ met: inout Int, _ stops: inout [Stop], _ steps: inout [Step], _ path: inout [Fork],
        _ edgesInOrder: inout [Int32]
    ) {
        var stops = stops.mutableSpan
        var steps = steps.mutableSpan
        var path = path.mutableSpan
        var edgesInOrder = edgesInOrder.mutableSpan
        var atom = Int32(truncatingIfNeeded: root)
        stops[root].turn = turn
        turn &+= 1
        var (next, end) = (vertices[root].first, vertices[root].end)
        var depth = 0
        while true {
            if next >= end {
                if depth == 0 { return }
                depth &-= 1
                (atom, next, end) = (path[depth].atom, path[depth].next, path[depth].end)
                continue
            }
            let neighbor = neighbors[Int(next)]
            let (there, edge) = (Int(neighbor.atom), Int(neighbor.edge))
            next &+= 1
            if steps[edge].turn >= 0 { continue }
            steps[edge].turn = Int32(truncatingIfNeeded: met)
            edgesInOrder[met] = neighbor.edge
            met &+= 1
            stops[there].turn = turn
            stops[there].entry = neighbor.edge
            turn &+= 1
            let sibling = stops[Int(atom)].lastChild
            if sibling < 0 {
                stops[Int(atom)].firstChild = neighbor.atom
            } else {
                stops[Int(sibling)].sibling = neighbor.atom
            }
            stops[Int(atom)].lastChild = neighbor.atom
            if next < end {
                path[depth] = Fork(atom: atom, next: next, end: end)
                depth &+= 1
            }
            atom = neighbor.atom
            (next, end) = (vertices[there].first, vertices[there].end)
            // The text closes its rings before it continues, so close them here as well.
            for place in next..<end where steps[Int(neighbors[Int(place)].edge)].turn < 0 {
                let back = neighbors[Int(place)]
                if stops[Int(back.atom)].turn >= 0 {
                    close(back.edge, from: atom, to: back.atom, &met, &stops, &steps, &edgesInOrder)
                }
            }
        }
    }

    /// Adds a bond back to an atom on the path.
    @inline(__always)
    private static func close(
        _ edge: Int32, from atom: Int32, to start: Int32, _ met: inout Int, _ stops: inout MutableSpan<Stop>,
        _ steps: inout MutableSpan<Step>, _ edgesInOrder: inout MutableSpan<Int32>
    ) {
        steps[Int(edge)].turn = Int32(truncatingIfNeeded: met)
        steps[Int(edge)].isClosing = true
        edgesInOrder[met] = edge
        met &+= 1
        let before = (stops[Int(start)].lastOpened, stops[Int(atom)].lastClosed)
        if before.0 < 0 {
            stops[Int(start)].firstOpened = edge
        } else {
            steps[Int(before.0)].nextOpened = edge
        }
        if before.1 < 0 {
            stops[Int(atom)].firstClosed = edge
        } else {
            steps[Int(before.1)].nextClosed = edge
        }
        stops[Int(start)].lastOpened = edge
        stops[Int(atom)].lastClosed = edge
    }

    /// Returns the position of an atom in the text, or of a bond in the search.
    func turn(of atom: Int32) -> Int32 { stops[Int(atom)].turn }
    func turn(ofEdge edge: Int32) -> Int32 { steps[Int(edge)].turn }

    /// Returns the first atom reached from an atom, or the next atom with the same parent; -1 if there is none.
    func firstChild(of atom: Int32) -> Int32 { stops[Int(atom)].firstChild }
    func child(after sibling: Int32) -> Int32 { stops[Int(sibling)].sibling }

    /// The ring bonds with their first digit at an atom; -1 at the end.
    func firstOpened(at atom: Int32) -> Int32 { stops[Int(atom)].firstOpened }
    func opened(after edge: Int32) -> Int32 { steps[Int(edge)].nextOpened }

    /// The ring bonds with their second digit at an atom; -1 at the end.
    func firstClosed(at atom: Int32) -> Int32 { stops[Int(atom)].firstClosed }
    func closed(after edge: Int32) -> Int32 { steps[Int(edge)].nextClosed }

    /// The bond to the parent of an atom; -1 for a root.
    func entry(of atom: Int32) -> Int32 { stops[Int(atom)].entry }

    func isClosure(_ edge: Int32) -> Bool { steps[Int(edge)].isClosing }
}
