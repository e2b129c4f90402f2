import ChemopenModel

/// The objects that represent a molecule's atoms and bonds in a fragment, determined before writing starts.
///
/// This is a class because it is used for each atom; each copy of a struct would retain all of its arrays.
final class FragmentPlan {
    /// The kind of node that represents an atom.
    enum Node {
        case element
        case elements(DrawnElements)
        /// A name that is not an element.
        case nickname(Text)
        /// The site of an R-group.
        case site(Int32)
        /// Several atoms to which one bond leads, to all of them together or to any of them.
        case attachment(atoms: [Int32], isAny: Bool)
        /// An abbreviation, with its structure.
        case abbreviation(Molecule)
        /// The connection of a piece to its neighbor.
        case connectionPoint
    }

    let molecule: Molecule
    let around: DrawnNeighbors
    let hydrogens: FragmentHydrogens
    /// The less common parts of the molecule.
    let parts: FragmentParts
    /// Whether each atom is a corner of the skeleton, without a label.
    let isCorner: [Bool]
    /// In a piece, the atom that represents the neighbor outside.
    let connectionPoint: Int?

    init(_ molecule: Molecule, connectionPoint: Int? = nil) {
        let around = DrawnNeighbors(molecule)
        let hydrogens = FragmentHydrogens(molecule)
        self.molecule = molecule
        self.around = around
        self.hydrogens = hydrogens
        self.connectionPoint = connectionPoint
        parts = FragmentParts(of: molecule, around)
        let atoms = molecule.atoms
        isCorner = atoms.indices.map { index in
            let atom = atoms[index]
            return atom.element == .carbon && atom.charge == 0 && atom.isotope == 0 && atom.radical == .none
                && around.count(of: index) > 0 && hydrogens.stated(index) == nil
        }
    }

    func node(_ index: Int) -> Node {
        if index == connectionPoint { return .connectionPoint }
        if let piece = parts.pieces[index] { return .abbreviation(piece) }
        if let attachment = parts.attachments[index] {
            return .attachment(atoms: attachment.atoms, isAny: attachment.isAny)
        }
        if molecule.atoms[index].element != .none { return .element }
        for note in molecule.notes(onAtom: index) {
            switch note {
            case .elementList(let list):
                if let elements = Self.elements(list) { return .elements(elements) }
            case .rgroups(let numbers):
                if numbers.count == 1, 1...999 ~= numbers[0], molecule.symbol(ofAtom: index) == "R#" {
                    return .site(numbers[0])
                }
            default: break
            }
        }
        return .nickname(molecule.symbol(ofAtom: index))
    }

    /// Returns the label that is shown for an atom instead of its symbol.
    func alias(_ index: Int) -> Text? {
        guard molecule.atoms[index].marks.contains(.hasNotes) else { return nil }
        for case .alias(let alias) in molecule.notes(onAtom: index) where !alias.isEmpty { return alias }
        return nil
    }

    // MARK: Queries

    private static func elements(_ list: ElementList) -> DrawnElements? {
        var numbers: [Int] = []
        for symbol in list.symbols {
            guard let element = ChemicalElement(symbol: symbol.string), element != .none else { return nil }
            numbers.append(Int(element.rawValue))
        }
        return numbers.isEmpty ? nil : DrawnElements(numbers: numbers, areExcluded: list.isExcluding)
    }

    /// Whether all abbreviations can be drawn as labels that contain their structures.
    static func canDrawPieces(of molecule: Molecule) -> Bool {
        let parts = FragmentParts(of: molecule, DrawnNeighbors(molecule))
        return parts.pieces.count == molecule.extras.contents.abbreviations.count
    }
}
