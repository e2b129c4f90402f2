/// The position of an atom, in Ångström or in the units of the drawing, with y pointing up.
public struct Position: Sendable, Hashable {
    /// The coordinate to the right.
    public var x: Double
    /// The upward coordinate.
    public var y: Double
    /// The coordinate toward the viewer.
    public var z: Double

    /// Creates a position; omitted coordinates are 0.
    @inlinable
    public init(_ x: Double = 0, _ y: Double = 0, _ z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// An atom as specified in its file.
///
/// It occupies 40 bytes and contains no references, so a molecule's atoms are one block of memory. Rare properties are
/// stored in the molecule's notes; if there are any, `marks` contains `.hasNotes`.
public struct Atom: Sendable, Hashable {
    /// The position of the atom.
    public var position: Position
    /// The atom-atom mapping number in a reaction, or 0.
    public var mapNumber: Int32
    /// The index of the atom's name in the molecule's `labels`, or -1 if the name is its element's symbol.
    ///
    /// An atom with a label can also have an element: `D` is hydrogen.
    public var label: Int32
    /// The formal charge.
    public var charge: Int16
    /// The mass number; 0 means the natural isotope mixture.
    public var isotope: UInt16
    /// The element, or `.none` for an atom such as `*`, `R#`, `A`, `Pol` or `Ph`.
    public var element: ChemicalElement
    /// The unpaired electrons.
    public var radical: Radical
    /// The implicit hydrogens.
    public var hydrogens: HydrogenCount
    /// The atom's small codes.
    public var marks: Marks

    /// Whether the atom has only the most common properties: element, position, charge, isotope and map number. This is
    /// true for nearly all atoms.
    @inlinable package var isPlain: Bool {
        label == Atom.noLabel && radical == .none && hydrogens == .unstated && marks.rawValue == 0
    }

    /// Creates a neutral atom of an element with the natural isotope mixture.
    @inlinable
    public init(_ element: ChemicalElement, at position: Position = Position()) {
        self.element = element
        self.position = position
        mapNumber = 0
        label = Atom.noLabel
        charge = 0
        isotope = 0
        radical = .none
        hydrogens = .unstated
        marks = Marks(rawValue: 0)
    }

    /// The `label` of an atom whose name is its element's symbol.
    @inlinable public static var noLabel: Int32 { -1 }

    /// The small codes of an MDL atom, and whether the molecule contains notes on the atom.
    public struct Marks: OptionSet, Sendable, Hashable {
        /// The codes, one bit each, except the parity with two bits.
        public var rawValue: UInt8

        /// Creates marks from their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The molecule contains notes on this atom.
        @inlinable public static var hasNotes: Marks { Marks(rawValue: 1) }
        /// Stereo care: the geometry of a query's double bond between two such atoms must match.
        @inlinable public static var stereoCare: Marks { Marks(rawValue: 2) }
        /// The reaction inverts the configuration at this atom.
        @inlinable public static var inverts: Marks { Marks(rawValue: 4) }
        /// The reaction retains the configuration at this atom.
        @inlinable public static var retains: Marks { Marks(rawValue: 8) }
        /// Exact change: the reaction can change this atom only as marked.
        @inlinable public static var exactChange: Marks { Marks(rawValue: 16) }
        /// The two bits of the parity.
        private static let parityMask: UInt8 = 0b0110_0000

        /// The parity as written: 0 unspecified, 1 odd, 2 even, 3 either. If the molecule is drawn, the drawing
        /// determines it.
        public var parity: Int {
            get { Int(rawValue & Self.parityMask) >> 5 }
            set { rawValue = rawValue & ~Self.parityMask | UInt8(truncatingIfNeeded: newValue << 5) & Self.parityMask }
        }
    }
}

/// The number of unpaired electrons and, for two electrons, the multiplicity if the file specifies it.
public struct Radical: Sendable, Hashable {
    @usableFromInline let code: UInt8

    @inlinable
    init(code: UInt8) {
        self.code = code
    }

    /// No unpaired electron.
    @inlinable public static var none: Radical { Radical(code: 0) }
    /// Two electrons, paired: a singlet carbene.
    @inlinable public static var singlet: Radical { Radical(code: 1) }
    /// One unpaired electron.
    @inlinable public static var doublet: Radical { Radical(code: 2) }
    /// Two unpaired electrons: a triplet carbene.
    @inlinable public static var triplet: Radical { Radical(code: 3) }

    /// Creates a radical from a number of unpaired electrons, without a multiplicity, as in SketchEl's format.
    ///
    /// - Returns: the radical; `.none` for 0 or a negative number.
    public static func unpaired(_ electrons: Int) -> Radical {
        switch electrons {
        case ...0: .none
        case 1: .doublet
        default: Radical(code: 0x80 | UInt8(clamping: min(electrons, 0x7F)))
        }
    }

    /// Creates a radical from MDL's code: 1 singlet, 2 doublet, 3 triplet. Some writers use larger multiplicities.
    public init(mdlCode: Int) {
        switch mdlCode {
        case ...0: self = .none
        case 1...3: self.init(code: UInt8(truncatingIfNeeded: mdlCode))
        default: self = .unpaired(mdlCode &- 1)
        }
    }

    /// MDL's code, or 0 if there are no unpaired electrons.
    public var mdlCode: Int {
        switch unpairedElectrons {
        case _ where code < 4: Int(code)
        case 2: 3
        case let electrons: electrons + 1
        }
    }

    /// The number of unpaired electrons: 1 for a doublet, 2 for a singlet or triplet.
    public var unpairedElectrons: Int {
        switch code {
        case 0: 0
        case 2: 1
        case 1, 3: 2
        default: Int(code & 0x7F)
        }
    }
}

/// The number of implicit hydrogens on an atom: fixed by the author, or determined by a rule.
public struct HydrogenCount: Sendable, Hashable {
    @usableFromInline let count: Int8

    @inlinable
    init(count: Int8) {
        self.count = count
    }

    /// The molecule's hydrogen rule determines the number.
    @inlinable public static var unstated: HydrogenCount { HydrogenCount(count: -1) }

    /// The largest number that can be fixed.
    public static var most: Int { Int(Int8.max) }

    /// Fixes the number of hydrogens (`e` in SketchEl, `M  HYD`), which overrides any rule.
    ///
    /// - Returns: a count from 0 to `most`; other numbers are clamped.
    public static func fixed(_ count: Int) -> HydrogenCount {
        HydrogenCount(count: Int8(clamping: max(0, count)))
    }

    /// The fixed number, or `nil` if the hydrogen rule determines it.
    public var fixed: Int? { count < 0 ? nil : Int(count) }
}
