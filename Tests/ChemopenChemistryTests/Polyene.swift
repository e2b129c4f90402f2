import ChemopenModel

/// A random molecule of conjugated double bonds with branches, imines, oximes and large rings.
struct Polyene {
    private(set) var molecule = Molecule()
    private var neighbors: [[Int]] = []
    private var room: [Int] = []
    private var hasDouble: [Bool] = []

    /// - Parameter openShare: The number of double bonds out of ten without a geometry.
    init(size: Int, rings: Int, openShare: Int, using dice: inout SeededNumbers) {
        add(.carbon)
        for _ in 0..<40 * size where molecule.atoms.count < size {
            let parent = Int.random(in: molecule.atoms.indices, using: &dice)
            let element =
                [ChemicalElement.carbon, .carbon, .carbon, .nitrogen, .oxygen, .chlorine]
                .randomElement(using: &dice) ?? .carbon
            guard room[parent] > 0, neighbors[parent].count < 3 else { continue }
            let mayBeDouble = room[parent] > 1 && !hasDouble[parent] && (element == .carbon || element == .nitrogen)
            let isDouble = mayBeDouble && Int.random(in: 0..<10, using: &dice) < 8
            add(element)
            join(parent, molecule.atoms.count - 1, isDouble ? .double : .single)
        }
        for _ in 0..<50 * rings {
            let (one, other) = (
                Int.random(in: molecule.atoms.indices, using: &dice),
                Int.random(in: molecule.atoms.indices, using: &dice)
            )
            let isOpen = [one, other].allSatisfy { room[$0] > 0 && neighbors[$0].count < 3 }
            if isOpen, distance(one, other) >= 7 { join(one, other, .single) }
        }
        setGeometries(openShare, using: &dice)
    }

    private mutating func add(_ element: ChemicalElement) {
        molecule.atoms.append(Atom(element))
        neighbors.append([])
        hasDouble.append(false)
        room.append([.carbon: 4, .nitrogen: 3, .oxygen: 2][element] ?? 1)
    }

    private mutating func join(_ one: Int, _ other: Int, _ order: Bond.Order) {
        molecule.bonds.append(Bond(one, other, order))
        neighbors[one].append(other)
        neighbors[other].append(one)
        for atom in [one, other] {
            room[atom] -= order == .double ? 2 : 1
            if order == .double { hasDouble[atom] = true }
        }
    }

    private func distance(_ one: Int, _ other: Int) -> Int {
        var distances = [one: 0]
        var next = [one]
        while !next.isEmpty {
            let atom = next.removeFirst()
            for neighbor in neighbors[atom] where distances[neighbor] == nil {
                distances[neighbor] = (distances[atom] ?? 0) + 1
                next.append(neighbor)
            }
        }
        return distances[other] ?? .max
    }

    private mutating func setGeometries(_ openShare: Int, using dice: inout SeededNumbers) {
        for place in molecule.bonds.indices where molecule.bonds[place].order == .double {
            let (from, to) = (Int(molecule.bonds[place].from), Int(molecule.bonds[place].to))
            guard let one = neighbors[from].filter({ $0 != to }).randomElement(using: &dice),
                let other = neighbors[to].filter({ $0 != from }).randomElement(using: &dice),
                Int.random(in: 0..<10, using: &dice) >= openShare
            else { continue }
            let geometry = BondNote.Geometry(one, other, isTrans: Bool.random(using: &dice))
            molecule.addNote(.geometry(geometry), toBond: place)
        }
    }

    /// Returns the molecule with its atoms and bonds in random order.
    func shuffled(using dice: inout SeededNumbers) -> Molecule {
        let order = molecule.atoms.indices.shuffled(using: &dice)
        var places = order
        for (place, atom) in order.enumerated() { places[atom] = place }
        var result = Molecule()
        result.atoms = order.map { molecule.atoms[$0] }
        for old in molecule.bonds.indices.shuffled(using: &dice) {
            let bond = molecule.bonds[old]
            let ends = [places[Int(bond.from)], places[Int(bond.to)]].shuffled(using: &dice)
            result.bonds.append(Bond(ends[0], ends[1], bond.order))
            for case .geometry(let geometry) in molecule.notes(onBond: old) {
                let moved = BondNote.Geometry(
                    places[Int(geometry.one)], places[Int(geometry.other)], isTrans: geometry.isTrans)
                result.addNote(.geometry(moved), toBond: result.bonds.count - 1)
            }
        }
        return result
    }
}
