import ChemopenModel

/// The unification of alternative drawings of the same structure, which RDKit also does before perception.
extension MoleculeGraph {
    mutating func unify() {
        var changes = false
        for index in vertices.indices {
            let vertex = vertices[index]
            let changed =
                switch ChemicalElement(rawValue: vertex.element) {
                case .nitrogen: vertex.orderSum &+ vertex.hydrogens == 5 && chargeNitrogen(index)
                case .phosphorus: vertex.orderSum &+ vertex.hydrogens == 5 && chargePhosphorus(index)
                case .chlorine, .bromine, .iodine: vertex.orderSum &+ vertex.hydrogens > 2 && chargeHalogen(index)
                default: false
                }
            if changed {
                changes = true
                sumOrders()
            }
        }
        if giveToMetals() { changes = true }
        if changes { sumOrders() }
    }

    /// Separates charges: `CN(=O)=O` becomes `C[N+](=O)[O-]`, and `CN=N#N` becomes `CN=[N+]=[N-]`.
    private mutating func chargeNitrogen(_ index: Int) -> Bool {
        if vertices[index].charge != 0 { return false }
        for place in range(of: index) {
            let (atom, edge) = (Int(neighbors[place].atom), Int(neighbors[place].edge))
            let neighbor = vertices[atom]
            if neighbor.charge != 0 { continue }
            if neighbor.element == ChemicalElement.oxygen.rawValue, edges[edge].order == .double {
                edges[edge].order = .single
            } else if neighbor.element == ChemicalElement.nitrogen.rawValue, edges[edge].order == .triple {
                edges[edge].order = .double
            } else {
                continue
            }
            vertices[index].charge = 1
            vertices[atom].charge = -1
            return true
        }
        return false
    }

    /// Separates charges: `C=P(=O)C` becomes `C=[P+]([O-])C`.
    private mutating func chargePhosphorus(_ index: Int) -> Bool {
        if vertices[index].charge != 0 || vertices[index].degree != 3 { return false }
        var oxygen: Neighbor?
        var hasOther = false
        for place in range(of: index) where edges[Int(neighbors[place].edge)].order == .double {
            let neighbor = vertices[Int(neighbors[place].atom)]
            if neighbor.element == ChemicalElement.oxygen.rawValue, neighbor.charge == 0, oxygen == nil {
                oxygen = neighbors[place]
            } else if neighbor.element == ChemicalElement.carbon.rawValue
                || neighbor.element == ChemicalElement.nitrogen.rawValue, neighbor.degree > 1
            {
                hasOther = true
            }
        }
        guard let oxygen, hasOther else { return false }
        edges[Int(oxygen.edge)].order = .single
        vertices[index].charge = 1
        vertices[Int(oxygen.atom)].charge = -1
        return true
    }

    /// Separates charges: `OCl(=O)(=O)=O` becomes `O[Cl+3]([O-])([O-])[O-]`.
    private mutating func chargeHalogen(_ index: Int) -> Bool {
        let vertex = vertices[index]
        let sum = vertex.orderSum &+ vertex.hydrogens
        guard vertex.charge == 0, sum == 3 || sum == 5 || sum == 7 else { return false }
        for place in range(of: index) {
            let neighbor = vertices[Int(neighbors[place].atom)]
            if neighbor.element != ChemicalElement.oxygen.rawValue { return false }
        }
        var charge: Int16 = 0
        for place in range(of: index) where edges[Int(neighbors[place].edge)].order == .double {
            edges[Int(neighbors[place].edge)].order = .single
            vertices[Int(neighbors[place].atom)].charge = -1
            charge += 1
        }
        vertices[index].charge = charge
        return charge > 0
    }

    /// Changes a single bond to a metal into a dative bond if the other atom has no free valence for a single bond.
    private mutating func giveToMetals() -> Bool {
        var changes = false
        for index in edges.indices where edges[index].order == .single {
            let edge = edges[index]
            let isMetal = (isMetal(edge.from), isMetal(edge.to))
            if isMetal.0 == isMetal.1 { continue }
            let donor = Int(isMetal.0 ? edge.to : edge.from)
            guard isOverfull(donor) else { continue }
            edges[index].from = Int32(truncatingIfNeeded: donor)
            edges[index].to = edge.other(than: edges[index].from)
            edges[index].order = .dative
            changes = true
            sumOrders()
        }
        return changes
    }

    private func isMetal(_ index: Int32) -> Bool {
        ChemicalElement(rawValue: vertices[Int(index)].element)?.isMetal == true
    }

    private func isOverfull(_ index: Int) -> Bool {
        let vertex = vertices[index]
        guard let most = Shell.mostValence(vertex.element, charge: Int(vertex.charge)) else { return false }
        return valence(of: index) > most && (vertex.element <= 2 || 2 * valence(of: index) <= 8)
    }
}
