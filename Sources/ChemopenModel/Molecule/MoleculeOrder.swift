extension Molecule {
    /// Puts atoms and bonds in another order: each list names all of them by their old places. What refers to them follows.
    ///
    /// Nothing happens where a list does not name each once.
    package mutating func arrange(atoms atomOrder: [Int], bonds bondOrder: [Int]) {
        guard atomOrder.sorted().elementsEqual(atoms.indices), bondOrder.sorted().elementsEqual(bonds.indices) else {
            return
        }
        let old = extras.contents
        let numbers = Renumbering(
            atomsInOrder: atomOrder, bondsInOrder: bondOrder, sgroups: old.sgroups.count)
        atoms = atomOrder.map { atoms[$0] }
        bonds = bondOrder.map { place in
            var bond = bonds[place]
            bond.from = numbers.atom(bond.from) ?? bond.from
            bond.to = numbers.atom(bond.to) ?? bond.to
            return bond
        }
        if extras.isEmpty { return }
        var contents = old.renumbered(numbers)
        contents.atomNotes = contents.atomNotes.sortedByIndex()
        contents.bondNotes = contents.bondNotes.sortedByIndex()
        extras.contents = contents
        markNotes()
    }
}
