/// A question about an atom.
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
    /// The number of another graph of the pattern, whose first atom must be this one.
    case recursion(Int32)
}

/// A range of numbers that a count has to be in.
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

/// A question about a bond.
enum BondTest: Sendable, Hashable {
    case any
    /// No symbol between two atoms: single or aromatic.
    case plain
    case single, double, triple, quadruple, aromatic, ring
    /// A dative bond from the atom before to the one behind, or the other way.
    case given, taken
}

/// Questions combined by `!`, `&`, `,` and `;`, one behind the other as they are asked.
struct Expression<Test: Sendable & Hashable>: Sendable, Hashable {
    /// A question, its negation, and what ends with it.
    struct Literal: Sendable, Hashable {
        var test: Test
        var isNegated = false
        /// The last of those that must all hold.
        var endsAlternative = true
        /// The last of the alternatives of which one must hold.
        var endsClause = true
    }

    private(set) var literals: [Literal] = []

    init() {}

    init(_ test: Test) {
        literals = [Literal(test: test)]
    }

    /// Adds a question that must hold beside the one before it.
    mutating func append(_ test: Test, isNegated: Bool, joinedBy join: Join) {
        if !literals.isEmpty {
            let last = literals.count - 1
            literals[last].endsAlternative = join != .and
            literals[last].endsClause = join == .clause
        }
        literals.append(Literal(test: test, isNegated: isNegated))
    }

    /// How a question is joined with those before it.
    enum Join { case and, alternative, clause }

    /// Whether all clauses hold, by what holds of each question.
    @inline(__always)
    func holds(_ ask: (Test) -> Bool) -> Bool {
        var walk = ClauseWalk()
        for literal in literals {
            if walk.asks { walk.answer(ask(literal.test) != literal.isNegated) }
            if !walk.pass(literal.endsAlternative, literal.endsClause) { return false }
        }
        return true
    }

    /// Whether the clauses may hold, where of a question it may be unknown whether it holds.
    func mayHold(_ ask: (Test) -> Bool?) -> Bool {
        var walk = ClauseWalk()
        for literal in literals {
            if walk.asks { walk.answer(ask(literal.test).map { $0 != literal.isNegated } ?? true) }
            if !walk.pass(literal.endsAlternative, literal.endsClause) { return false }
        }
        return true
    }
}

/// The way through the clauses of a query: all clauses have to hold, of each one alternative, of that all questions.
struct ClauseWalk {
    private var holdsClause = false
    private var holdsAlternative = true

    /// Whether the answer to the next question matters.
    @inline(__always)
    var asks: Bool { !holdsClause && holdsAlternative }

    @inline(__always)
    mutating func answer(_ holds: Bool) { holdsAlternative = holds }

    /// Goes on behind a question; `false` where a clause that ends there does not hold.
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
