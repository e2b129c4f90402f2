import ChemopenModel

/// A SketchEl molecule in MDL's terms: what fields say of it stands where a molfile's reader would have put it.
///
/// Abbreviations are drawn with all their atoms and become `SUP` groups, polymer blocks `SRU` groups; marks that came
/// from a molfile once are what they were. Fields that mean nothing to MDL stay fields.
struct MDLTerms {
    var molecule: Molecule
    var losses: [Loss] = []
    /// The hydrogens of each atom, which stay what they are.
    private lazy var counts = original.hydrogenCounts()
    private let original: Molecule
    /// An atom has become one of a list.
    private var hasBecomeAList = false
    /// The orders sum up to what is drawn at each atom; aromatic bonds are drawn in their Kekulé form.
    private var hasDrawnOrders: Bool
    /// More than atoms and bonds may say how many hydrogens there are.
    private var hasStatements = false
    /// The molecule as it is has the hydrogens that it had, each atom's.
    private var hasKeptHydrogens = false
    /// The drawn orders of each atom's bonds summed up, as far as they are known.
    private lazy var sums = original.knownBondOrderSums()
    /// How many dative bonds end at an atom, each of which counts 1 in its valence.
    private lazy var receivedBonds = original.receivedBonds()

    private init(of molecule: consuming Molecule) {
        original = copy molecule
        self.molecule = molecule
        hasDrawnOrders = original.hasOnlyNumberedOrders(upTo: .sextuple)
    }

    /// The molecule as MDL's writers take it, and what that costs. Abbreviations may also stay the atoms that they are.
    static func terms(
        of molecule: borrowing Molecule, expandingAbbreviations isExpanding: Bool = true
    ) -> (molecule: Molecule, losses: [Loss]) {
        guard molecule.hydrogenRule == .sketchEl else { return (copy molecule, []) }
        if molecule.isAlikeByAllRules {
            var same = copy molecule
            same.hydrogenRule = .mdl
            return (same, [])
        }
        var terms = MDLTerms(of: copy molecule)
        terms.translate(expandingAbbreviations: isExpanding)
        return terms.outcome()
    }

    private consuming func outcome() -> (molecule: Molecule, losses: [Loss]) {
        (molecule, losses)
    }

    private mutating func translate(expandingAbbreviations isExpanding: Bool) {
        if !molecule.extras.isEmpty {
            translateNotes()
            hasStatements = molecule.statesHydrogensElsewhere
            if !hasBecomeAList, hasDrawnOrders, !hasStatements {
                hasKeptHydrogens = !molecule.hasAbbreviations
            } else {
                keepHydrogens()
            }
            if molecule.hasAbbreviations {
                if isExpanding { expandAbbreviations() } else { nameAbbreviations() }
                hasStatements = molecule.statesHydrogensElsewhere
            }
        }
        nameRGroups()
        simplifyHydrogens()
        dropUnusedLabels()
    }

    private mutating func dropUnusedLabels() {
        guard !molecule.labels.isEmpty else { return }
        let labels = molecule.labels
        molecule.labels = []
        for index in molecule.atoms.indices where labels.indices.contains(Int(molecule.atoms[index].label)) {
            molecule.setLabel(labels[Int(molecule.atoms[index].label)], ofAtom: index)
        }
    }

    // MARK: Notes

    private mutating func translateNotes() {
        var contents = molecule.extras.contents
        var sgroups = SgroupGathering()
        var groups: [StereoGroup] = []
        var hasBlocks = false
        var atomNotes: [Tagged<AtomNote>] = []
        for tagged in contents.atomNotes {
            let atom = Int(tagged.index)
            switch tagged.note {
            case .query(let text):
                let note = ForeignFields.note(forQuery: text)
                if case .elementList = note { makeListAtom(atom) }
                atomNotes.append(Tagged(atom, note ?? tagged.note))
            case .transientField(let text):
                if ForeignFields.set(text, in: &molecule.atoms[atom].marks)
                    || sgroups.take(text, ofAtom: tagged.index)
                {
                    continue
                }
                let note = note(forField: text, atom)
                if case .templateClass = note { makeName(ofAtom: atom) }
                atomNotes.append(Tagged(atom, note ?? tagged.note))
            case .field(let text):
                if take(text, atom, into: &groups) { continue }
                atomNotes.append(tagged)
                hasBlocks = hasBlocks || PolymerBlocks.isMember(text)
            default: atomNotes.append(tagged)
            }
        }
        contents.atomNotes = atomNotes
        contents.stereoGroups += groups
        contents.sgroups += sgroups.sgroups(of: molecule, &losses)
        translateBondNotes(&contents)
        if hasBlocks { PolymerBlocks.take(from: &contents, of: molecule) }
        molecule.extras = Extras(contents)
        molecule.markNotes()
    }

    /// An atom that is one of a list is none in particular, and has no hydrogens.
    private mutating func makeListAtom(_ atom: Int) {
        if molecule.atoms[atom].element != .none { losses.note(.labels, "of an atom that is one of a list") }
        molecule.atoms[atom].element = .none
        molecule.atoms[atom].hydrogens = .unstated
        counts[atom] = 0
        hasBecomeAList = true
        molecule.setLabel("L", ofAtom: atom)
    }

    /// The name of a template or of an abbreviation is none of an element, whatever it spells.
    private mutating func makeName(ofAtom atom: Int) {
        let name = molecule.symbol(ofAtom: atom)
        molecule.atoms[atom].element = .none
        molecule.atoms[atom].hydrogens = .unstated
        counts[atom] = 0
        molecule.setLabel(name, ofAtom: atom)
    }

    private mutating func nameAbbreviations() {
        for abbreviation in molecule.extras.contents.abbreviations
        where molecule.atoms.indices.contains(Int(abbreviation.atom)) {
            makeName(ofAtom: Int(abbreviation.atom))
        }
    }

    /// A valence only counts if it gives the atom the hydrogens that it has.
    private mutating func note(forField text: Text, _ atom: Int) -> AtomNote? {
        let note = ForeignFields.note(forField: text)
        guard case .valence(let valence) = note else { return note }
        let received = Int(receivedBonds[Int32(clamping: atom)] ?? 0)
        return valence - Int(sums[atom]) - received == counts[atom] ? note : nil
    }

    /// Takes `xCHIRAC:1` and `xCHIREL:1` into their groups.
    private func take(_ text: Text, _ atom: Int, into groups: inout [StereoGroup]) -> Bool {
        guard text.begins("xCHIR") else { return false }
        for (tag, kind) in [("xCHIRAC" as StaticString, StereoGroup.Kind.racemic), ("xCHIREL", .relative)] {
            guard let values = ForeignFields.values(of: text, tag: tag), values.count == 1,
                let number = Int32(values[0].string)
            else { continue }
            if let place = groups.firstIndex(where: { $0.kind == kind && $0.number == number }) {
                groups[place].atoms.append(Int32(clamping: atom))
            } else {
                groups.append(StereoGroup(kind, number: Int(number), atoms: [Int32(clamping: atom)]))
            }
            return true
        }
        return false
    }

    private mutating func translateBondNotes(_ contents: inout Extras.Contents) {
        var bondNotes: [Tagged<BondNote>] = []
        var isAromatic: [Int] = []
        for tagged in contents.bondNotes {
            let place = Int(tagged.index)
            if ForeignFields.set(tagged.note, in: &molecule.bonds[place]) { continue }
            if let order = ForeignFields.order(of: tagged.note, drawn: molecule.bonds[place].order) {
                if order == .aromatic { isAromatic.append(place) } else { molecule.bonds[place].order = order }
                if order.isQuery { hasDrawnOrders = false }
                if case .query(ForeignFields.aromaticQuery) = tagged.note { bondNotes.append(tagged) }
            } else if case .transientField(let text) = tagged.note, let note = ForeignFields.bondNote(forField: text) {
                bondNotes.append(Tagged(place, note))
            } else if case .transientField("yZERO_HYDROGEN") = tagged.note, molecule.bonds[place].order == .dative {
                molecule.bonds[place].order = .hydrogen
            } else {
                bondNotes.append(tagged)
            }
        }
        contents.bondNotes = bondNotes
        makeAromatic(isAromatic, &contents)
    }

    /// Makes bonds aromatic that are marked so, if their Kekulé form is the one that is drawn. Queries are taken as they
    /// are.
    private mutating func makeAromatic(_ bonds: [Int], _ contents: inout Extras.Contents) {
        if bonds.isEmpty { return }
        var aromatic = molecule
        aromatic.extras = Extras()
        for place in bonds { aromatic.bonds[place].order = .aromatic }
        let doubled = aromatic.kekuleForm()
        let query = BondNote.query(ForeignFields.aromaticQuery)
        let asks = contents.bondNotes.contains { $0.note == query }
        let isSame = bonds.allSatisfy { doubled[$0] == (molecule.bonds[$0].order == .double) }
        if isSame || asks {
            for place in bonds { molecule.bonds[place].order = .aromatic }
            contents.bondNotes.removeAll { $0.note == query }
            if !isSame { hasDrawnOrders = false }
        } else {
            for place in bonds { contents.bondNotes.append(Tagged(place, .transientField("yAROMATIC"))) }
            contents.bondNotes = contents.bondNotes.sortedByIndex()
        }
    }

    // MARK: Hydrogens

    /// Fixes the hydrogens of atoms that would have others by their new bonds and notes.
    private mutating func keepHydrogens() {
        let now = molecule.hydrogenCounts()
        let implied = impliedHydrogens(now)
        let valences = Set(
            molecule.extras.contents.atomNotes.lazy.filter {
                if case .valence = $0.note { true } else { false }
            }.map(\.index))
        // An atom at a query bond has none unless it says so.
        var asked: Set<Int32> = []
        for bond in molecule.bonds where bond.order.isQuery { asked.formUnion([bond.from, bond.to]) }
        for index in molecule.atoms.indices {
            let isStatedOtherwise =
                valences.contains(Int32(clamping: index)) || asked.contains(Int32(clamping: index))
            if isStatedOtherwise, implied[index] == counts[index] {
                molecule.atoms[index].hydrogens = .unstated
            } else if now[index] != counts[index] {
                molecule.atoms[index].hydrogens = .fixed(counts[index])
            }
        }
        // What is known of one atom of a ring decides on the double bonds of others.
        guard molecule.bonds.contains(where: { $0.order == .aromatic }), molecule.hydrogenCounts() != counts else {
            return
        }
        for bond in molecule.bonds where bond.order == .aromatic {
            for index in [Int(bond.from), Int(bond.to)] where molecule.atoms[index].element != .none {
                molecule.atoms[index].hydrogens = .fixed(counts[index])
            }
        }
    }

    /// What the molecule's rule would give each atom if no count were fixed.
    private func impliedHydrogens(_ counts: [Int]) -> [Int] {
        var unfixed = molecule
        return unfixed.forgetHydrogens() ? unfixed.hydrogenCounts() : counts
    }

    /// Takes MDL's rule where it shows without a closer look that it gives each atom the hydrogens that SketchEl's gives
    /// it. Elsewhere writers state what the molecule means.
    private mutating func simplifyHydrogens() {
        if !molecule.hasOrdersBeyondMDL, hasSameHydrogensByBothRules() { molecule.hydrogenRule = .mdl }
    }

    private mutating func hasSameHydrogensByBothRules() -> Bool {
        if hasStatements { return false }
        let sums: [Int32]
        if !original.hasAbbreviations {
            guard hasDrawnOrders else { return false }
            sums = self.sums
        } else {
            guard molecule.hasOnlyNumberedOrders(upTo: .triple) else { return false }
            sums = molecule.writtenBondOrderSums()
        }
        return molecule.hasSameHydrogensByAllRules(sums)
    }

    /// Labels such as `R1` are R sites of that number.
    private mutating func nameRGroups() {
        guard !molecule.labels.isEmpty else { return }
        for index in molecule.atoms.indices where molecule.atoms[index].label != Atom.noLabel {
            let label = molecule.symbol(ofAtom: index)
            guard label.bytes.first == UInt8(ascii: "R"), label.bytes.count > 1, label.bytes.count < 5,
                let number = Int32(label.string.dropFirst()), number > 0, Text("R\(number)") == label
            else { continue }
            molecule.setLabel("R#", ofAtom: index)
            molecule.addNote(.rgroups([number]), toAtom: index)
        }
    }
}

extension Molecule {
    /// Whether there are only elements and simple bonds, to which every rule gives the same hydrogens: so is nearly every
    /// molecule.
    var isAlikeByAllRules: Bool {
        guard extras.isEmpty, labels.isEmpty else { return false }
        let bonds = bonds
        for index in bonds.indices where !(1...3 ~= bonds[index].orderNumber) { return false }
        return hasSameHydrogensByAllRules(writtenBondOrderSums())
    }

    /// Whether every atom leaves its hydrogens to the rule, and each rule gives it the same.
    fileprivate func hasSameHydrogensByAllRules(_ bondOrderSums: [Int32]) -> Bool {
        let atoms = atoms
        for index in atoms.indices {
            guard atoms[index].hydrogens == .unstated,
                atoms[index].hasSameHydrogensByAllRules(bondOrderSum: Int(bondOrderSums[index]))
            else { return false }
        }
        return true
    }

    /// The orders of each atom's bonds summed up; one that is unknown counts nothing.
    fileprivate func knownBondOrderSums() -> [Int32] {
        if hasOnlyNumberedOrders(upTo: .sextuple) { return writtenBondOrderSums() }
        var sums = [Int32](repeating: 0, count: atoms.count)
        for bond in bonds {
            sums[Int(bond.from)] += Int32(bond.order.valence ?? 0)
            sums[Int(bond.to)] += Int32(bond.order.valence ?? 0)
        }
        return sums
    }

    /// How many bonds that SketchEl's fields call dative end at each atom.
    fileprivate func receivedBonds() -> [Int32: Int32] {
        var counts: [Int32: Int32] = [:]
        for tagged in extras.contents.bondNotes where bonds.indices.contains(Int(tagged.index)) {
            let bond = bonds[Int(tagged.index)]
            if ForeignFields.order(of: tagged.note, drawn: bond.order) == .dative { counts[bond.to, default: 0] += 1 }
        }
        return counts
    }

    /// Whether a bond is of order zero or of more than three.
    fileprivate var hasOrdersBeyondMDL: Bool {
        let bonds = bonds
        for index in bonds.indices {
            let number = bonds[index].orderNumber
            if number == 0 || 4...6 ~= number { return true }
        }
        return false
    }

    /// Whether more than its atoms and bonds may say how many hydrogens there are: valences and attached data.
    fileprivate var statesHydrogensElsewhere: Bool {
        !extras.isEmpty && extras.contents.stateHydrogens
    }
}

extension Extras.Contents {
    fileprivate var stateHydrogens: Bool { stateValences || sgroups.contains { $0.data != nil } }

    var stateValences: Bool {
        atomNotes.contains { if case .valence = $0.note { true } else { false } }
    }
}
