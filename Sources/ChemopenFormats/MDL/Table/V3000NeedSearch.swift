import ChemopenBytes
import ChemopenModel

extension V3000Need {
    /// Finds a reason for V3000 that does not require a search of all atoms; `nil` for nearly every molecule.
    init?(_ molecule: borrowing Molecule) {
        if molecule.atoms.count > 999 {
            self = V3000Need("more than 999 atoms", .molecules)
        } else if molecule.bonds.count > 999 {
            self = V3000Need("more than 999 bonds", .molecules)
        } else if !molecule.labels.isEmpty, Self.hasLongLabel(molecule) {
            self = .longLabel
        } else if !molecule.extras.isEmpty, let need = Self.first(in: molecule.extras.contents) {
            self = need
        } else {
            return nil
        }
    }

    private static func hasLongLabel(_ molecule: borrowing Molecule) -> Bool {
        let isLong = molecule.labels.map { !fits($0) && V3000AtomType.isLabel($0) }
        if !isLong.contains(true) { return false }
        for index in molecule.atoms.indices {
            let label = Int(molecule.atoms[index].label)
            guard isLong.indices.contains(label), isLong[label] else { continue }
            let isCalledOtherwise =
                molecule.isNamedByGroup(index) || molecule.notes(onAtom: index).contains { $0.isSite || $0.isList }
            if !isCalledOtherwise { return true }
        }
        return false
    }

    /// Returns the first of the rare contents that V3000 supports and V2000 does not.
    private static func first(in rare: Extras.Contents) -> V3000Need? {
        let places = MDLTables([.v3000, .behind])
        for term in RareTerm.all where term.tables.isSubset(of: places) && !term.tables.isEmpty {
            if term.count(rare) > 0 { return V3000Need(term.name, term.feature) }
        }
        if let need = ranges(rare).first { return need }
        for tagged in rare.atomNotes { if let need = AtomTerm.term(of: tagged.note).need { return need } }
        for tagged in rare.bondNotes { if let need = tagged.note.need { return need } }
        return KeptLines(rare, .v3000).isEmpty
            ? nil : V3000Need("preserved V3000 lines", .unknown)
    }

    /// Returns the numbers and texts that exceed the ranges of V2000.
    static func ranges(_ rare: Extras.Contents) -> [V3000Need] {
        var needs: [V3000Need] = []
        if rare.sgroups.count > 999 { needs.append(V3000Need("more than 999 Sgroups", .sgroups)) }
        if rare.linkNodes.contains(where: { !$0.neighbors.isEmpty && !$0.fitsV2000 }) {
            needs.append(V3000Need("a link that V2000 cannot express", .linkNodes))
        }
        if rare.rgroups.contains(where: { $0.logic != nil && $0.logicInV2000 == nil }) {
            needs.append(V3000Need("an R-group number that V2000 cannot express", .rgroupLogic))
        }
        for tagged in rare.atomNotes { if let need = tagged.note.need { needs.append(need) } }
        for sgroup in rare.sgroups
        where !sgroup.keywords.isEmpty || !SgroupTerm.all.allSatisfy({ $0.fitsV2000(sgroup) }) {
            needs.append(V3000Need("Sgroup details that V2000 cannot express", .sgroupDetails))
        }
        return needs
    }
}

extension AtomNote {
    /// The reason if the note requires V3000.
    fileprivate var need: V3000Need? {
        switch self {
        case .hydrogenQuery(let count) where count > 998:
            return V3000Need("a query for hydrogens beyond 998", .queryAtoms)
        case .elementList(let list) where list.symbols.contains(where: ListEntry.isLong):
            return V3000Need("an entry of a list of more than four characters", .atomLists)
        case .attachmentOrder(let order) where order.contains { Int($0.point.string) == nil }:
            return .templateAtoms
        default: return nil
        }
    }
}

extension RGroup {
    /// The logic if V2000 can express it.
    var logicInV2000: Logic? {
        guard let logic, 1...999 ~= number, logic.requires <= 999 else { return nil }
        return logic
    }
}

extension SgroupTerm {
    /// Whether V2000 can store this property of an Sgroup, with all its values.
    fileprivate func fitsV2000(_ sgroup: Sgroup) -> Bool {
        switch content {
        case .kind: return Self.isWord(sgroup.kind.code)
        case .word(let field): return Self.isWord(sgroup[field])
        case .atoms(let field), .bonds(let field): return line != nil || sgroup[field].isEmpty
        case .data(let field):
            guard let data = sgroup.data, let columns, columns.upperBound < .max else { return true }
            return data[field].bytes.count <= columns.count
        case .values: return sgroup.data?.values.allSatisfy { $0.bytes.last.map(Ascii.isBlank) != true } ?? true
        case .bracket: return sgroup.brackets.allSatisfy { $0.start.fitsV2000 && $0.end.fitsV2000 }
        case .bondVector: return sgroup.bondVectors.allSatisfy { $0.vector?.fitsV2000 ?? false }
        case .attachment:
            return sgroup.attachments.allSatisfy { $0.leaving != $0.atom && $0.identifier.bytes.count <= 2 }
        case .text, .number, .valuePart, .parent, .bracketStyle, .expansion: return true
        }
    }

    private static func isWord(_ text: Text) -> Bool {
        text.bytes.count <= 3 && !text.bytes.contains(Ascii.blank)
    }
}

extension Position {
    /// Whether two coordinates with four decimals fit into ten columns each.
    fileprivate var fitsV2000: Bool {
        z == 0 && [x, y].allSatisfy { -9999.9999...99999.9999 ~= $0 && ($0 * 10_000).rounded() / 10_000 == $0 }
    }
}

extension LinkNode {
    fileprivate var fitsV2000: Bool { neighbors.count <= 2 && minimum == 1 && 0...999 ~= maximum }
}
