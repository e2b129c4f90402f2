import ChemopenChemistry
import ChemopenModel

extension Features {
    /// The features of a structure that SMILES has words for.
    static let inSMILES = Features(
        .molecules, .reactions, .agents, .charges, .isotopes, .radicals, .hydrogenCounts, .impliedHydrogens, .valences,
        .mapNumbers, .bonds, .aromaticBonds, .dativeBonds, .stereoMarks, .parities)
}

extension SMILESText {
    /// Prints the structure of a record in the place of what was printed before; nothing where it has none.
    mutating func print(_ record: borrowing Record) {
        removeAll()
        switch record.subject {
        case .none: break
        case .molecule(let molecule): append(molecule)
        case .reaction(let reaction): append(reaction)
        }
    }

    /// Notes what the structure that was printed says and SMILES could have said.
    func noteLosses(in losses: inout [Loss]) {
        losses.note(.stereoMarks, "the geometry of a double bond", count: unsaidGeometries)
    }

    /// The components of one step: its reactants, agents and products, each with a dot between.
    private mutating func append(_ reaction: borrowing Reaction) {
        guard let step = reaction.steps.first else { return append(">>") }
        append(step.reactants.map(\.molecule))
        append(">")
        append(step.agents.map(\.molecule))
        append(">")
        append(step.products.map(\.molecule))
    }

    private mutating func append(_ molecules: [Molecule]) {
        var isFirst = true
        for molecule in molecules where !molecule.atoms.isEmpty {
            if !isFirst { append(".") }
            isFirst = false
            append(molecule)
        }
    }
}
