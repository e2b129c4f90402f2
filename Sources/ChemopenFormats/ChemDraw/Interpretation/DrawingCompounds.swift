import ChemopenModel

/// Finds the groups in a step that form one compound, drawn as several molecules.
struct DrawingCompounds {
    let drawing: Drawing
    let fragments: [DrawnFragment]
    let places: DrawingPlaces

    /// Returns the molecules of each such group.
    func find(in step: Int) -> [Range<Int>] {
        let roles: [DrawnProperty] = [.reactants, .products, .aboveArrow, .belowArrow]
        return roles.flatMap { drawing.identifiers($0, of: step) }.compactMap { id in
            let molecules = places.molecules(called: id)
            guard molecules.count > 1, let group = places.group(called: id), isCompound(group, molecules) else {
                return nil
            }
            return molecules
        }
    }

    /// Larger groups are not compounds, and checking them for every step would be slow.
    private static let mostParts = 16
    private static let mostObjects = 4096

    /// Whether a group is a salt with a net charge of zero, or contains a single atom, as in ferrocene or a
    /// hydrochloride. Programs also group reactants, but these have a plus sign between them.
    private func isCompound(_ group: Int, _ molecules: Range<Int>) -> Bool {
        let objects = drawing.objects(within: group)
        if molecules.count > Self.mostParts || objects.count > Self.mostObjects { return false }
        guard hasLoneAtom(molecules) || isSalt(molecules) else { return false }
        return !objects.contains { object in
            let plus = 8
            return switch drawing.kind(of: object) {
            case .graphic: drawing.integer(.symbolType, of: object) == plus
            case .text: drawing.text(of: object) == Text.plusSign
            default: false
            }
        }
    }

    private func hasLoneAtom(_ molecules: Range<Int>) -> Bool {
        molecules.contains { part in
            let atoms = fragments[part].molecule.atoms
            return atoms.count == 1 && atoms[0].element != .none
        }
    }

    private func isSalt(_ molecules: Range<Int>) -> Bool {
        let charges = molecules.map { part in fragments[part].molecule.atoms.reduce(0) { $0 + Int($1.charge) } }
        return charges.contains { $0 != 0 } && charges.reduce(0, +) == 0
    }
}
