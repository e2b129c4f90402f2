/// An index of the bonds of each atom. It avoids a search through all bonds for each atom or group.
package struct BondsOfAtoms {
    /// The bonds of atom `a` are `places[starts[a]..<starts[a + 1]]`.
    private let starts: [Int]
    private let places: [Int]

    package init(_ molecule: borrowing Molecule) {
        let atomCount = molecule.atoms.count
        let bonds = molecule.bonds
        var starts = [Int](repeating: 0, count: atomCount + 1)
        func forEachEnd(_ body: (_ atom: Int, _ bond: Int) -> Void) {
            for (place, bond) in bonds.enumerated() {
                for atom in [Int(bond.from), Int(bond.to)] where 0..<atomCount ~= atom { body(atom, place) }
            }
        }
        forEachEnd { atom, _ in starts[atom + 1] += 1 }
        for atom in 0..<atomCount { starts[atom + 1] += starts[atom] }
        var ends = starts
        var places = [Int](repeating: 0, count: starts[atomCount])
        forEachEnd { atom, bond in
            places[ends[atom]] = bond
            ends[atom] += 1
        }
        (self.starts, self.places) = (starts, places)
    }

    /// Returns the indices of an atom's bonds, in ascending order.
    package func bonds(of atom: Int) -> ArraySlice<Int> {
        places[starts[atom]..<starts[atom + 1]]
    }

    /// Returns the indices of the bonds of any of `atoms`, each once and in ascending order.
    package func bonds(ofAny atoms: some Sequence<Int>) -> [Int] {
        Set(atoms.flatMap(bonds(of:))).sorted()
    }

    /// Returns the indices of the bonds between `atoms` and other atoms, in ascending order.
    package func bonds(leaving atoms: Set<Int32>) -> [Int] {
        // A bond with both ends in `atoms` occurs twice.
        let ends = atoms.flatMap { bonds(of: Int($0)) }.sorted()
        func isSame(_ one: Int, _ other: Int) -> Bool {
            ends.indices.contains(one) && ends.indices.contains(other) && ends[one] == ends[other]
        }
        return ends.indices.filter { !isSame($0 - 1, $0) && !isSame($0, $0 + 1) }.map { ends[$0] }
    }
}
