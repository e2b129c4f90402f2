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
    private var childLists: [[MoleculeGraph.Neighbour]] = []
    private var openLists: [[Int32]] = []
    private var closeLists: [[Int32]] = []
    private var path: [(atom: Int32, next: Int32)] = []

    /// Walks over all atoms of a graph.
    ///
    /// - Parameter ranks: by these the first atom of each part is chosen; without them it is the first of the file.
    mutating func grow(over graph: borrowing MoleculeGraph, by ranks: [Int32] = []) {
        let count = graph.vertices.count
        roots.removeAll(keepingCapacity: true)
        edgesInOrder.removeAll(keepingCapacity: true)
        turns = Array(repeating: -1, count: count)
        entries = turns
        edgeTurns = Array(repeating: -1, count: graph.edges.count)
        isClosing = Array(repeating: false, count: graph.edges.count)
        childLists = Array(repeating: [], count: count)
        openLists = Array(repeating: [], count: count)
        closeLists = openLists
        var isMet = isClosing
        var turn: Int32 = 0
        let order = ranks.isEmpty ? Array(0..<count) : (0..<count).sorted { ranks[$0] < ranks[$1] }
        for root in order where turns[root] < 0 {
            let root = Int32(truncatingIfNeeded: root)
            roots.append(root)
            turns[Int(root)] = turn
            turn += 1
            path.append((root, graph.vertices[Int(root)].first))
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
                    openLists[Int(neighbour.atom)].append(neighbour.edge)
                    closeLists[Int(atom)].append(neighbour.edge)
                    continue
                }
                turns[Int(neighbour.atom)] = turn
                turn += 1
                entries[Int(neighbour.atom)] = neighbour.edge
                childLists[Int(atom)].append(neighbour)
                path.append((neighbour.atom, graph.vertices[Int(neighbour.atom)].first))
            }
        }
    }

    func children(of atom: Int32) -> [MoleculeGraph.Neighbour] { childLists[Int(atom)] }

    /// The ring bonds whose first digit stands at the atom, and those whose second does.
    func opened(at atom: Int32) -> [Int32] { openLists[Int(atom)] }
    func closed(at atom: Int32) -> [Int32] { closeLists[Int(atom)] }

    /// The bond by which an atom is reached.
    func entry(of atom: Int32) -> Int32? { entries[Int(atom)] < 0 ? nil : entries[Int(atom)] }

    func isClosure(_ edge: Int32) -> Bool { isClosing[Int(edge)] }
}
