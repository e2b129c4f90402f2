extension Record {
    /// Replaces each abbreviation with its atoms, in a molecule and in the molecules of a reaction.
    ///
    /// - Parameter asGroups: Whether to preserve each label as an Sgroup of the atoms. Molecules that use SketchEl's
    ///   hydrogen rule are then unchanged, because the MDL writers place these groups at the position of the label.
    public mutating func expandAbbreviations(asGroups: Bool = false) {
        guard mayHaveAbbreviations else { return }
        switch subject {
        case .none: break
        case .molecule(var molecule):
            subject = .none
            molecule.expandAll(asGroups: asGroups)
            subject = .molecule(molecule)
        case .reaction(var reaction):
            subject = .none
            for step in reaction.steps.indices {
                for component in reaction.steps[step].reactants.indices {
                    reaction.steps[step].reactants[component].molecule.expandAll(asGroups: asGroups)
                }
                for component in reaction.steps[step].agents.indices {
                    reaction.steps[step].agents[component].molecule.expandAll(asGroups: asGroups)
                }
                for component in reaction.steps[step].products.indices {
                    reaction.steps[step].products[component].molecule.expandAll(asGroups: asGroups)
                }
            }
            subject = .reaction(reaction)
        }
    }

    /// Whether abbreviations are possible. This is checked in advance because modifying the molecule in the record
    /// would copy it.
    private var mayHaveAbbreviations: Bool {
        switch subject {
        case .none: false
        case .molecule(let molecule): !molecule.extras.isEmpty
        case .reaction: true
        }
    }
}

extension Molecule {
    fileprivate mutating func expandAll(asGroups: Bool) {
        if asGroups, hydrogenRule == .sketchEl { return }
        expandAbbreviations(asGroups: asGroups)
    }
}
