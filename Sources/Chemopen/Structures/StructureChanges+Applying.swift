import ChemopenChemistry
import ChemopenModel

extension StructureChanges {
    /// Applies the changes to another version of the base.
    ///
    /// Atoms and bonds retain their order, and new ones follow them. The base version must not be newer than `target`.
    ///
    /// - Parameter alignment: The pairs of the base and the target, or `nil` if the target is the base.
    func apply(to target: inout Molecule, _ alignment: AtomAlignment? = nil) {
        if isEmpty { return }
        let places = Places(self, target, alignment)
        let numbers = (target.extras.contents.atomNumbers, target.extras.contents.bondNumbers)
        let rule = target.hydrogenRule
        setFacets(of: &target, places)
        addParts(to: &target, places)
        setBonds(of: &target, places)
        let mapped = contents.mapped(atoms: places.atoms, bonds: places.bonds)
        for list in StructureList.allCases where lists.contains(list) {
            list.copy(from: mapped, to: &target.extras.contents)
        }
        if let comment { target.comment = comment }
        if let isChiral {
            if isChiral { target.flags.insert(.chiral) } else { target.flags.remove(.chiral) }
        }
        target.markNotes()
        if rule != new.hydrogenRule { stateHydrogens(of: &target, places) }
        target.extras.contents.atomNumbers = Self.continued(numbers.0, to: target.atoms.count)
        target.extras.contents.bondNumbers = Self.continued(numbers.1, to: target.bonds.count)
        let bonds = deletedBonds.compactMap { places.bond($0) }
        if !bonds.isEmpty { target.removeBonds(bonds) }
        let atoms = deletedAtoms.compactMap { places.atom($0) }
        if !atoms.isEmpty { target.removeAtoms(atoms) }
        target.sortLabels()
    }

    /// The indices in the target of the atoms and bonds of the base and of added ones.
    private struct Places {
        var atoms: [Int32]
        var bonds: [Int32]
        /// The drawing of the target, compared with that of the base.
        let placement: Placement
        let countOfBase: Int

        init(_ changes: StructureChanges, _ target: Molecule, _ alignment: AtomAlignment?) {
            let base = changes.base
            atoms = alignment?.partners ?? base.atoms.indices.map { Int32(clamping: $0) }
            bonds = alignment?.bonds ?? base.bonds.indices.map { Int32(clamping: $0) }
            placement = changes.author == .person ? .same : alignment?.placement ?? .same
            countOfBase = base.atoms.count
            for place in changes.addedAtoms.indices { atoms.append(Int32(clamping: target.atoms.count + place)) }
            var next = target.bonds.count
            for bond in changes.addedBonds {
                let isShared = changes.sharedBonds.contains(bond)
                bonds.append(isShared ? AtomAlignment.nobody : Int32(clamping: next))
                if !isShared { next += 1 }
            }
        }

        func atom(_ index: Int) -> Int? {
            index >= 0 && index < atoms.count && atoms[index] >= 0 ? Int(atoms[index]) : nil
        }
        func bond(_ index: Int) -> Int? {
            index >= 0 && index < bonds.count && bonds[index] >= 0 ? Int(bonds[index]) : nil
        }
    }

    private static func continued(_ numbers: [Int32], to count: Int) -> [Int32] {
        if numbers.isEmpty { return [] }
        var numbers = numbers
        while numbers.count < count { numbers.append((numbers.max() ?? 0) &+ 1) }
        return numbers
    }

    private func setFacets(of target: inout Molecule, _ places: Places) {
        let mapped = contents.mapped(atoms: places.atoms, bonds: places.bonds)
        for atom in facets.keys.sorted() {
            guard let place = places.atom(atom), let facets = facets[atom] else { continue }
            for facet in facets {
                switch facet {
                case .notes(let kind, _):
                    let notes = mapped.atomNotes.notes(of: place).filter { $0.ordinal == kind }
                    target.set(.notes(kind, Array(notes)), ofAtom: place)
                case .position where target.hasHeights && !new.hasHeights && author == .editor: break
                case .position(let position):
                    target.set(.position(places.placement.moved(position)), ofAtom: place)
                    target.flags.remove(.withoutCoordinates)
                default: target.set(facet, ofAtom: place)
                }
            }
            if facets.contains(where: { $0.kind != AtomFacet.positionKind }), new.isPlaced {
                target.atoms[place].marks.parity = 0
            }
        }
    }

    private func addParts(to target: inout Molecule, _ places: Places) {
        let neighbors = addedAtoms.isEmpty ? [] : new.neighbors()
        let mapped = contents.mapped(atoms: places.atoms, bonds: places.bonds)
        for (number, source) in addedAtoms.enumerated() {
            var atom = new.atoms[source]
            let label = new.labels.indices.contains(Int(atom.label)) ? new.labels[Int(atom.label)] : nil
            atom.label = label.map { target.place(ofLabel: $0) } ?? Atom.noLabel
            atom.position = position(ofAdded: source, neighbors[source], target, places)
            target.atoms.append(atom)
            let place = Int(places.atoms[base.atoms.count + number])
            for note in mapped.atomNotes.notes(of: place) { target.extras.contents.atomNotes.insert(note, at: place) }
        }
        for (number, source) in addedBonds.enumerated() where !sharedBonds.contains(source) {
            var bond = new.bonds[source]
            guard let from = places.atom(Int(atomTable[Int(bond.from)])),
                let to = places.atom(Int(atomTable[Int(bond.to)]))
            else { continue }
            bond.from = Int32(clamping: from)
            bond.to = Int32(clamping: to)
            for end in [from, to] { target.atoms[end].marks.parity = 0 }
            target.bonds.append(bond)
            let place = Int(places.bonds[base.bonds.count + number])
            for note in mapped.bondNotes.notes(of: place) { target.extras.contents.bondNotes.insert(note, at: place) }
        }
    }

    /// Returns the position of a new atom, relative to its first old neighbor.
    private func position(
        ofAdded source: Int, _ neighbors: [Int], _ target: Molecule, _ places: Places
    ) -> Position {
        if !base.isPlaced, alignment.placement == nil, !base.atoms.isEmpty, facets.isEmpty { return Position() }
        var position = places.placement.moved(placedBack(new.atoms[source].position))
        let anchor = neighbors.lazy.compactMap { neighbor -> (Position, Position)? in
            let old = Int(alignment.partnersOfSecond[neighbor])
            guard old >= 0, let place = places.atom(old) else { return nil }
            return (places.placement.moved(placedBack(new.atoms[neighbor].position)), target.atoms[place].position)
        }.first
        guard let (expected, there) = anchor, base.isPlaced, target.isPlaced else { return position }
        position.x += there.x - expected.x
        position.y += there.y - expected.y
        if target.hasHeights, !new.hasHeights { position.z = there.z } else { position.z += there.z - expected.z }
        return author == .editor ? position.rounded : position
    }

    private func setBonds(of target: inout Molecule, _ places: Places) {
        let mapped = contents.mapped(atoms: places.atoms, bonds: places.bonds)
        for index in bonds.keys.sorted() {
            guard let place = places.bond(index), let change = bonds[index] else { continue }
            if let order = change.order {
                target.bonds[place].order = order
                for end in [target.bonds[place].from, target.bonds[place].to] {
                    target.atoms[Int(end)].marks.parity = 0
                }
            }
            if let mark = change.mark { target.bonds[place].mark = mark }
            if let from = change.from, let first = places.atom(Int(from)), Int(target.bonds[place].from) != first {
                target.bonds[place].turn()
            }
            if let traits = change.traits {
                let hasNotes = target.bonds[place].traits.intersection(.hasNotes)
                target.bonds[place].traits = traits.union(hasNotes)
            }
            if let center = change.reactingCenter { target.bonds[place].reactingCenter = center }
            if change.notes != nil {
                target.extras.contents.bondNotes.removeAll(of: place) { _ in true }
                for note in mapped.bondNotes.notes(of: place) {
                    target.extras.contents.bondNotes.insert(note, at: place)
                }
            }
        }
    }

    /// Fixes the hydrogens of changed atoms if the rule of the target implies another number.
    private func stateHydrogens(of target: inout Molecule, _ places: Places) {
        let counts = (new.hydrogenCounts(), target.hydrogenCounts())
        var touched = touchedAtoms
        for place in addedAtoms.indices { touched.insert(base.atoms.count + place) }
        let table = atomTable
        var sources: [Int: Int] = [:]
        for (source, place) in table.enumerated() where place >= 0 { sources[Int(place)] = source }
        for atom in touched {
            guard let place = places.atom(atom), let source = sources[atom], counts.0[source] != counts.1[place] else {
                continue
            }
            target.atoms[place].hydrogens = .fixed(counts.0[source])
        }
    }

    // MARK: Touched atoms

    /// The atoms of the base that were changed or removed, and those with changed bonds. Moved atoms are not included.
    var touchedAtoms: Set<Int> {
        var touched = Set(deletedAtoms)
        for (atom, facets) in facets where facets.contains(where: { $0.kind != AtomFacet.positionKind }) {
            touched.insert(atom)
        }
        for bond in deletedBonds + Array(bonds.keys) {
            touched.insert(Int(base.bonds[bond].from))
            touched.insert(Int(base.bonds[bond].to))
        }
        for bond in addedBonds {
            for end in [new.bonds[bond].from, new.bonds[bond].to] {
                let old = Int(alignment.partnersOfSecond[Int(end)])
                if old >= 0 { touched.insert(old) }
            }
        }
        return touched
    }

    /// The moved atoms of the base.
    var movedAtoms: Set<Int> {
        Set(facets.filter { $0.value.contains { $0.kind == AtomFacet.positionKind } }.keys)
    }

    /// Whether two lists contain the same changes of an atom of the base. Changes of its bonds are compared as well.
    func isSame(_ other: StructureChanges, atAtom atom: Int) -> Bool {
        let (one, another) = (changes(atAtom: atom), other.changes(atAtom: atom))
        return one != nil && one == another
    }

    /// The changes of an atom and its bonds, or `nil` if new atoms are attached to it.
    private func changes(atAtom atom: Int) -> AtomChanges? {
        var changes = AtomChanges()
        changes.facets = Set((facets[atom] ?? []).filter { $0.kind != AtomFacet.positionKind })
        changes.isDeleted = deletedAtoms.contains(atom)
        for bond in deletedBonds where base.bonds[bond].partner(of: atom) != nil { changes.deletedBonds.insert(bond) }
        for (bond, change) in bonds where base.bonds[bond].partner(of: atom) != nil { changes.bonds[bond] = change }
        for bond in addedBonds {
            let ends = [new.bonds[bond].from, new.bonds[bond].to].map { Int(alignment.partnersOfSecond[Int($0)]) }
            guard let place = ends.firstIndex(of: atom) else { continue }
            if ends[1 - place] < 0 { return nil }
            changes.addedBonds.insert([ends[1 - place], Int(new.bonds[bond].order.rawValue)])
        }
        return changes
    }

    private struct AtomChanges: Equatable {
        var facets: Set<AtomFacet> = []
        var isDeleted = false
        var deletedBonds: Set<Int> = []
        var bonds: [Int: BondChange] = [:]
        var addedBonds: Set<[Int]> = []
    }
}

extension Molecule {
    /// Sorts the labels by their first use and removes unused ones, as if the molecule was read from a file.
    fileprivate mutating func sortLabels() {
        if labels.isEmpty { return }
        let old = labels
        labels = []
        for index in atoms.indices where old.indices.contains(Int(atoms[index].label)) {
            atoms[index].label = place(ofLabel: old[Int(atoms[index].label)])
        }
    }
}
