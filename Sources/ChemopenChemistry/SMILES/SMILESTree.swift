/// The order in which SMILES names the atoms: a walk along the bonds, and the bonds that close rings.
struct SMILESTree: Sendable {
    private(set) var roots: [Int32] = []
    /// When each atom is named.
    private(set) var turns: [Int32] = []
    /// The bonds in the order in which they are met.
    private(set) var edgesInOrder: [Int32] = []
    /// When each bond is met.
    private(set) var edgeTurns: [Int32] = []
    private var entries: [Int32] = []
    private var isClosing: [Bool] = []
    private var children = AtomLists()
    private var opening = AtomLists()
    private var closing = AtomLists()
    private var isMet: [Bool] = []
    private var path: [(atom: Int32, next: Int32)] = []

    /// Walks over all atoms of a graph.
    ///
    /// - Parameter ranks: by these the first atom of each part is chosen; without them it is the first of the file.
    mutating func grow(over graph: borrowing MoleculeGraph, by ranks: [Int32] = []) {
        let count = graph.vertices.count
        let edges = graph.edges.count
        roots.removeAll(keepingCapacity: true)
        edgesInOrder.removeAll(keepingCapacity: true)
        turns.fill(with: -1, count: count)
        entries.fill(with: -1, count: count)
        edgeTurns.fill(with: -1, count: edges)
        isClosing.fill(with: false, count: edges)
        isMet.fill(with: false, count: edges)
        children.removeAll(atoms: count, numbers: count)
        opening.removeAll(atoms: count, numbers: edges)
        closing.removeAll(atoms: count, numbers: edges)
        var turn: Int32 = 0
        if ranks.isEmpty {
            for root in 0..<count where turns[root] < 0 { grow(from: root, over: graph, &turn) }
        } else {
            let order = (0..<count).sorted { ranks[$0] < ranks[$1] }
            for root in order where turns[root] < 0 { grow(from: root, over: graph, &turn) }
        }
    }

    private mutating func grow(from root: Int, over graph: borrowing MoleculeGraph, _ turn: inout Int32) {
        roots.append(Int32(truncatingIfNeeded: root))
        turns[root] = turn
        turn += 1
        path.append((Int32(truncatingIfNeeded: root), graph.vertices[root].first))
        while let (atom, next) = path.last {
            if next >= graph.vertices[Int(atom)].end {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let neighbour = graph.neighbours[Int(next)]
            if isMet[Int(neighbour.edge)] { continue }
            isMet[Int(neighbour.edge)] = true
            edgeTurns[Int(neighbour.edge)] = Int32(truncatingIfNeeded: edgesInOrder.count)
            edgesInOrder.append(neighbour.edge)
            if turns[Int(neighbour.atom)] >= 0 {
                // A bond back to an atom on the way here.
                isClosing[Int(neighbour.edge)] = true
                opening.append(neighbour.edge, to: neighbour.atom)
                closing.append(neighbour.edge, to: atom)
                continue
            }
            turns[Int(neighbour.atom)] = turn
            turn += 1
            entries[Int(neighbour.atom)] = neighbour.edge
            children.append(neighbour.atom, to: atom)
            path.append((neighbour.atom, graph.vertices[Int(neighbour.atom)].first))
        }
    }

    /// The first atom that is reached from an atom, and the next one that is reached from where another one is; -1 where
    /// there is none.
    func firstChild(of atom: Int32) -> Int32 { children.first(of: atom) }
    func child(after sibling: Int32) -> Int32 { children.next(after: sibling) }

    /// The same for the ring bonds whose first digit stands at an atom.
    func firstOpened(at atom: Int32) -> Int32 { opening.first(of: atom) }
    func opened(after edge: Int32) -> Int32 { opening.next(after: edge) }

    /// The same for those whose second digit does.
    func firstClosed(at atom: Int32) -> Int32 { closing.first(of: atom) }
    func closed(after edge: Int32) -> Int32 { closing.next(after: edge) }

    /// The bond by which an atom is reached.
    func entry(of atom: Int32) -> Int32? { entries[Int(atom)] < 0 ? nil : entries[Int(atom)] }

    func isClosure(_ edge: Int32) -> Bool { isClosing[Int(edge)] }
}

/// A list for each atom, in memory that all lists share: of numbers of which each stands in one list at most.
struct AtomLists: Sendable {
    private var firsts: [Int32] = []
    private var lasts: [Int32] = []
    private var nexts: [Int32] = []

    /// Makes the lists of so many atoms empty, for numbers below a bound.
    mutating func removeAll(atoms: Int, numbers: Int) {
        firsts.fill(with: -1, count: atoms)
        lasts.fill(with: -1, count: atoms)
        nexts.fill(with: -1, count: numbers)
    }

    /// Adds a number behind the others of a list.
    mutating func append(_ number: Int32, to atom: Int32) {
        let last = lasts[Int(atom)]
        if last < 0 { firsts[Int(atom)] = number } else { nexts[Int(last)] = number }
        lasts[Int(atom)] = number
    }

    /// The first number of a list, and the one behind another; -1 where there is none.
    func first(of atom: Int32) -> Int32 { firsts[Int(atom)] }
    func next(after number: Int32) -> Int32 { nexts[Int(number)] }
}
