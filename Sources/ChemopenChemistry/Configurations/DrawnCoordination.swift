import ChemopenModel

/// The drawing of coordination centers and allenes: directions of bonds, and wedges that show a configuration.
struct DrawnCoordination {
    private let stated: MoleculeGraph
    private let bonds: [Bond]
    private let bondsOfAtoms: BondsOfAtoms

    /// - Parameter stated: the graph of the molecule, with the configurations to draw.
    init(_ molecule: borrowing Molecule, as stated: MoleculeGraph) {
        self.stated = stated
        bonds = molecule.bonds
        bondsOfAtoms = BondsOfAtoms(molecule)
    }

    /// Draws all configurations.
    ///
    /// - Returns: the atoms with a configuration that could not be drawn. One of their bonds is wavy instead.
    func draw(in molecule: inout Molecule) -> [Int] {
        stated.coordinations.compactMap { center in
            let isDrawn = center.shape == .allene ? drawAllene(center, in: &molecule) : draw(center, in: &molecule)
            if isDrawn { return nil }
            let origin = Int(stated.vertices[Int(center.atom)].origin)
            if center.shape != .allene { hide(origin, in: &molecule) }
            return origin
        }
    }

    /// Makes a bond wavy at each center whose drawing shows a configuration that is not specified.
    static func hideUnstated(in molecule: inout Molecule, as stated: MoleculeGraph) {
        if !molecule.atoms.contains(where: { $0.element.isMetal || $0.element == .xenon }) { return }
        var drawn = MoleculeGraph()
        drawn.take(molecule, unifies: false)
        drawn.perceiveStereo(of: molecule, forgetsIdle: true)
        let origins = drawn.coordinations.map { Int(drawn.vertices[Int($0.atom)].origin) }
        let drawing = DrawnCoordination(molecule, as: stated)
        for origin in origins {
            let place = Int(stated.placeOfAtom[origin])
            if place < 0 || stated.coordination(of: place) != nil { continue }
            drawing.hide(origin, in: &molecule)
        }
    }

    private func hide(_ origin: Int, in molecule: inout Molecule) {
        guard let bond = bondsOfAtoms.bonds(of: origin).first(where: { molecule.bonds[$0].order == .single }) else {
            return
        }
        if molecule.bonds[bond].from != origin { molecule.bonds[bond].turn() }
        molecule.bonds[bond].mark = .either
    }

    // MARK: Coordination centers

    private func draw(_ center: Coordination, in molecule: inout Molecule) -> Bool {
        let sketch = CoordinationSketch(molecule, stated, isInSpace: false)
        guard let arms = sketch.arms(of: Int(center.atom), stated) else { return false }
        let flat = arms.map { Position($0.direction.x, $0.direction.y) }
        for marks in Self.patterns(arms.count) where shows(center, arms, flat, marks, sketch) {
            set(marks, at: center, arms, in: &molecule)
            return true
        }
        if arms.allSatisfy({ isMovable($0.atom, at: center) }) {
            return drawAsTemplate(center, arms, sketch, in: &molecule)
        }
        return exchange(center, arms, flat, sketch, in: &molecule)
    }

    private func shows(
        _ center: Coordination, _ arms: [CoordinationSketch.Arm], _ directions: [Position], _ marks: [Bond.Mark],
        _ sketch: CoordinationSketch
    ) -> Bool {
        let drawn = arms.indices.map { CoordinationSketch.Arm(arms[$0].atom, along: directions[$0], marks[$0]) }
        guard case .coordination(let found) = sketch.finding(drawn, at: Int(center.atom), stated) else { return false }
        return found.hasHand && found.shape == center.shape
            && found.arrangement(of: center.corners) == center.arrangement(of: center.corners)
    }

    /// The possible marks of a number of bonds: at most four wedges, starting with few.
    private static func patterns(_ count: Int) -> [[Bond.Mark]] {
        var patterns: [[Bond.Mark]] = [[]]
        for _ in 0..<min(count, 6) {
            patterns = patterns.flatMap { pattern in [Bond.Mark.none, .up, .down].map { pattern + [$0] } }
        }
        let ranked = patterns.enumerated().map { place, pattern in
            let (up, down) = (pattern.count { $0 == .up }, pattern.count { $0 == .down })
            return (cost: 100 * (up + down) + 10 * abs(up - down), place: place, pattern: pattern)
        }
        return ranked.filter { $0.cost < 500 }.sorted { ($0.cost, $0.place) < ($1.cost, $1.place) }.map(\.pattern)
    }

    /// Returns whether a neighbor can be moved around the center with everything that is bonded to it.
    private func isMovable(_ atom: Int32, at center: Coordination) -> Bool {
        if atom == Coordination.hydrogen { return true }
        guard let edge = stated.edge(between: center.atom, and: atom) else { return false }
        return !stated.edges[Int(edge)].isInRing
    }

    private func set(
        _ marks: [Bond.Mark], at center: Coordination, _ arms: [CoordinationSketch.Arm], in molecule: inout Molecule
    ) {
        let origin = Int(stated.vertices[Int(center.atom)].origin)
        for (arm, mark) in zip(origins(of: arms, at: origin), marks) {
            let bond = bondsOfAtoms.bonds(of: origin).first { molecule.bonds[$0].partner(of: origin) == arm }
            guard let bond else { continue }
            if mark != .none, molecule.bonds[bond].from != origin { molecule.bonds[bond].turn() }
            if molecule.bonds[bond].from == origin { molecule.bonds[bond].mark = mark }
        }
    }

    /// Returns the molecule's atom for each arm. Hydrogens that the graph does not contain are in bond order.
    private func origins(of arms: [CoordinationSketch.Arm], at origin: Int) -> [Int] {
        let partners = bondsOfAtoms.bonds(of: origin).compactMap { bonds[$0].partner(of: origin) }
        var hydrogens = partners.filter { stated.placeOfAtom[$0] < 0 }[...]
        return arms.map { arm in
            arm.atom == Coordination.hydrogen
                ? hydrogens.popFirst() ?? -1 : Int(stated.vertices[Int(arm.atom)].origin)
        }
    }

    /// Moves all neighbors to the directions of the usual drawing of a shape.
    private func drawAsTemplate(
        _ center: Coordination, _ arms: [CoordinationSketch.Arm], _ sketch: CoordinationSketch,
        in molecule: inout Molecule
    ) -> Bool {
        let template = center.shape.template
        var best: (turn: Double, places: [Int])?
        for rotation in center.shape.rotations {
            var turn = 0.0
            var places: [Int] = []
            var free = arms.indices.map { $0 }
            for (place, corner) in rotation.enumerated() {
                let atom = center.corners[corner]
                guard let arm = free.firstIndex(where: { arms[$0].atom == atom }) else { continue }
                let direction = arms[free[arm]].direction
                turn += 1 - direction.x * template[place].x - direction.y * template[place].y
                places.append(place)
                places.append(free.remove(at: arm))
            }
            if turn < best?.turn ?? .infinity { best = (turn, places) }
        }
        guard let best else { return false }
        var directions = arms.map(\.direction)
        var marks = [Bond.Mark](repeating: .none, count: arms.count)
        for pair in stride(from: 0, to: best.places.count, by: 2) {
            let (place, arm) = (best.places[pair], best.places[pair + 1])
            directions[arm] = Position(template[place].x, template[place].y)
            marks[arm] = template[place].mark
        }
        guard shows(center, arms, directions, marks, sketch) else { return false }
        move(arms, to: directions, around: center, in: &molecule)
        set(marks, at: center, arms, in: &molecule)
        return true
    }

    /// Exchanges neighbors that are not in a ring with the center until the drawing can show the configuration.
    private func exchange(
        _ center: Coordination, _ arms: [CoordinationSketch.Arm], _ flat: [Position], _ sketch: CoordinationSketch,
        in molecule: inout Molecule
    ) -> Bool {
        let movable = arms.indices.filter { isMovable(arms[$0].atom, at: center) }
        let patterns = Self.patterns(arms.count).filter { marks in
            arms.count < 5 || marks.count { $0 == .up } == marks.count { $0 == .down }
        }
        for order in Self.orders(of: movable) {
            var directions = flat
            for (from, to) in zip(movable, order) { directions[from] = flat[to] }
            for marks in patterns where shows(center, arms, directions, marks, sketch) {
                move(arms, to: directions, around: center, in: &molecule)
                set(marks, at: center, arms, in: &molecule)
                return true
            }
        }
        return false
    }

    /// Returns all orders of at most four items.
    private static func orders(of items: [Int]) -> [[Int]] {
        if items.count > 4 { return [] }
        return items.reduce([[]]) { orders, item in
            orders.flatMap { order in (0...order.count).map { order[..<$0] + [item] + order[$0...] } }
        }
    }

    /// Rotates each neighbor around the center, with everything that is bonded to it.
    private func move(
        _ arms: [CoordinationSketch.Arm], to directions: [Position], around center: Coordination,
        in molecule: inout Molecule
    ) {
        let origin = Int(stated.vertices[Int(center.atom)].origin)
        let middle = molecule.atoms[origin].position
        for (place, root) in origins(of: arms, at: origin).enumerated() where root >= 0 {
            let (old, new) = (arms[place].direction, directions[place])
            let sizes = ((old.x * old.x + old.y * old.y) * (new.x * new.x + new.y * new.y)).squareRoot()
            guard sizes > 0 else { continue }
            let (cosine, sine) = ((old.x * new.x + old.y * new.y) / sizes, (old.x * new.y - old.y * new.x) / sizes)
            if cosine > 0.9999 { continue }
            for atom in branch(from: root, besides: origin) {
                let offset = molecule.atoms[atom].position - middle
                // Molfiles have four decimals.
                molecule.atoms[atom].position = Position(
                    (middle.x + cosine * offset.x - sine * offset.y).rounded(decimals: 4),
                    (middle.y + sine * offset.x + cosine * offset.y).rounded(decimals: 4))
            }
        }
    }

    /// Returns the atoms that are connected to an atom without a path through another one.
    private func branch(from root: Int, besides origin: Int) -> [Int] {
        var (found, list, next) = (Set([root, origin]), [root], 0)
        while next < list.count {
            for bond in bondsOfAtoms.bonds(of: list[next]) {
                guard let partner = bonds[bond].partner(of: list[next]), found.insert(partner).inserted else {
                    continue
                }
                list.append(partner)
            }
            next += 1
        }
        return list
    }

    // MARK: Allenes

    /// Adds a wedge at an end of an allene.
    private func drawAllene(_ center: Coordination, in molecule: inout Molecule) -> Bool {
        guard let ends = stated.alleneEnds(around: Int(center.atom)) else { return false }
        for end in [ends.first, ends.last] {
            let origin = Int(stated.vertices[Int(end.atom)].origin)
            for bond in bondsOfAtoms.bonds(of: origin)
            where molecule.bonds[bond].order == .single && molecule.bonds[bond].mark == .none {
                let before = molecule.bonds[bond]
                if molecule.bonds[bond].from != origin { molecule.bonds[bond].turn() }
                for mark in [Bond.Mark.up, .down] {
                    molecule.bonds[bond].mark = mark
                    let sketch = CoordinationSketch(molecule, stated, isInSpace: false)
                    if case .coordination(let found) = sketch.finding(at: Int(center.atom), stated),
                        found.arrangement(of: center.corners) == center.arrangement(of: center.corners)
                    {
                        return true
                    }
                }
                molecule.bonds[bond] = before
            }
        }
        return false
    }
}

extension Double {
    fileprivate func rounded(decimals: Int) -> Double {
        let factor = (0..<decimals).reduce(1.0) { factor, _ in factor * 10 }
        return (self * factor).rounded() / factor
    }
}

extension AtomNote.Configuration.Shape {
    /// The usual drawing of the shape: the direction and the mark of the bond to each corner.
    fileprivate var template: [(x: Double, y: Double, mark: Bond.Mark)] {
        let slope = 0.866
        return switch self {
        case .squarePlanar:
            [(0.707, 0.707, .down), (-0.707, 0.707, .down), (-0.707, -0.707, .up), (0.707, -0.707, .up)]
        case .trigonalBipyramidal:
            [(0, 1, .none), (0, -1, .none), (-1, 0, .none), (slope, -0.5, .up), (slope, 0.5, .down)]
        case .octahedral:
            [
                (0, 1, .none), (0, -1, .none), (-slope, -0.5, .up), (slope, -0.5, .up), (slope, 0.5, .down),
                (-slope, 0.5, .down),
            ]
        case .allene: []
        }
    }
}
