import ChemopenModel

/// Atoms whose label an abbreviation around them says, too: what a drawing calls something that nobody defined.
///
/// MDL's formats write them as `*`, since few programs read a symbol that they do not know.
extension Molecule {
    /// Whether an abbreviation holds this atom alone and is called as it is.
    func isNamedByGroup(_ index: Int) -> Bool {
        if atoms[index].element != .none || extras.isEmpty { return false }
        return extras.contents.sgroups.contains { $0.atoms.first == Int32(clamping: index) && $0.isName(in: self) }
    }
}

extension Sgroup {
    /// Whether it is an abbreviation of one atom, by the name of that atom.
    func isName(in molecule: Molecule) -> Bool {
        guard kind == .abbreviation, !isExpanded, identifier == 0, atoms.count == 1,
            molecule.atoms.indices.contains(Int(atoms[0]))
        else { return false }
        return molecule.atoms[Int(atoms[0])].element == .none && molecule.symbol(ofAtom: Int(atoms[0])) == label
    }

    /// Whether the name is all that it says.
    var saysNameAlone: Bool { templateClass.isEmpty && keywords.isEmpty && parent == nil && brackets.isEmpty }
}
