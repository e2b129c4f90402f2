// Lists of notes, sorted by what they belong to.
extension Array {
    /// Where the notes of an index begin: the first that is not below it.
    private func lowerBound<Note>(of index: Int) -> Int where Element == Tagged<Note> {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package func notes<Note>(of index: Int) -> some RandomAccessCollection<Note> where Element == Tagged<Note> {
        // A closure: a key path of a generic type is made anew at every call.
        self[places(of: index)].lazy.map { $0.note }
    }

    /// The places of the notes of an index.
    package func places<Note>(of index: Int) -> Range<Int> where Element == Tagged<Note> {
        lowerBound(of: index)..<lowerBound(of: index + 1)
    }

    package mutating func insert<Note>(_ note: Note, at index: Int) where Element == Tagged<Note> {
        insert(Tagged(index, note), at: lowerBound(of: index + 1))
    }

    /// Removes notes of an index.
    package mutating func removeAll<Note>(of index: Int, where isMeant: (Note) -> Bool) where Element == Tagged<Note> {
        for place in places(of: index).reversed() where isMeant(self[place].note) {
            remove(at: place)
        }
    }

    /// Adds many notes at once, each behind those that are there of its index, in the order in which they come.
    package mutating func insert<Note>(contentsOf notes: [Tagged<Note>]) where Element == Tagged<Note> {
        if notes.count == 1 { return insert(notes[0], at: lowerBound(of: Int(notes[0].index) + 1)) }
        self = (self + notes).sortedByIndex()
    }

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

extension BondNote {
    /// The geometry of a double bond, where the note is one.
    package var geometry: Geometry? {
        if case .geometry(let geometry) = self { geometry } else { nil }
    }
}

// The labels of a molecule.
extension [Text] {
    /// The notes of R-groups for atoms whose labels number one, but for atoms that are noted already.
    package func sites(
        of atoms: [Atom], numberedBy number: (Text) -> Int32?, besides isNoted: () -> Set<Int32>
    ) -> [Tagged<AtomNote>] {
        let numbers = map(number)
        if numbers.allSatisfy({ $0 == nil }) { return [] }
        let isNoted = isNoted()
        return atoms.indices.compactMap { index in
            let label = Int(atoms[index].label)
            guard numbers.indices.contains(label), let number = numbers[label],
                !isNoted.contains(Int32(clamping: index))
            else { return nil }
            return Tagged(index, .rgroups([number]))
        }
    }
}
