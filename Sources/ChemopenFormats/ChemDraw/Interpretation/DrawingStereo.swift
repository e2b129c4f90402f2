import ChemopenModel

/// Reads tetrahedral centers whose configuration is specified without a wedge, as in chairs and Haworth projections.
///
/// In the model, only wedges represent a configuration. Therefore, each such center gets a wedge on its most suitable
/// bond, up or down according to the specified order of its neighbors.
extension FragmentReader {
    mutating func readStereo(_ table: FragmentTable, into piece: inout DrawnPiece) {
        var centers: [StereoCenter] = []
        for index in table.nodes where drawing.mayState(Self.configurations, tables.nodes[index].object) {
            guard case .atom(let atom) = tables.nodes[index].place,
                tables.nodes[index].type == .element || tables.nodes[index].type == .linkNode,
                statesConfiguration(tables.nodes[index].object), !hasNarrowEnd(index)
            else { continue }
            if let neighbors = statedOrder(index, Int(atom), table, piece) {
                centers.append(
                    StereoCenter(
                        atom: Int(atom), neighbors: neighbors, outsidePosition: positionOutside(index),
                        bonds: tables.bonds(ofNode: index).compactMap {
                            tables.bonds[$0].place >= 0 ? Int(tables.bonds[$0].place) : nil
                        }))
            }
        }
        if centers.isEmpty { return }
        let ranks = StereoRanks(of: piece.draft, centers: Set(centers.map(\.atom)))
        for center in centers { center.mark(in: &piece.draft, ranks) }
    }

    /// Returns the position of the connection point next to a node.
    private func positionOutside(_ index: Int) -> Position {
        for bond in tables.bonds(ofNode: index) {
            let other = tables.nodes[tables.bonds[bond].otherEnd(than: index)]
            if case .point = other.place, let position = drawing.position(.position, of: other.object) {
                return place(position)
            }
        }
        return Position()
    }

    private static var configurations: DrawnPropertySet {
        DrawnPropertySet(.geometry) | .hydrogenUp | .hydrogenDown
    }

    private func statesConfiguration(_ node: Int) -> Bool {
        drawing.integer(.geometry, of: node) == 7 || drawing.isSet(.hydrogenUp, of: node)
            || drawing.isSet(.hydrogenDown, of: node)
    }

    /// Whether a wedge or a wavy line starts at the node. If so, the drawing already shows the configuration.
    private func hasNarrowEnd(_ index: Int) -> Bool {
        tables.bonds(ofNode: index).contains { place in
            let bond = tables.bonds[place]
            switch DrawnBond.narrowEnd(of: bond.object, in: drawing) {
            case .begin?: return bond.begin == index
            case .end?: return bond.end == index
            default: return false
            }
        }
    }

    /// Returns the neighbors in the specified order: seen from the first one, the others are clockwise. Nil represents
    /// a hydrogen.
    private mutating func statedOrder(
        _ index: Int, _ atom: Int, _ table: FragmentTable, _ piece: DrawnPiece
    ) -> [Int?]? {
        let node = tables.nodes[index].object
        let order = drawing.identifiers(.bondOrdering, of: node)
        if drawing.integer(.geometry, of: node) == 7, order.count == 4, Set(order).count == 4 {
            var neighbors: [Int?] = []
            for id in order {
                if id == 0 {
                    neighbors.append(nil)
                    continue
                }
                guard let place = tables.bond(called: id, in: table),
                    let neighbor = neighbor(across: place, from: index)
                else { return nil }
                neighbors.append(neighbor)
            }
            return neighbors
        }
        let isUp = drawing.isSet(.hydrogenUp, of: node)
        guard isUp || drawing.isSet(.hydrogenDown, of: node) else { return nil }
        let around = tables.bonds(ofNode: index).compactMap { neighbor(across: $0, from: index) }
        guard around.count == 3 else { return nil }
        let clockwise = StereoCenter(atom: atom, neighbors: [], outsidePosition: positionOutside(index))
            .clockwise(around, in: piece.draft)
        return [nil] + (isUp ? clockwise : clockwise.reversed())
    }

    /// Returns the atom at the other end of a bond. For a connection point, returns -1, which stands for the neighbor
    /// outside.
    private func neighbor(across place: Int, from index: Int) -> Int? {
        let bond = tables.bonds[place]
        guard bond.begin == index || bond.end == index else { return nil }
        let other = bond.otherEnd(than: index)
        if case .point = tables.nodes[other].place { return StereoCenter.outside }
        return tables.atom(at: other, of: place)
    }
}

/// Ranks bonds by their suitability for a wedge. Bonds that are not in a ring and do not lead to another center are
/// best.
struct StereoRanks {
    private let centers: Set<Int>
    private var degrees: [Int]
    private var isInRing: [Bool]

    init(of draft: MoleculeDraft, centers: Set<Int>) {
        self.centers = centers
        degrees = Array(repeating: 0, count: draft.atoms.count)
        for bond in draft.bonds {
            degrees[Int(bond.from)] += 1
            degrees[Int(bond.to)] += 1
        }
        isInRing = RingBonds.find(DrawnNeighbors(draft.bonds, among: draft.atoms.count))
    }

    /// Returns a rank, lower for better bonds; nil if a bond cannot have a wedge.
    func rank(of place: Int, _ bond: Bond, from center: Int) -> Int? {
        guard bond.order == .single, bond.mark == .none else { return nil }
        let other = Int(bond.from) == center ? Int(bond.to) : Int(bond.from)
        return (centers.contains(other) ? 100 : 0) + (isInRing[place] ? 20 : 0) + min(degrees[other], 9)
    }
}

/// A center with its neighbors in the specified order.
struct StereoCenter {
    let atom: Int
    let neighbors: [Int?]
    /// The position of the neighbor outside.
    var outsidePosition = Position()
    var bonds: [Int] = []

    /// The number of a neighbor outside the piece.
    static let outside = -1

    /// Adds a wedge to one of the center's bonds, if possible.
    func mark(in draft: inout MoleculeDraft, _ ranks: StereoRanks) {
        guard neighbors.filter({ $0 == nil }).count <= 1, bonds.count >= 3 || neighbors.contains(Self.outside) else {
            return
        }
        var best: (rank: Int, place: Int, isUp: Bool)?
        for place in bonds {
            guard let rank = ranks.rank(of: place, draft.bonds[place], from: atom) else { continue }
            // If the rank is not better, the direction need not be computed.
            if let best, (best.rank, best.place) <= (rank, place) { continue }
            guard let (isUp, isClear) = direction(of: place, in: draft) else { continue }
            let whole = rank + (isClear ? 0 : 50)
            if let best, (best.rank, best.place) <= (whole, place) { continue }
            best = (whole, place, isUp)
        }
        guard let best else { return }
        var bond = draft.bonds[best.place]
        if Int(bond.from) != atom { bond.turn() }
        bond.mark = best.isUp ? .up : .down
        draft.bonds[best.place] = bond
    }

    /// Returns whether a wedge on a bond must point up, and whether the drawing is clearly three-dimensional.
    private func direction(of place: Int, in draft: MoleculeDraft) -> (isUp: Bool, isClear: Bool)? {
        let bond = draft.bonds[place]
        let wedged = Int(bond.from) == atom ? Int(bond.to) : Int(bond.from)
        guard let first = neighbors.firstIndex(of: wedged) else { return nil }
        var others = neighbors.filter { $0 != nil && $0 != wedged }.compactMap { $0 }
        let hasHydrogen = neighbors.contains(where: { $0 == nil })
        var isClear = true
        if others.count == 3 {
            others = clockwise(others, in: draft)
        } else if others.count == 2 {
            let turn = turn(others[0], others[1], in: draft)
            isClear = abs(turn) > 0.2 && !isBetween(wedged, others, in: draft)
            if abs(turn) < 0.01 { return nil }
            if turn > 0 { others.reverse() }
        } else {
            return nil
        }
        // Seen from the wide end of the wedge, the other neighbors are clockwise; if there are only two, a hydrogen
        // follows them.
        let seen: [Int?] = [wedged] + others.map { $0 } + (hasHydrogen && others.count == 2 ? [nil] : [])
        guard seen.count == 4, first >= 0 else { return nil }
        return (Self.isEven(from: seen, to: neighbors), isClear)
    }

    /// Returns the sine of the counterclockwise angle from one neighbor to another.
    private func turn(_ one: Int, _ other: Int, in draft: MoleculeDraft) -> Double {
        let (x, y) = direction(to: one, in: draft)
        let (u, v) = direction(to: other, in: draft)
        return x * v - y * u
    }

    /// Whether a neighbor is drawn within the angle, below 180°, between two others.
    private func isBetween(_ inner: Int, _ others: [Int], in draft: MoleculeDraft) -> Bool {
        let whole = turn(others[0], others[1], in: draft)
        let left = turn(others[0], inner, in: draft)
        let right = turn(inner, others[1], in: draft)
        return whole > 0 ? left > 0 && right > 0 : left < 0 && right < 0
    }

    private func direction(to other: Int, in draft: MoleculeDraft) -> (Double, Double) {
        let from = draft.atoms[atom].position
        let to = other == Self.outside ? outsidePosition : draft.atoms[other].position
        let (x, y) = (to.x - from.x, to.y - from.y)
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? (x / length, y / length) : (0, 0)
    }

    func clockwise(_ neighbors: [Int], in draft: MoleculeDraft) -> [Int] {
        neighbors.sorted { angle(to: $0, in: draft) > angle(to: $1, in: draft) }
    }

    /// Returns a number from 0 to 4 that increases with the angle, to sort without trigonometry.
    private func angle(to other: Int, in draft: MoleculeDraft) -> Double {
        let (x, y) = direction(to: other, in: draft)
        let sum = abs(x) + abs(y)
        if sum == 0 { return 0 }
        let part = y / sum
        if x < 0 { return 2 - part }
        return part < 0 ? 4 + part : part
    }

    /// Whether an even number of exchanges converts one order to the other.
    private static func isEven(from order: [Int?], to other: [Int?]) -> Bool {
        var order = order
        var isEven = true
        for place in other.indices where order[place] != other[place] {
            guard let found = order[place...].firstIndex(of: other[place]) else { continue }
            order.swapAt(place, found)
            isEven.toggle()
        }
        return isEven
    }
}
