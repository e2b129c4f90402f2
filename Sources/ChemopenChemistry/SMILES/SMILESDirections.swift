/// The directions `/` and `\` of single bonds, which specify the geometry of double bonds.
///
/// Each end of a double bond has one or two single bonds. Their directions must be consistent with each other and with
/// those at the other end. This is an equation between two variables, and all equations are combined to sets of
/// dependent variables in text order.
///
/// Two problems can occur: the equations of a ring of double bonds can contradict each other, and directions can define
/// a geometry for a double bond without a known one. In such a case, one single bond has no direction. If the end then
/// has no other neighbor with a direction, its hydrogen is written explicitly: `C(/[H])`.
struct SMILESDirections: Sendable {
    enum Direction: UInt8, Sendable { case none, up, down }

    /// The number of double bonds with a geometry that cannot be written.
    private(set) var unsaid = 0
    /// Whether no bond has a direction.
    private(set) var isEmpty = true

    private var marks: [Mark] = []
    /// The single bonds without a direction, and the double bonds without a written geometry.
    private var freed: Set<Int32> = []
    private var dropped: Set<Int32> = []

    /// The maximum number of contradictions. If there are more, no geometries are written.
    private static let mostRepairs = 64

    /// A variable of the equations: the direction of a bond, or of an atom's hydrogen. Hydrogens follow all bonds.
    private struct Mark: Sendable {
        var isUsed = false
        /// Another variable of the same set, and whether the two directions are opposite.
        var parent: Int32
        var isOpposite = false
        var direction = Direction.none
    }

    /// Returns whether the geometry of a double bond is known but cannot be written with directions.
    func isUnsaid(_ edge: Int32, _ graph: borrowing MoleculeGraph) -> Bool {
        unsaid > 0 && (isEmpty ? graph.geometries[Int(edge)].isKnown : dropped.contains(edge))
    }

    /// Returns the direction of a bond in the text.
    func direction(of edge: Int32) -> Direction { isEmpty ? .none : marks[Int(edge)].direction }

    /// Returns the direction of an atom's explicit hydrogen.
    func directionOfHydrogen(at atom: Int32, _ graph: borrowing MoleculeGraph) -> Direction {
        isEmpty ? .none : marks[graph.edges.count + Int(atom)].direction
    }

    /// Determines the directions for a graph, given the order of its atoms and bonds in the text.
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

    /// Marks all single bonds at double bonds with a geometry, and hydrogens if an end has no such bond.
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
                    let edge = graph.neighbors[place].edge
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
        graph.range(of: Int(atom)).contains { graph.edges[Int(graph.neighbors[$0].edge)].order == .single }
    }

    /// Returns the cost of removing the direction of a single bond.
    ///
    /// - Returns: 1 if a hydrogen must be written, 0 if another bond suffices, or `nil` if it is impossible.
    private func cost(ofFreeing single: Int32, at atom: Int32, _ graph: borrowing MoleculeGraph) -> Int? {
        var isNeeded = false
        var hasOther = false
        for place in graph.range(of: Int(atom)) {
            let edge = graph.neighbors[place].edge
            if isStated(edge, graph) { isNeeded = true }
            if edge != single, graph.edges[Int(edge)].order == .single, !freed.contains(edge) { hasOther = true }
        }
        if !isNeeded || hasOther { return 0 }
        return graph.vertices[Int(atom)].hydrogens == 1 ? 1 : nil
    }

    /// Returns the single bond at a double bond that can lose its direction at the lowest cost, or `nil` if there is no
    /// such bond.
    private func bondToFree(
        at double: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Int32? {
        var best: (edge: Int32, cost: Int)?
        for end in [graph.edges[Int(double)].from, graph.edges[Int(double)].to] {
            for place in graph.range(of: Int(end)) {
                let neighbor = graph.neighbors[place]
                guard graph.edges[Int(neighbor.edge)].order == .single, marks[Int(neighbor.edge)].isUsed,
                    graph.range(of: Int(neighbor.atom)).contains(where: { isStated(graph.neighbors[$0].edge, graph) }
                    ),
                    let one = cost(ofFreeing: neighbor.edge, at: end, graph),
                    let other = cost(ofFreeing: neighbor.edge, at: neighbor.atom, graph)
                else { continue }
                let isFirst =
                    best.map {
                        (one + other, tree.turn(ofEdge: neighbor.edge)) < ($0.cost, tree.turn(ofEdge: $0.edge))
                    } ?? true
                if isFirst { best = (neighbor.edge, one + other) }
            }
        }
        return best?.edge
    }

    /// Returns the double bond that must lose its geometry because of a contradiction.
    ///
    /// This is either the bond itself, or a bond with directions that define a geometry for it.
    private func bondToDrop(
        at double: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Int32 {
        if isStated(double, graph) { return double }
        var first = double
        for end in [graph.edges[Int(double)].from, graph.edges[Int(double)].to] {
            for place in graph.range(of: Int(end)) where marks[Int(graph.neighbors[place].edge)].isUsed {
                for slot in graph.range(of: Int(graph.neighbors[place].atom)) {
                    let edge = graph.neighbors[slot].edge
                    guard isStated(edge, graph) else { continue }
                    if first == double || tree.turn(ofEdge: edge) < tree.turn(ofEdge: first) { first = edge }
                }
            }
        }
        return first
    }

    // MARK: Equations

    /// Adds the equations for all double bonds.
    ///
    /// - Returns: the first double bond in the text with contradictory directions, or with directions that define an
    ///   unknown geometry; `nil` if there is no such bond.
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

    /// Returns the first single bond of an atom that has a direction, or its hydrogen. Ring closures are used last.
    private func firstMark(at atom: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree) -> Int32? {
        var first: Int32?
        for place in graph.range(of: Int(atom)) {
            let edge = graph.neighbors[place].edge
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

    /// Returns the neighbor that a bond leads to, or -1 for a hydrogen.
    private func atom(of mark: Int32, from atom: Int32, _ graph: borrowing MoleculeGraph) -> Int32 {
        Int(mark) < graph.edges.count ? graph.edges[Int(mark)].other(than: atom) : -1
    }

    /// Returns whether the text contains the bond in the direction from the atom.
    private func starts(
        _ mark: Int32, at atom: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Bool {
        let other = self.atom(of: mark, from: atom, graph)
        return other < 0 || tree.turn(of: atom) < tree.turn(of: other)
    }

    /// Adds the equations that the single bonds at an atom are on opposite sides.
    ///
    /// - Returns: `false` if there is a contradiction.
    private mutating func oppose(
        marksAt atom: Int32, to first: Int32, _ graph: borrowing MoleculeGraph, _ tree: borrowing SMILESTree
    ) -> Bool {
        var others = 0
        for place in graph.range(of: Int(atom)) {
            let edge = graph.neighbors[place].edge
            if edge == first || !marks[Int(edge)].isUsed { continue }
            others += 1
            let startAlike = starts(first, at: atom, graph, tree) == starts(edge, at: atom, graph, tree)
            if others > 1 || !join(first, edge, areOpposite: startAlike) { return false }
        }
        return true
    }

    /// Adds an equation between two variables.
    ///
    /// - Returns: `false` if it contradicts the known equations.
    private mutating func join(_ one: Int32, _ other: Int32, areOpposite: Bool) -> Bool {
        let (first, second) = (root(of: one), root(of: other))
        let isOpposite = (first.isOpposite != second.isOpposite) != areOpposite
        if first.mark == second.mark { return !isOpposite }
        marks[Int(second.mark)].parent = first.mark
        marks[Int(second.mark)].isOpposite = isOpposite
        return true
    }

    /// Returns the representative of a variable's set, and whether the variable is opposite to it. Shortens the path to
    /// it.
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

    /// Chooses the direction of each bond. If possible, the first direction in the text is `/`.
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
