/// A substructure with a meaning of its own: an abbreviation, a repeating unit, a mixture's component, attached data.
///
/// Atoms and bonds are indices into the molecule, counted from 0.
public struct Sgroup: Sendable, Hashable {
    public var kind: Kind
    /// The number the file gives it; 0 leaves it to the writer.
    public var number: Int32 = 0
    /// The label number that goes with it through programs (`M  SLB`, `extindex`); 0 is none.
    public var identifier: Int32 = 0
    public var atoms: [Int32] = []
    /// The bonds that cross its edge; those of attached data are contained ones.
    public var bonds: [Int32] = []
    /// Bonds contained in it, where the file tells them from those that cross (`CBONDS`).
    public var containedBonds: [Int32] = []
    /// Crossing bonds at the head of a repeating unit (`XBHEAD`).
    public var headBonds: [Int32] = []
    /// Crossing bonds that share a bracket side, in pairs (`M  CRS`, `XBCORR`).
    public var bondCorrespondence: [Int32] = []
    /// One unit of a multiple group; the atoms hold all of them.
    public var parentAtoms: [Int32] = []
    /// `ALT`, `RAN` or `BLO`.
    public var subtype = Text()
    /// The label of an abbreviation, the multiplier of a multiple group, the subscript of a polymer.
    public var label = Text()
    /// `HH`, `HT` or `EU`.
    public var connectivity = Text()
    /// The Sgroup that holds this one: an index into the molecule's Sgroups.
    public var parent: Int32?
    /// The place among a formulation's components, from 1; 0 is none.
    public var componentNumber: Int32 = 0
    /// An abbreviation that is shown with all its atoms.
    public var isExpanded = false
    public var brackets: [Bracket] = []
    /// Whether the file says how the brackets look, and round or square then.
    public var bracketStyle: BracketStyle?
    public var attachments: [AttachmentPoint] = []
    /// How the crossing bonds of a contracted abbreviation are drawn.
    public var bondVectors: [BondVector] = []
    /// `AA`, `BASE`, `SUGAR` and the like.
    public var templateClass = Text()
    public var data: Data?
    /// The statements of the file beyond all this: keywords with their values as they stood.
    public var keywords: [Keyword] = []

    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// The kind by its three letters.
    public struct Kind: Sendable, Hashable {
        public let code: Text

        public init(_ code: Text) {
            self.code = code
        }

        public static let abbreviation = Kind("SUP")
        public static let multiple = Kind("MUL")
        public static let repeatingUnit = Kind("SRU")
        public static let monomer = Kind("MON")
        public static let mer = Kind("MER")
        public static let copolymer = Kind("COP")
        public static let crosslink = Kind("CRO")
        public static let modification = Kind("MOD")
        public static let graft = Kind("GRA")
        public static let component = Kind("COM")
        public static let mixture = Kind("MIX")
        public static let formulation = Kind("FOR")
        public static let data = Kind("DAT")
        public static let anyPolymer = Kind("ANY")
        public static let generic = Kind("GEN")
    }

    /// One bracket, from one end to the other.
    public struct Bracket: Sendable, Hashable {
        public var start: Position
        public var end: Position

        public init(from start: Position, to end: Position) {
            self.start = start
            self.end = end
        }
    }

    public enum BracketStyle: Sendable, Hashable {
        case square, round
    }

    /// Where an abbreviation is attached, and what leaves when it is.
    public struct AttachmentPoint: Sendable, Hashable {
        public var atom: Int32
        /// The atom that leaves; `nil` for an implicit hydrogen or none, the atom itself where the file says so.
        public var leaving: Int32?
        public var identifier = Text()

        public init(atom: Int, leaving: Int? = nil, identifier: Text = "") {
            self.atom = Int32(clamping: atom)
            self.leaving = leaving.map { Int32(clamping: $0) }
            self.identifier = identifier
        }
    }

    public struct BondVector: Sendable, Hashable {
        public var bond: Int32
        /// `nil` where the file names the bond alone.
        public var vector: Position?

        public init(bond: Int, vector: Position?) {
            self.bond = Int32(clamping: bond)
            self.vector = vector
        }
    }

    /// The data of a data Sgroup.
    public struct Data: Sendable, Hashable {
        public var fieldName = Text()
        /// `F` formatted, `N` numeric, `T` or nothing text.
        public var fieldType = Text()
        public var units = Text()
        public var queryType = Text()
        public var queryOperator = Text()
        /// Where and how it is shown: the columns of `M  SDD` from the twelfth on, as they stood.
        public var display = Text()
        public var values: [Text] = []

        public init() {}
    }

    public struct Keyword: Sendable, Hashable {
        public var name: Text
        public var value: Text

        public init(_ name: Text, _ value: Text) {
            self.name = name
            self.value = value
        }

        /// The registry number of a molecule: `REGNO` in V3000, `M  REG` in V2000.
        package var isRegistryNumber: Bool { name == "REGNO" }
    }
}
