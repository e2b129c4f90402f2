import ChemopenModel

/// A molecule in the drawing conventions of the MDL formats.
///
/// Abbreviations have all their atoms in a `SUP` group. An atom with an element list is labeled `L`, and an R-group
/// site `R#`.
struct DrawnMolecule {
    var molecule: Molecule
    var losses: [Loss] = []

    /// Converts a molecule; `nil` if it already follows the conventions.
    init?(_ molecule: borrowing Molecule) {
        guard !molecule.extras.isEmpty else { return nil }
        let lists = Self.atoms(of: molecule, calledOtherThan: "L", \.isList)
        let labeled = Self.atoms(of: molecule, calledOtherThan: "R#", \.isSite)
        let sites = labeled.filter { atom in
            molecule.atoms[atom].element == .none && !molecule.notes(onAtom: atom).contains(where: \.isList)
        }
        guard !lists.isEmpty || !sites.isEmpty || molecule.hasAbbreviations else { return nil }
        self.molecule = copy molecule
        let elements = lists.count { molecule.atoms[$0].element != .none }
        losses.note(.labels, "of an atom with an element list", count: elements)
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

    /// Sets the label of atoms. The label does not represent a particular element, so these atoms have no hydrogens.
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
    /// The molecule with each abbreviation replaced by a group of its atoms.
    package var drawnOut: Molecule { DrawnMolecule(self)?.molecule ?? self }
}

extension DrawnMolecule {
    /// Removes labels that no atom uses.
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
    /// Whether the note is an element list, which requires the symbol `L`.
    var isList: Bool { if case .elementList = self { true } else { false } }

    /// Whether the note is an R-group (`M  RGP`), which requires the symbol `R#`.
    var isSite: Bool { if case .rgroups = self { true } else { false } }
}
