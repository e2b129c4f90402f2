import ChemopenModel

/// A molecule as MDL's formats draw it: abbreviations with all their atoms, held together as `SUP` groups, an atom that is
/// one of a list called `L`, and the site of an R-group `R#`.
struct DrawnMolecule {
    var molecule: Molecule
    var losses: [Loss] = []

    /// `nil` where the molecule is drawn so already.
    init?(_ molecule: borrowing Molecule) {
        guard !molecule.extras.isEmpty else { return nil }
        let lists = Self.atoms(of: molecule, calledOtherThan: "L", \.isList)
        let labelled = Self.atoms(of: molecule, calledOtherThan: "R#", \.isSite)
        let sites = labelled.filter { atom in
            molecule.atoms[atom].element == .none && !molecule.notes(onAtom: atom).contains(where: \.isList)
        }
        guard !lists.isEmpty || !sites.isEmpty || molecule.hasAbbreviations else { return nil }
        self.molecule = copy molecule
        let elements = lists.count { molecule.atoms[$0].element != .none }
        losses.note(.labels, "of an atom that is one of a list", count: elements)
        let names = sites.count { site in
            molecule.notes(onAtom: site).rgroup.map { "R\($0)" } != molecule.symbol(ofAtom: site).string
        }
        losses.note(.labels, "of the site of an R-group", count: names)
        call(lists, "L")
        call(sites, "R#")
        expandAbbreviations()
        dropUnusedLabels()
    }

    private static func atoms(
        of molecule: borrowing Molecule, calledOtherThan label: Text, _ isNoted: (AtomNote) -> Bool
    ) -> [Int] {
        let notes = molecule.extras.contents.atomNotes
        let place = Int32(clamping: molecule.labels.firstIndex(of: label) ?? Int(Atom.noLabel))
        return notes.indices.compactMap { index in
            let atom = Int(notes[index].index)
            guard isNoted(notes[index].note) else { return nil }
            return molecule.atoms[atom].label == place && place != Atom.noLabel ? nil : atom
        }
    }

    /// Calls atoms by a label that names none in particular, which has no hydrogens.
    private mutating func call(_ atoms: [Int], _ label: Text) {
        if atoms.isEmpty { return }
        let place = molecule.place(ofLabel: label)
        for atom in atoms {
            molecule.atoms[atom].element = .none
            molecule.atoms[atom].hydrogens = .unstated
            molecule.atoms[atom].label = place
        }
    }
}

extension Molecule {
    /// The molecule with each abbreviation drawn with its atoms and held together as a group, in the place of its label.
    package var drawnOut: Molecule { DrawnMolecule(self)?.molecule ?? self }
}

extension DrawnMolecule {
    /// Forgets labels by which no atom is called.
    private mutating func dropUnusedLabels() {
        var places = [Int32](repeating: Atom.noLabel, count: molecule.labels.count)
        var kept: [Text] = []
        for index in molecule.atoms.indices where molecule.labels.indices.contains(Int(molecule.atoms[index].label)) {
            let old = Int(molecule.atoms[index].label)
            if places[old] == Atom.noLabel {
                places[old] = Int32(clamping: kept.count)
                kept.append(molecule.labels[old])
            }
            molecule.atoms[index].label = places[old]
        }
        molecule.labels = kept
    }
}

extension AtomNote {
    /// The atom is one of a list: its symbol is `L`, whatever it was called.
    var isList: Bool { if case .elementList = self { true } else { false } }

    /// `M  RGP` says the R-group: the symbol is `R#`, whatever the site was called.
    var isSite: Bool { if case .rgroups = self { true } else { false } }
}
