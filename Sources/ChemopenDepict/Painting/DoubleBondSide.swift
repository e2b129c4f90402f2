import ChemopenModel

/// The position of the second line of a double bond.
enum DoubleBondSide: Equatable {
    /// Both lines are parallel to the line from atom to atom.
    case centered
    /// One line connects the atoms, and the other is on its left or right, as seen along the bond.
    case left, right
}

extension MoleculeSketch {
    /// Returns the side of a double bond: inside a ring, on the side with more neighbors, or centered if neither
    /// applies.
    ///
    /// The result depends only on the drawing, not on the order of atoms or on the direction of the bond.
    func sideOfDoubleBond(_ place: Int, searchesRings: Bool) -> DoubleBondSide {
        if let side = sides[place] { return side }
        let bond = molecule.bonds[place]
        let from = Int(bond.from)
        let to = Int(bond.to)
        let way = points[to] - points[from]
        if searchesRings, let ring = graph.ringForDoubleBond(place, at: points) {
            let center = Point.center(of: ring.map { points[$0] })
            let turn = way.cross(center - points[from])
            if abs(turn) > 0.01 * way.length { return turn > 0 ? .left : .right }
        }
        let first = graph[from].prefix(Self.mostNeighbors).filter { $0.bond != place }
        let second = graph[to].prefix(Self.mostNeighbors).filter { $0.bond != place }
        if hasLabel(from) && hasLabel(to) { return .centered }
        if first.isEmpty && second.isEmpty { return .centered }
        if (first + second).contains(where: { isDouble($0.bond) }) && (first.count < 2 || second.count < 2) {
            if (first + second).contains(where: { isStraight($0, place) }) { return .centered }
        }
        if first.isEmpty != second.isEmpty, max(first.count, second.count) > 1 { return .centered }
        let left = neighbors(first, of: from, leftOf: way) + neighbors(second, of: to, leftOf: way)
        let right = first.count + second.count - left
        if left != right { return left > right ? .left : .right }
        let normal = way.unit.left
        let isLeftLower = abs(normal.y) > 0.05 ? normal.y > 0 : normal.x > 0
        return isLeftLower ? .left : .right
    }

    /// The limit for the number of neighbors that are considered.
    private static let mostNeighbors = 12

    private func neighbors(_ neighbors: [BondGraph.Neighbor], of atom: Int, leftOf way: Point) -> Int {
        neighbors.count { way.cross(points[$0.atom] - points[atom]) > 0 }
    }

    func hasLabel(_ atom: Int) -> Bool { !labels[atom].boxes.isEmpty }

    private func isDouble(_ place: Int) -> Bool { molecule.bonds[place].order == .double }

    /// Whether the bond of a neighbor continues a bond in a straight line.
    private func isStraight(_ neighbor: BondGraph.Neighbor, _ place: Int) -> Bool {
        let bond = molecule.bonds[place]
        let ends = [Int(bond.from), Int(bond.to)]
        guard
            let shared = ends.first(where: { end in
                graph[end].prefix(Self.mostNeighbors).contains { $0.bond == neighbor.bond }
            })
        else {
            return false
        }
        let other = ends[0] == shared ? ends[1] : ends[0]
        return (points[other] - points[shared]).angle(to: points[neighbor.atom] - points[shared]) > 2.9
    }
}
