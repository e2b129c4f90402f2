import ChemopenModel

/// A molecule of the text: the entire text, or a component of a reaction.
struct SMILESPiece: Sendable {
    var molecule: Molecule
    /// The numbers of its first atom and first bond in the text.
    let firstAtom: Int
    let firstBond: Int
    /// The number of `>` before it.
    let role: Int

    /// Creates a piece from the numbers of atoms and bonds in the text up to its end.
    init(_ molecule: Molecule, endingAt atoms: Int, _ bonds: Int, role: Int) {
        self.molecule = molecule
        (firstAtom, firstBond) = (atoms - molecule.atoms.count, bonds - molecule.bonds.count)
        self.role = role
    }
}

/// Properties of an atom that the model does not contain, which are needed until its piece is complete.
struct SMILESAtom: Sendable {
    /// The number of hydrogens in brackets, or -1 without brackets.
    var hydrogens: Int16 = -1
    var isAromatic = false
    /// Whether there is no symbol for the bond to the previous atom, and both atoms are aromatic.
    var isJoinedAromatically = false
    /// Whether the atom has a bond of unknown order.
    var isAsked = false
    /// The previous atom, or -1 at the beginning of a part.
    var parent: Int32 = -1
    var parentBond: Int32 = -1
    /// The number of atoms between it and the beginning of its part.
    var depth: Int32 = 0
    /// The index of its configuration in `centers`, or -1.
    var center: Int32 = -1
}

/// The neighbors of an atom with a configuration, in text order.
struct SMILESCenter: Sendable {
    let atom: Int32
    let turn: Handedness
    /// The shape and the number of its arrangement, or `nil` for `@` and `@@`, whose shape the neighbors determine.
    let named: (shape: AtomNote.Configuration.Shape, arrangement: Int)?
    private(set) var neighbors = SIMD8<Int32>(repeating: -1)
    private(set) var count = 0
    let range: Range<Int>

    /// The value that represents the hydrogen in the atom's brackets.
    static let hydrogen = Int32.max

    init(
        _ atom: Int, _ turn: Handedness, as named: (shape: AtomNote.Configuration.Shape, arrangement: Int)? = nil,
        at range: Range<Int>
    ) {
        self.atom = Int32(truncatingIfNeeded: atom)
        self.turn = turn
        self.named = named
        self.range = range
    }

    mutating func append(_ neighbor: Int32) {
        if count < 8 { neighbors[count] = neighbor }
        count += 1
    }

    /// Sets the neighbor at the other end of a ring bond.
    mutating func set(_ neighbor: Int32, at slot: Int) {
        if slot < 8 { neighbors[slot] = neighbor }
    }
}

/// A single bond with a direction.
struct SMILESDirection: Sendable {
    let bond: Int32
    /// Whether the second atom of the bond is above the first.
    let isUp: Bool
    let place: Int
}

/// The kind of a bond that has no symbol in SMILES and is specified by CX extensions.
struct SMILESBondKind: Sendable, Hashable {
    let order: Bond.Order
    /// The number of the atom in the text where a dative bond begins. It is an end of any other bond.
    let atom: Int

    /// Returns the bond between two atoms of a piece, given the number of atoms in the text before the piece.
    func bond(_ one: Int32, _ other: Int32, after atoms: Int) -> Bond {
        let isForward = atom != atoms + Int(other)
        return Bond(from: isForward ? one : other, to: isForward ? other : one, order)
    }
}

/// The symbol of a bond.
enum SMILESBondSymbol: UInt8, Sendable {
    case none, single, double, triple, quadruple, aromatic, up, down, any, given, taken

    /// Whether CX extensions can specify another kind of bond.
    var mayBeAnyKind: Bool {
        switch self {
        case .none, .single, .any, .given, .taken: true
        case .double, .triple, .quadruple, .aromatic, .up, .down: false
        }
    }

    /// The symbol for the same bond when it starts at its other end.
    var turned: SMILESBondSymbol {
        switch self {
        case .up: .down
        case .down: .up
        case .given: .taken
        case .taken: .given
        default: self
        }
    }
}
