import ChemopenModel

extension Molecule {
    /// Whether the molecule has an aromatic ring by RDKit's rules, in any notation.
    package var hasAromaticRings: Bool {
        var graph = MoleculeGraph(self)
        graph.perceiveAromaticity()
        return graph.edges.contains(where: \.isAromatic)
    }

    /// Whether the molecule specifies the configuration of an atom or of a double bond that can have one.
    package var hasConfigurations: Bool {
        var graph = MoleculeGraph(self)
        graph.perceiveStereo(of: self, forgetsIdle: true)
        return graph.hasGeometries && graph.geometries.contains(where: \.isKnown)
            || graph.centers.contains { $0 != .none }
    }
}
