/// A set of centers with a common configuration, as in enhanced stereochemistry.
public struct StereoGroup: Sendable, Hashable {
    /// How certain the configuration is.
    public enum Kind: Sendable, Hashable {
        /// The configuration is as drawn.
        case absolute
        /// A racemate (AND): a mixture of the drawn configuration and its mirror image.
        case racemic
        /// Unknown (OR): either the drawn configuration or its mirror image.
        case relative
    }

    /// How certain the configuration is.
    public var kind: Kind
    /// The number of a racemic or relative group; 0 for the absolute group.
    public var number: Int32
    /// The stereocenters.
    public var atoms: [Int32]
    /// The bonds of atropisomers.
    public var bonds: [Int32]

    /// Creates a group of stereocenters or bonds of atropisomers.
    public init(_ kind: Kind, number: Int = 0, atoms: [Int32], bonds: [Int32] = []) {
        self.kind = kind
        self.number = Int32(clamping: number)
        self.atoms = atoms
        self.bonds = bonds
    }
}

/// A named set of a molecule's parts, such as a highlight or a user's selection.
public struct AtomCollection: Sendable, Hashable {
    /// The complete name with its domain, such as `MDLV30/HILITE` or `USER/site`.
    public var name: Text
    /// Whether V3000 marks the collection as the default.
    public var isDefault = false
    /// The member atoms.
    public var atoms: [Int32] = []
    /// The member bonds.
    public var bonds: [Int32] = []
    /// The member Sgroups.
    public var sgroups: [Int32] = []
    /// Members of other kinds: keywords with their lists verbatim.
    public var keywords: [Sgroup.Keyword] = []

    /// Creates an empty collection.
    public init(_ name: Text) {
        self.name = name
    }

    /// The name of the collection of highlighted atoms and bonds.
    public static let highlightName: Text = "MDLV30/HILITE"

    /// Whether its members are highlighted.
    public var isHighlight: Bool { name == Self.highlightName }
}

/// A query atom that can repeat in a chain.
public struct LinkNode: Sendable, Hashable {
    /// The atom that can repeat.
    public var atom: Int32
    /// The minimum number of repeats.
    public var minimum: Int32
    /// The maximum number of repeats.
    public var maximum: Int32
    /// The neighbors along the chain: one or two, or more in V3000.
    public var neighbors: [Int32]

    /// Creates a link node from an atom and its neighbors along the chain.
    public init(atom: Int, repeats minimum: Int, to maximum: Int, neighbors: [Int32]) {
        self.atom = Int32(clamping: atom)
        self.minimum = Int32(clamping: minimum)
        self.maximum = Int32(clamping: maximum)
        self.neighbors = neighbors
    }
}

/// The alternative pieces for an R-group site, and their condition.
public struct RGroup: Sendable, Hashable {
    /// The number that the sites refer to: 1 means R1.
    public var number: Int32
    /// The alternative pieces, each with its attachment points.
    public var members: [Molecule] = []
    /// The condition, if there is one.
    public var logic: Logic?

    /// Creates an R-group without members.
    public init(_ number: Int) {
        self.number = Int32(clamping: number)
    }

    /// The condition for the pieces of an R-group.
    public struct Logic: Sendable, Hashable {
        /// The R-group that must also be present if this one is, or 0.
        public var requires: Int32 = 0
        /// Whether unsubstituted sites carry only hydrogen.
        public var restIsHydrogen = false
        /// The permitted number of occurrences as written, such as `>0` or `1-3`.
        public var occurrence = Text()

        /// Creates a condition that is always satisfied.
        public init() {}
    }
}

/// A residue that the molecule's template atoms represent.
public struct Template: Sendable, Hashable {
    /// The name as written, in the form `CLASS/Name/Alias`.
    public var name: Text
    /// Keywords such as `NATREPLACE` and `FULLNAME`, with verbatim values.
    public var keywords: [Sgroup.Keyword] = []
    /// The residue.
    public var molecule: Molecule

    /// Creates a named residue.
    public init(_ name: Text, _ molecule: Molecule) {
        self.name = name
        self.molecule = molecule
    }
}

/// An atom that represents a piece of structure. The piece's atom named `*` corresponds to the atom's neighbor.
public struct Abbreviation: Sendable, Hashable {
    /// The atom that represents the piece.
    public var atom: Int32
    /// The piece of structure.
    public var molecule: Molecule
    /// The original text, if writing the abbreviation again would produce different text.
    public var spelling: Text?

    /// Creates an abbreviation from an atom and its piece of structure.
    public init(atom: Int, molecule: Molecule, spelling: Text? = nil) {
        self.atom = Int32(clamping: atom)
        self.molecule = molecule
        self.spelling = spelling
    }
}
