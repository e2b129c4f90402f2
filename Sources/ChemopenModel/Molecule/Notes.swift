/// A note with the index of its atom or bond.
public struct Indexed<Note: Sendable & Hashable>: Sendable, Hashable {
    /// The index of the atom or bond.
    public var index: Int32
    /// The note.
    public var note: Note

    /// Creates a note on the atom or bond at an index.
    public init(_ index: Int, _ note: Note) {
        self.index = Int32(clamping: index)
        self.note = note
    }
}

/// A rare property of an atom. An atom can have several notes, whose order is preserved.
public enum AtomNote: Sendable, Hashable {
    /// The total valence that the author fixed, including hydrogens.
    case valence(Int)
    /// The charge for readers without zero-order bonds, if it differs from the atom's charge: `M  CHG` in addition to
    /// `M  ZCH`.
    case drawnCharge(Int)

    // Queries.

    /// The elements that match, or that are excluded.
    case elementList(ElementList)
    /// The minimum number of hydrogens; 0 means exactly 0.
    case hydrogenQuery(Int)
    /// The number of ring bonds: -1 means 0, -2 means as drawn, and 4 means 4 or more.
    case ringBondCount(Int)
    /// The number of neighbors: -1 means 0, -2 means as drawn, and 6 means 6 or more.
    case substitutionCount(Int)
    /// The atom must have a multiple bond.
    case unsaturated
    /// A query in SketchEl's syntax, without its `q`.
    case query(Text)

    // R-groups and attachment points.

    /// The R-groups that can replace this atom.
    case rgroups([Int32])
    /// The attachment points of an R-group member at this atom: first, second or both.
    case attachmentPoint(first: Bool, second: Bool)
    /// The neighbors and the attachment points that they are connected to.
    case attachmentOrder([Attachment])

    // Configurations.

    /// The configuration of a coordination center or an allene, as specified in a line notation. If the molecule is
    /// drawn, the drawing determines it.
    case configuration(Configuration)

    // Codes of V2000's atom line that old programs used.

    /// The column `HHH`: hydrogens that must not change.
    case fixedHydrogens(Int)
    /// The column `rrr`: the role of the atom's fragment in a reaction.
    case componentType(Int)
    /// The column `iii`: the number of the atom's fragment among those with the same role.
    case componentNumber(Int)

    // Names.

    /// Text that is displayed instead of the symbol and has no chemical meaning.
    case alias(Text)
    /// Text that belongs to the atom.
    case value(Text)

    // Biopolymers.

    /// The class of a residue, such as `AA` or `RNA`.
    case templateClass(Text)
    /// The number of a residue in its sequence.
    case sequenceNumber(Int)
    /// The name of a residue in its sequence.
    case sequenceName(Text)

    // Content preserved for other programs.

    /// A SketchEl field with its letter, for every letter except `y`.
    case field(Text)
    /// A SketchEl `y` field, which is valid until the molecule is edited in any way.
    case transientField(Text)
    /// A keyword of another dialect that has no meaning here, with its value verbatim.
    case keyword(name: Text, value: Text)

    /// The number of the case, used as an index in tables.
    package var ordinal: Int {
        switch self {
        case .valence: 0
        case .drawnCharge: 1
        case .elementList: 2
        case .hydrogenQuery: 3
        case .ringBondCount: 4
        case .substitutionCount: 5
        case .unsaturated: 6
        case .query: 7
        case .rgroups: 8
        case .attachmentPoint: 9
        case .attachmentOrder: 10
        case .fixedHydrogens: 11
        case .componentType: 12
        case .componentNumber: 13
        case .alias: 14
        case .value: 15
        case .templateClass: 16
        case .sequenceNumber: 17
        case .sequenceName: 18
        case .field: 19
        case .transientField: 20
        case .keyword: 21
        case .configuration: 22
        }
    }

    package static var ordinals: Int { 23 }

    /// A neighbor and the attachment point that it is connected to: a number, or letters in biopolymers.
    public struct Attachment: Sendable, Hashable {
        /// The index of the neighbor.
        public var neighbor: Int32
        /// The attachment point as written, such as `Al` or `Br`.
        public var point: Text

        /// Creates an attachment of a neighbor.
        public init(neighbor: Int, point: Text) {
            self.neighbor = Int32(clamping: neighbor)
            self.point = point
        }
    }
}

/// A list of elements that match or are excluded. Symbols can be `A` and `Q` as well as elements.
public struct ElementList: Sendable, Hashable {
    /// Whether the elements are excluded.
    public var isExcluding: Bool
    /// The symbols of the elements.
    public var symbols: [Text]

    /// Creates a list of elements that match, or that are excluded.
    public init(excluding isExcluding: Bool = false, _ symbols: [Text]) {
        self.isExcluding = isExcluding
        self.symbols = symbols
    }
}

/// A rare property of a bond.
public enum BondNote: Sendable, Hashable {
    /// One end of the bond represents several atoms: all of them together, or any one of them.
    case endpoints(atoms: [Int32], any: Bool)
    /// The geometry of a double bond, as in a line notation. If the molecule is drawn, the drawing determines it.
    case geometry(Geometry)
    /// How the bond is drawn, in the syntax of its format.
    case display(Text)
    /// The order drawn for an aromatic or query bond in formats that draw only plain bonds, if it is not the usual one.
    case drawnOrder(Bond.Order)
    /// The bond is aromatic in a query, for formats that distinguish this from an aromatic bond in a structure.
    case asksForAromatic
    /// A query in SketchEl's syntax, without its `q`.
    case query(Text)
    /// A SketchEl field with its letter, for every letter except `y`.
    case field(Text)
    /// A SketchEl `y` field, which is valid until the molecule is edited in any way.
    case transientField(Text)
    /// A keyword of another dialect that has no meaning here, with its value verbatim.
    case keyword(name: Text, value: Text)

    /// The configuration of a double bond, described by one neighbor at each end.
    public struct Geometry: Sendable, Hashable {
        /// A neighbor of one end.
        public var one: Int32
        /// A neighbor of the other end.
        public var other: Int32
        /// Whether the two neighbors are on opposite sides of the double bond.
        public var isTrans: Bool

        /// Creates a geometry from one neighbor at each end of a double bond.
        public init(_ one: Int, _ other: Int, isTrans: Bool) {
            self.one = Int32(clamping: one)
            self.other = Int32(clamping: other)
            self.isTrans = isTrans
        }
    }
}

extension Sequence<AtomNote> {
    /// The number of the R-group if these notes make the atom a site of exactly one R-group, otherwise `nil`.
    package var rgroup: Int32? {
        for case .rgroups(let numbers) in self where numbers.count == 1 { return numbers[0] }
        return nil
    }
}
