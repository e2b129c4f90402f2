import ChemopenChemistry
import ChemopenModel

extension Features {
    /// The features of a structure that SMILES and its CX extensions can represent.
    static let inSMILES = Features(
        .molecules, .reactions, .agents, .charges, .isotopes, .radicals, .hydrogenCounts, .impliedHydrogens, .valences,
        .mapNumbers, .bonds, .higherOrders, .aromaticBonds, .queryBonds, .dativeBonds, .stereoMarks, .bondGeometries,
        .coordinationStereo, .parities, .zeroOrderBonds, .hydrogenBonds,
        // For each of these, the extensions report the parts that they cannot represent.
        .labels, .aliases, .atomValues, .radicalMultiplicity, .stereoGroups, .linkNodes, .multicenterBonds, .rgroups,
        .sgroups)
}

extension SMILESReader {
    /// Reads a SMILES with optional CX extensions into a record, and reuses the memory of the record's molecule.
    ///
    /// - Parameter start: the start of the line. Faults and issues count their columns from here.
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
    /// Returns the range moved by a distance. An empty range has no position and becomes `0..<0`.
    fileprivate func moved(by distance: Int) -> Range<Int> {
        isEmpty ? 0..<0 : lowerBound + distance..<upperBound + distance
    }
}

extension SMILESText {
    /// Replaces the text with the structure of a record, including CX extensions if SMILES alone is not enough. Without
    /// a structure, the text is empty.
    mutating func print(_ record: borrowing Record) {
        removeAll()
        switch record.subject {
        case .none: break
        case .molecule(let molecule): appendExtended(molecule)
        case .reaction(let reaction): append(reaction)
        }
        appendExtensions()
    }

    /// Records the content of a record that cannot be represented, including parts of the structure that SMILES can
    /// represent in general but not in this case.
    func noteLosses(of record: borrowing Record, unsupportedBy held: Features, in losses: inout [Loss]) {
        let saysRadicals = !extensions.unsaid.contains { $0.feature == .radicals }
        let unsaid = saysRadicals ? unsaid.subtracting(Features(.radicals)) : unsaid
        losses.note(
            record, unsupportedBy: held.subtracting(unsaid).union(held.contains(.molecules) ? extensions.said : []))
        for part in extensions.unsaid where held.contains(part.feature) { losses.note(part.feature, Text(part.words)) }
        losses.note(.stereoMarks, "the geometry of a double bond", count: unsaidGeometries)
        losses.note(.bonds, "a second bond between two atoms", count: repeatedBonds)
        losses.note(.hydrogenCounts, "more than 127 at an atom", count: unsaidHydrogens)
        losses.note(.numbering, "written in the file's order, which is not canonical", count: uncanonical)
    }

    /// Appends the reactants, agents and products of one step, separated by dots. A component with several parts is
    /// marked by a CX extension.
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

    /// - Parameter groups: the ranges of parts that belong to each component, counted across the entire text.
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
