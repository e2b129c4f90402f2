import ChemopenModel

/// The objects that a molecule's atoms and bonds become in a fragment: worked out before anything of it is written.
///
/// A class: it is looked at for each atom, and a copy would count all its arrays anew.
final class FragmentPlan {
    /// The kind of node that an atom is drawn as.
    enum Node {
        case element
        case elements(DrawnElements)
        /// A name that no element has.
        case nickname(Text)
        /// The site of an R-group.
        case site(Int32)
        /// Several atoms, to which one bond leads together or to any one of them.
        case attachment(atoms: [Int32], isAny: Bool)
        /// A piece of structure behind a label.
        case abbreviation(Molecule)
        /// Where a piece is bonded to what is around it.
        case connectionPoint
    }

    let molecule: Molecule
    let bonds: BondsOfAtoms
    let hydrogens: [Int]
    /// Atoms whose hydrogens have to be stated.
    private let hydrogensByRule: [Int]
    private let isAsked: [Bool]
    /// The hydrogens that atoms would have if nobody had stated any; empty where nobody has.
    private let unstated: [Int]
    private let isAromatic: [Bool]
    private(set) var pieces: [Int: Molecule] = [:]
    private(set) var attachments: [Int: (atoms: [Int32], isAny: Bool)] = [:]
    private(set) var stereo: [Int32: StereoGroup] = [:]
    /// The numbers of the Sgroups that atoms are part of.
    private(set) var memberships: [Int32: [Int]] = [:]
    /// The bonds whose end points an attachment says.
    private(set) var attachmentBonds: Set<Int> = []
    /// The molecule with those parts alone that a fragment has no objects for.
    private(set) var rest: Molecule
    /// The atom that stands for the neighbour outside, in a piece.
    let connectionPoint: Int?

    init(_ molecule: Molecule, connectionPoint: Int? = nil) {
        self.molecule = molecule
        self.connectionPoint = connectionPoint
        bonds = BondsOfAtoms(molecule)
        hydrogens = molecule.hydrogenCounts().map { min($0, HydrogenCount.most) }
        if molecule.hydrogenRule == .mdl {
            hydrogensByRule = []
        } else {
            var other = molecule
            other.hydrogenRule = .mdl
            hydrogensByRule = other.hydrogenCounts().map { min($0, HydrogenCount.most) }
        }
        if molecule.atoms.contains(where: { $0.hydrogens.fixed != nil }) {
            var other = molecule
            other.hydrogenRule = .mdl
            for index in other.atoms.indices { other.atoms[index].hydrogens = .unstated }
            unstated = other.hydrogenCounts()
        } else {
            unstated = []
        }
        let hasOtherOrders = molecule.bonds.contains { $0.orderNumber > Bond.Order.triple.rawValue }
        let sums = hasOtherOrders ? BondSums(molecule) : nil
        isAsked = sums?.isAsked ?? []
        isAromatic = sums?.isAromatic ?? []
        rest = molecule
        if molecule.extras.isEmpty { return }
        let contents = molecule.extras.contents
        findAttachments(contents)
        findPieces(contents)
        findStereo(contents)
        // Of a piece within, no Sgroup has a place.
        if connectionPoint != nil { return }
        for (number, group) in contents.sgroups.enumerated() {
            for atom in group.atoms { memberships[atom, default: []].append(number + 1) }
        }
    }

    func node(_ index: Int) -> Node {
        if index == connectionPoint { return .connectionPoint }
        let atom = molecule.atoms[index]
        if let piece = pieces[index] { return .abbreviation(piece) }
        if let attachment = attachments[index] { return .attachment(atoms: attachment.atoms, isAny: attachment.isAny) }
        if atom.element != .none { return .element }
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

    /// The hydrogens of an atom that have to be stated: those that somebody stated, and those that nobody would count so.
    func statedHydrogens(_ index: Int) -> Int? {
        let atom = molecule.atoms[index]
        let count = hydrogens[index]
        if atom.hydrogens.fixed != nil { return count }
        if isAsked.indices.contains(index), isAsked[index] { return nil }
        if hydrogensByRule.indices.contains(index), hydrogensByRule[index] != count { return count }
        if molecule.valence(ofAtom: index) != nil { return count }
        return isAromatic.indices.contains(index) && isAromatic[index] && atom.element != .carbon ? count : nil
    }

    /// Whether somebody stated those hydrogens of an atom that it would have anyway. The number beside its label does not say
    /// so, as every label has one.
    func isStatedForItself(_ index: Int) -> Bool {
        unstated.indices.contains(index) && molecule.atoms[index].hydrogens.fixed == unstated[index]
    }

    /// The hydrogens that a label shows, beside which ChemDraw keeps their number: Open Babel counts none where it is missing.
    func shownHydrogens(_ index: Int) -> Int? {
        if isAsked.indices.contains(index), isAsked[index] { return nil }
        return OwnStatement.hasProperty(hydrogens: hydrogens[index]) ? hydrogens[index] : nil
    }

    /// Whether an atom is a corner of the skeleton, at which nothing is written.
    func isCorner(_ index: Int) -> Bool {
        let atom = molecule.atoms[index]
        return atom.element == .carbon && atom.charge == 0 && atom.isotope == 0 && atom.radical == .none
            && statedHydrogens(index) == nil && !bonds.bonds(of: index).isEmpty
    }

    /// The text that an atom is labelled with in place of its symbol.
    func alias(_ index: Int) -> Text? {
        guard molecule.atoms[index].marks.contains(.hasNotes) else { return nil }
        for case .alias(let alias) in molecule.notes(onAtom: index) where !alias.isEmpty { return alias }
        return nil
    }

    /// The neighbours of an atom with their bonds.
    func neighbours(of index: Int) -> [(atom: Int, bond: Int)] {
        bonds.bonds(of: index).compactMap { bond in
            molecule.bonds[bond].partner(of: index).map { ($0, bond) }
        }
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

    /// An atom `*` whose only bond has several end points is drawn as the point where they are attached.
    private func findAttachments(_ contents: Extras.Contents) {
        for tagged in contents.bondNotes {
            guard case .endpoints(let atoms, let isAny) = tagged.note else { continue }
            let place = Int(tagged.index)
            let bond = molecule.bonds[place]
            guard let point = [Int(bond.from), Int(bond.to)].first(where: { isPlain($0, anything: true) }),
                bonds.bonds(of: point).count == 1, attachments[point] == nil, !atoms.isEmpty,
                Set(atoms).count == atoms.count, !atoms.contains(Int32(clamping: point)),
                atoms.allSatisfy({ molecule.atoms.indices.contains(Int($0)) })
            else { continue }
            attachments[point] = (atoms, isAny)
            attachmentBonds.insert(place)
        }
    }

    /// Whether an atom is no element, and nothing else is said of it.
    private func isPlain(_ index: Int, anything: Bool) -> Bool {
        var atom = molecule.atoms[index]
        if atom.element != .none || (anything && molecule.symbol(ofAtom: index) != FragmentReader.anything) {
            return false
        }
        if !molecule.notes(onAtom: index).isEmpty { return false }
        atom.marks.remove(.hasNotes)
        return atom.charge == 0 && atom.marks.isEmpty && OwnStatement.statements(of: atom, isElement: false).isEmpty
    }

    /// Whether all abbreviations can be drawn as labels with their pieces inside.
    static func canDrawPieces(of molecule: Molecule) -> Bool {
        let plan = FragmentPlan(molecule)
        return plan.pieces.count == molecule.extras.contents.abbreviations.count
    }

    private func findPieces(_ contents: Extras.Contents) {
        let attached = Set(attachments.values.flatMap(\.atoms))
        for abbreviation in contents.abbreviations {
            let index = Int(abbreviation.atom)
            guard molecule.atoms.indices.contains(index), pieces[index] == nil, !attached.contains(abbreviation.atom),
                molecule.atoms[index].element == .none, molecule.atoms[index].charge == 0,
                molecule.atoms[index].marks.isDisjoint(with: [.inverts, .retains, .exactChange]),
                bonds.bonds(of: index).count == 1, let place = bonds.bonds(of: index).first
            else { continue }
            let bond = molecule.bonds[place]
            guard bond.order != .dative, bond.mark == .none || Int(bond.from) != index,
                let other = bond.partner(of: index), attachments[other] == nil,
                let drawn = Self.drawnPiece(abbreviation.molecule, outside: bond.order)
            else { continue }
            pieces[index] = drawn
        }
    }

    /// The piece with the atom that stands for its neighbour in the first place, as the reader gives it; nothing where
    /// it has another shape.
    private static func drawnPiece(_ piece: Molecule, outside: Bond.Order) -> Molecule? {
        guard let point = piece.atoms.indices.first(where: { piece.symbol(ofAtom: $0) == FragmentReader.anything }),
            piece.heading.isEmpty, piece.atoms.count > 1, !piece.flags.contains(.chiral)
        else { return nil }
        let ends = piece.bonds.indices.filter { piece.bonds[$0].partner(of: point) != nil }
        guard ends.count == 1, let end = ends.first, piece.bonds[end].order == outside || outside == .single else {
            return nil
        }
        var drawn = piece
        drawn.arrange(
            atoms: [point] + piece.atoms.indices.filter { $0 != point },
            bonds: piece.bonds.indices.filter { $0 != end } + [end])
        return drawn
    }

    /// The stereo group of each atom that is in one alone.
    private func findStereo(_ contents: Extras.Contents) {
        var others: [StereoGroup] = []
        var kinds: Set<StereoGroup> = []
        for group in contents.stereoGroups {
            let isNumbered = group.kind == .absolute ? group.number == 0 : 1...0x7FFF ~= group.number
            let kind = StereoGroup(group.kind, number: Int(group.number), atoms: [])
            let isPlain =
                isNumbered && group.bonds.isEmpty && !group.atoms.isEmpty && Set(group.atoms).count == group.atoms.count
                && group.atoms.allSatisfy {
                    molecule.atoms.indices.contains(Int($0)) && stereo[$0] == nil && pieces[Int($0)] == nil
                }
            guard isPlain, kinds.insert(kind).inserted else {
                others.append(group)
                continue
            }
            for atom in group.atoms { stereo[atom] = group }
        }
        rest.extras.contents.stereoGroups = others
    }
}
