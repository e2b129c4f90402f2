import ChemopenModel

/// Atoms that have the same label as the abbreviation around them. In drawings, these are labels that no program has
/// defined.
///
/// MDL's formats write such atoms as `*`, because few programs can read an unknown symbol.
extension Molecule {
    /// Whether an abbreviation contains only this atom and has the same label.
    func isNamedByGroup(_ index: Int) -> Bool {
        if atoms[index].element != .none || extras.isEmpty { return false }
        return extras.contents.sgroups.contains { $0.atoms.first == Int32(clamping: index) && $0.isName(in: self) }
    }
}

extension Sgroup {
    /// Whether the group is an abbreviation of one atom with the same label.
    func isName(in molecule: Molecule) -> Bool {
        guard kind == .abbreviation, !isExpanded, identifier == 0, atoms.count == 1,
            molecule.atoms.indices.contains(Int(atoms[0]))
        else { return false }
        return molecule.atoms[Int(atoms[0])].element == .none && molecule.symbol(ofAtom: Int(atoms[0])) == label
    }

    /// Whether the group contains no information except its name.
    var saysNameAlone: Bool { templateClass.isEmpty && keywords.isEmpty && parent == nil && brackets.isEmpty }
}
