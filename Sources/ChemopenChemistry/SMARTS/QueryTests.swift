/// A test of an atom.
enum AtomTest: Sendable, Hashable {
    case any
    case aromatic, aliphatic
    case element(UInt8)
    case aliphaticElement(UInt8)
    case aromaticElement(UInt8)
    case isotope(UInt16)
    case charge(Bounds)
    case degree(Bounds)
    case heavyDegree(Bounds)
    case connections(Bounds)
    case valence(Bounds)
    case hydrogens(Bounds)
    case impliedHydrogens(Bounds)
    case ringBonds(Bounds)
    case rings(Bounds)
    case smallestRing(Bounds)
    case ringSize(Bounds)
    case heteroatoms(Bounds)
    case aliphaticHeteroatoms(Bounds)
    case hybridisation(Hybridisation)
    /// The index of a recursive pattern. Its first atom must match this atom.
    case recursion(Int32)
}

/// A range of numbers that a count must be in.
struct Bounds: Sendable, Hashable {
    let low: Int32
    let high: Int32

    init(_ low: Int32, _ high: Int32) {
        self.low = low
        self.high = high
    }

    init(_ number: Int32) {
        self.init(number, number)
    }

    static let some = Bounds(1, .max)

    func contains(_ number: Int) -> Bool { number >= Int(low) && number <= Int(high) }
}

/// A test of a bond.
enum BondTest: Sendable, Hashable {
    case any
    /// Two atoms without a bond symbol between them: a single or aromatic bond.
    case plain
    case single, double, triple, quadruple, aromatic, ring
    /// A dative bond from the previous atom to the next, or in the opposite direction.
    case given, taken
}

/// Tests in text order, combined by `!`, `&`, `,` and `;`.
struct Expression<Test: Sendable & Hashable>: Sendable, Hashable {
    /// A test or its negation, and the groups that end with it.
    struct Literal: Sendable, Hashable {
        var test: Test
        var isNegated = false
        /// Whether this is the last test of an alternative; all its tests must be true.
        var endsAlternative = true
        /// Whether this is the last test of a clause; one of its alternatives must be true.
        var endsClause = true
    }

    private(set) var literals: [Literal] = []

    init() {}

    init(_ test: Test) {
        literals = [Literal(test: test)]
    }

    /// Appends a test, and specifies how it is combined with the previous one.
    mutating func append(_ test: Test, isNegated: Bool, joinedBy join: Join) {
        if !literals.isEmpty {
            let last = literals.count - 1
            literals[last].endsAlternative = join != .and
            literals[last].endsClause = join == .clause
        }
        literals.append(Literal(test: test, isNegated: isNegated))
    }

    /// Changes each test.
    mutating func change(_ body: (inout Test) -> Void) {
        for place in literals.indices { body(&literals[place].test) }
    }

    /// The operator between a test and the previous tests.
    enum Join { case and, alternative, clause }

    /// Returns whether all clauses are true, given the result of each test.
    @inline(__always)
    func holds(_ ask: (Test) -> Bool) -> Bool {
        var walk = ClauseWalk()
        for literal in literals {
            if walk.asks { walk.answer(ask(literal.test) != literal.isNegated) }
            if !walk.pass(literal.endsAlternative, literal.endsClause) { return false }
        }
        return true
    }

    /// Returns whether all clauses can be true; `nil` means that the result of a test is unknown.
    func mayHold(_ ask: (Test) -> Bool?) -> Bool {
        var walk = ClauseWalk()
        for literal in literals {
            if walk.asks { walk.answer(ask(literal.test).map { $0 != literal.isNegated } ?? true) }
            if !walk.pass(literal.endsAlternative, literal.endsClause) { return false }
        }
        return true
    }
}

/// The evaluation of clauses, test by test.
///
/// All clauses must be true. A clause is true if one of its alternatives is true, which requires that all its tests are
/// true.
struct ClauseWalk {
    private var holdsClause = false
    private var holdsAlternative = true

    /// Whether the result of the next test matters.
    @inline(__always)
    var asks: Bool { !holdsClause && holdsAlternative }

    @inline(__always)
    mutating func answer(_ holds: Bool) { holdsAlternative = holds }

    /// Proceeds to the next test of the expression.
    ///
    /// - Returns: `false` if a clause ends there and is not true.
    @inline(__always)
    mutating func pass(_ endsAlternative: Bool, _ endsClause: Bool) -> Bool {
        guard endsAlternative else { return true }
        if holdsAlternative { holdsClause = true }
        holdsAlternative = true
        guard endsClause else { return true }
        defer { holdsClause = false }
        return holdsClause
    }
}
