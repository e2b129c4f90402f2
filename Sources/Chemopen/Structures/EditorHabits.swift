import ChemopenChemistry
import ChemopenModel

// Differences that an editor makes without a request by the user.

extension StructureChanges {
    // MARK: Hydrogens

    /// Ignores hydrogens that the editor draws or omits without changing the structure.
    mutating func keepHydrogens() {
        let counts = (base.allHydrogens, new.allHydrogens)
        let neighbors = (base.neighborsOfHydrogens, new.neighborsOfHydrogens)
        func isSame(_ atom: Int) -> Bool {
            let partner = Int(alignment.partners[atom])
            return partner >= 0 && counts.0[atom] == counts.1[partner]
        }
        let drawn = Set(
            addedAtoms.filter { atom in
                guard let neighbor = neighbors.1[atom] else { return false }
                let old = Int(alignment.partnersOfSecond[neighbor])
                return old >= 0 && isSame(old)
            })
        let implicit = base.hydrogenCounts().reduce(0, +)
        if drawn.count >= 2, 2 * drawn.count >= implicit {
            addedAtoms.removeAll { drawn.contains($0) }
            addedBonds.removeAll { bond in
                drawn.contains(Int(new.bonds[bond].from)) || drawn.contains(Int(new.bonds[bond].to))
            }
            kept.append("undrawn hydrogens (the editor draws \(drawn.count))")
        }
        let missing = Set(neighbors.0.filter { alignment.partners[$0.key] < 0 && isSame($0.value) }.keys)
        if !missing.isEmpty, missing.count == neighbors.0.count {
            deletedAtoms.removeAll { missing.contains($0) }
            deletedBonds.removeAll { bond in
                missing.contains(Int(base.bonds[bond].from)) || missing.contains(Int(base.bonds[bond].to))
            }
            kept.append("\(missing.count) drawn hydrogens")
        }
    }

    // MARK: Properties that the editor does not store

    /// Preserves properties of a kind that no atom of the saved copy has, because the editor does not store them.
    mutating func keepDroppedFacets() {
        var stored: Set<Int> = []
        for atom in new.atoms.indices where alignment.partnersOfSecond[atom] >= 0 {
            for facet in new.facets(ofAtom: atom) where !facet.isAbsent { stored.insert(facet.kind) }
            if new.atoms[atom].marks.parity != 0 { stored.insert(AtomFacet.parity(0).kind) }
        }
        for tagged in contents.atomNotes { stored.insert(tagged.note.ordinal) }
        let isAsStated = hydrogensAreAsStated
        for atom in facets.keys.sorted() {
            let changed = (facets[atom] ?? []).filter { facet in
                if facet.isCommon { return true }
                if facet.isAbsent, !stored.contains(facet.kind) {
                    kept.append("atom \(atom + 1): \(oldFacet(facet, atom).description)")
                    return false
                }
                // If a valence or count has the same effect, only the notation differs.
                return !facet.isOfHydrogens || !isAsStated(atom)
            }
            facets[atom] = changed.isEmpty ? nil : changed
        }
    }

    private func oldFacet(_ facet: AtomFacet, _ atom: Int) -> AtomFacet {
        if case .notes(let kind, _) = facet {
            return .notes(kind, base.extras.contents.atomNotes.notes(of: atom).filter { $0.ordinal == kind })
        }
        return base.facets(ofAtom: atom).first { $0.kind == facet.kind } ?? facet
    }

    /// Returns whether an atom has the same number of hydrogens in both versions.
    private var hydrogensAreAsStated: (Int) -> Bool {
        let counts = (base.allHydrogens, new.allHydrogens)
        return { [partners = alignment.partners] atom in
            let partner = Int(partners[atom])
            return partner >= 0 && counts.0[atom] == counts.1[partner]
        }
    }

    // MARK: Bonds

    /// Preserves bond orders that the editor draws in another way, and properties that it does not store.
    mutating func keepDroppedBonds() {
        let kekule = sameByKekule()
        let stored = Set(new.bonds.map(\.order))
        let hasTraits = new.bonds.contains { !$0.traits.subtracting(.hasNotes).isEmpty }
        let hasCenters = new.bonds.contains { $0.reactingCenter != 0 }
        var rewritten = 0
        for place in bonds.keys.sorted() {
            guard var change = bonds[place] else { continue }
            let old = base.bonds[place]
            if change.order != nil, kekule.contains(place) {
                change.order = nil
                rewritten += 1
            } else if change.order != nil, old.order.isRare, !stored.contains(old.order) {
                kept.append("bond \(name(of: place)): order \(old.order)")
                change.order = nil
                change.from = nil
            }
            if change.traits?.isEmpty == true, !hasTraits {
                kept.append("bond \(name(of: place)): query properties")
                change.traits = nil
            }
            if change.reactingCenter == 0, !hasCenters {
                kept.append("bond \(name(of: place)): reacting center")
                change.reactingCenter = nil
            }
            if change.notes?.isEmpty == true, contents.bondNotes.isEmpty {
                kept.append("bond \(name(of: place)): notes")
                change.notes = nil
            }
            bonds[place] = change.isEmpty ? nil : change
        }
        if rewritten > 0 { kept.append("\(rewritten) bonds of the same ring systems in another Kekulé form") }
    }

    private func name(of bond: Int) -> String { "\(base.bonds[bond].from + 1)-\(base.bonds[bond].to + 1)" }

    /// Returns the bonds whose orders differ only because the same rings are drawn as aromatic or in another Kekulé
    /// form.
    ///
    /// This is the case if the bonds of each atom have the same sum in both versions. Bonds of the same ring system are
    /// treated together.
    private func sameByKekule() -> Set<Int> {
        let changed = bonds.keys.filter { bonds[$0]?.order != nil }.sorted()
        if changed.isEmpty { return [] }
        let forms = (base.kekuleForm(), new.kekuleForm())
        func order(_ molecule: Molecule, _ bond: Int, _ form: [Bool]) -> Int? {
            switch molecule.bonds[bond].order {
            case .single: 1
            case .double: 2
            case .aromatic: form.indices.contains(bond) && form[bond] ? 2 : 1
            default: nil
            }
        }
        var sums: [Int32: Int] = [:]
        var bondsOfAtom: [Int32: [Int]] = [:]
        var queue: [Int] = []
        for place in changed {
            let bond = base.bonds[place]
            for end in [bond.from, bond.to] { bondsOfAtom[end, default: []].append(place) }
            guard let old = order(base, place, forms.0), let now = order(new, Int(alignment.bonds[place]), forms.1)
            else {
                queue.append(place)
                continue
            }
            for end in [bond.from, bond.to] { sums[end, default: 0] += now - old }
        }
        // If the sum of the bond orders of an atom differs, the atom was edited; all bonds of edited atoms are treated
        // as edited.
        var real = Set(queue)
        queue += changed.filter {
            sums[base.bonds[$0].from, default: 0] != 0 || sums[base.bonds[$0].to, default: 0] != 0
        }
        real.formUnion(queue)
        while let place = queue.popLast() {
            for end in [base.bonds[place].from, base.bonds[place].to] {
                for other in bondsOfAtom[end] ?? [] where real.insert(other).inserted { queue.append(other) }
            }
        }
        return Set(changed).subtracting(real)
    }
}

extension Bond.Order {
    /// Whether editors often replace this order with a plain one.
    fileprivate var isRare: Bool {
        switch self {
        case .single, .double, .triple, .aromatic: false
        default: true
        }
    }
}

extension AtomFacet {
    fileprivate var isOfHydrogens: Bool {
        switch self {
        case .hydrogens: true
        case .notes(_, let notes):
            notes.allSatisfy { if case .valence = $0 { true } else { false } } && kind == AtomNote.valence(0).ordinal
        default: false
        }
    }
}

extension Molecule {
    /// The heavy neighbors of ordinary drawn hydrogens.
    fileprivate var neighborsOfHydrogens: [Int: Int] {
        let bondsOfAtoms = BondsOfAtoms(self)
        var neighbors: [Int: Int] = [:]
        for (index, atom) in atoms.enumerated() where atom.element == .hydrogen {
            guard atom.isotope == 0, atom.charge == 0, atom.label == Atom.noLabel else { continue }
            let bonds = bondsOfAtoms.bonds(of: index)
            guard bonds.count == 1, let bond = bonds.first, let neighbor = self.bonds[bond].partner(of: index),
                atoms[neighbor].element != .hydrogen
            else { continue }
            neighbors[index] = neighbor
        }
        return neighbors
    }

    /// The number of hydrogens of each atom, drawn or not.
    fileprivate var allHydrogens: [Int] {
        var counts = hydrogenCounts()
        for bond in bonds {
            for (end, partner) in [(bond.from, bond.to), (bond.to, bond.from)]
            where atoms[Int(partner)].element == .hydrogen {
                counts[Int(end)] += 1
            }
        }
        return counts
    }
}
