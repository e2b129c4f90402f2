import ChemopenModel

/// Functions that show the configurations of a molecule in its drawing.
enum DrawnConfigurations {
    /// Adds wedges for the parities, and marks double bonds of unknown geometry.
    static func draw(in molecule: inout Molecule) {
        if molecule.flags.contains(.threeDimensional) { return }
        var undrawn = molecule
        for index in undrawn.atoms.indices { undrawn.atoms[index].position = Position() }
        draw(in: &molecule, as: MoleculeGraph(stereoOf: undrawn))
    }

    /// Adds wedges for the configurations in a graph of the same molecule.
    ///
    /// Double bonds are marked as crossed if their geometry is unknown or if the drawing shows it incorrectly.
    static func draw(in molecule: inout Molecule, as stated: MoleculeGraph) {
        drawWedges(in: &molecule, as: stated)
        let drawn = MoleculeGraph(stereoOf: molecule)
        for edge in drawn.edges.indices where drawn.geometries[edge].isKnown {
            if shows(drawn.geometries[edge], stated.geometries[edge]) { continue }
            molecule.bonds[Int(drawn.edges[edge].origin)].mark = .either
        }
    }

    // MARK: Wedges

    /// Adds a wedge at each stereocenter, on the bond where it is clearest.
    private static func drawWedges(in molecule: inout Molecule, as stated: MoleculeGraph) {
        var open = molecule.atoms.indices.filter { stated.handedness(ofAtom: $0) != .none }
        if open.isEmpty { return }
        let ranking = WedgeRanking(molecule, stated)
        var tried: [Int: Set<Int>] = [:]
        // In the rare case that a wedge is ambiguous, try another bond.
        for _ in 0..<4 where !open.isEmpty {
            var wedges: [Int: Int] = [:]
            for center in open {
                guard let bond = ranking.best(at: center, in: molecule, besides: tried[center, default: []]) else {
                    continue
                }
                tried[center, default: []].insert(bond)
                if molecule.bonds[bond].from != center { molecule.bonds[bond].turn() }
                molecule.bonds[bond].mark = .up
                wedges[center] = bond
            }
            let drawn = MoleculeGraph(stereoOf: molecule)
            var hidden: [Int] = []
            for (center, bond) in wedges.sorted(by: { $0.key < $1.key }) {
                switch drawn.handedness(ofAtom: center) {
                case stated.handedness(ofAtom: center): break
                case .none:
                    molecule.bonds[bond].mark = .none
                    hidden.append(center)
                default: molecule.bonds[bond].mark = .down
                }
            }
            open = hidden
        }
        for center in open { drawPair(of: center, in: &molecule, as: stated) }
    }

    /// Adds a wedge up and a wedge down at a center with four neighbors. A single wedge does not show the configuration
    /// of a metal that usually has its neighbors in a plane.
    private static func drawPair(of center: Int, in molecule: inout Molecule, as stated: MoleculeGraph) {
        let bonds = molecule.bonds(ofAtom: center).filter {
            molecule.bonds[$0].order == .single && molecule.bonds[$0].mark == .none
        }
        if bonds.count > 4 { return }
        for up in bonds {
            for down in bonds where down != up {
                let before = molecule.bonds
                for (bond, mark) in [(up, Bond.Mark.up), (down, .down)] {
                    if molecule.bonds[bond].from != center { molecule.bonds[bond].turn() }
                    molecule.bonds[bond].mark = mark
                }
                if MoleculeGraph(stereoOf: molecule).handedness(ofAtom: center) == stated.handedness(ofAtom: center) {
                    return
                }
                molecule.bonds = before
            }
        }
    }

    // MARK: Double bonds

    /// Mirrors one end of each double bond that is drawn with the wrong geometry, if the bond is not in a ring.
    static func mendGeometries(in molecule: inout Molecule, as stated: MoleculeGraph) {
        if !stated.geometries.contains(where: \.isKnown) { return }
        let drawn = MoleculeGraph(stereoOf: molecule)
        for (edge, geometry) in stated.geometries.enumerated()
        where geometry.isKnown && !shows(drawn.geometries[edge], geometry) && !stated.edges[edge].isInRing {
            let (from, to) = (stated.edges[edge].from, stated.edges[edge].to)
            let sides = [side(of: from, besides: to, stated), side(of: to, besides: from, stated)]
            guard let smaller = sides.min(by: { $0.count < $1.count }) else { continue }
            let ends = [from, to].map { molecule.atoms[Int(stated.vertices[Int($0)].origin)].position }
            var moved = Set(smaller.map { Int(stated.vertices[Int($0)].origin) })
            // Hydrogens that the graph counts at their neighbors move with them.
            for bond in molecule.bonds {
                let (from, to) = (Int(bond.from), Int(bond.to))
                guard molecule.atoms.indices.contains(from), molecule.atoms.indices.contains(to) else { continue }
                if moved.contains(from), stated.placeOfAtom[to] < 0 { moved.insert(to) }
                if moved.contains(to), stated.placeOfAtom[from] < 0 { moved.insert(from) }
            }
            for atom in moved {
                molecule.atoms[atom].position = molecule.atoms[atom].position.mirrored(at: ends[0], ends[1])
            }
        }
    }

    /// Returns whether a drawn geometry is correct. If the geometry is unknown, no drawing is correct.
    private static func shows(_ drawn: BondGeometry, _ stated: BondGeometry) -> Bool {
        guard drawn.isKnown, stated.isKnown else { return false }
        // Each end has at most two neighbors, so a different neighbor is on the opposite side.
        return drawn.isTrans == (stated.isTrans != ((drawn.first != stated.first) != (drawn.second != stated.second)))
    }

    /// Returns the atoms that are connected to `vertex` without a path through `other`.
    private static func side(of vertex: Int32, besides other: Int32, _ graph: MoleculeGraph) -> [Int32] {
        var found: Set<Int32> = [vertex, other]
        var list = [vertex]
        var next = 0
        while next < list.count {
            for place in graph.range(of: Int(list[next])) where found.insert(graph.neighbors[place].atom).inserted {
                list.append(graph.neighbors[place].atom)
            }
            next += 1
        }
        return list
    }
}

/// Ranks the bonds of a stereocenter by how clearly a wedge on them can be read.
///
/// Bonds to atoms at the end of a chain are best. Bonds to other stereocenters and ring bonds are worse. The worst
/// choice is a bond between two others on the same side of the center, because a wedge there has the opposite meaning.
private struct WedgeRanking {
    private let bondsOfAtoms: BondsOfAtoms
    private let graph: MoleculeGraph
    private var isInRing: Set<Int> = []

    init(_ molecule: borrowing Molecule, _ graph: MoleculeGraph) {
        bondsOfAtoms = BondsOfAtoms(molecule)
        self.graph = graph
        for edge in graph.edges where edge.isInRing { isInRing.insert(Int(edge.origin)) }
    }

    func best(at center: Int, in molecule: borrowing Molecule, besides tried: Set<Int>) -> Int? {
        var best: (bond: Int, cost: Int)?
        let bonds = bondsOfAtoms.bonds(of: center)
        for bond in bonds where molecule.bonds[bond].order == .single && molecule.bonds[bond].mark == .none {
            guard !tried.contains(bond), let partner = molecule.bonds[bond].partner(of: center) else { continue }
            guard molecule.atoms.indices.contains(partner) else { continue }
            var cost = bondsOfAtoms.bonds(of: partner).count
            if graph.handedness(ofAtom: partner) != .none { cost += 100 }
            if isInRing.contains(bond) { cost += 20 }
            if molecule.atoms[partner].element == .hydrogen { cost -= 10 }
            if isBetween(bond, bonds.map { $0 }, at: center, molecule) { cost += 1000 }
            if cost < best?.cost ?? .max { best = (bond, cost) }
        }
        return best?.bond
    }

    /// Returns whether a bond is the middle one of three bonds on the same side of the center.
    private func isBetween(_ bond: Int, _ bonds: [Int], at center: Int, _ molecule: borrowing Molecule) -> Bool {
        guard bonds.count == 3 else { return false }
        let here = molecule.atoms[center].position
        func direction(_ bond: Int) -> Position? {
            let partner = molecule.bonds[bond].partner(of: center) ?? -1
            guard molecule.atoms.indices.contains(partner) else { return nil }
            return molecule.atoms[partner].position - here
        }
        let others = bonds.filter { $0 != bond }.compactMap(direction)
        guard let own = direction(bond), others.count == 2 else { return false }
        func cross(_ one: Position, _ other: Position) -> Double { one.x * other.y - one.y * other.x }
        // The two other bonds are on different sides of this bond, and the angle that contains it is at most slightly
        // over 180°.
        let (left, right) = cross(own, others[0]) > 0 ? (others[0], others[1]) : (others[1], others[0])
        guard cross(own, left) > 0, cross(own, right) < 0 else { return false }
        return cross(right, left) > -0.1 * right.length * left.length
    }
}

extension MoleculeGraph {
    /// Creates a graph with its configurations.
    init(stereoOf molecule: borrowing Molecule) {
        self.init()
        take(molecule, unifies: false)
        perceiveBlocks()
        perceiveStereo(of: molecule)
    }

    fileprivate func handedness(ofAtom index: Int) -> Handedness {
        let place = placeOfAtom[index]
        return place < 0 ? .none : centers[Int(place)]
    }
}

extension Position {
    /// Returns the mirror image of the position in the vertical plane through two points.
    fileprivate func mirrored(at start: Position, _ end: Position) -> Position {
        let axis = end - start
        let across = (self - start).without(axis)
        return Position(x - 2 * across.x, y - 2 * across.y, z)
    }
}
