import ChemopenModel

/// Properties that chemists see in a structure, although a file need not state them.
package enum PerceivedTrait: Sendable, Hashable {
    /// An aromatic ring by RDKit's rules, in any notation.
    case aromaticity
    /// A configuration of an atom or of a double bond that can have one.
    case configuration

    /// Returns whether a molecule has the property.
    package func isIn(_ molecule: Molecule) -> Bool {
        var graph = MoleculeGraph(molecule)
        switch self {
        case .aromaticity:
            graph.perceiveAromaticity()
            return graph.edges.contains(where: \.isAromatic)
        case .configuration:
            graph.perceiveStereo(of: molecule, forgetsIdle: true)
            return graph.geometries.contains(where: \.isKnown) || graph.centers.contains { $0 != .none }
                || !graph.coordinations.isEmpty
        }
    }
}
