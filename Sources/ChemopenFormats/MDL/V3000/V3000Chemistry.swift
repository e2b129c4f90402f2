import ChemopenModel

/// What a molecule means and V3000 has no word for: bond orders, and hydrogens that readers would count otherwise.
///
/// An order that MDL cannot say is a data Sgroup `ZBO`. Hydrogens that differ from what MDL's valences give are a
/// valence (`VAL`); beside zero-order bonds, or where SketchEl's rule holds, `HYD` says them, because it means both
/// that rule and a fixed count. Hydrogens on an aromatic atom, whose valence is not known, are `MRV_IMPLICIT_H`.
struct V3000Chemistry {
    /// The valences to be written, by atom.
    private(set) var valences: [Int: Int] = [:]
    var hasValences: Bool { !valences.isEmpty }
    /// The charges that stand in for the true ones where `ZCH` is not known, by atom.
    let drawnCharges: [Int: Int]
    private var hydrogens: [(atom: Int32, count: Int)] = []
    private var implicitHydrogens: [(atom: Int32, count: Int)] = []
    /// The bonds of each order that MDL cannot say.
    private var orders: [(order: Bond.Order, bonds: [Int32])] = []

    init(_ molecule: borrowing Molecule, _ contents: Extras.Contents) {
        drawnCharges = contents.atomNotes.drawnCharges(beside: molecule.atoms)
        var hasOrders = false
        for bond in molecule.bonds where bond.order.mdlType == nil { hasOrders = true }
        var isPlain = !hasOrders && drawnCharges.isEmpty && molecule.hydrogenRule == .mdl
        for atom in molecule.atoms where isPlain && atom.hydrogens != .unstated { isPlain = false }
        if isPlain { return }
        for order in [Bond.Order.zero, .quadruple, .quintuple, .sextuple] {
            let bonds = molecule.bonds.indices.filter { molecule.bonds[$0].order == order }.map { Int32(clamping: $0) }
            if !bonds.isEmpty { orders.append((order, bonds)) }
        }
        settleHydrogens(molecule, contents)
    }

    private mutating func settleHydrogens(_ molecule: borrowing Molecule, _ contents: Extras.Contents) {
        let bonds = V3000BondSums(molecule)
        var said: Set<Int32> = []
        for sgroup in contents.sgroups where sgroup.data?.implicitHydrogens != nil { said.formUnion(sgroup.atoms) }
        let isSketchEl = molecule.hydrogenRule == .sketchEl || statesCharges
        for index in molecule.atoms.indices {
            let atom = molecule.atoms[index]
            if atom.element == .none { continue }
            let place = Int32(clamping: index)
            let sum = bonds.sums[index]
            let electrons = atom.radical.unpairedElectrons
            let charge = Int(atom.charge)
            let byLadder = MDLValence.hydrogens(
                on: atom.element, charge: charge, bondOrderSum: sum, unpairedElectrons: electrons)
            let bySketchEl = SketchElHydrogens.count(
                on: atom.element, charge: charge, bondOrderSum: sum, unpairedElectrons: electrons)
            let stated = molecule.valence(ofAtom: index)
            let isKnown = !bonds.isUnknown[index]
            let fixed = atom.hydrogens.fixed
            let meant: Int
            if let fixed {
                meant = fixed
            } else if stated != nil || !isKnown {
                continue
            } else {
                meant = molecule.hydrogenRule == .mdl ? byLadder : bySketchEl
            }
            if isSketchEl {
                if fixed != nil || meant != byLadder || meant != bySketchEl { hydrogens.append((place, meant)) }
                if stated == nil, bonds.needsValence(atom, index, meant) { valences[index] = sum + meant }
            } else if said.contains(place) {
                continue
            } else if !isKnown {
                if meant > 0, meant != bonds.aromaticHydrogens(on: atom, index) {
                    implicitHydrogens.append((place, meant))
                }
            } else if let stated {
                if max(0, stated - sum) != meant { valences[index] = sum + meant }
            } else if meant != byLadder {
                valences[index] = sum + meant
            }
        }
    }

    /// The charges stand in the atom lines; those who know the orders look for them in data.
    private var statesCharges: Bool { !orders.isEmpty || !drawnCharges.isEmpty }

    /// How many data Sgroups say all this.
    var sgroupCount: Int {
        orders.count + (hydrogens.isEmpty ? 0 : 1) + (statesCharges ? 1 : 0) + implicitHydrogens.count
    }

    func sgroups(_ molecule: borrowing Molecule) -> [Sgroup] {
        var sgroups: [Sgroup] = []
        var ends: [Int32] = []
        for (order, bonds) in orders {
            var atoms: [Int32] = []
            var seen: Set<Int32> = []
            for bond in bonds {
                for atom in [molecule.bonds[Int(bond)].from, molecule.bonds[Int(bond)].to]
                where seen.insert(atom).inserted { atoms.append(atom) }
            }
            var sgroup = Self.data("ZBO", order == .zero ? nil : "\(order.rawValue)", on: atoms)
            sgroup.bonds = bonds
            sgroups.append(sgroup)
            ends += atoms
        }
        if !hydrogens.isEmpty {
            let counts = hydrogens.map { "\($0.count)" }.joined(separator: ";")
            sgroups.append(Self.data("HYD", counts, on: hydrogens.map(\.atom)))
        }
        if statesCharges {
            ends += drawnCharges.keys.map { Int32(clamping: $0) }.filter { !ends.contains($0) }.sorted()
            let charges = ends.map { "\(molecule.atoms[Int($0)].charge)" }.joined(separator: ";")
            sgroups.append(Self.data("ZCH", charges, on: ends))
        }
        for (atom, count) in implicitHydrogens {
            sgroups.append(Self.data("MRV_IMPLICIT_H", "IMPL_H\(count)", on: [atom]))
        }
        return sgroups
    }

    private static func data(_ name: Text, _ value: String?, on atoms: [Int32]) -> Sgroup {
        var sgroup = Sgroup(.data)
        var data = Sgroup.Data()
        data.fieldName = name
        if let value { data.values = [Text(value)] }
        sgroup.data = data
        sgroup.atoms = atoms
        return sgroup
    }
}

/// What the bonds at each atom come to.
struct V3000BondSums {
    var sums: [Int]
    /// A bond whose order is a question or follows from the ring.
    var isUnknown: [Bool]
    /// A bond of an order that other programs do not see.
    var hasOtherOrder: [Bool]
    private var aromaticBonds: [Int]

    init(_ molecule: borrowing Molecule) {
        sums = Array(repeating: 0, count: molecule.atoms.count)
        isUnknown = Array(repeating: false, count: molecule.atoms.count)
        hasOtherOrder = isUnknown
        aromaticBonds = sums
        for bond in molecule.bonds {
            for atom in [Int(bond.from), Int(bond.to)] {
                if let valence = bond.order.valence { sums[atom] += valence } else { isUnknown[atom] = true }
                if bond.order == .aromatic { aromaticBonds[atom] += 1 }
                if bond.order.mdlType == nil { hasOtherOrder[atom] = true }
            }
        }
    }

    /// Whether readers that know no other rule than MDL's miscount the atom's hydrogens, and a valence helps them.
    func needsValence(_ atom: Atom, _ index: Int, _ hydrogens: Int) -> Bool {
        if isUnknown[index] || hasOtherOrder[index] { return false }
        return hydrogens
            != MDLValence.hydrogens(
                on: atom.element, charge: Int(atom.charge), bondOrderSum: sums[index],
                unpairedElectrons: atom.radical.unpairedElectrons)
    }

    /// The hydrogens that everybody gives to an atom of an aromatic ring: one to a carbon of two bonds.
    func aromaticHydrogens(on atom: Atom, _ index: Int) -> Int? {
        guard atom.element == .carbon, atom.charge == 0, aromaticBonds[index] == 2 else { return nil }
        return max(0, 1 - sums[index])
    }
}
