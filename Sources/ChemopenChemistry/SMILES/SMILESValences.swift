import ChemopenModel

/// The completion of a molecule from the parsed atoms and bonds.
extension SMILESParser {
    mutating func finish() throws(SMILESError) {
        molecule.flags = .withoutCoordinates
        if hasAromaticAtoms { separateRings() }
        countHydrogens()
        setParities()
        setGeometries()
    }

    // MARK: Aromatic rings

    /// Changes bonds without a symbol between aromatic atoms to single bonds if they are not in a ring.
    private mutating func separateRings() {
        guard drafts.contains(where: \.isJoinedAromatically) else { return }
        let rings = RingAtoms(self)
        for (atom, draft) in drafts.enumerated() where draft.isJoinedAromatically && !rings.isInRing[atom] {
            molecule.bonds[Int(draft.parentBond)].order = .single
        }
    }

    /// Sets the hydrogens of each atom, and converts aromatic rings to their Kekulé form.
    private mutating func countHydrogens() {
        var sums = [Int16](repeating: 0, count: drafts.count)
        for bond in molecule.bonds {
            let order = bond.order == .aromatic ? 1 : Int16(truncatingIfNeeded: bond.order.valence ?? 0)
            sums[Int(bond.from)] &+= order
            sums[Int(bond.to)] &+= order
        }
        // For an atom without brackets, dative bonds to it count as bonds, as in RDKit.
        var received: [Int16] = []
        for bond in molecule.bonds where bond.order == .dative {
            if received.isEmpty { received = [Int16](repeating: 0, count: drafts.count) }
            received[Int(bond.to)] &+= 1
        }
        let hasMetals = molecule.atoms.contains { $0.element.isMetal }
        let hasForm = !hasAromaticAtoms || setKekuleForm(&sums, received)
        for index in drafts.indices where hasForm || !drafts[index].isAromatic {
            let draft = drafts[index]
            if draft.hydrogens >= 0, !draft.isAsked { setRadical(of: index, sums[index]) }
            let held = Self.held(by: index, sums, received)
            let wanted = draft.hydrogens < 0 ? usualHydrogens(of: index, held) : Int(draft.hydrogens)
            if !isRuled(index, wanted, sums[index], hasMetals) { molecule.atoms[index].hydrogens = .fixed(wanted) }
        }
    }

    /// Returns the sum of bond orders of an atom without brackets, including dative bonds to it.
    private static func held(by index: Int, _ sums: [Int16], _ received: [Int16]) -> Int16 {
        received.isEmpty ? sums[index] : sums[index] &+ received[index]
    }

    /// Returns whether the molecule's rule implies this number of hydrogens in all programs.
    private func isRuled(_ index: Int, _ wanted: Int, _ sum: Int16, _ hasMetals: Bool) -> Bool {
        let atom = molecule.atoms[index]
        if let plain = atom.plainHydrogens(bondOrderSum: Int(sum)), !drafts[index].isAsked { return plain == wanted }
        if atom.element == .none || drafts[index].isAsked { return wanted == 0 }
        return atom.hydrogens(bondOrderSum: Int(sum), by: .mdl) == wanted
            && (!atom.mayBeHeldByMetals(bondOrderSum: Int(sum)) || !hasMetals)
            && MDLValence.isAgreedUpon(atom.element, charge: Int(atom.charge), bondOrderSum: Int(sum))
    }

    /// Returns the number of hydrogens on an atom without brackets, after its rings were converted to the Kekulé form.
    private func usualHydrogens(of index: Int, _ sum: Int16) -> Int {
        let valence = SMILESValence.usual(molecule.atoms[index].element, holding: sum, lowest: drafts[index].isAromatic)
        return max(0, Int((valence ?? sum) - sum))
    }

    /// Sets the radical of a bracket atom that has fewer bonds and hydrogens than any common valence of its element.
    private mutating func setRadical(of index: Int, _ sum: Int16) {
        let atom = molecule.atoms[index]
        let valence = Int(sum) + Int(drafts[index].hydrogens)
        let electrons = SMILESValence.unpairedElectrons(of: atom.element, atom.charge, valence: valence) ?? 0
        if electrons > 0 { molecule.atoms[index].radical = .unpaired(electrons) }
    }

    /// Converts aromatic bonds to double and single bonds.
    ///
    /// - Returns: `false` if an aromatic atom that needs a double bond has no partner.
    private mutating func setKekuleForm(_ sums: inout [Int16], _ received: [Int16]) -> Bool {
        for index in drafts.indices where drafts[index].isAromatic {
            // The matching requires hydrogen counts. For an atom without brackets, the ring counts as one additional
            // bond.
            let usual = SMILESValence.usual(molecule.atoms[index].element, holding: 0, lowest: true) ?? 0
            let held = Self.held(by: index, sums, received)
            let count = drafts[index].hydrogens < 0 ? max(0, usual - held - 1) : drafts[index].hydrogens
            molecule.atoms[index].hydrogens = .fixed(Int(count))
        }
        let doubled = molecule.kekuleForm()
        var isPaired = [Bool](repeating: false, count: drafts.count)
        for place in doubled.indices where doubled[place] {
            isPaired[Int(molecule.bonds[place].from)] = true
            isPaired[Int(molecule.bonds[place].to)] = true
        }
        guard drafts.indices.allSatisfy({ !drafts[$0].isAromatic || isPaired[$0] || isFilled($0, sums[$0]) }) else {
            doubt("no complete Kekulé form exists; aromatic bonds are retained", at: 0..<0)
            return false
        }
        for place in molecule.bonds.indices where molecule.bonds[place].order == .aromatic {
            molecule.bonds[place].order = doubled[place] ? .double : .single
        }
        for index in drafts.indices where drafts[index].isAromatic {
            if isPaired[index] { sums[index] &+= 1 }
            molecule.atoms[index].hydrogens = .unstated
        }
        return true
    }

    /// Returns whether an aromatic atom needs no double bond, as in `[nH]` and `o`.
    private func isFilled(_ index: Int, _ sum: Int16) -> Bool {
        let atom = molecule.atoms[index]
        if atom.element == .none || drafts[index].isAsked { return true }
        let used = Int(sum) + (atom.hydrogens.fixed ?? 0)
        return MDLValence.ladder(of: atom.element, charge: Int(atom.charge)).rung(atLeast: used) != used + 1
    }
}

/// The atoms of a text that are in rings.
private struct RingAtoms {
    private(set) var isInRing: [Bool]
    /// The atoms of each ring are united with the one nearest to the beginning.
    private var joined: [Int32]

    init(_ parser: borrowing SMILESParser) {
        isInRing = [Bool](repeating: false, count: parser.drafts.count)
        joined = parser.drafts.indices.map { Int32(truncatingIfNeeded: $0) }
        for (one, other) in parser.closures {
            var (here, there) = (find(one), find(other))
            while here != there {
                if parser.drafts[Int(here)].depth < parser.drafts[Int(there)].depth { swap(&here, &there) }
                let parent = parser.drafts[Int(here)].parent
                // A digit that connects two parts of a text does not form a ring.
                if parent < 0 { break }
                isInRing[Int(here)] = true
                joined[Int(here)] = parent
                here = find(parent)
            }
        }
    }

    private mutating func find(_ atom: Int32) -> Int32 {
        var atom = atom
        while joined[Int(atom)] != atom {
            joined[Int(atom)] = joined[Int(joined[Int(atom)])]
            atom = joined[Int(atom)]
        }
        return atom
    }
}

/// The valences that SMILES fills up with hydrogens.
enum SMILESValence {
    /// Returns the lowest common valence of an element without brackets that is at least `sum`, or the lowest of all.
    static func usual(_ element: ChemicalElement, holding sum: Int16, lowest: Bool) -> Int16? {
        switch element {
        case .boron: 3
        case .carbon: 4
        case .nitrogen: lowest || sum <= 3 ? 3 : 5
        case .oxygen: 2
        case .phosphorus: lowest || sum <= 3 ? 3 : 5
        case .sulfur: lowest || sum <= 2 ? 2 : sum <= 4 ? 4 : 6
        case .fluorine, .chlorine, .bromine, .iodine: 1
        default: nil
        }
    }

    /// Returns the number of unpaired electrons of a bracket atom: the difference to the next common valence.
    ///
    /// - Returns: `nil` if the text cannot specify radicals of the element.
    static func unpairedElectrons(of element: ChemicalElement, _ charge: Int16, valence: Int) -> Int? {
        guard showsRadicals(element) else { return nil }
        return (MDLValence.ladder(of: element, charge: Int(charge)).rung(atLeast: valence) ?? valence) - valence
    }

    /// Returns whether bracket atoms of the element with missing bonds are radicals. This excludes metals and noble
    /// gases.
    static func showsRadicals(_ element: ChemicalElement) -> Bool {
        switch element {
        case .hydrogen, .boron, .carbon, .nitrogen, .oxygen, .fluorine, .silicon, .phosphorus, .sulfur, .chlorine,
            .germanium, .arsenic, .selenium, .bromine, .tellurium, .iodine:
            true
        default: false
        }
    }
}
