import ChemopenModel

/// Groups of a step that are one compound: molecules that are drawn together as one.
struct DrawingCompounds {
    let drawing: Drawing
    let fragments: [DrawnFragment]
    let places: DrawingPlaces

    /// The molecules of each such group.
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

    /// Nobody draws a compound of more; larger groups are not looked through for each step that names them.
    private static let mostParts = 16
    private static let mostObjects = 4096

    /// A salt whose charges cancel, or something with a lone atom beside it, as in ferrocene or a hydrochloride. Programs
    /// group reactants, too: these have a plus between them.
    private func isCompound(_ group: Int, _ molecules: Range<Int>) -> Bool {
        let objects = drawing.objects(within: group)
        if molecules.count > Self.mostParts || objects.count > Self.mostObjects { return false }
        for object in objects {
            let plus = 8
            switch drawing.kind(of: object) {
            case .graphic where drawing.integer(.symbolType, of: object) == plus: return false
            case .text where drawing.text(of: object) == "+": return false
            default: break
            }
        }
        let parts = molecules.map { fragments[$0].molecule }
        if parts.contains(where: { $0.atoms.count == 1 && $0.atoms[0].element != .none }) { return true }
        let charges = parts.map { part in part.atoms.reduce(0) { $0 + Int($1.charge) } }
        return charges.contains { $0 != 0 } && charges.reduce(0, +) == 0
    }
}
