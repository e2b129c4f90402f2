/// A substructure with a meaning of its own: an abbreviation, a repeating unit, a mixture's component, attached data.
///
/// Atoms and bonds are indices into the molecule, counted from 0.
public struct Sgroup: Sendable, Hashable {
    /// The meaning of the substructure.
    public var kind: Kind
    /// The number the file gives it; 0 leaves it to the writer.
    public var number: Int32 = 0
    /// The label number that goes with it through programs (`M  SLB`, `extindex`); 0 is none.
    public var identifier: Int32 = 0
    /// The atoms that belong to it.
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
    /// The brackets around it.
    public var brackets: [Bracket] = []
    /// Whether the file says how the brackets look, and round or square then.
    public var bracketStyle: BracketStyle?
    /// Where an abbreviation is attached.
    public var attachments: [AttachmentPoint] = []
    /// How the crossing bonds of a contracted abbreviation are drawn.
    public var bondVectors: [BondVector] = []
    /// `AA`, `BASE`, `SUGAR` and the like.
    public var templateClass = Text()
    /// The data that is attached, where it is a data Sgroup.
    public var data: Data?
    /// The statements of the file beyond all this: keywords with their values as they stood.
    public var keywords: [Keyword] = []

    /// An Sgroup without atoms.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// The kind by its three letters.
    public struct Kind: Sendable, Hashable {
        /// The three letters.
        public let code: Text

        /// The kind that three letters mean.
        public init(_ code: Text) {
            self.code = code
        }

        /// An abbreviation, or superatom.
        public static let abbreviation = Kind("SUP")
        /// A group that stands there several times.
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
        /// A mixture, whose components have no order.
        public static let mixture = Kind("MIX")
        /// A formulation, whose components have one.
        public static let formulation = Kind("FOR")
        /// Data that is attached to atoms.
        public static let data = Kind("DAT")
        /// A polymer of unknown kind.
        public static let anyPolymer = Kind("ANY")
        /// Brackets that mean nothing of these.
        public static let generic = Kind("GEN")
    }

    /// One bracket, from one end to the other.
    public struct Bracket: Sendable, Hashable {
        /// One end.
        public var start: Position
        /// The other end.
        public var end: Position

        /// A bracket from one end to the other.
        public init(from start: Position, to end: Position) {
            self.start = start
            self.end = end
        }
    }

    /// How brackets look.
    public enum BracketStyle: Sendable, Hashable {
        /// `[ ]` or `( )`.
        case square, round
    }

    /// Where an abbreviation is attached, and what leaves when it is.
    public struct AttachmentPoint: Sendable, Hashable {
        /// The atom that is attached.
        public var atom: Int32
        /// The atom that leaves; `nil` for an implicit hydrogen or none, the atom itself where the file says so.
        public var leaving: Int32?
        /// The name of the point, two letters at most: `Al`, `Br`.
        public var identifier = Text()

        /// A point at an atom.
        public init(atom: Int, leaving: Int? = nil, identifier: Text = "") {
            self.atom = Int32(clamping: atom)
            self.leaving = leaving.map { Int32(clamping: $0) }
            self.identifier = identifier
        }
    }

    /// How the crossing bond of a contracted abbreviation is drawn.
    public struct BondVector: Sendable, Hashable {
        /// The crossing bond.
        public var bond: Int32
        /// `nil` where the file names the bond alone.
        public var vector: Position?

        /// A bond, and the way it points.
        public init(bond: Int, vector: Position?) {
            self.bond = Int32(clamping: bond)
            self.vector = vector
        }
    }

    /// The data of a data Sgroup.
    public struct Data: Sendable, Hashable {
        /// The name of the data.
        public var fieldName = Text()
        /// `F` formatted, `N` numeric, `T` or nothing text.
        public var fieldType = Text()
        /// The units of the data, or its format.
        public var units = Text()
        /// How the data is used in queries.
        public var queryType = Text()
        /// How the data is compared in queries.
        public var queryOperator = Text()
        /// Where and how it is shown: the columns of `M  SDD` from the twelfth on, as they stood.
        public var display = Text()
        /// The lines of the data.
        public var values: [Text] = []

        /// Data without a name or a value.
        public init() {}
    }

    /// A keyword of V3000, with its value as it stood.
    public struct Keyword: Sendable, Hashable {
        /// The keyword.
        public var name: Text
        /// The value.
        public var value: Text

        /// A keyword with its value.
        public init(_ name: Text, _ value: Text) {
            self.name = name
            self.value = value
        }

        /// The registry number of a molecule: `REGNO` in V3000, `M  REG` in V2000.
        package var isRegistryNumber: Bool { name == "REGNO" }
    }
}
