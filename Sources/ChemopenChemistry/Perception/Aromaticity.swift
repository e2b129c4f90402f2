import ChemopenModel

/// The perception of aromatic rings by RDKit's model: up to six fused rings that share 4n + 2 electrons.
extension MoleculeGraph {
    /// Perceives rings and marks the aromatic atoms and bonds. `guesses` determines whether atoms without a double bond
    /// can be aromatic if they have a query bond in a ring. In a cage, the result depends on the chosen rings.
    public mutating func perceiveAromaticity(guesses: Bool = true) {
        if perceived.contains(.aromaticity) { return }
        perceiveRings()
        perceived.insert(.aromaticity)
        if rings.count == 0 { return }
        var donors = [Donor](repeating: .unknown, count: vertices.count)
        var candidates: [Int] = []
        for ring in 0..<rings.count {
            var isCandidate = true
            var hasElement = false
            for atom in rings.atoms[rings.range(ring)] {
                let atom = Int(atom)
                if vertices[atom].element != 0 { hasElement = true }
                if donors[atom] == .unknown { donors[atom] = !guesses && isGuess(atom) ? .none : donor(atom) }
                if donors[atom] == .none { isCandidate = false }
            }
            if isCandidate, hasElement { candidates.append(ring) }
        }
        if candidates.isEmpty { return }
        let fused = FusedRings(candidates, of: self)
        if fused.isBounded { isIncomplete = true }
        if fused.areFused {
            search(fused, donors)
        } else {
            for ring in candidates { markAlone(ring, donors) }
        }
    }

    /// The number of electrons that an atom contributes to a ring.
    enum Donor: UInt8 {
        case unknown
        /// The atom cannot be part of an aromatic ring.
        case none
        case vacant, one, two
        /// The atom is not an element and can contribute up to two electrons.
        case any
    }

    // MARK: Atoms

    private func donor(_ index: Int) -> Donor {
        let vertex = vertices[index]
        if vertex.element == 0 { return hasMultipleBond(index, inRing: true) ? .one : .any }
        if vertex.element > 18, vertex.element != 34, vertex.element != 52 { return .none }
        let donor = electronDonor(index)
        return donor == .none || !maySettle(index) ? .none : donor
    }

    private func isGuess(_ index: Int) -> Bool {
        vertices[index].idleBonds > 0 && !hasMultipleBond(index, inRing: true)
            && neighbors[range(of: index)].map { edges[Int($0.edge)] }.contains { $0.order == .query && $0.isInRing }
    }

    private func electronDonor(_ index: Int) -> Donor {
        let vertex = withQuestionsAsBonds(index)
        var electrons = spareElectrons(of: vertex)
        if electrons < 0 { return .none }
        let outside = multipleBondOutsideRings(index)
        let isDrawn = outside.map { Shell.draws(vertices[$0].element, from: vertex.element) } ?? false
        switch electrons {
        case 0:
            return outside != nil ? .vacant : hasMultipleBond(index, inRing: true) ? .one : .none
        case 1:
            if outside != nil { return isDrawn ? .vacant : .one }
            if Int(vertex.orderSum) != vertex.degree - Int(vertex.idleBonds) { return .one }
            return vertex.charge == 1 ? .vacant : .none
        default:
            if isDrawn { electrons -= 1 }
            return electrons % 2 == 1 ? .one : .two
        }
    }

    /// Returns a ring atom with its query bonds outside of rings counted as single bonds.
    ///
    /// Like a substituent, such a bond leaves one electron of a ring carbon for the ring. Hydrogens that were counted
    /// without this bond are reduced by one.
    private func withQuestionsAsBonds(_ index: Int) -> Vertex {
        var vertex = vertices[index]
        for place in range(of: index) where vertex.idleBonds > 0 {
            let edge = edges[Int(neighbors[place].edge)]
            if edge.order != .query || edge.isInRing { continue }
            (vertex.idleBonds, vertex.orderSum) = (vertex.idleBonds - 1, vertex.orderSum + 1)
            vertex.hydrogens = max(0, vertex.hydrogens - 1)
        }
        return vertex
    }

    /// Returns the number of electrons that an atom can contribute to a conjugated system, or -1 if it cannot be part
    /// of one.
    func spareElectrons(of vertex: Vertex) -> Int {
        let usual = Shell.lowestValence(Int(vertex.element))
        if usual <= 1 { return -1 }
        let degree = vertex.degree + Int(vertex.hydrogens) - Int(vertex.idleBonds)
        if degree > 3 { return -1 }
        let pairs = max(0, Shell.electrons(vertex.element) - usual - Int(vertex.charge))
        let spare = usual - degree + pairs - Int(vertex.unpairedElectrons)
        return spare > 1 && Int(vertex.orderSum) - vertex.degree > 1 ? 1 : spare
    }

    /// Returns whether the valence, radical and bonds of an atom allow it to be part of an aromatic ring.
    private func maySettle(_ index: Int) -> Bool {
        let vertex = vertices[index]
        let usual = Shell.lowestValence(Int(vertex.element))
        let charged = Shell.lowestValence(Int(vertex.element) - Int(vertex.charge))
        if usual > 0, valence(of: index) > charged { return false }
        let isNeutralCarbon = vertex.element == ChemicalElement.carbon.rawValue && vertex.charge == 0
        if vertex.unpairedElectrons > 0, !isNeutralCarbon { return false }
        if Int(vertex.orderSum) - vertex.degree <= 1 { return true }
        return range(of: index).count { edges[Int(neighbors[$0].edge)].order.isMultiple } <= 1
    }

    private func hasMultipleBond(_ index: Int, inRing: Bool) -> Bool {
        for place in range(of: index) {
            let edge = edges[Int(neighbors[place].edge)]
            if edge.isInRing == inRing, edge.order.isMultiple { return true }
        }
        return false
    }

    private func multipleBondOutsideRings(_ index: Int) -> Int? {
        for place in range(of: index) {
            let edge = edges[Int(neighbors[place].edge)]
            if !edge.isInRing, edge.order.isMultiple { return Int(neighbors[place].atom) }
        }
        return nil
    }

    // MARK: Rings

    private mutating func search(_ fused: FusedRings, _ donors: [Donor]) {
        var search = HueckelSearch(fused, donors, self)
        for system in fused.systems() { search.search(system) }
        for atom in vertices.indices where search.isAromaticAtom[atom] { vertices[atom].isAromatic = true }
        for edge in edges.indices where search.isAromaticEdge[edge] { edges[edge].isAromatic = true }
        if search.isBounded { isIncomplete = true }
    }

    /// Marks the atoms and bonds of a ring that is not fused with other rings, if it has 4n + 2 electrons.
    private mutating func markAlone(_ ring: Int, _ donors: [Donor]) {
        var sum = HueckelSearch.Electrons()
        for atom in rings.atoms[rings.range(ring)] { sum += HueckelSearch.Electrons(donors[Int(atom)]) }
        if !sum.areAromatic { return }
        for atom in rings.atoms[rings.range(ring)] { vertices[Int(atom)].isAromatic = true }
        for edge in rings.edges[rings.range(ring)] { edges[Int(edge)].isAromatic = true }
    }
}
