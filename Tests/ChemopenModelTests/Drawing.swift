import ChemopenModel

extension Molecule {
    /// A molecule from the names of its atoms; a name that is no element's becomes a label.
    init(_ names: [String], bonds: [Bond] = []) {
        self.init()
        for (index, name) in names.enumerated() {
            atoms.append(Atom(ChemicalElement(symbol: name) ?? .none, at: Position(Double(index))))
            if atoms[index].element == .none { setLabel(Text(name), ofAtom: index) }
        }
        self.bonds = bonds
    }

    /// Atoms in a ring of aromatic bonds.
    static func aromaticRing(_ names: String...) -> Molecule {
        Molecule(names, bonds: names.indices.map { Bond($0, ($0 + 1) % names.count, .aromatic) })
    }

    /// Carbons with aromatic bonds between them.
    static func aromaticCarbons(_ count: Int, _ bonds: [(Int, Int)]) -> Molecule {
        Molecule(Array(repeating: "C", count: count), bonds: bonds.map { Bond($0.0, $0.1, .aromatic) })
    }

    func charged(_ charge: Int16, atom index: Int = 0) -> Molecule {
        var molecule = self
        molecule.atoms[index].charge = charge
        return molecule
    }

    /// The molecule with one more atom, bonded to one that is there.
    func adding(_ name: String, to index: Int, _ order: Bond.Order = .single) -> Molecule {
        var molecule = self
        molecule.append(Molecule([name]))
        molecule.bonds.append(Bond(index, molecule.atoms.count - 1, order))
        return molecule
    }
}
