import ChemopenModel

extension Molecule {
    /// Creates a molecule from the names of its atoms. A name that is not an element symbol becomes a label.
    init(_ names: [String], bonds: [Bond] = []) {
        self.init()
        for (index, name) in names.enumerated() {
            atoms.append(Atom(ChemicalElement(symbol: name) ?? .none, at: Position(Double(index))))
            if atoms[index].element == .none { setLabel(Text(name), ofAtom: index) }
        }
        self.bonds = bonds
    }

    /// Returns a ring of aromatic bonds.
    static func aromaticRing(_ names: String...) -> Molecule {
        Molecule(names, bonds: names.indices.map { Bond($0, ($0 + 1) % names.count, .aromatic) })
    }

    /// Returns carbons with aromatic bonds between them.
    static func aromaticCarbons(_ count: Int, _ bonds: [(Int, Int)]) -> Molecule {
        Molecule(Array(repeating: "C", count: count), bonds: bonds.map { Bond($0.0, $0.1, .aromatic) })
    }

    func charged(_ charge: Int16, atom index: Int = 0) -> Molecule {
        var molecule = self
        molecule.atoms[index].charge = charge
        return molecule
    }

    /// Returns the molecule with an additional atom bonded to an existing atom.
    func adding(_ name: String, to index: Int, _ order: Bond.Order = .single) -> Molecule {
        var molecule = self
        molecule.append(Molecule([name]))
        molecule.bonds.append(Bond(index, molecule.atoms.count - 1, order))
        return molecule
    }
}
