import ChemopenModel

/// Determines the side of a double bond on which its second line is drawn.
struct DoubleBondSides {
    private let atoms: [Atom]
    private let bonds: [Bond]
    private let around: DrawnNeighbors
    private let isInRing: [Bool]
    static let center = 0x100
    static let right = 0x101
    static let left = 0x102

    init(_ molecule: borrowing Molecule, _ around: DrawnNeighbors) {
        atoms = molecule.atoms
        bonds = molecule.bonds
        self.around = around
        isInRing = molecule.bonds.contains { $0.order == .double } ? RingBonds.find(around) : []
    }

    /// Returns the side of the ring or of most neighbors, or the center if both sides are equal.
    func side(of index: Int) -> Int {
        let bond = bonds[index]
        let (from, to) = (Int(bond.from), Int(bond.to))
        let start = atoms[from].position
        let end = atoms[to].position
        let (x, y) = (end.x - start.x, end.y - start.y)
        var weight = 0
        func weigh(_ neighbor: DrawnNeighbors.Neighbor) {
            if neighbor.bond == index { return }
            let place = atoms[neighbor.atom].position
            let turn = x * (place.y - start.y) - y * (place.x - start.x)
            let part = isInRing[neighbor.bond] && isInRing[index] ? 4 : 1
            if abs(turn) > 0.001 { weight += turn > 0 ? part : -part }
        }
        around.forEach(of: from) { weigh($0) }
        around.forEach(of: to) { weigh($0) }
        let isTerminal = around.count(of: from) == 1 || around.count(of: to) == 1
        if weight == 0 || (isTerminal && abs(weight) < 2 && !isInRing[index]) { return Self.center }
        // In all files that ChemDraw writes, its right side is the left side when you look from the begin of the bond
        // to its end.
        return weight > 0 ? Self.right : Self.left
    }
}
