import ChemopenModel

/// The paper under a molecule: where its positions come to stand, with bonds of the length that the style asks for.
struct Frame {
    typealias Point = Picture.Point

    /// The atoms on paper, in their order.
    private(set) var points: [Point] = []
    private var scale: Double
    private var axes: Axes?

    /// The largest side of a drawing, in points; what would be larger is made smaller as a whole.
    private static let largestSide = 20_000.0

    /// `nil` where the file does not say where the atoms stand.
    init?(of molecule: Molecule, _ style: Picture.Style, enlarged factor: Double = 1) {
        let positions = molecule.atoms.map(\.position.sound)
        if positions.count > 1 {
            guard let first = positions.first, positions.contains(where: { $0.distance(to: first) > 1e-6 }) else {
                return nil
            }
        }
        axes = Axes(of: positions, bonds: molecule.bonds, isSpatial: molecule.flags.contains(.threeDimensional))
        let length = Self.commonLength(of: molecule, positions, isSpatial: axes != nil)
        scale = style.bondLength * (axes == nil ? 1 : 1.2) / length * factor
        let box = box(of: positions)
        let largest = max(box.width, box.height)
        if largest > Self.largestSide { scale *= Self.largestSide / largest }
        points = positions.map { place($0) }
    }

    /// Whether a molecule in space was laid flat.
    var isProjected: Bool { axes != nil }

    /// Where a position of the file comes to stand.
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

    /// The length that most bonds have; without bonds, one at which labels stay apart.
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

/// The two directions in which a molecule in space is widest.
private struct Axes {
    private var first: Position
    private var second: Position
    private let center: Position

    /// `nil` for a molecule that lies flat already.
    init?(of positions: [Position], bonds: [Bond], isSpatial: Bool) {
        guard positions.contains(where: { $0.z != 0 }), positions.count > 1 else { return nil }
        let count = Double(positions.count)
        var center = Position()
        for position in positions {
            center.x += position.x / count
            center.y += position.y / count
            center.z += position.z / count
        }
        var matrix = [[0.0, 0, 0], [0, 0, 0], [0, 0, 0]]
        for position in positions {
            let parts = [position.x - center.x, position.y - center.y, position.z - center.z]
            for row in 0..<3 { for column in 0..<3 { matrix[row][column] += parts[row] * parts[column] } }
        }
        // Heights in a drawing that is flat otherwise mean nothing to the eye.
        let isFlat = matrix[2][2] < 0.01 * max(matrix[0][0], matrix[1][1])
        if isFlat, !isSpatial { return nil }
        var turn = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]
        Self.diagonalize(&matrix, &turn)
        let order = [0, 1, 2].sorted { matrix[$0][$0] > matrix[$1][$1] }
        func axis(_ place: Int) -> Position {
            let sign = Self.sign([turn[0][place], turn[1][place], turn[2][place]])
            return Position(sign * turn[0][place], sign * turn[1][place], sign * turn[2][place])
        }
        first = axis(order[0])
        second = axis(order[1])
        self.center = center
    }

    func project(_ position: Position) -> Picture.Point {
        let offset = Position(position.x - center.x, position.y - center.y, position.z - center.z)
        return Picture.Point(offset.dot(first), -offset.dot(second))
    }

    /// An axis points to the side of its largest part, so that the same molecule is drawn the same each time.
    private static func sign(_ parts: [Double]) -> Double {
        let largest = parts.max { abs($0) < abs($1) } ?? 1
        return largest < 0 ? -1 : 1
    }

    /// Jacobi's rotations, which bring a symmetric matrix into the form of its axes.
    private static func diagonalize(_ matrix: inout [[Double]], _ turn: inout [[Double]]) {
        for _ in 0..<24 {
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                let mixed = matrix[one][other]
                if abs(mixed) < 1e-12 { continue }
                let ratio = (matrix[other][other] - matrix[one][one]) / (2 * mixed)
                let tangent = (ratio < 0 ? -1 : 1) / (abs(ratio) + (ratio * ratio + 1).squareRoot())
                let cosine = 1 / (tangent * tangent + 1).squareRoot()
                let sine = tangent * cosine
                for row in 0..<3 {
                    let (left, right) = (matrix[row][one], matrix[row][other])
                    matrix[row][one] = cosine * left - sine * right
                    matrix[row][other] = sine * left + cosine * right
                }
                for column in 0..<3 {
                    let (left, right) = (matrix[one][column], matrix[other][column])
                    matrix[one][column] = cosine * left - sine * right
                    matrix[other][column] = sine * left + cosine * right
                    let (top, bottom) = (turn[column][one], turn[column][other])
                    turn[column][one] = cosine * top - sine * bottom
                    turn[column][other] = sine * top + cosine * bottom
                }
            }
        }
    }
}

extension Position {
    /// The position with what is no number, or beyond all measure, brought back.
    fileprivate var sound: Position { Position(Self.sound(x), Self.sound(y), Self.sound(z)) }

    private static func sound(_ value: Double) -> Double {
        value.isFinite ? min(1e9, max(-1e9, value)) : 0
    }

    fileprivate func dot(_ other: Position) -> Double { x * other.x + y * other.y + z * other.z }

    fileprivate func distance(to other: Position) -> Double {
        let (x, y, z) = (other.x - x, other.y - y, other.z - z)
        return (x * x + y * y + z * z).squareRoot()
    }

    fileprivate func flatDistance(to other: Position) -> Double {
        Position(x, y).distance(to: Position(other.x, other.y))
    }
}
