import ChemopenChemistry
import ChemopenModel

/// A molecule from a text of atoms and bonds: `Drawn("C O N+ 13C", "0-1 1=2 2#3 3:0").molecule`.
struct Drawn {
    var molecule = Molecule()

    init(_ atoms: String, _ bonds: String = "") {
        for word in atoms.split(separator: " ") {
            let mass = word.prefix { $0.isNumber }
            let symbol = word.dropFirst(mass.count).prefix { $0.isLetter || $0 == "*" }
            var atom = Atom(ChemicalElement(symbol: String(symbol)) ?? .none)
            atom.isotope = UInt16(mass) ?? 0
            for sign in word.dropFirst(mass.count + symbol.count) { atom.charge += sign == "+" ? 1 : -1 }
            molecule.atoms.append(atom)
        }
        for word in bonds.split(separator: " ") {
            let numbers = word.split { !$0.isNumber }.compactMap { Int($0) }
            let order: Bond.Order =
                switch word.first(where: { !$0.isNumber }) {
                case "=": .double
                case "#": .triple
                case ":": .aromatic
                case ">": .dative
                case ".": .zero
                default: .single
                }
            molecule.bonds.append(Bond(numbers[0], numbers[1], order))
        }
    }

    /// Returns a ring of atoms with the specified bonds in order. Additional bonds follow the ring bonds.
    static func ring(_ atoms: String, _ orders: String) -> Molecule {
        let count = atoms.split(separator: " ").count
        let bonds = orders.enumerated().map { "\($0)\($1)\(($0 + 1) % count)" }
        return Drawn(atoms, bonds.joined(separator: " ")).molecule
    }

    static let benzene = ring("C C C C C C", "=-=-=-")
    static let pyrrole = ring("N C C C C", "-=-=-")
    static let cyclohexane = ring("C C C C C C", "------")
    static let aceticAcid = Drawn("C C O O", "0-1 1=2 1-3").molecule
    static let glycine = Drawn("N C C O O", "0-1 1-2 2=3 2-4").molecule
    static let naphthalene = Drawn(
        "C C C C C C C C C C", "0=1 1-2 2=3 3-4 4=5 5-0 4-6 6=7 7-8 8=9 9-5"
    ).molecule
    static let salt = Drawn("Na+ Cl-").molecule
    static let cubane = Drawn(
        "C C C C C C C C", "0-1 1-2 2-3 3-0 4-5 5-6 6-7 7-4 0-4 1-5 2-6 3-7"
    ).molecule
}

/// Whether a molecule contains a pattern.
func finds(_ pattern: String, in molecule: Molecule) throws -> Bool {
    var search = SubstructureSearch(try SMARTSPattern(pattern))
    return search.finds(in: molecule)
}

/// Returns the number of atoms in a molecule that match a pattern of one atom.
func count(_ pattern: String, in molecule: Molecule) throws -> Int {
    var search = SubstructureSearch(try SMARTSPattern(pattern))
    return search.matchCount(ofFirstAtomIn: molecule)
}
