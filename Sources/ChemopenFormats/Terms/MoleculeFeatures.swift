import ChemopenModel

extension Molecule {
    /// The features of the molecule that at least one format cannot represent.
    public var features: Features {
        var account = FeatureInventory()
        account.add(.molecules)
        account.take(heading)
        account.take(self)
        return account.features
    }
}

extension FeatureInventory {
    /// Adds all features of a molecule except its heading's.
    ///
    /// Atoms and bonds are examined in one pass, and their hydrogens in another. Other content is examined only if it
    /// exists. Molecules in abbreviations, R-groups and templates are included, up to a nesting depth that no
    /// legitimate file exceeds.
    mutating func take(_ molecule: borrowing Molecule, depth: Int = 0) {
        add(.chiralFlag, if: molecule.flags.contains(.chiral))
        var found = Features()
        found.addAtoms(of: molecule, seeksPrecision: sought.contains(.precision))
        found.addBonds(of: molecule)
        add(found)
        add(.bonds, count: molecule.bonds.count)
        if sought.contains(.impliedHydrogens) {
            add(.impliedHydrogens, if: molecule.hydrogenCounts().contains { $0 > 0 })
        }
        add(.foreignEncoding, if: molecule.hasForeignText)
        if molecule.extras.isEmpty { return }
        let contents = molecule.extras.contents
        take(contents)
        if depth == 50 { return }
        for piece in contents.pieces {
            take(piece.heading)
            take(piece, depth: depth + 1)
        }
    }

    private mutating func take(_ contents: Extras.Contents) {
        for tagged in contents.atomNotes { add(tagged.note.feature, tagged.note.text ?? "") }
        for tagged in contents.bondNotes { add(tagged.note.feature, tagged.note.text) }
        for term in RareTerm.all { add(term.feature, count: term.count(contents)) }
        add(.sgroups, count: contents.sgroups.count)
        add(.sgroupDetails, count: contents.sgroups.count(where: \.hasDetails))
        add(.linkNodes, count: contents.linkNodes.count)
        add(.rgroups, count: contents.rgroups.count)
        take(contents.verbatim)
        add(.numbering, if: !contents.atomNumbers.isEmpty || !contents.bondNumbers.isEmpty)
        add(.foreignEncoding, if: contents.texts.contains { !$0.isUTF8 })
    }
}

extension Features {
    fileprivate mutating func addAtoms(of molecule: borrowing Molecule, seeksPrecision: Bool) {
        var charges: Int16 = 0
        var isotopes: UInt16 = 0
        var mapNumbers: Int32 = 0
        var isDrawn = false
        var hasHeight = molecule.flags.contains(.threeDimensional)
        var isPrecise = false
        // The label `*` means any atom and is not counted as a label.
        let anything =
            molecule.labels.isEmpty
            ? Atom.noLabel : molecule.labels.firstIndex(of: "*").map { Int32(clamping: $0) } ?? Atom.noLabel
        let atoms = molecule.atoms.span
        for index in atoms.indices {
            let atom = atoms[index]
            charges |= atom.charge
            isotopes |= atom.isotope
            mapNumbers |= atom.mapNumber
            let position = atom.position
            isDrawn = isDrawn || position.x != 0 || position.y != 0
            hasHeight = hasHeight || position.z != 0
            isPrecise = isPrecise || seeksPrecision && !position.hasFourDecimals
            if atom.isPlain { continue }
            add(.labels, if: atom.label != Atom.noLabel && atom.label != anything && atom.element == .none)
            add(.hydrogenCounts, if: atom.hydrogens != .unstated)
            add(.radicalMultiplicity, if: atom.radical == .singlet || atom.radical == .triplet)
            if atom.radical == .none, atom.marks.isEmpty { continue }
            for term in MarkTerm.first { add(term.feature, if: term.get(atom) != 0) }
            for term in MarkTerm.others { add(term.feature, if: term.get(atom) != 0) }
        }
        add(.charges, if: charges != 0)
        add(.isotopes, if: isotopes != 0)
        add(.mapNumbers, if: mapNumbers != 0)
        if molecule.flags.contains(.withoutCoordinates) { return }
        add(.coordinates, if: isDrawn || hasHeight)
        add(.heights, if: hasHeight)
        add(.precision, if: isPrecise)
    }

    fileprivate mutating func addBonds(of molecule: borrowing Molecule) {
        let bonds = molecule.bonds.span
        for index in bonds.indices where !bonds[index].isPlain {
            let bond = bonds[index]
            switch bond.order {
            case .single, .double, .triple: break
            case .zero: add(.zeroOrderBonds)
            case .quadruple, .quintuple, .sextuple: add(.higherOrders)
            case .aromatic: add(.aromaticBonds)
            case .singleOrDouble, .singleOrAromatic, .doubleOrAromatic, .any: add(.queryBonds)
            case .dative: add(.dativeBonds)
            case .hydrogen: add(.hydrogenBonds)
            }
            add(.stereoMarks, if: bond.mark != .none)
            if bond.traits.isEmpty, bond.reactingCenter == 0 { continue }
            for term in BondTerm.all { add(term.feature, if: term.get(bond) != 0) }
        }
    }
}

extension Extras.Contents {
    /// The molecules inside the molecule.
    fileprivate var pieces: [Molecule] {
        abbreviations.map(\.molecule) + rgroups.flatMap(\.members) + templates.map(\.molecule)
    }

    /// The texts that people can edit.
    fileprivate var texts: [Text] {
        var texts = atomNotes.compactMap(\.note.text)
        for sgroup in sgroups {
            texts.append(sgroup.label)
            if let data = sgroup.data { texts += data.values + [data.fieldName, data.units] }
        }
        return texts + collections.map(\.name) + verbatim.map(\.text)
    }
}

extension Sgroup {
    /// Whether the group contains information that V2000 cannot represent.
    fileprivate var hasDetails: Bool {
        !containedBonds.isEmpty || !headBonds.isEmpty || !keywords.isEmpty
    }
}

extension Position {
    fileprivate var hasFourDecimals: Bool {
        x.hasFourDecimals && y.hasFourDecimals && (z == 0 || z.hasFourDecimals)
    }
}

extension Double {
    /// Whether four decimals represent the number exactly.
    fileprivate var hasFourDecimals: Bool {
        let scaled = self * 10_000
        // Adding a number of this size removes the fraction.
        let shift = 0x1.8p52
        let whole = abs(scaled) < 0x1p50 ? scaled + shift - shift : scaled.rounded()
        return whole / 10_000 == self
    }
}

extension Molecule {
    /// Whether the heading or a label of an atom is not UTF-8.
    var hasForeignText: Bool { !heading.isUTF8 || labels.contains { !$0.isUTF8 } }
}
