import ChemopenModel

extension Molecule: JSONCoded {
    static var shape: JSONShape { .object(MoleculeForm.name) }
    func write(to json: inout JSON) { MoleculeForm.form.write(self, to: &json) }
    static func read(_ json: inout JSONCursor) throws(Fault) -> Molecule { try MoleculeForm.read(&json) }
}

extension JSON {
    /// Writes a molecule as in JSON Lines.
    package mutating func field(_ name: StaticString, _ molecule: Molecule) {
        key(name)
        molecule.write(to: &self)
    }
}

/// The members of a molecule.
enum MoleculeForm {
    static let name = "molecule"

    static let form = JSONForm<Molecule>([
        JSONTerm("name", get: { $0.name }, set: { $0.name = $1 }),
        JSONTerm("origin", get: { $0.origin }, set: { $0.origin = $1 }),
        JSONTerm("comment", get: { $0.comment }, set: { $0.comment = $1 }),
        JSONTerm("chiral", flag: .chiral),
        JSONTerm("three_dimensional", flag: .threeDimensional),
        JSONTerm("without_coordinates", flag: .withoutCoordinates),
        JSONTerm("hydrogen_lines", flag: .hydrogenLines),
        JSONTerm("hydrogen_rule", \.hydrogenRule),
        JSONTerm("atoms", .list(SaidAtom.shape)) { molecule, json in
            json.key("atoms")
            json.array { json in AtomList.write(molecule, to: &json) }
        } read: { json, molecule throws(Fault) in
            try AtomList.read(&json, into: &molecule)
        },
        JSONTerm("bonds", .list(SaidBond.shape)) { molecule, json in
            json.key("bonds")
            json.array { json in BondList.write(molecule, to: &json) }
        } read: { json, molecule throws(Fault) in
            try BondList.read(&json, into: &molecule)
        },
        JSONTerm("sgroups", rare: \.sgroups),
        JSONTerm("stereo_groups", rare: \.stereoGroups),
        JSONTerm("collections", rare: \.collections),
        JSONTerm("link_nodes", rare: \.linkNodes),
        JSONTerm("abbreviations", rare: \.abbreviations),
        JSONTerm("rgroups", rare: \.rgroups),
        JSONTerm("templates", rare: \.templates),
        JSONTerm("kept", rare: \.verbatim),
        JSONTerm("atom_numbers", rare: \.atomNumbers),
        JSONTerm("bond_numbers", rare: \.bondNumbers),
        JSONTerm("table_name", rare: \.tableName),
        JSONTerm("keywords", rare: \.keywords),
    ])

    /// The heading and the groups, without atoms, bonds and flags.
    static let rest = form.except([
        "chiral", "three_dimensional", "without_coordinates", "hydrogen_lines", "hydrogen_rule", "atoms", "bonds",
        "abbreviations", "atom_numbers", "bond_numbers",
    ])

    fileprivate static func read(_ json: inout JSONCursor) throws(Fault) -> Molecule {
        try json.read("indices of existing atoms, bonds and Sgroups, from 0") { json throws(Fault) in
            var molecule = Molecule()
            try form.read(&json, into: &molecule)
            return LooseEnds.are(in: molecule) ? nil : molecule
        }
    }
}

extension JSONTerm<Molecule> {
    fileprivate convenience init(_ key: StaticString, flag: Molecule.Flags) {
        self.init(
            key, get: { $0.flags.contains(flag) },
            set: { if $1 { $0.flags.insert(flag) } else { $0.flags.remove(flag) } })
    }

    fileprivate convenience init<Value: JSONCoded>(
        _ key: StaticString, rare path: WritableKeyPath<Extras.Contents, Value> & Sendable
    ) {
        self.init(key, Value.shape) { molecule, json in
            if molecule.extras.isEmpty { return }
            let value = molecule.extras.contents[keyPath: path]
            guard value.isSaid else { return }
            json.key(key)
            value.write(to: &json)
        } read: { json, molecule throws(Fault) in
            molecule.extras.contents[keyPath: path] = try Value.read(&json)
        }
    }
}

extension Molecule.HydrogenRule: JSONWord {
    static let words: [(value: Self, word: StaticString)] =
        [(.mdl, "mdl"), (.sketchEl, "sketchel"), (.mdl2017, "mdl2017")]
    var isSaid: Bool { self != .mdl }
}

// MARK: Atoms and bonds

private enum AtomList {
    static func write(_ molecule: Molecule, to json: inout JSON) {
        let isPlaced = !molecule.flags.contains(.withoutCoordinates)
        var said = SaidAtom()
        for (index, atom) in molecule.atoms.enumerated() {
            said.atom = atom
            said.hasPlace = isPlaced || atom.position != Position()
            let label = Int(atom.label)
            said.label = molecule.labels.indices.contains(label) ? molecule.labels[label] : nil
            said.notes = atom.marks.contains(.hasNotes) ? Array(molecule.notes(onAtom: index)) : []
            said.write(to: &json)
        }
    }

    static func read(_ json: inout JSONCursor, into molecule: inout Molecule) throws(Fault) {
        var atoms: [Atom] = []
        var labels: [Text] = []
        var places: [Text: Int32] = [:]
        var tagged: [Indexed<AtomNote>] = []
        try json.array { json throws(Fault) in
            guard atoms.count < RecordCost.mostAtoms else { throw json.fault("fewer atoms") }
            var said = try SaidAtom.read(&json)
            if let label = said.label {
                if places[label] == nil {
                    places[label] = Int32(clamping: labels.count)
                    labels.append(label)
                }
                said.atom.label = places[label] ?? Atom.noLabel
            }
            if !said.notes.isEmpty {
                said.atom.marks.insert(.hasNotes)
                for note in said.notes { tagged.append(Indexed(atoms.count, note)) }
            }
            atoms.append(said.atom)
        }
        (molecule.atoms, molecule.labels) = (atoms, labels)
        if !tagged.isEmpty || !molecule.extras.isEmpty { molecule.extras.contents.atomNotes = tagged }
    }
}

private enum BondList {
    static func write(_ molecule: Molecule, to json: inout JSON) {
        var said = SaidBond()
        for (index, bond) in molecule.bonds.enumerated() {
            said.bond = bond
            said.notes = bond.traits.contains(.hasNotes) ? Array(molecule.notes(onBond: index)) : []
            said.write(to: &json)
        }
    }

    static func read(_ json: inout JSONCursor, into molecule: inout Molecule) throws(Fault) {
        var bonds: [Bond] = []
        var tagged: [Indexed<BondNote>] = []
        var joined: Set<UInt64> = []
        try json.array { json throws(Fault) in
            let expected: StaticString = "a bond between two atoms that have no bond yet"
            var said = try json.read(expected) { json throws(Fault) -> SaidBond? in
                let said = try SaidBond.read(&json)
                let places = 0..<RecordCost.mostAtoms
                guard places.contains(said.from), places.contains(said.to), said.from != said.to else { return nil }
                let pair = UInt64(min(said.from, said.to)) << 32 | UInt64(max(said.from, said.to))
                return joined.insert(pair).inserted ? said : nil
            }
            said.bond.from = Int32(clamping: said.from)
            said.bond.to = Int32(clamping: said.to)
            if !said.notes.isEmpty {
                said.bond.traits.insert(.hasNotes)
                for note in said.notes { tagged.append(Indexed(bonds.count, note)) }
            }
            bonds.append(said.bond)
        }
        molecule.bonds = bonds
        if !tagged.isEmpty || !molecule.extras.isEmpty { molecule.extras.contents.bondNotes = tagged }
    }
}

// MARK: Invalid references

/// References to atoms, bonds and Sgroups that do not exist.
enum LooseEnds {
    static func are(in molecule: Molecule) -> Bool {
        let atoms = 0..<Int32(clamping: molecule.atoms.count)
        let bonds = 0..<Int32(clamping: molecule.bonds.count)
        if molecule.bonds.contains(where: { !atoms.contains($0.from) || !atoms.contains($0.to) }) { return true }
        return !molecule.extras.isEmpty && !molecule.extras.contents.isSound(atoms, bonds)
    }
}

extension Extras.Contents {
    fileprivate func isSound(_ atoms: Range<Int32>, _ bonds: Range<Int32>) -> Bool {
        let sgroups = 0..<Int32(clamping: self.sgroups.count)
        return atomNotes.allSatisfy { $0.note.neighbors.allSatisfy(atoms.contains) }
            && bondNotes.allSatisfy { $0.note.atoms.allSatisfy(atoms.contains) }
            && self.sgroups.allSatisfy { $0.isSound(atoms, bonds, sgroups) }
            && stereoGroups.allSatisfy { $0.atoms.allSatisfy(atoms.contains) && $0.bonds.allSatisfy(bonds.contains) }
            && collections.allSatisfy {
                $0.atoms.allSatisfy(atoms.contains) && $0.bonds.allSatisfy(bonds.contains)
                    && $0.sgroups.allSatisfy(sgroups.contains)
            }
            && linkNodes.allSatisfy { atoms.contains($0.atom) && $0.neighbors.allSatisfy(atoms.contains) }
            && abbreviations.allSatisfy { atoms.contains($0.atom) }
            && verbatim.allSatisfy { $0.owner.isThere(atoms, bonds, sgroups) }
            && (atomNumbers.isEmpty || atomNumbers.count == atoms.count)
            && (bondNumbers.isEmpty || bondNumbers.count == bonds.count)
    }
}

extension AtomNote {
    fileprivate var neighbors: [Int32] {
        switch self {
        case .attachmentOrder(let attachments): attachments.map(\.neighbor)
        case .configuration(let configuration): configuration.neighbors.filter { $0 >= 0 }
        default: []
        }
    }
}

extension BondNote {
    fileprivate var atoms: [Int32] {
        switch self {
        case .endpoints(let atoms, _): atoms
        case .geometry(let geometry): [geometry.one, geometry.other]
        default: []
        }
    }
}

extension Sgroup {
    fileprivate func isSound(_ atoms: Range<Int32>, _ bonds: Range<Int32>, _ sgroups: Range<Int32>) -> Bool {
        self.atoms.allSatisfy(atoms.contains) && parentAtoms.allSatisfy(atoms.contains)
            && [self.bonds, containedBonds, headBonds, bondCorrespondence].joined().allSatisfy(bonds.contains)
            && parent.map(sgroups.contains) ?? true
            && attachments.allSatisfy { atoms.contains($0.atom) && $0.leaving.map(atoms.contains) ?? true }
            && bondVectors.allSatisfy { bonds.contains($0.bond) }
    }
}

extension Verbatim.Owner {
    fileprivate func isThere(_ atoms: Range<Int32>, _ bonds: Range<Int32>, _ sgroups: Range<Int32>) -> Bool {
        switch self {
        case .molecule: true
        case .atom(let place): atoms.contains(place)
        case .bond(let place): bonds.contains(place)
        case .sgroup(let place): sgroups.contains(place)
        }
    }
}
