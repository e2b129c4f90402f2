import ChemopenChemistry
import ChemopenModel

/// The changes from one version of a structure to another, atom by atom and bond by bond.
///
/// Atoms and bonds have the indices of the base. Added ones follow them in their order.
struct StructureChanges: Sendable {
    /// The program or person that made the new version.
    enum Author: Sendable {
        /// Every difference is intended.
        case person
        /// An editor may omit data that it does not support, change the scale and origin of the drawing, and draw the
        /// same structure in another way.
        case editor
    }

    let base: Molecule
    let new: Molecule
    let author: Author
    let alignment: AtomAlignment
    /// The changed properties of atoms.
    var facets: [Int: [AtomFacet]] = [:]
    var deletedAtoms: [Int] = []
    /// The added atoms, as indices in the new version.
    var addedAtoms: [Int] = []
    var bonds: [Int: BondChange] = [:]
    var deletedBonds: [Int] = []
    /// The added bonds, as indices in the new version.
    var addedBonds: [Int] = []
    /// The added bonds that the target already has.
    var sharedBonds: Set<Int> = []
    /// The extras of the new version, with the indices of the base.
    var contents = Extras.Contents()
    /// The changed lists.
    var lists: Set<StructureList> = []
    var comment: Text?
    var isChiral: Bool?
    /// Data that the editor omitted or changed and that is preserved.
    var kept: [String] = []

    /// The changed properties of a bond.
    struct BondChange: Hashable, Sendable {
        var order: Bond.Order?
        /// The mark, and the atoms in the order that it requires.
        var mark: Bond.Mark?
        var from: Int32?
        var traits: Bond.Traits?
        var reactingCenter: Int8?
        var notes: [BondNote]?

        var isEmpty: Bool { self == BondChange() }
    }

    init(from base: Molecule, to new: Molecule, by author: Author) {
        (self.base, self.new, self.author) = (base, new, author)
        alignment = AtomAlignment(base, new)
        if base == new { return }
        deletedAtoms = alignment.deletedAtoms
        addedAtoms = alignment.addedAtoms
        deletedBonds = alignment.deletedBonds
        addedBonds = alignment.addedBonds
        if author == .editor { keepHydrogens() }
        contents = placedBack(new.extras.contents.mapped(atoms: atomTable, bonds: bondTable))
        compareAtoms()
        compareBonds()
        comparePositions()
        if author == .editor {
            keepDroppedFacets()
            keepDroppedBonds()
        }
        compareLists()
        compareHeader()
    }

    /// Whether the versions are equal, except for preserved data.
    var isEmpty: Bool {
        facets.isEmpty && deletedAtoms.isEmpty && addedAtoms.isEmpty && bonds.isEmpty && deletedBonds.isEmpty
            && addedBonds.isEmpty && lists.isEmpty && comment == nil && isChiral == nil
    }

    /// Whether the new version is another structure rather than an edited one. If the base is empty, the new version
    /// counts as edited.
    var isUnrelated: Bool {
        let kept = alignment.partners.indices.count { atom in
            let partner = Int(alignment.partners[atom])
            return partner >= 0 && base.atoms[atom].element == new.atoms[partner].element
        }
        if base.atoms.count < 3 { return new.atoms.isEmpty && !base.atoms.isEmpty }
        if kept == 0 || 2 * kept < min(base.atoms.count, new.atoms.count) { return true }
        // An editor that could not read the copy may save the structure that it showed before.
        let changed = addedAtoms.count + base.atoms.count - kept
        return 2 * movedAtoms.count > base.atoms.count && 2 * changed >= base.atoms.count
    }

    /// Whether atoms, bonds or their properties have changed, beyond their positions.
    var changesStructure: Bool {
        !deletedAtoms.isEmpty || !addedAtoms.isEmpty || !bonds.isEmpty || !deletedBonds.isEmpty || !addedBonds.isEmpty
            || facets.values.contains { $0.contains { $0.kind != AtomFacet.positionKind } }
    }

    // MARK: Indices

    /// For each atom of the new version, its index in the base, or after the atoms of the base; -1 if it is ignored.
    var atomTable: [Int32] {
        var table = alignment.partnersOfSecond
        for (place, atom) in addedAtoms.enumerated() { table[atom] = Int32(clamping: base.atoms.count + place) }
        return table
    }

    private var bondTable: [Int32] {
        var table = alignment.bondsOfSecond
        for (place, bond) in addedBonds.enumerated() { table[bond] = Int32(clamping: base.bonds.count + place) }
        return table
    }

    /// Returns a position of the new version in the coordinates of the base.
    func placedBack(_ position: Position) -> Position {
        guard author == .editor, let placement = alignment.placement, placement != .same else { return position }
        // Editors write four decimals, so more would only reflect the scale.
        return placement.movedBack(position).rounded
    }

    private func placedBack(_ contents: Extras.Contents) -> Extras.Contents {
        var contents = contents
        for group in contents.sgroups.indices {
            for bracket in contents.sgroups[group].brackets.indices {
                let old = contents.sgroups[group].brackets[bracket]
                contents.sgroups[group].brackets[bracket] = Sgroup.Bracket(
                    from: placedBack(old.start), to: placedBack(old.end))
            }
        }
        return contents
    }

    // MARK: Atoms

    private mutating func compareAtoms() {
        let isDrawn = base.isPlaced && new.isPlaced
        let old = base.extras.contents.atomNotes
        for atom in base.atoms.indices {
            let partner = Int(alignment.partners[atom])
            if partner < 0 { continue }
            var changed = zip(base.facets(ofAtom: atom), new.facets(ofAtom: partner)).filter { $0 != $1 }.map(\.1)
            // In a drawing, the parity follows from the wedges.
            if !isDrawn, base.atoms[atom].marks.parity != new.atoms[partner].marks.parity {
                changed.append(.parity(new.atoms[partner].marks.parity))
            }
            let notes = (
                Array(old.notes(of: atom)).byKind, Array(contents.atomNotes.notes(of: atom)).byKind
            )
            for kind in Set(notes.0.keys).union(notes.1.keys).sorted() where notes.0[kind] != notes.1[kind] {
                changed.append(.notes(kind, notes.1[kind] ?? []))
            }
            if !changed.isEmpty { facets[atom] = changed }
        }
    }

    private mutating func comparePositions() {
        guard let placement = alignment.placement else {
            // The new version is the first with coordinates, or it has none.
            guard new.isPlaced, !base.isPlaced, !base.atoms.isEmpty, author == .person || changesStructure else {
                if author == .person, base.isPlaced, !new.isPlaced { moveAll() }
                return
            }
            if author == .editor { kept.append("the editor's coordinates are used, because the record has none") }
            return moveAll()
        }
        if author == .editor, base.hasHeights, !new.hasHeights {
            if !placement.isSame || !isUnmoved { kept.append("3D coordinates") }
            return
        }
        let tolerance = placement.isSame ? 0.0005 : 0.01
        for atom in base.atoms.indices {
            let partner = Int(alignment.partners[atom])
            if partner < 0 { continue }
            let (old, position) = (base.atoms[atom].position, new.atoms[partner].position)
            if author == .person ? old == position : isNear(placement.moved(old), position, tolerance * placement.scale)
            {
                continue
            }
            facets[atom, default: []].append(.position(placedBack(position)))
        }
    }

    private var isUnmoved: Bool {
        base.atoms.indices.allSatisfy { atom in
            let partner = Int(alignment.partners[atom])
            return partner < 0 || base.atoms[atom].position == new.atoms[partner].position
        }
    }

    private func isNear(_ one: Position, _ other: Position, _ tolerance: Double) -> Bool {
        let limit = tolerance * alignment.bondLength
        return abs(one.x - other.x) <= limit && abs(one.y - other.y) <= limit && abs(one.z - other.z) <= limit
    }

    private mutating func moveAll() {
        for atom in base.atoms.indices {
            let partner = Int(alignment.partners[atom])
            if partner >= 0 { facets[atom, default: []].append(.position(new.atoms[partner].position)) }
        }
    }

    // MARK: Bonds

    private mutating func compareBonds() {
        for place in base.bonds.indices {
            let partner = Int(alignment.bonds[place])
            if partner < 0 { continue }
            let (old, bond) = (base.bonds[place], new.bonds[partner])
            var change = BondChange()
            let from = alignment.partnersOfSecond[Int(bond.from)]
            if old.order != bond.order { change.order = bond.order }
            let isDirected = bond.mark == .up || bond.mark == .down || bond.order == .dative
            if old.mark != bond.mark { change.mark = bond.mark }
            if isDirected, from != old.from { change.from = from }
            let traits = (old.traits.subtracting(.hasNotes), bond.traits.subtracting(.hasNotes))
            if traits.0 != traits.1 { change.traits = traits.1 }
            if old.reactingCenter != bond.reactingCenter { change.reactingCenter = bond.reactingCenter }
            let notes = (
                base.extras.contents.bondNotes.notes(of: place).filter(\.isLasting),
                contents.bondNotes.notes(of: place).filter(\.isLasting)
            )
            if notes.0 != notes.1 { change.notes = notes.1 }
            if !change.isEmpty { bonds[place] = change }
        }
    }

    // MARK: Molecule

    private mutating func compareHeader() {
        let isChiral = new.flags.contains(.chiral)
        if author == .person {
            if base.comment != new.comment { comment = new.comment }
            if base.flags.contains(.chiral) != isChiral { self.isChiral = isChiral }
            return
        }
        if !new.name.isEmpty, new.name != base.name { kept.append("the title (use --title to change it)") }
        if base.flags.contains(.chiral) != isChiral { kept.append("the chiral flag") }
    }
}

extension Position {
    /// The position with four decimals, as in a V2000 file.
    var rounded: Position {
        func rounded(_ value: Double) -> Double { abs(value) < 1e9 ? (value * 1e4).rounded() / 1e4 : value }
        return Position(rounded(x), rounded(y), rounded(z))
    }
}

extension Placement {
    var isSame: Bool { self == .same }
}

extension BondNote {
    /// Whether the note remains valid if the molecule is edited.
    var isLasting: Bool { if case .transientField = self { false } else { true } }
}
