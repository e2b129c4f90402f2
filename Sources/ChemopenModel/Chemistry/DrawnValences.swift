/// The valence information that a molecule's bonds, notes and Sgroups specify for each atom, before a hydrogen rule is
/// applied.
struct DrawnValences {
    /// The sum of the bond orders at each atom. An aromatic bond counts 1; zero-order, dative and hydrogen bonds count
    /// 0.
    private(set) var sums: [Int]
    private(set) var hasAromaticBonds = false
    /// One statement per atom from notes and Sgroups; empty if there are no such statements.
    private var statements: [Statement] = []

    /// The information about an atom apart from the orders of its bonds.
    private struct Statement {
        /// Whether the atom has a bond of unknown order.
        var isUndefined = false
        /// The specified total valence, including hydrogens.
        var valence: Int?
        /// The hydrogen count that Marvin writes for an aromatic atom.
        var hydrogens: Int?
        /// The number of dative bonds that end at this atom; they count toward a specified valence.
        var receivedBonds = 0
    }

    init(of molecule: borrowing Molecule) {
        var memory: [Int] = []
        self.init(of: molecule, takingMemoryOf: &memory)
    }

    /// - Parameter memory: an array whose memory is reused for the sums.
    init(of molecule: borrowing Molecule, takingMemoryOf memory: inout [Int]) {
        sums = []
        swap(&sums, &memory)
        sums.fill(with: 0, count: molecule.atoms.count)
        if !addNumberedOrders(of: molecule.bonds) { addOtherOrders(of: molecule.bonds) }
        if !molecule.extras.isEmpty { readStatements(in: molecule.extras.contents, molecule.bonds) }
    }

    /// Adds up the bonds with numeric orders. Returns `false` if some bonds have other orders.
    private mutating func addNumberedOrders(of bonds: [Bond]) -> Bool {
        var areAll = true
        var sums = sums.mutableSpan
        for index in bonds.indices {
            let bond = bonds[index]
            let (from, to) = (Int(bond.from), Int(bond.to))
            guard sums.indices.contains(from), sums.indices.contains(to), from != to else { continue }
            if bond.orderNumber <= Bond.Order.sextuple.rawValue {
                sums[from] &+= Int(bond.orderNumber)
                sums[to] &+= Int(bond.orderNumber)
            } else {
                areAll = false
            }
        }
        return areAll
    }

    private mutating func addOtherOrders(of bonds: [Bond]) {
        for bond in bonds where bond.orderNumber > Bond.Order.sextuple.rawValue {
            let from = Int(bond.from)
            let to = Int(bond.to)
            guard sums.indices.contains(from), sums.indices.contains(to), from != to else { continue }
            if let order = bond.order.valence {
                sums[from] += order
                sums[to] += order
                if bond.order == .dative { state(ofAtom: to) { $0.receivedBonds += 1 } }
            } else if bond.order == .aromatic {
                hasAromaticBonds = true
                sums[from] += 1
                sums[to] += 1
            } else {
                state(ofAtom: from) { $0.isUndefined = true }
                state(ofAtom: to) { $0.isUndefined = true }
            }
        }
    }

    /// Moves the sums to `counts`; they must not be read from this value afterwards.
    mutating func handSumsOver(to counts: inout [Int]) {
        swap(&counts, &sums)
    }

    /// Whether the bond orders are the only information about hydrogens.
    var areAllSums: Bool { statements.isEmpty }

    func isUndefined(atom index: Int) -> Bool {
        statements.isEmpty ? false : statements[index].isUndefined
    }

    func valence(ofAtom index: Int) -> Int? {
        statements.isEmpty ? nil : statements[index].valence
    }

    func hydrogens(onAtom index: Int) -> Int? {
        statements.isEmpty ? nil : statements[index].hydrogens
    }

    func receivedBonds(ofAtom index: Int) -> Int {
        statements.isEmpty ? 0 : statements[index].receivedBonds
    }

    /// Adds 1 to the sums for each bond that is double in the Kekulé form, and returns that form; it is empty if no
    /// bond is aromatic.
    mutating func takeKekuleForm(of molecule: Molecule) -> [Bool] {
        if !hasAromaticBonds { return [] }
        let doubled = kekuleForm(of: molecule)
        add(doubled, of: molecule.bonds)
        addElectrons(ofCarbonsWithoutPartners: doubled, of: molecule)
        return doubled
    }

    private mutating func add(_ doubled: [Bool], of bonds: [Bond]) {
        for (bond, isDouble) in zip(bonds, doubled) where isDouble {
            sums[Int(bond.from)] += 1
            sums[Int(bond.to)] += 1
        }
    }

    /// Adds 1 for each aromatic ring carbon without a double bond in the Kekulé form.
    ///
    /// Such a carbon contributes its electron to the ring or to a metal: each carbon of ferrocene has one hydrogen.
    private mutating func addElectrons(ofCarbonsWithoutPartners doubled: [Bool], of molecule: Molecule) {
        var ringBonds = [Int32](repeating: 0, count: sums.count)
        var isPaired = [Bool](repeating: false, count: sums.count)
        for (bond, isDouble) in zip(molecule.bonds, doubled) where bond.order == .aromatic {
            let (from, to) = (Int(bond.from), Int(bond.to))
            if from == to { continue }
            if sums.indices.contains(from) {
                ringBonds[from] += 1
                if isDouble { isPaired[from] = true }
            }
            if sums.indices.contains(to) {
                ringBonds[to] += 1
                if isDouble { isPaired[to] = true }
            }
        }
        for index in sums.indices where ringBonds[index] > 1 && !isPaired[index] {
            let atom = molecule.atoms[index]
            if atom.element == .carbon, atom.charge == 0, atom.radical == .none, valence(ofAtom: index) == nil {
                sums[index] += 1
            }
        }
    }

    private mutating func state(ofAtom index: Int, _ statement: (inout Statement) -> Void) {
        guard sums.indices.contains(index) else { return }
        if statements.isEmpty { statements = Array(repeating: Statement(), count: sums.count) }
        statement(&statements[index])
    }

    private mutating func readStatements(in contents: Extras.Contents, _ bonds: [Bond]) {
        for tagged in contents.atomNotes {
            if case .valence(let valence) = tagged.note {
                state(ofAtom: Int(tagged.index)) { $0.valence = $0.valence ?? max(0, valence) }
            }
        }
        if !hasAromaticBonds { return }
        let counted = contents.sgroups.filter { $0.implicitHydrogens != nil }
        if counted.isEmpty { return }
        var isAromatic = [Bool](repeating: false, count: sums.count)
        for bond in bonds where bond.order == .aromatic {
            for end in [Int(bond.from), Int(bond.to)] where isAromatic.indices.contains(end) { isAromatic[end] = true }
        }
        for sgroup in counted {
            for atom in sgroup.atoms where isAromatic.indices.contains(Int(atom)) && isAromatic[Int(atom)] {
                state(ofAtom: Int(atom)) { $0.hydrogens = sgroup.implicitHydrogens }
            }
        }
    }
}

extension Sgroup {
    /// The hydrogen count that this data Sgroup specifies for each of its atoms with an aromatic bond.
    ///
    /// Marvin writes it as field `MRV_IMPLICIT_H` with a value such as `IMPL_H1`. It is used for aromatic bonds only:
    /// in drawings with double bonds it is often stale data from another form of the structure.
    fileprivate var implicitHydrogens: Int? {
        guard let data, data.fieldName == "MRV_IMPLICIT_H", let value = data.values.first else { return nil }
        let text = value.string
        guard text.hasPrefix("IMPL_H"), let count = Int(text.dropFirst(6)), (0...8).contains(count) else { return nil }
        return count
    }
}
