// Lists of notes, sorted by the index of their atom or bond.
extension Array {
    /// Returns the position of the first note whose index is at least `index`.
    private func lowerBound<Note>(of index: Int) -> Int where Element == Indexed<Note> {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package func notes<Note>(of index: Int) -> some RandomAccessCollection<Note> where Element == Indexed<Note> {
        // This is a closure because a key path of a generic type would be created again at every call.
        self[places(of: index)].lazy.map { $0.note }
    }

    /// Returns the positions of the notes with an index.
    package func places<Note>(of index: Int) -> Range<Int> where Element == Indexed<Note> {
        lowerBound(of: index)..<lowerBound(of: index + 1)
    }

    package mutating func insert<Note>(_ note: Note, at index: Int) where Element == Indexed<Note> {
        insert(Indexed(index, note), at: lowerBound(of: index + 1))
    }

    /// Removes the notes with an index that satisfy the predicate.
    package mutating func removeAll<Note>(of index: Int, where isMeant: (Note) -> Bool) where Element == Indexed<Note> {
        for place in places(of: index).reversed() where isMeant(self[place].note) {
            remove(at: place)
        }
    }

    /// Inserts several notes. The new notes follow the existing notes with the same index, and their order is
    /// preserved.
    package mutating func insert<Note>(contentsOf notes: [Indexed<Note>]) where Element == Indexed<Note> {
        if notes.count == 1 { return insert(notes[0], at: lowerBound(of: Int(notes[0].index) + 1)) }
        self = (self + notes).sortedByIndex()
    }

    /// Returns the notes sorted by index; notes with the same index retain their order.
    @inlinable
    package func sortedByIndex<Note>() -> [Indexed<Note>] where Element == Indexed<Note> {
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
    /// The geometry if this is a geometry note, otherwise `nil`.
    package var geometry: Geometry? {
        if case .geometry(let geometry) = self { geometry } else { nil }
    }
}

// Functions for the labels of a molecule.
extension [Text] {
    /// Returns R-group notes for the atoms whose label specifies an R-group number, except atoms that already have a
    /// note.
    ///
    /// - Parameter number: returns the R-group number that a label specifies, or `nil`.
    /// - Parameter isNoted: returns the atoms that already have a note.
    package func sites(
        of atoms: [Atom], numberedBy number: (Text) -> Int32?, besides isNoted: () -> Set<Int32>
    ) -> [Indexed<AtomNote>] {
        let numbers = map(number)
        if numbers.allSatisfy({ $0 == nil }) { return [] }
        let isNoted = isNoted()
        return atoms.indices.compactMap { index in
            let label = Int(atoms[index].label)
            guard numbers.indices.contains(label), let number = numbers[label],
                !isNoted.contains(Int32(clamping: index))
            else { return nil }
            return Indexed(index, .rgroups([number]))
        }
    }
}
