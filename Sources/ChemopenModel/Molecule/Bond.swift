/// A bond as specified in its file, in 8 bytes. Atom indices start at 0, regardless of the file format.
///
/// From the lowest bit: 24 bits for each atom, 4 for the order, 2 for the mark, 4 for the traits, and 6 for the
/// reacting center. The atom indices of a bond are therefore less than `Bond.atomLimit`.
public struct Bond: Sendable, Hashable {
    @usableFromInline var bits: UInt64

    /// The upper limit of atom indices: each index is less than 16,777,216.
    @inlinable public static var atomLimit: Int { 1 << 24 }

    /// Creates a bond between two atoms, without a mark.
    public init(_ from: Int, _ to: Int, _ order: Order = .single) {
        self.init(from: Self.index(from), to: Self.index(to), order)
    }

    /// Returns a valid index, or the largest one if `index` is invalid; no atom has the largest index.
    private static func index(_ index: Int) -> Int32 {
        Int32(truncatingIfNeeded: (0..<atomLimit).contains(index) ? index : atomLimit - 1)
    }

    /// Creates a bond from atom indices without checking them.
    @inlinable
    package init(from: Int32, to: Int32, _ order: Order) {
        let first = UInt64(UInt32(bitPattern: from)) & 0xFF_FFFF
        let second = (UInt64(UInt32(bitPattern: to)) & 0xFF_FFFF) << 24
        bits = first | second | UInt64(order.rawValue) << 48
    }

    /// Creates a bond from valid atom indices and the raw values of its order and mark, without checking them.
    @inlinable
    package init(from: UInt32, to: UInt32, orderNumber: UInt64, markNumber: UInt64) {
        let ends = UInt64(from) & 0xFF_FFFF | (UInt64(to) & 0xFF_FFFF) &<< 24
        bits = ends | (orderNumber & 0xF) &<< 48 | (markNumber & 0x3) &<< 52
    }

    /// The first atom: the narrow end of a wedge, or the donor of a dative bond.
    @inlinable public var from: Int32 {
        get { Int32(truncatingIfNeeded: bits & 0xFF_FFFF) }
        set { bits = bits & ~0xFF_FFFF | UInt64(UInt32(bitPattern: newValue)) & 0xFF_FFFF }
    }

    /// The second atom.
    @inlinable public var to: Int32 {
        get { Int32(truncatingIfNeeded: bits >> 24 & 0xFF_FFFF) }
        set { bits = bits & ~(0xFF_FFFF << 24) | (UInt64(UInt32(bitPattern: newValue)) & 0xFF_FFFF) << 24 }
    }

    /// Swaps the two atoms of the bond.
    public mutating func turn() {
        (from, to) = (to, from)
    }

    /// The kind of the bond.
    @inlinable public var order: Order {
        get { Order(rawValue: UInt8(truncatingIfNeeded: bits >> 48 & 0xF)) ?? .any }
        set { bits = bits & ~(0xF << 48) | UInt64(newValue.rawValue) << 48 }
    }

    /// The raw value of the order, which is faster to read than `order`. Up to 6, it is the numeric order.
    @inlinable package var orderNumber: UInt8 { UInt8(truncatingIfNeeded: bits >> 48 & 0xF) }

    /// The raw value of the order if the bond has no mark, trait or reacting center, otherwise a larger number than any
    /// order.
    @inlinable package var onlyOrderNumber: UInt64 { bits >> 48 }

    /// Whether the bond has no properties except an order from one to three. This is true for nearly all bonds.
    @inlinable package var isPlain: Bool { 1...3 ~= onlyOrderNumber }

    /// How the bond is drawn to show stereochemistry.
    @inlinable public var mark: Mark {
        get { Mark(rawValue: UInt8(truncatingIfNeeded: bits >> 52 & 0x3)) ?? .none }
        set { bits = bits & ~(0x3 << 52) | UInt64(newValue.rawValue) << 52 }
    }

    /// The rare properties of the bond.
    @inlinable public var traits: Traits {
        get { Traits(rawValue: UInt8(truncatingIfNeeded: bits >> 54 & 0xF)) }
        set { bits = bits & ~(0xF << 54) | UInt64(newValue.rawValue & 0xF) << 54 }
    }

    /// The reacting center as numbered by MDL, from -32 to 31.
    ///
    /// The values are 1 for a center, -1 for not a center, 2 for no change, 4 for made or broken, 8 for an order
    /// change, and sums of these.
    @inlinable public var reactingCenter: Int8 {
        get { Int8(truncatingIfNeeded: Int64(bitPattern: bits) >> 58) }
        set { bits = bits & ~(0x3F << 58) | UInt64(UInt8(bitPattern: min(31, max(-32, newValue))) & 0x3F) << 58 }
    }

    /// The kind of a bond. Only the first seven have a numeric order.
    public enum Order: UInt8, Sendable, Hashable, CaseIterable {
        /// Bonds with a numeric order. A bond of order zero connects atoms without using any valence.
        case zero, single, double, triple, quadruple, quintuple, sextuple
        /// A bond of a ring whose bonds are equivalent.
        case aromatic
        /// Query bonds, which match any of the named orders.
        case singleOrDouble, singleOrAromatic, doubleOrAromatic, any
        /// Bonds that use no valence: a dative bond, in which both electrons are the donor's, and a hydrogen bond.
        case dative, hydrogen

        /// The number of valences that the bond uses at each end.
        ///
        /// It is `nil` for an aromatic bond, where it depends on the Kekulé form, and for a query bond.
        public var valence: Int? {
            switch self {
            case .zero, .dative, .hydrogen: 0
            case .single, .double, .triple, .quadruple, .quintuple, .sextuple: Int(rawValue)
            case .aromatic, .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: nil
            }
        }

        /// The plain order that is usually drawn instead of this order.
        ///
        /// It is `nil` for plain orders, and for an aromatic bond, which is drawn according to the Kekulé form.
        package var drawnOrder: Order? {
            switch self {
            case .singleOrDouble, .singleOrAromatic, .any: .single
            case .doubleOrAromatic: .double
            case .dative, .hydrogen: .zero
            default: nil
            }
        }

        /// Whether this is a query bond.
        public var isQuery: Bool {
            switch self {
            case .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: true
            default: false
            }
        }
    }

    /// How the bond is drawn to show stereochemistry.
    public enum Mark: UInt8, Sendable, Hashable {
        /// A plain line.
        case none
        /// A solid wedge, narrow at `from`.
        case up
        /// A hashed wedge, narrow at `from`.
        case down
        /// Wavy for a single bond or crossed for a double bond: either configuration.
        case either
    }

    /// The rare properties of a bond, and whether the molecule contains notes on it.
    public struct Traits: OptionSet, Sendable, Hashable {
        /// The traits, one bit each.
        public let rawValue: UInt8

        /// Creates traits from their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The molecule contains notes on this bond.
        @inlinable public static var hasNotes: Traits { Traits(rawValue: 1) }
        /// A query property: the bond must be in a ring.
        @inlinable public static var inRing: Traits { Traits(rawValue: 2) }
        /// A query property: the bond must not be in a ring.
        @inlinable public static var inChain: Traits { Traits(rawValue: 4) }
        /// A query property: the geometry of the double bond must match.
        @inlinable public static var stereoCare: Traits { Traits(rawValue: 8) }
    }
}
