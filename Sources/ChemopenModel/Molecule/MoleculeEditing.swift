/// Functions that add and remove atoms and bonds. They are the only code that renumbers them.
///
/// All references to atoms and bonds are updated: notes, Sgroups, stereo groups, collections, link nodes, abbreviations
/// and verbatim lines. References to removed atoms and bonds are removed too, also from lists.
///
/// The following are removed as well: notes that are valid only for the unedited molecule, parities and configurations
/// of atoms that lose a neighbor, and double-bond geometries that refer to a removed bond.
extension Molecule {
    /// Removes atoms with all their bonds. Invalid indices are ignored.
    public mutating func removeAtoms(_ indices: some Sequence<Int>) {
        var isKept = Array(repeating: true, count: atoms.count)
        for index in indices where atoms.indices.contains(index) { isKept[index] = false }
        keep(atoms: isKept, bonds: Array(repeating: true, count: bonds.count))
    }

    /// Removes bonds, but not their atoms. Invalid indices are ignored.
    public mutating func removeBonds(_ indices: some Sequence<Int>) {
        var isKept = Array(repeating: true, count: bonds.count)
        for index in indices where bonds.indices.contains(index) { isKept[index] = false }
        keep(atoms: Array(repeating: true, count: atoms.count), bonds: isKept)
    }

    /// Appends the atoms and bonds of another molecule, with all their properties.
    ///
    /// The title does not change. The flags do not change either, unless this molecule is empty. Hydrogen counts are
    /// preserved: if the molecules use different rules that disagree, the counts of the added atoms are fixed.
    public mutating func append(_ other: Molecule) {
        var contents = extras.contents
        if extras.isEmpty, other.extras.isEmpty { return merge(other, into: &contents) }
        let numbers = Renumbering(
            atoms: 0..<atoms.count, bonds: 0..<bonds.count, sgroups: 0..<contents.sgroups.count)
        contents = contents.renumbered(numbers)
        merge(other, into: &contents)
        extras.contents = contents
        markNotes()
    }

    /// Removes all atoms and bonds that are not flagged, and also the bonds of removed atoms.
    mutating func keep(atoms isAtomKept: [Bool], bonds isBondKept: [Bool]) {
        var isBondKept = isBondKept
        for (place, bond) in bonds.enumerated() {
            let ends = [Int(bond.from), Int(bond.to)]
            if !ends.allSatisfy({ isAtomKept.indices.contains($0) && isAtomKept[$0] }) { isBondKept[place] = false }
            if isBondKept[place] { continue }
            for end in ends where atoms.indices.contains(end) { atoms[end].marks.parity = 0 }
        }
        if !extras.isEmpty {
            extras.contents.forgetGeometries(of: bonds, beside: isBondKept)
            extras.contents.forgetConfigurations(of: bonds, beside: isBondKept)
            extras.contents = extras.contents.keeping(atoms: isAtomKept, bonds: isBondKept)
        }
        let numbers = Renumbering(keepingAtoms: isAtomKept, bonds: isBondKept)
        bonds = zip(bonds, isBondKept).compactMap { $1 ? numbers.keptBond($0) : nil }
        atoms = zip(atoms, isAtomKept).compactMap { $1 ? $0 : nil }
        markNotes()
    }

    /// Appends the atoms and bonds of another molecule, and adds its extras to `contents`.
    mutating func merge(_ other: Molecule, into contents: inout Extras.Contents) {
        if atoms.isEmpty {
            flags = other.flags
            hydrogenRule = other.hydrogenRule
        } else {
            if other.flags.contains(.threeDimensional) { flags.insert(.threeDimensional) }
            if !other.flags.contains(.withoutCoordinates) { flags.remove(.withoutCoordinates) }
        }
        let fixedCounts = other.hydrogenCounts(differingUnder: hydrogenRule)
        let labelPlaces = other.labels.map { place(ofLabel: $0) }
        let firstAtom = atoms.count
        let firstBond = bonds.count
        let shift = Int32(clamping: firstAtom)
        for (index, atom) in other.atoms.enumerated() {
            var added = atom
            added.label = labelPlaces.indices.contains(Int(atom.label)) ? labelPlaces[Int(atom.label)] : Atom.noLabel
            if let count = fixedCounts[index] { added.hydrogens = .fixed(count) }
            atoms.append(added)
        }
        for var bond in other.bonds {
            bond.from &+= shift
            bond.to &+= shift
            bonds.append(bond)
        }
        contents.atomNumbers = []
        contents.bondNumbers = []
        if other.extras.isEmpty { return }
        let firstSgroup = contents.sgroups.count
        let added = other.extras.contents
        let numbers = Renumbering(
            atoms: firstAtom..<atoms.count, bonds: firstBond..<bonds.count,
            sgroups: firstSgroup..<(firstSgroup + added.sgroups.count))
        contents.append(added.renumbered(numbers))
    }

    /// Returns the hydrogen counts that would be different under another rule, by atom index.
    private func hydrogenCounts(differingUnder rule: HydrogenRule) -> [Int: Int] {
        if rule == hydrogenRule { return [:] }
        var other = self
        other.hydrogenRule = rule
        let counts = zip(hydrogenCounts(), other.hydrogenCounts()).enumerated()
        return Dictionary(uniqueKeysWithValues: counts.compactMap { $1.0 == $1.1 ? nil : ($0, $1.0) })
    }

    /// Updates the `.hasNotes` marks of all atoms and bonds.
    package mutating func markNotes() {
        for index in atoms.indices { atoms[index].marks.remove(.hasNotes) }
        for index in bonds.indices { bonds[index].traits.remove(.hasNotes) }
        if extras.isEmpty { return }
        let (atomNotes, bondNotes) = (extras.contents.atomNotes, extras.contents.bondNotes)
        for tagged in atomNotes where atoms.indices.contains(Int(tagged.index)) {
            atoms[Int(tagged.index)].marks.insert(.hasNotes)
        }
        for tagged in bondNotes where bonds.indices.contains(Int(tagged.index)) {
            bonds[Int(tagged.index)].traits.insert(.hasNotes)
        }
    }
}

extension Renumbering {
    /// Returns a bond with renumbered ends, or `nil` if one of them was removed.
    fileprivate func keptBond(_ bond: Bond) -> Bond? {
        guard let from = atom(bond.from), let to = atom(bond.to) else { return nil }
        var kept = bond
        kept.from = from
        kept.to = to
        return kept
    }
}

extension Extras.Contents {
    /// Removes each double-bond geometry that refers to a neighbor whose bond is removed.
    fileprivate mutating func forgetGeometries(of bonds: [Bond], beside isBondKept: [Bool]) {
        guard bondNotes.contains(where: { $0.note.geometry != nil }) else { return }
        var leaving: [Int32: Set<Int32>] = [:]
        for (bond, isKept) in zip(bonds, isBondKept) where !isKept {
            leaving[bond.from, default: []].insert(bond.to)
            leaving[bond.to, default: []].insert(bond.from)
        }
        bondNotes.removeAll { tagged in
            guard let geometry = tagged.note.geometry, bonds.indices.contains(Int(tagged.index)) else { return false }
            let bond = bonds[Int(tagged.index)]
            return [bond.from, bond.to].contains { end in
                leaving[end].map { $0.contains(geometry.one) || $0.contains(geometry.other) } ?? false
            }
        }
    }

    /// Removes each configuration that refers to a removed bond: one of its atom, or at the end of an allene.
    fileprivate mutating func forgetConfigurations(of bonds: [Bond], beside isBondKept: [Bool]) {
        guard atomNotes.contains(where: { if case .configuration = $0.note { true } else { false } }) else { return }
        var leaving: Set<Int32> = []
        for (bond, isKept) in zip(bonds, isBondKept) where !isKept { leaving.formUnion([bond.from, bond.to]) }
        atomNotes.removeAll { tagged in
            guard case .configuration(let configuration) = tagged.note else { return false }
            return leaving.contains(tagged.index)
                || configuration.shape == .allene && configuration.neighbors.contains(where: leaving.contains)
        }
    }

    /// Returns the renumbered contents of the remaining atoms and bonds.
    fileprivate func keeping(atoms isAtomKept: [Bool], bonds isBondKept: [Bool]) -> Extras.Contents {
        let newAtoms = Renumbering(keepingAtoms: isAtomKept, bonds: [])
        let isSgroupKept = sgroups.map { $0.atoms.isEmpty || !newAtoms.atoms($0.atoms).isEmpty }
        let numbers = Renumbering(keepingAtoms: isAtomKept, bonds: isBondKept, sgroups: isSgroupKept)
        var contents = renumbered(numbers)
        contents.atomNumbers = zip(atomNumbers, isAtomKept).compactMap { $1 ? $0 : nil }
        contents.bondNumbers = zip(bondNumbers, isBondKept).compactMap { $1 ? $0 : nil }
        return contents
    }

    /// Appends contents that refer to atoms and bonds after all others. Group numbers that are in use are changed.
    fileprivate mutating func append(_ other: Extras.Contents) {
        atomNotes += other.atomNotes
        bondNotes += other.bondNotes
        appendSgroups(other.sgroups)
        appendStereoGroups(other.stereoGroups)
        collections += other.collections
        linkNodes += other.linkNodes
        abbreviations += other.abbreviations
        for rgroup in other.rgroups {
            if let place = rgroups.firstIndex(where: { $0.number == rgroup.number }) {
                for member in rgroup.members where !rgroups[place].members.contains(member) {
                    rgroups[place].members.append(member)
                }
            } else {
                rgroups.append(rgroup)
            }
        }
        for template in other.templates where !templates.contains(template) { templates.append(template) }
        verbatim += other.verbatim
    }

    /// Appends Sgroups. If the number of an Sgroup is in use, it is reset to 0, and the writer chooses one.
    private mutating func appendSgroups(_ added: [Sgroup]) {
        let isNumbered = added.contains { $0.number != 0 }
        let taken = isNumbered ? Set(sgroups.map(\.number)) : []
        sgroups += added.map { sgroup in
            var sgroup = sgroup
            if taken.contains(sgroup.number) { sgroup.number = 0 }
            return sgroup
        }
    }

    private mutating func appendStereoGroups(_ added: [StereoGroup]) {
        let highest = stereoGroups.map(\.number).max() ?? 0
        for group in added {
            if group.kind == .absolute, let place = stereoGroups.firstIndex(where: { $0.kind == .absolute }) {
                stereoGroups[place].atoms += group.atoms
                stereoGroups[place].bonds += group.bonds
            } else {
                var group = group
                if group.kind != .absolute { group.number = group.number &+ highest }
                stereoGroups.append(group)
            }
        }
    }
}
