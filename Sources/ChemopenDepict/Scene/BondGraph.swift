import ChemopenModel

/// The neighbors and bonds of all atoms in contiguous memory.
struct BondGraph {
    struct Neighbor {
        var atom: Int
        var bond: Int
    }

    private var starts: [Int]
    private var neighbors: [Neighbor]
    private let bonds: [Bond]

    init(of molecule: Molecule) {
        let count = molecule.atoms.count
        bonds = molecule.bonds
        starts = Array(repeating: 0, count: count + 1)
        for bond in bonds where Self.isSound(bond, count) {
            starts[Int(bond.from) + 1] += 1
            starts[Int(bond.to) + 1] += 1
        }
        for index in 0..<count { starts[index + 1] += starts[index] }
        var next = starts
        neighbors = Array(repeating: Neighbor(atom: 0, bond: 0), count: starts[count])
        for (place, bond) in bonds.enumerated() where Self.isSound(bond, count) {
            neighbors[next[Int(bond.from)]] = Neighbor(atom: Int(bond.to), bond: place)
            next[Int(bond.from)] += 1
            neighbors[next[Int(bond.to)]] = Neighbor(atom: Int(bond.from), bond: place)
            next[Int(bond.to)] += 1
        }
    }

    /// Whether a bond connects two different existing atoms.
    static func isSound(_ bond: Bond, _ count: Int) -> Bool {
        bond.from != bond.to && 0..<count ~= Int(bond.from) && 0..<count ~= Int(bond.to)
    }

    /// The neighbors of an atom.
    subscript(atom: Int) -> ArraySlice<Neighbor> { neighbors[starts[atom]..<starts[atom + 1]] }
}

extension BondGraph {
    private static let longestPath = 10
    private static let visitLimit = 150

    /// Returns the atoms of the ring that contains a double bond's second line; `nil` if the bond is not in a ring.
    ///
    /// Rings of up to seven atoms are preferred, then a high share of double bonds, then a low position on the page.
    func ringForDoubleBond(_ place: Int, at points: [Picture.Point]) -> [Int]? {
        let from = Int(bonds[place].from)
        let to = Int(bonds[place].to)
        var best: (ring: [Int], rank: [Double])?
        for one in self[from].prefix(4) where one.atom != to {
            for other in self[to].prefix(4) where other.atom != from {
                guard let path = path(from: one.atom, to: other.atom, without: from, to) else { continue }
                let ring = [from] + path + [to]
                let share = Double(doubleBonds(along: ring)) / Double(ring.count)
                let center = Picture.Point.center(of: ring.map { points[$0] })
                let rank = [
                    ring.count > 7 ? 0 : 1, share, -Double(ring.count), (center.y * 10).rounded(),
                    (center.x * 10).rounded(),
                ]
                if let old = best, !old.rank.lexicographicallyPrecedes(rank) { continue }
                best = (ring, rank)
            }
        }
        return best?.ring
    }

    private func doubleBonds(along ring: [Int]) -> Int {
        var count = 0
        for (place, atom) in ring.enumerated() {
            let next = ring[(place + 1) % ring.count]
            guard let bond = self[atom].first(where: { $0.atom == next })?.bond else { continue }
            switch bonds[bond].order {
            case .double, .aromatic, .doubleOrAromatic, .singleOrDouble, .singleOrAromatic: count += 1
            default: break
            }
        }
        return count
    }

    /// Returns the shortest path between two atoms, including both, that avoids two others.
    private func path(from start: Int, to goal: Int, without first: Int, _ second: Int) -> [Int]? {
        if start == goal { return [start] }
        var origins: [Int: Int] = [start: start]
        var wave = [start]
        for _ in 0..<Self.longestPath {
            var next: [Int] = []
            for atom in wave {
                for neighbor in self[atom] where neighbor.atom != first && neighbor.atom != second {
                    if origins[neighbor.atom] != nil { continue }
                    origins[neighbor.atom] = atom
                    if neighbor.atom == goal { return Self.trace(goal, origins) }
                    next.append(neighbor.atom)
                    if origins.count > Self.visitLimit { return nil }
                }
            }
            wave = next
        }
        return nil
    }

    private static func trace(_ goal: Int, _ origins: [Int: Int]) -> [Int] {
        var path = [goal]
        while let last = path.last, let origin = origins[last], origin != last { path.append(origin) }
        return path.reversed()
    }
}
