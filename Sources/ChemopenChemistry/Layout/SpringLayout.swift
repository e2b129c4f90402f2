import Glibc

/// A layout by springs between all pairs of atoms. The length of a spring is the number of bonds between its atoms.
///
/// It is used for cages and other structures that cannot be laid out as rings and chains.
struct SpringLayout {
    private(set) var places: [(x: Double, y: Double)] = []
    private let neighbors: [[Int]]
    private var distances: [Int16] = []

    /// The maximum number of atoms; the run time is proportional to its square.
    static let mostAtoms = 400
    private static let rounds = 120

    /// Lays out a structure, or returns `nil` if it is too large. Separate fragments do not overlap.
    init?(atoms count: Int, bonds: [(Int, Int)]) {
        guard 2...Self.mostAtoms ~= count else { return nil }
        var neighbors = [[Int]](repeating: [], count: count)
        for (one, other) in bonds {
            neighbors[one].append(other)
            neighbors[other].append(one)
        }
        self.neighbors = neighbors
        measure()
        // Start with a circle, and order the atoms along bonds to put bonded atoms near each other.
        places = [(x: Double, y: Double)](repeating: (0, 0), count: count)
        let radius = Double(count) / 6.3
        for (place, atom) in order().enumerated() {
            let angle = Double(place) / Double(count) * 2 * .pi
            places[atom] = (radius * cos(angle), radius * sin(angle))
        }
        for _ in 0..<Self.rounds { settle() }
    }

    private func order() -> [Int] {
        var seen = [Bool](repeating: false, count: neighbors.count)
        var order: [Int] = []
        for start in neighbors.indices where !seen[start] {
            var list = [start]
            seen[start] = true
            while let atom = list.popLast() {
                order.append(atom)
                for next in neighbors[atom] where !seen[next] {
                    seen[next] = true
                    list.append(next)
                }
            }
        }
        return order
    }

    /// Computes the distances between all atoms in bonds. Fragments have a fixed distance from each other.
    private mutating func measure() {
        let count = neighbors.count
        let between = Int16(clamping: 2 + Int(Double(count).squareRoot()))
        distances = [Int16](repeating: between, count: count * count)
        for start in 0..<count {
            var list = [start]
            var next = 0
            distances[start * count + start] = 0
            var seen = [Bool](repeating: false, count: count)
            seen[start] = true
            while next < list.count {
                let atom = list[next]
                next += 1
                for neighbor in neighbors[atom] where !seen[neighbor] {
                    seen[neighbor] = true
                    distances[start * count + neighbor] = distances[start * count + atom] + 1
                    list.append(neighbor)
                }
            }
        }
    }

    /// Moves each atom to the average of the positions that all other atoms require.
    private mutating func settle() {
        let count = places.count
        for atom in 0..<count {
            var (x, y, weights) = (0.0, 0.0, 0.0)
            let here = places[atom]
            for other in 0..<count where other != atom {
                let wanted = Double(distances[atom * count + other])
                let weight = 1 / (wanted * wanted)
                let there = places[other]
                var (dx, dy) = (here.x - there.x, here.y - there.y)
                var length = (dx * dx + dy * dy).squareRoot()
                if length < 1e-6 {
                    (dx, dy) = (Double(atom - other), 1)
                    length = (dx * dx + 1).squareRoot()
                }
                x += weight * (there.x + wanted * dx / length)
                y += weight * (there.y + wanted * dy / length)
                weights += weight
            }
            places[atom] = (x / weights, y / weights)
        }
    }
}
