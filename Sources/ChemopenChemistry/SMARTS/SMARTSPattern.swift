/// A pattern in SMARTS, or one that is drawn, to be looked for in molecules.
///
///     let ester = try SMARTSPattern("[CX3](=O)[OX2H0][#6]")
///     var search = SubstructureSearch(ester)
///     search.finds(in: molecule)
///
/// The language is Daylight's, with RDKit's additions: `^2` hybridisation, `d z Z k` counts, `{2-4}` ranges, `->` dative
/// bonds. Reactions (`>>`) are not taken.
public struct SMARTSPattern: Sendable, Hashable {
    /// The pattern as it was given; empty for one that is drawn.
    public let text: String
    /// The pattern itself.
    let graph: QueryGraph
    /// The patterns in `$(…)`, each of which stands before those that name it.
    let recursions: [QueryGraph]
    /// The properties of a molecule that have to be perceived.
    let needs: PerceivedParts
    /// A molecule has no atoms and bonds but those of the pattern.
    let isWhole: Bool

    /// Reads a pattern.
    public init(_ text: String) throws(SMARTSError) {
        var parser = SMARTSParser(text)
        graph = try parser.parse()
        recursions = parser.recursions
        self.text = text
        needs = parser.needs
        isWhole = false
    }

    /// A pattern that is drawn.
    init(_ graph: QueryGraph, _ recursions: [QueryGraph], _ needs: PerceivedParts, isWhole: Bool) {
        text = ""
        self.graph = graph
        self.recursions = recursions
        self.needs = needs
        self.isWhole = isWhole
    }
}

/// A fault in a pattern, and where it is.
public struct SMARTSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault, or the part that was expected.
    public let message: String
    /// The bytes of the text that are at fault; empty at its end.
    public let range: Range<Int>

    /// The reason in words.
    public var description: String { message }
}

/// A pattern as a graph.
struct QueryGraph: Sendable, Hashable {
    struct Atom: Sendable, Hashable {
        var expression = Expression<AtomTest>()
        var chirality = Chirality.none
        /// The atom has a hydrogen that takes part in its chirality: `[C@H]`.
        var hasImpliedHydrogen = false
        /// The brackets of a component that it stands in, -1 outside of any.
        var component: Int32 = -1
        var mapNumber: Int32 = 0
        /// Its bonds as they are spelled; -1 is the implied hydrogen.
        var bonds: [Int32] = []
    }

    struct Bond: Sendable, Hashable {
        var from: Int32
        var to: Int32
        var expression: Expression<BondTest>
        /// The direction, seen from the first atom.
        var direction = Direction.none

        func other(than atom: Int32) -> Int32 { from == atom ? to : from }
    }

    enum Chirality: UInt8, Sendable, Hashable {
        case none, anticlockwise, clockwise, anticlockwiseOrUnknown, clockwiseOrUnknown
    }

    enum Direction: UInt8, Sendable, Hashable {
        case none, up, down
    }

    /// The geometry that a double bond has to have.
    struct Geometry: Sendable, Hashable {
        var bond: Int32
        /// An atom at the first end of the bond, and one at the second.
        var first: Int32
        var second: Int32
        var isTrans: Bool
    }

    var atoms: [Atom] = []
    var bonds: [Bond] = []
    var geometries: [Geometry] = []
    var order = MatchOrder()
}
