import ChemopenChemistry
import ChemopenModel

/// A three-way merge of two versions of a structure, atom by atom.
///
/// Changes of different atoms are merged. It is a conflict if both sides have changed the same atom, its bonds or the
/// same list in different ways.
struct StructureMerge {
    /// Our version with the changes of both sides.
    private(set) var molecule: Molecule
    /// The reasons for conflicts, such as `atom 3`.
    private(set) var conflicts: [String] = []
    /// Data that an editor omitted from their version and that is preserved.
    private(set) var kept: [String] = []

    /// The maximum number of atoms named in a conflict.
    private static let mostNamed = 5

    /// - Parameter author: The author of their version.
    init(_ base: Molecule, _ ours: Molecule, _ theirs: Molecule, by author: StructureChanges.Author = .person) {
        self.init(StructureChanges(from: base, to: theirs, by: author), ours)
    }

    /// Merges changes into another version of their base.
    init(_ theirs: StructureChanges, _ ours: Molecule) {
        molecule = ours
        kept = theirs.kept
        if theirs.isEmpty { return }
        if ours == theirs.base {
            theirs.apply(to: &molecule)
            return
        }
        let mine = StructureChanges(from: theirs.base, to: ours, by: .person)
        conflicts = Self.conflicts(mine, theirs)
        guard conflicts.isEmpty else { return }
        var pending = theirs
        pending.removeChanges(sharedWith: mine)
        pending.apply(to: &molecule, mine.alignment)
    }

    private static func conflicts(_ ours: StructureChanges, _ theirs: StructureChanges) -> [String] {
        var conflicts: [String] = []
        let touched = ours.touchedAtoms.intersection(theirs.touchedAtoms)
        var atoms = touched.filter { !ours.isSame(theirs, atAtom: $0) }
        let moved = ours.movedAtoms.intersection(theirs.movedAtoms)
        atoms.formUnion(moved.filter { ours.position(of: $0) != theirs.position(of: $0) })
        atoms.formUnion(Set(ours.deletedAtoms).intersection(theirs.facets.keys))
        atoms.formUnion(Set(theirs.deletedAtoms).intersection(ours.facets.keys))
        atoms.subtract(Set(ours.deletedAtoms).intersection(theirs.deletedAtoms))
        let named = atoms.sorted()
        conflicts += named.prefix(mostNamed).map { "atom \($0 + 1)" }
        if named.count > mostNamed { conflicts.append("\(named.count - mostNamed) more atoms") }
        for list in StructureList.allCases where ours.lists.contains(list) && theirs.lists.contains(list) {
            if !list.isEqual(ours.contents, theirs.contents) { conflicts.append(list.rawValue) }
        }
        if let mine = ours.comment, let other = theirs.comment, mine != other { conflicts.append("the comment") }
        return conflicts
    }
}

extension StructureChanges {
    func position(of atom: Int) -> AtomFacet? { facets[atom]?.first { $0.kind == AtomFacet.positionKind } }

    /// Removes changes that another side has made in the same way.
    mutating func removeChanges(sharedWith other: StructureChanges) {
        for atom in facets.keys { facets[atom]?.removeAll { other.facets[atom]?.contains($0) == true } }
        facets = facets.filter { !$0.value.isEmpty }
        for bond in bonds.keys where other.bonds[bond] == bonds[bond] { bonds[bond] = nil }
        let pairs = Set(other.addedBonds.compactMap { other.oldEnds(of: $0) })
        sharedBonds = Set(addedBonds.filter { bond in oldEnds(of: bond).map(pairs.contains) ?? false })
        for list in lists where other.lists.contains(list) { lists.remove(list) }
    }

    /// The ends of an added bond between atoms of the base.
    private func oldEnds(of bond: Int) -> Set<Int>? {
        let ends = [new.bonds[bond].from, new.bonds[bond].to].map { Int(alignment.partnersOfSecond[Int($0)]) }
        return ends.contains { $0 < 0 } ? nil : Set(ends)
    }
}
