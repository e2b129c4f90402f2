import ChemopenModel

/// The small texts next to atoms and bonds.
struct NoteReader {
    let molecule: Molecule
    let showsMapNumbers: Bool

    /// Returns the texts next to atoms.
    func atomTexts() -> [(atom: Int, text: String)] {
        var texts: [(Int, String)] = []
        if showsMapNumbers {
            for (index, atom) in molecule.atoms.enumerated() where atom.mapNumber != 0 {
                texts.append((index, "\(atom.mapNumber)"))
            }
        }
        if molecule.extras.isEmpty { return texts }
        let contents = molecule.extras.contents
        for group in contents.stereoGroups {
            let name: String =
                switch group.kind {
                case .absolute: "abs"
                case .racemic: "&\(group.number)"
                case .relative: "or\(group.number)"
                }
            for atom in group.atoms { texts.append((Int(atom), name)) }
        }
        for node in contents.linkNodes { texts.append((Int(node.atom), "(\(node.minimum)-\(node.maximum))")) }
        // The texts of an atom are sorted, regardless of their order in the file.
        let notes = contents.atomNotes.compactMap { tagged in
            Self.text(of: tagged.note).map { (atom: Int(tagged.index), rank: $0.rank, text: $0.text) }
        }
        texts += notes.sorted { ($0.atom, $0.rank, $0.text) < ($1.atom, $1.rank, $1.text) }.map { ($0.atom, $0.text) }
        return texts.filter { molecule.atoms.indices.contains($0.0) }
    }

    /// Returns query features in the abbreviations of structure editors.
    private static func text(of note: AtomNote) -> (rank: Int, text: String)? {
        switch note {
        case .sequenceNumber(let number): (0, "\(number)")
        case .hydrogenQuery(let count): (1, "(H\(count))")
        case .ringBondCount(let count): (2, "(r\(count == -2 ? "*" : "\(max(0, count))"))")
        case .substitutionCount(let count): (3, "(s\(count == -2 ? "*" : "\(max(0, count))"))")
        case .unsaturated: (4, "(u)")
        case .configuration(let configuration): (6, "@\(configuration.shape.code)\(configuration.arrangement)")
        case .query(let text), .value(let text): text.isEmpty ? nil : (5, String(text.string.prefix(40)))
        default: nil
        }
    }

    /// Returns the texts next to bonds.
    func bondTexts() -> [(bond: Int, text: String)] {
        var texts: [(Int, String)] = []
        for (place, bond) in molecule.bonds.enumerated() {
            switch bond.order {
            case .singleOrDouble: texts.append((place, "S/D"))
            case .singleOrAromatic: texts.append((place, "S/A"))
            case .doubleOrAromatic: texts.append((place, "D/A"))
            default: break
            }
            if bond.traits.contains(.inRing) { texts.append((place, "rn")) }
            if bond.traits.contains(.inChain) { texts.append((place, "ch")) }
        }
        if molecule.extras.isEmpty { return texts }
        for group in molecule.extras.contents.stereoGroups {
            let name = group.kind == .absolute ? "abs" : (group.kind == .racemic ? "&" : "or") + "\(group.number)"
            for bond in group.bonds where molecule.bonds.indices.contains(Int(bond)) { texts.append((Int(bond), name)) }
        }
        return texts
    }
}
