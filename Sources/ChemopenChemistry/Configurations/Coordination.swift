import ChemopenModel

/// The configuration of a coordination center or of an allene in a graph: the neighbor at each corner of a shape.
struct Coordination: Sendable {
    typealias Shape = AtomNote.Configuration.Shape

    /// The atom of the graph. For an allene, it is the middle of the chain.
    let atom: Int32
    let shape: Shape
    /// The atom of the graph at each corner, in the order of `Shape.rotations`; or `hydrogen` or `vacancy`.
    let corners: [Int32]
    /// Whether the drawing distinguishes the configuration from its mirror image.
    var hasHand = true

    /// A hydrogen that is not an atom of the graph. In the text of a SMILES, it follows the atom before the center.
    static let hydrogen = Int32.max
    /// A corner without an atom.
    static let vacancy = Int32.max - 1

    init(_ atom: Int32, _ shape: Shape, _ corners: [Int32]) {
        self.atom = atom
        self.shape = shape
        self.corners = corners
    }

    /// Creates a configuration from the number of an arrangement and the neighbors in order.
    ///
    /// - Returns: `nil` if the arrangement does not exist, or there are too many or too few neighbors.
    init?(_ atom: Int32, _ shape: Shape, arrangement: Int, of order: [Int32]) {
        guard 1...shape.arrangementCount ~= arrangement, order.count == shape.cornerCount else { return nil }
        self.init(atom, shape, shape.arrangements[arrangement - 1].map { order[$0] })
    }

    /// Returns the number of the arrangement for an order of the neighbors.
    ///
    /// - Returns: the lowest number, or `nil` if these are not the neighbors.
    func arrangement(of order: [Int32]) -> Int? {
        guard order.count == corners.count else { return nil }
        let turned = shape.rotations.map { rotation in rotation.map { corners[$0] } }
        let place = shape.arrangements.firstIndex { arrangement in
            turned.contains { corners in
                zip(corners, arrangement).allSatisfy { $0 == order[$1] }
            }
        }
        return place.map { $0 + 1 }
    }

    /// Returns whether some corners of an arrangement have the required atoms. A negative number permits any atom.
    func fits(_ required: [Int32]) -> Bool {
        required.count == corners.count
            && shape.rotations.contains { rotation in
                zip(rotation, required).allSatisfy { $1 < 0 || corners[$0] == $1 }
            }
    }

    /// The mirror image, which is the same for a square.
    var mirrored: Coordination {
        var corners = corners
        if shape != .squarePlanar { corners.swapAt(0, 1) }
        return Coordination(atom, shape, corners)
    }

    /// Returns keys of the corners in an order that depends only on the keys and on the configuration.
    func signature(_ key: (Int32) -> UInt64) -> [UInt64] {
        Self.lowest(corners.map(key), shape)
    }

    /// Returns the lexicographically first of all rotations of the keys at the corners.
    private static func lowest(_ keys: [UInt64], _ shape: Shape) -> [UInt64] {
        var best = keys
        for rotation in shape.rotations.dropFirst() {
            let turned = rotation.map { keys[$0] }
            if turned.lexicographicallyPrecedes(best) { best = turned }
        }
        return best
    }

    /// Returns whether all arrangements are the same, because too many neighbors have the same key.
    func isIdle(_ key: (Int32) -> UInt64) -> Bool {
        let keys = corners.map(key)
        let first = Self.lowest(shape.arrangements[0].map { keys[$0] }, shape)
        return shape.arrangements.dropFirst().allSatisfy { arrangement in
            Self.lowest(arrangement.map { keys[$0] }, shape) == first
        }
    }
}

extension MoleculeGraph {
    /// Returns the configuration of a coordination center or allene, or `nil` if the atom has none.
    func coordination(of atom: Int) -> Coordination? {
        if coordinations.isEmpty { return nil }
        var (low, high) = (0, coordinations.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(coordinations[middle].atom) < atom { low = middle + 1 } else { high = middle }
        }
        guard low < coordinations.count, Int(coordinations[low].atom) == atom else { return nil }
        return coordinations[low]
    }
}
