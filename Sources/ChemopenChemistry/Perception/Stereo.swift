import ChemopenModel

extension MoleculeGraph {
    /// Determines the configurations that a molecule's coordinates, wedges or parities define.
    ///
    /// In 3D, coordinates define a configuration of every atom. Drawn or explicit configurations are used at any atom
    /// that can have one.
    ///
    /// - Parameter forgetsIdle: whether to remove configurations at atoms with two equivalent neighbors.
    mutating func perceiveStereo(of molecule: borrowing Molecule, forgetsIdle: Bool = false) {
        if perceived.contains(.stereo) { return }
        perceived.insert(.stereo)
        centers.fill(with: .none, count: vertices.count)
        geometries.fill(with: .unknown, count: edges.count)
        hasGeometries = false
        let sketch = StereoSketch(molecule, self)
        if sketch.mayShowCenters {
            for index in vertices.indices
            where sketch.mayShowCenter(Int(vertices[index].origin)) && mayBeCenter(index, sketch) {
                centers[index] = sketch.handedness(of: index, self)
            }
        }
        perceiveCoordination(of: molecule, sketch)
        for index in edges.indices where edges[index].order == .double && mayHaveGeometry(index) {
            geometries[index] = sketch.geometry(of: index, self)
            if geometries[index].isKnown { hasGeometries = true }
        }
        if (forgetsIdle || sketch.isInSpace) && (hasGeometries || sketch.mayShowCenters || !coordinations.isEmpty) {
            perceiveBlocks()
            AlikeNeighbors.forgetConfigurations(in: &self, molecule, CXText.marks(of: molecule))
        }
    }

    private mutating func perceiveCoordination(of molecule: borrowing Molecule, _ sketch: borrowing StereoSketch) {
        if !coordinations.isEmpty { coordinations.removeAll() }
        guard sketch.hasPositions else { return takeConfigurations(of: molecule) }
        // Without wedges, the ends of an allene are in one plane.
        let atoms = atomsThatMayCoordinate(mayBeAllenes: sketch.mayShowCenters)
        if atoms.isEmpty { return }
        perceiveBlocks()
        let shapes = CoordinationSketch(molecule, self, isInSpace: sketch.isInSpace)
        for index in atoms {
            switch shapes.finding(at: index, self) {
            case .none: break
            case .tetrahedral: centers[index] = sketch.handedness(of: index, self)
            case .coordination(let found): coordinations.append(found)
            }
        }
        if coordinations.contains(where: { !$0.hasHand }) {
            AlikeNeighbors.forgetCoordinations(in: &self, molecule, CXText.marks(of: molecule), forgetsIdle: false)
        }
    }

    /// Returns whether a double bond can have a geometry: it is not in a small ring, and its ends have no other
    /// multiple bond.
    mutating func mayHaveGeometry(_ index: Int) -> Bool {
        let edge = edges[index]
        guard !edge.isAromatic, mayEndGeometry(edge.from, of: index), mayEndGeometry(edge.to, of: index) else {
            return false
        }
        perceiveBlocks()
        if edges[index].isInSmallBlock { return false }
        return !edges[index].isInRing || !isInSmallRing(Int32(truncatingIfNeeded: index))
    }

    private func mayEndGeometry(_ atom: Int32, of index: Int) -> Bool {
        let vertex = vertices[Int(atom)]
        guard 2...3 ~= vertex.degree, vertex.hydrogens <= 1 else { return false }
        for place in range(of: Int(atom)) {
            let edge = Int(neighbors[place].edge)
            if edge != index, edges[edge].order.isMultiple { return false }
        }
        return true
    }

    /// Returns whether a bond is in a small ring.
    mutating func isInSmallRing(_ edge: Int32) -> Bool {
        var surroundings = RingSurroundings()
        swap(&surroundings, &tools.surroundings)
        let known = surroundings.haveSmallRing(over: edge, in: self)
        swap(&surroundings, &tools.surroundings)
        if let known { return known }
        perceiveRings()
        return rings.hasSmall(over: edge)
    }

    private mutating func mayBeCenter(_ index: Int, _ sketch: borrowing StereoSketch) -> Bool {
        let vertex = vertices[index]
        let bonds = connections(of: index)
        guard vertex.degree >= 3, vertex.hydrogens <= 1 else { return false }
        let element = ChemicalElement(rawValue: vertex.element) ?? .none
        if bonds == 4 {
            // The positions of four neighbors of a metal can also form a square.
            let isSure = !element.isMetal || element == .tin || element == .lead || !sketch.hasPositions
            return element != .none && isSure
        }
        guard bonds == 3 else { return false }
        switch element {
        // Three bonds and a lone pair are stable enough for a configuration.
        case .phosphorus, .arsenic: return true
        case .sulfur, .selenium, .tellurium: return Int(vertex.orderSum) == 4 || vertex.charge == 1
        case .nitrogen: return isHeldNitrogen(index)
        default: return false
        }
    }

    /// Returns whether a nitrogen's lone pair cannot invert.
    ///
    /// This is the case in a three-membered ring, and if all bonds of a neutral nitrogen are in rings.
    private mutating func isHeldNitrogen(_ index: Int) -> Bool {
        perceiveRings()
        if index < rings.smallest.count, rings.smallest[index] == 3 { return true }
        for place in range(of: index) where !edges[Int(neighbors[place].edge)].isInRing { return false }
        return Int(vertices[index].orderSum) == 3 && vertices[index].charge == 0
    }
}

/// The coordinates and marks of a molecule that determine its configurations.
private struct StereoSketch {
    private let molecule: Molecule
    let isInSpace: Bool
    let hasPositions: Bool
    /// The drawn hydrogen that is counted at each of the molecule's atoms, or -1; empty if there are no such hydrogens.
    private var drawnHydrogens: [Int32] = []
    /// The atoms where wavy bonds start.
    private var isVague = AtomFlags()
    /// The atoms where wedges start.
    private var hasWedge = AtomFlags()

    init(_ molecule: borrowing Molecule, _ graph: borrowing MoleculeGraph) {
        self.molecule = copy molecule
        let atoms = molecule.atoms
        let heights = molecule.hasHeights
        hasPositions = atoms.contains { $0.position != atoms[0].position }
        let bonds = molecule.bonds.span
        for index in bonds.indices where !bonds[index].isPlain {
            let bond = bonds[index]
            guard bond.mark != .none, atoms.indices.contains(Int(bond.from)) else { continue }
            if bond.mark == .either {
                isVague.insert(Int(bond.from), of: atoms.count)
            } else {
                hasWedge.insert(Int(bond.from), of: atoms.count)
            }
        }
        // Some programs mark drawings with wedges as three-dimensional.
        isInSpace = heights || molecule.flags.contains(.threeDimensional) && hasWedge.isEmpty && isVague.isEmpty
        guard mayShowCenters, graph.vertices.count < atoms.count else { return }
        drawnHydrogens = [Int32](repeating: -1, count: atoms.count)
        for bond in molecule.bonds where atoms.indices.contains(Int(bond.from)) && atoms.indices.contains(Int(bond.to))
        {
            if graph.placeOfAtom[Int(bond.from)] < 0 { drawnHydrogens[Int(bond.to)] = bond.from }
            if graph.placeOfAtom[Int(bond.to)] < 0 { drawnHydrogens[Int(bond.from)] = bond.to }
        }
    }

    // MARK: Centers

    /// Whether the molecule can define configurations of atoms at all. A 2D drawing needs wedges for this.
    var mayShowCenters: Bool { isInSpace || !hasPositions || !hasWedge.isEmpty }

    func mayShowCenter(_ origin: Int) -> Bool { isInSpace || !hasPositions || hasWedge[origin] }

    func handedness(of index: Int, _ graph: borrowing MoleculeGraph) -> Handedness {
        let origin = Int(graph.vertices[index].origin)
        if isVague[origin] { return .none }
        if !hasPositions { return handednessOfParity(origin, index, graph) }
        if !isInSpace, !hasWedge[origin] { return .none }
        var arms: [Position] = []
        for place in graph.range(of: index) {
            let neighbor = graph.neighbors[place]
            let atom = Int(graph.vertices[Int(neighbor.atom)].origin)
            arms.append(arm(from: origin, to: atom, bond: Int(graph.edges[Int(neighbor.edge)].origin)))
        }
        if !drawnHydrogens.isEmpty, drawnHydrogens[origin] >= 0, let bond = bondToHydrogen(origin) {
            arms.append(arm(from: origin, to: Int(drawnHydrogens[origin]), bond: bond))
        }
        return Self.handedness(arms)
    }

    private func bondToHydrogen(_ origin: Int) -> Int? {
        let hydrogen = drawnHydrogens[origin]
        return molecule.bonds.firstIndex { $0.from == hydrogen || $0.to == hydrogen }
    }

    /// Returns the direction of a bond. In a drawing, a wedge moves its far end up or down.
    private func arm(from origin: Int, to atom: Int, bond: Int) -> Position {
        let (here, there) = (molecule.atoms[origin].position, molecule.atoms[atom].position)
        var arm = Position(there.x - here.x, there.y - here.y, isInSpace ? there.z - here.z : 0)
        let length = (arm.x * arm.x + arm.y * arm.y + arm.z * arm.z).squareRoot()
        if length > 0 { arm = Position(arm.x / length, arm.y / length, arm.z / length) }
        guard !isInSpace, molecule.bonds.indices.contains(bond), Int(molecule.bonds[bond].from) == origin else {
            return arm
        }
        switch molecule.bonds[bond].mark {
        case .up: arm.z = 1
        case .down: arm.z = -1
        case .none, .either: break
        }
        return arm
    }

    /// Returns the rotation direction of three neighbors, or of the last three of four neighbors viewed from the first.
    private static func handedness(_ arms: [Position]) -> Handedness {
        guard 3...4 ~= arms.count else { return .none }
        let volume: Double
        if arms.count == 3 {
            volume = triple(arms[0], arms[1], arms[2])
        } else {
            volume = triple(arms[0] - arms[3], arms[1] - arms[3], arms[2] - arms[3])
        }
        if abs(volume) < 0.05 { return .none }
        // With the last neighbor in the back, the first three turn counterclockwise if the volume is positive. Viewed
        // from the first neighbor, the others turn in the same direction.
        return volume > 0 ? .anticlockwise : .clockwise
    }

    private static func triple(_ a: Position, _ b: Position, _ c: Position) -> Double {
        let (x, y, z) = (b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x)
        return a.x * x + a.y * y + a.z * z
    }

    /// Returns the handedness that the parity of an atom defines in a molecule without positions.
    ///
    /// The parity refers to the neighbors in file order.
    private func handednessOfParity(_ origin: Int, _ index: Int, _ graph: borrowing MoleculeGraph) -> Handedness {
        let parity = molecule.atoms[origin].marks.parity
        guard parity == 1 || parity == 2 else { return .none }
        var atoms = graph.range(of: index).map { graph.vertices[Int(graph.neighbors[$0].atom)].origin }
        // A hydrogen counts as the highest neighbor, whether or not it is an atom of the graph.
        for place in atoms.indices where molecule.atoms[Int(atoms[place])].saysOnlyHydrogen { atoms[place] = .max }
        if !drawnHydrogens.isEmpty, drawnHydrogens[origin] >= 0 { atoms.append(.max) }
        if atoms.count(where: { $0 == .max }) > 1 { return .none }
        // With the highest neighbor in the back, the others turn clockwise if the parity is odd.
        let isEven = isEvenPermutation(atoms)
        return (parity == 1) == isEven ? .clockwise : .anticlockwise
    }

    // MARK: Double bonds

    func geometry(of index: Int, _ graph: borrowing MoleculeGraph) -> BondGeometry {
        let edge = graph.edges[index]
        if molecule.bonds[Int(edge.origin)].mark == .either { return .unknown }
        if !hasPositions { return statedGeometry(of: index, graph) }
        let (from, to) = (graph.vertices[Int(edge.from)].origin, graph.vertices[Int(edge.to)].origin)
        let axis = molecule.atoms[Int(to)].position - molecule.atoms[Int(from)].position
        guard let (first, left) = side(of: edge.from, index, along: axis, graph),
            let (second, right) = side(of: edge.to, index, along: axis, graph)
        else { return .unknown }
        let product = left.dot(right)
        let size = (left.length * right.length)
        guard size > 0.01 * axis.length * axis.length, abs(product) > 0.1 * size else { return .unknown }
        return BondGeometry(first: first, second: second, isTrans: product < 0, isKnown: true)
    }

    /// Returns the explicit geometry of a double bond in a molecule without positions.
    private func statedGeometry(of index: Int, _ graph: borrowing MoleculeGraph) -> BondGeometry {
        let edge = graph.edges[index]
        let bond = molecule.bonds[Int(edge.origin)]
        guard bond.traits.contains(.hasNotes) else { return .unknown }
        for case .geometry(let geometry) in molecule.notes(onBond: Int(edge.origin)) {
            let ends = (edge.from, edge.to)
            for (one, other) in [(geometry.one, geometry.other), (geometry.other, geometry.one)] {
                guard let first = neighbor(of: ends.0, besides: ends.1, meant: one, graph),
                    let second = neighbor(of: ends.1, besides: ends.0, meant: other, graph)
                else { continue }
                return BondGeometry(
                    first: first.atom, second: second.atom,
                    isTrans: geometry.isTrans != (first.isOther != second.isOther),
                    isKnown: true)
            }
        }
        return .unknown
    }

    /// Returns the graph atom that corresponds to a neighbor of a double bond's end.
    ///
    /// If the neighbor is a hydrogen that is not an atom of the graph, this is the other neighbor at the same end.
    private func neighbor(
        of end: Int32, besides partner: Int32, meant atom: Int32, _ graph: borrowing MoleculeGraph
    ) -> (atom: Int32, isOther: Bool)? {
        guard molecule.atoms.indices.contains(Int(atom)) else { return nil }
        let place = graph.placeOfAtom[Int(atom)]
        let origin = Int(graph.vertices[Int(end)].origin)
        let isHydrogen = place < 0 && !drawnHydrogens.isEmpty && drawnHydrogens[origin] == atom
        for slot in graph.range(of: Int(end)) {
            let neighbor = graph.neighbors[slot].atom
            if neighbor == partner { continue }
            if neighbor == place { return (neighbor, false) }
            if isHydrogen { return (neighbor, true) }
        }
        return nil
    }

    /// Returns a neighbor at one end of a double bond and its offset perpendicular to the bond.
    ///
    /// If there are two neighbors, both determine the offset: the second one is mirrored to the other side first.
    ///
    /// - Returns: `nil` if the configuration is unknown, or if both neighbors are on the same side.
    private func side(
        of atom: Int32, _ index: Int, along axis: Position, _ graph: borrowing MoleculeGraph
    ) -> (Int32, Position)? {
        let origin = Int(graph.vertices[Int(atom)].origin)
        if isVague[origin] { return nil }
        var found: (atom: Int32, across: Position)?
        for place in graph.range(of: Int(atom)) {
            let neighbor = graph.neighbors[place]
            if Int(neighbor.edge) == index { continue }
            let there = molecule.atoms[Int(graph.vertices[Int(neighbor.atom)].origin)].position
            let across = (there - molecule.atoms[origin].position).without(axis)
            guard let first = found else {
                found = (neighbor.atom, across)
                continue
            }
            let isOnOneSide = first.across.dot(across) > 0.5 * first.across.length * across.length
            if isOnOneSide, min(first.across.length, across.length) > 0.1 * axis.length { return nil }
            found = (first.atom, first.across - across)
        }
        return found
    }
}

/// A flag for some of a molecule's atoms, which uses no memory until the first flag is set.
private struct AtomFlags {
    private var flags: [Bool] = []

    var isEmpty: Bool { flags.isEmpty }

    subscript(atom: Int) -> Bool { flags.isEmpty ? false : flags[atom] }

    mutating func insert(_ atom: Int, of count: Int) {
        if flags.isEmpty { flags = [Bool](repeating: false, count: count) }
        flags[atom] = true
    }
}

extension Position {
    static func - (one: Position, other: Position) -> Position {
        Position(one.x - other.x, one.y - other.y, one.z - other.z)
    }

    var length: Double { (x * x + y * y + z * z).squareRoot() }

    func dot(_ other: Position) -> Double { x * other.x + y * other.y + z * other.z }

    /// Returns the component perpendicular to an axis.
    func without(_ axis: Position) -> Position {
        let square = axis.x * axis.x + axis.y * axis.y + axis.z * axis.z
        if square == 0 { return self }
        let share = (x * axis.x + y * axis.y + z * axis.z) / square
        return Position(x - share * axis.x, y - share * axis.y, z - share * axis.z)
    }
}
