import ChemopenModel

/// A SketchEl molecule in MDL's terms: what fields say of it stands where a molfile's reader would have put it.
///
/// Abbreviations are drawn with all their atoms and become `SUP` groups, polymer blocks `SRU` groups; marks that came
/// from a molfile once are what they were. Fields that mean nothing to MDL stay fields.
struct MDLTerms {
    private(set) var molecule: Molecule
    private(set) var losses: [Loss] = []
    private var counts: [Int] = []

    private init(of molecule: Molecule) {
        self.molecule = molecule
    }

    /// The molecule as MDL's writers take it, and what that costs.
    static func terms(of molecule: Molecule) -> (molecule: Molecule, losses: [Loss]) {
        guard molecule.hydrogenRule == .sketchEl else { return (molecule, []) }
        var terms = MDLTerms(of: molecule)
        terms.translate()
        return (terms.molecule, terms.losses)
    }

    private mutating func translate() {
        if !molecule.extras.isEmpty {
            counts = molecule.hydrogenCounts()
            translateNotes()
            keepHydrogens()
            expandAbbreviations()
        }
        nameRGroups()
        simplifyHydrogens()
        dropUnusedLabels()
    }

    private mutating func dropUnusedLabels() {
        guard !molecule.labels.isEmpty else { return }
        let labels = molecule.labels
        molecule.labels = []
        for index in molecule.atoms.indices where labels.indices.contains(Int(molecule.atoms[index].label)) {
            molecule.setLabel(labels[Int(molecule.atoms[index].label)], ofAtom: index)
        }
    }

    // MARK: Notes

    private mutating func translateNotes() {
        var contents = molecule.extras.contents
        var sgroups: [Int: (Sgroup, atoms: [Int32])] = [:]
        var groups: [StereoGroup] = []
        var atomNotes: [Tagged<AtomNote>] = []
        for tagged in contents.atomNotes {
            let atom = Int(tagged.index)
            switch tagged.note {
            case .query(let text):
                let note = ForeignFields.note(forQuery: text)
                if case .elementList = note { makeListAtom(atom) }
                atomNotes.append(Tagged(atom, note ?? tagged.note))
            case .transientField(let text):
                if ForeignFields.set(text, in: &molecule.atoms[atom].marks) { continue }
                if let (number, sgroup) = SgroupFields.sgroup(of: text) {
                    sgroups[number, default: (sgroup, [])].atoms.append(tagged.index)
                } else {
                    atomNotes.append(Tagged(atom, note(forField: text, atom) ?? tagged.note))
                }
            case .field(let text):
                if !take(text, atom, into: &groups) { atomNotes.append(tagged) }
            default: atomNotes.append(tagged)
            }
        }
        contents.atomNotes = atomNotes
        contents.stereoGroups += groups
        for number in sgroups.keys.sorted() {
            guard let found = sgroups[number] else { continue }
            var sgroup = found.0
            sgroup.atoms = found.atoms
            contents.sgroups.append(sgroup)
        }
        translateBondNotes(&contents)
        PolymerBlocks.take(from: &contents, of: molecule)
        molecule.extras.contents = contents
        molecule.setHasNotes()
    }

    /// An atom that is one of a list is none in particular, and has no hydrogens.
    private mutating func makeListAtom(_ atom: Int) {
        if molecule.atoms[atom].element != .none { losses.note(.labels, "of an atom that is one of a list") }
        molecule.atoms[atom].element = .none
        molecule.atoms[atom].hydrogens = .unstated
        counts[atom] = 0
        molecule.setLabel("L", ofAtom: atom)
    }

    /// A valence only counts if it gives the atom the hydrogens that it has.
    private func note(forField text: Text, _ atom: Int) -> AtomNote? {
        let note = ForeignFields.note(forField: text)
        guard case .valence(let valence) = note else { return note }
        var sum = 0
        for bond in molecule.bonds where Int(bond.from) == atom || Int(bond.to) == atom {
            sum += bond.order.valence ?? 0
        }
        return valence - sum == counts[atom] ? note : nil
    }

    /// Takes `xCHIRAC:1` and `xCHIREL:1` into their groups.
    private func take(_ text: Text, _ atom: Int, into groups: inout [StereoGroup]) -> Bool {
        for (tag, kind) in [("xCHIRAC" as Text, StereoGroup.Kind.racemic), ("xCHIREL", .relative)] {
            guard let values = ForeignFields.values(of: text, tag: tag), values.count == 1,
                let number = Int32(values[0].string)
            else { continue }
            if let place = groups.firstIndex(where: { $0.kind == kind && $0.number == number }) {
                groups[place].atoms.append(Int32(clamping: atom))
            } else {
                groups.append(StereoGroup(kind, number: Int(number), atoms: [Int32(clamping: atom)]))
            }
            return true
        }
        return false
    }

    private mutating func translateBondNotes(_ contents: inout Extras.Contents) {
        var bondNotes: [Tagged<BondNote>] = []
        var isAromatic: [Int] = []
        for tagged in contents.bondNotes {
            let place = Int(tagged.index)
            if ForeignFields.set(tagged.note, in: &molecule.bonds[place]) { continue }
            if let order = ForeignFields.order(of: tagged.note, drawn: molecule.bonds[place].order) {
                if order == .aromatic { isAromatic.append(place) } else { molecule.bonds[place].order = order }
                if tagged.note == .query("O:-1") { bondNotes.append(tagged) }
            } else if case .transientField(let text) = tagged.note, let note = ForeignFields.bondNote(forField: text) {
                bondNotes.append(Tagged(place, note))
            } else if case .transientField("yZERO_HYDROGEN") = tagged.note, molecule.bonds[place].order == .dative {
                molecule.bonds[place].order = .hydrogen
            } else {
                bondNotes.append(tagged)
            }
        }
        contents.bondNotes = bondNotes
        makeAromatic(isAromatic, &contents)
    }

    /// Makes bonds aromatic that are marked so, if their Kekulé form is the one that is drawn. Queries are taken as they
    /// are.
    private mutating func makeAromatic(_ bonds: [Int], _ contents: inout Extras.Contents) {
        if bonds.isEmpty { return }
        var aromatic = molecule
        aromatic.extras = Extras()
        for place in bonds { aromatic.bonds[place].order = .aromatic }
        let doubled = aromatic.kekuleForm()
        let asks = contents.bondNotes.contains { $0.note == .query("O:-1") }
        let isSame = bonds.allSatisfy { doubled[$0] == (molecule.bonds[$0].order == .double) }
        if isSame || asks {
            for place in bonds { molecule.bonds[place].order = .aromatic }
            contents.bondNotes.removeAll { $0.note == .query("O:-1") }
        } else {
            for place in bonds { contents.bondNotes.append(Tagged(place, .transientField("yAROMATIC"))) }
            contents.bondNotes = contents.bondNotes.sortedByIndex()
        }
    }

    // MARK: Hydrogens

    /// Fixes the hydrogens of atoms that would have others by their new bonds and notes.
    private mutating func keepHydrogens() {
        var unfixed = molecule
        for index in unfixed.atoms.indices { unfixed.atoms[index].hydrogens = .unstated }
        let implied = unfixed.hydrogenCounts()
        let now = molecule.hydrogenCounts()
        // An atom at a query bond has none unless it says so.
        var asked: Set<Int32> = []
        for bond in molecule.bonds where bond.order.isQuery { asked.formUnion([bond.from, bond.to]) }
        for index in molecule.atoms.indices {
            let isStatedOtherwise = molecule.valence(ofAtom: index) != nil || asked.contains(Int32(clamping: index))
            if isStatedOtherwise, implied[index] == counts[index] {
                molecule.atoms[index].hydrogens = .unstated
            } else if now[index] != counts[index] {
                molecule.atoms[index].hydrogens = .fixed(counts[index])
            }
        }
    }

    /// States hydrogens as MDL does: by its own rule where that gives what the atom has, by a valence where not.
    ///
    /// Beside bonds of an order that MDL does not know, or where a count is fixed that follows of itself, counts stay
    /// counts (`M  HYD`).
    private mutating func simplifyHydrogens() {
        guard
            molecule.bonds.allSatisfy({ $0.order != .zero && !(Bond.Order.quadruple.rawValue...6 ~= $0.order.rawValue) }
            )
        else { return }
        let counts = molecule.hydrogenCounts()
        let ruled = molecule.hydrogensBySketchElRule()
        var simple = molecule
        simple.hydrogenRule = .mdl
        for index in simple.atoms.indices {
            if simple.atoms[index].hydrogens.fixed != nil, counts[index] == ruled[index] { return }
            simple.atoms[index].hydrogens = .unstated
        }
        let implied = simple.hydrogenCounts()
        // Nothing where a bond's order is not known.
        var sums = [Int?](repeating: 0, count: simple.atoms.count)
        for bond in simple.bonds {
            for end in [Int(bond.from), Int(bond.to)] {
                if let sum = sums[end], let order = bond.order.valence {
                    sums[end] = sum + order
                } else {
                    sums[end] = nil
                }
            }
        }
        for index in simple.atoms.indices where implied[index] != counts[index] {
            guard simple.valence(ofAtom: index) == nil, let sum = sums[index], sum + counts[index] < 15,
                simple.atoms[index].element != .none
            else { return }
            simple.addNote(.valence(sum + counts[index]), toAtom: index)
        }
        molecule = simple
    }

    // MARK: Abbreviations

    /// Draws every abbreviation with its atoms, in the place of its label, and makes a group of them.
    private mutating func expandAbbreviations() {
        var contents = molecule.extras.contents
        guard !contents.abbreviations.isEmpty else { return }
        let atomCount = molecule.atoms.count
        let drawnBonds = molecule.bonds
        let firstSgroup = contents.sgroups.count
        let labels = contents.abbreviations.map { Int($0.atom) }
        var positions: [[Position]] = []
        var isTurned: [[Bool]] = []
        for place in contents.abbreviations.indices {
            let label = molecule.symbol(ofAtom: labels[place])
            let nested = contents.abbreviations[place].molecule.extras.contents.abbreviations.count
            losses.note(.abbreviations, "inside of others", count: nested)
            var piece = Self.terms(of: contents.abbreviations[place].molecule).molecule
            let wanted = piece.hydrogenCounts()
            piece.hydrogenRule = molecule.hydrogenRule
            let implied = piece.hydrogenCounts()
            for index in piece.atoms.indices where implied[index] != wanted[index] {
                piece.atoms[index].hydrogens = .fixed(wanted[index])
            }
            // What hung in the piece by abbreviations of its own is drawn by now; one group holds it all.
            var pieceContents = piece.extras.contents
            var group = Sgroup(.abbreviation)
            group.label = label
            group.identifier = Int32(clamping: place + 1)
            group.atoms = piece.atoms.indices.map { Int32(clamping: $0) }
            pieceContents.sgroups = [group]
            piece.extras.contents = pieceContents
            contents.abbreviations[place].molecule = piece
            positions.append(piece.atoms.map(\.position))
            isTurned.append(piece.bonds.map { $0.to == 0 })
        }
        molecule.extras.contents = contents
        noteLabels(labels, contents)
        let left = molecule.expandAbbreviations()
        for abbreviation in left { losses.note(.abbreviations, molecule.symbol(ofAtom: abbreviation.atom)) }
        settlePositions(positions, from: firstSgroup)
        turnBonds(isTurned, labels, from: firstSgroup)
        order(labels, atomCount, drawnBonds, from: firstSgroup)
    }

    /// Lets the bonds to each group begin where they began in its piece.
    private mutating func turnBonds(_ isTurned: [[Bool]], _ labels: [Int], from firstSgroup: Int) {
        for sgroup in molecule.extras.contents.sgroups.dropFirst(firstSgroup) where sgroup.identifier > 0 {
            let members = Set(sgroup.atoms)
            let bonds = molecule.bonds.indices.filter {
                members.contains(molecule.bonds[$0].from) || members.contains(molecule.bonds[$0].to)
            }
            for (place, isTurned) in zip(bonds, isTurned[Int(sgroup.identifier) - 1])
            where isTurned && molecule.bonds[place].mark == .none {
                let bond = molecule.bonds[place]
                molecule.bonds[place].from = bond.to
                molecule.bonds[place].to = bond.from
            }
        }
    }

    /// What is drawn at a label and goes with it.
    private mutating func noteLabels(_ labels: [Int], _ contents: Extras.Contents) {
        for (place, label) in labels.enumerated() {
            let atom = molecule.atoms[label]
            if atom.charge != 0 || atom.radical != .none || atom.isotope != 0 || (atom.hydrogens.fixed ?? 0) > 0 {
                losses.note(.abbreviations, "charge, isotope, radical or hydrogens of the label itself")
            }
            let drawn = molecule.bonds.first { Int($0.from) == label || Int($0.to) == label }?.order
            let piece = contents.abbreviations[place].molecule
            let inside = piece.bonds.filter { $0.from == 0 || $0.to == 0 }.map(\.order)
            if let drawn, let first = inside.first, drawn != first {
                losses.note(.abbreviations, "a label's bond drawn in another order than its atoms have")
            }
        }
    }

    /// Gives the atoms that were drawn four decimals, as all others have, and tells of those that do not stand as they
    /// did in their piece.
    private mutating func settlePositions(_ positions: [[Position]], from firstSgroup: Int) {
        var moved = 0
        for sgroup in molecule.extras.contents.sgroups.dropFirst(firstSgroup) where sgroup.identifier > 0 {
            let old = positions[Int(sgroup.identifier) - 1].dropFirst()
            var isMoved = false
            for (atom, before) in zip(sgroup.atoms, old) {
                let position = molecule.atoms[Int(atom)].position
                let rounded = Position(
                    (position.x * 10_000).rounded() / 10_000, (position.y * 10_000).rounded() / 10_000, position.z)
                molecule.atoms[Int(atom)].position = rounded
                isMoved = isMoved || abs(rounded.x - before.x) > 0.000_05 || abs(rounded.y - before.y) > 0.000_05
            }
            if isMoved { moved += 1 }
        }
        losses.note(.coordinates, "of atoms in abbreviations, which are turned to where they are drawn", count: moved)
    }

    /// Puts the atoms and bonds of each group where its label and the label's bond were drawn, and finds the group's
    /// crossing bonds.
    private mutating func order(_ labels: [Int], _ atomCount: Int, _ drawnBonds: [Bond], from firstSgroup: Int) {
        var groupAtoms: [Int: [Int]] = [:]
        for sgroup in molecule.extras.contents.sgroups.dropFirst(firstSgroup) where sgroup.identifier > 0 {
            groupAtoms[labels[Int(sgroup.identifier) - 1]] = sgroup.atoms.map { Int($0) }.sorted()
        }
        let grouped = Set(groupAtoms.values.joined())
        var kept = molecule.atoms.indices.filter { !grouped.contains($0) }[...]
        var atomOrder: [Int] = []
        for index in 0..<atomCount {
            if let atoms = groupAtoms[index] {
                atomOrder += atoms
            } else if let atom = kept.popFirst() {
                atomOrder.append(atom)
            }
        }
        let owner = Dictionary(
            groupAtoms.flatMap { label, atoms in atoms.map { ($0, label) } }, uniquingKeysWith: { first, _ in first })
        var groupBonds: [Int: [Int]] = [:]
        var keptBonds: [Int] = []
        for (place, bond) in molecule.bonds.enumerated() {
            if let label = owner[Int(bond.from)] ?? owner[Int(bond.to)] {
                groupBonds[label, default: []].append(place)
            } else {
                keptBonds.append(place)
            }
        }
        var next = keptBonds[...]
        var bondOrder: [Int] = []
        for bond in drawnBonds {
            if let bonds = groupBonds.removeValue(forKey: Int(bond.from))
                ?? groupBonds.removeValue(forKey: Int(bond.to))
            {
                bondOrder += bonds
            } else if let place = next.popFirst() {
                bondOrder.append(place)
            }
        }
        molecule.arrange(atoms: atomOrder, bonds: bondOrder)
        finishGroups(from: firstSgroup)
    }

    private mutating func finishGroups(from firstSgroup: Int) {
        var contents = molecule.extras.contents
        for place in contents.sgroups.indices.dropFirst(firstSgroup) {
            contents.sgroups[place].identifier = 0
            let members = Set(contents.sgroups[place].atoms)
            contents.sgroups[place].atoms.sort()
            contents.sgroups[place].bonds = molecule.bonds.indices.filter {
                members.contains(molecule.bonds[$0].from) != members.contains(molecule.bonds[$0].to)
            }.map { Int32(clamping: $0) }
        }
        molecule.extras.contents = contents
    }

    /// Labels such as `R1` are R sites of that number.
    private mutating func nameRGroups() {
        guard !molecule.labels.isEmpty else { return }
        for index in molecule.atoms.indices where molecule.atoms[index].label != Atom.noLabel {
            let label = molecule.symbol(ofAtom: index)
            guard label.bytes.first == UInt8(ascii: "R"), label.bytes.count > 1, label.bytes.count < 5,
                let number = Int32(label.string.dropFirst()), number > 0, Text("R\(number)") == label
            else { continue }
            molecule.setLabel("R#", ofAtom: index)
            molecule.addNote(.rgroups([number]), toAtom: index)
        }
    }
}
