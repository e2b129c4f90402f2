extension MoleculeGraph {
    /// Finds which bonds are in a ring: those that lie on some ring together form blocks.
    mutating func perceiveBlocks() {
        if perceived.contains(.blocks) { return }
        perceived.insert(.blocks)
        tools.search.removeAll()
        // Fewer bonds make no ring.
        if edges.count < 3 { return }
        var tools = PerceptionTools()
        swap(&tools, &self.tools)
        tools.search.run(on: self)
        tools.search.mark(&edges)
        swap(&tools, &self.tools)
    }

    /// Finds the rings, and which bonds are in one: the smallest ones in each block by itself.
    public mutating func perceiveRings() {
        if perceived.contains(.rings) { return }
        perceiveBlocks()
        perceived.insert(.rings)
        rings.removeAll(atomCount: vertices.count)
        var tools = PerceptionTools()
        swap(&tools, &self.tools)
        tools.finder.begin(steps: (1 << 20) &+ 1024 &* (vertices.count &+ edges.count))
        var first = 0
        for end in tools.search.blockEnds {
            tools.finder.findRings(of: tools.search.blocks[first..<Int(end)], edges, into: &rings)
            first = Int(end)
        }
        if tools.finder.isExhausted { isIncomplete = true }
        swap(&tools, &self.tools)
    }
}

/// The memory of searches, which is used again for the next molecule.
struct PerceptionTools: Sendable {
    var search = BlockSearch()
    var finder = RingFinder()
}

/// Cuts a graph into blocks: bonds of which any two lie on a common ring. A bond on no ring is left out.
struct BlockSearch: Sendable {
    /// When an atom was met; 0 for one that was not yet.
    private var turns: [Int32] = []
    /// The earliest atom that can be met from the atom on by one bond backwards.
    private var lows: [Int32] = []
    private var turn: Int32 = 0
    /// Bonds on the way that belong to no block yet.
    private var open: [Int32] = []
    private var path: [Step] = []

    /// Block after block its bonds, and where each ends.
    private(set) var blocks: [Int32] = []
    private(set) var blockEnds: [Int32] = []

    private struct Step {
        let atom: Int32
        /// The bond that led here.
        let edge: Int32
        var next: Int32
        /// How many bonds were open when this one was taken.
        let openBefore: Int32
    }

    /// Forgets the blocks of the last graph.
    mutating func removeAll() {
        blocks.removeAll(keepingCapacity: true)
        blockEnds.removeAll(keepingCapacity: true)
    }

    /// Marks the bonds of blocks.
    func mark(_ edges: inout [MoleculeGraph.Edge]) {
        var first = 0
        for end in blockEnds {
            let isSmall = Int(end) - first <= RingSet.mostInSmallRing
            for edge in blocks[first..<Int(end)] {
                edges[Int(edge)].isInRing = true
                edges[Int(edge)].isInSmallBlock = isSmall
            }
            first = Int(end)
        }
    }

    mutating func run(on graph: borrowing MoleculeGraph) {
        turns.fill(with: 0, count: graph.vertices.count)
        lows.fill(with: 0, count: graph.vertices.count)
        open.removeAll(keepingCapacity: true)
        turn = 0
        for root in turns.indices where turns[root] == 0 {
            enter(Int32(truncatingIfNeeded: root), by: -1, graph)
            while let step = path.last {
                let end = graph.vertices[Int(step.atom)].end
                if step.next < end {
                    path[path.count - 1].next &+= 1
                    look(at: graph.neighbours[Int(step.next)], from: step, graph)
                } else {
                    leave(step)
                }
            }
        }
    }

    private mutating func enter(_ atom: Int32, by edge: Int32, _ graph: borrowing MoleculeGraph) {
        turn &+= 1
        turns[Int(atom)] = turn
        lows[Int(atom)] = turn
        let openBefore = Int32(truncatingIfNeeded: open.count)
        if edge >= 0 { open.append(edge) }
        path.append(Step(atom: atom, edge: edge, next: graph.vertices[Int(atom)].first, openBefore: openBefore))
    }

    private mutating func look(
        at neighbour: MoleculeGraph.Neighbour, from step: Step, _ graph: borrowing MoleculeGraph
    ) {
        if neighbour.edge == step.edge { return }
        let there = turns[Int(neighbour.atom)]
        if there == 0 {
            enter(neighbour.atom, by: neighbour.edge, graph)
        } else if there < turns[Int(step.atom)] {
            open.append(neighbour.edge)
            lows[Int(step.atom)] = min(lows[Int(step.atom)], there)
        }
    }

    private mutating func leave(_ step: Step) {
        path.removeLast()
        guard let before = path.last else { return }
        lows[Int(before.atom)] = min(lows[Int(before.atom)], lows[Int(step.atom)])
        if lows[Int(step.atom)] >= turns[Int(before.atom)] {
            let first = Int(step.openBefore)
            if open.count - first > 1 {
                for place in first..<open.count { blocks.append(open[place]) }
                blockEnds.append(Int32(truncatingIfNeeded: blocks.count))
            }
            open.removeLast(open.count - first)
        }
    }
}
