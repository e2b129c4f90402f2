/// Two versions of a structure, each with the atoms and bonds highlighted that the other one does not have so.
struct MarkedChanges {
    private(set) var first: Record
    private(set) var second: Record

    /// Larger molecules are not compared atom by atom.
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
        let match = AtomMatch(one, other)
        let (first, second) = (
            match.changes(in: one, against: other, match.partners),
            match.changes(in: other, against: one, match.partnersOfSecond)
        )
        highlight(&one, first)
        highlight(&other, second)
    }

    private static func highlight(_ molecule: inout Molecule, _ changes: (atoms: [Int32], bonds: [Int32])) {
        if changes.atoms.isEmpty, changes.bonds.isEmpty { return }
        var marked = Collection(Collection.highlightName)
        (marked.atoms, marked.bonds) = changes
        // A highlight of the file's own would look like a change.
        molecule.extras.contents.collections.removeAll { $0.isHighlight }
        molecule.extras.contents.collections.append(marked)
    }
}

/// Which atoms of one drawing are those of another: the ones in the same place, or else those of the same number.
private struct AtomMatch {
    private(set) var partners: [Int]
    private(set) var partnersOfSecond: [Int]
    /// Atoms were found by their places, so that one that has none here stands elsewhere.
    private let isByPlace: Bool

    init(_ one: Molecule, _ other: Molecule) {
        partners = Array(repeating: -1, count: one.atoms.count)
        partnersOfSecond = Array(repeating: -1, count: other.atoms.count)
        var places: [Place: [Int]] = [:]
        for index in other.atoms.indices.reversed() {
            places[Place(other.atoms[index].position), default: []].append(index)
        }
        var found: [(Int, Int)] = []
        for index in one.atoms.indices {
            if let partner = places[Place(one.atoms[index].position)]?.popLast() { found.append((index, partner)) }
        }
        // Where most atoms have moved, a drawing was made anew.
        isByPlace = places.count > 1 && 2 * found.count >= min(one.atoms.count, other.atoms.count)
        if !isByPlace {
            found = (0..<min(one.atoms.count, other.atoms.count)).map { ($0, $0) }
        }
        for (index, partner) in found { (partners[index], partnersOfSecond[partner]) = (partner, index) }
        if isByPlace, one.atoms.count == other.atoms.count {
            // An atom that has been pulled elsewhere is the one of its number.
            for index in partners.indices where partners[index] < 0 && partnersOfSecond[index] < 0 {
                (partners[index], partnersOfSecond[index]) = (index, index)
            }
        }
    }

    /// A position up to a ten-thousandth.
    private struct Place: Hashable {
        let (x, y, z): (Double, Double, Double)

        init(_ position: Position) {
            x = (position.x * 1e4).rounded()
            y = (position.y * 1e4).rounded()
            z = (position.z * 1e4).rounded()
        }
    }

    func changes(
        in molecule: Molecule, against other: Molecule, _ partners: [Int]
    ) -> (atoms: [Int32], bonds: [Int32]) {
        let (hydrogens, others) = (molecule.hydrogenCounts(), other.hydrogenCounts())
        let atoms = molecule.atoms.indices.filter { index in
            let partner = partners[index]
            if partner < 0 { return true }
            var (atom, twin) = (molecule.atoms[index], other.atoms[partner])
            if isByPlace, Place(atom.position) != Place(twin.position) { return true }
            (atom.position, twin.position) = (Position(), Position())
            (atom.label, twin.label) = (-1, -1)
            return atom != twin || hydrogens[index] != others[partner]
                || molecule.symbol(ofAtom: index) != other.symbol(ofAtom: partner)
                || Array(molecule.notes(onAtom: index)) != Array(other.notes(onAtom: partner))
        }
        var bonds: [Ends: [Bond]] = [:]
        for bond in other.bonds { bonds[Ends(Int(bond.from), Int(bond.to)), default: []].append(bond) }
        let changed = molecule.bonds.indices.filter { index in
            let bond = molecule.bonds[index]
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard partners.indices.contains(from), partners.indices.contains(to) else { return false }
            guard let twin = bonds[Ends(partners[from], partners[to])]?.first else { return true }
            let isTurned = bond.mark != .none && Int(twin.from) != partners[from]
            return isTurned || (bond.order, bond.mark) != (twin.order, twin.mark)
                || (bond.traits, bond.reactingCentre) != (twin.traits, twin.reactingCentre)
        }
        return (atoms.map { Int32(clamping: $0) }, changed.map { Int32(clamping: $0) })
    }

    private struct Ends: Hashable {
        let low: Int
        let high: Int

        init(_ one: Int, _ other: Int) {
            (low, high) = (min(one, other), max(one, other))
        }
    }
}

extension RecordChange {
    /// Both versions of a record whose structure has changed, what is other highlighted; the sole one of a record that was inserted
    /// or deleted; else nothing.
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
    /// More atoms are not drawn among others.
    private static let mostDrawnAtoms = 2000

    /// How many atoms a picture of the record has.
    var drawnAtoms: Int {
        switch subject {
        case .molecule(let molecule): molecule.atoms.count
        case .reaction(let reaction): reaction.components.reduce(0) { $0 + $1.molecule.atoms.count }
        case .none: 0
        }
    }

    /// The picture of a structure that is no larger than many others beside it may be.
    func modestPicture(_ style: Picture.Style) -> Picture? {
        (1...Self.mostDrawnAtoms).contains(drawnAtoms) ? Picture(of: self, style: style) : nil
    }
}
