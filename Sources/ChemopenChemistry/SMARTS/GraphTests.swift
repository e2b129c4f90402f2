/// The evaluation of atom and bond tests.
extension MoleculeGraph {
    /// Returns whether an atom satisfies a test.
    func holds(_ test: AtomTest, of index: Int) -> Bool {
        let vertex = vertices[index]
        switch test {
        case .any: return true
        case .aromatic: return vertex.isAromatic
        case .aliphatic: return !vertex.isAromatic
        case .element(let element): return vertex.element == element
        case .aliphaticElement(let element): return vertex.element == element && !vertex.isAromatic
        case .aromaticElement(let element): return vertex.element == element && vertex.isAromatic
        case .isotope(let number): return vertex.isotope == number
        case .charge(let bounds): return bounds.contains(Int(vertex.charge))
        case .degree(let bounds): return bounds.contains(vertex.degree)
        case .heavyDegree(let bounds): return bounds.contains(vertex.degree - neighborCount(index) { $0.element == 1 })
        case .connections(let bounds): return bounds.contains(connections(of: index))
        case .valence(let bounds): return bounds.contains(valence(of: index))
        case .hydrogens(let bounds):
            return bounds.contains(Int(vertex.hydrogens) + neighborCount(index) { $0.element == 1 })
        case .impliedHydrogens(let bounds): return bounds.contains(Int(vertex.hydrogens))
        case .ringBonds(let bounds): return bounds.contains(ringBonds(index))
        case .rings(let bounds): return bounds.contains(Int(ringNumber(rings.counts, index)))
        case .smallestRing(let bounds): return bounds.contains(Int(ringNumber(rings.smallest, index)))
        case .ringSize(let bounds):
            return rings.has(
                atom: Int32(truncatingIfNeeded: index), inRingOf: bounds.low...max(bounds.low, bounds.high))
        case .heteroatoms(let bounds):
            return bounds.contains(neighborCount(index) { $0.element != 6 && $0.element != 1 })
        case .aliphaticHeteroatoms(let bounds):
            return bounds.contains(neighborCount(index) { $0.element != 6 && $0.element != 1 && !$0.isAromatic })
        case .hybridisation(let kind): return hybridisations[index] == kind
        case .recursion: return false
        }
    }

    private func neighborCount(_ index: Int, _ isMeant: (Vertex) -> Bool) -> Int {
        var count = 0
        for place in range(of: index) where isMeant(vertices[Int(neighbors[place].atom)]) { count += 1 }
        return count
    }

    private func ringBonds(_ index: Int) -> Int {
        var count = 0
        for place in range(of: index) where edges[Int(neighbors[place].edge)].isInRing { count += 1 }
        return count
    }

    private func ringNumber(_ numbers: [Int32], _ index: Int) -> Int32 {
        numbers.indices.contains(index) ? numbers[index] : 0
    }

    /// Returns whether a bond matches a bond of the pattern.
    ///
    /// - Parameter isForward: whether the search follows the pattern's bond from its first atom to its second.
    func fits(_ place: Int32, _ bond: QueryGraph.Bond, from atom: Int32, isForward: Bool) -> Bool {
        let edge = edges[Int(place)]
        return bond.expression.holds { test in
            switch test {
            case .any: true
            case .plain: edge.isAromatic || edge.order == .single
            case .single: !edge.isAromatic && edge.order == .single
            case .double: !edge.isAromatic && edge.order == .double
            case .triple: edge.order == .triple
            case .quadruple: edge.order == .quadruple
            case .aromatic: edge.isAromatic
            case .ring: edge.isInRing
            case .given: edge.order == .dative && (edge.from == atom) == isForward
            case .taken: edge.order == .dative && (edge.from == atom) != isForward
            }
        }
    }
}
