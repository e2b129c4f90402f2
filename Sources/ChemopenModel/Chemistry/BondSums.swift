/// What the bonds at each atom come to.
package struct BondSums: Sendable {
    /// The known orders summed up; an aromatic bond counts nothing.
    package private(set) var sums: [Int]
    /// The dative bonds that end here, each of which counts 1 in a valence.
    package private(set) var received: [Int]
    /// A bond whose order is a question.
    package private(set) var isAsked: [Bool]
    /// A bond whose order follows from the ring.
    package private(set) var isAromatic: [Bool]
    /// A bond of an order that MDL cannot say and other programs do not see.
    package private(set) var hasOtherOrder: [Bool]

    package init(_ molecule: borrowing Molecule) {
        sums = Array(repeating: 0, count: molecule.atoms.count)
        received = sums
        isAsked = Array(repeating: false, count: molecule.atoms.count)
        isAromatic = isAsked
        hasOtherOrder = isAsked
        for bond in molecule.bonds {
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard sums.indices.contains(from), sums.indices.contains(to) else { continue }
            for atom in [from, to] {
                sums[atom] += bond.order.valence ?? 0
                if bond.order.isQuery { isAsked[atom] = true }
                if bond.order == .aromatic { isAromatic[atom] = true }
                if bond.order.isBeyondMDL { hasOtherOrder[atom] = true }
            }
            if bond.order == .dative { received[to] += 1 }
        }
    }
}

extension Bond.Order {
    /// Whether MDL has no bond type for it: zero, and more than three.
    package var isBeyondMDL: Bool { self == .zero || Self.quadruple.rawValue...Self.sextuple.rawValue ~= rawValue }
}
