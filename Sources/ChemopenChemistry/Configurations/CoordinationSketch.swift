import ChemopenModel

/// The positions and wedges of a molecule that determine the configurations of coordination centers and allenes.
///
/// In a drawing, a wedge moves its far end up or down by the length of the bond, and the result is compared with the
/// ideal shapes.
struct CoordinationSketch {
    /// The configuration of an atom.
    enum Finding {
        case none
        /// The neighbors form a tetrahedron.
        case tetrahedral
        case coordination(Coordination)
    }

    /// A neighbor, with its direction of length 1.
    struct Arm {
        let atom: Int32
        let direction: Position
        let mark: Bond.Mark

        /// Creates the arm of a drawing from a direction in the plane, which need not have length 1.
        init(_ atom: Int32, along flat: Position, _ mark: Bond.Mark) {
            var direction = Position(flat.x, flat.y)
            let length = direction.length
            if mark == .up || mark == .down { direction.z = mark == .up ? length : -length }
            self.init(atom: atom, direction: direction.scaled(by: 1 / max(direction.length, 1e-9)), mark: mark)
        }

        init(atom: Int32, direction: Position, mark: Bond.Mark) {
            self.atom = atom
            self.direction = direction
            self.mark = mark
        }
    }

    private let molecule: Molecule
    private let isInSpace: Bool
    /// For each of the molecule's atoms, the drawn hydrogens that are counted at it, and their bonds.
    private var drawnHydrogens: [Int32: [(atom: Int32, bond: Int)]] = [:]

    init(_ molecule: borrowing Molecule, _ graph: borrowing MoleculeGraph, isInSpace: Bool) {
        self.molecule = copy molecule
        self.isInSpace = isInSpace
        if graph.vertices.count == molecule.atoms.count { return }
        let atoms = 0..<graph.placeOfAtom.count
        for (place, bond) in molecule.bonds.enumerated() where atoms ~= Int(bond.from) && atoms ~= Int(bond.to) {
            if graph.placeOfAtom[Int(bond.from)] < 0 { drawnHydrogens[bond.to, default: []].append((bond.from, place)) }
            if graph.placeOfAtom[Int(bond.to)] < 0 { drawnHydrogens[bond.from, default: []].append((bond.to, place)) }
        }
    }

    /// Determines the configuration of an atom that `MoleculeGraph.mayCoordinate` accepts.
    func finding(at index: Int, _ graph: borrowing MoleculeGraph) -> Finding {
        let vertex = graph.vertices[index]
        if vertex.element == ChemicalElement.carbon.rawValue { return allene(at: index, graph) }
        guard let arms = arms(of: index, graph) else { return .none }
        return finding(arms, at: index, graph)
    }

    /// Determines the configuration of a coordination center from the directions of its neighbors.
    func finding(_ arms: [Arm], at index: Int, _ graph: borrowing MoleculeGraph) -> Finding {
        let undrawn = graph.connections(of: index) - arms.count
        guard 0...1 ~= undrawn else { return .none }
        let isFlat = !isInSpace && !arms.contains { $0.mark == .up || $0.mark == .down }
        if isFlat, arms.count > 4 { return .none }
        let open = undrawn == 1 ? Coordination.hydrogen : Coordination.vacancy
        switch (arms.count, undrawn) {
        case (3, 1) where !isInSpace: return square(arms, open, at: index, graph)
        case (4, 0): return isInSpace ? four(arms, at: index) : drawnFour(arms, at: index, graph)
        case (5, 0): return best(bipyramids(arms) + pyramids(arms, open), at: index)
        case (5, 1): return best(pyramids(arms, open), at: index)
        case (6, 0): return best(octahedra(arms), at: index)
        default: return .none
        }
    }

    /// Returns the neighbors with their directions, or `nil` if the directions are unknown.
    func arms(of index: Int, _ graph: borrowing MoleculeGraph) -> [Arm]? {
        let origin = graph.vertices[index].origin
        var arms: [Arm] = []
        for place in graph.range(of: index) {
            let neighbor = graph.neighbors[place]
            let bond = Int(graph.edges[Int(neighbor.edge)].origin)
            let there = graph.vertices[Int(neighbor.atom)].origin
            guard let arm = arm(neighbor.atom, from: origin, to: there, bond) else { return nil }
            arms.append(arm)
        }
        for (hydrogen, bond) in drawnHydrogens[origin] ?? [] {
            guard let arm = arm(Coordination.hydrogen, from: origin, to: hydrogen, bond) else { return nil }
            arms.append(arm)
        }
        return arms
    }

    private func arm(_ atom: Int32, from origin: Int32, to there: Int32, _ place: Int) -> Arm? {
        let bond = molecule.bonds[place]
        let mark = bond.from == origin ? bond.mark : .none
        if mark == .either { return nil }
        let direction = molecule.atoms[Int(there)].position - molecule.atoms[Int(origin)].position
        let length = direction.length
        guard length > 1e-6 else { return nil }
        if !isInSpace { return Arm(atom, along: direction, mark) }
        return Arm(atom: atom, direction: direction.scaled(by: 1 / length), mark: mark)
    }

    // MARK: Shapes

    /// A possible arrangement, and the sum of the squared deviations from the ideal shape.
    private struct Fit {
        let deviation: Double
        let shape: Coordination.Shape
        let corners: [Int32]
        /// A measure of the distance of the neighbors from a plane; in a plane, they would have no rotation direction.
        let depth: Double
        /// The least bent axis, as the cosine of its angle.
        let axis: Double
    }

    /// Returns the best arrangement, unless another one fits equally well.
    private func best(_ fits: [Fit], at index: Int) -> Finding {
        let sorted = fits.sorted { $0.deviation < $1.deviation }
        guard let first = sorted.first, first.axis < (isInSpace ? -0.75 : -0.1) else { return .none }
        let margin = isInSpace ? 0.001 : 0.02
        if sorted.count > 1, sorted[1].deviation - first.deviation < margin { return .none }
        var found = Coordination(Int32(truncatingIfNeeded: index), first.shape, first.corners)
        found.hasHand = first.depth > (isInSpace ? 1 : 0.5)
        return .coordination(found)
    }

    private func octahedra(_ arms: [Arm]) -> [Fit] {
        Self.pairings.map { pairs in
            octahedron(
                pairs.map { (arms[$0.0].direction, arms[$0.1].direction) },
                pairs.map { (arms[$0.0].atom, arms[$0.1].atom) }, deviation(arms, pairs: pairs))
        }
    }

    /// Returns the octahedra without a sixth neighbor, which are square pyramids.
    private func pyramids(_ arms: [Arm], _ open: Int32) -> [Fit] {
        var fits: [Fit] = []
        for top in arms.indices {
            let others = arms.indices.filter { $0 != top }
            for pairing in Self.pairingsOfFour {
                let pairs = pairing.map { (others[$0.0], others[$0.1]) }
                let directions = pairs.map { (arms[$0.0].direction, arms[$0.1].direction) }
                let up = arms[top].direction
                fits.append(
                    octahedron(
                        [(up, up.scaled(by: -1))] + directions,
                        [(arms[top].atom, open)] + pairs.map { (arms[$0.0].atom, arms[$0.1].atom) },
                        deviation(arms, pairs: pairs)))
            }
        }
        return fits
    }

    private func octahedron(
        _ axes: [(Position, Position)], _ atoms: [(Int32, Int32)], _ deviation: Double
    ) -> Fit {
        let depth = (axes[0].0 - axes[0].1).triple(axes[1].0 - axes[1].1, axes[2].0 - axes[2].1)
        let around =
            depth > 0
            ? [atoms[1].0, atoms[2].0, atoms[1].1, atoms[2].1] : [atoms[1].0, atoms[2].1, atoms[1].1, atoms[2].0]
        return Fit(
            deviation: deviation, shape: .octahedral, corners: [atoms[0].0, atoms[0].1] + around, depth: abs(depth),
            axis: axes.map { $0.0.dot($0.1) }.max() ?? 0)
    }

    private func bipyramids(_ arms: [Arm]) -> [Fit] {
        var fits: [Fit] = []
        for first in arms.indices {
            for last in arms.indices where last > first {
                let around = arms.indices.filter { $0 != first && $0 != last }
                fits.append(bipyramid(arms, first, last, around))
            }
        }
        return fits
    }

    private func bipyramid(_ arms: [Arm], _ first: Int, _ last: Int, _ around: [Int]) -> Fit {
        let directions = around.map { arms[$0].direction }
        let axis = arms[first].direction - arms[last].direction
        let depth = axis.triple(directions[1] - directions[0], directions[2] - directions[0])
        let ring = depth > 0 ? around : around.reversed()
        return Fit(
            deviation: deviation(arms, pairs: [(first, last)], ring: around), shape: .trigonalBipyramidal,
            corners: [arms[first].atom, arms[last].atom] + ring.map { arms[$0].atom }, depth: abs(depth),
            axis: arms[first].direction.dot(arms[last].direction))
    }

    /// Returns the sum of the squared differences between the cosines of all angles and those of a shape.
    ///
    /// - Parameters:
    ///   - pairs: the neighbors that are opposite each other.
    ///   - ring: three neighbors with equal angles between them.
    private func deviation(_ arms: [Arm], pairs: [(Int, Int)], ring: [Int] = []) -> Double {
        var sum = 0.0
        for one in arms.indices {
            for other in arms.indices where other > one {
                let isOpposite = pairs.contains { $0 == (one, other) || $0 == (other, one) }
                let ideal = isOpposite ? -1 : ring.contains(one) && ring.contains(other) ? -0.5 : 0
                let difference = arms[one].direction.dot(arms[other].direction) - ideal
                sum += difference * difference
            }
        }
        return sum
    }

    private static let pairingsOfFour: [[(Int, Int)]] = [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]]

    private static let pairings: [[(Int, Int)]] = (1..<6).flatMap { partner in
        let others = (1..<6).filter { $0 != partner }
        return pairingsOfFour.map { pairs in [(0, partner)] + pairs.map { (others[$0.0], others[$0.1]) } }
    }

    // MARK: Four neighbors

    /// Four neighbors in space form a square, a tetrahedron, or a bipyramid without one of the corners around its axis.
    private func four(_ arms: [Arm], at index: Int) -> Finding {
        let squares = Self.pairingsOfFour.map { ($0, deviation(arms, pairs: $0)) }
        guard let square = squares.min(by: { $0.1 < $1.1 }) else { return .none }
        var tetrahedral = 0.0
        for one in arms.indices {
            for other in arms.indices where other > one {
                let difference = arms[one].direction.dot(arms[other].direction) + 1.0 / 3
                tetrahedral += difference * difference
            }
        }
        var seesaw: (deviation: Double, first: Int, last: Int)?
        for first in arms.indices {
            for last in arms.indices where last > first {
                let around = arms.indices.filter { $0 != first && $0 != last }
                let found = deviation(arms, pairs: [(first, last)], ring: around)
                if found < seesaw?.deviation ?? .infinity { seesaw = (found, first, last) }
            }
        }
        if let seesaw, seesaw.deviation < square.1, seesaw.deviation < tetrahedral {
            let around = arms.indices.filter { $0 != seesaw.first && $0 != seesaw.last }
            let gap = (arms[around[0]].direction + arms[around[1]].direction).scaled(by: -1)
            let filled = arms + [Arm(atom: Coordination.vacancy, direction: gap, mark: .none)]
            return best([bipyramid(filled, seesaw.first, seesaw.last, around + [4])], at: index)
        }
        if tetrahedral < square.1 { return .tetrahedral }
        let (one, other) = (square.0[0], square.0[1])
        guard arms[one.0].direction.dot(arms[one.1].direction) < -0.75,
            arms[other.0].direction.dot(arms[other.1].direction) < -0.75
        else { return .none }
        let corners = [one.0, other.0, one.1, other.1].map { arms[$0].atom }
        return .coordination(Coordination(Int32(truncatingIfNeeded: index), .squarePlanar, corners))
    }

    /// Four neighbors in a drawing usually form a square.
    ///
    /// They form a tetrahedron if one wedge goes up, an adjacent one goes down, and two bonds have no wedge. With fewer
    /// wedges, the element decides. Without a wedge, the neighbors must not be in a ring with the center, because the
    /// ring would determine their directions.
    private func drawnFour(_ arms: [Arm], at index: Int, _ graph: borrowing MoleculeGraph) -> Finding {
        let (up, down) = (arms.count { $0.mark == .up }, arms.count { $0.mark == .down })
        if up == 1, down == 1 {
            let wedges = arms.filter { $0.mark == .up || $0.mark == .down }.map(\.direction)
            // The cosine of 140 degrees.
            if wedges[0].flatCosine(wedges[1]) > -0.77 { return .tetrahedral }
        }
        let element = ChemicalElement(rawValue: graph.vertices[index].element) ?? .none
        if up + down < 2, !element.isUsuallySquare { return up + down == 0 ? .none : .tetrahedral }
        if up + down == 0,
            graph.range(of: index).contains(where: { graph.edges[Int(graph.neighbors[$0].edge)].isInRing })
        {
            return .none
        }
        return square(arms, nil, at: index, graph)
    }

    /// Returns the square in which the neighbors follow each other as drawn.
    ///
    /// - Parameter open: the neighbor that is not drawn and belongs in the largest gap, or `nil`.
    private func square(_ arms: [Arm], _ open: Int32?, at index: Int, _ graph: borrowing MoleculeGraph) -> Finding {
        let element = ChemicalElement(rawValue: graph.vertices[index].element) ?? .none
        if open != nil, !element.isUsuallySquare { return .none }
        let sorted = arms.sorted { $0.direction.isBefore($1.direction) }
        var corners: [Int32] = []
        var smallest = Double.infinity
        var gap = (size: 0.0, after: 0)
        for place in sorted.indices {
            let next = sorted[(place + 1) % sorted.count].direction
            let size = 1 - sorted[place].direction.flatCosine(next)
            let turn = sorted[place].direction.flatCross(next) < 0 ? 4 - size : size
            smallest = min(smallest, turn)
            if turn > gap.size { gap = (turn, place) }
            corners.append(sorted[place].atom)
        }
        // 1 minus the cosine of 15 and of 140 degrees.
        guard smallest > 0.034 else { return .none }
        if let open {
            guard gap.size > 1.77 else { return .none }
            corners.insert(open, at: gap.after + 1)
        }
        return .coordination(Coordination(Int32(truncatingIfNeeded: index), .squarePlanar, corners))
    }

    // MARK: Allenes

    private func allene(at index: Int, _ graph: borrowing MoleculeGraph) -> Finding {
        guard let ends = graph.alleneEnds(around: index) else { return .none }
        let origins = [ends.first, ends.last].map { graph.vertices[Int($0.atom)].origin }
        let axis = molecule.atoms[Int(origins[1])].position - molecule.atoms[Int(origins[0])].position
        guard axis.length > 1e-6 else { return .none }
        var corners: [Int32] = []
        var points: [Position] = []
        for (place, end) in [ends.first, ends.last].enumerated() {
            guard var arms = arms(of: Int(end.atom), graph) else { return .none }
            arms.removeAll { $0.atom == end.inner }
            let along = axis.scaled(by: (place == 0 ? -1 : 1) / axis.length)
            var across = arms.map { $0.direction.without(axis) }
            if across.count == 1 { across.append(across[0].scaled(by: -1)) }
            guard across.count == 2, (across[0] - across[1]).length > 0.2 else { return .none }
            corners += arms.map(\.atom) + (arms.count == 1 ? [Coordination.hydrogen] : [])
            points += across.map { along + $0 }
        }
        let volume = (points[0] - points[3]).triple(points[1] - points[3], points[2] - points[3])
        if abs(volume) < 0.2 { return .none }
        if volume < 0 { corners.swapAt(0, 1) }
        return .coordination(Coordination(Int32(truncatingIfNeeded: index), .allene, corners))
    }
}

extension ChemicalElement {
    /// Whether the element usually has four neighbors in a plane, so that a drawing needs no wedges to show it.
    fileprivate var isUsuallySquare: Bool {
        switch self {
        case .nickel, .palladium, .platinum, .copper, .silver, .gold, .rhodium, .iridium, .cobalt, .xenon: true
        default: false
        }
    }
}

extension Position {
    fileprivate static func + (one: Position, other: Position) -> Position {
        Position(one.x + other.x, one.y + other.y, one.z + other.z)
    }

    fileprivate func scaled(by factor: Double) -> Position { Position(x * factor, y * factor, z * factor) }

    /// The volume of the parallelepiped of three vectors.
    fileprivate func triple(_ other: Position, _ third: Position) -> Double {
        x * (other.y * third.z - other.z * third.y) + y * (other.z * third.x - other.x * third.z) + z
            * (other.x * third.y - other.y * third.x)
    }

    fileprivate func flatCross(_ other: Position) -> Double { x * other.y - y * other.x }

    /// The cosine of the angle between two directions, viewed from above.
    fileprivate func flatCosine(_ other: Position) -> Double {
        let lengths = ((x * x + y * y) * (other.x * other.x + other.y * other.y)).squareRoot()
        return lengths > 0 ? (x * other.x + y * other.y) / lengths : 1
    }

    /// Returns whether a direction precedes another one counterclockwise from the right, viewed from above.
    fileprivate func isBefore(_ other: Position) -> Bool {
        let isLower = y < 0 || y == 0 && x < 0
        let isOtherLower = other.y < 0 || other.y == 0 && other.x < 0
        if isLower != isOtherLower { return isOtherLower }
        return flatCross(other) > 0
    }
}
