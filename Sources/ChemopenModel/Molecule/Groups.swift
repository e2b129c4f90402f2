/// Centres whose configuration is known together, as enhanced stereochemistry has it.
public struct StereoGroup: Sendable, Hashable {
    /// How much is known of the configuration.
    public enum Kind: Sendable, Hashable {
        /// As drawn.
        case absolute
        /// As drawn and its mirror image: a racemate (AND).
        case racemic
        /// As drawn or its mirror image: one of them, unknown which (OR).
        case relative
    }

    /// How much is known of the configuration.
    public var kind: Kind
    /// The number of a racemic or relative group; 0 for the absolute one.
    public var number: Int32
    /// The centres.
    public var atoms: [Int32]
    /// Bonds of atropisomers.
    public var bonds: [Int32]

    /// A group of centres, or of bonds of atropisomers.
    public init(_ kind: Kind, number: Int = 0, atoms: [Int32], bonds: [Int32] = []) {
        self.kind = kind
        self.number = Int32(clamping: number)
        self.atoms = atoms
        self.bonds = bonds
    }
}

/// A named set of a molecule's parts: a highlight, or whatever a user collects.
public struct Collection: Sendable, Hashable {
    /// The whole name with its domain: `MDLV30/HILITE`, `USER/site`.
    public var name: Text
    /// V3000 marks the collection as the default one.
    public var isDefault = false
    /// Atoms that are members.
    public var atoms: [Int32] = []
    /// Bonds that are members.
    public var bonds: [Int32] = []
    /// Sgroups that are members.
    public var sgroups: [Int32] = []
    /// Members that are no atoms, bonds or Sgroups: keywords with their lists as they stood.
    public var keywords: [Sgroup.Keyword] = []

    /// A collection without members.
    public init(_ name: Text) {
        self.name = name
    }

    /// The name of the atoms and bonds that are highlighted.
    public static let highlightName: Text = "MDLV30/HILITE"

    /// Whether its members are highlighted.
    public var isHighlight: Bool { name == Self.highlightName }
}

/// A query atom that may repeat in a chain.
public struct LinkNode: Sendable, Hashable {
    /// The atom that may repeat.
    public var atom: Int32
    /// It stands there so often at least.
    public var minimum: Int32
    /// It stands there so often at most.
    public var maximum: Int32
    /// The neighbours along the chain; one or two, more in V3000.
    public var neighbours: [Int32]

    /// An atom that may repeat, and its neighbours along the chain.
    public init(atom: Int, repeats minimum: Int, to maximum: Int, neighbours: [Int32]) {
        self.atom = Int32(clamping: atom)
        self.minimum = Int32(clamping: minimum)
        self.maximum = Int32(clamping: maximum)
        self.neighbours = neighbours
    }
}

/// The pieces that may stand at an R-group site, and under which condition.
public struct RGroup: Sendable, Hashable {
    /// The number by which sites name it: 1 is R1.
    public var number: Int32
    /// The pieces, each with its attachment points.
    public var members: [Molecule] = []
    /// The condition, where there is one.
    public var logic: Logic?

    /// An R-group without members.
    public init(_ number: Int) {
        self.number = Int32(clamping: number)
    }

    /// The condition under which the pieces of an R-group stand at their sites.
    public struct Logic: Sendable, Hashable {
        /// The R-group that must be satisfied when this one is; 0 is none.
        public var requires: Int32 = 0
        /// Sites left over carry hydrogen only.
        public var restIsHydrogen = false
        /// How often it may occur, as written: `>0`, `1-3`.
        public var occurrence = Text()

        /// A condition that asks for nothing.
        public init() {}
    }
}

/// A residue that template atoms of the molecule stand for.
public struct Template: Sendable, Hashable {
    /// `CLASS/Name/Alias` as written.
    public var name: Text
    /// `NATREPLACE`, `FULLNAME` and the like, with their values as they stood.
    public var keywords: [Sgroup.Keyword] = []
    /// The residue.
    public var molecule: Molecule

    /// A residue under a name.
    public init(_ name: Text, _ molecule: Molecule) {
        self.name = name
        self.molecule = molecule
    }
}

/// An atom that stands for a whole piece of structure. The piece's `placeholder` is the neighbour that the atom has outside.
public struct Abbreviation: Sendable, Hashable {
    /// The atom that stands for the piece.
    public var atom: Int32
    /// The piece.
    public var molecule: Molecule
    /// The text it was read from, where writing it anew would not give the same.
    public var spelling: Text?

    /// An atom that stands for a piece of structure.
    public init(atom: Int, molecule: Molecule, spelling: Text? = nil) {
        self.atom = Int32(clamping: atom)
        self.molecule = molecule
        self.spelling = spelling
    }
}
