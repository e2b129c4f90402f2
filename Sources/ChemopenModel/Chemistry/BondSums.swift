/// The sums of the bonds at each atom.
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
            let order = bond.order
            let valence = order.valence ?? 0
            sums[from] += valence
            sums[to] += valence
            if 1...3 ~= bond.orderNumber { continue }
            for atom in [from, to] {
                if order.isQuery { isAsked[atom] = true }
                if order == .aromatic { isAromatic[atom] = true }
                if order.isBeyondMDL { hasOtherOrder[atom] = true }
            }
            if order == .dative { received[to] += 1 }
        }
    }
}

extension Bond.Order {
    /// Whether MDL has no bond type for it: zero, and more than three.
    package var isBeyondMDL: Bool { self == .zero || Self.quadruple.rawValue...Self.sextuple.rawValue ~= rawValue }
}

extension Molecule {
    /// The orders of each atom's bonds as they are written, summed up.
    package func writtenBondOrderSums() -> [Int32] {
        var sums = [Int32](repeating: 0, count: atoms.count)
        for bond in bonds {
            let order = Int32(min(bond.orderNumber, Bond.Order.sextuple.rawValue))
            sums[Int(bond.from)] &+= order
            sums[Int(bond.to)] &+= order
        }
        return sums
    }

    /// Whether every bond has an order in numbers up to one.
    package func hasOnlyNumberedOrders(upTo greatest: Bond.Order) -> Bool {
        let bonds = bonds
        for index in bonds.indices where bonds[index].orderNumber > greatest.rawValue { return false }
        return true
    }
}
