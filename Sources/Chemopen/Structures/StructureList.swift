import ChemopenModel

/// A list of parts of a molecule that is compared and merged as one value.
enum StructureList: String, CaseIterable, Sendable {
    case sgroups = "Sgroups"
    case stereoGroups = "stereo groups"
    case collections = "collections"
    case linkNodes = "link nodes"
    case abbreviations = "abbreviations"
    case rgroups = "R-groups"
    case templates = "templates"
    case verbatim = "unknown lines"
    case keywords = "keywords of the table"

    /// Whether two structures have equal lists, ignoring the order where it is not significant.
    func isEqual(_ one: Extras.Contents, _ other: Extras.Contents) -> Bool {
        switch self {
        case .sgroups: Self.sorted(one.sgroups) == Self.sorted(other.sgroups)
        case .stereoGroups: Self.sorted(one.stereoGroups) == Self.sorted(other.stereoGroups)
        case .collections: one.collections == other.collections
        case .linkNodes: Set(one.linkNodes) == Set(other.linkNodes)
        case .abbreviations: Set(one.abbreviations) == Set(other.abbreviations)
        case .rgroups: one.rgroups == other.rgroups
        case .templates: one.templates == other.templates
        case .verbatim: one.verbatim == other.verbatim
        case .keywords: one.keywords == other.keywords && one.tableName == other.tableName
        }
    }

    func isEmpty(in contents: Extras.Contents) -> Bool {
        switch self {
        case .sgroups: contents.sgroups.isEmpty
        case .stereoGroups: contents.stereoGroups.isEmpty
        case .collections: contents.collections.isEmpty
        case .linkNodes: contents.linkNodes.isEmpty
        case .abbreviations: contents.abbreviations.isEmpty
        case .rgroups: contents.rgroups.isEmpty
        case .templates: contents.templates.isEmpty
        case .verbatim: contents.verbatim.isEmpty
        case .keywords: contents.keywords.isEmpty && contents.tableName.isEmpty
        }
    }

    /// Replaces the list in `contents` with that of other contents.
    func copy(from other: Extras.Contents, to contents: inout Extras.Contents) {
        switch self {
        case .sgroups: contents.sgroups = other.sgroups
        case .stereoGroups: contents.stereoGroups = other.stereoGroups
        case .collections: contents.collections = other.collections
        case .linkNodes: contents.linkNodes = other.linkNodes
        case .abbreviations: contents.abbreviations = other.abbreviations
        case .rgroups: contents.rgroups = other.rgroups
        case .templates: contents.templates = other.templates
        case .verbatim: contents.verbatim = other.verbatim
        case .keywords: (contents.keywords, contents.tableName) = (other.keywords, other.tableName)
        }
    }

    private static func sorted(_ groups: [Sgroup]) -> Set<Sgroup> {
        Set(
            groups.map { group in
                var group = group
                group.number = 0
                group.parent = nil
                group.atoms.sort()
                group.bonds.sort()
                return group
            })
    }

    private static func sorted(_ groups: [StereoGroup]) -> Set<StereoGroup> {
        Set(
            groups.map { group in
                var group = group
                group.atoms.sort()
                group.bonds.sort()
                return group
            })
    }
}

extension StructureChanges {
    /// The lists of the base with the indices of the base, without deleted atoms and bonds.
    private var remaining: Extras.Contents {
        var atoms = base.atoms.indices.map { Int32(clamping: $0) }
        var bonds = base.bonds.indices.map { Int32(clamping: $0) }
        for atom in deletedAtoms { atoms[atom] = AtomAlignment.nobody }
        for (place, bond) in base.bonds.enumerated() {
            let ends = [Int(bond.from), Int(bond.to)]
            if ends.contains(where: { atoms.indices.contains($0) && atoms[$0] < 0 }) {
                bonds[place] = AtomAlignment.nobody
            }
        }
        for bond in deletedBonds { bonds[bond] = AtomAlignment.nobody }
        return base.extras.contents.mapped(atoms: atoms, bonds: bonds)
    }

    mutating func compareLists() {
        let remaining = remaining
        if author == .person {
            lists = Set(StructureList.allCases.filter { !$0.isEqual(remaining, contents) })
            return
        }
        compareSgroups(remaining.sgroups)
        for list in [StructureList.stereoGroups, .collections, .linkNodes] where !list.isEqual(remaining, contents) {
            if list.isEmpty(in: contents) { kept.append(list.rawValue) } else { lists.insert(list) }
        }
        for list in [StructureList.abbreviations, .rgroups, .templates, .verbatim, .keywords]
        where !list.isEqual(remaining, contents) && !list.isEmpty(in: remaining) {
            kept.append(list.rawValue)
        }
    }

    /// Determines the edits of Sgroups. If the editor stores no Sgroups of a kind, those of the base are preserved.
    private mutating func compareSgroups(_ remaining: [Sgroup]) {
        var result = remaining
        var left = contents.sgroups
        var removed: [Int] = []
        var isChanged = false
        let kinds = Set(left.map(\.kind))
        for place in result.indices {
            let old = result[place]
            let atoms = Set(old.atoms)
            let partner =
                left.firstIndex { $0.kind == old.kind && Set($0.atoms) == atoms && $0.hasLabel(of: old) }
                ?? left.firstIndex { $0.kind == old.kind && Set($0.atoms) == atoms }
                ?? left.firstIndex { $0.kind == old.kind && $0.hasLabel(of: old) && !atoms.isDisjoint(with: $0.atoms) }
            if let partner {
                let new = left.remove(at: partner)
                result[place].takeEdits(of: new, isSameSet: Set(new.atoms) == atoms)
                if result[place] != old { isChanged = true }
            } else if kinds.contains(old.kind) {
                removed.append(place)
            } else {
                kept.append(
                    "Sgroup \(place + 1) (\(old.kind.code.shown)\(old.label.isEmpty ? "" : " \(old.label.shown)"))")
            }
        }
        for group in left where !group.atoms.isEmpty {
            var group = group
            group.number = 0
            group.parent = nil
            result.append(group)
            isChanged = true
        }
        if removed.isEmpty, !isChanged { return }
        // Parents are indices, so removed Sgroups are emptied first.
        let places = result.indices.filter { !removed.contains($0) }
        var table = [Int32?](repeating: nil, count: result.count)
        for (new, old) in places.enumerated() { table[old] = Int32(clamping: new) }
        contents.sgroups = places.map { place in
            var group = result[place]
            group.parent = group.parent.flatMap { table.indices.contains(Int($0)) ? table[Int($0)] : nil }
            return group
        }
        lists.insert(.sgroups)
    }
}

extension Sgroup {
    fileprivate func hasLabel(of other: Sgroup) -> Bool {
        label == other.label && data?.fieldName == other.data?.fieldName && data?.values == other.data?.values
    }

    /// Copies the properties that users edit. Properties that the editor omitted are preserved.
    fileprivate mutating func takeEdits(of new: Sgroup, isSameSet: Bool) {
        if !new.label.isEmpty { label = new.label }
        if !new.subtype.isEmpty { subtype = new.subtype }
        if !new.connectivity.isEmpty { connectivity = new.connectivity }
        if let values = new.data?.values, !values.isEmpty, values != [""], data?.values != [] || values != [] {
            if data == nil { data = new.data } else { data?.values = values }
        }
        if let name = new.data?.fieldName, !name.isEmpty { data?.fieldName = name }
        if !isSameSet { (atoms, bonds, parentAtoms) = (new.atoms, new.bonds, new.parentAtoms) }
    }
}
