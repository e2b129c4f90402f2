import ChemopenModel

/// The content of a molecule that V3000 cannot express directly: unusual bond orders, hydrogen counts and texts at
/// atoms.
///
/// Orders that MDL cannot express are written as data Sgroups `ZBO`, true charges as `ZCH`, and the hydrogens of such
/// molecules as `HYD`. An alias is written as a data Sgroup of its atom.
struct V3000Chemistry {
    /// The charges for readers that do not support `ZCH`, by atom.
    let drawnCharges: [Int: Int]
    /// The statements about hydrogens.
    private(set) var hydrogens = HydrogenStatements()
    /// The bonds with each order that MDL cannot express.
    private var orders: [(order: Bond.Order, bonds: [Int32])] = []
    /// The data Sgroups that represent notes of atoms.
    private let noteGroups: [Sgroup]

    init(_ molecule: borrowing Molecule, _ contents: Extras.Contents) {
        drawnCharges = contents.atomNotes.drawnCharges(beside: molecule.atoms)
        noteGroups = contents.atomNotes.compactMap { tagged in
            AtomTerm.term(of: tagged.note).sgroup(of: tagged.note, onAtom: tagged.index)
        }
        let hasOrders = molecule.bonds.contains { $0.order.mdlType == nil }
        let isExtended = hasOrders || !drawnCharges.isEmpty || molecule.flags.contains(.hydrogenLines)
        if isExtended || molecule.hydrogenRule != .mdl || molecule.hasStatedHydrogens {
            hydrogens = HydrogenStatements(molecule, drawnCharges: drawnCharges, isExtended: isExtended)
        }
        if !hasOrders { return }
        for order in [Bond.Order.zero, .quadruple, .quintuple, .sextuple] {
            let bonds = molecule.bonds.indices.filter { molecule.bonds[$0].order == order }.map { Int32(clamping: $0) }
            if !bonds.isEmpty { orders.append((order, bonds)) }
        }
    }

    /// Returns the valence to write for an atom if it differs from the one in its notes.
    func valence(ofAtom index: Int) -> Int? {
        let valences = hydrogens.valences
        return valences.isEmpty || valences[index] < 0 ? nil : valences[index]
    }

    var hasValences: Bool { !hydrogens.valences.isEmpty }

    /// Whether charges are also written as data. If so, readers that support the orders read the charges from these
    /// data.
    private var statesCharges: Bool { !orders.isEmpty || !drawnCharges.isEmpty }

    /// The number of data Sgroups that are required.
    var sgroupCount: Int {
        orders.count + (statesCharges ? 1 : 0) + (hydrogens.counts.isEmpty ? 0 : 1) + hydrogens.aromatic.count
            + noteGroups.count
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
        let counts = hydrogens.counts
        if !counts.isEmpty {
            let values = counts.map { "\($0.count)" }.joined(separator: ";")
            sgroups.append(Self.data("HYD", values, on: counts.map { Int32(clamping: $0.atom) }))
        }
        if statesCharges {
            ends += drawnCharges.keys.map { Int32(clamping: $0) }.filter { !ends.contains($0) }.sorted()
            let charges = ends.map { "\(molecule.atoms[Int($0)].charge)" }.joined(separator: ";")
            sgroups.append(Self.data("ZCH", charges, on: ends))
        }
        return sgroups + hydrogens.sgroups + noteGroups
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
