import ChemopenBytes
import ChemopenModel

/// A molecule while its table is being read.
struct MoleculeBuilder: ~Copyable {
    var molecule: Molecule
    /// The rare contents, at most one element. An empty array costs only a pointer.
    private var contents: [Extras.Contents] = []
    private static let none = Extras.Contents()
    /// The aliases and values of atoms, in any order. They are added to the notes after the last one is read.
    private var looseNotes: [Indexed<AtomNote>] = []

    init(_ molecule: consuming Molecule = Molecule()) {
        self.molecule = molecule
    }

    /// The contents that few molecules have. They are moved to the molecule at the end.
    var rare: Extras.Contents {
        _read {
            if contents.isEmpty { yield Self.none } else { yield contents[0] }
        }
        _modify {
            if contents.isEmpty { contents.append(Extras.Contents()) }
            yield &contents[0]
        }
    }

    /// Returns the molecule and replaces it by an empty one.
    mutating func take() -> MoleculeBuilder {
        exchange(&self, with: MoleculeBuilder())
    }

    /// Adds a note to an atom, and preserves the order of the notes by atom.
    mutating func note(_ note: AtomNote, onAtom index: Int) {
        settleNotes()
        molecule.atoms[index].marks.insert(.hasNotes)
        rare.atomNotes.insert(note, at: index)
    }

    /// Adds a note that is available only after `settle()` or the next `note(_:onAtom:)`.
    mutating func noteLater(_ note: AtomNote, onAtom index: Int) {
        molecule.atoms[index].marks.insert(.hasNotes)
        looseNotes.append(Indexed(index, note))
    }

    private mutating func settleNotes() {
        if looseNotes.isEmpty { return }
        rare.atomNotes.insert(contentsOf: looseNotes)
        looseNotes = []
    }

    /// Preserves unrecognized text.
    mutating func keep(_ text: Text, _ dialect: Verbatim.Dialect) {
        rare.verbatim.append(Verbatim(dialect, text))
    }

    /// Sets the true charges. If the drawn charges differ, they are stored as notes, for readers that do not support
    /// the true ones.
    mutating func setTrueCharges(_ charges: [Int: Int]) {
        for (atom, charge) in charges.sorted(by: { $0.key < $1.key }) {
            let drawn = molecule.atoms[atom].charge
            molecule.atoms[atom].charge = Int16(clamping: charge)
            if molecule.atoms[atom].charge != drawn { note(.drawnCharge(Int(drawn)), onAtom: atom) }
        }
    }

    /// Moves the rare contents to the molecule.
    mutating func settle() {
        settleNotes()
        if let rare = contents.popLast() { molecule.extras.contents = rare }
        settleDimension()
    }

    /// Sets the dimension: 3D if the header contains `3D` or a z coordinate is not 0, and no coordinates if all
    /// positions are 0.
    private mutating func settleDimension() {
        // All bits of a zero are 0 except the sign bit, which is shifted out.
        var flat: UInt64 = 0
        var height: UInt64 = 0
        for atom in molecule.atoms {
            flat |= (atom.position.x.bitPattern | atom.position.y.bitPattern) &<< 1
            height |= atom.position.z.bitPattern &<< 1
        }
        if height != 0 {
            molecule.flags.insert(.threeDimensional)
            return
        }
        let isDrawn = flat != 0
        let origin = molecule.heading.lines.origin
        if origin.dropFirst(20).prefix(2).elementsEqual("3D".utf8) {
            molecule.flags.insert(.threeDimensional)
        } else if !isDrawn, !molecule.atoms.isEmpty {
            molecule.flags.insert(.withoutCoordinates)
        }
    }

    /// Adds the R-group of atoms that are labeled `R0` to `R99` and have no other R-group number.
    mutating func numberSites() {
        let sites = LabeledSites.find(in: molecule) { Set(rare.atomNotes.filter(\.note.isSite).map(\.index)) }
        if sites.isEmpty { return }
        settleNotes()
        for site in sites { molecule.atoms[Int(site.index)].marks.insert(.hasNotes) }
        rare.atomNotes.insert(contentsOf: sites)
    }
}

/// The sites of R-groups that are identified only by a label from `R0` to `R99`.
enum LabeledSites {
    /// Finds the sites in a molecule.
    ///
    /// - Parameter isNoted: Returns the atoms that already have an R-group note.
    /// - Returns: The notes to add.
    static func find(in molecule: borrowing Molecule, besides isNoted: () -> Set<Int32>) -> [Indexed<AtomNote>] {
        if molecule.labels.isEmpty { return [] }
        return molecule.labels.sites(of: molecule.atoms) { label in
            guard label.bytes.first == 0x52, (2...3).contains(label.bytes.count) else { return nil }
            return label.bytes.dropFirst().allSatisfy(Ascii.isDigit) ? Int32(label.string.dropFirst()) : nil
        } besides: {
            isNoted()
        }
    }

    /// Returns the molecule with notes on these sites, as a molfile reader would add them; `nil` if there are no such
    /// sites.
    static func noted(in molecule: borrowing Molecule) -> Molecule? {
        if molecule.labels.isEmpty { return nil }
        let contents = molecule.extras.contents
        let labels = find(in: molecule) {
            Set(contents.atomNotes.filter(\.note.isSite).map(\.index) + contents.abbreviations.map(\.atom))
        }
        var sites: [Indexed<AtomNote>] = []
        for site in labels where !molecule.isNamedByGroup(Int(site.index)) { sites.append(site) }
        if sites.isEmpty { return nil }
        var noted = copy molecule
        noted.extras.contents.atomNotes.insert(contentsOf: sites)
        noted.markNotes()
        return noted
    }
}
