/// An edit of a single atom or bond. All other data stay unchanged.
///
/// The indices start at 0 and refer to the molecule before the edits. Added atoms get the indices after its last atom,
/// in the order of their edits.
///
///     var molecule = Molecule()
///     let edits: [StructureEdit] = [.addAtom(AtomEdit(element: .carbon)), .addAtom(AtomEdit(element: .oxygen)),
///         .addBond(from: 0, to: 1, BondEdit(order: .double))]
///     if molecule.apply(edits) == nil { print(molecule.bonds.count) }
public enum StructureEdit: Sendable, Hashable {
    /// Changes properties of an atom.
    case setAtom(Int, AtomEdit)
    /// Appends an atom.
    case addAtom(AtomEdit)
    /// Deletes an atom with its bonds.
    case deleteAtom(Int)
    /// Changes properties of a bond.
    case setBond(Int, BondEdit)
    /// Appends a bond between two atoms.
    case addBond(from: Int, to: Int, BondEdit)
    /// Deletes a bond, but not its atoms.
    case deleteBond(Int)
}

/// New values for some properties of an atom. `nil` means that the value does not change.
public struct AtomEdit: Sendable, Hashable {
    /// The element, which replaces the symbol and any list of elements.
    public var element: ChemicalElement?
    /// A symbol that is not an element, such as `A` or `R`.
    public var label: Text?
    /// The coordinates.
    public var x: Double?, y: Double?, z: Double?
    /// The formal charge.
    public var charge: Int16?
    /// The mass number; 0 means the natural mixture.
    public var isotope: UInt16?
    /// The unpaired electrons.
    public var radical: Radical?
    /// The implicit hydrogens.
    public var hydrogens: HydrogenCount?
    /// The atom-atom mapping number.
    public var mapNumber: Int32?

    /// Creates an edit that changes only the element, or has no changes if no element is specified.
    public init(element: ChemicalElement? = nil) {
        self.element = element
    }

    var moves: Bool { x != nil || y != nil || z != nil }
}

/// New values for some properties of a bond. `nil` means that the value does not change.
public struct BondEdit: Sendable, Hashable {
    /// The kind of the bond.
    public var order: Bond.Order?
    /// The wedge, which is narrow at the first atom.
    public var mark: Bond.Mark?
    /// Whether to swap the atoms of the bond.
    public var turns = false

    /// Creates an edit of the order, the mark, or both.
    public init(order: Bond.Order? = nil, mark: Bond.Mark? = nil) {
        self.order = order
        self.mark = mark
    }
}

extension Molecule {
    /// Applies edits of atoms and bonds. Parities next to an edited bond or a moved atom are removed.
    ///
    /// - Returns: The reason why the edits are impossible, or `nil`. After a failure, the molecule is unchanged.
    public mutating func apply(_ edits: [StructureEdit]) -> String? { MoleculeEditor.apply(edits, to: &self) }
}

/// Edits a copy of a molecule, which is discarded if an edit is impossible.
private struct MoleculeEditor {
    var molecule: Molecule

    /// The maximum number of atoms of a molecule that edits can create.
    private static let mostAtoms = 100_000

    static func apply(_ edits: [StructureEdit], to molecule: inout Molecule) -> String? {
        var editor = MoleculeEditor(molecule: molecule)
        if let reason = editor.make(edits) { return reason }
        if let error = editor.molecule.validationError { return error }
        molecule = editor.molecule
        return nil
    }

    private mutating func make(_ edits: [StructureEdit]) -> String? {
        forgetTransientNotes()
        let (oldAtoms, oldBonds) = (molecule.atoms.count, molecule.bonds.count)
        var deletedAtoms: Set<Int> = []
        var deletedBonds: Set<Int> = []
        var rebonded: Set<Int> = []
        var moved: Set<Int> = []
        // Deletions renumber the remaining atoms, so the other edits come first.
        for edit in edits {
            if case .addAtom(let change) = edit {
                guard molecule.atoms.count < Self.mostAtoms else { return "the structure has too many atoms" }
                molecule.atoms.append(Atom(.none))
                if change.element == nil, change.label == nil { return "a new atom requires an element or a label" }
                if let reason = set(change, ofAtom: molecule.atoms.count - 1) { return reason }
            }
        }
        if oldAtoms > 0, molecule.atoms.count > oldAtoms, !molecule.extras.isEmpty {
            molecule.extras.contents.numberAdded(atoms: molecule.atoms.count)
        }
        for edit in edits {
            switch edit {
            case .addAtom: break
            case .setAtom(let index, let change):
                guard (0..<oldAtoms).contains(index) else { return "there is no atom \(index)" }
                if let reason = set(change, ofAtom: index) { return reason }
                if change.moves { moved.insert(index) }
            case .deleteAtom(let index):
                guard (0..<oldAtoms).contains(index) else { return "there is no atom \(index)" }
                deletedAtoms.insert(index)
            case .deleteBond(let index):
                guard (0..<oldBonds).contains(index) else { return "there is no bond \(index)" }
                deletedBonds.insert(index)
            case .setBond(let index, let change):
                guard (0..<oldBonds).contains(index) else { return "there is no bond \(index)" }
                set(change, ofBond: index)
                rebonded.formUnion([Int(molecule.bonds[index].from), Int(molecule.bonds[index].to)])
            case .addBond(let from, let to, let change):
                guard molecule.atoms.indices.contains(from), molecule.atoms.indices.contains(to), from != to else {
                    return "a bond requires two different atoms of the structure"
                }
                molecule.bonds.append(Bond(from, to))
                set(change, ofBond: molecule.bonds.count - 1)
                rebonded.formUnion([from, to])
            }
        }
        if molecule.bonds.count > oldBonds, !molecule.extras.isEmpty {
            molecule.extras.contents.numberAdded(bonds: molecule.bonds.count)
        }
        var pairs: Set<UInt64> = []
        for (index, bond) in molecule.bonds.enumerated() where !deletedBonds.contains(index) {
            if deletedAtoms.contains(Int(bond.from)) || deletedAtoms.contains(Int(bond.to)) { continue }
            let (low, high) = (min(bond.from, bond.to), max(bond.from, bond.to))
            let pair = UInt64(UInt32(bitPattern: low)) << 32 | UInt64(UInt32(bitPattern: high))
            if !pairs.insert(pair).inserted, index >= oldBonds { return "two atoms can have only one bond" }
        }
        forgetParities(of: rebonded, around: moved)
        if !deletedBonds.isEmpty { molecule.removeBonds(deletedBonds) }
        if !deletedAtoms.isEmpty { molecule.removeAtoms(deletedAtoms) }
        dropUnusedLabels()
        return nil
    }

    private mutating func set(_ change: AtomEdit, ofAtom index: Int) -> String? {
        if change.element != nil || change.label != nil {
            removeNotes(ofAtom: index) { $0.namesAtom }
            if !molecule.extras.isEmpty { molecule.extras.contents.abbreviations.removeAll { Int($0.atom) == index } }
            molecule.atoms[index].label = Atom.noLabel
            molecule.atoms[index].element = change.element ?? .none
            if let label = change.label {
                guard !label.isEmpty, label.bytes.count <= 80, label.bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
                else {
                    return "a label requires up to 80 characters without blanks"
                }
                molecule.setLabel(label, ofAtom: index)
            }
        }
        for value in [change.x, change.y, change.z] {
            if let value, !value.isFinite || abs(value) > 99_999 { return "a coordinate is too large" }
        }
        if let x = change.x { molecule.atoms[index].position.x = x }
        if let y = change.y { molecule.atoms[index].position.y = y }
        if let z = change.z { molecule.atoms[index].position.z = z }
        if let charge = change.charge {
            molecule.atoms[index].charge = charge
            removeNotes(ofAtom: index) { if case .drawnCharge = $0 { true } else { false } }
        }
        if let isotope = change.isotope { molecule.atoms[index].isotope = isotope }
        if let radical = change.radical { molecule.atoms[index].radical = radical }
        if let hydrogens = change.hydrogens {
            molecule.atoms[index].hydrogens = hydrogens
            removeNotes(ofAtom: index) { $0.statesHydrogens }
        }
        if let number = change.mapNumber { molecule.atoms[index].mapNumber = number }
        return nil
    }

    private mutating func set(_ change: BondEdit, ofBond index: Int) {
        if change.turns { molecule.bonds[index].turn() }
        if let mark = change.mark { molecule.bonds[index].mark = mark }
        guard let order = change.order, order != molecule.bonds[index].order else { return }
        molecule.bonds[index].order = order
        removeNotes(ofBond: index) { $0.statesOrder }
    }

    private mutating func removeNotes(ofAtom index: Int, _ isRemoved: (AtomNote) -> Bool) {
        guard molecule.atoms[index].marks.contains(.hasNotes) else { return }
        molecule.extras.contents.atomNotes.removeAll { Int($0.index) == index && isRemoved($0.note) }
        if !molecule.extras.contents.atomNotes.contains(where: { Int($0.index) == index }) {
            molecule.atoms[index].marks.remove(.hasNotes)
        }
    }

    private mutating func removeNotes(ofBond index: Int, _ isRemoved: (BondNote) -> Bool) {
        guard molecule.bonds[index].traits.contains(.hasNotes) else { return }
        molecule.extras.contents.bondNotes.removeAll { Int($0.index) == index && isRemoved($0.note) }
        if !molecule.extras.contents.bondNotes.contains(where: { Int($0.index) == index }) {
            molecule.bonds[index].traits.remove(.hasNotes)
        }
    }

    /// Removes the notes that are valid only for the unedited molecule.
    private mutating func forgetTransientNotes() {
        guard !molecule.extras.isEmpty else { return }
        molecule.extras.contents.atomNotes.removeAll { if case .transientField = $0.note { true } else { false } }
        molecule.extras.contents.bondNotes.removeAll { if case .transientField = $0.note { true } else { false } }
        molecule.markNotes()
    }

    /// Removes parities that could contradict the drawing. Without coordinates, the configuration is then unknown.
    private mutating func forgetParities(of rebonded: Set<Int>, around moved: Set<Int>) {
        var near = rebonded.union(moved)
        for bond in molecule.bonds where moved.contains(Int(bond.from)) || moved.contains(Int(bond.to)) {
            near.formUnion([Int(bond.from), Int(bond.to)])
        }
        for index in near where molecule.atoms.indices.contains(index) { molecule.atoms[index].marks.parity = 0 }
    }

    /// Keeps only the labels of existing atoms, in the order of the atoms, as readers store them.
    private mutating func dropUnusedLabels() {
        guard !molecule.labels.isEmpty else { return }
        let old = molecule.labels
        molecule.labels = []
        for index in molecule.atoms.indices where old.indices.contains(Int(molecule.atoms[index].label)) {
            molecule.setLabel(old[Int(molecule.atoms[index].label)], ofAtom: index)
        }
    }
}

extension AtomNote {
    /// Whether the note replaces or completes the symbol of the atom.
    fileprivate var namesAtom: Bool {
        switch self {
        case .elementList, .alias, .rgroups, .query, .templateClass, .sequenceNumber, .sequenceName: true
        default: statesHydrogens
        }
    }

    /// Whether the note determines the number of hydrogens.
    fileprivate var statesHydrogens: Bool {
        switch self {
        case .valence, .fixedHydrogens: true
        default: false
        }
    }
}

extension BondNote {
    /// Whether the note is valid only for the order of the bond.
    fileprivate var statesOrder: Bool {
        switch self {
        case .drawnOrder, .asksForAromatic, .query, .geometry: true
        default: false
        }
    }
}

extension Extras.Contents {
    /// Numbers added atoms after the existing ones, if the file numbers its atoms.
    fileprivate mutating func numberAdded(atoms count: Int) {
        guard !atomNumbers.isEmpty else { return }
        while atomNumbers.count < count { atomNumbers.append((atomNumbers.max() ?? 0) &+ 1) }
    }

    /// Numbers added bonds after the existing ones, if the file numbers its bonds.
    fileprivate mutating func numberAdded(bonds count: Int) {
        guard !bondNumbers.isEmpty else { return }
        while bondNumbers.count < count { bondNumbers.append((bondNumbers.max() ?? 0) &+ 1) }
    }
}
