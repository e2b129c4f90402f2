/// The statements of a molecule's drawing about each atom's hydrogens, before any rule is asked.
struct DrawnValences {
    /// The orders of an atom's bonds summed up. An aromatic bond counts 1; zero-order, dative and hydrogen bonds
    /// count 0.
    private(set) var sums: [Int]
    private(set) var hasAromaticBonds = false
    /// The statements of notes and Sgroups, an entry for each atom; empty where they state nothing.
    private var statements: [Statement] = []

    /// The facts known of an atom beside its bonds' orders.
    private struct Statement {
        /// There is a bond of unknown order.
        var isUndefined = false
        /// The total valence, hydrogens included.
        var valence: Int?
        /// The hydrogens of an aromatic atom as Marvin writes them.
        var hydrogens: Int?
        /// The dative bonds that end here, which count in a stated valence.
        var receivedBonds = 0
    }

    init(of molecule: borrowing Molecule) {
        var memory: [Int] = []
        self.init(of: molecule, takingMemoryOf: &memory)
    }

    /// - Parameter memory: an array whose memory is taken for the sums.
    init(of molecule: borrowing Molecule, takingMemoryOf memory: inout [Int]) {
        sums = []
        swap(&sums, &memory)
        sums.fill(with: 0, count: molecule.atoms.count)
        if !addNumberedOrders(of: molecule.bonds) { addOtherOrders(of: molecule.bonds) }
        if !molecule.extras.isEmpty { readStatements(in: molecule.extras.contents, molecule.bonds) }
    }

    /// Counts the bonds whose orders are numbers; false where there are others.
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

    /// Hands the sums over, which cannot be asked for any more.
    mutating func handSumsOver(to counts: inout [Int]) {
        swap(&counts, &sums)
    }

    /// Nothing but the bonds' orders says anything of the hydrogens.
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

    /// Counts the double bonds of the molecule's Kekulé form as such and returns it; it is empty where no bond is aromatic.
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

    /// Counts the electron that a carbon of an aromatic ring keeps for the ring, or for a metal on it, where it finds no
    /// partner: each carbon of ferrocene has one hydrogen.
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
    /// The hydrogens that attached data give to each of its atoms that has an aromatic bond: field `MRV_IMPLICIT_H` with
    /// a value such as `IMPL_H1`. In drawings with double bonds such data are often left over from another form, and
    /// mean nothing.
    fileprivate var implicitHydrogens: Int? {
        guard let data, data.fieldName == "MRV_IMPLICIT_H", let value = data.values.first else { return nil }
        let text = value.string
        guard text.hasPrefix("IMPL_H"), let count = Int(text.dropFirst(6)), (0...8).contains(count) else { return nil }
        return count
    }
}
