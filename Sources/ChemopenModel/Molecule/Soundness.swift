extension Molecule {
    /// The first error that makes the molecule invalid: a bond to a missing atom, or a coordinate that is not a finite
    /// number.
    ///
    /// It is `nil` if the molecule is valid, as all molecules from readers are.
    ///
    ///     molecule.bonds.append(Bond(0, 99))
    ///     print(molecule.validationError ?? "")      // bond 3 refers to atom 100, but the last atom is 3
    ///
    /// Writers reject an invalid molecule. In this text, atoms and bonds are numbered from 1, as in files.
    public var validationError: String? { Soundness.reason(against: self) }
}

/// Validates molecules.
private enum Soundness {
    static func reason(against molecule: borrowing Molecule) -> String? {
        let (atoms, bonds) = (molecule.atoms, molecule.bonds)
        // If all coordinates are finite, the sum of their products with 0 is 0. Therefore, a single comparison checks
        // all atoms.
        var sum = 0.0
        for index in atoms.indices {
            let position = atoms[index].position
            sum += (position.x + position.y + position.z) * 0
        }
        if sum != 0 || sum.isNaN, let reason = reason(againstPositions: atoms) { return reason }
        let count = Int32(clamping: atoms.count)
        for index in bonds.indices {
            let last = max(bonds[index].from, bonds[index].to)
            if last >= count { return "bond \(index + 1) refers to atom \(last + 1), but the last atom is \(count)" }
        }
        return molecule.extras.isEmpty ? nil : molecule.extras.contents.validationError
    }

    private static func reason(againstPositions atoms: [Atom]) -> String? {
        for (index, atom) in atoms.enumerated() {
            for number in [atom.position.x, atom.position.y, atom.position.z] where !number.isFinite {
                return "atom \(index + 1) has an invalid coordinate: \(number)"
            }
        }
        return nil
    }
}

extension Extras.Contents {
    fileprivate var validationError: String? {
        for group in rgroups {
            for member in group.members {
                if let reason = member.validationError { return "in R\(group.number): \(reason)" }
            }
        }
        for template in templates {
            if let reason = template.molecule.validationError { return "in a template: \(reason)" }
        }
        for abbreviation in abbreviations {
            if let reason = abbreviation.molecule.validationError { return "in an abbreviation: \(reason)" }
        }
        return nil
    }
}

extension Record {
    /// The first error that makes a structure of the record invalid; see `Molecule.validationError`.
    public var validationError: String? {
        switch subject {
        case .none: break
        case .molecule(let molecule): return validationError(holding: molecule)
        case .reaction(let reaction):
            if let reason = reaction.validationError { return reason }
        }
        return fields.structures.isEmpty ? nil : fields.validationError
    }

    /// Returns the same for a record whose molecule is passed separately, which avoids a copy.
    package func validationError(holding molecule: borrowing Molecule) -> String? {
        molecule.validationError ?? (fields.structures.isEmpty ? nil : fields.validationError)
    }
}

extension Reaction {
    fileprivate var validationError: String? {
        for step in steps {
            for component in [step.reactants, step.agents, step.products].joined() {
                if let reason = component.molecule.validationError { return reason }
            }
        }
        return nil
    }
}

extension Fields {
    fileprivate var validationError: String? {
        for structure in structures {
            let reason =
                switch structure.note {
                case .molecule(let molecule): molecule.validationError
                case .reaction(let reaction): reaction.validationError
                }
            if let reason { return "in field \"\(self[Int(structure.index)].name)\": \(reason)" }
        }
        return nil
    }
}
