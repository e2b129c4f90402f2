/// A filter that matches records against patterns and reuses its memory.
package struct StructureFilter {
    private var searches: [SubstructureSearch]
    /// The reaction patterns among the alternatives of each pattern.
    private var reactionSearches: [[ReactionSearch]]
    /// The number of records that were rejected because the search reached its limit.
    package private(set) var abandoned = 0

    package init(_ patterns: [SMARTSPattern]) {
        searches = patterns.map { SubstructureSearch($0) }
        reactionSearches = patterns.map { ReactionSearch.all(of: $0) }
    }

    var isEmpty: Bool { searches.isEmpty }

    /// Whether each pattern is found in the record: in its molecule, in its reaction or a component of it, or in a
    /// structure in one of its fields.
    package mutating func finds(in record: borrowing Record) -> Bool {
        for place in searches.indices {
            switch find(place, in: record) {
            case .found: continue
            case .absent: return false
            case .unknown:
                abandoned += 1
                return false
            }
        }
        return true
    }

    private enum Outcome { case found, absent, unknown }

    private mutating func find(_ place: Int, in record: borrowing Record) -> Outcome {
        var outcome = Outcome.absent
        func note(_ other: Outcome) { if outcome != .found, other != .absent { outcome = other } }
        switch record.subject {
        case .molecule(let molecule): note(find(place, in: molecule))
        case .reaction(let reaction): note(find(place, in: reaction))
        case .none: break
        }
        if outcome != .found, !record.fields.structures.isEmpty {
            for structure in record.fields.structures {
                switch structure.note {
                case .molecule(let molecule): note(find(place, in: molecule))
                case .reaction(let reaction): note(find(place, in: reaction))
                }
            }
        }
        return outcome
    }

    private mutating func find(_ place: Int, in reaction: borrowing Reaction) -> Outcome {
        var outcome = Outcome.absent
        if !reactionSearches[place].isEmpty {
            outcome = find(reactionsOf: place, in: reaction)
            if outcome == .found { return .found }
        }
        if searches[place].pattern.isReaction { return outcome }
        for step in reaction.steps {
            for component in step.reactants + step.agents + step.products {
                let other = find(place, in: component.molecule)
                if other == .found { return .found }
                if other == .unknown { outcome = other }
            }
        }
        return outcome
    }

    private mutating func find(reactionsOf place: Int, in reaction: borrowing Reaction) -> Outcome {
        var record = Record(copy reaction)
        record.expandAbbreviations()
        guard case .reaction(let whole) = record.subject else { return .absent }
        var outcome = Outcome.absent
        for alternative in reactionSearches[place].indices {
            if reactionSearches[place][alternative].finds(in: whole) { return .found }
            if reactionSearches[place][alternative].gaveUp { outcome = .unknown }
        }
        return outcome
    }

    private mutating func find(_ place: Int, in molecule: borrowing Molecule) -> Outcome {
        let found: Bool
        if molecule.extras.isEmpty || molecule.extras.contents.abbreviations.isEmpty {
            found = searches[place].finds(in: molecule)
        } else {
            var record = Record(copy molecule)
            record.expandAbbreviations()
            guard case .molecule(let whole) = record.subject else { return .absent }
            found = searches[place].finds(in: whole)
        }
        return found ? .found : searches[place].gaveUp ? .unknown : .absent
    }
}
