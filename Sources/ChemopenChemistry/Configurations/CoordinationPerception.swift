import ChemopenModel

extension MoleculeGraph {
    /// Returns the atoms that can be coordination centers or the middle of an allene.
    func atomsThatMayCoordinate(mayBeAllenes: Bool) -> [Int] {
        var found: [Int] = []
        let vertices = vertices.span
        for index in vertices.indices {
            let vertex = vertices[index]
            // The element rules out nearly all atoms, or for carbon the first comparison.
            if vertex.element > 12 {
                if vertex.degree > 2, Self.mayCoordinate(vertex) { found.append(index) }
            } else if mayBeAllenes, vertex.orderSum == 4, vertex.degree == 2, vertex.element == 6 {
                found.append(index)
            }
        }
        return found
    }

    /// Returns whether an atom can have four neighbors in a plane, or five or six neighbors.
    private static func mayCoordinate(_ vertex: Vertex) -> Bool {
        let element = ChemicalElement(rawValue: vertex.element) ?? .none
        switch vertex.degree + Int(vertex.hydrogens) {
        case 4: return element.isMetal && element != .tin && element != .lead || element == .xenon
        case 5, 6: return true
        default: return false
        }
    }

    /// An end of an allene: its atom, and that atom's neighbor in the chain of double bonds.
    typealias AlleneEnd = (atom: Int32, inner: Int32)

    /// Returns the ends of an allene or a longer chain of double bonds with this atom in the middle.
    ///
    /// - Returns: `nil` if there is no such chain, or an end cannot have a configuration.
    func alleneEnds(around middle: Int) -> (first: AlleneEnd, last: AlleneEnd)? {
        let range = range(of: middle)
        guard range.count == 2 else { return nil }
        let ends = range.map { place -> (end: AlleneEnd, length: Int)? in
            alleneEnd(from: Int32(truncatingIfNeeded: middle), over: neighbors[place])
        }
        guard let first = ends[0], let last = ends[1], first.length == last.length else { return nil }
        return (first.end, last.end)
    }

    private static let longestAllene = 8

    private func alleneEnd(from atom: Int32, over neighbor: Neighbor) -> (end: AlleneEnd, length: Int)? {
        var (before, here, edge) = (atom, neighbor.atom, neighbor.edge)
        for length in 1...Self.longestAllene {
            if edges[Int(edge)].order != .double || edges[Int(edge)].isAromatic { return nil }
            let vertex = vertices[Int(here)]
            if vertex.element != ChemicalElement.carbon.rawValue { return nil }
            let others = range(of: Int(here)).filter { neighbors[$0].edge != edge }
            if others.count == 1, vertex.hydrogens == 0 {
                (before, here, edge) = (here, neighbors[others[0]].atom, neighbors[others[0]].edge)
                continue
            }
            let isEnd =
                others.count + Int(vertex.hydrogens) == 2 && !others.isEmpty
                && others.allSatisfy { !edges[Int(neighbors[$0].edge)].order.isMultiple }
            let end: AlleneEnd = (here, before)
            return isEnd ? (end, length) : nil
        }
        return nil
    }

    /// Adds the configurations that are specified in a molecule without positions.
    mutating func takeConfigurations(of molecule: borrowing Molecule) {
        if molecule.extras.isEmpty { return }
        for tagged in molecule.extras.contents.atomNotes {
            guard case .configuration(let configuration) = tagged.note, configuration.isValid,
                placeOfAtom.indices.contains(Int(tagged.index)), placeOfAtom[Int(tagged.index)] >= 0,
                coordinations.last?.atom != placeOfAtom[Int(tagged.index)]
            else { continue }
            if let found = coordination(placeOfAtom[Int(tagged.index)], as: configuration) {
                coordinations.append(found)
            }
        }
    }

    /// Returns a specified configuration if it refers to all neighbors of its atom.
    private func coordination(_ atom: Int32, as configuration: AtomNote.Configuration) -> Coordination? {
        var order: [Int32] = []
        for neighbor in configuration.neighbors {
            if neighbor == AtomNote.Configuration.vacancy {
                order.append(Coordination.vacancy)
                continue
            }
            if neighbor >= 0, !placeOfAtom.indices.contains(Int(neighbor)) { return nil }
            let place = neighbor < 0 ? -1 : placeOfAtom[Int(neighbor)]
            order.append(place < 0 ? Coordination.hydrogen : place)
        }
        guard
            let found = Coordination(
                atom, configuration.shape, arrangement: Int(configuration.arrangement), of: order)
        else { return nil }
        if configuration.shape == .allene {
            guard let ends = alleneEnds(around: Int(atom)) else { return nil }
            let (first, last) = (corners(at: ends.first), corners(at: ends.last))
            let (front, back) = (order[..<2].sorted(), order[2...].sorted())
            return front == first && back == last || front == last && back == first ? found : nil
        }
        let atoms = Set(order.filter { $0 < Coordination.vacancy })
        let hydrogens = order.count { $0 == Coordination.hydrogen }
        let range = range(of: Int(atom))
        let isComplete =
            atoms.count == range.count && range.allSatisfy { atoms.contains(neighbors[$0].atom) }
            && hydrogens == Int(vertices[Int(atom)].hydrogens)
        return isComplete ? found : nil
    }

    /// Returns the neighbors at an end of an allene, in ascending order.
    private func corners(at end: AlleneEnd) -> [Int32] {
        let atoms = range(of: Int(end.atom)).map { neighbors[$0].atom }.filter { $0 != end.inner }
        return (atoms.count == 1 ? atoms + [Coordination.hydrogen] : atoms).sorted()
    }
}

extension AtomNote.Configuration {
    /// Creates the description of a configuration in a graph, in terms of the molecule's atoms.
    init(_ coordination: Coordination, in graph: borrowing MoleculeGraph) {
        let neighbors = coordination.corners.map { corner in
            switch corner {
            case Coordination.hydrogen: Self.hydrogen
            case Coordination.vacancy: Self.vacancy
            default: graph.vertices[Int(corner)].origin
            }
        }
        self.init(coordination.shape, coordination.shape.firstInCornerOrder, of: neighbors)
    }
}

extension Molecule {
    /// Returns the atoms with a configuration that is not tetrahedral, drawn or specified, for each shape.
    package func atomsByShape() -> [(shape: AtomNote.Configuration.Shape, atoms: [Int])] {
        let graph = MoleculeGraph(stereoOf: self)
        return AtomNote.Configuration.Shape.allCases.compactMap { shape in
            let centers = graph.coordinations.filter { $0.shape == shape }
            let atoms = centers.map { Int(graph.vertices[Int($0.atom)].origin) }
            return atoms.isEmpty ? nil : (shape, atoms)
        }
    }
}

extension AtomNote.Configuration {
    /// The same configuration with its neighbors in ascending order, for comparisons. The neighbors at each end of an
    /// allene stay together.
    package var normalized: AtomNote.Configuration {
        var order = neighbors.sorted()
        if shape == .allene, neighbors.count == 4 {
            let ends = [neighbors[..<2].sorted(), neighbors[2...].sorted()]
            order = ends.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
        }
        guard let found = Coordination(0, shape, arrangement: Int(arrangement), of: neighbors),
            let arrangement = found.arrangement(of: order)
        else { return self }
        return AtomNote.Configuration(shape, arrangement, of: order)
    }
}

extension AtomNote.Configuration.Shape {
    /// The arrangement whose neighbors are in the order of the corners.
    var firstInCornerOrder: Int {
        let order = Array(0..<cornerCount)
        let place = arrangements.firstIndex { arrangement in
            rotations.contains { rotation in rotation.map { arrangement[$0] } == order }
        }
        return (place ?? 0) + 1
    }
}
