/// The molecule as a graph: neighbors of atoms, and functions that add single atoms and bonds.
///
///     var ethanol = Molecule()
///     let first = ethanol.addAtom(Atom(.carbon))
///     let second = ethanol.addAtom(Atom(.carbon), bondedTo: first)
///     ethanol.addAtom(Atom(.oxygen), bondedTo: second)
///     print(ethanol.neighbors(ofAtom: second), ethanol.hydrogens(onAtom: first))   // [0, 2] 3
///
/// Each of these functions iterates over all bonds. If you need the result for every atom, use `neighbors()` and
/// `hydrogenCounts()`.
extension Molecule {
    /// Finds the neighbors of an atom.
    ///
    /// - Returns: the indices of the bonded atoms in bond order; empty if the atom does not exist.
    public func neighbors(ofAtom index: Int) -> [Int] {
        bonds.compactMap { $0.partner(of: index) }
    }

    /// Finds the neighbors of every atom.
    ///
    /// - Returns: for each atom, the indices of the bonded atoms in bond order.
    public func neighbors() -> [[Int]] {
        let table = BondsOfAtoms(self)
        return atoms.indices.map { atom in table.bonds(of: atom).compactMap { bonds[$0].partner(of: atom) } }
    }

    /// Finds the bonds of an atom.
    ///
    /// - Returns: the indices of the bonds in ascending order.
    public func bonds(ofAtom index: Int) -> [Int] {
        bonds.indices.filter { bonds[$0].partner(of: index) != nil }
    }

    /// Finds the bond between two atoms.
    ///
    /// - Returns: the index of the first such bond, or `nil` if the atoms are not bonded.
    public func bond(between one: Int, and other: Int) -> Int? {
        bonds.firstIndex { $0.partner(of: one) == other }
    }

    /// Computes the number of implicit hydrogens on an atom.
    ///
    /// - Returns: the number of hydrogens, or 0 if the atom does not exist.
    public func hydrogens(onAtom index: Int) -> Int {
        atoms.indices.contains(index) ? hydrogenCounts()[index] : 0
    }
}

extension Bond {
    /// Finds the atom at the other end of the bond.
    ///
    /// - Returns: the index of the atom, or `nil` if `atom` is not an end of this bond.
    public func partner(of atom: Int) -> Int? {
        if from == atom { return Int(to) }
        return to == atom ? Int(from) : nil
    }
}

extension Molecule {
    /// Appends an atom and, if `neighbor` is specified, a bond to that atom.
    ///
    /// - Returns: the index of the new atom.
    @discardableResult
    public mutating func addAtom(_ atom: Atom, bondedTo neighbor: Int? = nil, _ order: Bond.Order = .single) -> Int {
        forgetUntilEdited()
        atoms.append(atom)
        if let neighbor { addBond(neighbor, atoms.count - 1, order) }
        return atoms.count - 1
    }

    /// Appends a bond.
    ///
    /// The molecule is not changed if an atom does not exist, if both atoms are the same, or if they are already
    /// bonded.
    ///
    /// - Returns: the index of the new bond, or `nil` if no bond was added.
    @discardableResult
    public mutating func addBond(_ from: Int, _ to: Int, _ order: Bond.Order = .single) -> Int? {
        guard atoms.indices.contains(from), atoms.indices.contains(to), from != to, bond(between: from, and: to) == nil
        else { return nil }
        forgetUntilEdited()
        for end in [from, to] { atoms[end].marks.parity = 0 }
        forgetConfigurations(ofAtoms: [from, to])
        bonds.append(Bond(from, to, order))
        return bonds.count - 1
    }

    /// Inserts an atom at an index. The atoms from that index on move up, and all references to them are updated. An
    /// index after the last atom appends the atom.
    public mutating func insertAtom(_ atom: Atom, at place: Int) {
        addAtom(atom)
        let last = atoms.count - 1
        let place = min(max(0, place), last)
        arrange(atoms: Array(0..<place) + [last] + Array(place..<last), bonds: Array(bonds.indices))
    }

    /// Removes notes that are valid only until the molecule is edited.
    ///
    /// Also removes the file's atom and bond numbers, because new atoms and bonds have no number.
    private mutating func forgetUntilEdited() {
        if extras.isEmpty || !extras.contents.holdsUntilEdited { return }
        let contents = extras.contents
        let numbers = Renumbering(atoms: atoms.indices, bonds: bonds.indices, sgroups: contents.sgroups.indices)
        extras.contents = contents.renumbered(numbers)
        markNotes()
    }
}

extension Extras.Contents {
    /// Whether the contents include anything that becomes invalid when the molecule is edited.
    fileprivate var holdsUntilEdited: Bool {
        !atomNumbers.isEmpty || !bondNumbers.isEmpty
            || atomNotes.contains { if case .transientField = $0.note { true } else { false } }
            || bondNotes.contains { if case .transientField = $0.note { true } else { false } }
    }
}
