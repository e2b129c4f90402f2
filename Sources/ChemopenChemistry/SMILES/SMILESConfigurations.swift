import ChemopenModel

/// The conversion of configurations from the text to the model.
extension SMILESParser {
    /// Converts the rotation directions of neighbors to parities, and other configurations to notes.
    mutating func setParities() {
        if centers.isEmpty { return }
        let suppressed = SuppressedHydrogens.find(in: molecule)
        let mayHaveAllenes = centers.contains { $0.count == 2 || $0.named?.shape == .allene }
        let allenes = mayHaveAllenes ? SMILESAllenes(self) : nil
        for center in centers {
            if let (shape, arrangement) = shape(of: center, allenes) {
                setConfiguration(of: center, shape, arrangement, allenes)
                continue
            }
            guard 3...4 ~= center.count, drafts[Int(center.atom)].hydrogens <= 1 else {
                doubt("a configuration of an atom without three or four neighbors is ignored", at: center.range)
                continue
            }
            var order: [Int32] = []
            for slot in 0..<center.count {
                let neighbor = center.neighbors[slot]
                let isHydrogen = suppressed.indices.contains(Int(neighbor)) && suppressed[Int(neighbor)] >= 0
                order.append(isHydrogen ? SMILESCenter.hydrogen : neighbor)
            }
            guard order.filter({ $0 == SMILESCenter.hydrogen }).count <= 1 else {
                doubt("a configuration of an atom with two hydrogens is ignored", at: center.range)
                continue
            }
            // In index order, an odd parity is clockwise.
            let turn = isEvenPermutation(order) ? center.turn : center.turn.opposite
            molecule.atoms[Int(center.atom)].marks.parity = turn == .clockwise ? 1 : 2
        }
    }

    /// Returns the shape of a center that is not tetrahedral, and the number of its arrangement.
    private func shape(
        of center: SMILESCenter, _ allenes: borrowing SMILESAllenes?
    ) -> (AtomNote.Configuration.Shape, Int)? {
        if let named = center.named { return named }
        let arrangement = center.turn == .anticlockwise ? 1 : 2
        switch center.count {
        case 2: return allenes?.neighbors(around: center.atom) == nil ? nil : (.allene, arrangement)
        case 5: return (.trigonalBipyramidal, arrangement)
        case 6: return (.octahedral, arrangement)
        default: return nil
        }
    }

    private mutating func setConfiguration(
        of center: SMILESCenter, _ shape: AtomNote.Configuration.Shape, _ arrangement: Int,
        _ allenes: borrowing SMILESAllenes?
    ) {
        var neighbors: [Int32] = []
        if shape == .allene {
            neighbors = allenes?.neighbors(around: center.atom) ?? []
        } else {
            for slot in 0..<min(center.count, 8) {
                let neighbor = center.neighbors[slot]
                neighbors.append(neighbor == SMILESCenter.hydrogen ? AtomNote.Configuration.hydrogen : neighbor)
            }
            if center.count == shape.cornerCount - 1 {
                // As in RDKit, a corner without an atom has the position of an implicit hydrogen.
                let draft = drafts[Int(center.atom)]
                let place = (draft.parent >= 0 ? 1 : 0) + max(0, Int(draft.hydrogens))
                neighbors.insert(AtomNote.Configuration.vacancy, at: min(place, neighbors.count))
            }
        }
        let configuration = AtomNote.Configuration(shape, arrangement, of: neighbors)
        guard configuration.isValid else {
            return doubt("a configuration of an atom with another number of neighbors is ignored", at: center.range)
        }
        molecule.addNote(.configuration(configuration), toAtom: Int(center.atom))
    }

    /// Converts the bond directions at both ends of double bonds to geometries.
    mutating func setGeometries() {
        if directions.isEmpty { return }
        let marks = SMILESDirectionMarks(self)
        var isUsed = [Bool](repeating: false, count: directions.count)
        var geometries: [Indexed<BondNote>] = []
        for (place, bond) in molecule.bonds.enumerated() where bond.order == .double {
            guard let first = marks.ofAtoms[bond.from], let second = marks.ofAtoms[bond.to] else { continue }
            for mark in first + second { isUsed[mark] = true }
            guard let one = marks.side(of: bond.from), let other = marks.side(of: bond.to) else {
                doubt(
                    "a double-bond geometry with two neighbors on one side is ignored", at: marks.range(first + second))
                continue
            }
            geometries.append(
                Indexed(
                    place,
                    .geometry(BondNote.Geometry(Int(one.atom), Int(other.atom), isTrans: one.isAbove != other.isAbove)))
            )
            molecule.bonds[place].traits.insert(.hasNotes)
        }
        if !geometries.isEmpty { molecule.extras.contents.bondNotes = geometries }
        for (place, direction) in directions.enumerated() where !isUsed[place] {
            doubt(
                "a bond direction without another one across a double bond is ignored",
                at: direction.place..<direction.place + 1)
        }
    }
}

/// The directions of the bonds in a text, by their atoms.
private struct SMILESDirectionMarks {
    /// For each atom, the directions of its bonds, usually at most two.
    private(set) var ofAtoms: [Int32: [Int]] = [:]
    private let bonds: [Bond]
    private let directions: [SMILESDirection]

    init(_ parser: borrowing SMILESParser) {
        (bonds, directions) = (parser.molecule.bonds, parser.directions)
        for (place, direction) in directions.enumerated() {
            let bond = bonds[Int(direction.bond)]
            for end in [bond.from, bond.to] { ofAtoms[end, default: []].append(place) }
        }
    }

    func range(_ marks: [Int]) -> Range<Int> {
        let place = marks.map { directions[$0].place }.min() ?? 0
        return place..<place + 1
    }

    /// Returns a neighbor whose bond has a direction, and whether it is above the atom.
    ///
    /// - Returns: `nil` if two neighbors are both above or both below the atom.
    func side(of atom: Int32) -> (atom: Int32, isAbove: Bool)? {
        var found: (atom: Int32, isAbove: Bool)?
        for mark in ofAtoms[atom] ?? [] {
            let bond = bonds[Int(directions[mark].bond)]
            let isAbove = directions[mark].isUp == (bond.from == atom)
            if let found, found.isAbove == isAbove { return nil }
            found = (bond.from == atom ? bond.to : bond.from, isAbove)
        }
        return found
    }
}

/// The neighbors of allenes in text order.
struct SMILESAllenes: Sendable {
    private let bonds: [Bond]
    private let bondsOfAtoms: BondsOfAtoms
    private let parents: [Int32]
    private let hydrogens: [Int]
    /// The digits at each atom: the position of the digit, and the atom at the other end of the bond.
    private var rings: [Int32: [(place: Int, atom: Int32)]] = [:]

    /// The maximum number of double bonds between the middle of a chain and its ends.
    private static let longest = 8

    init(_ parser: borrowing SMILESParser) {
        bonds = parser.molecule.bonds
        bondsOfAtoms = BondsOfAtoms(parser.molecule)
        parents = parser.drafts.map(\.parent)
        hydrogens = parser.molecule.hydrogenCounts()
        for (place, ring) in parser.closures.enumerated() {
            rings[ring.0, default: []].append((parser.closurePlaces[place], ring.1))
            // An atom closes rings before it opens others.
            rings[ring.1, default: []].append((place - parser.closures.count, ring.0))
        }
    }

    /// Returns the neighbors at the first end of a chain of double bonds, then those at the other end.
    ///
    /// - Returns: `nil` if the atom is not in the middle of such a chain.
    func neighbors(around middle: Int32) -> [Int32]? {
        let inner = partners(of: middle, over: .double)
        guard inner.count == 2, bondsOfAtoms.bonds(of: Int(middle)).count == 2 else { return nil }
        guard let one = end(from: middle, over: inner[0]), let other = end(from: middle, over: inner[1]),
            one.length == other.length
        else { return nil }
        var neighbors: [Int32] = []
        for end in one.atom < other.atom ? [one, other] : [other, one] {
            let order = neighborsInTextOrder(of: end.atom).filter { $0 != end.inner }
            if order.count != 2 { return nil }
            neighbors += order
        }
        return neighbors
    }

    private func partners(of atom: Int32, over order: Bond.Order) -> [Int32] {
        bondsOfAtoms.bonds(of: Int(atom)).compactMap { place in
            bonds[place].order == order ? bonds[place].partner(of: Int(atom)).map { Int32(clamping: $0) } : nil
        }
    }

    private func end(from atom: Int32, over next: Int32) -> (atom: Int32, inner: Int32, length: Int)? {
        var (before, here) = (atom, next)
        for length in 1...Self.longest {
            let inner = partners(of: here, over: .double)
            guard inner.count == 2 else { return inner.count == 1 ? (here, before, length) : nil }
            guard let onward = inner.first(where: { $0 != before }) else { return nil }
            (before, here) = (here, onward)
        }
        return nil
    }

    /// Returns the neighbors of an atom in text order: the previous atom, hydrogens, rings and branches.
    private func neighborsInTextOrder(of atom: Int32) -> [Int32] {
        let parent = parents[Int(atom)]
        var neighbors = parent >= 0 ? [parent] : []
        for _ in 0..<min(4, hydrogens[Int(atom)]) { neighbors.append(AtomNote.Configuration.hydrogen) }
        neighbors += (rings[atom] ?? []).sorted { $0.place < $1.place }.map(\.atom)
        let partners = bondsOfAtoms.bonds(of: Int(atom)).compactMap { bonds[$0].partner(of: Int(atom)) }
        neighbors += partners.filter { parents[$0] == atom }.sorted().map { Int32(clamping: $0) }
        return neighbors
    }
}
