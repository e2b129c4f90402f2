import ChemopenModel

extension Molecule {
    /// Returns the molecule without positions and wedges, with its configurations as parities and double-bond
    /// geometries.
    package func withStatedConfigurations() -> Molecule { StatedConfigurations.state(self) }

    /// Returns for each bond whether it is in an aromatic ring, regardless of how the ring is drawn.
    package func bondsInAromaticRings() -> [Bool] {
        var graph = MoleculeGraph(self)
        graph.perceiveAromaticity()
        var areAromatic = bonds.map { $0.order == .aromatic }
        for edge in graph.edges where edge.isAromatic && areAromatic.indices.contains(Int(edge.origin)) {
            areAromatic[Int(edge.origin)] = true
        }
        return areAromatic
    }

    /// Returns the partner of each atom in another molecule with the same canonical SMILES, or `nil` if the structures
    /// differ. Hydrogens that the SMILES counts at their neighbors have no partner.
    package func partnersOfSameStructure(in other: Molecule) -> [Int32]? {
        var texts = (SMILESText(), SMILESText())
        texts.0.isCanonical = true
        texts.1.isCanonical = true
        texts.0.append(self)
        texts.1.append(other)
        guard texts.0.bytes == texts.1.bytes, texts.0.order.count == texts.1.order.count, texts.0.uncanonical == 0
        else { return nil }
        var partners = Array(repeating: AtomAlignment.nobody, count: atoms.count)
        for (atom, partner) in zip(texts.0.order, texts.1.order) where atom >= 0 && partner >= 0 {
            partners[atom] = Int32(clamping: partner)
        }
        return partners
    }
}
