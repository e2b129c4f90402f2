import ChemopenModel

/// A molecule that is built from the pieces of a drawing. Notes are sorted once, at the end.
struct MoleculeDraft {
    var atoms: [Atom] = []
    var bonds: [Bond] = []
    var contents = Extras.Contents()
    private var labels: [Text] = []
    private var labelPlaces: [Text: Int32] = [:]

    mutating func reserve(atoms atomCount: Int, bonds bondCount: Int) {
        atoms.reserveCapacity(atomCount)
        bonds.reserveCapacity(bondCount)
    }

    mutating func add(_ atom: Atom, called label: Text? = nil) -> Int {
        atoms.append(atom)
        if let label { atoms[atoms.count - 1].label = place(of: label) }
        return atoms.count - 1
    }

    mutating func add(_ bond: Bond) -> Int {
        bonds.append(bond)
        return bonds.count - 1
    }

    mutating func note(_ note: AtomNote, onAtom index: Int) {
        atoms[index].marks.insert(.hasNotes)
        contents.atomNotes.append(Indexed(index, note))
    }

    mutating func note(_ note: BondNote, onBond index: Int) {
        bonds[index].traits.insert(.hasNotes)
        contents.bondNotes.append(Indexed(index, note))
    }

    /// Appends the atoms and bonds of a piece. Returns the indices of its first atom and bond.
    mutating func append(_ piece: MoleculeDraft) -> (atom: Int, bond: Int) {
        let first = (atom: atoms.count, bond: bonds.count)
        let shift = Int32(clamping: first.atom)
        let bondShift = Int32(clamping: first.bond)
        if atoms.isEmpty { reserve(atoms: piece.atoms.count, bonds: piece.bonds.count) }
        for atom in piece.atoms {
            var added = atom
            if piece.labels.indices.contains(Int(atom.label)) { added.label = place(of: piece.labels[Int(atom.label)]) }
            atoms.append(added)
        }
        for bond in piece.bonds {
            var added = bond
            added.from &+= shift
            added.to &+= shift
            bonds.append(added)
        }
        for note in piece.contents.atomNotes {
            contents.atomNotes.append(Indexed(Int(note.index &+ shift), note.note.moved(by: shift)))
        }
        for note in piece.contents.bondNotes {
            let moved = note.note.moved(by: shift)
            contents.bondNotes.append(Indexed(Int(note.index &+ bondShift), moved))
        }
        for group in piece.contents.sgroups {
            contents.sgroups.append(group.moved(atoms: shift, bonds: bondShift, sgroups: contents.sgroups.count))
        }
        for var group in piece.contents.stereoGroups {
            group.atoms = group.atoms.map { $0 &+ shift }
            contents.stereoGroups.append(group)
        }
        for var abbreviation in piece.contents.abbreviations {
            abbreviation.atom &+= shift
            contents.abbreviations.append(abbreviation)
        }
        for var link in piece.contents.linkNodes {
            link.atom &+= shift
            link.neighbors = link.neighbors.map { $0 &+ shift }
            contents.linkNodes.append(link)
        }
        return first
    }

    /// Returns the molecule, with stereo groups of the same kind and number merged.
    func molecule() -> Molecule {
        var molecule = Molecule()
        molecule.atoms = atoms
        molecule.bonds = bonds
        molecule.labels = labels
        if !hasContents { return molecule }
        var sorted = contents
        Self.sort(&sorted.atomNotes)
        Self.sort(&sorted.bondNotes)
        sorted.atomNotes.removeAll { !$0.note.isSound(among: atoms.count) }
        if sorted.stereoGroups.count > 1 { sorted.stereoGroups = Self.gathered(contents.stereoGroups) }
        molecule.extras.contents = sorted
        return molecule
    }

    private var hasContents: Bool {
        !(contents.atomNotes.isEmpty && contents.bondNotes.isEmpty && contents.sgroups.isEmpty
            && contents.stereoGroups.isEmpty && contents.abbreviations.isEmpty && contents.linkNodes.isEmpty)
    }

    private mutating func place(of label: Text) -> Int32 {
        // Most molecules have few labels, so a linear search is faster than a dictionary.
        let few = 8
        for place in 0..<min(few, labels.count) where labels[place] == label { return Int32(place) }
        let place = Int32(clamping: labels.count)
        if labels.count >= few {
            if let known = labelPlaces[label] { return known }
            labelPlaces[label] = place
        }
        labels.append(label)
        return place
    }

    private static func sort<Note>(_ notes: inout [Indexed<Note>]) {
        if notes.indices.dropLast().allSatisfy({ notes[$0].index <= notes[$0 + 1].index }) { return }
        let order = notes.indices.sorted { (notes[$0].index, $0) < (notes[$1].index, $1) }
        notes = order.map { notes[$0] }
    }

    private static func gathered(_ groups: [StereoGroup]) -> [StereoGroup] {
        struct Key: Hashable {
            var kind: StereoGroup.Kind
            var number: Int32
        }
        var gathered: [StereoGroup] = []
        var places: [Key: Int] = [:]
        for group in groups {
            let key = Key(kind: group.kind, number: group.number)
            if let place = places[key] {
                gathered[place].atoms += group.atoms
            } else {
                places[key] = gathered.count
                gathered.append(group)
            }
        }
        return gathered
    }
}

extension AtomNote {
    /// Whether all atoms to which the note refers exist.
    fileprivate func isSound(among count: Int) -> Bool {
        switch self {
        case .attachmentOrder(let order): order.allSatisfy { 0..<count ~= Int($0.neighbor) }
        case .configuration(let configuration): configuration.neighbors.allSatisfy { Int($0) < count }
        default: true
        }
    }

    fileprivate func moved(by shift: Int32) -> AtomNote {
        guard case .configuration(var configuration) = self else { return self }
        configuration.neighbors = configuration.neighbors.map { $0 < 0 ? $0 : $0 &+ shift }
        return .configuration(configuration)
    }
}

extension BondNote {
    /// Whether all atoms to which the note refers exist.
    func isSound(among count: Int) -> Bool {
        switch self {
        case .endpoints(let atoms, _): !atoms.isEmpty && atoms.allSatisfy { 0..<count ~= Int($0) }
        case .geometry(let geometry): 0..<count ~= Int(geometry.one) && 0..<count ~= Int(geometry.other)
        default: true
        }
    }

    fileprivate func moved(by shift: Int32) -> BondNote {
        switch self {
        case .endpoints(let atoms, let any): return .endpoints(atoms: atoms.map { $0 &+ shift }, any: any)
        case .geometry(var geometry):
            geometry.one &+= shift
            geometry.other &+= shift
            return .geometry(geometry)
        default: return self
        }
    }
}

extension Sgroup {
    fileprivate func moved(atoms shift: Int32, bonds bondShift: Int32, sgroups count: Int) -> Sgroup {
        var group = self
        group.atoms = atoms.map { $0 &+ shift }
        group.parentAtoms = parentAtoms.map { $0 &+ shift }
        group.bonds = bonds.map { $0 &+ bondShift }
        group.parent = parent.map { $0 &+ Int32(clamping: count) }
        group.attachments = attachments.map { point in
            var point = point
            point.atom &+= shift
            return point
        }
        return group
    }
}
