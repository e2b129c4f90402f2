import ChemopenModel

/// A molecule as searches and line notations see it: flat arrays, nothing perceived before it is asked for.
///
/// It is the molecule in its Kekulé form with every drawn hydrogen counted at its neighbour where nothing is lost by
/// that, and with a few drawings that mean the same brought into one form: a nitro group is `[N+](=O)[O-]`. These are the
/// rules of RDKit, so that a pattern finds what it finds there.
///
///     var graph = MoleculeGraph()
///     graph.take(molecule)             // the memory of the last molecule is used again
///     graph.perceiveAromaticity()
public struct MoleculeGraph: Sendable {
    /// An atom in the graph, without its bonds.
    struct Vertex: Sendable {
        /// The place among the molecule's atoms.
        var origin: Int32 = 0
        var element: UInt8 = 0
        var isAromatic = false
        var charge: Int16 = 0
        var isotope: UInt16 = 0
        /// Hydrogens that are not atoms of the graph.
        var hydrogens: Int16 = 0
        /// The orders of its bonds in the graph, in the Kekulé form.
        var orderSum: Int16 = 0
        var unpairedElectrons: Int16 = 0
        /// How many of its bonds count nothing in its valence: zero-order and hydrogen bonds, dative ones that it gives.
        var idleBonds: Int16 = 0
        /// Its neighbours are a part of all: `neighbours[first..<end]`.
        var first: Int32 = 0
        var end: Int32 = 0

        var degree: Int { Int(end &- first) }
    }

    /// A bond in the graph.
    struct Edge: Sendable {
        var from: Int32 = 0
        var to: Int32 = 0
        /// The place among the molecule's bonds.
        var origin: Int32 = 0
        var order = EdgeOrder.zero
        var isAromatic = false
        var isInRing = false
        /// All bonds that lie on some ring with it are too few for a large ring.
        var isInSmallBlock = false

        func other(than atom: Int32) -> Int32 { from == atom ? to : from }
    }

    /// A neighbour and the bond that leads there.
    struct Neighbour: Sendable {
        var atom: Int32
        var edge: Int32
    }

    var vertices: [Vertex] = []
    var edges: [Edge] = []
    /// The neighbours of all atoms, and room for those of larger molecules.
    var neighbours: [Neighbour] = []
    var rings = RingSet()
    var tools = PerceptionTools()
    /// The place in the graph of each of the molecule's atoms; -1 for a hydrogen that is counted at its neighbour.
    private(set) var placeOfAtom: [Int32] = []
    /// How many bonds of the molecule are left out since another one stands between the same two atoms.
    var repeatedBonds: Int { repetitions.count }
    private var repetitions = RepeatedEdges()
    private var hydrogens = SuppressedHydrogens()
    private var hydrogenCounts: [Int] = []
    /// The fragment of each atom, once it is asked for.
    var fragments: [Int32] = []
    var hybridisations: [Hybridisation] = []
    /// The configuration of each atom and of each bond, once it is asked for.
    var centres: [Handedness] = []
    var geometries: [BondGeometry] = []
    /// Some bond has one.
    var hasGeometries = false
    var perceived: PerceivedParts = []
    /// A bound on work was met: rings or aromaticity are not perceived wholly.
    public internal(set) var isIncomplete = false

    /// A graph of nothing.
    public init() {}

    /// The graph of a molecule.
    public init(_ molecule: borrowing Molecule) {
        take(molecule)
    }

    /// How many atoms there are; drawn hydrogens may be counted at their neighbours instead.
    public var atomCount: Int { vertices.count }
    /// How many bonds there are between these atoms.
    public var bondCount: Int { edges.count }

    /// Takes another molecule in the place of the last one.
    ///
    /// - Parameters:
    ///   - unifies: drawings that mean the same are brought into one form.
    ///   - keepsMapped: drawn hydrogens with a map number are atoms, whatever could count them.
    public mutating func take(_ molecule: borrowing Molecule, unifies: Bool = true, keepsMapped: Bool = false) {
        perceived = []
        isIncomplete = false
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

    /// The mass number, also of an atom that only its label names: `D` and `T`.
    static func isotope(of atom: Atom, at index: Int, in molecule: borrowing Molecule) -> UInt16 {
        if atom.isotope != 0 || atom.element != .hydrogen || atom.label == Atom.noLabel { return atom.isotope }
        switch molecule.symbol(ofAtom: index) {
        case "D": return 2
        case "T": return 3
        default: return 0
        }
    }

    /// Leaves one edge between any two atoms, the first of the file.
    private mutating func leaveOutRepeatedEdges() {
        repetitions.find(in: self)
        if repeatedBonds == 0 { return }
        edges = repetitions.left(of: edges)
        for index in vertices.indices { vertices[index].end = 0 }
        _ = connect()
    }

    /// Sorts the bonds to their atoms: each atom's neighbours are one part of `neighbours`, in the order of the bonds.
    ///
    /// - Returns: whether two of them may stand between the same atoms.
    private mutating func connect() -> Bool {
        sumOrders()
        let count = 2 * edges.count
        if neighbours.count < count { neighbours.fill(with: Neighbour(atom: 0, edge: 0), count: count) }
        return GraphAssembly.connect(&vertices, by: edges, &neighbours)
    }

    /// Counts what the bonds of each atom take of its valence.
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
    /// The neighbours of an atom, in the order of the bonds.
    @inline(__always)
    func range(of vertex: Int) -> Range<Int> {
        let vertex = vertices[vertex]
        return Int(vertex.first)..<Int(vertex.end)
    }

    /// The bond between two atoms.
    func edge(between one: Int32, and other: Int32) -> Int32? {
        for place in range(of: Int(one)) where neighbours[place].atom == other { return neighbours[place].edge }
        return nil
    }

    /// All neighbours, hydrogens included.
    func connections(of vertex: Int) -> Int {
        let vertex = vertices[vertex]
        return vertex.degree &+ Int(vertex.hydrogens)
    }

    /// The sum of all bond orders, hydrogens included.
    func valence(of vertex: Int) -> Int {
        Int(vertices[vertex].orderSum &+ vertices[vertex].hydrogens)
    }
}

/// Puts the arrays of a graph together, in the memory of the last one.
private enum GraphAssembly {
    typealias Vertex = MoleculeGraph.Vertex
    typealias Edge = MoleculeGraph.Edge
    typealias Neighbour = MoleculeGraph.Neighbour

    /// Adds the atoms but for hydrogens that their neighbours count.
    static func addVertices(
        of molecule: borrowing Molecule, _ hydrogens: SuppressedHydrogens, _ counts: [Int],
        to vertices: inout [Vertex], _ placeOfAtom: inout [Int32]
    ) {
        let atoms = molecule.atoms.span
        placeOfAtom.fill(with: -1, count: atoms.count)
        vertices.fill(with: Vertex(), count: atoms.count - hydrogens.count)
        let (suppressed, counts) = (hydrogens.neighbours.span, counts.span)
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

    /// Sorts the bonds to their atoms: each atom's neighbours are one part of all, in the order of the bonds.
    ///
    /// - Returns: whether two of them may stand between the same atoms.
    static func connect(
        _ vertices: inout [Vertex], by edges: [Edge], _ neighbours: inout [Neighbour]
    ) -> Bool {
        let edges = edges.span
        var vertices = vertices.mutableSpan
        var neighbours = neighbours.mutableSpan
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
            // Of an atom with many neighbours it is found out otherwise.
            if end &- first > 8 { mayRepeat = true }
            if !mayRepeat {
                for before in first..<end where neighbours[before].atom == edge.to { mayRepeat = true }
            }
            neighbours[end] = Neighbour(atom: edge.to, edge: place)
            vertices[Int(edge.from)].end &+= 1
            neighbours[Int(vertices[Int(edge.to)].end)] = Neighbour(atom: edge.from, edge: place)
            vertices[Int(edge.to)].end &+= 1
        }
        return mayRepeat
    }
}
