import ChemopenModel

/// The text or sign at an atom.
enum AtomFace {
    /// A carbon that is only shown as the corner between its bonds.
    case corner
    /// A symbol with its hydrogens and marks.
    case element(ElementText)
    /// A text that may be reversed, followed by marks.
    case words(LabelText, marks: [Piece])

    struct ElementText {
        var element: ChemicalElement
        var symbol: String
        var hydrogens: Int
        /// The text on the upper left: the mass number.
        var before: [Piece] = []
        /// The text on the upper right: the charge and unpaired electrons.
        var behind: [Piece] = []
    }
}

extension AtomFace {
    /// Whether hydrogens precede the symbol of an unbonded atom, as in acids and water.
    var isHydride: Bool {
        guard case .element(let text) = self else { return false }
        return [8, 9, 16, 17, 34, 35, 52, 53, 85].contains(text.element.rawValue)
    }
}

/// Determines the text at each atom of a molecule.
struct FaceReader {
    private let molecule: Molecule
    private let graph: BondGraph
    private let hydrogens: [Int]
    private let openBonds: [Int: Int]
    /// The atoms that only mark the end of a bond to several atoms.
    private let centers: Set<Int>
    private let points: [Picture.Point]

    /// Creates a reader. An open bond replaces a hydrogen unless the file specifies the number of hydrogens.
    init(
        molecule: Molecule, graph: BondGraph, hydrogens: [Int], openBonds: [Int: Int], centers: Set<Int>,
        points: [Picture.Point]
    ) {
        self.molecule = molecule
        self.graph = graph
        self.openBonds = openBonds
        self.centers = centers
        self.points = points
        var counts = hydrogens
        for (atom, count) in openBonds
        where counts.indices.contains(atom) && molecule.atoms[atom].hydrogens.fixed == nil {
            counts[atom] = max(0, counts[atom] - count)
        }
        self.hydrogens = counts
    }

    func face(ofAtom index: Int) -> AtomFace {
        if centers.contains(index) { return .corner }
        let atom = molecule.atoms[index]
        let marks = marks(of: atom)
        if atom.marks.contains(.hasNotes), let words = words(ofAtom: index) { return .words(words, marks: marks) }
        if atom.element == .none { return .words(LabelText(molecule.symbol(ofAtom: index).string), marks: marks) }
        if isCorner(index, marks) { return .corner }
        var text = AtomFace.ElementText(
            element: atom.element, symbol: molecule.symbol(ofAtom: index).string, hydrogens: hydrogens[index])
        if atom.element == .hydrogen, atom.isotope == 2 || atom.isotope == 3 {
            text.symbol = atom.isotope == 2 ? "D" : "T"
        } else if atom.isotope != 0 {
            text.before = [Piece(text: "\(atom.isotope)", script: .raised, isMark: true)]
        }
        text.behind = marks
        return .element(text)
    }

    /// Returns the text of a note that replaces the symbol.
    private func words(ofAtom index: Int) -> LabelText? {
        var sites: [Int32] = []
        for note in molecule.notes(onAtom: index) {
            switch note {
            case .alias(let text) where !text.isEmpty: return LabelText(text.string)
            case .elementList(let list):
                let names = list.symbols.map(\.string).joined(separator: ",")
                return LabelText((list.isExcluding ? "![" : "[") + names + "]")
            case .rgroups(let numbers): sites = numbers
            default: break
            }
        }
        if sites.isEmpty { return nil }
        return sites.count == 1 ? LabelText("R\(sites[0])") : LabelText(sites.map { "R\($0)" }.joined(separator: ","))
    }

    private func marks(of atom: Atom) -> [Piece] {
        var text = ""
        switch atom.radical.mdlCode {
        case 0: break
        case 1: text = ":"
        default: text = String(repeating: "\u{2022}", count: min(3, atom.radical.unpairedElectrons))
        }
        if atom.charge != 0 {
            let count = abs(Int(atom.charge))
            text += (count > 1 ? "\(count)" : "") + (atom.charge > 0 ? "+" : "\u{2212}")
        }
        return text.isEmpty ? [] : [Piece(text: text, script: .raised, isMark: true)]
    }

    /// Whether an atom is a carbon that needs no letter.
    private func isCorner(_ index: Int, _ marks: [Piece]) -> Bool {
        let atom = molecule.atoms[index]
        guard atom.element == .carbon, atom.label == Atom.noLabel, atom.isotope == 0, marks.isEmpty else {
            return false
        }
        let neighbors = graph[index]
        guard !neighbors.isEmpty else { return false }
        var valence = openBonds[index] ?? 0
        var isPlain = true
        for neighbor in neighbors {
            if let order = molecule.bonds[neighbor.bond].order.valence, order > 0 {
                valence += order
            } else {
                isPlain = false
            }
        }
        if isPlain, hydrogens[index] != max(0, 4 - valence) { return false }
        return !isStraight(index)
    }

    /// Whether two equal bonds form a straight line through the atom; without a letter, the atom would be invisible.
    private func isStraight(_ index: Int) -> Bool {
        let neighbors = Array(graph[index])
        guard neighbors.count == 2 else { return false }
        let (one, other) = (molecule.bonds[neighbors[0].bond], molecule.bonds[neighbors[1].bond])
        guard one.order == other.order, one.mark == .none || other.mark == .none else { return false }
        let first = points[neighbors[0].atom] - points[index]
        let second = points[neighbors[1].atom] - points[index]
        return first.length > 0.01 && second.length > 0.01 && first.angle(to: second) > 3.09
    }
}
