extension Record {
    /// Replaces every abbreviation by its atoms, in a molecule and in the molecules of a reaction.
    ///
    /// With `asGroups` each label goes on as that of an Sgroup of its atoms; molecules in SketchEl's terms stay as they
    /// are, as the writers of MDL's formats put these groups where the label was drawn.
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

    /// Asked by itself, since the molecule of a record that may change would be copied to be looked at.
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
