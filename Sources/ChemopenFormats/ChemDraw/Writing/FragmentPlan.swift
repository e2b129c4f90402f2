import ChemopenModel

/// The objects for the atoms and bonds of a molecule, determined before any of them is written.
///
/// A class: it is used for each atom, and a copy would retain all its arrays again.
final class FragmentPlan {
    /// The kind of node for an atom.
    enum Node {
        case element
        case elements(DrawnElements)
        /// A name that is not an element.
        case nickname(Text)
        /// The site of an R-group.
        case site(Int32)
        /// Several atoms to which one bond leads, to all together or to any of them.
        case attachment(atoms: [Int32], isAny: Bool)
        /// A structure that the label abbreviates.
        case abbreviation(Molecule)
        /// The point where a piece is bonded to the atoms around it.
        case connectionPoint
    }

    let molecule: Molecule
    let around: DrawnNeighbors
    let hydrogens: FragmentHydrogens
    /// The rare parts.
    let parts: FragmentParts
    /// The atoms that are corners of the skeleton and have no label.
    let isCorner: [Bool]
    /// The atom of a piece that represents the neighbor outside.
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

    /// Returns the text that replaces the symbol of an atom.
    func alias(_ index: Int) -> Text? {
        guard molecule.atoms[index].marks.contains(.hasNotes) else { return nil }
        for case .alias(let alias) in molecule.notes(onAtom: index) where !alias.isEmpty { return alias }
        return nil
    }

    // MARK: Looking

    private static func elements(_ list: ElementList) -> DrawnElements? {
        var numbers: [Int] = []
        for symbol in list.symbols {
            guard let element = ChemicalElement(symbol: symbol.string), element != .none else { return nil }
            numbers.append(Int(element.rawValue))
        }
        return numbers.isEmpty ? nil : DrawnElements(numbers: numbers, areExcluded: list.isExcluding)
    }

    /// Whether all abbreviations can be drawn as labels with their pieces inside.
    static func canDrawPieces(of molecule: Molecule) -> Bool {
        let parts = FragmentParts(of: molecule, DrawnNeighbors(molecule))
        return parts.pieces.count == molecule.extras.contents.abbreviations.count
    }
}
