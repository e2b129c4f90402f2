import ChemopenModel

/// The components of a reaction pattern, such as `[C:1]O>>[C:1]=O`.
///
/// Each component must be found in a component of the reaction that has the same role, and different ones must be found
/// in different components; `(C=O.N)>>` finds both parts in one reactant. A map number that the pattern contains on
/// both sides of the arrow must match atoms that have the same map number in the reaction.
struct ReactionPattern: Sendable, Hashable {
    /// The patterns before, above and after the arrow.
    var reactants: [SMARTSPattern] = []
    var agents: [SMARTSPattern] = []
    var products: [SMARTSPattern] = []
    /// Whether a reaction must consist of exactly these components. Agents are compared only if the pattern has any.
    var isWhole = false

    /// The map numbers that occur on both sides of the arrow.
    var sharedMaps: Set<Int32> {
        Self.maps(of: reactants).intersection(Self.maps(of: products))
    }

    private static func maps(of patterns: [SMARTSPattern]) -> Set<Int32> {
        Set(patterns.flatMap { $0.graph.atoms.map(\.mapNumber) }.filter { $0 > 0 })
    }
}

extension ReactionPattern {
    /// Parses the pattern of a reaction, or returns `nil` if the text has no arrow.
    init?(_ text: String) throws(SMARTSError) {
        let bytes = Array(text.utf8)
        let arrows = Self.places(of: UInt8(ascii: ">"), in: bytes[...])
        guard let first = arrows.first else { return nil }
        guard arrows.count == 2 else {
            throw SMARTSError(
                message: "expected two > between reactants, agents and products, found \(arrows.count)",
                range: first..<(arrows.last ?? first) + 1)
        }
        if bytes.count == 2 {
            throw SMARTSError(message: "expected a component before or after the arrow", range: 0..<2)
        }
        reactants = try Self.components(bytes, 0..<first)
        agents = try Self.components(bytes, first + 1..<arrows[1])
        products = try Self.components(bytes, arrows[1] + 1..<bytes.count)
    }

    private static func components(_ bytes: [UInt8], _ range: Range<Int>) throws(SMARTSError) -> [SMARTSPattern] {
        if range.isEmpty { return [] }
        var patterns: [SMARTSPattern] = []
        var start = range.lowerBound
        for end in places(of: UInt8(ascii: "."), in: bytes[range]) + [range.upperBound] {
            patterns.append(try SMARTSPattern(bytes, start..<end))
            start = end + 1
        }
        return patterns
    }

    /// Returns the positions of a byte outside of brackets and parentheses. In the bond `->`, `>` is not an arrow.
    private static func places(of byte: UInt8, in text: ArraySlice<UInt8>) -> [Int] {
        var places: [Int] = []
        var depth = 0
        for (place, found) in zip(text.indices, text) {
            switch found {
            case UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
            case byte where depth <= 0:
                let isBond =
                    byte == UInt8(ascii: ">") && place > text.startIndex && text[place - 1] == UInt8(ascii: "-")
                if !isBond { places.append(place) }
            default: break
            }
        }
        return places
    }
}

extension SMARTSPattern {
    /// Creates a pattern from a drawn reaction of one step: each of its components must be found in a component of the
    /// same role.
    ///
    /// - Throws: `DrawnPatternError` if the reaction has several steps, no components, or an unsupported query.
    public init(drawn reaction: Reaction) throws(DrawnPatternError) {
        self.init(
            try ReactionPattern(reaction) { molecule throws(DrawnPatternError) in try SMARTSPattern(drawn: molecule) })
    }

    /// Creates a pattern that matches only reactions of the same reactants and products. Agents are compared only if
    /// this reaction has any; map numbers and the order of the components are ignored.
    ///
    /// - Parameter findsRacemates: whether an enantiomer also matches its racemate.
    /// - Throws: `DrawnPatternError` if the reaction has several steps or no components.
    public init(exactly reaction: Reaction, findsRacemates: Bool = false) throws(DrawnPatternError) {
        var pattern = try ReactionPattern(reaction) { molecule in
            SMARTSPattern(exactly: molecule, findsRacemates: findsRacemates)
        }
        pattern.isWhole = true
        self.init(pattern)
    }
}

extension ReactionPattern {
    fileprivate init(
        _ reaction: Reaction, _ make: (Molecule) throws(DrawnPatternError) -> SMARTSPattern
    ) throws(DrawnPatternError) {
        guard reaction.steps.count == 1, let step = reaction.steps.first else {
            throw DrawnPatternError(description: "the reaction must have exactly one step")
        }
        if reaction.components.isEmpty { throw DrawnPatternError(description: "the reaction has no components") }
        func patterns(_ components: [Reaction.Component]) throws(DrawnPatternError) -> [SMARTSPattern] {
            var patterns: [SMARTSPattern] = []
            for component in components { patterns.append(try make(component.molecule)) }
            return patterns
        }
        reactants = try patterns(step.reactants)
        agents = try patterns(step.agents)
        products = try patterns(step.products)
    }
}
