import ChemopenBytes
import ChemopenModel

/// Converts a molecule to SketchEl's features: bond orders become numbers, hydrogens follow SketchEl's rule or are
/// fixed, and properties of other formats become fields. `ForeignFieldsReader` is the inverse.
///
/// If SketchEl's author has defined fields for a property (`yMDL_EXPLICIT_VALENCE:4`, `yAROMATIC`, `qE:N,O`,
/// `xCHIRAC:1`), these are used. Other fields have the same form. All except queries and groups are `y` fields, which
/// are valid until a program edits the molecule.
struct ForeignFieldsWriter {
    private(set) var molecule: Molecule
    private(set) var losses: [Loss] = []
    private let original: Molecule
    private lazy var bondsOfAtoms = BondsOfAtoms(original)
    private lazy var abbreviated = Set(original.extras.contents.abbreviations.map(\.atom))
    private var atomFields: [Indexed<AtomNote>] = []
    private var bondFields: [Indexed<BondNote>] = []

    init(of molecule: borrowing Molecule) {
        self.molecule = copy molecule
        original = copy molecule
    }

    /// Whether a molecule needs no fields, or has them already.
    static func hasNothingToDo(for molecule: borrowing Molecule) -> Bool {
        if molecule.labels.contains(where: spellsElement) || MoleculeRest.isSaid(by: molecule) { return false }
        let isSketchEl = molecule.hydrogenRule == .sketchEl
        let (atoms, bonds) = (molecule.atoms, molecule.bonds)
        for index in atoms.indices {
            let atom = atoms[index]
            if !atom.marks.subtracting(.hasNotes).isEmpty { return false }
            if atom.radical == .singlet || (atom.label != Atom.noLabel && atom.element != .none) { return false }
            if !isSketchEl, atom.hydrogens != .unstated { return false }
        }
        for index in bonds.indices {
            let bond = bonds[index]
            if bond.orderNumber > Bond.Order.sextuple.rawValue || bond.reactingCenter != 0 { return false }
            if !bond.traits.subtracting(.hasNotes).isEmpty { return false }
        }
        return molecule.extras.isEmpty || (isSketchEl && molecule.extras.contents.isOfSketchEl)
    }

    private static func spellsElement(_ label: Text) -> Bool {
        ChemicalElement(inSketchEl: label) != nil
    }

    /// Converts the molecule to SketchEl's features.
    /// - Parameter title: a title that can only be stored in a field.
    mutating func translate(title: Text = Text()) {
        let isAlike = original.isAlikeByAllRules
        var counts: [Int] = []
        let doubled = isAlike ? [] : original.countHydrogens(into: &counts)
        translateBonds(original.extras.contents.bondNotes, doubled)
        translateAtoms(original.extras.contents.atomNotes)
        molecule.hydrogenRule = .sketchEl
        if !isAlike { fixHydrogens(counts) }
        var said: [Text] = []
        if original.atoms.isEmpty {
            losses.note(MoleculeRest.losses(of: original))
        } else if let rest = MoleculeRest.field(of: original) {
            said = [rest]
        }
        if !title.isEmpty, !original.atoms.isEmpty { said.insert(TitleField.text(title), at: 0) }
        defer { say(said) }
        var contents = Extras.Contents()
        if original.extras.isEmpty {
            // In most molecules, the fields are complete and in the order of atoms and bonds.
            swap(&contents.atomNotes, &atomFields)
            swap(&contents.bondNotes, &bondFields)
            molecule.extras = Extras(contents)
            molecule.markNotes()
            return
        }
        let old = original.extras.contents
        contents.abbreviations = old.abbreviations.sorted { $0.atom < $1.atom }
        contents.verbatim = old.verbatim.filter { $0.dialect == .sketchEl }
        for group in old.stereoGroups { translate(group) }
        let contractible = ContractibleGroups(in: original)
        let takenBlocks = PolymerBlocks.numbers(in: old.atomNotes)
        var blocks = 0
        // Groups with fields are numbered consecutively, as a reader numbers them. The numbers of preserved fields are
        // skipped.
        let taken = SgroupFields.numbers(in: old.atomNotes)
        var number = 0
        var numbers: [Int32: Int] = [:]
        var told: [(sgroup: Sgroup, number: Int)] = []
        for (place, sgroup) in old.sgroups.enumerated() where !contractible.contains(place) {
            if sgroup.isName(in: original), sgroup.saysNameAlone { continue }
            if sgroup.kind == .repeatingUnit || sgroup.kind == .copolymer, !sgroup.atoms.isEmpty {
                repeat { blocks += 1 } while takenBlocks.contains(blocks)
                let crossing = bondsOfAtoms.bonds(leaving: Set(sgroup.atoms)).map { Int32(clamping: $0) }
                let field = PolymerBlocks.field(of: sgroup, number: blocks, crossing: crossing.count)
                for atom in sgroup.atoms { atomFields.append(Indexed(Int(atom), .field(field))) }
                if PolymerBlocks.sayAll(of: sgroup, crossing: crossing) { continue }
            }
            if !sgroup.atoms.isEmpty {
                repeat { number += 1 } while taken.contains(number)
                numbers[Int32(clamping: place)] = number
            }
            told.append((sgroup, number))
        }
        for (sgroup, number) in told {
            var sgroup = sgroup
            if let parent = sgroup.parent {
                sgroup.parent = numbers[parent].map { Int32(clamping: $0 - 1) }
                if sgroup.parent == nil { losses.note(.sgroupDetails, "the parent group") }
            }
            for (atom, field) in SgroupFields.fields(of: sgroup, number: number, losses: &losses) {
                atomFields.append(Indexed(atom, field))
            }
        }
        contents.atomNotes = atomFields.sortedByIndex()
        contents.bondNotes = bondFields.sortedByIndex()
        if !old.atomNumbers.isEmpty || !old.bondNumbers.isEmpty { losses.note(.numbering) }
        molecule.extras = Extras(contents)
        molecule.markNotes()
        molecule = contractible.contracted(molecule, losses: &losses)
        nameAbbreviations()
    }

    /// Adds fields for the molecule to the first atom, after the atoms have their final indices.
    private mutating func say(_ fields: [Text]) {
        if fields.isEmpty { return }
        molecule.extras.contents.atomNotes.insert(contentsOf: fields.map { Indexed(0, .transientField($0)) }, at: 0)
        molecule.markNotes()
    }

    /// For SketchEl, an abbreviation with one neighbor is the element in its label, with the hydrogens of that element.
    private mutating func nameAbbreviations() {
        if !molecule.labels.contains(where: Self.spellsElement) { return }
        for (atom, count) in molecule.neighborCounts(of: molecule.extras.contents.abbreviations) where count == 1 {
            guard molecule.atoms.indices.contains(Int(atom)), molecule.atoms[Int(atom)].element == .none,
                let element = ChemicalElement(inSketchEl: molecule.symbol(ofAtom: Int(atom)))
            else { continue }
            molecule.atoms[Int(atom)].element = element
            molecule.atoms[Int(atom)].label = Atom.noLabel
        }
    }

    // MARK: Hydrogens

    /// Fixes the hydrogens of each atom if SketchEl's rule would result in a different number. A count that
    /// differs only from MDL's rule is omitted.
    private mutating func fixHydrogens(_ counts: [Int]) {
        let ruled = molecule.hydrogensBySketchElRule()
        if counts == ruled, !original.hasStatedHydrogens { return }
        let implied = original.impliedHydrogenCounts(where: counts)
        for index in molecule.atoms.indices {
            let isFixed = original.atoms[index].hydrogens.fixed != nil
            let isNeeded = counts[index] != ruled[index] || (isFixed && implied[index] == counts[index])
            let hydrogens = isNeeded ? HydrogenCount.fixed(counts[index]) : .unstated
            if molecule.atoms[index].hydrogens != hydrogens { molecule.atoms[index].hydrogens = hydrogens }
        }
    }

    // MARK: Atoms

    private mutating func translateAtoms(_ notes: [Indexed<AtomNote>]) {
        // Atoms and notes have the same order.
        var next = 0
        for index in original.atoms.indices {
            let atom = original.atoms[index]
            if atom.label != Atom.noLabel { translateLabel(ofAtom: index) }
            while next < notes.count, notes[next].index <= Int32(clamping: index) {
                if atom.marks.contains(.hasNotes) { translate(notes[next].note, index) }
                next += 1
            }
            if atom.radical == .singlet { add(.transientField(ForeignFields.singlet), index) }
            if atom.marks.isEmpty { continue }
            molecule.atoms[index].marks = []
            let marks = atom.marks.subtracting(.hasNotes)
            if marks.isEmpty { continue }
            ForeignFields.forEachField(of: marks) { atomFields.append(Indexed(index, .transientField($0))) }
        }
    }

    /// Replaces the label of an element by its symbol. If another atom has a label like an element, it becomes `*`, and
    /// an alias preserves the label.
    private mutating func translateLabel(ofAtom index: Int) {
        let atom = original.atoms[index]
        let label = original.symbol(ofAtom: index)
        if atom.element != .none {
            // D and T are represented by their mass numbers.
            if atom.element != .hydrogen || atom.isotope == 0 { losses.note(.labels, label) }
            molecule.atoms[index].label = Atom.noLabel
        } else if Self.spellsElement(label), !isNamedByFields(index) {
            losses.note(.labels, label)
            molecule.setLabel("*", ofAtom: index)
            if let alias = ForeignFields.transientField(for: .alias(label)) { add(.transientField(alias), index) }
        }
    }

    /// Whether an atom belongs to a template or is an abbreviation, so its label is read as a name.
    private mutating func isNamedByFields(_ index: Int) -> Bool {
        if abbreviated.contains(Int32(clamping: index)) { return true }
        return original.notes(onAtom: index).contains { note in
            switch note {
            case .templateClass: true
            case .field(let text): text.begins("a")
            case .transientField(let text): ForeignFields.isTemplateClass(text)
            default: false
            }
        }
    }

    private mutating func translate(_ note: AtomNote, _ atom: Int) {
        switch note {
        case .field, .transientField, .query:
            add(note, atom)
        case .elementList(let list):
            // MDL's formats use the label `L` for each such atom; SketchEl permits any label.
            if original.symbol(ofAtom: atom) == "L" { molecule.setLabel("*", ofAtom: atom) }
            add(.query(ForeignFields.query(for: list)), atom)
        case .rgroups(let groups):
            let symbol = original.symbol(ofAtom: atom)
            if groups.count == 1, symbol == "R#" || symbol == Text("R\(groups[0])") {
                if symbol == "R#" { molecule.setLabel(Text("R\(groups[0])"), ofAtom: atom) }
            } else if let text = ForeignFields.transientField(for: note) {
                add(.transientField(text), atom)
            }
        case .keyword(let name, let value):
            add(.transientField(ForeignFields.keyword(name, value)), atom)
        default:
            if let query = ForeignFields.query(for: note) {
                add(.query(query), atom)
            } else if let text = ForeignFields.transientField(for: note) {
                add(.transientField(text), atom)
            }
        }
    }

    private mutating func translate(_ group: StereoGroup) {
        // The other groups are fields of the molecule.
        guard group.kind != .absolute, group.bonds.isEmpty, let field = ForeignFields.field(for: group) else { return }
        for atom in group.atoms where molecule.atoms.indices.contains(Int(atom)) { add(field, Int(atom)) }
    }

    private mutating func add(_ note: AtomNote, _ atom: Int) {
        atomFields.append(Indexed(atom, note))
    }

    // MARK: Bonds

    private mutating func translateBonds(_ notes: [Indexed<BondNote>], _ doubled: [Bool]) {
        var next = 0
        for index in original.bonds.indices {
            let bond = original.bonds[index]
            var drawnOrder: Bond.Order?
            var isAsked = false
            let start = bondFields.count
            while next < notes.count, notes[next].index <= Int32(clamping: index) {
                switch notes[next].note {
                case _ where !bond.traits.contains(.hasNotes): break
                case .drawnOrder(let order): drawnOrder = order
                case .asksForAromatic: isAsked = true
                default: translate(notes[next].note, index)
                }
                next += 1
            }
            if bond.orderNumber <= Bond.Order.sextuple.rawValue, bond.traits.isEmpty, bond.reactingCenter == 0 {
                continue
            }
            molecule.bonds[index].traits = []
            molecule.bonds[index].reactingCenter = 0
            let isDouble = doubled.isEmpty ? false : doubled[index]
            molecule.bonds[index].order =
                bond.order == .aromatic
                ? drawnOrder ?? (isDouble ? .double : .single) : drawnOrder ?? bond.order.drawnOrder ?? bond.order
            if let field = ForeignFields.field(for: bond.order, isAsked: isAsked) {
                // If two fields specify an order, readers use the first.
                let drawn = molecule.bonds[index].order
                let isSaidTwice = bondFields[start...].contains { ForeignFields.saysOrder($0.note, drawn: drawn) }
                bondFields.insert(Indexed(index, field), at: isSaidTwice ? start : bondFields.count)
            }
            for field in ForeignFields.fields(of: bond) { bondFields.append(Indexed(index, field)) }
        }
    }

    private mutating func translate(_ note: BondNote, _ bond: Int) {
        switch note {
        case .field, .transientField, .query: bondFields.append(Indexed(bond, note))
        default:
            if let text = ForeignFields.transientField(for: note) {
                bondFields.append(Indexed(bond, .transientField(text)))
            }
        }
    }
}

extension Extras.Contents {
    /// Whether SketchEl's text can store all data of the abbreviation that `MoleculeRest.isSaid` does not check.
    fileprivate var isOfSketchEl: Bool {
        sgroups.isEmpty && atomNumbers.isEmpty && bondNumbers.isEmpty && atomNotes.allSatisfy(\.note.isOfSketchEl)
            && bondNotes.allSatisfy(\.note.isOfSketchEl)
    }
}

extension AtomNote {
    /// Whether the note is a SketchEl field.
    fileprivate var isOfSketchEl: Bool {
        switch self {
        case .field, .transientField, .query: true
        default: false
        }
    }
}

extension BondNote {
    /// Whether the note is a SketchEl field.
    fileprivate var isOfSketchEl: Bool {
        switch self {
        case .field, .transientField, .query: true
        default: false
        }
    }
}
