import ChemopenModel

/// The mapping of a molecule's positions to points on paper, with the bond length of the style.
struct Frame {
    typealias Point = Picture.Point

    /// The points of the atoms, by atom index.
    private(set) var points: [Point] = []
    private var scale: Double
    private var axes: Axes?

    /// The largest side of a drawing, in points. Larger drawings are scaled down.
    private static let largestSide = 20_000.0

    /// Creates a frame from points on paper.
    init(points: [Point]) {
        self.points = points
        scale = 1
    }

    /// Creates a frame; `nil` if the file contains no positions of atoms.
    init?(of molecule: Molecule, _ style: Picture.Style, enlarged factor: Double = 1) {
        let positions = molecule.atoms.map(\.position.sound)
        if positions.count > 1 {
            guard let first = positions.first, positions.contains(where: { $0.distance(to: first) > 1e-6 }) else {
                return nil
            }
        }
        axes = Axes(of: positions, bonds: molecule.bonds, isSpatial: molecule.flags.contains(.threeDimensional))
        let length = Self.commonLength(of: molecule, positions, isSpatial: axes != nil)
        axes?.turnApart(positions, molecule.bonds, length)
        scale = style.bondLength * (axes == nil ? 1 : 1.2) / length * factor
        let box = box(of: positions)
        let largest = max(box.width, box.height)
        if largest > Self.largestSide { scale *= Self.largestSide / largest }
        points = positions.map { place($0) }
    }

    /// Whether the molecule was projected from 3D.
    var isProjected: Bool { axes != nil }

    /// Returns the point of a position in the file.
    func place(_ position: Position) -> Point {
        let position = position.sound
        if let axes { return axes.project(position) * scale }
        return Point(position.x * scale, -position.y * scale)
    }

    private func box(of positions: [Position]) -> Box {
        var box = Box.empty
        for position in positions { box.add(place(position)) }
        return box
    }

    /// Returns the most frequent length of a bond or, without bonds, a length that separates the labels.
    private static func commonLength(of molecule: Molecule, _ positions: [Position], isSpatial: Bool) -> Double {
        var lengths: [Double] = []
        let step = max(1, molecule.bonds.count / 5000)
        for place in stride(from: 0, to: molecule.bonds.count, by: step) {
            let from = Int(molecule.bonds[place].from)
            let to = Int(molecule.bonds[place].to)
            guard positions.indices.contains(from), positions.indices.contains(to), from != to else { continue }
            let isLight = molecule.atoms[from].element == .hydrogen || molecule.atoms[to].element == .hydrogen
            if isSpatial, isLight, molecule.bonds.count > 6 { continue }
            let length =
                isSpatial
                ? positions[from].distance(to: positions[to]) : positions[from].flatDistance(to: positions[to])
            if length > 1e-6 { lengths.append(length) }
        }
        if lengths.isEmpty {
            let nearest = nearestDistance(among: positions.prefix(200))
            return nearest > 1e-6 ? nearest * 14.4 / 32 : 1.5
        }
        lengths.sort()
        return lengths[lengths.count / 2]
    }

    private static func nearestDistance(among positions: ArraySlice<Position>) -> Double {
        var nearest = Double.infinity
        for (place, one) in positions.enumerated() {
            for other in positions.dropFirst(place + 1) {
                let distance = one.flatDistance(to: other)
                if distance > 1e-6 { nearest = min(nearest, distance) }
            }
        }
        return nearest.isFinite ? nearest : 0
    }
}

extension Position {
    /// The position, if its coordinates are finite and of a reasonable size.
    fileprivate var sound: Position { Position(Self.sound(x), Self.sound(y), Self.sound(z)) }

    private static func sound(_ value: Double) -> Double {
        value.isFinite ? min(1e9, max(-1e9, value)) : 0
    }

    func dot(_ other: Position) -> Double { x * other.x + y * other.y + z * other.z }

    fileprivate func distance(to other: Position) -> Double {
        let (x, y, z) = (other.x - x, other.y - y, other.z - z)
        return (x * x + y * y + z * z).squareRoot()
    }

    fileprivate func flatDistance(to other: Position) -> Double {
        Position(x, y).distance(to: Position(other.x, other.y))
    }
}
