import ChemopenChemistry
import ChemopenModel

extension Features {
    /// The features of a structure that SMILES and its CX extensions have words for.
    static let inSMILES = Features(
        .molecules, .reactions, .agents, .charges, .isotopes, .radicals, .hydrogenCounts, .impliedHydrogens, .valences,
        .mapNumbers, .bonds, .higherOrders, .aromaticBonds, .queryBonds, .dativeBonds, .stereoMarks, .bondGeometries,
        .parities,
        // Of each of these the extensions tell what they have no place for.
        .labels, .aliases, .atomValues, .radicalMultiplicity, .stereoGroups, .linkNodes, .multicentreBonds, .rgroups,
        .sgroups)
}

extension SMILESReader {
    /// Reads a SMILES, and CX extensions to it, into a record, whose molecule's memory is used again.
    ///
    /// - Parameter start: where the line begins by which a fault and the doubts count their columns.
    mutating func read(
        _ range: Range<Int>, extended extensions: Range<Int>?, of bytes: [UInt8], into record: inout Record,
        from start: Int, line: Int
    ) throws(Fault) -> [Issue] {
        do throws(SMILESError) {
            try read(range, extended: extensions, of: bytes, into: record.takeMolecule())
        } catch {
            throw Fault(line: 0, error.range.moved(by: -start), expected: error.expected)
        }
        if let reaction {
            record.subject = .reaction(reaction)
        } else {
            record.subject = .molecule(takeMolecule())
        }
        return doubts.map { doubt in
            let found = Text(bytes: bytes[doubt.range])
            return Issue(line: line, columns: doubt.range.moved(by: 1 - start), "\(doubt.message)", found: found)
        }
    }
}

extension Range<Int> {
    /// The range so much further on; an empty one, which is no place, stays empty.
    fileprivate func moved(by distance: Int) -> Range<Int> {
        isEmpty ? 0..<0 : lowerBound + distance..<upperBound + distance
    }
}

extension SMILESText {
    /// Prints the structure of a record, with CX extensions where it says more than SMILES, in the place of what was printed
    /// before; nothing where it has none.
    mutating func print(_ record: borrowing Record) {
        removeAll()
        switch record.subject {
        case .none: break
        case .molecule(let molecule): appendExtended(molecule)
        case .reaction(let reaction): append(reaction)
        }
        appendExtensions()
    }

    /// Notes what the record says and has no place, and what of its structure SMILES could have said.
    func noteLosses(of record: borrowing Record, beyond held: Features, in losses: inout [Loss]) {
        let saysRadicals = !extensions.unsaid.contains { $0.feature == .radicals }
        let unsaid = saysRadicals ? unsaid.subtracting(Features(.radicals)) : unsaid
        losses.note(record, beyond: held.subtracting(unsaid).union(held.contains(.molecules) ? extensions.said : []))
        for part in extensions.unsaid where held.contains(part.feature) { losses.note(part.feature, Text(part.words)) }
        losses.note(.stereoMarks, "the geometry of a double bond", count: unsaidGeometries)
        losses.note(.bonds, "a second one between two atoms", count: repeatedBonds)
        losses.note(.hydrogenCounts, "more than 127 at an atom", count: unsaidHydrogens)
        losses.note(.numbering, "written in the order of the file, which is not canonical", count: uncanonical)
    }

    /// The components of one step: its reactants, agents and products, each with a dot between; a component of several
    /// parts by the CX extension for that.
    private mutating func append(_ reaction: borrowing Reaction) {
        guard let step = reaction.steps.first else { return append(">>") }
        var groups: [Range<Int>] = []
        append(step.reactants.map(\.molecule), &groups)
        append(">")
        append(step.agents.map(\.molecule), &groups)
        append(">")
        append(step.products.map(\.molecule), &groups)
        for group in groups where group.count > 1 { join(group) }
    }

    /// - Parameter groups: the parts of each component, as all of the text count.
    private mutating func append(_ molecules: [Molecule], _ groups: inout [Range<Int>]) {
        var isFirst = true
        for molecule in molecules where !molecule.atoms.isEmpty {
            if !isFirst { append(".") }
            isFirst = false
            appendExtended(molecule, isComponent: true)
            let start = groups.last?.upperBound ?? 0
            groups.append(start..<start + partCount)
        }
    }
}
