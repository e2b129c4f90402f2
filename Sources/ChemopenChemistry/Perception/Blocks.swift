import ChemopenModel

extension MoleculeGraph {
    /// Finds the bonds in rings, and groups them into blocks: any two bonds of a block are part of a common ring.
    mutating func perceiveBlocks() {
        if perceived.contains(.blocks) { return }
        perceived.insert(.blocks)
        tools.search.removeAll()
        // A ring needs at least three bonds.
        if edges.count < 3 { return }
        let (vertices, neighbors) = (vertices, neighbors)
        tools.search.run(on: vertices.span, neighbors.span, edgeCount: edges.count)
        tools.search.mark(&edges)
    }

    /// Finds the rings and the bonds in them. The smallest rings of each block are determined separately.
    public mutating func perceiveRings() {
        if perceived.contains(.rings) { return }
        perceiveBlocks()
        perceived.insert(.rings)
        rings.removeAll(atomCount: vertices.count)
        tools.finder.begin(steps: RecordCost.ringSteps(vertices.count &+ edges.count))
        var first = 0
        for end in tools.search.blockEnds {
            tools.finder.findRings(of: tools.search.blocks[first..<Int(end)], edges, into: &rings)
            first = Int(end)
        }
        if tools.finder.isExhausted { isIncomplete = true }
    }
}

/// The buffers of searches, which are reused for the next molecule.
struct PerceptionTools: Sendable {
    var search = BlockSearch()
    var finder = RingFinder()
    var surroundings = RingSurroundings()
}

/// A search for the blocks of a graph. Any two bonds of a block are part of a common ring; bonds that are not in a ring
/// are not part of a block.
struct BlockSearch: Sendable {
    /// The sequence number of each atom's visit; 0 for an atom that was not visited yet.
    private var turns: [Int32] = []
    /// The bonds on the path that have not been assigned to a block yet.
    private var open: [Int32] = []
    private var path: [Step] = []

    /// The bonds of all blocks, one block after the other, and the end of each block.
    private(set) var blocks: [Int32] = []
    private(set) var blockEnds: [Int32] = []

    private struct Step: Sendable {
        var atom: Int32 = 0
        /// The bond that leads to the atom.
        var edge: Int32 = -1
        /// The remaining neighbors.
        var next: Int32 = 0
        var end: Int32 = 0
        /// When the atom was visited, and the earliest visit that can be reached from it by one bond backward.
        var turn: Int32 = 0
        var low: Int32 = 0
        /// The number of open bonds before this one was added.
        var openBefore: Int32 = 0

        init() {}

        init(_ atom: Int32, _ vertex: MoleculeGraph.Vertex, turn: Int32) {
            (self.atom, next, end) = (atom, vertex.first, vertex.end)
            (self.turn, low) = (turn, turn)
        }
    }

    /// Removes the blocks of the previous graph.
    mutating func removeAll() {
        blocks.removeAll(keepingCapacity: true)
        blockEnds.removeAll(keepingCapacity: true)
    }

    /// Marks the edges that belong to blocks.
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

    mutating func run(
        on vertices: Span<MoleculeGraph.Vertex>, _ neighbors: Span<MoleculeGraph.Neighbor>, edgeCount: Int
    ) {
        turns.fill(with: 0, count: vertices.count)
        if open.count < edgeCount { open.fill(with: 0, count: edgeCount) }
        if path.count < vertices.count { path.fill(with: Step(), count: vertices.count) }
        Self.walk(over: vertices, neighbors, &turns, &open, &path, &blocks, &blockEnds)
    }

    private static func walk(
        over vertices: Span<MoleculeGraph.Vertex>, _ neighbors: Span<MoleculeGraph.Neighbor>,
        _ turns: inout [Int32], _ open: inout [Int32], _ path: inout [Step], _ blocks: inout [Int32],
        _ blockEnds: inout [Int32]
    ) {
        var turns = turns.mutableSpan
        var open = open.mutableSpan
        var path = path.mutableSpan
        var turn: Int32 = 0
        var openCount = 0
        for root in vertices.indices where turns[root] == 0 {
            turn &+= 1
            turns[root] = turn
            var step = Step(Int32(truncatingIfNeeded: root), vertices[root], turn: turn)
            var depth = 0
            while true {
                if step.next < step.end {
                    let neighbor = neighbors[Int(step.next)]
                    step.next &+= 1
                    if neighbor.edge == step.edge { continue }
                    let there = turns[Int(neighbor.atom)]
                    if there == 0 {
                        path[depth] = step
                        depth &+= 1
                        turn &+= 1
                        turns[Int(neighbor.atom)] = turn
                        step = Step(neighbor.atom, vertices[Int(neighbor.atom)], turn: turn)
                        step.edge = neighbor.edge
                        step.openBefore = Int32(truncatingIfNeeded: openCount)
                        open[openCount] = neighbor.edge
                        openCount &+= 1
                    } else if there < step.turn {
                        open[openCount] = neighbor.edge
                        openCount &+= 1
                        step.low = min(step.low, there)
                    }
                    continue
                }
                if depth == 0 { break }
                depth &-= 1
                let (low, first) = (step.low, Int(step.openBefore))
                step = path[depth]
                step.low = min(step.low, low)
                if low < step.turn { continue }
                // No bond of the atoms reached from this one leads to an atom before it, so the block is complete.
                if openCount &- first > 1 {
                    for place in first..<openCount { blocks.append(open[place]) }
                    blockEnds.append(Int32(truncatingIfNeeded: blocks.count))
                }
                openCount = first
            }
        }
    }
}
