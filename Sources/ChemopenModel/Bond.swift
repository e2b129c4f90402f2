/// A bond as its file states it: 12 bytes. Atoms count from 0, whatever the file does.
public struct Bond: Sendable, Hashable {
    /// The first atom; the narrow end of a wedge, the donor of a dative bond.
    public var from: Int32
    /// The second atom.
    public var to: Int32
    public var order: Order
    public var mark: Mark
    public var traits: Traits
    /// The reacting centre as MDL numbers it: 1 a centre, -1 none, 2 no change, 4 made or broken, 8 order changes, and sums.
    public var reactingCentre: Int8

    public init(_ from: Int, _ to: Int, _ order: Order = .single) {
        self.init(from: Int32(clamping: from), to: Int32(clamping: to), order)
    }

    @inlinable
    package init(from: Int32, to: Int32, _ order: Order) {
        self.from = from
        self.to = to
        self.order = order
        mark = .none
        traits = Traits(rawValue: 0)
        reactingCentre = 0
    }

    /// What kind of bond it is. Only the first seven have an order in numbers.
    public enum Order: UInt8, Sendable, Hashable, CaseIterable {
        case zero, single, double, triple, quadruple, quintuple, sextuple
        case aromatic
        case singleOrDouble, singleOrAromatic, doubleOrAromatic, any
        case dative, hydrogen

        /// How many valences the bond uses up at each end; an aromatic bond by its Kekulé form, a query bond unknown.
        public var valence: Int? {
            switch self {
            case .zero, .dative, .hydrogen: 0
            case .single, .double, .triple, .quadruple, .quintuple, .sextuple: Int(rawValue)
            case .aromatic, .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: nil
            }
        }

        /// A question rather than a bond.
        public var isQuery: Bool {
            switch self {
            case .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: true
            default: false
            }
        }
    }

    /// How the bond is drawn for its stereochemistry.
    public enum Mark: UInt8, Sendable, Hashable {
        case none
        /// A solid wedge, narrow at `from`.
        case up
        /// A hashed wedge, narrow at `from`.
        case down
        /// Wavy on a single bond, crossed on a double one: either configuration.
        case either
    }

    /// The rare properties, and whether the molecule holds notes on the bond.
    public struct Traits: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The molecule has notes on this bond.
        public static let hasNotes = Traits(rawValue: 1)
        /// A query: the bond must be in a ring.
        public static let inRing = Traits(rawValue: 2)
        /// A query: the bond must not be in a ring.
        public static let inChain = Traits(rawValue: 4)
        /// A query: the geometry of the double bond must match.
        public static let stereoCare = Traits(rawValue: 8)
    }
}
