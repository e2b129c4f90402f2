import ChemopenModel

extension Molecule {
    /// Returns the molecule with each contracted abbreviation replaced by one atom with its label.
    ///
    /// The label is at the atom that is bonded to the rest, or in the middle of the group unless there is exactly one
    /// such atom.
    func contractingAbbreviations() -> Molecule {
        if extras.isEmpty { return self }
        let named = namingAbbreviations()
        guard named.extras.contents.sgroups.contains(where: \.isContracted) else { return named }
        var contraction = Contraction(of: named)
        contraction.contractSgroups()
        return contraction.result
    }

    /// Returns the molecule with the names of abbreviations as labels, even if a name is the symbol of an element.
    private func namingAbbreviations() -> Molecule {
        let named = extras.contents.abbreviations.map { Int($0.atom) }.filter {
            atoms.indices.contains($0) && atoms[$0].element != .none
        }
        if named.isEmpty { return self }
        var result = self
        for index in named {
            result.setLabel(symbol(ofAtom: index), ofAtom: index)
            result.atoms[index].element = .none
            result.atoms[index].hydrogens = .unstated
        }
        return result
    }
}

/// Replaces each group of a molecule by one atom.
private struct Contraction {
    private let molecule: Molecule
    /// The bonds before any contraction. Groups share no atoms, so each bond still ends at the same group.
    private let graph: BondGraph
    private(set) var result: Molecule
    private var owned: Set<Int32> = []
    private var removed: [Int] = []

    init(of molecule: Molecule) {
        self.molecule = molecule
        graph = BondGraph(of: molecule)
        result = molecule
    }

    mutating func contractSgroups() {
        let sgroups = molecule.extras.contents.sgroups
        for sgroup in sgroups where sgroup.isContracted && !isWithinContracted(sgroup, sgroups) {
            let members = sgroup.atoms.filter { molecule.atoms.indices.contains(Int($0)) }
            guard !members.isEmpty, owned.isDisjoint(with: members) else { continue }
            owned.formUnion(members)
            contract(Set(members), to: sgroup.label)
        }
        result.removeAtoms(removed)
    }

    private func isWithinContracted(_ sgroup: Sgroup, _ sgroups: [Sgroup]) -> Bool {
        var parent = sgroup.parent
        for _ in 0..<20 {
            guard let place = parent, sgroups.indices.contains(Int(place)) else { return false }
            if sgroups[Int(place)].isContracted { return true }
            parent = sgroups[Int(place)].parent
        }
        return false
    }

    /// Replaces a group by one atom, which receives the bonds to the outside.
    private mutating func contract(_ members: Set<Int32>, to label: Text) {
        let graph = graph
        let touching = Set(members.lazy.flatMap { graph[Int($0)].lazy.map(\.bond) })
        let crossing = touching.filter {
            members.contains(result.bonds[$0].from) != members.contains(result.bonds[$0].to)
        }
        let holders = Set(
            crossing.map { members.contains(result.bonds[$0].from) ? result.bonds[$0].from : result.bonds[$0].to })
        guard let kept = holders.min() ?? members.min() else { return }
        if holders.count != 1 {
            var middle = Position()
            for atom in members {
                middle.x += result.atoms[Int(atom)].position.x / Double(members.count)
                middle.y += result.atoms[Int(atom)].position.y / Double(members.count)
                middle.z += result.atoms[Int(atom)].position.z / Double(members.count)
            }
            result.atoms[Int(kept)].position = middle
        }
        for place in crossing {
            if members.contains(result.bonds[place].from) {
                result.bonds[place].from = kept
            } else {
                result.bonds[place].to = kept
            }
        }
        var atom = Atom(.none, at: result.atoms[Int(kept)].position)
        atom.mapNumber = result.atoms[Int(kept)].mapNumber
        result.atoms[Int(kept)] = atom
        result.setLabel(label, ofAtom: Int(kept))
        for atom in members where atom != kept { removed.append(Int(atom)) }
    }
}

extension Molecule {
    /// Returns the molecule with explicit hydrogens as part of their neighbors, because a projection has no space for
    /// them.
    func withoutPlainHydrogens(at centers: Set<Int>? = nil) -> Molecule {
        let graph = BondGraph(of: self)
        var result = self
        var counts = hydrogenCounts()
        var removed: [Int] = []
        for (index, atom) in atoms.enumerated() where atom.element == .hydrogen && atom.label == Atom.noLabel {
            guard atom.isotope == 0, atom.charge == 0, atom.mapNumber == 0, atom.radical == .none,
                !atom.marks.contains(.hasNotes), graph[index].count == 1, let only = graph[index].first,
                bonds[only.bond].order == .single, atoms[only.atom].element != .hydrogen,
                atoms[only.atom].element != .none, centers?.contains(only.atom) ?? true
            else { continue }
            counts[only.atom] += 1
            result.atoms[only.atom].hydrogens = .fixed(counts[only.atom])
            removed.append(index)
        }
        result.removeAtoms(removed)
        return result
    }
}

extension Sgroup {
    fileprivate var isContracted: Bool {
        kind == .abbreviation && !isExpanded && !label.isEmpty && templateClass != "LGRP"
    }
}
