import ChemopenModel

/// A search for a reaction pattern in any number of reactions, which reuses its memory.
package struct ReactionSearch: Sendable {
    private let isWhole: Bool
    private let sharedMaps: Set<Int32>
    private var reactants: SideSearch
    private var agents: SideSearch
    private var products: SideSearch
    private var stepsLeft = 0

    /// Returns a search for each reaction pattern that a pattern consists of.
    package static func all(of pattern: SMARTSPattern) -> [ReactionSearch] {
        pattern.reactions.map(ReactionSearch.init)
    }

    init(_ pattern: ReactionPattern) {
        isWhole = pattern.isWhole
        sharedMaps = pattern.isWhole ? [] : pattern.sharedMaps
        reactants = SideSearch(pattern.reactants)
        agents = SideSearch(pattern.agents)
        products = SideSearch(pattern.products)
    }

    /// Whether the last search reached its limit. If so, and no match was found, it is unknown whether the reaction
    /// matches.
    package var gaveUp: Bool { stepsLeft < 0 || reactants.gaveUp || agents.gaveUp || products.gaveUp }

    /// Searches the steps of a reaction. Abbreviations must already be expanded.
    ///
    /// - Returns: whether a step matches. The result is `false` if the search reached its limit; see `gaveUp`.
    package mutating func finds(in reaction: Reaction) -> Bool {
        (reactants.gaveUp, agents.gaveUp, products.gaveUp) = (false, false, false)
        stepsLeft = RecordCost.mostSearchSteps
        if isWhole, reaction.steps.count != 1 { return false }
        for step in reaction.steps where finds(in: step) { return true }
        return false
    }

    private mutating func finds(in step: Reaction.Step) -> Bool {
        if isWhole {
            return reactants.matchAll(step.reactants) && products.matchAll(step.products)
                && (agents.isEmpty || agents.matchAll(step.agents))
        }
        return reactants.matchSome(of: step.reactants) && products.matchSome(of: step.products)
            && agents.matchSome(of: step.agents) && (sharedMaps.isEmpty || agreesOnMaps(in: step))
    }

    // MARK: Map numbers

    /// Returns whether mapped atoms of reactants and products can match atoms with the same map numbers.
    private mutating func agreesOnMaps(in step: Reaction.Step) -> Bool {
        var patterns = reactants.choices(of: sharedMaps, step.reactants, isProduct: false)
        patterns += products.choices(of: sharedMaps, step.products, isProduct: true)
        patterns.sort { $0.count < $1.count }
        return assign(patterns[...], Assignment())
    }

    private struct Assignment {
        var numbers: [Int32: Int32] = [:]
        var reactants: Set<Int> = []
        var products: Set<Int> = []

        /// Returns the assignment with another choice, or `nil` if they contradict each other.
        func adding(_ choice: MapChoice) -> Assignment? {
            var next = self
            let isFree =
                choice.isProduct
                ? next.products.insert(choice.component).inserted : next.reactants.insert(choice.component).inserted
            if !isFree { return nil }
            for (map, number) in choice.numbers {
                if let known = next.numbers.updateValue(number, forKey: map), known != number { return nil }
            }
            return next
        }
    }

    /// Chooses components and map numbers for the remaining patterns that are consistent with the assigned ones. The
    /// depth is the number of components in the pattern.
    private mutating func assign(_ patterns: ArraySlice<[MapChoice]>, _ assignment: Assignment) -> Bool {
        guard let first = patterns.first else { return true }
        for choice in first {
            stepsLeft -= 1
            if stepsLeft < 0 { return false }
            if let next = assignment.adding(choice), assign(patterns.dropFirst(), next) { return true }
        }
        return false
    }
}

/// A component in which a pattern is found, and the map numbers of the atoms that match mapped atoms.
private struct MapChoice: Hashable {
    let component: Int
    let isProduct: Bool
    /// The number in the reaction for each map number of the pattern.
    let numbers: [Int32: Int32]
}

/// A search for the patterns of one side of a reaction.
private struct SideSearch: Sendable {
    private var searches: [SubstructureSearch]
    var gaveUp = false

    init(_ patterns: [SMARTSPattern]) {
        searches = patterns.map { SubstructureSearch($0) }
    }

    var isEmpty: Bool { searches.isEmpty }

    private mutating func finds(_ place: Int, in component: Reaction.Component) -> Bool {
        let isFound = searches[place].finds(in: component.molecule)
        if searches[place].gaveUp { gaveUp = true }
        return isFound
    }

    /// Returns whether each pattern can be assigned a different component.
    mutating func matchSome(of components: [Reaction.Component]) -> Bool {
        if searches.count > components.count { return false }
        var found: [[Int]] = []
        for place in searches.indices {
            found.append(components.indices.filter { finds(place, in: components[$0]) })
            if found[place].isEmpty { return false }
        }
        return Self.canPair(found, components.count)
    }

    /// Returns whether patterns and components can be paired completely.
    mutating func matchAll(_ components: [Reaction.Component]) -> Bool {
        searches.count == components.count && matchSome(of: components)
    }

    /// Returns whether a different index can be chosen from each list, by a search for augmenting paths.
    private static func canPair(_ lists: [[Int]], _ count: Int) -> Bool {
        if lists.count == 1 { return lists[0].isEmpty == false }
        var owner = [Int?](repeating: nil, count: count)
        for start in lists.indices {
            // The list from which each index was reached in a breadth-first search.
            var cameFrom = [Int?](repeating: nil, count: count)
            var queue = [start]
            var next = 0
            var end: Int?
            while next < queue.count, end == nil {
                let list = queue[next]
                next += 1
                for index in lists[list] where cameFrom[index] == nil {
                    cameFrom[index] = list
                    guard let other = owner[index] else {
                        end = index
                        break
                    }
                    queue.append(other)
                }
            }
            guard var index = end else { return false }
            while let list = cameFrom[index] {
                let before = owner.firstIndex(of: list)
                owner[index] = list
                guard let before else { break }
                owner[before] = nil
                index = before
            }
        }
        return true
    }

    /// Returns the choices for each pattern: the components that contain it, with the numbers for these map numbers.
    mutating func choices(
        of maps: Set<Int32>, _ components: [Reaction.Component], isProduct: Bool
    ) -> [[MapChoice]] {
        searches.indices.map { place in
            let atoms = searches[place].pattern.graph.atoms
            let mapped = atoms.indices.filter { maps.contains(atoms[$0].mapNumber) }
            var choices: Set<MapChoice> = []
            for (index, component) in components.enumerated() {
                if mapped.isEmpty {
                    guard finds(place, in: component) else { continue }
                    choices.insert(MapChoice(component: index, isProduct: isProduct, numbers: [:]))
                    continue
                }
                let matches = searches[place].matches(
                    in: component.molecule, atMost: Self.mostMatches, differingIn: mapped)
                if searches[place].gaveUp || matches.count == Self.mostMatches { gaveUp = true }
                for match in matches {
                    guard let numbers = Self.numbers(of: match, mapped, atoms, component.molecule) else { continue }
                    choices.insert(MapChoice(component: index, isProduct: isProduct, numbers: numbers))
                }
            }
            return Array(choices)
        }
    }

    /// Returns the map numbers of a match, or `nil` if one is missing or contradicts another.
    private static func numbers(
        of match: [Int], _ mapped: [Int], _ atoms: [QueryGraph.Atom], _ molecule: Molecule
    ) -> [Int32: Int32]? {
        var numbers: [Int32: Int32] = [:]
        for place in mapped {
            guard molecule.atoms.indices.contains(match[place]) else { return nil }
            let number = Int32(clamping: molecule.atoms[match[place]].mapNumber)
            if number == 0 { return nil }
            if let known = numbers.updateValue(number, forKey: atoms[place].mapNumber), known != number { return nil }
        }
        return numbers
    }

    /// The maximum number of matches of a pattern in a component.
    private static let mostMatches = 1000
}
