import ChemopenChemistry
import ChemopenModel

/// The paired atoms and bonds of two structures.
struct PairedAtoms {
    let one: Molecule
    let other: Molecule
    /// The indices of paired atoms, in the order of the first structure.
    let atoms: [(first: Int, second: Int)]
    /// The atoms that only one structure contains, except hydrogens that the other one counts at their neighbors.
    let (deletedAtoms, addedAtoms): ([Int], [Int])
    /// The numbers of hydrogens that only one structure draws as atoms.
    let drawnHydrogens: (Int, Int)
    /// The number of hydrogens at each atom, including those that only one structure draws.
    let hydrogens: ([Int], [Int])
    /// The bonds of each atom. They are indexed only if a structure has unpaired atoms or parities.
    let bonds: (BondsOfAtoms, BondsOfAtoms)
    private let partners: [Int32]
    private let partnersOfSecond: [Int32]
    /// The partner of each bond of the first structure, or `nobody`.
    private let bondPartners: [Int32]
    /// The bonds that only the second structure has.
    private let unpairedBonds: [Int]

    private static let nobody = AtomAlignment.nobody

    /// - Parameter partners: The partner of each atom of the first structure, or `AtomAlignment.nobody`.
    init(_ one: Molecule, _ other: Molecule, partners: [Int32]) {
        (self.one, self.other, self.partners) = (one, other, partners)
        var back = Array(repeating: Self.nobody, count: other.atoms.count)
        var atoms: [(first: Int, second: Int)] = []
        for (index, partner) in partners.enumerated() where partner != Self.nobody {
            back[Int(partner)] = Int32(clamping: index)
            atoms.append((index, Int(partner)))
        }
        (self.atoms, partnersOfSecond) = (atoms, back)
        let needsNeighbors =
            atoms.count < one.atoms.count || atoms.count < other.atoms.count
            || one.atoms.contains { $0.marks.parity != 0 } || other.atoms.contains { $0.marks.parity != 0 }
        let none = Molecule()
        bonds = (BondsOfAtoms(needsNeighbors ? one : none), BondsOfAtoms(needsNeighbors ? other : none))
        let first = SingleAtoms(one, partners, bonds.0)
        let second = SingleAtoms(other, back, bonds.1)
        (deletedAtoms, addedAtoms) = (first.atoms, second.atoms)
        drawnHydrogens = (first.hydrogens, second.hydrogens)
        hydrogens = (first.counts, second.counts)
        var places: [BondEnds: [Int32]] = [:]
        for (place, bond) in other.bonds.enumerated().reversed() {
            places[BondEnds(bond), default: []].append(Int32(clamping: place))
        }
        bondPartners = one.bonds.map { bond in
            guard let from = Self.partner(bond.from, partners), let to = Self.partner(bond.to, partners) else {
                return Self.nobody
            }
            return places[BondEnds(from, to)]?.popLast() ?? Self.nobody
        }
        unpairedBonds = places.values.flatMap { $0.map { Int($0) } }.sorted()
    }

    /// The atoms of one structure without a partner.
    private struct SingleAtoms {
        private(set) var atoms: [Int] = []
        private(set) var hydrogens = 0
        private(set) var counts: [Int]

        init(_ molecule: Molecule, _ partners: [Int32], _ bonds: BondsOfAtoms) {
            counts = molecule.hydrogenCounts()
            for index in partners.indices where partners[index] == PairedAtoms.nobody {
                let atom = molecule.atoms[index]
                let isPlain = atom.element == .hydrogen && atom.isotope == 0 && atom.charge == 0 && atom.mapNumber == 0
                let neighbors = bonds.bonds(of: index).compactMap { molecule.bonds[$0].partner(of: index) }
                if isPlain, atom.label == Atom.noLabel, neighbors.count == 1, let neighbor = neighbors.first,
                    partners.indices.contains(Int(neighbor)), partners[Int(neighbor)] != PairedAtoms.nobody
                {
                    counts[Int(neighbor)] += 1
                    hydrogens += 1
                } else {
                    atoms.append(index)
                }
            }
        }
    }

    private static func partner(_ atom: Int32, _ partners: [Int32]) -> Int32? {
        guard partners.indices.contains(Int(atom)), partners[Int(atom)] != nobody else { return nil }
        return partners[Int(atom)]
    }

    // MARK: Kinds of pairings

    /// Whether all atoms are paired by their numbers.
    var isByNumber: Bool {
        one.atoms.count == other.atoms.count && partners.enumerated().allSatisfy { $0.offset == Int($0.element) }
    }

    /// Whether all atoms are paired with atoms of the same element, and all bonds are paired.
    var isSameGraph: Bool {
        atoms.count == one.atoms.count && atoms.count == other.atoms.count && unpairedBonds.isEmpty
            && !bondPartners.contains(Self.nobody)
            && atoms.allSatisfy { one.atoms[$0.first].element == other.atoms[$0.second].element }
    }

    /// Whether at least one moved atom has the former position of another atom.
    var hasExchangedPositions: Bool {
        let moved = atoms.filter { one.atoms[$0.first].position != other.atoms[$0.second].position }
        let places = Set(moved.map { RoundedPosition(one.atoms[$0.first].position) })
        return moved.contains { places.contains(RoundedPosition(other.atoms[$0.second].position)) }
    }

    /// A position rounded to three decimal places.
    private struct RoundedPosition: Hashable {
        let (x, y, z): (Double, Double, Double)

        init(_ position: Position) {
            x = (position.x * 1e3).rounded()
            y = (position.y * 1e3).rounded()
            z = (position.z * 1e3).rounded()
        }
    }

    /// Whether less than half of the atoms have a partner of the same element.
    var isUnrelated: Bool {
        let same = atoms.count { one.atoms[$0.first].element == other.atoms[$0.second].element }
        return 2 * same < min(one.atoms.count, other.atoms.count) || same == 0
    }

    /// Whether the hydrogens of a pair differ only because a neighbor was added or deleted.
    func hasDerivedHydrogens(_ index: Int, _ partner: Int) -> Bool {
        if deletedAtoms.isEmpty, addedAtoms.isEmpty { return false }
        guard one.atoms[index].hydrogens == .unstated, other.atoms[partner].hydrogens == .unstated else { return false }
        return Self.isNextToSingle(index, one, bonds.0, partners)
            || Self.isNextToSingle(partner, other, bonds.1, partnersOfSecond)
    }

    private static func isNextToSingle(
        _ atom: Int, _ molecule: Molecule, _ bonds: BondsOfAtoms, _ partners: [Int32]
    ) -> Bool {
        bonds.bonds(of: atom).contains { place in
            molecule.bonds[place].partner(of: atom).map { partner(Int32(clamping: $0), partners) == nil } ?? false
        }
    }

    // MARK: Bonds

    /// Returns the partner of a bond of the first structure.
    func partner(ofBond place: Int) -> Int? {
        bondPartners[place] == Self.nobody ? nil : Int(bondPartners[place])
    }

    /// Whether both atoms of a bond of the first structure have a partner.
    func isBetweenPairs(_ bond: Bond) -> Bool {
        Self.partner(bond.from, partners) != nil && Self.partner(bond.to, partners) != nil
    }

    /// The bonds between paired atoms that only the second structure has, with the atoms of the first one.
    var addedBonds: [Bond] {
        unpairedBonds.map { other.bonds[$0] }.filter { bond in
            Self.partner(bond.from, partnersOfSecond) != nil && Self.partner(bond.to, partnersOfSecond) != nil
        }.map(renumbered)
    }

    /// Returns a bond of the second structure with the atoms of the first one.
    func renumbered(_ bond: Bond) -> Bond {
        var bond = bond
        bond.from = Self.partner(bond.from, partnersOfSecond) ?? bond.from
        bond.to = Self.partner(bond.to, partnersOfSecond) ?? bond.to
        return bond
    }

    /// Returns a note of the second structure with the atoms of the first one.
    func renumbered(_ note: AtomNote) -> AtomNote {
        guard case .attachmentOrder(let attachments) = note else { return note }
        return .attachmentOrder(
            attachments.map { attachment in
                let neighbor = Self.partner(attachment.neighbor, partnersOfSecond) ?? attachment.neighbor
                return AtomNote.Attachment(neighbor: Int(neighbor), point: attachment.point)
            })
    }

    /// Whether each bond of both structures is in an aromatic ring. It is determined only if orders differ.
    var aromaticBonds: ([Bool], [Bool]) {
        let differ = one.bonds.indices.contains { place in
            partner(ofBond: place).map { one.bonds[place].order != other.bonds[$0].order } ?? false
        }
        if differ { return (one.bondsInAromaticRings(), other.bondsInAromaticRings()) }
        return ([Bool](repeating: false, count: one.bonds.count), [Bool](repeating: false, count: other.bonds.count))
    }

    // MARK: Configurations

    /// Returns the parities of a pair for the same order of neighbors, or `nil` if the neighbors differ.
    func parities(_ index: Int, _ partner: Int) -> (Int, Int)? {
        let parities = (one.atoms[index].marks.parity, other.atoms[partner].marks.parity)
        if parities == (0, 0) { return nil }
        let single = Int.max
        let neighbors = bonds.0.bonds(of: index).compactMap { one.bonds[$0].partner(of: index) }.sorted()
        let others = bonds.1.bonds(of: partner).compactMap { other.bonds[$0].partner(of: partner) }.sorted()
        // A hydrogen that only one structure draws is the last neighbor, as if it were implicit.
        let ranks = neighbors.map { Self.partner(Int32(clamping: $0), partners) == nil ? single : Int($0) }
        let otherRanks = others.map { atom in
            Self.partner(Int32(clamping: atom), partnersOfSecond).map { Int($0) } ?? single
        }
        let known = (ranks.filter { $0 != single }, otherRanks.filter { $0 != single })
        guard Set(known.0) == Set(known.1), ranks.count - known.0.count <= 1, otherRanks.count - known.1.count <= 1
        else { return nil }
        return (Self.parity(parities.0, sorting: ranks), Self.parity(parities.1, sorting: otherRanks))
    }

    /// Returns the parity after sorting the neighbors.
    private static func parity(_ parity: Int, sorting ranks: [Int]) -> Int {
        guard 1...2 ~= parity else { return parity }
        var isOdd = false
        for (place, rank) in ranks.enumerated() {
            for later in ranks[(place + 1)...] where later < rank { isOdd.toggle() }
        }
        return isOdd ? 3 - parity : parity
    }

    /// Both structures without unpaired atoms and bonds, with the same order of atoms and bonds, and the remaining
    /// atoms as indices of the first structure.
    var commonParts: (Molecule, Molecule, numbers: [Int32]) {
        let numbers = atoms.map { Int32(clamping: $0.first) }
        let pairedBonds = one.bonds.indices.filter { bondPartners[$0] != Self.nobody }
        let isWhole =
            isByNumber && pairedBonds.count == one.bonds.count && unpairedBonds.isEmpty
            && bondPartners.enumerated().allSatisfy { $0.offset == Int($0.element) }
        if isWhole { return (one, other, numbers) }
        let first = Self.part(of: one, atoms.map(\.first), pairedBonds)
        let second = Self.part(of: other, atoms.map(\.second), pairedBonds.map { Int(bondPartners[$0]) })
        return (first, second, numbers)
    }

    /// Returns some atoms and bonds of a structure, in the given order.
    private static func part(of molecule: Molecule, _ atoms: [Int], _ bonds: [Int]) -> Molecule {
        var part = molecule
        let (kept, keptBonds) = (Set(atoms), Set(bonds))
        part.arrange(
            atoms: atoms + molecule.atoms.indices.filter { !kept.contains($0) },
            bonds: bonds + molecule.bonds.indices.filter { !keptBonds.contains($0) })
        if bonds.count < part.bonds.count { part.removeBonds(bonds.count..<part.bonds.count) }
        if atoms.count < part.atoms.count { part.removeAtoms(atoms.count..<part.atoms.count) }
        return part
    }
}
