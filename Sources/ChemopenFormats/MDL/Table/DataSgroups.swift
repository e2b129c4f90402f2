import ChemopenBytes
import ChemopenModel

/// Reads data Sgroups that change the chemistry, which RDKit and Marvin write if a molfile has no better syntax.
///
/// `ZBO` specifies bond orders that MDL lacks. `HYD` and `ZCH` specify the hydrogens and charges of atoms, one value
/// for each atom. If V3000 has no keyword for a text at an atom, the text is stored in a data Sgroup of Chemopen's own.
/// Supported Sgroups are removed from the molecule, and writers generate them again.
struct DataSgroupReader: ~Copyable {
    private(set) var draft: MoleculeBuilder
    private(set) var ledger: IssueCollector
    /// The line number for warnings.
    private let line: Int
    /// Whether Sgroups for dative bonds remain, as the V2000 writer requires: V2000 has no type for such a bond.
    private let keepsCoordination: Bool

    init(
        _ draft: consuming MoleculeBuilder, _ ledger: consuming IssueCollector, line: Int,
        keepsCoordination: Bool = false
    ) {
        self.draft = draft
        self.ledger = ledger
        self.line = line
        self.keepsCoordination = keepsCoordination
    }

    /// Whether the Sgroup contains data that are read here.
    static func isOfChemistry(_ sgroup: Sgroup) -> Bool { ChemistryField(of: sgroup) != nil }

    /// Applies the Sgroups to the molecule.
    ///
    /// - Parameter bondIndex: Returns the index of a bond from its number in the file.
    mutating func read(bondIndex: (Int) -> Int32?) {
        let sgroups = draft.rare.sgroups
        var understood: [Bool] = []
        for index in sgroups.indices {
            guard let field = ChemistryField(of: sgroups[index]) else { continue }
            if understood.isEmpty { understood = Array(repeating: false, count: sgroups.count) }
            understood[index] = apply(field, sgroups[index], at: index, bondIndex)
        }
        if !understood.isEmpty { takeTexts(sgroups, &understood) }
        if !understood.contains(true) { return }
        takeOut(understood)
        let statesHydrogens = zip(sgroups, understood).contains { $1 && $0.data?.fieldName == "HYD" }
        if statesHydrogens, !draft.rare.atomNotes.isEmpty { dropSpareValences() }
    }

    /// Removes valences that repeat a `HYD` Sgroup for readers that do not support it. Writers generate them again.
    private mutating func dropSpareValences() {
        var notes = draft.rare.atomNotes
        let drawnCharges = notes.drawnCharges(beside: draft.molecule.atoms)
        let spare = HydrogenStatements(draft.molecule, drawnCharges: drawnCharges, isExtended: true).valences
        if spare.isEmpty { return }
        notes.removeAll { tagged in
            guard case .valence(let valence) = tagged.note else { return false }
            return spare[Int(tagged.index)] == valence
        }
        for index in draft.molecule.atoms.indices { draft.molecule.atoms[index].marks.remove(.hasNotes) }
        for tagged in notes { draft.molecule.atoms[Int(tagged.index)].marks.insert(.hasNotes) }
        draft.rare.atomNotes = notes
    }

    /// Applies an Sgroup, and returns whether it has no further content and can be removed.
    private mutating func apply(
        _ field: ChemistryField, _ sgroup: Sgroup, at place: Int, _ bondIndex: (Int) -> Int32?
    ) -> Bool {
        guard let data = sgroup.data else { return false }
        switch field {
        case .orders: return applyOrders(sgroup, data)
        case .hydrogens: return applyHydrogens(sgroup, data)
        case .charges: return applyCharges(sgroup, data)
        case .implicitHydrogens:
            // It is evaluated when hydrogens are counted, so the Sgroup remains.
            if data.implicitHydrogens == nil { return tellUnused(sgroup, "MRV_IMPLICIT_H") }
            return false
        case .coordination: return applyCoordination(sgroup, data, at: place, bondIndex)
        case .textOfAtom: return false
        }
    }

    private func isBare(_ sgroup: Sgroup) -> Bool {
        sgroup.keywords.isEmpty && sgroup.parent == nil && sgroup.identifier == 0
    }

    /// Returns the values, which are separated by semicolons in one text.
    private func numbers(_ data: Sgroup.Data) -> [Int?] {
        data.values.flatMap { $0.bytes.split(separator: 0x3B) }.map { part in
            // Control characters are written as blanks.
            let text = part.map { max($0, Ascii.blank) }
            return text.span.isBlank(0..<text.count) ? nil : text.span.integer(0..<text.count)
        }
    }

    private mutating func tellUnused(_ sgroup: Sgroup, _ name: String) -> Bool {
        ledger.doubt(at: line, "Sgroup \(sgroup.number): invalid \(name) data; preserved verbatim")
        return false
    }

    /// Sets bond orders. Without a value, the order is zero.
    private mutating func applyOrders(_ sgroup: Sgroup, _ data: Sgroup.Data) -> Bool {
        var orders = numbers(data)
        if orders.isEmpty { orders = [0] }
        if orders.count == 1 { orders = Array(repeating: orders[0], count: sgroup.bonds.count) }
        let known = orders.compactMap {
            $0.flatMap { UInt8(exactly: $0) }.flatMap { $0 <= 6 ? Bond.Order(rawValue: $0) : nil }
        }
        guard isBare(sgroup), !sgroup.bonds.isEmpty, known.count == sgroup.bonds.count else {
            return tellUnused(sgroup, "ZBO")
        }
        for (bond, order) in zip(sgroup.bonds, known) { draft.molecule.bonds[Int(bond)].order = order }
        draft.molecule.hydrogenRule = .sketchEl
        return true
    }

    private mutating func applyHydrogens(_ sgroup: Sgroup, _ data: Sgroup.Data) -> Bool {
        let counts = numbers(data).compactMap { $0 }
        guard isBare(sgroup), counts.count == sgroup.atoms.count, counts.allSatisfy({ 0...127 ~= $0 }) else {
            return tellUnused(sgroup, "HYD")
        }
        for (atom, count) in zip(sgroup.atoms, counts) { draft.molecule.atoms[Int(atom)].hydrogens = .fixed(count) }
        draft.molecule.flags.insert(.hydrogenLines)
        draft.molecule.hydrogenRule = .sketchEl
        return true
    }

    private mutating func applyCharges(_ sgroup: Sgroup, _ data: Sgroup.Data) -> Bool {
        let charges = numbers(data).compactMap { $0.flatMap { Int16(exactly: $0) } }
        guard isBare(sgroup), charges.count == sgroup.atoms.count else { return tellUnused(sgroup, "ZCH") }
        draft.setTrueCharges(Dictionary(zip(sgroup.atoms.map { Int($0) }, charges.map { Int($0) })) { $1 })
        draft.molecule.hydrogenRule = .sketchEl
        return true
    }

    /// Changes a bond, specified by its number, to a coordination bond.
    private mutating func applyCoordination(
        _ sgroup: Sgroup, _ data: Sgroup.Data, at place: Int, _ bondIndex: (Int) -> Int32?
    ) -> Bool {
        let numbers = numbers(data)
        guard isBare(sgroup), numbers.count == 1, let number = numbers[0], let bond = bondIndex(number)
        else { return tellUnused(sgroup, "MRV_COORDINATE_BOND_TYPE") }
        draft.molecule.bonds[Int(bond)].order = .dative
        // Omitted bonds change the numbers of the bonds after them.
        if keepsCoordination { draft.rare.sgroups[place].data?.values = [Text("\(bond + 1)")] }
        return !keepsCoordination
    }

    /// Converts data Sgroups to the texts of atoms. An atom may have several data Sgroups of one kind.
    private mutating func takeTexts(_ sgroups: [Sgroup], _ understood: inout [Bool]) {
        var texts: [Indexed<AtomNote>] = []
        for index in understood.indices where ChemistryField(of: sgroups[index]) == .textOfAtom {
            guard let text = text(of: sgroups[index]) else { continue }
            understood[index] = true
            draft.molecule.atoms[Int(text.index)].marks.insert(.hasNotes)
            texts.append(text)
        }
        if !texts.isEmpty { draft.rare.atomNotes.insert(contentsOf: texts) }
    }

    /// Returns the text of an atom if the Sgroup has no other content and the atom has no text of this kind yet.
    private func text(of sgroup: Sgroup) -> Indexed<AtomNote>? {
        guard let data = sgroup.data, let atom = sgroup.atoms.first, let text = data.values.first,
            let term = AtomTerm.term(ofData: data.fieldName), case .text(let get, let make) = term.content
        else { return nil }
        var plain = term.sgroup(of: make(text), onAtom: atom)
        plain?.number = sgroup.number
        let hasOne = draft.rare.atomNotes.notes(of: Int(atom)).contains { get($0) != nil }
        return plain == sgroup && !hasOne ? Indexed(Int(atom), make(text)) : nil
    }

    /// Removes Sgroups, and updates references to the remaining ones.
    private mutating func takeOut(_ isGone: [Bool]) {
        var places: [Int32?] = []
        var kept: [Sgroup] = []
        for (sgroup, isGone) in zip(draft.rare.sgroups, isGone) {
            places.append(isGone ? nil : Int32(clamping: kept.count))
            if !isGone { kept.append(sgroup) }
        }
        for index in kept.indices { kept[index].parent = kept[index].parent.flatMap { places[Int($0)] } }
        draft.rare.sgroups = kept
        for index in draft.rare.collections.indices {
            draft.rare.collections[index].sgroups = draft.rare.collections[index].sgroups.compactMap { places[Int($0)] }
        }
    }
}

extension Molecule {
    /// Returns the molecule with its data Sgroups applied to its atoms and bonds, as the V3000 reader would do.
    ///
    /// - Returns: The changed molecule, or `nil` if no data Sgroup affects the chemistry.
    func settlingDataSgroups() -> Molecule? {
        if extras.isEmpty { return nil }
        let contents = extras.contents
        guard contents.sgroups.contains(where: DataSgroupReader.isOfChemistry) else { return nil }
        let numbers = V3000Numbering(contents.bondNumbers, count: bonds.count)
        let places = Dictionary(
            bonds.indices.map { (numbers[Int32(clamping: $0)] ?? 0, Int32(clamping: $0)) }
        ) { one, _ in one }
        var draft = MoleculeBuilder(self)
        draft.rare = contents
        var reader = DataSgroupReader(draft, IssueCollector(firstLine: 0), line: 0)
        reader.read { places[$0] }
        var settled = reader.draft.molecule
        settled.extras.contents = reader.draft.rare
        return settled
    }
}

extension [Sgroup] {
    /// Whether data that could not be applied refer to a bond by its number in the file.
    var nameBonds: Bool { contains { ChemistryField(of: $0) == .coordination } }

    /// The indices of the bonds that data Sgroups make dative in V2000.
    var dativeBonds: Set<Int> {
        Set(
            filter { ChemistryField(of: $0) == .coordination }
                .compactMap { $0.data?.values.first.flatMap { Int($0.string) } }.map { $0 - 1 })
    }
}

/// The fields of data Sgroups that change the chemistry or are notes on atoms.
private enum ChemistryField: String {
    case orders = "ZBO"
    case hydrogens = "HYD"
    case charges = "ZCH"
    case implicitHydrogens = "MRV_IMPLICIT_H"
    case coordination = "MRV_COORDINATE_BOND_TYPE"
    case textOfAtom = "MDL_"

    /// Returns `nil` for all other Sgroups.
    init?(of sgroup: Sgroup) {
        guard let name = sgroup.data?.fieldName.bytes, sgroup.kind == .data, let first = name.first else { return nil }
        switch (first, name.count) {
        case (0x5A, 3): self = name[1] == 0x42 ? .orders : .charges
        case (0x48, 3): self = .hydrogens
        case (0x4D, 9): self = .textOfAtom
        case (0x4D, 14): self = .implicitHydrogens
        case (0x4D, 24): self = .coordination
        default: return nil
        }
        if !name.starts(with: rawValue.utf8) { return nil }
    }
}

extension Sgroup.Data {
    /// The hydrogen count in a value such as `IMPL_H1`.
    var implicitHydrogens: Int? {
        guard fieldName == "MRV_IMPLICIT_H", values.count == 1 else { return nil }
        let value = values[0].bytes
        guard value.count > 6, value.span.range(0..<6, spells: "IMPL_H"),
            let count = value.span.integer(6..<value.count),
            0...127 ~= count
        else { return nil }
        return count
    }
}
