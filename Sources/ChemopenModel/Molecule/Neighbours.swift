/// A molecule as a graph: who is bonded to whom, and atoms and bonds added one by one.
///
///     var ethanol = Molecule()
///     let first = ethanol.addAtom(Atom(.carbon))
///     let second = ethanol.addAtom(Atom(.carbon), bondedTo: first)
///     ethanol.addAtom(Atom(.oxygen), bondedTo: second)
///     print(ethanol.neighbours(ofAtom: second), ethanol.hydrogens(onAtom: first))   // [0, 2] 3
///
/// Each of these looks through all bonds. Who asks for every atom takes `neighbours()`, `hydrogenCounts()`.
extension Molecule {
    /// The atoms bonded to an atom, in the order of the bonds. An atom that is not there has none.
    public func neighbours(ofAtom index: Int) -> [Int] {
        bonds.compactMap { $0.partner(of: index) }
    }

    /// The atoms bonded to each atom, in the order of the bonds.
    public func neighbours() -> [[Int]] {
        let table = BondsOfAtoms(self)
        return atoms.indices.map { atom in table.bonds(of: atom).compactMap { bonds[$0].partner(of: atom) } }
    }

    /// The places of an atom's bonds, in their order.
    public func bonds(ofAtom index: Int) -> [Int] {
        bonds.indices.filter { bonds[$0].partner(of: index) != nil }
    }

    /// The place of the first bond between two atoms; `nil` where there is none.
    public func bond(between one: Int, and other: Int) -> Int? {
        bonds.firstIndex { $0.partner(of: one) == other }
    }

    /// How many hydrogens sit on an atom without being drawn; an atom that is not there has none.
    public func hydrogens(onAtom index: Int) -> Int {
        atoms.indices.contains(index) ? hydrogenCounts()[index] : 0
    }
}

extension Bond {
    /// The atom at the other end of the bond; `nil` where the bond is not one of this atom's.
    public func partner(of atom: Int) -> Int? {
        if from == atom { return Int(to) }
        return to == atom ? Int(from) : nil
    }
}

extension Molecule {
    /// Adds an atom behind the others, with a bond to one of them if that is named. Returns its place.
    @discardableResult
    public mutating func addAtom(_ atom: Atom, bondedTo neighbour: Int? = nil, _ order: Bond.Order = .single) -> Int {
        forgetUntilEdited()
        atoms.append(atom)
        if let neighbour { addBond(neighbour, atoms.count - 1, order) }
        return atoms.count - 1
    }

    /// Adds a bond behind the others and returns its place.
    ///
    /// Nothing happens, and there is no place, where an atom is not there or the two are one, or bonded already.
    @discardableResult
    public mutating func addBond(_ from: Int, _ to: Int, _ order: Bond.Order = .single) -> Int? {
        guard atoms.indices.contains(from), atoms.indices.contains(to), from != to, bond(between: from, and: to) == nil
        else { return nil }
        forgetUntilEdited()
        for end in [from, to] { atoms[end].marks.parity = 0 }
        bonds.append(Bond(from, to, order))
        return bonds.count - 1
    }

    /// Puts an atom in front of the one at a place: that one and those behind it move up, and all that is said of them
    /// follows. A place behind the last atom is the end.
    public mutating func insertAtom(_ atom: Atom, at place: Int) {
        addAtom(atom)
        let last = atoms.count - 1
        let place = min(max(0, place), last)
        arrange(atoms: Array(0..<place) + [last] + Array(place..<last), bonds: Array(bonds.indices))
    }

    /// Drops the notes that hold only until the molecule is edited, and numbers of a file, which new parts have none of.
    private mutating func forgetUntilEdited() {
        if extras.isEmpty || !extras.contents.holdsUntilEdited { return }
        let contents = extras.contents
        let numbers = Renumbering(atoms: atoms.indices, bonds: bonds.indices, sgroups: contents.sgroups.indices)
        extras.contents = contents.renumbered(numbers)
        markNotes()
    }
}

extension Extras.Contents {
    /// Whether something in it does not outlive an edit.
    fileprivate var holdsUntilEdited: Bool {
        !atomNumbers.isEmpty || !bondNumbers.isEmpty
            || atomNotes.contains { if case .transientField = $0.note { true } else { false } }
            || bondNotes.contains { if case .transientField = $0.note { true } else { false } }
    }
}
