import ChemopenModel

/// A search for a pattern in any number of molecules, which reuses its memory.
///
///     var search = SubstructureSearch(try SMARTSPattern("c1ccccc1"))
///     search.finds(in: molecule)       // true or false
///     search.match                     // the matched atoms, in the order of the pattern
public struct SubstructureSearch: Sendable {
    /// The pattern to search for.
    public let pattern: SMARTSPattern
    private let screen: PatternScreen
    private var graph = MoleculeGraph()
    /// The search state for the pattern, and for each of its recursions.
    private var frames: [Frame]
    /// The cached result for each recursion and atom: 0 unknown, 1 found, 2 not found.
    private var known: [[UInt8]]
    private var stepsLeft = 0
    /// The matches that `matches(in:)` collects, and their atoms in ascending order. `nil` if a single match is enough.
    private var collected: Matches?
    /// The stereo groups of the molecule, if it has any and the pattern is exact.
    private var groups: MirroredGroups?
    /// Whether the last search reached its limit. If so, it is unknown whether the molecule contains the pattern.
    public private(set) var gaveUp = false

    /// The maximum number of steps for each molecule.
    public static let mostSteps = RecordCost.mostSearchSteps

    /// Creates a search for a pattern.
    public init(_ pattern: SMARTSPattern) {
        self.pattern = pattern
        screen = PatternScreen(pattern)
        frames = [Frame(pattern.graph)] + pattern.recursions.map(Frame.init)
        known = pattern.recursions.map { _ in [] }
    }

    /// Searches a molecule for the pattern.
    ///
    /// - Returns: whether the molecule contains the pattern. The result is `false` if the search reached its limit; see
    ///   `gaveUp`.
    public mutating func finds(in molecule: borrowing Molecule) -> Bool {
        gaveUp = false
        if pattern.isReaction { return false }
        if !screen.mayMatch(molecule) { return false }
        graph.take(molecule)
        return finds(perceivedFrom: molecule)
    }

    /// Counts the atoms in the molecule that the first atom of the pattern can match.
    ///
    /// - Returns: the number of atoms, which is too low if the search reached its limit; see `gaveUp`.
    public mutating func matchCount(ofFirstAtomIn molecule: borrowing Molecule) -> Int {
        gaveUp = false
        if pattern.isReaction { return 0 }
        graph.take(molecule)
        perceive(molecule)
        var anchored = frames[0].query
        anchored.order = MatchOrder(of: anchored, isAnchored: true)
        frames[0] = Frame(anchored)
        var count = 0
        for atom in graph.vertices.indices where finds(0, at: Int32(truncatingIfNeeded: atom)) { count += 1 }
        frames[0] = Frame(pattern.graph)
        return count
    }

    /// Finds all matches in a molecule. Matches of the same atoms in a different order count as one.
    ///
    /// - Parameter most: The number of matches after which the search stops.
    /// - Returns: for each match, the atom indices in the order of the pattern's atoms; -1 for an implied hydrogen. The
    ///   list is incomplete if the search reached its limit; see `gaveUp`.
    public mutating func matches(in molecule: borrowing Molecule, atMost most: Int = 1000) -> [[Int]] {
        matches(in: molecule, atMost: most, differingIn: [])
    }

    /// Finds all matches in a molecule. If `places` is not empty, matches in which these atoms of the pattern match the
    /// same atoms count as one.
    mutating func matches(in molecule: borrowing Molecule, atMost most: Int, differingIn places: [Int]) -> [[Int]] {
        collected = Matches(most: most, places: places)
        _ = finds(in: molecule)
        let found = collected?.atoms ?? []
        collected = nil
        return found
    }

    private struct Matches: Sendable {
        let most: Int
        let places: [Int]
        var atoms: [[Int]] = []
        var known: Set<[Int32]> = []
    }

    /// Stores a complete match. Returns whether the search is finished.
    private mutating func collect(_ frame: borrowing Frame) -> Bool {
        guard var matches = collected.take() else { return true }
        let key = matches.places.isEmpty ? frame.map.sorted() : matches.places.map { frame.map[$0] }
        if matches.known.insert(key).inserted {
            matches.atoms.append(
                frame.map.map { graph.vertices.indices.contains(Int($0)) ? Int(graph.vertices[Int($0)].origin) : -1 })
        }
        let isFull = matches.atoms.count >= matches.most
        collected = matches
        return isFull
    }

    /// Checks quickly whether the molecule has the elements and bonds that the pattern requires.
    ///
    /// - Returns: `false` if the molecule cannot contain the pattern; `true` if it is possible.
    public func mayFind(in molecule: borrowing Molecule) -> Bool {
        screen.mayMatch(molecule)
    }

    /// The atom indices of the last match, in the order of the pattern's atoms.
    public var match: [Int] {
        frames[0].map.map { graph.vertices.indices.contains(Int($0)) ? Int(graph.vertices[Int($0)].origin) : -1 }
    }

    /// Whether some properties of the molecule were not completely perceived because it is too large.
    public var isIncomplete: Bool { graph.isIncomplete }

    private mutating func finds(perceivedFrom molecule: borrowing Molecule) -> Bool {
        let sizes = (pattern.graph.atoms.count, pattern.graph.bonds.count)
        if pattern.isWhole, sizes != (graph.vertices.count, graph.edges.count) { return false }
        perceive(molecule)
        return finds(0, at: -1)
    }

    /// Perceives the properties that the pattern depends on, and clears the cache of the last molecule.
    private mutating func perceive(_ molecule: borrowing Molecule) {
        let needs = pattern.needs
        if needs.contains(.rings) { graph.perceiveRings() }
        if needs.contains(.aromaticity) { graph.perceiveAromaticity() }
        if needs.contains(.hybridisation) { graph.perceiveHybridisation() }
        if needs.contains(.fragments) { graph.perceiveFragments() }
        if needs.contains(.stereo) {
            graph.perceiveStereo(of: molecule)
            let hasGroups = pattern.isWhole && !molecule.extras.isEmpty
            groups = hasGroups ? MirroredGroups(molecule, graph) : nil
        }
        for place in known.indices {
            known[place].removeAll(keepingCapacity: true)
            for _ in graph.vertices { known[place].append(0) }
        }
        stepsLeft = Self.mostSteps
    }

    // MARK: Search

    /// The state of the search for one graph of the pattern.
    private struct Frame: Sendable {
        let query: QueryGraph
        /// The matched atom for each atom of the pattern, or -1.
        var map: [Int32]
        /// For each step, the index of the next candidate and the end of the candidates.
        var cursors: [Int32]
        var ends: [Int32]
        /// Whether each atom is already matched.
        var isUsed: [Bool] = []

        init(_ query: QueryGraph) {
            self.query = query
            map = [Int32](repeating: -1, count: query.atoms.count)
            cursors = [Int32](repeating: 0, count: query.atoms.count)
            ends = cursors
        }

        /// A placeholder for a frame that is in use.
        static let none = Frame(QueryGraph())
    }

    /// Searches for a graph of the pattern, beginning at a known first atom or at any atom.
    private mutating func finds(_ number: Int, at anchor: Int32) -> Bool {
        var frame = Frame.none
        swap(&frame, &frames[number])
        while frame.isUsed.count < graph.vertices.count { frame.isUsed.append(false) }
        let found = run(&frame, at: anchor, collects: number == 0 && collected != nil)
        for atom in frame.map where atom >= 0 && frame.isUsed.indices.contains(Int(atom)) {
            frame.isUsed[Int(atom)] = false
        }
        swap(&frame, &frames[number])
        return found
    }

    private mutating func run(_ frame: inout Frame, at anchor: Int32, collects: Bool) -> Bool {
        for place in frame.map.indices { frame.map[place] = -1 }
        let steps = frame.query.order.steps
        if steps.count > graph.vertices.count { return false }
        begin(0, &frame, at: anchor)
        var depth = 0
        while true {
            let step = steps[depth]
            if let atom = nextAtom(for: step, depth, &frame) {
                frame.map[Int(step.atom)] = atom
                frame.isUsed[Int(atom)] = true
                if depth + 1 < steps.count {
                    depth += 1
                    begin(depth, &frame, at: -1)
                    continue
                }
                if isWhole(frame), !collects || collect(frame) { return true }
                release(step.atom, &frame)
            } else if depth == 0 || gaveUp {
                return false
            } else {
                depth -= 1
                release(steps[depth].atom, &frame)
            }
        }
    }

    private func release(_ atom: Int32, _ frame: inout Frame) {
        frame.isUsed[Int(frame.map[Int(atom)])] = false
        frame.map[Int(atom)] = -1
    }

    /// Determines the candidates of a step: a single atom, the neighbors of an atom, or all atoms.
    private func begin(_ depth: Int, _ frame: inout Frame, at anchor: Int32) {
        let parent = frame.query.order.steps[depth].parent
        if parent >= 0 {
            let atom = graph.vertices[Int(frame.map[Int(parent)])]
            frame.cursors[depth] = atom.first
            frame.ends[depth] = atom.end
        } else if anchor >= 0 {
            frame.cursors[depth] = anchor
            frame.ends[depth] = anchor + 1
        } else {
            frame.cursors[depth] = 0
            frame.ends[depth] = Int32(truncatingIfNeeded: graph.vertices.count)
        }
    }

    /// Returns the next candidate of a step that matches, or `nil` if there are no more.
    private mutating func nextAtom(for step: MatchOrder.Step, _ depth: Int, _ frame: inout Frame) -> Int32? {
        while frame.cursors[depth] < frame.ends[depth] {
            let cursor = frame.cursors[depth]
            frame.cursors[depth] = cursor &+ 1
            stepsLeft -= 1
            if stepsLeft < 0 {
                gaveUp = true
                return nil
            }
            var atom = cursor
            if step.parent >= 0 {
                let neighbor = graph.neighbors[Int(cursor)]
                atom = neighbor.atom
                if frame.isUsed[Int(atom)] { continue }
                let bond = frame.query.bonds[Int(step.bond)]
                if !graph.fits(neighbor.edge, bond, from: frame.map[Int(step.parent)], isForward: bond.to == step.atom)
                {
                    continue
                }
            } else if frame.isUsed[Int(atom)] {
                continue
            }
            if !fits(Int(atom), frame.query.atoms[Int(step.atom)].expression) { continue }
            if !step.closures.isEmpty, !closes(step, atom, frame) { continue }
            return atom
        }
        return nil
    }

    /// Returns whether an atom has all required bonds to previously matched atoms.
    private func closes(_ step: MatchOrder.Step, _ atom: Int32, _ frame: borrowing Frame) -> Bool {
        for number in step.closures {
            let bond = frame.query.bonds[Int(number)]
            let other = frame.map[Int(bond.other(than: step.atom))]
            guard let edge = graph.edge(between: atom, and: other),
                graph.fits(edge, bond, from: other, isForward: bond.to == step.atom)
            else { return false }
        }
        return true
    }

    // MARK: Atoms

    private mutating func fits(_ atom: Int, _ expression: Expression<AtomTest>) -> Bool {
        var walk = ClauseWalk()
        for literal in expression.literals {
            if walk.asks {
                let holds =
                    if case .recursion(let number) = literal.test {
                        finds(recursion: Int(number), at: atom)
                    } else {
                        graph.holds(literal.test, of: atom)
                    }
                walk.answer(holds != literal.isNegated)
            }
            if !walk.pass(literal.endsAlternative, literal.endsClause) { return false }
        }
        return true
    }

    /// Returns whether a pattern in `$(…)` matches at an atom, and caches the result.
    private mutating func finds(recursion number: Int, at atom: Int) -> Bool {
        let answer = known[number][atom]
        if answer != 0 { return answer == 1 }
        let found = finds(number + 1, at: Int32(truncatingIfNeeded: atom))
        known[number][atom] = found ? 1 : 2
        return found
    }

    // MARK: Complete matches

    /// Returns whether the matched atoms also satisfy the conditions on components and configurations.
    private func isWhole(_ frame: borrowing Frame) -> Bool {
        if pattern.needs.contains(.fragments), !areApart(frame) { return false }
        if !pattern.needs.contains(.stereo) { return true }
        if pattern.isWhole {
            return graph.hasGeometries(of: frame.query, frame.map)
                && graph.hasCoordinations(of: frame.query, frame.map)
                && pattern.hasCenters(in: graph, frame.query, frame.map, groups)
        }
        return graph.hasStereo(of: frame.query, frame.map)
    }

    /// Returns whether the components in parentheses are in different fragments.
    private func areApart(_ frame: borrowing Frame) -> Bool {
        var fragments: [Int32: Int32] = [:]
        for (place, atom) in frame.query.atoms.enumerated() where atom.component >= 0 {
            let fragment = graph.fragments[Int(frame.map[place])]
            if let known = fragments[atom.component] {
                if known != fragment { return false }
            } else if fragments.values.contains(fragment) {
                return false
            } else {
                fragments[atom.component] = fragment
            }
        }
        return true
    }
}
