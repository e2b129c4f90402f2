import ChemopenModel
import Glibc

/// Computes coordinates for the few atoms of a label: zigzag chains and regular polygons.
struct LabelLayout {
    private let around: [[Int]]
    private var places: [Position?]
    private let rings: [[Int]]
    private static let length = 1.5

    init(atoms count: Int, bonds: [(Int, Int)]) {
        var around = Array(repeating: [Int](), count: count)
        for (from, to) in bonds {
            around[from].append(to)
            around[to].append(from)
        }
        self.around = around
        places = Array(repeating: nil, count: count)
        rings = Self.rings(bonds, around)
    }

    /// Returns the positions of all atoms. Pieces without a joint are to the right of the others.
    mutating func places(from joints: [Int]) -> [Position] {
        let spread = joints.count > 1 ? Double.pi * 2 / 3 / Double(joints.count - 1) : 0
        for (rank, joint) in joints.enumerated() {
            // The joints are arranged around the neighbor, which is to the left of the origin.
            let angle = joints.count > 1 ? -Double.pi / 3 + spread * Double(rank) : 0
            let place = Self.step(from: Position(-Self.length, 0), angle)
            spreadOut(from: joint, at: place, towards: angle)
        }
        for atom in around.indices where places[atom] == nil {
            let right = places.reduce(nil as Double?) { most, place in
                guard let place else { return most }
                return max(most ?? place.x, place.x)
            }
            spreadOut(from: atom, at: Position(right.map { $0 + 2 * Self.length } ?? 0, 0), towards: 0)
        }
        return places.map { $0 ?? Position() }
    }

    private static func step(from place: Position, _ angle: Double, _ length: Double = Self.length) -> Position {
        Position(place.x + length * cos(angle), place.y + length * sin(angle))
    }

    private static func angle(from place: Position, to other: Position) -> Double {
        atan2(other.y - place.y, other.x - place.x)
    }

    /// Returns the same angle between 0 and a full turn.
    private static func positive(_ angle: Double) -> Double {
        let rest = fmod(angle, 2 * .pi)
        return rest < 0 ? rest + 2 * .pi : rest
    }

    /// Places an atom and all atoms that are connected to it.
    private mutating func spreadOut(from start: Int, at place: Position, towards angle: Double) {
        if places[start] != nil { return }
        places[start] = place
        // The atoms with a position, with the direction in which each was reached and the side of the next turn.
        var waiting = [(atom: start, angle: angle, side: 1.0)]
        while let (atom, angle, side) = waiting.popLast() {
            let ringAtoms = placeRings(of: atom, towards: angle)
            guard let here = places[atom] else { continue }
            let open = around[atom].filter { places[$0] == nil }
            var taken = around[atom].compactMap { places[$0] }.map { Self.angle(from: here, to: $0) }
            if atom == start { taken.append(angle + .pi) }
            let directions = Self.directions(count: open.count, besides: taken, side)
            for (next, direction) in zip(open, directions) where places[next] == nil {
                places[next] = Self.step(from: here, direction)
                waiting.append((next, direction, -side))
            }
            for other in ringAtoms where other != atom && around[other].contains(where: { places[$0] == nil }) {
                waiting.append((other, angle, side))
            }
        }
    }

    /// Returns the directions of new bonds, in the widest gap between the existing bonds.
    private static func directions(count: Int, besides taken: [Double], _ side: Double) -> [Double] {
        if count == 0 { return [] }
        let sorted = taken.map { Self.positive($0) }.sorted()
        guard let first = sorted.first, let last = sorted.last else {
            return (0..<count).map { Double($0) * 2 * .pi / Double(count) }
        }
        if sorted.count == 1, count == 1 { return [first + side * 2 * .pi / 3] }
        var (start, gap) = (last, first + 2 * .pi - last)
        for (one, next) in zip(sorted, sorted.dropFirst()) where next - one > gap + 1e-9 {
            (start, gap) = (one, next - one)
        }
        return (1...count).map { start + gap * Double($0) / Double(count + 1) }
    }

    /// Places the rings of an atom, and all rings that share a bond with them. Returns their atoms.
    private mutating func placeRings(of atom: Int, towards angle: Double) -> [Int] {
        var placed: [Int] = []
        var atoms = [atom]
        while let atom = atoms.popLast() {
            for ring in rings where ring.contains(atom) && ring.contains(where: { places[$0] == nil }) {
                guard place(ring, at: atom, towards: angle) else { continue }
                atoms += ring
                placed += ring
            }
        }
        return placed
    }

    private mutating func place(_ ring: [Int], at atom: Int, towards angle: Double) -> Bool {
        guard let start = ring.firstIndex(of: atom), let here = places[atom] else { return false }
        let turned = Array(ring[start...] + ring[..<start])
        let count = Double(ring.count)
        let radius = Self.length / (2 * sin(.pi / count))
        var step = 2 * Double.pi / count
        var center = Self.step(from: here, angle, radius)
        if let shared = [turned[1], turned[turned.count - 1]].first(where: { places[$0] != nil }),
            let there = places[shared]
        {
            // The ring is on the opposite side of the shared bond.
            let middle = Position((here.x + there.x) / 2, (here.y + there.y) / 2)
            let height = radius * cos(.pi / count)
            let across = Self.angle(from: here, to: there) + .pi / 2
            let sides = [Self.step(from: middle, across, height), Self.step(from: middle, across, -height)]
            center = room(at: sides[0]) >= room(at: sides[1]) ? sides[0] : sides[1]
            let turn = Self.positive(Self.angle(from: center, to: there) - Self.angle(from: center, to: here))
            let isNext = shared == turned[1]
            if (turn < .pi) != isNext { step = -step }
        }
        let first = Self.angle(from: center, to: here)
        for (rank, member) in turned.enumerated() where places[member] == nil {
            places[member] = Self.step(from: center, first + step * Double(rank), radius)
        }
        return true
    }

    /// Returns the squared distance to the nearest atom.
    private func room(at place: Position) -> Double {
        places.reduce(Double.infinity) { least, other in
            guard let other else { return least }
            let (x, y) = (other.x - place.x, other.y - place.y)
            return min(least, x * x + y * y)
        }
    }

    /// Returns the smallest ring through each ring bond.
    private static func rings(_ bonds: [(Int, Int)], _ around: [[Int]]) -> [[Int]] {
        var found: [[Int]] = []
        var seen: Set<Set<Int>> = []
        for (from, to) in bonds {
            var origin = Array(repeating: -1, count: around.count)
            origin[from] = from
            var queue = [from]
            var next = 0
            while next < queue.count, origin[to] < 0 {
                let atom = queue[next]
                next += 1
                for other in around[atom] where origin[other] < 0 && !(atom == from && other == to) {
                    origin[other] = atom
                    queue.append(other)
                }
            }
            guard origin[to] >= 0 else { continue }
            var ring = [to]
            while let last = ring.last, last != from { ring.append(origin[last]) }
            if seen.insert(Set(ring)).inserted { found.append(ring) }
        }
        return found
    }
}
