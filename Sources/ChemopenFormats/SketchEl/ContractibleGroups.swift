import ChemopenModel

/// The abbreviations that an MDL file draws with all their atoms and that are one atom in SketchEl.
struct ContractibleGroups {
    init(in molecule: Molecule) {}
    func contains(_ place: Int) -> Bool { false }
    func contract(_ molecule: inout Molecule, losses: inout [Loss]) {}
}
