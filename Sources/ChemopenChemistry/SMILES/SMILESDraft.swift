import ChemopenModel

/// A molecule of a text: all of it, or a component of a reaction.
struct SMILESPiece: Sendable {
    var molecule: Molecule
    /// Which of the text's atoms is its first.
    let firstAtom: Int
    /// How many `>` stand before it.
    let role: Int
}

/// What is known of an atom beside the model's own facts until its piece is whole.
struct SMILESAtom: Sendable {
    /// The hydrogens that brackets state; -1 outside of brackets.
    var hydrogens: Int16 = -1
    var isAromatic = false
    /// The bond to the atom before it is spelled by no symbol, and both are aromatic.
    var isJoinedAromatically = false
    /// A bond whose order is a question.
    var isAsked = false
    /// The atom before it; -1 where a part begins.
    var parent: Int32 = -1
    var parentBond: Int32 = -1
    /// How many atoms stand between it and the beginning of its part.
    var depth: Int32 = 0
    /// Its place among the centres; -1 where it is none.
    var centre: Int32 = -1
}

/// The neighbours of an atom that has a configuration, in the order of the text.
struct SMILESCentre: Sendable {
    let atom: Int32
    let turn: Handedness
    private(set) var neighbours = SIMD4<Int32>(repeating: -1)
    private(set) var count = 0
    let range: Range<Int>

    /// Stands for the hydrogen in the atom's own brackets.
    static let hydrogen = Int32.max

    init(_ atom: Int, _ turn: Handedness, at range: Range<Int>) {
        self.atom = Int32(truncatingIfNeeded: atom)
        self.turn = turn
        self.range = range
    }

    mutating func append(_ neighbour: Int32) {
        if count < 4 { neighbours[count] = neighbour }
        count += 1
    }

    /// Fills the place of a neighbour behind a ring's digit.
    mutating func set(_ neighbour: Int32, at slot: Int) {
        if slot < 4 { neighbours[slot] = neighbour }
    }
}

/// A single bond with a direction.
struct SMILESDirection: Sendable {
    let bond: Int32
    /// The second atom of the bond stands above the first.
    let isUp: Bool
    let place: Int
}

/// The symbol of a bond.
enum SMILESBondSymbol: UInt8, Sendable {
    case none, single, double, triple, quadruple, aromatic, up, down, any, given, taken

    /// The bond as it is spelled from its other end.
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
