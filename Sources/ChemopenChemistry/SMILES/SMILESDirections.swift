/// The directions of single bonds, `/` and `\`, that say how double bonds stand.
///
/// Each end of a double bond has one or two single bonds. Those with a direction have to agree with each other, and with
/// those at the other end: as equations of two variables each, which a walk along the text joins to sets. A ring of double
/// bonds may contradict itself, and directions at both ends of a double bond of unknown geometry would state one. Then a
/// single bond goes without a direction, and a hydrogen is written instead where the end has no other neighbor:
/// `C(/[H])`.
struct SMILESDirections: Sendable {
    enum Direction: UInt8, Sendable { case none, up, down }

    /// Double bonds whose geometry cannot be said.
    private(set) var unsaid = 0
    /// No bond has a direction.
    private(set) var isEmpty = true

    private var marks: [Mark] = []
    /// Single bonds that go without a direction, and double bonds that go without a geometry.
    private var freed: Set<Int32> = []
    private var dropped: Set<Int32> = []

    /// Beyond so many contradictions all geometries go unsaid.
    private static let mostRepairs = 64

    /// A variable: a bond, or behind all of them the hydrogen of an atom.
    private struct Mark: Sendable {
        var isUsed = false
        /// Another one of the same set, and whether the two point in opposite ways.
        var parent: Int32
        var isOpposite = false
        var direction = Direction.none
    }

    /// The direction of a bond, as the text comes along it.
    func direction(of edge: Int32) -> Direction { isEmpty ? .none : marks[Int(edge)].direction }

    /// The direction of the hydrogen that an atom is written with.
    func directionOfHydrogen(at atom: Int32, _ graph: borrowing MoleculeGraph) -> Direction {
        isEmpty ? .none : marks[graph.edges.count + Int(atom)].direction
    }

    /// Finds directions for a graph, as a walk along it has its atoms and bonds.
    mutating func settle(_ graph: inout MoleculeGraph, _ tree: borrowing SMILESTree) {
        isEmpty = true
        unsaid = 0
        if !graph.hasGeometries { return }
        if !freed.isEmpty { freed.removeAll() }
        if !dropped.isEmpty { dropped.removeAll() }
        for _ in 0..<Self.mostRepairs {
            use(graph, tree)
            guard let double = contradiction(in: &graph, tree) else {
                unsaid = dropped.count
                assign(graph, tree)
                return
            }
            if let single = bondToFree(at: double, graph, tree) {
                freed.insert(single)
            } else {
                dropped.insert(bondToDrop(at: double, graph, tree))
            }
        }
        unsaid = graph.geometries.count { $0.isKnown }
    }

    // MARK: Single bonds

    private func isStated(_ edge: Int32, _ graph: borrowing MoleculeGraph) -> Bool {
        graph.geometries[Int(edge)].isKnown && !dropped.contains(edge)
    }

    /// Takes all single bonds at double bonds that have a geometry, and hydrogens where none is left.
    private mutating func use(_ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree) {
        let count = graph.edges.count + graph.vertices.count
        marks.fill(with: Mark(parent: -1), count: count)
        for double in tree.edgesInOrder where isStated(double, graph) {
            let ends = [graph.edges[Int(double)].from, graph.edges[Int(double)].to]
            if ends.contains(where: { !hasSingle(at: $0, graph) }) {
                dropped.insert(double)
                continue
            }
            for end in ends {
                var isUsed = false
                for place in graph.range(of: Int(end)) {
                    let edge = graph.neighbours[place].edge
                    guard graph.edges[Int(edge)].order == .single, freed.isEmpty || !freed.contains(edge) else {
                        continue
                    }
                    marks[Int(edge)].isUsed = true
                    isUsed = true
                }
                if !isUsed { marks[graph.edges.count + Int(end)].isUsed = true }
            }
        }
    }

    private func hasSingle(at atom: Int32, _ graph: borrowing MoleculeGraph) -> Bool {
        graph.range(of: Int(atom)).contains { graph.edges[Int(graph.neighbours[$0].edge)].order == .single }
    }

    /// Whether a geometry at an atom can be said without a bond: by another one or a hydrogen. `nil` if not, else what that
    /// costs.
    private func cost(ofFreeing single: Int32, at atom: Int32, _ graph: borrowing MoleculeGraph) -> Int? {
        var isNeeded = false
        var hasOther = false
        for place in graph.range(of: Int(atom)) {
            let edge = graph.neighbours[place].edge
            if isStated(edge, graph) { isNeeded = true }
            if edge != single, graph.edges[Int(edge)].order == .single, !freed.contains(edge) { hasOther = true }
        }
        if !isNeeded || hasOther { return 0 }
        return graph.vertices[Int(atom)].hydrogens == 1 ? 1 : nil
    }

    /// A single bond at a double bond that need not have a direction, the one that takes the fewest hydrogens.
    private func bondToFree(
        at double: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Int32? {
        var best: (edge: Int32, cost: Int)?
        for end in [graph.edges[Int(double)].from, graph.edges[Int(double)].to] {
            for place in graph.range(of: Int(end)) {
                let neighbour = graph.neighbours[place]
                guard graph.edges[Int(neighbour.edge)].order == .single, marks[Int(neighbour.edge)].isUsed,
                    graph.range(of: Int(neighbour.atom)).contains(where: { isStated(graph.neighbours[$0].edge, graph) }
                    ),
                    let one = cost(ofFreeing: neighbour.edge, at: end, graph),
                    let other = cost(ofFreeing: neighbour.edge, at: neighbour.atom, graph)
                else { continue }
                let isFirst =
                    best.map {
                        (one + other, tree.turn(ofEdge: neighbour.edge)) < ($0.cost, tree.turn(ofEdge: $0.edge))
                    } ?? true
                if isFirst { best = (neighbour.edge, one + other) }
            }
        }
        return best?.edge
    }

    /// A double bond whose geometry is given up for a contradiction: that bond itself, or one whose directions state one
    /// for it.
    private func bondToDrop(
        at double: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Int32 {
        if isStated(double, graph) { return double }
        var first = double
        for end in [graph.edges[Int(double)].from, graph.edges[Int(double)].to] {
            for place in graph.range(of: Int(end)) where marks[Int(graph.neighbours[place].edge)].isUsed {
                for slot in graph.range(of: Int(graph.neighbours[place].atom)) {
                    let edge = graph.neighbours[slot].edge
                    guard isStated(edge, graph) else { continue }
                    if first == double || tree.turn(ofEdge: edge) < tree.turn(ofEdge: first) { first = edge }
                }
            }
        }
        return first
    }

    // MARK: Equations

    /// Joins directions that depend on each other.
    ///
    /// - Returns: the first double bond of the text at which they contradict each other, or state a geometry that is
    ///   unknown.
    private mutating func contradiction(in graph: inout MoleculeGraph, _ tree: borrowing SMILESTree) -> Int32? {
        for double in tree.edgesInOrder where graph.edges[Int(double)].order == .double {
            let edge = graph.edges[Int(double)]
            guard let one = firstMark(at: edge.from, graph, tree), let other = firstMark(at: edge.to, graph, tree)
            else {
                continue
            }
            if !oppose(marksAt: edge.from, to: one, graph, tree) { return double }
            if !oppose(marksAt: edge.to, to: other, graph, tree) { return double }
            let geometry = graph.geometries[Int(double)]
            if isStated(double, graph) {
                let isOneOther = (atom(of: one, from: edge.from, graph) != geometry.first)
                let isOtherOther = (atom(of: other, from: edge.to, graph) != geometry.second)
                let isTrans = geometry.isTrans != (isOneOther != isOtherOther)
                let startsHere = starts(one, at: edge.from, graph, tree) != starts(other, at: edge.to, graph, tree)
                if !join(one, other, areOpposite: isTrans != startsHere) { return double }
            } else if !geometry.isIdle, graph.mayHaveGeometry(Int(double)) {
                return double
            }
        }
        return nil
    }

    /// The first single bond of an atom that has a direction, or its hydrogen: no ring closure if there is another one.
    private func firstMark(at atom: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree) -> Int32? {
        var first: Int32?
        for place in graph.range(of: Int(atom)) {
            let edge = graph.neighbours[place].edge
            guard marks[Int(edge)].isUsed else { continue }
            if let known = first {
                let (isLater, isClosure) = (tree.turn(ofEdge: known) < tree.turn(ofEdge: edge), tree.isClosure(edge))
                if tree.isClosure(known) == isClosure ? isLater : isClosure { continue }
            }
            first = edge
        }
        let hydrogen = graph.edges.count + Int(atom)
        return first ?? (marks[hydrogen].isUsed ? Int32(truncatingIfNeeded: hydrogen) : nil)
    }

    /// The neighbor that a bond leads to; none for a hydrogen.
    private func atom(of mark: Int32, from atom: Int32, _ graph: borrowing MoleculeGraph) -> Int32 {
        Int(mark) < graph.edges.count ? graph.edges[Int(mark)].other(than: atom) : -1
    }

    /// Whether the text comes along a bond from an atom.
    private func starts(
        _ mark: Int32, at atom: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Bool {
        let other = self.atom(of: mark, from: atom, graph)
        return other < 0 || tree.turn(of: atom) < tree.turn(of: other)
    }

    /// Puts the other directions at an atom on the other side than the first.
    private mutating func oppose(
        marksAt atom: Int32, to first: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Bool {
        var others = 0
        for place in graph.range(of: Int(atom)) {
            let edge = graph.neighbours[place].edge
            if edge == first || !marks[Int(edge)].isUsed { continue }
            others += 1
            let startAlike = starts(first, at: atom, graph, tree) == starts(edge, at: atom, graph, tree)
            if others > 1 || !join(first, edge, areOpposite: startAlike) { return false }
        }
        return true
    }

    /// - Returns: whether that agrees with what is known.
    private mutating func join(_ one: Int32, _ other: Int32, areOpposite: Bool) -> Bool {
        let (first, second) = (root(of: one), root(of: other))
        let isOpposite = (first.isOpposite != second.isOpposite) != areOpposite
        if first.mark == second.mark { return !isOpposite }
        marks[Int(second.mark)].parent = first.mark
        marks[Int(second.mark)].isOpposite = isOpposite
        return true
    }

    /// The mark that stands for a set, and whether it points in the opposite way; the way there is made shorter.
    private mutating func root(of mark: Int32) -> (mark: Int32, isOpposite: Bool) {
        var (place, isOpposite) = (mark, false)
        while marks[Int(place)].parent >= 0 {
            let parent = marks[Int(place)].parent
            let next = marks[Int(parent)]
            if next.parent >= 0 {
                marks[Int(place)].parent = next.parent
                marks[Int(place)].isOpposite = marks[Int(place)].isOpposite != next.isOpposite
            }
            isOpposite = isOpposite != marks[Int(place)].isOpposite
            place = marks[Int(place)].parent
        }
        return (place, isOpposite)
    }

    /// Gives every bond its direction: the text begins with `/` where it can.
    private mutating func assign(_ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree) {
        for double in tree.edgesInOrder where isStated(double, graph) {
            let edge = graph.edges[Int(double)]
            let isForward = tree.turn(of: edge.from) < tree.turn(of: edge.to)
            for end in isForward ? [edge.from, edge.to] : [edge.to, edge.from] {
                guard let first = firstMark(at: end, graph, tree) else { continue }
                let root = root(of: first)
                if marks[Int(root.mark)].direction == .none {
                    marks[Int(root.mark)].direction = root.isOpposite ? .down : .up
                }
            }
        }
        isEmpty = false
        for place in marks.indices where marks[place].isUsed {
            let root = root(of: Int32(truncatingIfNeeded: place))
            let isUp = (marks[Int(root.mark)].direction == .up) != root.isOpposite
            marks[place].direction = isUp ? .up : .down
        }
    }
}
