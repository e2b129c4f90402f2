import ChemopenModel

extension AtomNote.Configuration.Shape {
    /// The rotations of the shape. Each lists the corners that move to the first, second, third … corner.
    ///
    /// - A square planar shape lists its corners around the square.
    /// - A bipyramid lists both ends of its axis, then the other corners, counterclockwise when viewed from the first
    ///   end. The same applies to an octahedron.
    /// - An allene lists the corners of one end, then those of the other. Viewed from the first corner, the other three
    ///   are counterclockwise.
    var rotations: [[Int]] { Self.allRotations[Int(rawValue)] }

    /// The neighbors at each corner for each arrangement, beginning with arrangement 1. The neighbors are numbered in
    /// their order.
    var arrangements: [[Int]] { Self.allArrangements[Int(rawValue)] }

    private static let allRotations: [[[Int]]] = allCases.map { shape in
        let generators: [[Int]] =
            switch shape {
            case .squarePlanar: [[1, 2, 3, 0], [3, 2, 1, 0]]
            case .trigonalBipyramidal: [[0, 1, 3, 4, 2], [1, 0, 4, 3, 2]]
            case .octahedral: [[0, 1, 3, 4, 5, 2], [1, 0, 5, 4, 3, 2], [2, 4, 1, 3, 0, 5]]
            case .allene: [[1, 0, 3, 2], [2, 3, 0, 1]]
            }
        var found = [Array(0..<shape.cornerCount)]
        var next = 0
        while next < found.count {
            for generator in generators {
                let turned = generator.map { found[next][$0] }
                if !found.contains(turned) { found.append(turned) }
            }
            next += 1
        }
        return found
    }

    private static let allArrangements: [[[Int]]] = allCases.map { shape in
        switch shape {
        case .squarePlanar: [[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2]]
        case .trigonalBipyramidal: bipyramids.map(bipyramid)
        case .octahedral: octahedra.map(octahedron)
        case .allene: [[0, 1, 2, 3], [1, 0, 2, 3]]
        }
    }

    // MARK: The numbers of OpenSMILES

    /// The neighbors on the axis of each arrangement, and whether the others are clockwise when viewed from the first.
    private static let bipyramids: [(first: Int, last: Int, isClockwise: Bool)] = [
        (0, 4, false), (0, 4, true), (0, 3, false), (0, 3, true), (0, 2, false), (0, 2, true), (0, 1, false),
        (0, 1, true), (1, 4, false), (1, 3, false), (1, 4, true), (1, 3, true), (1, 2, false), (1, 2, true),
        (2, 4, false), (2, 3, false), (3, 4, false), (3, 4, true), (2, 3, true), (2, 4, true),
    ]

    private static func bipyramid(_ row: (first: Int, last: Int, isClockwise: Bool)) -> [Int] {
        let around = (0..<5).filter { $0 != row.first && $0 != row.last }
        return [row.first, row.last] + (row.isClockwise ? around.reversed() : around)
    }

    /// The path of the four neighbors that are not on the axis of the first neighbor, named after the letter that it
    /// resembles.
    private enum Path { case u, z, four }

    /// For each arrangement, the path, the neighbor opposite to the first, and whether the path is clockwise when
    /// viewed from the first.
    private static let octahedra: [(path: Path, last: Int, isClockwise: Bool)] = [
        (.u, 5, false), (.u, 5, true), (.u, 4, false), (.z, 5, false), (.z, 4, false), (.u, 3, false), (.z, 3, false),
        (.four, 5, true), (.four, 4, true), (.four, 5, false), (.four, 4, false), (.four, 3, true), (.four, 3, false),
        (.z, 5, true), (.z, 4, true), (.u, 4, true), (.z, 3, true), (.u, 3, true), (.u, 2, false), (.z, 2, false),
        (.four, 2, true), (.four, 2, false), (.z, 2, true), (.u, 2, true), (.u, 1, false), (.z, 1, false),
        (.four, 1, true), (.four, 1, false), (.z, 1, true), (.u, 1, true),
    ]

    private static func octahedron(_ row: (path: Path, last: Int, isClockwise: Bool)) -> [Int] {
        let path = (1..<6).filter { $0 != row.last }
        let around =
            switch row.path {
            case .u: path
            case .z: [path[0], path[1], path[3], path[2]]
            case .four: [path[0], path[3], path[1], path[2]]
            }
        return [0, row.last] + (row.isClockwise ? around.reversed() : around)
    }
}
