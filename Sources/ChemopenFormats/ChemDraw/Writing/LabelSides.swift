import ChemopenModel

/// On which side of its atom a label has room: no bond and no other label is to be under its letters.
struct LabelSides {
    private let bonds: [(from: Position, to: Position)]
    /// The atoms at which something is written.
    private let written: [Position]
    private let size: Double

    /// Each label is held against each bond; larger molecules are not looked at.
    private static let mostAtoms = 400

    /// - Returns: Nothing where no atom has a place, or there are too many of them.
    init?(_ plan: FragmentPlan, _ place: MoleculePlace) {
        let molecule = plan.molecule
        guard place.isDrawn, molecule.atoms.count <= Self.mostAtoms else { return nil }
        let positions = molecule.atoms.map { place.position($0.position) }
        bonds = molecule.bonds.map { (positions[Int($0.from)], positions[Int($0.to)]) }
        written = positions.indices.filter { molecule.atoms[$0].element == .none || !plan.isCorner($0) }
            .map { positions[$0] }
        size = place.labelSize
    }

    /// The label on the side where less is in its way; on the one that it has where both are alike.
    func best(_ label: NodeLabel, at place: Position) -> NodeLabel {
        let here = obstacles(to: label, at: place)
        if here == 0 { return label }
        var other = label
        other.isTurned.toggle()
        return obstacles(to: other, at: place) < here ? other : label
    }

    /// How many bonds and labels are under the letters behind the first ones, which stand at the atom.
    private func obstacles(to label: NodeLabel, at place: Position) -> Int {
        var box = label.box(at: place, size)
        let half = size * 0.36
        if label.isTurned { box.right = place.x - half } else { box.left = place.x + half }
        (box.top, box.bottom) = (place.y - half, place.y + half)
        guard box.left < box.right else { return 0 }
        let under = bonds.count { Self.crosses($0.from, $0.to, box) }
        let beside = written.count { other in
            other.x + half > box.left && other.x - half < box.right && abs(other.y - place.y) < 2 * half
                && (other.x != place.x || other.y != place.y)
        }
        return under + beside
    }

    /// Whether a line goes through a box.
    private static func crosses(_ from: Position, _ to: Position, _ box: DrawnBox) -> Bool {
        var (start, end) = (0.0, 1.0)
        for (length, before, behind) in [
            (to.x - from.x, box.left - from.x, box.right - from.x),
            (to.y - from.y, box.top - from.y, box.bottom - from.y),
        ] {
            if length == 0 {
                if before > 0 || behind < 0 { return false }
                continue
            }
            let (one, other) = (before / length, behind / length)
            start = max(start, min(one, other))
            end = min(end, max(one, other))
        }
        return start < end
    }
}
