import ChemopenModel
import Testing

@testable import ChemopenChemistry

/// Pairs the atoms of a generated structure with those of a changed copy, and compares the pairs with the changes.
@Suite("The pairing of atoms of two versions of a structure")
struct AtomAlignmentTests {
    /// A changed copy of a structure. For each atom, `origins` contains its index in the original, or `nil`.
    private struct Copy {
        var molecule: Molecule
        var origins: [Int?]

        init(_ molecule: Molecule) {
            self.molecule = molecule
            origins = molecule.atoms.indices.map { $0 }
        }

        mutating func delete(_ atom: Int) {
            molecule.removeAtoms([atom])
            origins.remove(at: atom)
        }

        mutating func add(_ element: ChemicalElement, to atom: Int, at position: Position) {
            molecule.addAtom(Atom(element, at: position), bondedTo: atom)
            origins.append(nil)
        }

        mutating func shuffle(_ dice: inout SeededNumbers) {
            let order = molecule.atoms.indices.shuffled(using: &dice)
            molecule.arrange(atoms: order, bonds: molecule.bonds.indices.shuffled(using: &dice))
            origins = order.map { origins[$0] }
        }

        mutating func place(_ scale: Double, _ x: Double, _ y: Double) {
            for atom in molecule.atoms.indices {
                let position = molecule.atoms[atom].position
                // Editors round to four decimals.
                molecule.atoms[atom].position = Position(
                    ((position.x * scale + x) * 1e4).rounded() / 1e4, ((position.y * scale + y) * 1e4).rounded() / 1e4)
            }
        }

        mutating func erasePositions() {
            for atom in molecule.atoms.indices { molecule.atoms[atom].position = Position() }
        }
    }

    /// A random structure on a hexagonal grid, in which bonds connect neighbors.
    private func structure(_ count: Int, _ dice: inout SeededNumbers) -> Molecule {
        var molecule = Molecule()
        var cells: [[Int]: Int] = [:]
        let elements: [ChemicalElement] = [.carbon, .carbon, .carbon, .carbon, .nitrogen, .oxygen, .sulfur, .chlorine]
        var valences: [Int] = []
        func add(_ cell: [Int], _ element: ChemicalElement) {
            let x = (Double(cell[0]) + Double(cell[1]) / 2) * 1.5
            molecule.atoms.append(Atom(element, at: Position(x, Double(cell[1]) * 1.299)))
            cells[cell] = molecule.atoms.count - 1
            valences.append(element == .carbon ? 4 : element == .nitrogen ? 3 : element == .chlorine ? 1 : 2)
        }
        add([0, 0], .carbon)
        while molecule.atoms.count < count {
            guard
                let (cell, atom) = cells.filter({ valences[$0.value] > 0 }).sorted(by: { $0.value < $1.value })
                    .randomElement(using: &dice)
            else { break }
            let directions = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]]
            guard let way = directions.randomElement(using: &dice) else { break }
            let next = [cell[0] + way[0], cell[1] + way[1]]
            if let other = cells[next] {
                guard valences[other] > 0, molecule.addBond(atom, other) != nil else { continue }
                (valences[atom], valences[other]) = (valences[atom] - 1, valences[other] - 1)
            } else {
                add(next, elements.randomElement(using: &dice) ?? .carbon)
                molecule.addBond(atom, molecule.atoms.count - 1)
                valences[atom] -= 1
                valences[molecule.atoms.count - 1] -= 1
            }
        }
        return molecule
    }

    private func partners(_ copy: Copy, of molecule: Molecule) -> [Int32] {
        var partners = [Int32](repeating: AtomAlignment.nobody, count: molecule.atoms.count)
        for (place, origin) in copy.origins.enumerated() { if let origin { partners[origin] = Int32(place) } }
        return partners
    }

    @Test("is exact if a drawing is edited, renumbered, scaled and moved", arguments: 0..<200)
    func drawings(seed: Int) {
        var dice = SeededNumbers(seed: UInt64(seed))
        let molecule = structure(Int.random(in: 12...40, using: &dice), &dice)
        var copy = Copy(molecule)
        for _ in 0..<Int.random(in: 0...3, using: &dice) {
            let atom = Int.random(in: copy.molecule.atoms.indices, using: &dice)
            switch Int.random(in: 0..<3, using: &dice) {
            case 0 where copy.molecule.atoms.count > 4: copy.delete(atom)
            case 1:
                let near = copy.molecule.atoms[atom].position
                copy.add(.fluorine, to: atom, at: Position(near.x + 0.7, near.y + 0.61))
            default: copy.molecule.atoms[atom].element = .phosphorus
            }
        }
        if seed % 2 == 0 { copy.shuffle(&dice) }
        if seed % 3 != 0 { copy.place(Double.random(in: 0.5...2, using: &dice), Double(seed), -7.25) }
        let alignment = AtomAlignment(molecule, copy.molecule)
        #expect(alignment.partners == partners(copy, of: molecule))
        let kept = alignment.bonds.count { $0 != AtomAlignment.nobody }
        let meant = partners(copy, of: molecule)
        let bonds = Set(copy.molecule.bonds.map { Set([$0.from, $0.to]) })
        #expect(kept == molecule.bonds.count { bonds.contains([meant[Int($0.from)], meant[Int($0.to)]]) })
    }

    @Test("keeps all bonds of a renumbered structure without coordinates", arguments: 0..<150)
    func texts(seed: Int) {
        var dice = SeededNumbers(seed: UInt64(1000 + seed))
        var copy = Copy(structure(Int.random(in: 2...40, using: &dice), &dice))
        copy.erasePositions()
        let molecule = copy.molecule
        copy.shuffle(&dice)
        let alignment = AtomAlignment(molecule, copy.molecule)
        #expect(alignment.isComplete)
        for (atom, partner) in alignment.partners.enumerated() where partner >= 0 {
            #expect(molecule.atoms[atom].element == copy.molecule.atoms[Int(partner)].element)
        }
    }

    @Test("finds nearly every edit without coordinates")
    func editedTexts() {
        let missed = (0..<300).filter { seed in
            var dice = SeededNumbers(seed: UInt64(2000 + seed))
            var copy = Copy(structure(Int.random(in: 12...40, using: &dice), &dice))
            copy.erasePositions()
            let molecule = copy.molecule
            let atom = Int.random(in: molecule.atoms.indices, using: &dice)
            let isAdded = seed % 2 == 0
            if isAdded {
                copy.add(.fluorine, to: atom, at: Position())
            } else {
                copy.molecule.atoms[atom].element = .phosphorus
            }
            copy.shuffle(&dice)
            let alignment = AtomAlignment(molecule, copy.molecule)
            let changed = molecule.atoms.indices.count { place in
                let partner = Int(alignment.partners[place])
                return partner < 0 || copy.molecule.atoms[partner].element != molecule.atoms[place].element
            }
            let added = alignment.addedAtoms
            return changed != (isAdded ? 0 : 1) || added.count != (isAdded ? 1 : 0) || !alignment.deletedBonds.isEmpty
                || added.contains { copy.molecule.atoms[$0].element != .fluorine }
        }
        // The surroundings of an edit can be symmetric before it but not after it.
        #expect(missed.count <= 6, "\(missed)")
    }

    @Test("does not depend on Kekulé forms, charges in them, and drawn hydrogens")
    func notations() {
        var benzene = Molecule()
        benzene.atoms = (0..<6).map { _ in Atom(.carbon) }
        benzene.bonds = (0..<6).map { Bond($0, ($0 + 1) % 6, $0 % 2 == 0 ? .double : .single) }
        benzene.addAtom(Atom(.oxygen), bondedTo: 0)
        var other = benzene
        for bond in 0..<6 { other.bonds[bond].order = .aromatic }
        for atom in 0..<7 where atom != 0 { other.addAtom(Atom(.hydrogen), bondedTo: atom) }
        other.arrange(atoms: other.atoms.indices.reversed(), bonds: Array(other.bonds.indices))
        let alignment = AtomAlignment(benzene, other)
        #expect(alignment.deletedAtoms.isEmpty && alignment.deletedBonds.isEmpty)
        #expect(alignment.addedAtoms.count == 6)
        #expect(alignment.partners[6] == Int32(other.atoms.count - 1 - 6))
        #expect(alignment.isRenumbered)
    }

    @Test("takes linear time for large and for symmetric structures")
    func largeStructures() {
        var waters = Molecule()
        for place in 0..<4_000 {
            waters.atoms.append(Atom(.oxygen, at: Position(Double(place % 60), Double(place / 60))))
        }
        var fewer = waters
        fewer.removeAtoms([77])
        #expect(AtomAlignment(waters, fewer).deletedAtoms == [77])
        var star = Molecule()
        star.atoms = (0..<4_000).map { Atom($0 == 0 ? .iron : .carbon) }
        star.bonds = (1..<4_000).map { Bond(0, $0) }
        var other = star
        other.arrange(atoms: star.atoms.indices.reversed(), bonds: Array(star.bonds.indices))
        #expect(AtomAlignment(star, other).isComplete)
        var chain = Molecule()
        chain.atoms = (0..<4_000).map { _ in Atom(.carbon) }
        chain.bonds = (1..<4_000).map { Bond($0 - 1, $0) }
        var reversed = chain
        reversed.arrange(atoms: chain.atoms.indices.reversed(), bonds: Array(chain.bonds.indices))
        #expect(AtomAlignment(chain, reversed).isComplete)
    }
}
