import ChemopenModel

/// A substructure pattern, written in SMARTS or drawn.
///
///     let ester = try SMARTSPattern("[CX3](=O)[OX2H0][#6]")
///     var search = SubstructureSearch(ester)
///     search.finds(in: molecule)
///
/// The syntax is Daylight's with RDKit's extensions: `^2` for hybridization, `d z Z k` for counts, `{2-4}` for ranges,
/// and `->` for dative bonds. A pattern with `>>` matches reactions; see `isReaction`.
public struct SMARTSPattern: Sendable, Hashable {
    /// The text of the pattern; empty if the pattern is drawn.
    public let text: String
    /// The graph of the pattern.
    let graph: QueryGraph
    /// The patterns in `$(…)`. Each one precedes the patterns that refer to it.
    let recursions: [QueryGraph]
    /// The properties of a molecule that must be perceived.
    let needs: PerceivedParts
    /// Whether a molecule must have no other atoms and bonds.
    let isWhole: Bool
    /// The kinds of the racemic and relative stereo groups of an exact pattern.
    let stereoKinds: [StereoGroup.Kind]
    /// Whether a configuration of an exact pattern also matches a stereo group that contains it.
    let findsRacemates: Bool
    /// The alternatives that match reactions instead of molecules.
    private(set) var reactions: [ReactionPattern] = []

    /// Parses a SMARTS pattern.
    ///
    /// - Throws: `SMARTSError` if the pattern is invalid or not supported.
    public init(_ text: String) throws(SMARTSError) {
        if let reaction = try ReactionPattern(text) {
            self.init(reaction, text)
        } else {
            try self.init(Array(text.utf8), 0..<text.utf8.count)
        }
    }

    /// Parses a part of a text.
    init(_ bytes: [UInt8], _ range: Range<Int>) throws(SMARTSError) {
        var parser = SMARTSParser(bytes, range)
        graph = try parser.parse()
        recursions = parser.recursions
        text = Text(bytes: bytes[range]).string
        needs = parser.needs
        (isWhole, stereoKinds, findsRacemates) = (false, [], false)
    }

    /// Creates a pattern that matches only reactions.
    init(_ reaction: ReactionPattern, _ text: String = "") {
        graph = QueryGraph()
        recursions = []
        self.text = text
        needs = []
        (isWhole, stereoKinds, findsRacemates) = (false, [], false)
        reactions = [reaction]
    }

    /// Whether the pattern matches only reactions, such as `[C:1]O>>[C:1]=O`. You can search for it in records; it
    /// matches no molecule.
    public var isReaction: Bool { graph.atoms.isEmpty }

    /// Creates a pattern that matches if at least one of several patterns does. A match contains only its first atom.
    package init(anyOf patterns: [SMARTSPattern]) {
        if patterns.count == 1 {
            self = patterns[0]
            return
        }
        var (graphs, recursions, needs) = ([QueryGraph](), [QueryGraph](), PerceivedParts())
        let reactions = patterns.flatMap(\.reactions)
        for pattern in patterns where !pattern.isReaction {
            needs.formUnion(pattern.needs)
            let start = Int32(truncatingIfNeeded: recursions.count)
            recursions += pattern.recursions.map { $0.movingRecursions(by: start) }
            graphs.append(pattern.graph.movingRecursions(by: start))
        }
        let graph = graphs.isEmpty ? QueryGraph() : QueryGraph.any(of: graphs, addingTo: &recursions)
        self.init(graph, recursions, needs, isWhole: false)
        self.reactions = reactions
    }

    /// Creates a pattern from a drawing.
    init(
        _ graph: QueryGraph, _ recursions: [QueryGraph], _ needs: PerceivedParts, isWhole: Bool,
        stereoKinds: [StereoGroup.Kind] = [], findsRacemates: Bool = false
    ) {
        text = ""
        self.graph = graph
        self.recursions = recursions
        self.needs = needs
        self.isWhole = isWhole
        self.stereoKinds = stereoKinds
        self.findsRacemates = findsRacemates
    }
}

/// A syntax error in a pattern, with its location.
public struct SMARTSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error, usually the expected part and the text found instead.
    public let message: String
    /// The location of the error in the UTF-8 bytes of the text; empty at the end of the text.
    public let range: Range<Int>

    /// The error message.
    public var description: String { message }
}

/// A pattern as a graph.
struct QueryGraph: Sendable, Hashable {
    struct Atom: Sendable, Hashable {
        var expression = Expression<AtomTest>()
        var chirality = Chirality.none
        /// The configuration of an atom that is not tetrahedral.
        var coordination: Coordination?
        /// Whether the chirality includes an implicit hydrogen, as in `[C@H]`.
        var hasImpliedHydrogen = false
        /// The number of the component in parentheses that contains the atom, or -1.
        var component: Int32 = -1
        var mapNumber: Int32 = 0
        /// The index of the stereo group in an exact pattern, or -1.
        var stereoGroup: Int32 = -1
        /// The indices of its bonds in text order; -1 represents the implicit hydrogen.
        var bonds: [Int32] = []
    }

    struct Bond: Sendable, Hashable {
        var from: Int32
        var to: Int32
        var expression: Expression<BondTest>
        /// The direction when viewed from the first atom.
        var direction = Direction.none

        func other(than atom: Int32) -> Int32 { from == atom ? to : from }
    }

    /// A configuration that is not tetrahedral.
    struct Coordination: Sendable, Hashable {
        var shape: AtomNote.Configuration.Shape
        var arrangement: Int
        /// The atoms of the pattern that are the neighbors, in the order to which the arrangement refers; -1 for any
        /// other atom. `nil` if the order is that of the bonds.
        var neighbors: [Int32]?
    }

    enum Chirality: UInt8, Sendable, Hashable {
        case none, anticlockwise, clockwise, anticlockwiseOrUnknown, clockwiseOrUnknown
    }

    enum Direction: UInt8, Sendable, Hashable {
        case none, up, down
    }

    /// The geometry that a double bond must have.
    struct Geometry: Sendable, Hashable {
        var bond: Int32
        /// An atom at the first end of the bond, and one at the second end.
        var first: Int32
        var second: Int32
        var isTrans: Bool
    }

    var atoms: [Atom] = []
    var bonds: [Bond] = []
    var geometries: [Geometry] = []
    var order = MatchOrder()

    /// Returns a graph of one atom that matches if any of several graphs matches there. The graphs become recursions.
    static func any(of graphs: [QueryGraph], addingTo recursions: inout [QueryGraph]) -> QueryGraph {
        var first = Atom()
        for graph in graphs {
            var anchored = graph
            anchored.order = MatchOrder(of: anchored, isAnchored: true)
            let number = Int32(truncatingIfNeeded: recursions.count)
            first.expression.append(.recursion(number), isNegated: false, joinedBy: .alternative)
            recursions.append(anchored)
        }
        var any = QueryGraph()
        any.atoms = [first]
        any.order = MatchOrder(of: any, isAnchored: false)
        return any
    }

    /// Returns the graph with higher indices of its recursions.
    func movingRecursions(by distance: Int32) -> QueryGraph {
        var graph = self
        for place in graph.atoms.indices {
            graph.atoms[place].expression.change { test in
                if case .recursion(let number) = test { test = .recursion(number + distance) }
            }
        }
        return graph
    }
}
