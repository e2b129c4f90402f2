extension Molecule {
    /// Reorders atoms and bonds, and updates all references. Each list contains the old indices in their new order.
    ///
    /// If a list does not contain each index exactly once, the molecule is not changed.
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
    /// Returns a bond with renumbered ends; an end that does not exist is not changed.
    fileprivate func bond(_ bond: Bond) -> Bond {
        var moved = bond
        moved.from = atom(bond.from) ?? bond.from
        moved.to = atom(bond.to) ?? bond.to
        return moved
    }
}

extension Extras.Contents {
    /// Returns all contents with the new numbers, with the notes sorted again.
    fileprivate func rearranged(_ numbers: Renumbering) -> Extras.Contents {
        var contents = renumbered(numbers)
        contents.atomNotes = contents.atomNotes.sortedByIndex()
        contents.bondNotes = contents.bondNotes.sortedByIndex()
        return contents
    }
}
