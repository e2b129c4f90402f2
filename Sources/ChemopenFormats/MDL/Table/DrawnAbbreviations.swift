import ChemopenModel

// Converts abbreviations to groups, because MDL formats draw all atoms of an abbreviation.

extension DrawnMolecule {
    /// Replaces the label of every abbreviation by its atoms, and forms a group from them.
    mutating func expandAbbreviations() {
        guard molecule.hasAbbreviations else { return }
        var contents = molecule.extras.contents
        let atomCount = molecule.atoms.count
        let drawnBonds = molecule.bonds
        let firstSgroup = contents.sgroups.count
        let labels = contents.abbreviations.map { Int($0.atom) }
        var positions: [[Position]] = []
        var isTurned: [[Bool]] = []
        for place in contents.abbreviations.indices {
            let label = molecule.symbol(ofAtom: labels[place])
            let nested = contents.abbreviations[place].molecule.extras.contents.abbreviations.count
            losses.note(.abbreviations, "nested in others", count: nested)
            if contents.abbreviations[place].spelling != nil {
                losses.note(.abbreviations, "the text that they were read from")
            }
            var piece = contents.abbreviations[place].molecule
            if let drawn = DrawnMolecule(piece) { piece = drawn.molecule }
            let wanted = piece.hydrogenCounts()
            piece.hydrogenRule = molecule.hydrogenRule
            let implied = piece.hydrogenCounts()
            for index in piece.atoms.indices where implied[index] != wanted[index] {
                piece.atoms[index].hydrogens = .fixed(wanted[index])
            }
            // Nested abbreviations are already expanded; a single group contains all atoms.
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

    /// Restores the direction of the bonds to each group, as in its original piece.
    private mutating func turnBonds(_ isTurned: [[Bool]], _ labels: [Int], from firstSgroup: Int) {
        let bondsOfAtoms = BondsOfAtoms(molecule)
        for sgroup in molecule.extras.contents.sgroups.dropFirst(firstSgroup) where sgroup.identifier > 0 {
            let bonds = bondsOfAtoms.bonds(ofAny: sgroup.atoms.lazy.map { Int($0) })
            for (place, isTurned) in zip(bonds, isTurned[Int(sgroup.identifier) - 1])
            where isTurned && molecule.bonds[place].mark == .none {
                let bond = molecule.bonds[place]
                molecule.bonds[place].from = bond.to
                molecule.bonds[place].to = bond.from
            }
        }
    }

    /// Reports properties of a label, such as its charge, that are lost together with the label.
    private mutating func noteLabels(_ labels: [Int], _ contents: Extras.Contents) {
        let bondsOfAtoms = BondsOfAtoms(molecule)
        for (place, label) in labels.enumerated() {
            let atom = molecule.atoms[label]
            if atom.charge != 0 || atom.radical != .none || atom.isotope != 0 || (atom.hydrogens.fixed ?? 0) > 0 {
                losses.note(.abbreviations, "charge, isotope, radical or hydrogens of the label itself")
            }
            let drawn = bondsOfAtoms.bonds(of: label).first.map { molecule.bonds[$0].order }
            let piece = contents.abbreviations[place].molecule
            let inside = piece.bonds.filter { $0.from == 0 || $0.to == 0 }.map(\.order)
            if let drawn, let first = inside.first, drawn != first {
                losses.note(.abbreviations, "a label's bond drawn in another order than its atoms have")
            }
        }
    }

    /// Rounds the positions of inserted atoms to four decimals, as for all other atoms, and reports the groups with
    /// moved atoms.
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
        losses.note(.coordinates, "of atoms in abbreviations, which are rotated to fit the drawing", count: moved)
    }

    /// Moves the atoms and bonds of each group to the indices of the label and its bond, and finds the group's crossing
    /// bonds.
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
        let bondsOfAtoms = BondsOfAtoms(molecule)
        for place in contents.sgroups.indices.dropFirst(firstSgroup) {
            contents.sgroups[place].identifier = 0
            let members = Set(contents.sgroups[place].atoms)
            contents.sgroups[place].atoms.sort()
            contents.sgroups[place].bonds = bondsOfAtoms.bonds(leaving: members).map { Int32(clamping: $0) }
        }
        molecule.extras.contents = contents
    }
}
