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

extension Array {
    /// Sorted by atom or bond, in their old order where that is the same.
    @inlinable
    package func sortedByIndex<Note>() -> [Tagged<Note>] where Element == Tagged<Note> {
        var place = 1
        while place < count, self[place - 1].index <= self[place].index { place += 1 }
        if place >= count { return self }
        var keys: [Int64] = []
        keys.reserveCapacity(count)
        for place in indices { keys.append(Int64(self[place].index) << 32 | Int64(place)) }
        keys.sort()
        return keys.map { self[Int($0 & 0xFFFF_FFFF)] }
    }
}
