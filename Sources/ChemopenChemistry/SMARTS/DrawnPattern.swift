import ChemopenModel

/// An error for a drawing that cannot be used as a pattern.
public struct DrawnPatternError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in plain text.
    public let description: String
}

extension SMARTSPattern {
    /// Creates a pattern from a drawn structure with its atoms, bonds and query properties.
    ///
    ///     let acid = try SMARTSPattern(drawn: Molecule(smiles: "CC(=O)O"))
    ///
    /// Implicit hydrogens can match any other neighbor. Atom lists, query atoms and query bonds are supported, and so
    /// are counts of substituents, ring bonds and hydrogens. The site of an R-group matches its members, with their
    /// conditions; without members, it matches any atom. Charges, isotopes and wedges must match; the geometry of a
    /// double bond must match only if the drawing requires it. If the drawing has R-groups, or an atom that can repeat in
    /// a chain, all possible structures match, but a match contains only its first atom.
    ///
    /// - Throws: `DrawnPatternError` if the drawing has no atoms or contains an unsupported query.
    public init(drawn molecule: Molecule) throws(DrawnPatternError) {
        var chains: [Molecule] = []
        for chain in try LinkedChains.all(of: molecule) { chains += try RGroupChoices.all(of: chain) }
        var graphs: [QueryGraph] = []
        var recursions: [QueryGraph] = []
        var needs: PerceivedParts = []
        for chain in chains {
            var reader = DrawnPattern(of: chain)
            try reader.addAtoms()
            graphs.append(reader.finish())
            needs.formUnion(reader.needs)
            // There is at most one recursion, and it is the same for all structures.
            if recursions.isEmpty { recursions = reader.recursions }
        }
        if graphs.count == 1 {
            self.init(graphs[0], recursions, needs, isWhole: false)
            return
        }
        let pattern = QueryGraph.any(of: graphs, addingTo: &recursions)
        self.init(pattern, recursions, needs, isWhole: false)
    }

    /// Creates a pattern that matches only this molecule, with any atom order and any Kekulé form.
    ///
    /// Configurations that the molecule specifies must be the same; unspecified ones can be any. A racemic or relative
    /// stereo group matches a group of the same kind; it does not matter which mirror image is drawn.
    ///
    /// - Parameter findsRacemates: whether a configuration outside of such groups also matches a group, because one of
    ///   its mirror images has that configuration. By default, it does not: an enantiomer is not its racemate.
    public init(exactly molecule: Molecule, findsRacemates: Bool = false) {
        var reader = DrawnPattern(of: molecule)
        let kinds = reader.addExactAtoms()
        self.init(
            reader.finish(), [], reader.needs, isWhole: true, stereoKinds: kinds, findsRacemates: findsRacemates)
    }
}

/// The conversion of a molecule to the graph of a pattern.
private struct DrawnPattern {
    private let molecule: Molecule
    private var graph = MoleculeGraph()
    private var query = QueryGraph()
    private(set) var recursions: [QueryGraph] = []
    private(set) var needs: PerceivedParts = [.rings, .aromaticity]
    /// The number of drawn hydrogens that are counted at each atom of the graph.
    private var drawnHydrogens: [Int]

    init(of molecule: Molecule) {
        self.molecule = molecule
        graph.take(molecule)
        graph.perceiveAromaticity()
        graph.perceiveStereo(of: molecule)
        drawnHydrogens = [Int](repeating: 0, count: graph.vertices.count)
        for bond in molecule.bonds {
            let (from, to) = (graph.placeOfAtom[Int(bond.from)], graph.placeOfAtom[Int(bond.to)])
            if from < 0, to >= 0 { drawnHydrogens[Int(to)] += 1 }
            if to < 0, from >= 0 { drawnHydrogens[Int(from)] += 1 }
        }
    }

    /// Adds bonds and configurations, and returns the complete pattern.
    mutating func finish() -> QueryGraph {
        addBonds()
        query.geometries = graph.edges.indices.compactMap(geometry)
        let hasCenters = query.atoms.contains { $0.chirality != .none || $0.coordination != nil }
        if !query.geometries.isEmpty || hasCenters { needs.insert(.stereo) }
        query.order = MatchOrder(of: query, isAnchored: false)
        return query
    }

    // MARK: Exact molecules

    private var isExact = false

    /// Adds all atoms with their complete properties.
    ///
    /// - Returns: the kinds of the stereo groups.
    mutating func addExactAtoms() -> [StereoGroup.Kind] {
        isExact = true
        let groups = molecule.extras.isEmpty ? nil : MirroredGroups(molecule, graph)
        for index in graph.vertices.indices {
            let vertex = graph.vertices[index]
            var expression = Expression(AtomTest.element(vertex.element))
            for test in [
                AtomTest.charge(Bounds(Int32(vertex.charge))), .isotope(vertex.isotope),
                .degree(Bounds(Int32(vertex.degree))), .impliedHydrogens(Bounds(Int32(vertex.hydrogens))),
            ] {
                expression.append(test, isNegated: false, joinedBy: .and)
            }
            append(expression, index)
            if let groups { query.atoms[index].stereoGroup = groups.groupOfVertex[index] }
        }
        return groups?.groups.map(\.kind) ?? []
    }

    private mutating func append(_ expression: Expression<AtomTest>, _ index: Int) {
        var atom = QueryGraph.Atom()
        atom.expression = expression
        atom.chirality =
            switch graph.centers[index] {
            case .none: .none
            case .clockwise: .clockwise
            case .anticlockwise: .anticlockwise
            }
        if let coordination = graph.coordination(of: index) {
            // An atom that is not in the graph can be at any corner.
            let neighbors = coordination.corners.map { $0 < Coordination.vacancy ? $0 : -1 }
            let arrangement = coordination.shape.firstInCornerOrder
            atom.coordination = QueryGraph.Coordination(
                shape: coordination.shape, arrangement: arrangement, neighbors: neighbors)
        }
        atom.bonds = graph.range(of: index).map { graph.neighbors[$0].edge }
        query.atoms.append(atom)
    }

    // MARK: Atom queries

    mutating func addAtoms() throws(DrawnPatternError) {
        if graph.vertices.isEmpty { throw DrawnPatternError(description: "the structure has no atoms") }
        for index in graph.vertices.indices {
            let vertex = graph.vertices[index]
            var expression = try elements(of: vertex)
            func ask(_ test: AtomTest) { expression.append(test, isNegated: false, joinedBy: .clause) }
            if vertex.charge != 0 { ask(.charge(Bounds(Int32(vertex.charge)))) }
            if vertex.isotope != 0 { ask(.isotope(vertex.isotope)) }
            if drawnHydrogens[index] > 0 { ask(.hydrogens(Bounds(Int32(drawnHydrogens[index]), .max))) }
            for note in molecule.notes(onAtom: Int(vertex.origin)) {
                if let test = try test(for: note, index) { ask(test) }
            }
            append(expression, index)
            query.atoms[index].mapNumber = Int32(clamping: molecule.atoms[Int(vertex.origin)].mapNumber)
        }
    }

    /// Returns the elements that an atom can match, according to its element, list or label.
    private func elements(of vertex: MoleculeGraph.Vertex) throws(DrawnPatternError) -> Expression<AtomTest> {
        let origin = Int(vertex.origin)
        for case .elementList(let list) in molecule.notes(onAtom: origin) { return try elements(of: list, origin) }
        if vertex.element != 0 { return Expression(.element(vertex.element)) }
        let label = molecule.symbol(ofAtom: origin).string
        switch label {
        case "A": return Self.none(of: [.hydrogen])
        case "Q": return Self.none(of: [.hydrogen, .carbon])
        case "QH": return Self.none(of: [.carbon])
        case "X", "XH": return Self.any(of: [.fluorine, .chlorine, .bromine, .iodine, .astatine])
        case "M", "MH": return Self.any(of: (1...118).compactMap { ChemicalElement(rawValue: $0) }.filter(\.isMetal))
        case "", "*", "AH", "R#", "R": return Expression(.any)
        case _ where molecule.notes(onAtom: origin).rgroup != nil: return Expression(.any)
        default:
            throw DrawnPatternError(description: "atom \(origin + 1) has the unknown symbol \"\(label)\"")
        }
    }

    private func elements(of list: ElementList, _ atom: Int) throws(DrawnPatternError) -> Expression<AtomTest> {
        let elements = list.symbols.compactMap { ChemicalElement(symbol: $0.string) }
        guard elements.count == list.symbols.count, !elements.isEmpty else {
            throw DrawnPatternError(description: "the list of atom \(atom + 1) contains unknown elements")
        }
        return list.isExcluding ? Self.none(of: elements) : Self.any(of: elements)
    }

    private static func any(of elements: [ChemicalElement]) -> Expression<AtomTest> {
        var expression = Expression<AtomTest>()
        for element in elements {
            expression.append(.element(element.rawValue), isNegated: false, joinedBy: .alternative)
        }
        return expression
    }

    private static func none(of elements: [ChemicalElement]) -> Expression<AtomTest> {
        var expression = Expression<AtomTest>()
        for element in elements { expression.append(.element(element.rawValue), isNegated: true, joinedBy: .and) }
        return expression
    }

    /// Returns the test that a note requires, or `nil` if it requires no test.
    private mutating func test(for note: AtomNote, _ index: Int) throws(DrawnPatternError) -> AtomTest? {
        let vertex = graph.vertices[index]
        switch note {
        case .hydrogenQuery(let count): return .hydrogens(count == 0 ? Bounds(0) : Bounds(Int32(clamping: count), .max))
        case .ringBondCount(let count):
            let drawn = graph.range(of: index).count { graph.edges[Int(graph.neighbors[$0].edge)].isInRing }
            return .ringBonds(Self.bounds(count, drawn: drawn, most: 4))
        case .substitutionCount(let count): return .heavyDegree(Self.bounds(count, drawn: vertex.degree, most: 6))
        case .unsaturated: return .recursion(unsaturation())
        case .query(let text):
            throw DrawnPatternError(
                description: "atom \(vertex.origin + 1) has the unsupported query \"\(text.string)\"")
        default: return nil
        }
    }

    /// Returns the range for MDL's number of substituents or ring bonds: -1 means 0, -2 means as drawn, and `most`
    /// means at least that number.
    private static func bounds(_ count: Int, drawn: Int, most: Int) -> Bounds {
        switch count {
        case -2: Bounds(Int32(clamping: drawn))
        case ...(-1): Bounds(0)
        case most...: Bounds(Int32(clamping: most), .max)
        default: Bounds(Int32(clamping: count))
        }
    }

    /// Returns the index of the recursion that matches an atom with a multiple bond, and adds the recursion if
    /// necessary.
    private mutating func unsaturation() -> Int32 {
        if recursions.isEmpty {
            var bond = Expression<BondTest>()
            for test in [BondTest.double, .triple, .aromatic] {
                bond.append(test, isNegated: false, joinedBy: .alternative)
            }
            var pattern = QueryGraph()
            for _ in 0..<2 {
                var atom = QueryGraph.Atom()
                atom.expression = Expression(.any)
                atom.bonds = [0]
                pattern.atoms.append(atom)
            }
            pattern.bonds = [QueryGraph.Bond(from: 0, to: 1, expression: bond)]
            pattern.order = MatchOrder(of: pattern, isAnchored: true)
            recursions = [pattern]
        }
        return 0
    }

    // MARK: Bonds

    private mutating func addBonds() {
        for edge in graph.edges {
            let bond = molecule.bonds[Int(edge.origin)]
            var expression = Self.any(of: tests(for: edge, bond.order))
            if !isExact, bond.traits.contains(.inRing) {
                expression.append(.ring, isNegated: false, joinedBy: .clause)
            } else if !isExact, bond.traits.contains(.inChain) {
                expression.append(.ring, isNegated: true, joinedBy: .clause)
            }
            query.bonds.append(QueryGraph.Bond(from: edge.from, to: edge.to, expression: expression))
        }
    }

    private static func any(of tests: [BondTest]) -> Expression<BondTest> {
        var expression = Expression<BondTest>()
        for test in tests { expression.append(test, isNegated: false, joinedBy: .alternative) }
        return expression
    }

    private func tests(for edge: MoleculeGraph.Edge, _ order: Bond.Order) -> [BondTest] {
        switch order {
        case .singleOrDouble: return [.single, .double]
        case .singleOrAromatic: return [.single, .aromatic]
        case .doubleOrAromatic: return [.double, .aromatic]
        case .aromatic: return [.aromatic]
        default: break
        }
        if edge.isAromatic { return [.aromatic] }
        switch edge.order {
        case .single: return [.single]
        case .double: return [.double]
        case .triple: return [.triple]
        case .quadruple: return [.quadruple]
        case .dative: return [.given]
        case .zero, .hydrogen, .query, .quintuple, .sextuple: return [.any]
        }
    }

    /// Returns the geometry that a double bond must have, or `nil` if any geometry matches.
    private func geometry(of index: Int) -> QueryGraph.Geometry? {
        let (edge, geometry) = (graph.edges[index], graph.geometries[index])
        guard geometry.isKnown else { return nil }
        let ends = [edge.from, edge.to].map { molecule.atoms[Int(graph.vertices[Int($0)].origin)] }
        let isAsked =
            molecule.bonds[Int(edge.origin)].traits.contains(.stereoCare)
            || ends.allSatisfy { $0.marks.contains(.stereoCare) }
            || molecule.notes(onBond: Int(edge.origin)).contains { $0.geometry != nil }
        if !isExact, !isAsked { return nil }
        return QueryGraph.Geometry(
            bond: Int32(truncatingIfNeeded: index), first: geometry.first, second: geometry.second,
            isTrans: geometry.isTrans)
    }
}
