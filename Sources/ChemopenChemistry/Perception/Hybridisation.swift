extension MoleculeGraph {
    /// Determines the hybridization of each atom.
    mutating func perceiveHybridisation() {
        if perceived.contains(.hybridisation) { return }
        perceiveAromaticity()
        perceived.insert(.hybridisation)
        let conjugated = conjugatedAtoms()
        hybridisations.removeAll(keepingCapacity: true)
        for index in vertices.indices {
            if vertices[index].element == 0 {
                hybridisations.append(.unspecified)
                continue
            }
            switch orbitals(index) {
            case ..<0, 0, 1: hybridisations.append(.s)
            case 2: hybridisations.append(.sp)
            case 3: hybridisations.append(.sp2)
            case 4: hybridisations.append(connections(of: index) <= 3 && conjugated[index] ? .sp2 : .sp3)
            case 5: hybridisations.append(.sp3d)
            case 6: hybridisations.append(.sp3d2)
            default: hybridisations.append(.unspecified)
            }
        }
    }

    /// Returns the number of bonds and lone pairs of an atom.
    private func orbitals(_ index: Int) -> Int {
        let vertex = vertices[index]
        let bonds = connections(of: index) - Int(vertex.idleBonds)
        if vertex.element <= 1 { return bonds }
        let outer = Shell.electrons(vertex.element)
        let free = outer - valence(of: index) - Int(vertex.charge)
        if valence(of: index) + outer - Int(vertex.charge) < 8 {
            let unpaired = Int(vertex.unpairedElectrons)
            return bonds + (free - unpaired) / 2 + unpaired
        }
        return bonds + free / 2
    }

    /// Returns whether each atom has a bond that is part of a conjugated system.
    private func conjugatedAtoms() -> [Bool] {
        var isConjugated = [Bool](repeating: false, count: edges.count)
        for index in edges.indices { isConjugated[index] = edges[index].isAromatic }
        let mayConjugate = vertices.indices.map(mayConjugate)
        for index in vertices.indices where mayConjugate[index] && 2...3 ~= connections(of: index) {
            for place in range(of: index) {
                let edge = neighbors[place].edge
                guard edges[Int(edge)].isAromatic || edges[Int(edge)].order.isMultiple else { continue }
                for second in range(of: index) where neighbors[second].edge != edge {
                    let other = Int(neighbors[second].atom)
                    if connections(of: other) <= 3, mayConjugate[other] {
                        isConjugated[Int(edge)] = true
                        isConjugated[Int(neighbors[second].edge)] = true
                    }
                }
            }
        }
        var atoms = [Bool](repeating: false, count: vertices.count)
        for index in edges.indices where isConjugated[index] {
            atoms[Int(edges[index].from)] = true
            atoms[Int(edges[index].to)] = true
        }
        return atoms
    }

    private func mayConjugate(_ index: Int) -> Bool {
        let vertex = vertices[index]
        let lowest = Shell.lowestValence(Int(vertex.element))
        if vertex.charge == 0, lowest >= 0, valence(of: index) > lowest { return false }
        let outer = Shell.electrons(vertex.element)
        let isSecondRow = vertex.element <= 10
        let mayLater = outer != 5 && outer != 6 || outer == 6 && connections(of: index) < 2
        return (isSecondRow || mayLater) && spareElectrons(of: vertices[index]) > 0
    }
}
