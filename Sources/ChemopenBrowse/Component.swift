import Chemopen

/// A part of a record that is shown separately: a component of a reaction, a structure in a row, or a fragment of a
/// molecule.
struct Component: Sendable {
    /// The last component of its ID: `r1` is the first reactant, `f2` the second fragment.
    let key: String
    /// The readable role in the reaction: `reactant`.
    let role: String
    /// The name in the record.
    let name: Text
    let subject: Record.Subject
    /// The coefficient as written; empty means 1.
    var stoichiometry = Text()

    /// The maximum number of parts to show.
    private static let most = 100

    /// Returns the parts of a record.
    static func parts(of record: Record, _ header: SheetHeader) -> [Component] {
        var parts: [Component] = []
        switch record.subject {
        case .none: break
        case .molecule(let molecule): parts = fragments(of: molecule)
        case .reaction(let reaction): parts = components(of: reaction)
        }
        // The reaction of a row consists of its structures, so do not list these twice.
        let isRow = header.hasAllColumns && record.reaction != nil
        return Array((parts + (isRow ? [] : cells(of: record))).prefix(most))
    }

    /// The parts of this part.
    var parts: [Component] {
        switch subject {
        case .none: []
        case .molecule(let molecule): Self.fragments(of: molecule)
        case .reaction(let reaction): Array(Self.components(of: reaction).prefix(Self.most))
        }
    }

    private static func components(of reaction: Reaction) -> [Component] {
        let isLong = reaction.steps.count > 1
        var parts: [Component] = []
        for (number, step) in reaction.steps.enumerated() {
            let prefix = isLong ? "s\(number + 1)" : ""
            let sides = [
                ("r", "reactant", step.reactants), ("a", "agent", step.agents), ("p", "product", step.products),
            ]
            for (letter, role, components) in sides {
                for (place, component) in components.enumerated() {
                    var part = Component(
                        key: "\(prefix)\(letter)\(place + 1)", role: isLong ? "\(role) of step \(number + 1)" : role,
                        name: component.molecule.name.isEmpty ? component.name : component.molecule.name,
                        subject: .molecule(component.molecule))
                    part.stoichiometry = component.stoichiometry
                    parts.append(part)
                }
            }
        }
        return parts
    }

    /// Returns the structures in fields, such as the additional molecules of a row.
    private static func cells(of record: Record) -> [Component] {
        var parts: [Component] = []
        for (place, field) in record.fields.enumerated() {
            switch field.cell {
            case .molecule(let molecule) where !molecule.atoms.isEmpty:
                parts.append(
                    Component(key: "c\(place + 1)", role: "structure", name: field.name, subject: .molecule(molecule)))
            case .reaction(let reaction):
                parts.append(
                    Component(key: "c\(place + 1)", role: "reaction", name: field.name, subject: .reaction(reaction)))
            default: break
            }
        }
        return parts
    }

    // MARK: Fragments

    /// Returns the fragments of a molecule that are not connected by bonds. Empty if there is only one.
    private static func fragments(of molecule: Molecule) -> [Component] {
        let largest = 20_000
        guard molecule.atoms.count > 1, molecule.atoms.count <= largest else { return [] }
        let (pieces, count) = pieces(of: molecule)
        guard count > 1, count <= most else { return [] }
        return (0..<count).map { piece in
            var fragment = molecule
            fragment.removeAtoms(molecule.atoms.indices.filter { pieces[$0] != piece })
            fragment.name = Text()
            return Component(key: "f\(piece + 1)", role: "fragment", name: Text(), subject: .molecule(fragment))
        }
    }

    /// Returns the fragment number of each atom. Fragments are numbered in the order of their first atoms.
    private static func pieces(of molecule: Molecule) -> (pieces: [Int], count: Int) {
        var roots = Array(molecule.atoms.indices)
        func root(_ atom: Int) -> Int {
            var atom = atom
            while roots[atom] != atom {
                roots[atom] = roots[roots[atom]]
                atom = roots[atom]
            }
            return atom
        }
        for (index, bond) in molecule.bonds.enumerated() {
            var ends = [Int(bond.from), Int(bond.to)]
            for case .endpoints(let atoms, _) in molecule.notes(onBond: index) { ends += atoms.map(Int.init) }
            ends = ends.filter(roots.indices.contains)
            guard let first = ends.first else { continue }
            for end in ends.dropFirst() {
                let (one, other) = (root(first), root(end))
                roots[max(one, other)] = min(one, other)
            }
        }
        var numbers: [Int: Int] = [:]
        let pieces = molecule.atoms.indices.map { atom in
            let root = root(atom)
            if let number = numbers[root] { return number }
            numbers[root] = numbers.count
            return numbers.count - 1
        }
        return (pieces, numbers.count)
    }
}
