import ChemopenModel

/// The scale and shift that map the coordinates of one drawing to those of another version of it.
///
/// Editors scale drawings to their own bond length and move them to another origin. Rotations and reflections are not
/// included, because they change the drawing.
package struct Placement: Sendable, Hashable {
    /// The factor that the coordinates are multiplied with, before the shift.
    package var scale: Double
    /// The shift. If one of the drawings is flat, its third coordinate is 0.
    package var shift: Position

    /// Drawings with the same coordinates.
    package static let same = Placement(scale: 1, shift: Position())

    package init(scale: Double, shift: Position) {
        (self.scale, self.shift) = (scale, shift)
    }

    /// Returns a position of the first drawing in the coordinates of the second one.
    package func moved(_ position: Position) -> Position {
        Position(
            position.x * scale + shift.x, position.y * scale + shift.y, position.z * scale + shift.z)
    }

    /// Returns a position of the second drawing in the coordinates of the first one.
    package func movedBack(_ position: Position) -> Position {
        if self == .same { return position }
        return Position(
            (position.x - shift.x) / scale, (position.y - shift.y) / scale, (position.z - shift.z) / scale)
    }
}

/// The coordinates of two versions of a structure, compared in the dimensions that both have.
struct ComparedDrawings {
    let one: [Position]
    let other: [Position]
    /// The median bond length of the first drawing in the plane, or 1 if it has no bonds.
    let bondLength: Double
    private let otherBondLength: Double

    /// Creates a comparison, or `nil` if one of the structures has no coordinates.
    init?(_ one: Molecule, _ other: Molecule) {
        guard one.isPlaced, other.isPlaced else { return nil }
        let isFlat = !one.hasHeights || !other.hasHeights
        self.one = one.atoms.map { isFlat ? $0.position.inPlane : $0.position }
        self.other = other.atoms.map { isFlat ? $0.position.inPlane : $0.position }
        bondLength = Self.bondLength(of: one, self.one) ?? 1
        otherBondLength = Self.bondLength(of: other, self.other) ?? bondLength
    }

    private static func bondLength(of molecule: Molecule, _ positions: [Position]) -> Double? {
        let lengths = molecule.bonds.compactMap { bond -> Double? in
            guard positions.indices.contains(Int(bond.from)), positions.indices.contains(Int(bond.to)) else {
                return nil
            }
            let length = positions[Int(bond.from)].distance(to: positions[Int(bond.to)])
            return length > 0 && length.isFinite ? length : nil
        }
        return lengths.median
    }

    /// Whether a pair of atoms is at the same position, with a tolerance in bond lengths.
    func isNear(_ one: Int, _ other: Int, _ placement: Placement, within tolerance: Double) -> Bool {
        let distance = placement.moved(self.one[one]).distance(to: self.other[other])
        return distance <= tolerance * bondLength * placement.scale
    }

    /// Returns the placement of most of the paired atoms.
    func placement(of partners: [Int32], _ bondRatios: [Double]) -> Placement {
        let pairs = partners.indices.filter { partners[$0] >= 0 }.map { ($0, Int(partners[$0])) }
        if pairs.isEmpty { return .same }
        let unmoved = pairs.count { isNear($0, $1, .same, within: 0.001) }
        if 2 * unmoved >= pairs.count { return .same }
        let scale = bondRatios.median ?? spreadRatio(pairs) ?? otherBondLength / bondLength
        guard scale > 0, scale.isFinite else { return .same }
        let rough = Placement(
            scale: scale, shift: Self.shift(pairs.map { (one[$0], other[$1]) }, scale: scale))
        return fitted(rough, pairs)
    }

    /// Returns the ratio of the extents of the paired atoms, which determines the scale of drawings without bonds.
    private func spreadRatio(_ pairs: [(Int, Int)]) -> Double? {
        if pairs.count < 2 { return nil }
        let (first, second) = (pairs.map { one[$0.0] }, pairs.map { other[$0.1] })
        let (center, otherCenter) = (first.sum / Double(pairs.count), second.sum / Double(pairs.count))
        let spread = first.map { $0.distance(to: center) }.reduce(0, +)
        let otherSpread = second.map { $0.distance(to: otherCenter) }.reduce(0, +)
        return spread > 0 && otherSpread > 0 ? otherSpread / spread : nil
    }

    private static func shift(_ pairs: [(Position, Position)], scale: Double) -> Position {
        Position(
            pairs.map { $1.x - $0.x * scale }.median ?? 0, pairs.map { $1.y - $0.y * scale }.median ?? 0,
            pairs.map { $1.z - $0.z * scale }.median ?? 0)
    }

    /// Returns the placement with the least squares of the distances of those atoms that have not been moved.
    private func fitted(_ rough: Placement, _ pairs: [(Int, Int)]) -> Placement {
        let fixed = pairs.filter { isNear($0, $1, rough, within: 0.1) }
        if fixed.count < 2 { return rough }
        let count = Double(fixed.count)
        let (first, second) = (fixed.map { one[$0.0] }.sum / count, fixed.map { other[$0.1] }.sum / count)
        var (product, square) = (0.0, 0.0)
        for (one, other) in fixed {
            let (from, to) = (self.one[one] - first, self.other[other] - second)
            product += from.x * to.x + from.y * to.y + from.z * to.z
            square += from.x * from.x + from.y * from.y + from.z * from.z
        }
        // Atoms on one point or on nearly one point do not determine a scale.
        guard square > 0.01 * bondLength * bondLength * count, product > 0 else { return rough }
        let scale = product / square
        return Placement(scale: scale, shift: second - first * scale)
    }

    // MARK: Search

    /// The number of atoms whose positions are compared to rate a placement. The first few atoms are tried with this
    /// number of atoms of the second drawing.
    private static let (mostRated, mostAnchors, mostTried) = (48, 12, 32)

    /// Finds the placement that most atoms agree with, without knowing their pairs.
    func searchedPlacement(_ one: AlignmentSide, _ other: AlignmentSide) -> Placement? {
        let grid = PositionGrid(self.other, cell: 0.3 * otherBondLength)
        let scale = otherBondLength / bondLength
        guard scale > 0, scale.isFinite else { return nil }
        var places: [UInt64: [Int32]] = [:]
        for (atom, color) in other.plain.enumerated() { places[color, default: []].append(Int32(clamping: atom)) }
        let rare = one.plain.indices.sorted {
            (places[one.plain[$0]]?.count ?? .max, $0) < (places[one.plain[$1]]?.count ?? .max, $1)
        }
        let step = max(1, one.plain.count / Self.mostRated)
        let rated = stride(from: 0, to: one.plain.count, by: step)
        var best: (count: Int, placement: Placement)?
        for scale in scale == 1 ? [1] : [scale, 1] {
            for anchor in rare.prefix(Self.mostAnchors) {
                for partner in (places[one.plain[anchor]] ?? []).prefix(Self.mostTried) {
                    let shift = self.other[Int(partner)] - self.one[anchor] * scale
                    let placement = Placement(scale: scale, shift: shift)
                    let count = rated.count { atom in
                        grid.nearest(to: placement.moved(self.one[atom])) { one.plain[atom] == other.plain[$0] } != nil
                    }
                    if count > best?.count ?? 0 { best = (count, placement) }
                }
            }
        }
        return best?.placement
    }
}

/// The positions of atoms, by cells of a grid.
struct PositionGrid {
    private var cells: [Cell: [Int32]] = [:]
    private let positions: [Position]
    private let size: Double

    /// The maximum number of atoms to examine in each cell. More are in one only if a drawing is broken.
    private static let most = 8

    private struct Cell: Hashable {
        let x: Int32
        let y: Int32
        let z: Int32
    }

    /// - Parameter size: The maximum distance of positions that are found.
    init(_ positions: [Position], cell size: Double) {
        (self.positions, self.size) = (positions, size > 0 && size.isFinite ? size : 1)
        for (atom, position) in positions.enumerated() {
            cells[cell(position), default: []].append(Int32(clamping: atom))
        }
    }

    private func cell(_ position: Position) -> Cell {
        Cell(x: index(position.x), y: index(position.y), z: index(position.z))
    }

    private func index(_ value: Double) -> Int32 {
        let index = (value / size).rounded(.down)
        return index.isFinite ? Int32(clamping: Int(min(1e9, max(-1e9, index)))) : 0
    }

    /// Returns the nearest accepted atom within the size of a cell.
    func nearest(to position: Position, where isMeant: (Int) -> Bool) -> Int? {
        let middle = cell(position)
        var best: (distance: Double, atom: Int)?
        for x in middle.x - 1...middle.x + 1 {
            for y in middle.y - 1...middle.y + 1 {
                for z in middle.z - 1...middle.z + 1 {
                    for atom in (cells[Cell(x: x, y: y, z: z)] ?? []).prefix(Self.most) {
                        let distance = positions[Int(atom)].distance(to: position)
                        guard distance <= size, distance < best?.distance ?? .infinity, isMeant(Int(atom)) else {
                            continue
                        }
                        best = (distance, Int(atom))
                    }
                }
            }
        }
        return best?.atom
    }
}

extension Molecule {
    /// Whether the atoms have coordinates. A single atom has coordinates if it is not at the origin.
    package var isPlaced: Bool {
        guard !flags.contains(.withoutCoordinates), let first = atoms.first else { return false }
        if atoms.count == 1 { return true }
        return atoms.contains { $0.position != first.position }
    }
}

extension Position {
    var inPlane: Position { Position(x, y) }

    func distance(to other: Position) -> Double {
        let (x, y, z) = (x - other.x, y - other.y, z - other.z)
        return (x * x + y * y + z * z).squareRoot()
    }

    static func * (position: Position, factor: Double) -> Position {
        Position(position.x * factor, position.y * factor, position.z * factor)
    }

    static func / (position: Position, divisor: Double) -> Position {
        Position(position.x / divisor, position.y / divisor, position.z / divisor)
    }
}

extension [Position] {
    fileprivate var sum: Position {
        reduce(Position()) { Position($0.x + $1.x, $0.y + $1.y, $0.z + $1.z) }
    }
}

extension [Double] {
    /// The middle value, or `nil` if there are no values.
    var median: Double? {
        if isEmpty { return nil }
        return sorted()[count / 2]
    }
}
