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
        var marked = AtomCollection(AtomCollection.highlightName)
        (marked.atoms, marked.bonds) = changes
        // Highlights in the file are removed because they would look like changes.
        molecule.extras.contents.collections.removeAll { $0.isHighlight }
        molecule.extras.contents.collections.append(marked)
    }
}

/// A match between the atoms of two drawings: by position if most positions agree, else by number.
private struct AtomMatch {
    private(set) var partners: [Int]
    private(set) var partnersOfSecond: [Int]
    /// Whether atoms were matched by position. An atom without a partner then has a different position.
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
        // If most atoms have different positions, the structure was drawn again.
        isByPlace = places.count > 1 && 2 * found.count >= min(one.atoms.count, other.atoms.count)
        if !isByPlace {
            found = (0..<min(one.atoms.count, other.atoms.count)).map { ($0, $0) }
        }
        for (index, partner) in found { (partners[index], partnersOfSecond[partner]) = (partner, index) }
        if isByPlace, one.atoms.count == other.atoms.count {
            // Remaining atoms with the same number are the same atom at another position.
            for index in partners.indices where partners[index] < 0 && partnersOfSecond[index] < 0 {
                (partners[index], partnersOfSecond[index]) = (index, index)
            }
        }
    }

    /// A position rounded to four decimal places.
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
                || (bond.traits, bond.reactingCenter) != (twin.traits, twin.reactingCenter)
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
    /// The maximum number of atoms in a picture among many others.
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
