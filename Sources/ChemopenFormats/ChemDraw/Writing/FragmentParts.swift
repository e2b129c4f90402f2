import ChemopenModel

/// The less common parts of a molecule that require special objects.
struct FragmentParts {
    /// The abbreviations' structures, by atom.
    private(set) var pieces: [Int: Molecule] = [:]
    private(set) var attachments: [Int: (atoms: [Int32], isAny: Bool)] = [:]
    private(set) var stereo: [Int32: StereoGroup] = [:]
    /// The bonds whose end points an attachment specifies.
    private(set) var attachmentBonds: Set<Int> = []
    /// The molecule without the parts that are drawn as objects.
    private(set) var rest: Molecule
    private let molecule: Molecule
    private let around: DrawnNeighbors

    init(of molecule: Molecule, _ around: DrawnNeighbors) {
        self.molecule = molecule
        self.around = around
        rest = molecule
        if molecule.extras.isEmpty { return }
        let contents = molecule.extras.contents
        findAttachments(contents)
        findPieces(contents)
        findStereo(contents)
    }

    /// Finds attachments. An atom `*` whose only bond has several end points is drawn as their attachment node.
    private mutating func findAttachments(_ contents: Extras.Contents) {
        for tagged in contents.bondNotes {
            guard case .endpoints(let atoms, let isAny) = tagged.note else { continue }
            let place = Int(tagged.index)
            let bond = molecule.bonds[place]
            guard let point = [Int(bond.from), Int(bond.to)].first(where: { isPlain($0, anything: true) }),
                around.count(of: point) == 1, attachments[point] == nil, !atoms.isEmpty,
                Set(atoms).count == atoms.count, !atoms.contains(Int32(clamping: point)),
                atoms.allSatisfy({ molecule.atoms.indices.contains(Int($0)) })
            else { continue }
            attachments[point] = (atoms, isAny)
            attachmentBonds.insert(place)
        }
    }

    /// Whether an atom has no element and no other properties.
    private func isPlain(_ index: Int, anything: Bool) -> Bool {
        var atom = molecule.atoms[index]
        if atom.element != .none || (anything && molecule.symbol(ofAtom: index) != FragmentReader.anything) {
            return false
        }
        if !molecule.notes(onAtom: index).isEmpty { return false }
        atom.marks.remove(.hasNotes)
        return atom.charge == 0 && atom.marks.isEmpty && atom.mapNumber == 0 && atom.isotope == 0
            && atom.radical == .none && atom.hydrogens.fixed == nil
    }

    private mutating func findPieces(_ contents: Extras.Contents) {
        let attached = Set(attachments.values.flatMap(\.atoms))
        for abbreviation in contents.abbreviations {
            let index = Int(abbreviation.atom)
            guard molecule.atoms.indices.contains(index), pieces[index] == nil, !attached.contains(abbreviation.atom),
                molecule.atoms[index].element == .none, molecule.atoms[index].charge == 0,
                molecule.atoms[index].marks.isDisjoint(with: [.inverts, .retains, .exactChange]),
                around.count(of: index) == 1, let place = around.first(of: index)?.bond
            else { continue }
            let bond = molecule.bonds[place]
            guard bond.order != .dative, bond.mark == .none || Int(bond.from) != index,
                let other = bond.partner(of: index), attachments[other] == nil,
                let drawn = Self.drawnPiece(abbreviation.molecule, outside: bond.order)
            else { continue }
            pieces[index] = drawn
        }
    }

    /// Returns the atom of a piece that represents its neighbor.
    static func outside(of piece: borrowing Molecule) -> Int? {
        for index in piece.atoms.indices where piece.symbol(ofAtom: index) == FragmentReader.anything { return index }
        return nil
    }

    /// Returns the piece with the atom for its neighbor first, as the reader creates it; nil if its structure is
    /// different.
    private static func drawnPiece(_ piece: Molecule, outside: Bond.Order) -> Molecule? {
        guard let point = Self.outside(of: piece), piece.heading.isEmpty, piece.atoms.count > 1,
            !piece.flags.contains(.chiral)
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

    /// Finds the stereo group of each atom that is in exactly one.
    private mutating func findStereo(_ contents: Extras.Contents) {
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
