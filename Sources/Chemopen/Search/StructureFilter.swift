/// A filter that matches records against patterns and reuses its memory.
package struct StructureFilter {
    private var searches: [SubstructureSearch]
    /// The number of records that were rejected because the search reached its limit.
    package private(set) var abandoned = 0

    package init(_ patterns: [SMARTSPattern]) {
        searches = patterns.map { SubstructureSearch($0) }
    }

    var isEmpty: Bool { searches.isEmpty }

    /// Whether each pattern is found in the record: in its molecule, in a component of its reaction, or in a structure
    /// in one of its fields.
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
        for step in reaction.steps {
            for component in step.reactants + step.agents + step.products {
                let other = find(place, in: component.molecule)
                if other == .found { return .found }
                if other == .unknown { outcome = other }
            }
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
