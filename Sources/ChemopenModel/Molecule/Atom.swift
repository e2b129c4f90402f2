/// Where an atom stands: in Ångström or in the units of the drawing, y upwards.
public struct Position: Sendable, Hashable {
    /// To the right.
    public var x: Double
    /// Upwards.
    public var y: Double
    /// Towards the reader.
    public var z: Double

    /// A position; the origin where nothing is said.
    @inlinable
    public init(_ x: Double = 0, _ y: Double = 0, _ z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// An atom as its file states it: 40 bytes without a reference, so that a molecule's atoms are one block of memory.
///
/// The properties that few atoms have stand in the molecule's notes; `marks` holds `.hasNotes` where there are any.
public struct Atom: Sendable, Hashable {
    /// Where the atom stands.
    public var position: Position
    /// The atom-atom mapping number of a reaction; 0 is none.
    public var mapNumber: Int32
    /// The atom's name where that is not its element's symbol: a place in the molecule's `labels`, or -1.
    ///
    /// An atom with a label may have an element all the same: `D` is hydrogen.
    public var label: Int32
    /// The formal charge.
    public var charge: Int16
    /// The mass number; 0 is the natural mixture.
    public var isotope: UInt16
    /// The element; `.none` for everything that is none: `*`, `R#`, `A`, `Pol`, `Ph`.
    public var element: ChemicalElement
    /// The unpaired electrons.
    public var radical: Radical
    /// The hydrogens that sit on it without being drawn.
    public var hydrogens: HydrogenCount
    /// The small codes of the atom.
    public var marks: Marks

    /// Whether nothing is said of the atom but its element, its place, charge, isotope and map number, as of nearly all.
    @inlinable package var isPlain: Bool {
        label == Atom.noLabel && radical == .none && hydrogens == .unstated && marks.rawValue == 0
    }

    /// An atom of an element, neutral and of the natural mixture.
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

    /// The `label` of an atom that is called by its element.
    @inlinable public static var noLabel: Int32 { -1 }

    /// The small codes of an MDL atom, and whether the molecule holds notes on the atom.
    public struct Marks: OptionSet, Sendable, Hashable {
        /// The codes, a bit each; the parity has two.
        public var rawValue: UInt8

        /// Codes by their bits.
        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The molecule has notes on this atom.
        @inlinable public static var hasNotes: Marks { Marks(rawValue: 1) }
        /// Stereo care: a query's double bond between two such atoms must match in its geometry.
        @inlinable public static var stereoCare: Marks { Marks(rawValue: 2) }
        /// The reaction inverts the configuration.
        @inlinable public static var inverts: Marks { Marks(rawValue: 4) }
        /// The reaction retains the configuration.
        @inlinable public static var retains: Marks { Marks(rawValue: 8) }
        /// Only the marked changes may happen here.
        @inlinable public static var exactChange: Marks { Marks(rawValue: 16) }
        /// Both bits of the parity.
        private static let parityMask: UInt8 = 0b0110_0000

        /// The parity as written: 0 none, 1 odd, 2 even, 3 either. It follows from the drawing where there is one.
        public var parity: Int {
            get { Int(rawValue & Self.parityMask) >> 5 }
            set { rawValue = rawValue & ~Self.parityMask | UInt8(truncatingIfNeeded: newValue << 5) & Self.parityMask }
        }
    }
}

/// How many electrons are unpaired, and for two of them whether the file says how.
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

    /// A count without a multiplicity, as SketchEl has it.
    public static func unpaired(_ electrons: Int) -> Radical {
        switch electrons {
        case ...0: .none
        case 1: .doublet
        default: Radical(code: 0x80 | UInt8(clamping: min(electrons, 0x7F)))
        }
    }

    /// MDL's code: 1 singlet, 2 doublet, 3 triplet; above that a multiplicity, as some writers have it.
    public init(mdlCode: Int) {
        switch mdlCode {
        case ...0: self = .none
        case 1...3: self.init(code: UInt8(truncatingIfNeeded: mdlCode))
        default: self = .unpaired(mdlCode &- 1)
        }
    }

    /// MDL's code for it, 0 for none.
    public var mdlCode: Int {
        switch unpairedElectrons {
        case _ where code < 4: Int(code)
        case 2: 3
        case let electrons: electrons + 1
        }
    }

    /// The electrons that take no part in a bond: 1 for a doublet, 2 for a singlet and a triplet.
    public var unpairedElectrons: Int {
        switch code {
        case 0: 0
        case 2: 1
        case 1, 3: 2
        default: Int(code & 0x7F)
        }
    }
}

/// How many hydrogens sit on an atom without being drawn: left to a rule, or fixed by the author.
public struct HydrogenCount: Sendable, Hashable {
    @usableFromInline let count: Int8

    @inlinable
    init(count: Int8) {
        self.count = count
    }

    /// The molecule's hydrogen rule decides.
    @inlinable public static var unstated: HydrogenCount { HydrogenCount(count: -1) }

    /// The largest number that can be fixed.
    public static var most: Int { Int(Int8.max) }

    /// Exactly so many, but at most `most`, whatever a rule says (`e` in SketchEl, `M  HYD`).
    public static func fixed(_ count: Int) -> HydrogenCount {
        HydrogenCount(count: Int8(clamping: max(0, count)))
    }

    /// The number, where it is fixed.
    public var fixed: Int? { count < 0 ? nil : Int(count) }
}
