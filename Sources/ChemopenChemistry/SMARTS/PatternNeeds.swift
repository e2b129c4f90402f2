extension QueryGraph {
    /// The properties of a molecule that the atoms and bonds depend on. Patterns in `$(…)` are not included.
    ///
    /// They are derived from the finished graph rather than from the text, because some tests have no symbol: a bond
    /// without a symbol is single or aromatic.
    var needs: PerceivedParts {
        var needs: PerceivedParts = geometries.isEmpty ? [] : .stereo
        for atom in atoms {
            if atom.chirality != .none || atom.coordination != nil { needs.insert(.stereo) }
            if atom.component >= 0 { needs.insert(.fragments) }
            for literal in atom.expression.literals { needs.formUnion(literal.test.needs) }
        }
        for bond in bonds {
            for literal in bond.expression.literals { needs.formUnion(literal.test.needs) }
        }
        return needs
    }
}

extension AtomTest {
    fileprivate var needs: PerceivedParts {
        switch self {
        case .aromatic, .aliphatic, .aliphaticElement, .aromaticElement, .aliphaticHeteroatoms: .aromaticity
        case .ringBonds, .rings, .smallestRing, .ringSize: .rings
        case .hybridisation: .hybridisation
        case .any, .element, .isotope, .charge, .degree, .heavyDegree, .connections, .valence, .hydrogens,
            .impliedHydrogens, .heteroatoms, .recursion:
            []
        }
    }
}

extension BondTest {
    fileprivate var needs: PerceivedParts {
        switch self {
        case .plain, .single, .double, .aromatic: .aromaticity
        case .ring: .rings
        case .any, .triple, .quadruple, .given, .taken: []
        }
    }
}
