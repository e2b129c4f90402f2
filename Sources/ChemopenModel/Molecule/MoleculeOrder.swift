extension Molecule {
    /// Puts atoms and bonds in another order: each list names all of them by their old places. What refers to them follows.
    ///
    /// Nothing happens where a list does not name each once.
    package mutating func arrange(atoms atomOrder: [Int], bonds bondOrder: [Int]) {
        guard atomOrder.sorted().elementsEqual(atoms.indices), bondOrder.sorted().elementsEqual(bonds.indices) else {
            return
        }
        let numbers = Renumbering(
            atomsInOrder: atomOrder, bondsInOrder: bondOrder, sgroups: extras.contents.sgroups.count)
        atoms = atomOrder.map { atoms[$0] }
        bonds = bondOrder.map { numbers.bond(bonds[$0]) }
        if extras.isEmpty { return }
        extras.contents = extras.contents.rearranged(numbers)
        markNotes()
    }
}

extension Renumbering {
    /// A bond with its ends as they are now; an end that is nowhere stays.
    fileprivate func bond(_ bond: Bond) -> Bond {
        var moved = bond
        moved.from = atom(bond.from) ?? bond.from
        moved.to = atom(bond.to) ?? bond.to
        return moved
    }
}

extension Extras.Contents {
    /// Everything with its new numbers, which are in another order.
    fileprivate func rearranged(_ numbers: Renumbering) -> Extras.Contents {
        var contents = renumbered(numbers)
        contents.atomNotes = contents.atomNotes.sortedByIndex()
        contents.bondNotes = contents.bondNotes.sortedByIndex()
        return contents
    }
}
