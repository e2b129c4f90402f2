/// Something said of one atom or one bond, by its index.
public struct Tagged<Note: Sendable & Hashable>: Sendable, Hashable {
    /// The place of the atom or bond.
    public var index: Int32
    /// The note.
    public var note: Note

    /// A note on the atom or bond at a place.
    public init(_ index: Int, _ note: Note) {
        self.index = Int32(clamping: index)
        self.note = note
    }
}

/// A property that few atoms have. An atom may have several notes; they keep their order.
public enum AtomNote: Sendable, Hashable {
    /// The total valence with hydrogens, as fixed by the author.
    case valence(Int)
    /// The charge that is drawn for readers without zero-order bonds, where the atom's own is another: `M  CHG` beside
    /// `M  ZCH`.
    case drawnCharge(Int)

    // Queries.

    /// One of these elements, or none of them.
    case elementList(ElementList)
    /// At least so many hydrogens; 0 is exactly none.
    case hydrogenQuery(Int)
    /// Ring bonds: -1 none, -2 as drawn, else so many (4: or more).
    case ringBondCount(Int)
    /// Neighbours: -1 none, -2 as drawn, else so many (6: or more).
    case substitutionCount(Int)
    /// Must have a multiple bond.
    case unsaturated
    /// A query in SketchEl's words, without its `q`.
    case query(Text)

    // R-groups and attachment.

    /// The R-groups that may stand here.
    case rgroups([Int32])
    /// Where a member of an R-group is attached: first, second or both.
    case attachmentPoint(first: Bool, second: Bool)
    /// Which neighbour hangs on which attachment point.
    case attachmentOrder([Attachment])

    // Codes of V2000's atom line that programs of long ago used.

    /// The column `HHH`: hydrogens that may not change.
    case fixedHydrogens(Int)
    /// The columns `rrr` and `iii`: what the atom's fragment is in a reaction, and its number among those.
    case componentType(Int)
    /// The number of the atom's fragment among those of its kind.
    case componentNumber(Int)

    // Names.

    /// Text shown in place of the symbol; never chemistry by itself.
    case alias(Text)
    /// Text that goes with the atom.
    case value(Text)

    // Biopolymers.

    /// The class of a residue: `AA`, `RNA`.
    case templateClass(Text)
    /// The number of a residue in its sequence.
    case sequenceNumber(Int)
    /// The name of a residue in its sequence.
    case sequenceName(Text)

    // Kept for others.

    /// A SketchEl field with its letter, for every letter but `y`.
    case field(Text)
    /// A SketchEl `y` field: valid until the molecule is edited in any way.
    case transientField(Text)
    /// A keyword of another dialect that has no meaning here, with its value as it stood.
    case keyword(name: Text, value: Text)

    /// The number of the case, for tables.
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
        }
    }

    package static var ordinals: Int { 22 }

    /// A neighbour and the attachment point it hangs on: a number, or letters in biopolymers.
    public struct Attachment: Sendable, Hashable {
        /// The place of the neighbour.
        public var neighbour: Int32
        /// The attachment point it hangs on, as written: `Al`, `Br`.
        public var point: Text

        /// A neighbour on an attachment point.
        public init(neighbour: Int, point: Text) {
            self.neighbour = Int32(clamping: neighbour)
            self.point = point
        }
    }
}

/// One of these elements, or none of them. Entries are symbols, `A` and `Q` among them.
public struct ElementList: Sendable, Hashable {
    /// The atom is none of these.
    public var isExcluding: Bool
    /// The symbols of the elements.
    public var symbols: [Text]

    /// A list of elements of which the atom is one, or none.
    public init(excluding isExcluding: Bool = false, _ symbols: [Text]) {
        self.isExcluding = isExcluding
        self.symbols = symbols
    }
}

/// A property that few bonds have.
public enum BondNote: Sendable, Hashable {
    /// One end stands for several atoms: for all of them together, or for any one.
    case endpoints(atoms: [Int32], any: Bool)
    /// How the bond is to be drawn, in the words of its format.
    case display(Text)
    /// The order that is drawn for an aromatic or a query bond in a format that draws plain ones, where it is not the
    /// usual one.
    case drawnOrder(Bond.Order)
    /// The bond is aromatic since a query asks for it: in formats that tell this from a statement.
    case asksForAromatic
    /// A query in SketchEl's words, without its `q`.
    case query(Text)
    /// A SketchEl field with its letter, for every letter but `y`.
    case field(Text)
    /// A SketchEl `y` field: valid until the molecule is edited in any way.
    case transientField(Text)
    /// A keyword of another dialect that has no meaning here, with its value as it stood.
    case keyword(name: Text, value: Text)
}

extension Sequence<AtomNote> {
    /// The number of the R-group whose site the atom of these notes is; `nil` where it is that of none, or of several.
    package var rgroup: Int32? {
        for case .rgroups(let numbers) in self where numbers.count == 1 { return numbers[0] }
        return nil
    }
}
