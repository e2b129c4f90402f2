import ChemopenChemistry
import ChemopenFormats
import ChemopenModel

extension Record {
    /// The content of the structure that a SMILES does not show: the positions of all atoms, and everything else that
    /// `Comparison` compares.
    var drawingText: [UInt8] {
        var text = DrawingText()
        switch subject {
        case .molecule(let molecule): text.add([molecule])
        case .reaction(let reaction):
            text.add(reaction.components.map(\.molecule))
            for step in reaction.steps {
                text.add("step \(step.reactants.count) \(step.agents.count) \(step.products.count)")
                text.add("\(step.arrow.name)")
                for condition in step.conditions { text.add(condition) }
            }
            for component in reaction.components where !component.name.isEmpty || !component.stoichiometry.isEmpty {
                text.add(component.name)
                text.add(component.stoichiometry)
            }
        case .none: break
        }
        return text.bytes
    }
}

/// A builder for the text of drawings, which is hashed.
private struct DrawingText {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ molecules: [Molecule]) {
        for position in molecules.flatMap({ $0.atoms.map(\.position) }) {
            for value in [position.x, position.y, position.z] {
                bytes.appendShortest(value)
                bytes.append(UInt8(ascii: " "))
            }
        }
        for molecule in molecules { addRest(of: molecule) }
    }

    mutating func add(_ line: String) { bytes += Array(line.utf8) + [0x0A] }

    mutating func add(_ text: Text) { bytes += text.inUTF8.bytes + [0x0A] }

    /// Adds everything except the positions and the properties of atoms that a SMILES shows. Properties with their usual
    /// values are left out.
    private mutating func addRest(of molecule: Molecule) {
        if !molecule.comment.isEmpty { add(molecule.comment) }
        if molecule.flags.contains(.chiral) { add("chiral") }
        // In a drawing, parities follow from the coordinates.
        let hasParities = CoordinateKind(of: molecule) == .unplaced
        for index in molecule.atoms.indices where !molecule.atoms[index].isPlain {
            let atom = molecule.atoms[index]
            let notes = ComparedAtom(index, of: molecule).notes
            if atom.radical != .none { add("\(index) radical \(atom.radical.mdlCode)") }
            if hasParities, atom.marks.parity != 0 { add("\(index) parity \(atom.marks.parity)") }
            if !notes.isEmpty { add("\(index) \(notes.map { "\($0)" }.sorted().joined(separator: ", "))") }
        }
        var bonds: [String] = []
        for bond in molecule.bonds where bond.order != .single || !bond.isPlain {
            let isDirected = bond.order == .dative || bond.mark == .up || bond.mark == .down
            let ends = isDirected ? (bond.from, bond.to) : (min(bond.from, bond.to), max(bond.from, bond.to))
            let traits = bond.traits.subtracting(.hasNotes).rawValue
            bonds.append("\(ends.0) \(ends.1) \(bond.order) \(bond.mark) \(traits) \(bond.reactingCenter)")
        }
        for line in bonds.sorted() { add(line) }
        if !molecule.extras.isEmpty { addExtras(molecule.extras.contents, of: molecule) }
    }

    private mutating func addExtras(_ extras: Extras.Contents, of molecule: Molecule) {
        for group in extras.stereoGroups.inOrderOfContent { add("\(group)") }
        for collection in extras.collections { add("\(collection)") }
        for node in extras.linkNodes { add("\(node)") }
        for sgroup in extras.sgroups.inOrderOfContent(in: molecule) { add("\(sgroup)") }
        for abbreviation in extras.abbreviations {
            add("abbreviation \(abbreviation.atom)")
            add([abbreviation.molecule])
        }
        for group in extras.rgroups {
            add("R-group \(group.number) \(group.logic.map { "\($0)" } ?? "")")
            add(group.members)
        }
        for template in extras.templates {
            add(template.name)
            add([template.molecule])
        }
    }
}
