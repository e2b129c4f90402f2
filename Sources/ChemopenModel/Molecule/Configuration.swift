extension AtomNote {
    /// The configuration of a coordination center or of an allene: a shape, and the number of an arrangement of the
    /// neighbors in that shape.
    ///
    /// The numbers are those of OpenSMILES: `@SP1` is a square whose neighbors are listed in the order around it.
    ///
    ///     // In cisplatin, the second chlorine follows the first.
    ///     AtomNote.Configuration(.squarePlanar, 1, of: [1, 2, 3, 4])
    public struct Configuration: Sendable, Hashable {
        /// The shape that the neighbors form.
        public var shape: Shape
        /// The number of the arrangement, from 1 to the shape's `arrangementCount`.
        public var arrangement: Int32
        /// The neighbors in the order to which the arrangement refers: an index for each corner of the shape, or
        /// `hydrogen` or `vacancy`. For an allene, these are the neighbors of one end, then those of the other end.
        public var neighbors: [Int32]

        /// The neighbor that represents an implicit hydrogen.
        public static let hydrogen: Int32 = -1
        /// The neighbor that represents a corner without an atom.
        public static let vacancy: Int32 = -2

        /// Creates a configuration from a shape, the number of an arrangement, and the neighbors in order.
        public init(_ shape: Shape, _ arrangement: Int, of neighbors: [Int32]) {
            self.shape = shape
            self.arrangement = Int32(clamping: arrangement)
            self.neighbors = neighbors
        }

        /// Whether the arrangement exists and each corner has a neighbor, without duplicates.
        public var isValid: Bool {
            guard 1...shape.arrangementCount ~= Int(arrangement), neighbors.count == shape.cornerCount else {
                return false
            }
            let atoms = neighbors.filter { $0 >= 0 }
            return neighbors.allSatisfy { $0 >= Self.vacancy } && Set(atoms).count == atoms.count
        }
    }
}

extension AtomNote.Configuration {
    /// A shape that the neighbors of an atom can form.
    public enum Shape: UInt8, Sendable, Hashable, CaseIterable {
        /// Four neighbors in a plane.
        case squarePlanar
        /// Two neighbors on an axis, and three around it.
        case trigonalBipyramidal
        /// Six neighbors on three axes.
        case octahedral
        /// Two neighbors at each end of a chain of double bonds, in perpendicular planes.
        case allene

        /// The number of corners.
        public var cornerCount: Int {
            switch self {
            case .squarePlanar, .allene: 4
            case .trigonalBipyramidal: 5
            case .octahedral: 6
            }
        }

        /// The number of different arrangements of neighbors at the corners.
        public var arrangementCount: Int {
            switch self {
            case .squarePlanar: 3
            case .trigonalBipyramidal: 20
            case .octahedral: 30
            case .allene: 2
            }
        }

        /// The two letters that represent the shape in SMILES.
        public var code: String {
            switch self {
            case .squarePlanar: "SP"
            case .trigonalBipyramidal: "TB"
            case .octahedral: "OH"
            case .allene: "AL"
            }
        }

        /// The name of the shape in plain text.
        public var name: String {
            switch self {
            case .squarePlanar: "square planar"
            case .trigonalBipyramidal: "trigonal bipyramidal"
            case .octahedral: "octahedral"
            case .allene: "allene"
            }
        }
    }
}

extension Molecule {
    /// Looks up the configuration that is specified for an atom.
    ///
    /// - Returns: the configuration, or `nil` if there is none. A drawing can show a configuration that is not
    ///   specified.
    public func configuration(ofAtom index: Int) -> AtomNote.Configuration? {
        for case .configuration(let configuration) in notes(onAtom: index) { return configuration }
        return nil
    }

    /// Removes the specified configurations of some atoms, for example because they have other neighbors now.
    mutating func forgetConfigurations(ofAtoms indices: [Int]) {
        if extras.isEmpty { return }
        for index in indices where atoms.indices.contains(index) && configuration(ofAtom: index) != nil {
            extras.contents.atomNotes.removeAll(of: index) { if case .configuration = $0 { true } else { false } }
        }
    }
}
