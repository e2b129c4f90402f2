import ChemopenModel

/// Selects the side of an atom on which a label has enough space, without a bond or another label under its letters.
struct LabelSides {
    private let bonds: [(from: Position, to: Position)]
    /// The atoms with labels.
    private let written: [Position]
    private let size: Double

    /// Larger molecules are skipped, because each label is compared with each bond.
    private static let mostAtoms = 400

    /// Returns nil if the atoms have no positions, or if there are too many of them.
    init?(_ plan: FragmentPlan, _ place: MoleculePlace, _ positions: [Position]) {
        let molecule = plan.molecule
        guard place.isDrawn, molecule.atoms.count <= Self.mostAtoms else { return nil }
        size = place.labelSize
        bonds = molecule.bonds.map { (positions[Int($0.from)], positions[Int($0.to)]) }
        written = positions.indices
            .filter { molecule.atoms[$0].element == .none || !plan.isCorner[$0] }
            .map { positions[$0] }
    }

    /// Whether a label should continue to the left. The side with fewer obstacles is selected; if both are equal, the
    /// side is unchanged.
    ///
    /// - Parameter raised: The number of letters in the mass of an isotope.
    func isBetterTurned(_ letters: Int, raised: Int = 0, isTurned: Bool, at place: Position) -> Bool {
        let here = obstacles(to: letters, LetterPlace(isTurned: isTurned, size, raised: raised), at: place)
        if here == 0 { return isTurned }
        let there = obstacles(to: letters, LetterPlace(isTurned: !isTurned, size, raised: raised), at: place)
        return there < here ? !isTurned : isTurned
    }

    /// Returns the number of bonds and labels under the letters that follow the first one, which is at the atom.
    private func obstacles(to letters: Int, _ ways: LetterPlace, at place: Position) -> Int {
        let half = ways.half
        var box = ways.box(of: letters, from: ways.start(at: place))
        if ways.isTurned { box.right = place.x - half } else { box.left = place.x + half }
        (box.top, box.bottom) = (place.y - half, place.y + half)
        guard box.left < box.right else { return 0 }
        var count = 0
        for bond in bonds where Self.crosses(bond.from, bond.to, box) { count &+= 1 }
        for other in written
        where other.x + half > box.left && other.x - half < box.right && abs(other.y - place.y) < 2 * half
            && (other.x != place.x || other.y != place.y)
        {
            count &+= 1
        }
        return count
    }

    /// Whether a line crosses a box.
    private static func crosses(_ from: Position, _ to: Position, _ box: DrawnBox) -> Bool {
        // Most lines are entirely on one side of the box.
        if max(from.x, to.x) < box.left || min(from.x, to.x) > box.right || max(from.y, to.y) < box.top
            || min(from.y, to.y) > box.bottom
        {
            return false
        }
        var part = (start: 0.0, end: 1.0)
        return cut(&part, to.x - from.x, box.left - from.x, box.right - from.x)
            && cut(&part, to.y - from.y, box.top - from.y, box.bottom - from.y) && part.start < part.end
    }

    /// Restricts a part of a line to the range between two bounds. Returns false if the line is parallel to the
    /// bounds and outside them.
    private static func cut(
        _ part: inout (start: Double, end: Double), _ length: Double, _ before: Double, _ behind: Double
    ) -> Bool {
        if length == 0 { return before <= 0 && behind >= 0 }
        let (one, other) = (before / length, behind / length)
        part.start = max(part.start, min(one, other))
        part.end = min(part.end, max(one, other))
        return true
    }
}
