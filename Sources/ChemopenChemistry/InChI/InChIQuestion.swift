import ChemopenModel

/// A request to the InChI library: a structure, encoded as numbers.
///
/// Positions and wedges are passed unchanged, so that the library perceives the same configurations as in a molfile.
/// Without positions, configurations are passed explicitly, as SMILES would contain them.
package struct InChIQuestion: Sendable {
    /// The input line for `chemopen-inchi`.
    package let bytes: [UInt8]

    /// The maximum number of atoms that the library supports.
    private static let mostAtoms = 1023

    /// Creates a request, or returns `nil` if InChI cannot represent the molecule.
    ///
    /// The reasons are an atom that is not an element, an isotope that the library cannot store, or an unsupported bond
    /// order.
    package init?(_ molecule: Molecule) {
        let graph = MoleculeGraph(stereoOf: molecule)
        guard 1...Self.mostAtoms ~= graph.vertices.count, !graph.isIncomplete else { return nil }
        let hasAromaticBonds = molecule.bonds.contains { $0.order == .aromatic }
        for vertex in graph.vertices {
            if vertex.element == 0 || !Self.isStorable(vertex.isotope, of: vertex.element) { return nil }
            // If an aromatic ring has no Kekulé form, the structure is invalid.
            let lacksBond =
                vertex.element == 6 && vertex.charge == 0 && vertex.unpairedElectrons == 0
                && vertex.orderSum + vertex.hydrogens < 4
            if lacksBond, hasAromaticBonds { return nil }
        }
        guard let rows = Self.drawn(molecule, graph) ?? Self.stated(molecule, graph) else { return nil }
        var text = Array("\(rows.atoms.count) \(rows.bonds.count) \(rows.stereo.count)".utf8)
        for row in rows.atoms + rows.bonds + rows.stereo {
            for number in row {
                text.append(UInt8(ascii: " "))
                text += "\(number)".utf8
            }
        }
        text.append(UInt8(ascii: "\n"))
        bytes = text
    }

    private struct Rows {
        var atoms: [[Int]] = []
        var bonds: [[Int]] = []
        var stereo: [[Int]] = []
    }

    // MARK: Molecules with positions

    /// The largest coordinate that can be passed.
    private static let farthest = 100_000.0

    /// Returns all atoms with their positions, and all bonds with their marks.
    ///
    /// - Returns: `nil` if the molecule has no positions, or too many atoms.
    private static func drawn(_ molecule: Molecule, _ graph: MoleculeGraph) -> Rows? {
        guard CoordinateKind(of: molecule) != .unplaced, molecule.atoms.count <= mostAtoms else { return nil }
        var rows = Rows()
        let counts = molecule.hydrogenCounts()
        for (index, atom) in molecule.atoms.enumerated() {
            let place = [atom.position.x, atom.position.y, atom.position.z]
            guard place.allSatisfy({ abs($0) < farthest }) else { return nil }
            let isotope = MoleculeGraph.isotope(of: atom, at: index, in: molecule)
            // The bond of a counted hydrogen uses its only electron.
            let electrons = graph.placeOfAtom[index] < 0 ? 0 : min(2, atom.radical.unpairedElectrons)
            rows.atoms.append(
                [
                    Int(atom.element.rawValue), Int(atom.charge), Int(isotope), electrons, max(0, counts[index]),
                ] + place.map { Int(($0 * 10_000).rounded()) })
        }
        func add(_ bond: Bond, _ order: Int) {
            let mark =
                switch bond.mark {
                case .none: 0
                case .up: 1
                case .down: 6
                case .either: order == 2 ? 3 : 4
                }
            rows.bonds.append([Int(bond.from), Int(bond.to), order, mark])
        }
        for edge in graph.edges {
            guard let order = self.order(of: edge) else { return nil }
            if order > 0 { add(molecule.bonds[Int(edge.origin)], order) }
        }
        for bond in molecule.bonds where bond.order == .single {
            let ends = [Int(bond.from), Int(bond.to)]
            guard ends.allSatisfy(graph.placeOfAtom.indices.contains), bond.from != bond.to else { continue }
            if ends.contains(where: { graph.placeOfAtom[$0] < 0 }) { add(bond, 1) }
        }
        return rows
    }

    /// Returns the order of a bond for the library: 0 for a bond that it ignores, and `nil` if it cannot represent the
    /// bond.
    private static func order(of edge: MoleculeGraph.Edge) -> Int? {
        switch edge.order {
        case .single, .dative: 1
        case .double: 2
        case .triple: 3
        case .zero, .hydrogen: 0
        case .query, .quadruple, .quintuple, .sextuple: nil
        }
    }

    // MARK: Molecules without positions

    /// Returns the atoms, bonds and configurations of a graph.
    private static func stated(_ molecule: Molecule, _ graph: MoleculeGraph) -> Rows? {
        var rows = Rows()
        for vertex in graph.vertices {
            rows.atoms.append([
                Int(vertex.element), Int(vertex.charge), Int(vertex.isotope), min(2, Int(vertex.unpairedElectrons)),
                max(0, Int(vertex.hydrogens)), 0, 0, 0,
            ])
        }
        for edge in graph.edges {
            guard let order = order(of: edge) else { return nil }
            if order > 0 { rows.bonds.append([Int(edge.from), Int(edge.to), order, 0]) }
        }
        for index in graph.vertices.indices where graph.centers[index] != .none {
            // The library disconnects metals, and ignores their configurations.
            let element = ChemicalElement(rawValue: graph.vertices[index].element) ?? .none
            if element.isMetal, element != .tin, element != .lead { continue }
            if let row = center(index, graph) { rows.stereo.append(row) }
        }
        rows.stereo += geometries(of: molecule, graph)
        rows.stereo += graph.coordinations.compactMap { $0.shape == .allene ? allene($0, graph) : nil }
        return rows
    }

    /// Returns the geometries of double bonds.
    ///
    /// The library disconnects metals before it determines the sizes of rings, so a double bond of a porphyrin is in a
    /// large ring, although it is in a small ring with the metal.
    private static func geometries(of molecule: Molecule, _ graph: MoleculeGraph) -> [[Int]] {
        let isMetal = molecule.atoms.map(\.element.isMetal)
        let bondsToMetals = molecule.bonds.indices.filter { place in
            let (from, to) = (Int(molecule.bonds[place].from), Int(molecule.bonds[place].to))
            return isMetal.indices.contains(from) && isMetal[from] || isMetal.indices.contains(to) && isMetal[to]
        }
        if bondsToMetals.isEmpty { return geometries(in: graph) { Int($0) } }
        var bare = molecule
        for (index, count) in molecule.hydrogenCounts().enumerated() { bare.atoms[index].hydrogens = .fixed(count) }
        bare.removeBonds(bondsToMetals)
        let bareGraph = MoleculeGraph(stereoOf: bare)
        return geometries(in: bareGraph) { Int(graph.placeOfAtom[Int(bareGraph.vertices[Int($0)].origin)]) }
            .filter { !$0[2...5].contains(-1) }
    }

    private static func geometries(in graph: MoleculeGraph, _ place: (Int32) -> Int) -> [[Int]] {
        zip(graph.edges, graph.geometries).compactMap { edge, geometry in
            guard geometry.isKnown else { return nil }
            return [
                2, -1, place(geometry.first), place(edge.from), place(edge.to), place(geometry.second),
                geometry.isTrans ? 2 : 1,
            ]
        }
    }

    /// Returns an allene with one neighbor at each end.
    private static func allene(_ coordination: Coordination, _ graph: MoleculeGraph) -> [Int]? {
        guard let ends = graph.alleneEnds(around: Int(coordination.atom)) else { return nil }
        let corners = coordination.corners
        let isFirst = corners[..<2].allSatisfy {
            $0 == Coordination.hydrogen || graph.edge(between: $0, and: ends.first.atom) != nil
        }
        let (near, far) = isFirst ? (ends.first.atom, ends.last.atom) : (ends.last.atom, ends.first.atom)
        var isEven = true
        func atom(_ places: (Int, Int)) -> Int32 {
            if corners[places.0] != Coordination.hydrogen { return corners[places.0] }
            isEven.toggle()
            return corners[places.1]
        }
        let (first, last) = (atom((0, 1)), atom((2, 3)))
        if first == Coordination.hydrogen || last == Coordination.hydrogen { return nil }
        return [3, Int(coordination.atom), Int(first), Int(near), Int(far), Int(last), isEven ? 2 : 1]
    }

    /// Returns whether the library can store an isotope.
    ///
    /// The library stores the difference from the element's average mass, which is at most 100 (`ISOTOPIC_SHIFT_MAX`).
    /// Beyond that, it confuses isotopes without a warning.
    private static func isStorable(_ isotope: UInt16, of element: UInt8) -> Bool {
        guard isotope > 0, let element = ChemicalElement(rawValue: element) else { return true }
        return abs(Int(isotope) - element.roundedWeight) <= 100
    }

    /// Returns a stereocenter with its neighbors. The center itself represents a hydrogen or lone pair, which is the
    /// last neighbor in the graph.
    private static func center(_ index: Int, _ graph: MoleculeGraph) -> [Int]? {
        var neighbors = graph.range(of: index).map { Int(graph.neighbors[$0].atom) }
        guard 3...4 ~= neighbors.count else { return nil }
        var isClockwise = graph.centers[index] == .clockwise
        if neighbors.count == 3 {
            // InChI lists it first. This moves it by three positions, which is an odd permutation.
            neighbors.insert(index, at: 0)
            isClockwise.toggle()
        }
        return [1, index] + neighbors + [isClockwise ? 2 : 1]
    }
}
