import ChemopenModel
import Glibc

/// The two directions with the largest extent of a 3D structure.
struct Axes {
    private var first: Position
    private var second: Position
    private let center: Position

    /// Determines the axes; `nil` for a structure that is already flat.
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
        // In an otherwise flat drawing, z coordinates have no visible effect.
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

    /// Returns the sign that makes the largest component of an axis positive, so that the same molecule always has the
    /// same drawing.
    private static func sign(_ parts: [Double]) -> Double {
        let largest = parts.max { abs($0) < abs($1) } ?? 1
        return largest < 0 ? -1 : 1
    }

    /// Diagonalizes a symmetric matrix by Jacobi rotations.
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

    // MARK: Hidden atoms and bonds

    /// The search is skipped for molecules with more atoms.
    private static let largest = 150

    /// Turns the view slightly if atoms or bonds would hide others.
    mutating func turnApart(_ positions: [Position], _ bonds: [Bond], _ length: Double) {
        guard positions.count <= Self.largest, bonds.count <= 2 * Self.largest, length > 0 else { return }
        let start = self
        var best = start.hidden(positions, bonds, length)
        for (one, other) in Self.turns where best > 0 {
            let turned = start.turned(one, other)
            let hidden = turned.hidden(positions, bonds, length)
            if hidden < best {
                best = hidden
                self = turned
            }
        }
    }

    /// The turns about the two axes, with small ones first.
    private static let turns: [(Double, Double)] = {
        let steps = [0, 1, -1, 2, -2]
        let pairs = steps.flatMap { one in steps.map { (one, $0) } }.dropFirst()
        return pairs.sorted { abs($0.0) + abs($0.1) < abs($1.0) + abs($1.1) }
            .map { (Double($0.0) * .pi / 12, Double($0.1) * .pi / 12) }
    }()

    private func turned(_ one: Double, _ other: Double) -> Axes {
        var result = self
        let normal = first.cross(second)
        result.first = first * cos(one) + normal * sin(one)
        let newNormal = result.first.cross(second)
        result.second = second * cos(other) + newNormal * sin(other)
        return result
    }

    /// Returns a penalty for atoms that coincide with each other or with the bonds of others.
    private func hidden(_ positions: [Position], _ bonds: [Bond], _ length: Double) -> Int {
        let points = positions.map { project($0) * (1 / length) }
        var count = 0
        for (place, one) in points.enumerated() {
            for other in points[(place + 1)...] {
                let distance = (one - other).length
                if distance < 0.6 { count += distance < 0.4 ? 3 : 1 }
            }
        }
        for bond in bonds where BondGraph.isSound(bond, points.count) {
            let start = points[Int(bond.from)]
            let way = points[Int(bond.to)] - start
            let square = max(1e-9, way.dot(way))
            for (place, point) in points.enumerated() where place != Int(bond.from) && place != Int(bond.to) {
                let part = min(1, max(0, (point - start).dot(way) / square))
                if (point - start - way * part).length < 0.25 { count += 1 }
            }
        }
        return count
    }
}

extension Position {
    fileprivate static func + (one: Position, other: Position) -> Position {
        Position(one.x + other.x, one.y + other.y, one.z + other.z)
    }

    fileprivate static func * (position: Position, factor: Double) -> Position {
        Position(position.x * factor, position.y * factor, position.z * factor)
    }

    fileprivate func cross(_ other: Position) -> Position {
        Position(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
