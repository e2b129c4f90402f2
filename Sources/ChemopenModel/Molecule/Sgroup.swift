/// A substructure with a special meaning: an abbreviation, a repeating unit, a component of a mixture, or attached
/// data.
///
/// Atoms and bonds are indices in the molecule, starting at 0.
public struct Sgroup: Sendable, Hashable {
    /// The meaning of the substructure.
    public var kind: Kind
    /// The number of the Sgroup in the file; for 0, the writer chooses a number.
    public var number: Int32 = 0
    /// The persistent identifier that programs preserve (`M  SLB`, `extindex`), or 0.
    public var identifier: Int32 = 0
    /// The atoms of the Sgroup.
    public var atoms: [Int32] = []
    /// The bonds that cross the boundary of the Sgroup. For attached data, they are contained bonds.
    public var bonds: [Int32] = []
    /// The bonds inside the Sgroup, if the file distinguishes them from crossing bonds (`CBONDS`).
    public var containedBonds: [Int32] = []
    /// The crossing bonds at the head of a repeating unit (`XBHEAD`).
    public var headBonds: [Int32] = []
    /// Pairs of crossing bonds that share a bracket (`M  CRS`, `XBCORR`).
    public var bondCorrespondence: [Int32] = []
    /// The atoms of one unit of a multiple group; `atoms` contains those of all units.
    public var parentAtoms: [Int32] = []
    /// The polymer subtype: `ALT`, `RAN` or `BLO`.
    public var subtype = Text()
    /// The label of an abbreviation, the multiplier of a multiple group, or the subscript of a polymer.
    public var label = Text()
    /// The connectivity of polymer units: `HH`, `HT` or `EU`.
    public var connectivity = Text()
    /// The enclosing Sgroup, as an index in the molecule's Sgroups.
    public var parent: Int32?
    /// The number of the component in a formulation, starting at 1, or 0 if it has no number.
    public var componentNumber: Int32 = 0
    /// Whether an abbreviation is displayed with all its atoms.
    public var isExpanded = false
    /// The brackets around the Sgroup.
    public var brackets: [Bracket] = []
    /// The style of the brackets, if the file specifies it.
    public var bracketStyle: BracketStyle?
    /// The attachment points of an abbreviation.
    public var attachments: [AttachmentPoint] = []
    /// The directions in which the crossing bonds of a contracted abbreviation are drawn.
    public var bondVectors: [BondVector] = []
    /// The class of a biopolymer template, such as `AA`, `BASE` or `SUGAR`.
    public var templateClass = Text()
    /// The data of a data Sgroup.
    public var data: Data?
    /// All other keywords in the file, with verbatim values.
    public var keywords: [Keyword] = []

    /// Creates an Sgroup without atoms.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// The kind of an Sgroup, identified by three letters.
    public struct Kind: Sendable, Hashable {
        /// The three letters.
        public let code: Text

        /// Creates the kind with these three letters.
        public init(_ code: Text) {
            self.code = code
        }

        /// An abbreviation, or superatom.
        public static let abbreviation = Kind("SUP")
        /// A group that is repeated several times.
        public static let multiple = Kind("MUL")
        /// The repeating unit of a polymer.
        public static let repeatingUnit = Kind("SRU")
        /// A monomer.
        public static let monomer = Kind("MON")
        /// A mer of a polymer.
        public static let mer = Kind("MER")
        /// A copolymer.
        public static let copolymer = Kind("COP")
        /// A crosslinked polymer.
        public static let crosslink = Kind("CRO")
        /// A modified polymer.
        public static let modification = Kind("MOD")
        /// A grafted polymer.
        public static let graft = Kind("GRA")
        /// A component of a mixture or formulation.
        public static let component = Kind("COM")
        /// A mixture, in which the components are not ordered.
        public static let mixture = Kind("MIX")
        /// A formulation, in which the components are ordered.
        public static let formulation = Kind("FOR")
        /// Data that is attached to atoms.
        public static let data = Kind("DAT")
        /// A polymer of unknown kind.
        public static let anyPolymer = Kind("ANY")
        /// Brackets without one of these meanings.
        public static let generic = Kind("GEN")
    }

    /// One bracket, from one end to the other.
    public struct Bracket: Sendable, Hashable {
        /// One end.
        public var start: Position
        /// The other end.
        public var end: Position

        /// Creates a bracket from its ends.
        public init(from start: Position, to end: Position) {
            self.start = start
            self.end = end
        }
    }

    /// The style of brackets.
    public enum BracketStyle: Sendable, Hashable {
        /// Square brackets `[ ]` or parentheses `( )`.
        case square, round
    }

    /// A point where an abbreviation is attached, and the atom that leaves when it is.
    public struct AttachmentPoint: Sendable, Hashable {
        /// The atom that is attached.
        public var atom: Int32
        /// The atom that leaves; `nil` for an implicit hydrogen or no atom, or the attached atom itself if the file
        /// specifies that.
        public var leaving: Int32?
        /// The name of the point with at most two letters, such as `Al` or `Br`.
        public var identifier = Text()

        /// Creates an attachment point at an atom.
        public init(atom: Int, leaving: Int? = nil, identifier: Text = "") {
            self.atom = Int32(clamping: atom)
            self.leaving = leaving.map { Int32(clamping: $0) }
            self.identifier = identifier
        }
    }

    /// The direction in which a crossing bond of a contracted abbreviation is drawn.
    public struct BondVector: Sendable, Hashable {
        /// The crossing bond.
        public var bond: Int32
        /// The direction, or `nil` if the file specifies only the bond.
        public var vector: Position?

        /// Creates a bond vector from a crossing bond and its direction.
        public init(bond: Int, vector: Position?) {
            self.bond = Int32(clamping: bond)
            self.vector = vector
        }
    }

    /// The data of a data Sgroup.
    public struct Data: Sendable, Hashable {
        /// The name of the data.
        public var fieldName = Text()
        /// The type of the data: `F` for formatted, `N` for numeric, `T` or empty for text.
        public var fieldType = Text()
        /// The units or the format of the data.
        public var units = Text()
        /// How the data is used in queries.
        public var queryType = Text()
        /// How the data is compared in queries.
        public var queryOperator = Text()
        /// The position and display options: the columns of `M  SDD` from the twelfth on, verbatim.
        public var display = Text()
        /// The lines of the data.
        public var values: [Text] = []

        /// Creates data without a name and values.
        public init() {}
    }

    /// A keyword of V3000, with its value verbatim.
    public struct Keyword: Sendable, Hashable {
        /// The keyword.
        public var name: Text
        /// The value.
        public var value: Text

        /// Creates a keyword from its name and value.
        public init(_ name: Text, _ value: Text) {
            self.name = name
            self.value = value
        }

        /// Whether this is the registry number of a molecule: `REGNO` in V3000, `M  REG` in V2000.
        package var isRegistryNumber: Bool { name == "REGNO" }
    }
}
