import ChemopenModel

/// The abbreviations that an MDL file draws with all their atoms (`SUP`) and that become a single atom in SketchEl.
///
/// A group is contracted if exactly one outside atom is bonded to it. The abbreviation's molecule consists of a
/// placeholder for that atom, followed by the group's atoms and bonds in their order. The label atom is inserted at the
/// index of the group's first atom.
struct ContractibleGroups {
    private struct Group {
        var place: Int
        var label: Text
        var atoms: [Int]
        var neighbor: Int
        /// Whether it has attachment points, brackets or bond directions, which an abbreviation cannot represent.
        var hasDetails: Bool
    }

    private var groups: [Group] = []
    private var placesOfGroups: Set<Int> = []

    init(in molecule: Molecule) {
        guard molecule.extras.contents.sgroups.contains(where: Self.isPlain) else { return }
        let contents = molecule.extras.contents
        // Nested groups, and groups that share atoms with others, remain as drawn.
        guard !contents.sgroups.contains(where: { $0.parent != nil }), !Self.nameNumbers(molecule) else { return }
        let bondsOfAtoms = BondsOfAtoms(molecule)
        var owners: [Int32: Int] = [:]
        for sgroup in contents.sgroups { for atom in sgroup.atoms { owners[atom, default: 0] += 1 } }
        for (place, sgroup) in contents.sgroups.enumerated() where Self.isPlain(sgroup) {
            guard sgroup.atoms.allSatisfy({ owners[$0] == 1 && molecule.atoms.indices.contains(Int($0)) }) else {
                continue
            }
            // SketchEl permits any label for an atom, so no abbreviation is needed here.
            if sgroup.isName(in: molecule) { continue }
            let members = Set(sgroup.atoms)
            var neighbors: Set<Int32> = []
            for place in bondsOfAtoms.bonds(leaving: members) {
                let bond = molecule.bonds[place]
                neighbors.insert(members.contains(bond.from) ? bond.to : bond.from)
            }
            guard neighbors.count == 1, let neighbor = neighbors.first else { continue }
            groups.append(
                Group(
                    place: place, label: sgroup.label, atoms: members.map { Int($0) }.sorted(),
                    neighbor: Int(neighbor),
                    hasDetails: sgroup.identifier != 0 || !sgroup.attachments.isEmpty || !sgroup.brackets.isEmpty
                        || !sgroup.bondVectors.isEmpty))
        }
        // If a group were bonded to an atom of another group, it would have no neighbor left.
        let members = Set(groups.flatMap(\.atoms))
        groups.removeAll { members.contains($0.neighbor) }
        placesOfGroups = Set(groups.map(\.place))
    }

    /// Whether the molecule contains data other than bonds and contractible groups that refers to atoms or bonds by
    /// number. The contraction changes these numbers.
    private static func nameNumbers(_ molecule: Molecule) -> Bool {
        let contents = molecule.extras.contents
        return !contents.collections.isEmpty || !contents.linkNodes.isEmpty
            || contents.verbatim.contains { $0.dialect != .sketchEl && $0.dialect != .chemDraw }
            || contents.stereoGroups.contains { $0.kind == .absolute || !$0.bonds.isEmpty }
            || contents.atomNotes.contains { if case .attachmentOrder = $0.note { true } else { false } }
            || contents.bondNotes.contains { if case .endpoints = $0.note { true } else { false } }
            || contents.sgroups.contains { !isPlain($0) && (!$0.bonds.isEmpty || !$0.parentAtoms.isEmpty) }
            // The preserved field of a damaged group would be separated from the fields that belong to it.
            || !SgroupFields.numbers(in: contents.atomNotes).isEmpty
    }

    private static func isPlain(_ sgroup: Sgroup) -> Bool {
        sgroup.kind == .abbreviation && !sgroup.isExpanded && !sgroup.label.isEmpty && sgroup.templateClass.isEmpty
            && sgroup.attachments.count < 2 && sgroup.keywords.isEmpty
    }

    /// Whether the Sgroup at an index becomes an abbreviation.
    func contains(_ place: Int) -> Bool { placesOfGroups.contains(place) }

    /// Returns the molecule with each group contracted to one atom. The properties of its atoms and bonds must already
    /// be fields.
    func contracted(_ molecule: Molecule, losses: inout [Loss]) -> Molecule {
        if groups.isEmpty { return molecule }
        let bondsOfAtoms = BondsOfAtoms(molecule)
        losses.note(.sgroupDetails, "of abbreviations", count: groups.count { $0.hasDetails })
        // If it is expanded again, all atoms of the group are inserted at the index of the label.
        let scattered = groups.count { $0.atoms.count != ($0.atoms.last ?? 0) - ($0.atoms.first ?? 0) + 1 }
        losses.note(.numbering, "of atoms in an abbreviation that are not adjacent", count: scattered)
        let old = molecule.extras.contents
        var result = Molecule()
        result.heading = molecule.heading
        result.flags = molecule.flags
        result.hydrogenRule = molecule.hydrogenRule
        result.labels = molecule.labels
        var contents = Extras.Contents()
        var groupOfAtom: [Int: Int] = [:]
        for (index, group) in groups.enumerated() { for atom in group.atoms { groupOfAtom[atom] = index } }
        var places = Array(repeating: 0, count: molecule.atoms.count)
        var labelPlaces: [Int: Int] = [:]
        for index in molecule.atoms.indices {
            if let group = groupOfAtom[index] {
                if labelPlaces[group] == nil {
                    labelPlaces[group] = result.atoms.count
                    result.atoms.append(labelAtom(groups[group], molecule, bondsOfAtoms))
                    result.setLabel(groups[group].label, ofAtom: result.atoms.count - 1)
                }
                places[index] = labelPlaces[group] ?? 0
            } else {
                places[index] = result.atoms.count
                result.atoms.append(molecule.atoms[index])
                for note in old.atomNotes.notes(of: index) {
                    contents.atomNotes.append(Indexed(result.atoms.count - 1, note))
                }
            }
        }
        var isBonded: Set<Int> = []
        for (index, bond) in molecule.bonds.enumerated() {
            let group = groupOfAtom[Int(bond.from)] ?? groupOfAtom[Int(bond.to)]
            if let group, groupOfAtom[Int(bond.from)] == groupOfAtom[Int(bond.to)] || !isBonded.insert(group).inserted {
                continue
            }
            var kept = bond
            kept.from = Int32(clamping: places[Int(bond.from)])
            kept.to = Int32(clamping: places[Int(bond.to)])
            result.bonds.append(kept)
            for note in old.bondNotes.notes(of: index) {
                contents.bondNotes.append(Indexed(result.bonds.count - 1, note))
            }
        }
        for (index, group) in groups.enumerated() {
            contents.abbreviations.append(
                Abbreviation(atom: labelPlaces[index] ?? 0, molecule: piece(of: group, molecule, old, bondsOfAtoms)))
        }
        for abbreviation in old.abbreviations {
            contents.abbreviations.append(
                Abbreviation(
                    atom: places[Int(abbreviation.atom)], molecule: abbreviation.molecule,
                    spelling: abbreviation.spelling))
        }
        contents.abbreviations.sort { $0.atom < $1.atom }
        result.extras.contents = contents
        result.markNotes()
        return result
    }

    /// Returns the label atom, at the position of the atom that is bonded to the neighbor.
    private func labelAtom(_ group: Group, _ molecule: Molecule, _ bondsOfAtoms: BondsOfAtoms) -> Atom {
        let members = Set(group.atoms.map { Int32(clamping: $0) })
        let bond = bondsOfAtoms.bonds(leaving: members).first.map { molecule.bonds[$0] }
        let attached = bond.map { Int(members.contains($0.from) ? $0.from : $0.to) } ?? group.atoms[0]
        var label = Atom(.none, at: molecule.atoms[attached].position)
        label.mapNumber = molecule.atoms[attached].mapNumber
        return label
    }

    private func piece(
        of group: Group, _ molecule: Molecule, _ old: Extras.Contents, _ bondsOfAtoms: BondsOfAtoms
    ) -> Molecule {
        var piece = Molecule()
        piece.hydrogenRule = molecule.hydrogenRule
        piece.flags = molecule.flags.subtracting(.chiral)
        piece.labels = []
        var contents = Extras.Contents()
        piece.atoms = [Atom(.none, at: molecule.atoms[group.neighbor].position)]
        piece.setLabel("*", ofAtom: 0)
        var places = [group.neighbor: 0]
        for index in group.atoms {
            places[index] = piece.atoms.count
            var atom = molecule.atoms[index]
            atom.mapNumber = 0
            atom.label = Atom.noLabel
            piece.atoms.append(atom)
            if molecule.atoms[index].label != Atom.noLabel {
                piece.setLabel(molecule.symbol(ofAtom: index), ofAtom: piece.atoms.count - 1)
            }
            for note in old.atomNotes.notes(of: index) {
                contents.atomNotes.append(Indexed(piece.atoms.count - 1, note))
            }
        }
        for place in bondsOfAtoms.bonds(ofAny: group.atoms) {
            let bond = molecule.bonds[place]
            guard let from = places[Int(bond.from)], let to = places[Int(bond.to)] else { continue }
            var kept = bond
            kept.from = Int32(clamping: from)
            kept.to = Int32(clamping: to)
            if from == 0 || to == 0 { kept.mark = .none }
            piece.bonds.append(kept)
            for note in old.bondNotes.notes(of: place) {
                contents.bondNotes.append(Indexed(piece.bonds.count - 1, note))
            }
        }
        piece.extras.contents = contents
        piece.markNotes()
        return piece
    }
}
