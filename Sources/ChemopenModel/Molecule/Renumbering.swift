/// The new indices of atoms, bonds and Sgroups after an edit.
struct Renumbering {
    private let atoms: [Int32]
    private let bonds: [Int32]
    private let sgroups: [Int32]

    private static let gone: Int32 = -1

    /// Creates a renumbering that moves all parts into these ranges of indices.
    init(atoms: Range<Int>, bonds: Range<Int>, sgroups: Range<Int>) {
        self.atoms = atoms.map { Int32(clamping: $0) }
        self.bonds = bonds.map { Int32(clamping: $0) }
        self.sgroups = sgroups.map { Int32(clamping: $0) }
    }

    /// Creates a renumbering after the removal of unflagged parts, which closes the gaps.
    init(keepingAtoms: [Bool], bonds keepingBonds: [Bool], sgroups keepingSgroups: [Bool] = []) {
        atoms = Self.closingGaps(keepingAtoms)
        bonds = Self.closingGaps(keepingBonds)
        sgroups = Self.closingGaps(keepingSgroups)
    }

    /// Creates a renumbering for a new order. Each list contains the old indices in their new order.
    init(atomsInOrder atomOrder: [Int], bondsInOrder bondOrder: [Int], sgroups count: Int) {
        atoms = Self.places(in: atomOrder)
        bonds = Self.places(in: bondOrder)
        sgroups = (0..<count).map { Int32(clamping: $0) }
    }

    /// Creates a renumbering from tables of new indices, with -1 for parts that no longer exist.
    init(atomTable: [Int32], bondTable: [Int32], sgroups keepingSgroups: [Bool]) {
        (atoms, bonds) = (atomTable, bondTable)
        sgroups = Self.closingGaps(keepingSgroups)
    }

    private static func places(in order: [Int]) -> [Int32] {
        var places = Array(repeating: gone, count: order.count)
        for (place, old) in order.enumerated() where places.indices.contains(old) {
            places[old] = Int32(clamping: place)
        }
        return places
    }

    private static func closingGaps(_ isKept: [Bool]) -> [Int32] {
        var next: Int32 = 0
        return isKept.map { isKept in
            guard isKept else { return gone }
            defer { next += 1 }
            return next
        }
    }

    private static func look(up index: Int32, in table: [Int32]) -> Int32? {
        let place = Int(index)
        return table.indices.contains(place) && table[place] != gone ? table[place] : nil
    }

    func atom(_ index: Int32) -> Int32? { Self.look(up: index, in: atoms) }
    func bond(_ index: Int32) -> Int32? { Self.look(up: index, in: bonds) }
    func sgroup(_ index: Int32) -> Int32? { Self.look(up: index, in: sgroups) }
    func atoms(_ indices: [Int32]) -> [Int32] { indices.compactMap(atom) }
    func bonds(_ indices: [Int32]) -> [Int32] { indices.compactMap(bond) }
    func sgroups(_ indices: [Int32]) -> [Int32] { indices.compactMap(sgroup) }
}

extension Renumbering {
    /// Returns a note with new indices, or `nil` if the edit invalidates it.
    func note(_ note: AtomNote) -> AtomNote? {
        switch note {
        case .transientField: return nil
        case .attachmentOrder(let attachments):
            let kept = attachments.compactMap { attachment in
                atom(attachment.neighbor).map {
                    AtomNote.Attachment(neighbor: Int($0), point: attachment.point)
                }
            }
            return kept.isEmpty ? nil : .attachmentOrder(kept)
        case .configuration(var configuration):
            for place in configuration.neighbors.indices where configuration.neighbors[place] >= 0 {
                guard let neighbor = atom(configuration.neighbors[place]) else { return nil }
                configuration.neighbors[place] = neighbor
            }
            return .configuration(configuration)
        default: return note
        }
    }

    func note(_ note: BondNote) -> BondNote? {
        switch note {
        case .transientField: return nil
        case .endpoints(let endpoints, let any):
            let kept = atoms(endpoints)
            return kept.isEmpty ? nil : .endpoints(atoms: kept, any: any)
        case .geometry(let geometry):
            guard let one = atom(geometry.one), let other = atom(geometry.other) else { return nil }
            return .geometry(BondNote.Geometry(Int(one), Int(other), isTrans: geometry.isTrans))
        default: return note
        }
    }

    /// Returns an Sgroup with new indices, or `nil` if all its atoms were removed.
    func sgroup(_ sgroup: Sgroup) -> Sgroup? {
        var kept = sgroup
        kept.atoms = atoms(sgroup.atoms)
        if kept.atoms.isEmpty, !sgroup.atoms.isEmpty { return nil }
        kept.parentAtoms = atoms(sgroup.parentAtoms)
        kept.bonds = bonds(sgroup.bonds)
        kept.containedBonds = bonds(sgroup.containedBonds)
        kept.headBonds = bonds(sgroup.headBonds)
        kept.bondCorrespondence = pairs(sgroup.bondCorrespondence)
        kept.attachments = sgroup.attachments.compactMap { attachment in
            guard let atom = atom(attachment.atom) else { return nil }
            var kept = attachment
            kept.atom = atom
            kept.leaving = attachment.leaving.flatMap(self.atom)
            return kept
        }
        kept.bondVectors = sgroup.bondVectors.compactMap { vector in
            bond(vector.bond).map { Sgroup.BondVector(bond: Int($0), vector: vector.vector) }
        }
        kept.parent = sgroup.parent.flatMap(self.sgroup)
        return kept
    }

    private func pairs(_ indices: [Int32]) -> [Int32] {
        var kept: [Int32] = []
        for place in stride(from: 0, to: indices.count, by: 2) {
            let pair = indices[place..<min(place + 2, indices.count)].map(bond)
            if !pair.contains(nil) { kept += pair.compactMap(\.self) }
        }
        return kept
    }

    func stereoGroup(_ group: StereoGroup) -> StereoGroup? {
        var kept = group
        kept.atoms = atoms(group.atoms)
        kept.bonds = bonds(group.bonds)
        return kept.atoms.isEmpty && kept.bonds.isEmpty ? nil : kept
    }

    func collection(_ collection: AtomCollection) -> AtomCollection? {
        var kept = collection
        kept.atoms = atoms(collection.atoms)
        kept.bonds = bonds(collection.bonds)
        kept.sgroups = sgroups(collection.sgroups)
        let had = collection.atoms.count + collection.bonds.count + collection.sgroups.count
        let has = kept.atoms.count + kept.bonds.count + kept.sgroups.count
        return had > 0 && has == 0 && kept.keywords.isEmpty ? nil : kept
    }

    func linkNode(_ node: LinkNode) -> LinkNode? {
        guard let atom = atom(node.atom) else { return nil }
        var kept = node
        kept.atom = atom
        kept.neighbors = atoms(node.neighbors)
        return kept.neighbors.isEmpty && !node.neighbors.isEmpty ? nil : kept
    }

    func abbreviation(_ abbreviation: Abbreviation) -> Abbreviation? {
        guard let atom = atom(abbreviation.atom) else { return nil }
        var kept = abbreviation
        kept.atom = atom
        return kept
    }

    func verbatim(_ verbatim: Verbatim) -> Verbatim? {
        var kept = verbatim
        switch verbatim.owner {
        case .molecule: return verbatim
        case .atom(let index): kept.owner = .atom(atom(index) ?? Self.gone)
        case .bond(let index): kept.owner = .bond(bond(index) ?? Self.gone)
        case .sgroup(let index): kept.owner = .sgroup(sgroup(index) ?? Self.gone)
        }
        switch kept.owner {
        case .atom(Self.gone), .bond(Self.gone), .sgroup(Self.gone): return nil
        default: return kept
        }
    }
}

extension Molecule {
    /// Returns Sgroups without references to atoms, bonds and Sgroups that do not exist.
    package func withoutLooseEnds(_ sgroups: [Sgroup]) -> [Sgroup] {
        let all = Renumbering(atoms: 0..<atoms.count, bonds: 0..<bonds.count, sgroups: 0..<sgroups.count)
        return sgroups.map { all.sgroup($0) ?? Sgroup($0.kind) }
    }
}

extension Extras.Contents {
    /// Returns the contents with indices from tables, in which -1 marks parts that do not exist.
    package func mapped(atoms: [Int32], bonds: [Int32]) -> Extras.Contents {
        let kept = Renumbering(atomTable: atoms, bondTable: bonds, sgroups: [])
        let isSgroupKept = sgroups.map { $0.atoms.isEmpty || !kept.atoms($0.atoms).isEmpty }
        var contents = renumbered(Renumbering(atomTable: atoms, bondTable: bonds, sgroups: isSgroupKept))
        contents.atomNotes = contents.atomNotes.sortedByIndex()
        contents.bondNotes = contents.bondNotes.sortedByIndex()
        return contents
    }

    /// Returns the contents with new indices, without the numbers from the file.
    func renumbered(_ numbers: Renumbering) -> Extras.Contents {
        var contents = self
        contents.atomNotes = atomNotes.compactMap { tagged in
            guard let atom = numbers.atom(tagged.index), let note = numbers.note(tagged.note) else { return nil }
            return Indexed(Int(atom), note)
        }
        contents.bondNotes = bondNotes.compactMap { tagged in
            guard let bond = numbers.bond(tagged.index), let note = numbers.note(tagged.note) else { return nil }
            return Indexed(Int(bond), note)
        }
        contents.sgroups = sgroups.compactMap(numbers.sgroup)
        contents.stereoGroups = stereoGroups.compactMap(numbers.stereoGroup)
        contents.collections = collections.compactMap(numbers.collection)
        contents.linkNodes = linkNodes.compactMap(numbers.linkNode)
        contents.abbreviations = abbreviations.compactMap(numbers.abbreviation)
        contents.verbatim = verbatim.compactMap(numbers.verbatim)
        contents.atomNumbers = []
        contents.bondNumbers = []
        return contents
    }
}
