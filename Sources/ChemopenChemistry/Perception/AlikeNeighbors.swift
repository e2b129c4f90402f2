import ChemopenModel

/// A search for equivalent neighbors, which show that an apparent configuration does not exist.
///
/// In 3D, for example, the carbon of each isopropyl or trifluoromethyl group seems to have a configuration.
///
/// Two cases are excluded. If a neighbor leads to another configuration, that configuration distinguishes it. Two pairs
/// of equivalent neighbors in rings, as at a spiro center, can only be swapped together.
struct AlikeNeighbors {
    /// Two neighbors of an atom.
    private struct Pair {
        let hub: Int32
        let one: Int32
        let other: Int32
        /// The double bond that the neighbors belong to, or -1 for a stereocenter.
        let double: Int32
        /// Whether there may be another path between the two neighbors.
        let isOnRing: Bool
    }

    private var pairs: [Pair] = []
    private var classes: [UInt64] = []
    /// The remaining steps. If no steps are left, all neighbors count as different.
    private var stepsLeft = 4_000_000

    /// Removes the configurations of centers and double bonds with two equivalent neighbors.
    ///
    /// - Parameter marks: for each of the molecule's atoms, a hash of properties that the graph does not contain; or
    ///   empty.
    static func forgetConfigurations(
        in graph: inout MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64]
    ) {
        if !graph.coordinations.isEmpty { forgetCoordinations(in: &graph, molecule, marks) }
        var search = AlikeNeighbors(graph)
        if search.pairs.isEmpty { return }
        search.narrow(graph, molecule, marks)
        if search.pairs.isEmpty { return }
        graph.perceiveRings()
        search.narrow(graph, molecule, marks)
        search.forget(in: &graph)
    }

    /// Removes the configurations of coordination centers and allenes that are the same in any arrangement of their
    /// neighbors. Also removes configurations that differ from their mirror images, if the drawing does not distinguish
    /// the two.
    ///
    /// Neighbors in a ring with the center count as different, and so do neighbors that lead to another configuration.
    static func forgetCoordinations(
        in graph: inout MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64], forgetsIdle: Bool = true
    ) {
        var search = AlikeNeighbors()
        search.classify(graph, molecule, marks)
        if search.stepsLeft < 0 {
            graph.coordinations.removeAll { !$0.hasHand }
            return
        }
        var seen = [Int32](repeating: -1, count: graph.vertices.count)
        var number: Int32 = 0
        var kept: [Coordination] = []
        for center in graph.coordinations {
            var keys: [Int32: UInt64] = [:]
            for corner in center.corners where corner < Coordination.vacancy {
                number &+= 1
                let isAlone =
                    graph.isCut(center, from: corner)
                    && !search.leads(from: graph.hub(of: corner, at: center), to: corner, &seen, number, graph)
                // Classes are random numbers, which do not collide with the small numbers of atoms.
                keys[corner] = isAlone ? search.classes[Int(corner)] : UInt64(UInt32(bitPattern: corner))
            }
            func key(_ corner: Int32) -> UInt64 { keys[corner] ?? UInt64(UInt32(bitPattern: corner)) }
            if forgetsIdle, center.isIdle(key) { continue }
            if center.hasHand || center.signature(key) == center.mirrored.signature(key) { kept.append(center) }
        }
        if kept.count < graph.coordinations.count { graph.coordinations = kept }
    }

    private init() {}

    /// Computes the classes of all atoms, which depend on their surroundings up to any distance.
    private mutating func classify(
        _ graph: borrowing MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64]
    ) {
        begin(graph, molecule, marks)
        var count = 0
        while true {
            let found = Set(classes).count
            stepsLeft -= 4 * classes.count
            if found == count || stepsLeft < 0 { return }
            count = found
            classes = graph.vertices.indices.map { classBySurroundings(of: $0, graph) }
        }
    }

    private init(_ graph: borrowing MoleculeGraph) {
        for atom in graph.vertices.indices where graph.centers[atom] != .none {
            add(at: Int32(truncatingIfNeeded: atom), double: -1, graph)
        }
        for (edge, geometry) in graph.geometries.enumerated() where geometry.isKnown {
            add(at: graph.edges[edge].from, double: Int32(truncatingIfNeeded: edge), graph)
            add(at: graph.edges[edge].to, double: Int32(truncatingIfNeeded: edge), graph)
        }
    }

    private mutating func add(at hub: Int32, double: Int32, _ graph: borrowing MoleculeGraph) {
        let range = graph.range(of: Int(hub))
        for place in range where graph.neighbors[place].edge != double {
            for otherPlace in range where otherPlace > place && graph.neighbors[otherPlace].edge != double {
                let (one, other) = (graph.neighbors[place], graph.neighbors[otherPlace])
                let isOnRing = graph.edges[Int(one.edge)].isInRing || graph.edges[Int(other.edge)].isInRing
                if isOnRing, double >= 0, graph.edges[Int(double)].isInRing { continue }
                pairs.append(Pair(hub: hub, one: one.atom, other: other.atom, double: double, isOnRing: isOnRing))
            }
        }
    }

    // MARK: Classes

    /// Removes the pairs with neighbors that differ in their surroundings, up to any distance.
    private mutating func narrow(
        _ graph: borrowing MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64]
    ) {
        begin(graph, molecule, marks)
        var count = 0
        while true {
            keepAlike()
            if pairs.isEmpty { return }
            let found = Set(classes).count
            if found == count { return }
            count = found
            stepsLeft -= 4 * classes.count
            if stepsLeft < 0 { return pairs.removeAll() }
            classes = graph.vertices.indices.map { classBySurroundings(of: $0, graph) }
        }
    }

    private mutating func keepAlike() {
        pairs.removeAll { classes[Int($0.one)] != classes[Int($0.other)] }
    }

    private mutating func begin(
        _ graph: borrowing MoleculeGraph, _ molecule: borrowing Molecule, _ marks: [UInt64]
    ) {
        classes.removeAll(keepingCapacity: true)
        for place in graph.vertices.indices {
            let vertex = graph.vertices[place]
            var key = UInt64(vertex.element) << 56 | UInt64(UInt8(truncatingIfNeeded: vertex.hydrogens)) << 48
            key |= UInt64(vertex.isotope) << 32 | UInt64(UInt16(bitPattern: vertex.charge)) << 16
            key |= UInt64(UInt8(truncatingIfNeeded: vertex.unpairedElectrons)) << 8 | (vertex.isAromatic ? 1 : 0)
            if graph.perceived.contains(.rings), place < graph.rings.smallest.count {
                key ^= CanonicalOrder.mixed(UInt64(UInt32(truncatingIfNeeded: graph.rings.smallest[place])))
            }
            if !marks.isEmpty { key ^= CanonicalOrder.mixed(marks[Int(vertex.origin)]) }
            let map = UInt64(UInt32(bitPattern: molecule.atoms[Int(vertex.origin)].mapNumber))
            classes.append(CanonicalOrder.mixed(CanonicalOrder.mixed(key) ^ map))
        }
    }

    /// Returns a hash of an atom's class, its neighbors' classes and the bonds to them.
    private func classBySurroundings(of atom: Int, _ graph: borrowing MoleculeGraph) -> UInt64 {
        let surroundings = CanonicalOrder.surroundings(of: atom, graph) { classes[Int($0)] ^ CanonicalOrder.mixed($1) }
        return CanonicalOrder.mixed(classes[atom] ^ CanonicalOrder.mixed(surroundings))
    }

    // MARK: Configurations

    /// Removes configurations at equivalent neighbors, beginning at the ends of the molecule.
    private mutating func forget(in graph: inout MoleculeGraph) {
        var seen = [Int32](repeating: -1, count: graph.vertices.count)
        var search: Int32 = 0
        var pairsAt: [Int32: Int] = [:]
        for pair in pairs where pair.double < 0 { pairsAt[pair.hub, default: 0] += 1 }
        var changes = true
        while changes {
            changes = false
            for pair in pairs where hasConfiguration(pair, graph) {
                if stepsLeft < 0 { return }
                if pair.isOnRing, pairsAt[pair.hub, default: 0] > 1 { continue }
                search &+= 1
                if leads(from: pair.hub, to: pair.one, &seen, search, graph)
                    || leads(from: pair.hub, to: pair.other, &seen, search, graph)
                {
                    continue
                }
                if pair.double < 0 {
                    graph.centers[Int(pair.hub)] = .none
                } else {
                    graph.geometries[Int(pair.double)] = .unknown
                    graph.geometries[Int(pair.double)].isIdle = true
                }
                changes = true
            }
        }
    }

    private func hasConfiguration(_ pair: Pair, _ graph: borrowing MoleculeGraph) -> Bool {
        pair.double < 0 ? graph.centers[Int(pair.hub)] != .none : graph.geometries[Int(pair.double)].isKnown
    }

    /// Returns whether another configuration can be reached through a neighbor.
    private mutating func leads(
        from hub: Int32, to neighbor: Int32, _ seen: inout [Int32], _ search: Int32, _ graph: borrowing MoleculeGraph
    ) -> Bool {
        seen[Int(hub)] = search
        seen[Int(neighbor)] = search
        var next = [neighbor]
        while let atom = next.popLast() {
            stepsLeft -= 1
            if stepsLeft < 0 || graph.centers[Int(atom)] != .none { return true }
            if !graph.coordinations.isEmpty, graph.coordination(of: Int(atom)) != nil { return true }
            for place in graph.range(of: Int(atom)) {
                let neighbor = graph.neighbors[place]
                if neighbor.atom == hub { continue }
                if graph.geometries[Int(neighbor.edge)].isKnown { return true }
                if seen[Int(neighbor.atom)] == search { continue }
                seen[Int(neighbor.atom)] = search
                next.append(neighbor.atom)
            }
        }
        return false
    }
}

extension MoleculeGraph {
    /// Returns the atom to which a corner of a configuration is bonded: the center, or an end of the allene.
    fileprivate func hub(of corner: Int32, at center: Coordination) -> Int32 {
        guard center.shape == .allene, let ends = alleneEnds(around: Int(center.atom)) else { return center.atom }
        return edge(between: corner, and: ends.first.atom) != nil ? ends.first.atom : ends.last.atom
    }

    /// Returns whether the bond to a corner of a configuration is not in a ring.
    fileprivate func isCut(_ center: Coordination, from corner: Int32) -> Bool {
        let edge = edge(between: hub(of: corner, at: center), and: corner)
        return edge.map { !edges[Int($0)].isInRing } ?? false
    }
}
