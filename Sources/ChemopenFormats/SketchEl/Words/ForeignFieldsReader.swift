import ChemopenBytes
import ChemopenModel

/// Converts the extension fields of a SketchEl molecule to properties of the model. As a result, a molecule does not
/// depend on the file format from which it was read. `ForeignFieldsWriter` is the inverse.
///
/// If the writer would produce a different field, or a field is invalid, it is preserved verbatim. The hydrogens of
/// each atom are those that SketchEl's rule derives from the drawn bonds.
struct ForeignFieldsReader {
    private var molecule: Molecule
    private let original: Molecule
    /// The hydrogens of each atom by the drawn bonds.
    private lazy var counts = original.hydrogenCounts()
    /// The sum of each atom's drawn bond orders.
    private lazy var sums = original.writtenBondOrderSums()
    /// The number of dative bonds to an atom. Each adds 1 to its valence.
    private lazy var receivedBonds = original.receivedBonds()
    /// Whether each atom has a query bond, after the bonds have been converted.
    private lazy var isAsked = BondSums(molecule).isAsked
    /// Whether the number of hydrogens may depend on more than the drawn bond orders.
    private var mayHaveOtherHydrogens = false

    private init(_ molecule: consuming Molecule) {
        original = copy molecule
        self.molecule = molecule
    }

    /// Translates the fields of a molecule that was just read.
    static func translate(_ molecule: inout Molecule) {
        if !molecule.extras.isEmpty {
            let contents = molecule.extras.contents
            if !contents.atomNotes.isEmpty || !contents.bondNotes.isEmpty {
                var reader = ForeignFieldsReader(molecule)
                reader.translate()
                molecule = reader.molecule
            }
        }
        if !molecule.labels.isEmpty { molecule.noteRGroups() }
    }

    private mutating func translate() {
        var contents = molecule.extras.contents
        let sgroups = SgroupGathering(contents.atomNotes, of: molecule)
        contents.sgroups = sgroups.sgroups
        translateBondNotes(&contents)
        translateAtomNotes(&contents, sgroups)
        PolymerBlocks.take(from: &contents, of: molecule)
        molecule.extras = Extras(contents)
        translateMoleculeFields()
        molecule.markNotes()
        if contents.sgroups.contains(where: { $0.data != nil }) { mayHaveOtherHydrogens = true }
        if mayHaveOtherHydrogens { keepHydrogens() }
    }

    /// Converts the fields of the first atom that represent properties of the molecule.
    private mutating func translateMoleculeFields() {
        let notes = molecule.extras.contents.atomNotes.prefix { $0.index == 0 }
        let kept = notes.filter { tagged in
            guard case .transientField(let text) = tagged.note else { return true }
            return !MoleculeRest.take(text, into: &molecule)
        }
        if kept.count == notes.count { return }
        molecule.extras.contents.atomNotes.replaceSubrange(notes.indices, with: kept)
    }

    // MARK: Atoms

    private mutating func translateAtomNotes(_ contents: inout Extras.Contents, _ sgroups: SgroupGathering) {
        var groups = StereoGroupGathering()
        var notes: [Indexed<AtomNote>] = []
        notes.reserveCapacity(contents.atomNotes.count)
        let marks = takeMarks(contents.atomNotes, sgroups)
        for (place, tagged) in contents.atomNotes.enumerated() where !marks.contains(place) {
            let atom = Int(tagged.index)
            switch tagged.note {
            case .query(let text):
                notes.append(Indexed(atom, ForeignFields.note(forQuery: text) ?? tagged.note))
            case .transientField(let text):
                if sgroups.contains(text) { continue }
                if text == ForeignFields.singlet, molecule.atoms[atom].radical.unpairedElectrons == 2 {
                    molecule.atoms[atom].radical = .singlet
                    continue
                }
                notes.append(Indexed(atom, note(forField: text, atom) ?? tagged.note))
            case .field(let text):
                if !groups.take(text, ofAtom: tagged.index) { notes.append(tagged) }
            default: notes.append(tagged)
            }
        }
        contents.atomNotes = notes
        contents.stereoGroups = groups.groups
    }

    /// Sets the marks that fields represent, and returns the indices of these fields. If two marks exclude each other,
    /// the last one applies, because the writer adds marks after preserved fields.
    private mutating func takeMarks(_ notes: [Indexed<AtomNote>], _ sgroups: SgroupGathering) -> Set<Int> {
        var taken: Set<Int> = []
        for place in notes.indices.reversed() {
            guard case .transientField(let text) = notes[place].note, !sgroups.contains(text) else { continue }
            if ForeignFields.set(text, in: &molecule.atoms[Int(notes[place].index)].marks) { taken.insert(place) }
        }
        return taken
    }

    /// Returns the note for a field. A valence is accepted only if it results in the atom's hydrogens, or if the atom
    /// has a query bond.
    private mutating func note(forField text: Text, _ atom: Int) -> AtomNote? {
        let note = ForeignFields.note(forField: text)
        guard case .valence(let valence) = note else { return note }
        if isAsked[atom] { return note }
        let received = Int(receivedBonds[Int32(clamping: atom)] ?? 0)
        return max(0, valence - Int(sums[atom]) - received) == counts[atom] ? note : nil
    }

    // MARK: Bonds

    private mutating func translateBondNotes(_ contents: inout Extras.Contents) {
        var notes: [Indexed<BondNote>] = []
        var aromatic: [Int] = []
        var asked: Set<Int> = []
        for tagged in contents.bondNotes {
            let place = Int(tagged.index)
            let drawn = molecule.bonds[place].order
            switch ForeignFields.meaning(of: tagged.note, drawn: drawn) {
            case .order(let order):
                molecule.bonds[place].order = order
                if order.isQuery { mayHaveOtherHydrogens = true }
                if let usual = order.drawnOrder, usual != drawn { notes.append(Indexed(place, .drawnOrder(drawn))) }
            case .aromatic(let isAsked):
                if isAsked { asked.insert(place) }
                if aromatic.last != place { aromatic.append(place) }
                notes.append(tagged)
            case .note(let note): notes.append(Indexed(place, note))
            case .nothing:
                if !ForeignFields.set(tagged.note, in: &molecule.bonds[place]) { notes.append(tagged) }
            }
        }
        contents.bondNotes = notes
        makeAromatic(aromatic, asked, &contents)
    }

    /// Makes the marked bonds aromatic if the drawn bonds are their Kekulé form. Bonds with an aromatic query always
    /// become aromatic, and a note preserves their drawn order.
    private mutating func makeAromatic(_ marked: [Int], _ asked: Set<Int>, _ contents: inout Extras.Contents) {
        if marked.isEmpty { return }
        var bonds = marked
        var doubled = doubleBonds(ifAromatic: bonds)
        func isAsDrawn(_ bond: Int) -> Bool { doubled[bond] == (molecule.bonds[bond].order == .double) }
        if !bonds.allSatisfy(isAsDrawn) {
            bonds = bonds.filter(asked.contains)
            if bonds.isEmpty { return }
            doubled = doubleBonds(ifAromatic: bonds)
        }
        let isMade = Set(bonds)
        contents.bondNotes = contents.bondNotes.compactMap { tagged in
            guard isMade.contains(Int(tagged.index)),
                case .aromatic(let isAsked) = ForeignFields.meaning(of: tagged.note, drawn: .single)
            else { return tagged }
            return isAsked ? Indexed(Int(tagged.index), .asksForAromatic) : nil
        }
        var drawn: [Indexed<BondNote>] = []
        for place in bonds {
            if !isAsDrawn(place) { drawn.append(Indexed(place, .drawnOrder(molecule.bonds[place].order))) }
        }
        for place in bonds { molecule.bonds[place].order = .aromatic }
        if drawn.isEmpty { return }
        contents.bondNotes.insert(contentsOf: drawn)
        mayHaveOtherHydrogens = true
    }

    private func doubleBonds(ifAromatic bonds: [Int]) -> [Bool] {
        var aromatic = molecule
        aromatic.extras = Extras()
        for place in bonds { aromatic.bonds[place].order = .aromatic }
        return aromatic.kekuleForm()
    }

    // MARK: Hydrogens

    /// Fixes the hydrogens of atoms that would otherwise change with the new bonds and notes. An atom with a query bond
    /// has only the hydrogens that are specified explicitly.
    private mutating func keepHydrogens() {
        let now = molecule.hydrogenCounts()
        let implied = molecule.impliedHydrogenCounts(where: now)
        for index in molecule.atoms.indices {
            if now[index] != counts[index] { molecule.atoms[index].hydrogens = .fixed(counts[index]) }
            if isAsked[index], implied[index] == counts[index] { molecule.atoms[index].hydrogens = .unstated }
        }
        // In a ring, the hydrogens of one atom affect the double bonds of others.
        if molecule.bonds.contains(where: { $0.order == .aromatic }), molecule.hydrogenCounts() != counts {
            for bond in molecule.bonds where bond.order == .aromatic {
                for index in [Int(bond.from), Int(bond.to)] where molecule.atoms[index].element != .none {
                    molecule.atoms[index].hydrogens = .fixed(counts[index])
                }
            }
        }
    }
}

/// The stereo groups in fields such as `xCHIRAC:1`, by kind and number.
private struct StereoGroupGathering {
    private(set) var groups: [StereoGroup] = []
    private var places: [Text: Int] = [:]

    /// Adds the atom to the group in its field. Returns `false` if the field does not contain a group.
    mutating func take(_ field: Text, ofAtom atom: Int32) -> Bool {
        guard let (kind, number) = ForeignFields.stereoGroup(field) else { return false }
        if let place = places[field] {
            groups[place].atoms.append(atom)
        } else {
            places[field] = groups.count
            groups.append(StereoGroup(kind, number: number, atoms: [atom]))
        }
        return true
    }
}

extension Molecule {
    /// Adds R-group notes to atoms with labels such as `R1`.
    fileprivate mutating func noteRGroups() {
        let sites = labels.sites(of: atoms, numberedBy: \.rgroupNumber) {
            Set(extras.contents.abbreviations.map(\.atom))
                .union(extras.contents.atomNotes.filter(\.note.saysWhatRGroup).map(\.index))
        }
        if sites.isEmpty { return }
        extras.contents.atomNotes.insert(contentsOf: sites)
        markNotes()
    }

    /// Returns the number of dative bonds to each atom, according to SketchEl's fields.
    fileprivate func receivedBonds() -> [Int32: Int32] {
        var counts: [Int32: Int32] = [:]
        if extras.isEmpty { return counts }
        for tagged in extras.contents.bondNotes where bonds.indices.contains(Int(tagged.index)) {
            let bond = bonds[Int(tagged.index)]
            if case .order(.dative) = ForeignFields.meaning(of: tagged.note, drawn: bond.order) {
                counts[bond.to, default: 0] += 1
            }
        }
        return counts
    }
}

extension AtomNote {
    /// Whether the label of the atom is another kind of name, or its R-groups already have notes.
    fileprivate var saysWhatRGroup: Bool {
        switch self {
        case .templateClass, .rgroups: true
        default: false
        }
    }
}

extension Text {
    /// The number of an R-group label: 7 for `R7`.
    fileprivate var rgroupNumber: Int32? {
        let bytes = bytes
        guard 2...4 ~= bytes.count, bytes[0] == UInt8(ascii: "R"), bytes[1] != UInt8(ascii: "0") || bytes.count == 2,
            bytes.dropFirst().allSatisfy(Ascii.isDigit)
        else { return nil }
        return bytes.dropFirst().reduce(0) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    }
}
