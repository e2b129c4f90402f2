import ChemopenChemistry
import ChemopenModel

/// Two versions of a structure. In each, the atoms and bonds that differ from the other version are highlighted.
struct MarkedChanges {
    private(set) var first: Record
    private(set) var second: Record

    /// The maximum number of atoms. Larger molecules are not compared.
    private static let mostAtoms = 5000

    init(_ first: Record, _ second: Record) {
        (self.first, self.second) = (first, second)
        switch (first.subject, second.subject) {
        case (.molecule(var one), .molecule(var other)):
            Self.mark(&one, &other)
            (self.first.subject, self.second.subject) = (.molecule(one), .molecule(other))
        case (.reaction(var one), .reaction(var other)):
            Self.mark(&one, &other)
            (self.first.subject, self.second.subject) = (.reaction(one), .reaction(other))
        default: break
        }
    }

    private static func mark(_ one: inout Reaction, _ other: inout Reaction) {
        for step in 0..<min(one.steps.count, other.steps.count) {
            for role in [\Reaction.Step.reactants, \Reaction.Step.agents, \Reaction.Step.products] {
                let count = (one.steps[step][keyPath: role].count, other.steps[step][keyPath: role].count)
                for place in 0..<max(count.0, count.1) {
                    var empty = Molecule()
                    if place >= count.0 {
                        mark(&empty, &other.steps[step][keyPath: role][place].molecule)
                    } else if place >= count.1 {
                        mark(&one.steps[step][keyPath: role][place].molecule, &empty)
                    } else {
                        mark(
                            &one.steps[step][keyPath: role][place].molecule,
                            &other.steps[step][keyPath: role][place].molecule)
                    }
                }
            }
        }
    }

    private static func mark(_ one: inout Molecule, _ other: inout Molecule) {
        if one == other || max(one.atoms.count, other.atoms.count) > mostAtoms { return }
        let changes = ChangedParts(one, other)
        highlight(&one, changes.first)
        highlight(&other, changes.second)
    }

    private static func highlight(_ molecule: inout Molecule, _ changes: (atoms: Set<Int>, bonds: Set<Int>)) {
        if changes.atoms.isEmpty, changes.bonds.isEmpty { return }
        var marked = AtomCollection(AtomCollection.highlightName)
        marked.atoms = changes.atoms.sorted().map { Int32(clamping: $0) }
        marked.bonds = changes.bonds.sorted().map { Int32(clamping: $0) }
        // Highlights in the file are removed because they would look like changes.
        molecule.extras.contents.collections.removeAll { $0.isHighlight }
        molecule.extras.contents.collections.append(marked)
    }
}

/// The atoms and bonds of two structures that differ, including those that only one of them has.
private struct ChangedParts {
    private(set) var first: (atoms: Set<Int>, bonds: Set<Int>)
    private(set) var second: (atoms: Set<Int>, bonds: Set<Int>)

    init(_ one: Molecule, _ other: Molecule) {
        let alignment = AtomAlignment(one, other)
        first = (Set(alignment.deletedAtoms), Set(alignment.deletedBonds))
        second = (Set(alignment.addedAtoms), Set(alignment.addedBonds))
        let pairs = PairedAtoms(one, other, partners: alignment.partners)
        let common = pairs.commonParts
        let moved = Self.movedAtoms(pairs, alignment)
        for (place, pair) in pairs.atoms.enumerated() {
            let isSame =
                !moved.contains(place) && Self.isSame(place, common.0, common.1)
                && pairs.hydrogens.0[pair.first] == pairs.hydrogens.1[pair.second]
                && pairs.parities(pair.first, pair.second).map { $0.0 == $0.1 } ?? true
            if isSame { continue }
            first.atoms.insert(pair.first)
            second.atoms.insert(pair.second)
        }
        for (place, bond) in one.bonds.enumerated() where alignment.bonds[place] != AtomAlignment.nobody {
            let partner = Int(alignment.bonds[place])
            let twin = pairs.renumbered(other.bonds[partner])
            let isTurned = bond.mark != .none && twin.from != bond.from
            let isSame =
                !isTurned && (bond.order, bond.mark) == (twin.order, twin.mark)
                && (bond.traits, bond.reactingCenter) == (twin.traits, twin.reactingCenter)
            if isSame { continue }
            first.bonds.insert(place)
            second.bonds.insert(partner)
        }
    }

    /// Compares paired atoms, which have the same index, except for their positions, hydrogens and parities.
    private static func isSame(_ index: Int, _ one: Molecule, _ other: Molecule) -> Bool {
        func plain(_ molecule: Molecule) -> Atom {
            var atom = molecule.atoms[index]
            (atom.position, atom.label, atom.hydrogens, atom.marks.parity) = (Position(), Atom.noLabel, .unstated, 0)
            return atom
        }
        return plain(one) == plain(other) && one.symbol(ofAtom: index) == other.symbol(ofAtom: index)
            && Array(one.notes(onAtom: index)) == Array(other.notes(onAtom: index))
    }

    /// Returns the pairs of atoms with different positions, as indices. If these are most pairs, the structure was drawn
    /// again, and there is no such pair.
    private static func movedAtoms(_ pairs: PairedAtoms, _ alignment: AtomAlignment) -> Set<Int> {
        guard let placement = alignment.placement else { return [] }
        let limit = placement == .same ? 0.00005 : 0.02 * alignment.bondLength
        let moved = pairs.atoms.indices.filter { place in
            let (pair, before) = (pairs.atoms[place], pairs.one.atoms[pairs.atoms[place].first].position)
            let after = placement.movedBack(pairs.other.atoms[pair.second].position)
            return abs(after.x - before.x) > limit || abs(after.y - before.y) > limit || abs(after.z - before.z) > limit
        }
        return 2 * moved.count > pairs.atoms.count ? [] : Set(moved)
    }
}

extension RecordChange {
    /// Draws the structure before and after a change, with highlighted differences. If a record was inserted or
    /// deleted, only one picture is returned; if the structure has not changed, no picture.
    package func pictures(_ style: Picture.Style) -> (before: Picture?, after: Picture?) {
        var (old, new) = (before?.record, after?.record)
        if let first = old, let second = new {
            if first.content(of: .structure) == second.content(of: .structure) { return (nil, nil) }
            let marked = MarkedChanges(first, second)
            (old, new) = (marked.first, marked.second)
        }
        return (old?.modestPicture(style), new?.modestPicture(style))
    }
}

extension Record {
    /// The maximum number of atoms in a picture that is shown together with many others.
    private static let mostDrawnAtoms = 2000

    /// The number of atoms in a picture of the record.
    var drawnAtoms: Int {
        switch subject {
        case .molecule(let molecule): molecule.atoms.count
        case .reaction(let reaction): reaction.components.reduce(0) { $0 + $1.molecule.atoms.count }
        case .none: 0
        }
    }

    /// Draws the structure if it is small enough for a page with many pictures.
    func modestPicture(_ style: Picture.Style) -> Picture? {
        (1...Self.mostDrawnAtoms).contains(drawnAtoms) ? Picture(of: self, style: style) : nil
    }
}
