/// A bond as its file states it, in 8 bytes. Atoms count from 0, whatever the file does.
///
/// From the lowest bit: 24 bits for each atom, 4 for the order, 2 for the mark, 4 for the traits, 6 for the reacting
/// centre. A molecule has at most `Bond.atomLimit` atoms that can be bonded.
public struct Bond: Sendable, Hashable {
    @usableFromInline var bits: UInt64

    /// No index of an atom is as large as this: 16,777,216.
    @inlinable public static var atomLimit: Int { 1 << 24 }

    /// A bond between two atoms, without a mark.
    public init(_ from: Int, _ to: Int, _ order: Order = .single) {
        self.init(from: Self.index(from), to: Self.index(to), order)
    }

    /// A number that is no index leads to the largest one, where no atom is.
    private static func index(_ index: Int) -> Int32 {
        Int32(truncatingIfNeeded: (0..<atomLimit).contains(index) ? index : atomLimit - 1)
    }

    /// A bond between atoms whose indices are known to be sound.
    @inlinable
    package init(from: Int32, to: Int32, _ order: Order) {
        let first = UInt64(UInt32(bitPattern: from)) & 0xFF_FFFF
        let second = (UInt64(UInt32(bitPattern: to)) & 0xFF_FFFF) << 24
        bits = first | second | UInt64(order.rawValue) << 48
    }

    /// A bond whose atoms' indices, order and mark are known to be sound, the last two by their numbers.
    @inlinable
    package init(from: UInt32, to: UInt32, orderNumber: UInt64, markNumber: UInt64) {
        let ends = UInt64(from) & 0xFF_FFFF | (UInt64(to) & 0xFF_FFFF) &<< 24
        bits = ends | (orderNumber & 0xF) &<< 48 | (markNumber & 0x3) &<< 52
    }

    /// The first atom; the narrow end of a wedge, the donor of a dative bond.
    @inlinable public var from: Int32 {
        get { Int32(truncatingIfNeeded: bits & 0xFF_FFFF) }
        set { bits = bits & ~0xFF_FFFF | UInt64(UInt32(bitPattern: newValue)) & 0xFF_FFFF }
    }

    /// The second atom.
    @inlinable public var to: Int32 {
        get { Int32(truncatingIfNeeded: bits >> 24 & 0xFF_FFFF) }
        set { bits = bits & ~(0xFF_FFFF << 24) | (UInt64(UInt32(bitPattern: newValue)) & 0xFF_FFFF) << 24 }
    }

    /// Turns the bond round: its first atom becomes its second.
    public mutating func turn() {
        (from, to) = (to, from)
    }

    /// The kind of the bond.
    @inlinable public var order: Order {
        get { Order(rawValue: UInt8(truncatingIfNeeded: bits >> 48 & 0xF)) ?? .any }
        set { bits = bits & ~(0xF << 48) | UInt64(newValue.rawValue) << 48 }
    }

    /// The order's number, which costs less to ask for: up to 6 it is the order itself.
    @inlinable package var orderNumber: UInt8 { UInt8(truncatingIfNeeded: bits >> 48 & 0xF) }

    /// The order's number of a bond of which nothing else is said: no mark, no trait, no reacting centre; of any other a
    /// number above all orders.
    @inlinable package var onlyOrderNumber: UInt64 { bits >> 48 }

    /// Whether nothing is said of the bond but an order of one to three, as of nearly all.
    @inlinable package var isPlain: Bool { 1...3 ~= onlyOrderNumber }

    /// How the bond is drawn for its stereochemistry.
    @inlinable public var mark: Mark {
        get { Mark(rawValue: UInt8(truncatingIfNeeded: bits >> 52 & 0x3)) ?? .none }
        set { bits = bits & ~(0x3 << 52) | UInt64(newValue.rawValue) << 52 }
    }

    /// The rare properties of the bond.
    @inlinable public var traits: Traits {
        get { Traits(rawValue: UInt8(truncatingIfNeeded: bits >> 54 & 0xF)) }
        set { bits = bits & ~(0xF << 54) | UInt64(newValue.rawValue & 0xF) << 54 }
    }

    /// The reacting centre as MDL numbers it: 1 a centre, -1 none, 2 no change, 4 made or broken, 8 order changes, and
    /// sums; -32 to 31.
    @inlinable public var reactingCentre: Int8 {
        get { Int8(truncatingIfNeeded: Int64(bitPattern: bits) >> 58) }
        set { bits = bits & ~(0x3F << 58) | UInt64(UInt8(bitPattern: min(31, max(-32, newValue))) & 0x3F) << 58 }
    }

    /// The kind of a bond. Only the first seven have an order in numbers.
    public enum Order: UInt8, Sendable, Hashable, CaseIterable {
        /// Bonds with an order; a bond of order zero holds atoms together and uses up no valence.
        case zero, single, double, triple, quadruple, quintuple, sextuple
        /// One of a ring whose bonds are alike.
        case aromatic
        /// Questions: a bond that may be any of these.
        case singleOrDouble, singleOrAromatic, doubleOrAromatic, any
        /// Bonds that use up no valence: the one of a donor's pair, and the one through a hydrogen.
        case dative, hydrogen

        /// How many valences the bond uses up at each end; an aromatic bond by its Kekulé form, a query bond unknown.
        public var valence: Int? {
            switch self {
            case .zero, .dative, .hydrogen: 0
            case .single, .double, .triple, .quadruple, .quintuple, .sextuple: Int(rawValue)
            case .aromatic, .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: nil
            }
        }

        /// The order of a plain bond that is usually drawn for one that is not plain; `nil` for an aromatic bond, which
        /// is drawn by the Kekulé form, and for a plain one.
        package var drawnOrder: Order? {
            switch self {
            case .singleOrDouble, .singleOrAromatic, .any: .single
            case .doubleOrAromatic: .double
            case .dative, .hydrogen: .zero
            default: nil
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
        /// A plain line.
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
        /// The traits, a bit each.
        public let rawValue: UInt8

        /// Traits by their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The molecule has notes on this bond.
        @inlinable public static var hasNotes: Traits { Traits(rawValue: 1) }
        /// A query: the bond must be in a ring.
        @inlinable public static var inRing: Traits { Traits(rawValue: 2) }
        /// A query: the bond must not be in a ring.
        @inlinable public static var inChain: Traits { Traits(rawValue: 4) }
        /// A query: the geometry of the double bond must match.
        @inlinable public static var stereoCare: Traits { Traits(rawValue: 8) }
    }
}
