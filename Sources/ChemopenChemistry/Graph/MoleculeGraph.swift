import ChemopenModel

/// A molecule prepared for searches and line notations, stored in flat arrays.
///
/// The graph contains the molecule in its Kekulé form. A drawn hydrogen is counted at its neighbor if that loses no
/// information. Alternative drawings of the same structure are unified: a nitro group is `[N+](=O)[O-]`. These are
/// RDKit's rules, so patterns find the same matches as in RDKit. Rings, aromaticity and stereochemistry are perceived
/// on request.
///
///     var graph = MoleculeGraph()
///     graph.take(molecule)             // reuses the memory of the previous molecule
///     graph.perceiveAromaticity()
public struct MoleculeGraph: Sendable {
    /// An atom of the graph, without its bonds.
    struct Vertex: Sendable {
        /// The index of the atom in the molecule.
        var origin: Int32 = 0
        var element: UInt8 = 0
        var isAromatic = false
        var charge: Int16 = 0
        var isotope: UInt16 = 0
        /// The number of hydrogens that are not atoms of the graph.
        var hydrogens: Int16 = 0
        /// The sum of the orders of its bonds in the graph, in the Kekulé form.
        var orderSum: Int16 = 0
        var unpairedElectrons: Int16 = 0
        /// The number of bonds that do not contribute to its valence: zero-order and hydrogen bonds, and dative bonds
        /// from it.
        var idleBonds: Int16 = 0
        /// The neighbors of the atom are `neighbors[first..<end]`.
        var first: Int32 = 0
        var end: Int32 = 0

        var degree: Int { Int(end &- first) }
    }

    /// A bond of the graph.
    struct Edge: Sendable {
        var from: Int32 = 0
        var to: Int32 = 0
        /// The index of the bond in the molecule.
        var origin: Int32 = 0
        var order = EdgeOrder.zero
        var isAromatic = false
        var isInRing = false
        /// Whether the number of bonds that share a ring with this bond is too small for a large ring.
        var isInSmallBlock = false

        func other(than atom: Int32) -> Int32 { from == atom ? to : from }
    }

    /// A neighbor and the bond that leads to it.
    struct Neighbor: Sendable {
        var atom: Int32
        var edge: Int32
    }

    var vertices: [Vertex] = []
    var edges: [Edge] = []
    /// The neighbors of all atoms. The array can be longer than necessary because its memory is reused.
    var neighbors: [Neighbor] = []
    var rings = RingSet()
    var tools = PerceptionTools()
    /// The graph index of each of the molecule's atoms; -1 for a hydrogen that is counted at its neighbor.
    private(set) var placeOfAtom: [Int32] = []
    /// The number of bonds that are ignored because another bond connects the same atoms.
    var repeatedBonds: Int { repetitions.count }
    private var repetitions = RepeatedEdges()
    private var hydrogens = SuppressedHydrogens()
    private var hydrogenCounts: [Int] = []
    /// The fragment number of each atom, after fragments were perceived.
    var fragments: [Int32] = []
    var hybridisations: [Hybridisation] = []
    /// The configurations of the atoms and bonds, after stereochemistry was perceived.
    var centers: [Handedness] = []
    var geometries: [BondGeometry] = []
    /// The configurations of coordination centers and allenes, sorted by atom, after stereochemistry was perceived.
    var coordinations: [Coordination] = []
    /// Whether at least one bond has a known geometry.
    var hasGeometries = false
    var perceived: PerceivedParts = []
    /// Whether the perception of rings or aromaticity is incomplete because it reached a limit.
    public internal(set) var isIncomplete = false

    /// Creates an empty graph.
    public init() {}

    /// Creates the graph of a molecule.
    public init(_ molecule: borrowing Molecule) {
        take(molecule)
    }

    /// The number of atoms. Drawn hydrogens that are counted at their neighbors are not included.
    public var atomCount: Int { vertices.count }
    /// The number of bonds between these atoms.
    public var bondCount: Int { edges.count }

    /// Replaces the graph by that of another molecule, and reuses the memory.
    ///
    /// - Parameters:
    ///   - unifies: whether to unify alternative drawings of the same structure.
    ///   - keepsMapped: whether drawn hydrogens with a map number are always atoms of the graph.
    public mutating func take(_ molecule: borrowing Molecule, unifies: Bool = true, keepsMapped: Bool = false) {
        perceived = []
        isIncomplete = false
        if !coordinations.isEmpty { coordinations.removeAll() }
        let doubled = molecule.countHydrogens(into: &hydrogenCounts)
        hydrogens.find(in: molecule, keepsMapped: keepsMapped)
        assemble(molecule, doubled, unifies: unifies)
        if hydrogens.showing.isEmpty { return }
        perceiveStereo(of: molecule, forgetsIdle: true)
        let idle = hydrogens.idle(in: self)
        (perceived, isIncomplete) = ([], false)
        if idle.isEmpty { return }
        hydrogens.suppress(idle)
        assemble(molecule, doubled, unifies: unifies)
    }

    private mutating func assemble(_ molecule: borrowing Molecule, _ doubled: [Bool], unifies: Bool) {
        GraphAssembly.addVertices(of: molecule, hydrogens, hydrogenCounts, to: &vertices, &placeOfAtom)
        GraphAssembly.addEdges(of: molecule, doubled, between: placeOfAtom, to: &edges)
        repetitions.forget()
        if connect() { leaveOutRepeatedEdges() }
        if unifies { unify() }
    }

    /// Returns the mass number of an atom, including `D` and `T`, which only the label specifies.
    static func isotope(of atom: Atom, at index: Int, in molecule: borrowing Molecule) -> UInt16 {
        if atom.isotope != 0 || atom.element != .hydrogen || atom.label == Atom.noLabel { return atom.isotope }
        switch molecule.symbol(ofAtom: index) {
        case "D": return 2
        case "T": return 3
        default: return 0
        }
    }

    /// Removes repeated edges, and retains the first edge between two atoms.
    private mutating func leaveOutRepeatedEdges() {
        repetitions.find(in: self)
        if repeatedBonds == 0 { return }
        edges = repetitions.left(of: edges)
        for index in vertices.indices { vertices[index].end = 0 }
        _ = connect()
    }

    /// Builds the neighbor lists: each atom's neighbors are a range of `neighbors`, in bond order.
    ///
    /// - Returns: whether two bonds possibly connect the same atoms.
    private mutating func connect() -> Bool {
        sumOrders()
        let count = 2 * edges.count
        if neighbors.count < count { neighbors.fill(with: Neighbor(atom: 0, edge: 0), count: count) }
        return GraphAssembly.connect(&vertices, by: edges, &neighbors)
    }

    /// Computes the contributions of the bonds to the valence of each atom.
    mutating func sumOrders() {
        let edges = edges
        var vertices = vertices.mutableSpan
        for index in vertices.indices {
            vertices[index].orderSum = 0
            vertices[index].idleBonds = 0
        }
        for index in edges.indices {
            let edge = edges[index]
            let (one, other) = edge.order.valences
            vertices[Int(edge.from)].orderSum &+= one
            vertices[Int(edge.to)].orderSum &+= other
            if one == 0 { vertices[Int(edge.from)].idleBonds &+= 1 }
            if other == 0 { vertices[Int(edge.to)].idleBonds &+= 1 }
        }
    }
}

extension MoleculeGraph {
    /// Returns the range of an atom's neighbors in `neighbors`, which are in bond order.
    @inline(__always)
    func range(of vertex: Int) -> Range<Int> {
        let vertex = vertices[vertex]
        return Int(vertex.first)..<Int(vertex.end)
    }

    /// Returns the index of the bond between two atoms, or `nil` if there is no such bond.
    func edge(between one: Int32, and other: Int32) -> Int32? {
        for place in range(of: Int(one)) where neighbors[place].atom == other { return neighbors[place].edge }
        return nil
    }

    /// Returns the number of neighbors, including hydrogens.
    func connections(of vertex: Int) -> Int {
        let vertex = vertices[vertex]
        return vertex.degree &+ Int(vertex.hydrogens)
    }

    /// Returns the sum of all bond orders, including bonds to hydrogens.
    func valence(of vertex: Int) -> Int {
        Int(vertices[vertex].orderSum &+ vertices[vertex].hydrogens)
    }
}

/// Functions that build the arrays of a graph and reuse their memory.
private enum GraphAssembly {
    typealias Vertex = MoleculeGraph.Vertex
    typealias Edge = MoleculeGraph.Edge
    typealias Neighbor = MoleculeGraph.Neighbor

    /// Adds the atoms except hydrogens that are counted at their neighbors.
    static func addVertices(
        of molecule: borrowing Molecule, _ hydrogens: SuppressedHydrogens, _ counts: [Int],
        to vertices: inout [Vertex], _ placeOfAtom: inout [Int32]
    ) {
        let atoms = molecule.atoms.span
        placeOfAtom.fill(with: -1, count: atoms.count)
        vertices.fill(with: Vertex(), count: atoms.count - hydrogens.count)
        let (suppressed, counts) = (hydrogens.neighbors.span, counts.span)
        var places = placeOfAtom.mutableSpan
        var vertices = vertices.mutableSpan
        var place = 0
        for index in atoms.indices {
            if !suppressed.isEmpty, suppressed[index] >= 0 { continue }
            places[index] = Int32(truncatingIfNeeded: place)
            let atom = atoms[index]
            vertices[place] = Vertex(
                origin: Int32(truncatingIfNeeded: index), element: atom.element.rawValue, charge: atom.charge,
                isotope: MoleculeGraph.isotope(of: atom, at: index, in: molecule),
                hydrogens: Int16(clamping: counts[index]),
                unpairedElectrons: Int16(clamping: atom.radical.unpairedElectrons))
            place &+= 1
        }
        for index in suppressed.indices where suppressed[index] >= 0 {
            let place = Int(places[Int(suppressed[index])])
            guard vertices.indices.contains(place) else { continue }
            vertices[place].hydrogens &+= 1
        }
    }

    /// Adds the bonds between atoms of the graph.
    static func addEdges(
        of molecule: borrowing Molecule, _ doubled: [Bool], between placeOfAtom: [Int32], to edgeList: inout [Edge]
    ) {
        let (bonds, places) = (molecule.bonds.span, placeOfAtom.span)
        edgeList.fill(with: Edge(), count: bonds.count)
        var count = 0
        var edges = edgeList.mutableSpan
        for index in bonds.indices {
            let bond = bonds[index]
            guard places.indices.contains(Int(bond.from)), places.indices.contains(Int(bond.to)) else { continue }
            let (from, to) = (places[Int(bond.from)], places[Int(bond.to)])
            if from < 0 || to < 0 || from == to { continue }
            let isDoubled = doubled.indices.contains(index) && doubled[index]
            edges[count] = Edge(
                from: from, to: to, origin: Int32(truncatingIfNeeded: index),
                order: EdgeOrder(bond.order, isDoubled: isDoubled))
            count &+= 1
        }
        if count < bonds.count { edgeList.removeLast(bonds.count - count) }
    }

    /// Builds the neighbor lists: each atom's neighbors are a range of `neighbors`, in bond order.
    ///
    /// - Returns: whether two bonds possibly connect the same atoms.
    static func connect(
        _ vertices: inout [Vertex], by edges: [Edge], _ neighbors: inout [Neighbor]
    ) -> Bool {
        let edges = edges.span
        var vertices = vertices.mutableSpan
        var neighbors = neighbors.mutableSpan
        for index in edges.indices {
            vertices[Int(edges[index].from)].end &+= 1
            vertices[Int(edges[index].to)].end &+= 1
        }
        var start: Int32 = 0
        for index in vertices.indices {
            let size = vertices[index].end
            vertices[index].first = start
            vertices[index].end = start
            start &+= size
        }
        var mayRepeat = false
        for index in edges.indices {
            let edge = edges[index]
            let place = Int32(truncatingIfNeeded: index)
            let (first, end) = (Int(vertices[Int(edge.from)].first), Int(vertices[Int(edge.from)].end))
            // Comparing all pairs of neighbors would be slow, so a more exact check follows.
            if end &- first > 8 { mayRepeat = true }
            if !mayRepeat {
                for before in first..<end where neighbors[before].atom == edge.to { mayRepeat = true }
            }
            neighbors[end] = Neighbor(atom: edge.to, edge: place)
            vertices[Int(edge.from)].end &+= 1
            neighbors[Int(vertices[Int(edge.to)].end)] = Neighbor(atom: edge.from, edge: place)
            vertices[Int(edge.to)].end &+= 1
        }
        return mayRepeat
    }
}
