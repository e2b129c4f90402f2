import ChemopenModel

/// A pairing of the atoms and bonds of two versions of a structure.
///
/// Atoms are paired by their numbers, positions or surroundings; the method that preserves the most atoms and bonds is
/// used. The pairing does not depend on the order of the atoms, on drawn hydrogens, on Kekulé forms, or on the scale
/// and origin of the drawing. An atom whose element was changed is paired if its neighbors or its position are the
/// same.
package struct AtomAlignment: Sendable {
    /// The partner of each atom of the first structure, or `nobody`.
    package let partners: [Int32]
    /// The partner of each atom of the second structure, or `nobody`.
    package let partnersOfSecond: [Int32]
    /// The partner of each bond of the first structure, or `nobody`.
    package private(set) var bonds: [Int32]
    /// The partner of each bond of the second structure, or `nobody`.
    package private(set) var bondsOfSecond: [Int32]
    /// The scale and shift of the second drawing, or `nil` if a structure has no coordinates.
    package let placement: Placement?
    /// The median bond length of the first drawing, or 1.
    package let bondLength: Double

    /// The partner of an atom or bond that only one structure has.
    package static let nobody: Int32 = -1

    package init(_ one: Molecule, _ other: Molecule) {
        var sides = (AlignmentSide(one), AlignmentSide(other))
        let drawings = ComparedDrawings(one, other)
        let pairing = Self.pairing(&sides.0, &sides.1, drawings)
        partners = pairing.partners
        partnersOfSecond = pairing.partnersOfSecond
        placement = drawings == nil ? nil : pairing.placement
        bondLength = drawings?.bondLength ?? 1
        bonds = Array(repeating: Self.nobody, count: one.bonds.count)
        bondsOfSecond = Array(repeating: Self.nobody, count: other.bonds.count)
        pairBonds(one, other)
    }

    private static func pairing(
        _ one: inout AlignmentSide, _ other: inout AlignmentSide, _ drawings: ComparedDrawings?
    ) -> AtomPairing {
        var byNumber = AtomPairing(one, other, drawings)
        byNumber.pairByNumber()
        byNumber.complete()
        if byNumber.isPerfect { return byNumber }
        var list = [byNumber]
        if drawings != nil {
            var byPosition = AtomPairing(one, other, drawings)
            byPosition.pairByPosition(.same, within: 0.01)
            byPosition.complete()
            if byPosition.isPerfect { return byPosition }
            list.append(byPosition)
        }
        one.exploreSurroundings()
        other.exploreSurroundings()
        var bySurroundings = AtomPairing(one, other, drawings)
        bySurroundings.pairBySurroundings()
        bySurroundings.complete()
        list.append(bySurroundings)
        if let drawings, !bySurroundings.isPerfect {
            let searched = drawings.searchedPlacement(one, other)
            for placement in Set(list.map(\.placement) + [searched].compactMap(\.self)).subtracting([.same]) {
                var placed = AtomPairing(one, other, drawings)
                placed.pairByPosition(placement, within: 0.3)
                placed.complete()
                list.append(placed)
            }
        }
        // The hashes were computed after the first pairings were made.
        let scores = list.map { $0.score(one, other) }
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        return list[best]
    }

    /// Pairs bonds by their atoms. Several bonds between the same atoms are paired in their order.
    private mutating func pairBonds(_ one: Molecule, _ other: Molecule) {
        var places: [UInt64: [Int32]] = [:]
        for (place, bond) in other.bonds.enumerated().reversed() {
            places[Self.ends(bond.from, bond.to), default: []].append(Int32(clamping: place))
        }
        for (place, bond) in one.bonds.enumerated() {
            guard let from = partner(bond.from), let to = partner(bond.to),
                let partner = places[Self.ends(from, to)]?.popLast()
            else { continue }
            bonds[place] = partner
            bondsOfSecond[Int(partner)] = Int32(clamping: place)
        }
    }

    private func partner(_ atom: Int32) -> Int32? {
        guard partners.indices.contains(Int(atom)), partners[Int(atom)] != Self.nobody else { return nil }
        return partners[Int(atom)]
    }

    private static func ends(_ one: Int32, _ other: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: min(one, other))) << 32 | UInt64(UInt32(bitPattern: max(one, other)))
    }
}

extension AtomAlignment {
    /// The atoms that only the first structure has.
    package var deletedAtoms: [Int] { partners.indices.filter { partners[$0] == Self.nobody } }

    /// The atoms that only the second structure has.
    package var addedAtoms: [Int] { partnersOfSecond.indices.filter { partnersOfSecond[$0] == Self.nobody } }

    /// The bonds that only the first structure has.
    package var deletedBonds: [Int] { bonds.indices.filter { bonds[$0] == Self.nobody } }

    /// The bonds that only the second structure has.
    package var addedBonds: [Int] { bondsOfSecond.indices.filter { bondsOfSecond[$0] == Self.nobody } }

    /// Whether every atom and bond has a partner.
    package var isComplete: Bool {
        !partners.contains(Self.nobody) && !partnersOfSecond.contains(Self.nobody) && !bonds.contains(Self.nobody)
            && !bondsOfSecond.contains(Self.nobody)
    }

    /// Whether at least one atom has another position in the list of atoms.
    package var isRenumbered: Bool {
        var last = Self.nobody
        for partner in partners where partner != Self.nobody {
            if partner < last { return true }
            last = partner
        }
        return false
    }
}
