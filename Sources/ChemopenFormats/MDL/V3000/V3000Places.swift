import ChemopenModel

/// The numbers of the atoms, bonds and Sgroups in the output.
struct V3000Places {
    let atoms: V3000Numbering
    let bonds: V3000Numbering
    let sgroups: V3000Numbering

    func numbering(of members: V3000Member) -> V3000Numbering {
        switch members {
        case .atoms: atoms
        case .bonds: bonds
        case .sgroups: sgroups
        }
    }

    /// Chooses the numbers. The original numbers are needed only if a written line may refer to them.
    init(_ molecule: borrowing Molecule, _ contents: Extras.Contents, _ kept: KeptLines) {
        var hasNumbers = !contents.atomNumbers.isEmpty || !contents.bondNumbers.isEmpty
        if hasNumbers {
            var written = contents
            written.verbatim = (kept.inside + kept.behind).map { Verbatim(.v3000, $0) }
            hasNumbers = written.mayNameNumbers
        }
        atoms = V3000Numbering(hasNumbers ? contents.atomNumbers : [], count: molecule.atoms.count)
        bonds = V3000Numbering(hasNumbers ? contents.bondNumbers : [], count: molecule.bonds.count)
        sgroups = V3000Numbering(contents.sgroups.map(\.number), count: contents.sgroups.count)
    }
}
