extension Molecule {
    /// The features of the molecule that some format has no place for.
    ///
    /// One pass over atoms and bonds, and one for their hydrogens; the rest is looked at only where there is any.
    public var features: Features { features(depth: 0) }

    /// Pieces that abbreviations, R-groups and templates hold count too, down to a depth that no file means.
    private func features(depth: Int) -> Features {
        var features = Features(.molecules)
        heading.addFeatures(to: &features)
        features.add(.chiralFlag, if: flags.contains(.chiral))
        features.addAtoms(of: self)
        features.addBonds(of: self)
        features.add(.impliedHydrogens, if: hydrogenCounts().contains { $0 > 0 })
        features.add(.foreignEncoding, if: labels.contains { !$0.isUTF8 })
        if extras.isEmpty { return features }
        let contents = extras.contents
        contents.addFeatures(to: &features)
        if depth < 50 {
            for piece in contents.pieces { features.formUnion(piece.features(depth: depth + 1)) }
        }
        return features
    }
}

extension Features {
    fileprivate mutating func addAtoms(of molecule: borrowing Molecule) {
        var charges: Int16 = 0
        var isotopes: UInt16 = 0
        var mapNumbers: Int32 = 0
        var marks: Atom.Marks = []
        var isDrawn = false
        var hasHeight = molecule.flags.contains(.threeDimensional)
        var isPrecise = false
        for atom in molecule.atoms {
            charges |= atom.charge
            isotopes |= atom.isotope
            mapNumbers |= atom.mapNumber
            marks.formUnion(atom.marks)
            let position = atom.position
            isDrawn = isDrawn || position.x != 0 || position.y != 0
            hasHeight = hasHeight || position.z != 0
            isPrecise = isPrecise || !position.hasFourDecimals
            add(.labels, if: atom.label != Atom.noLabel && atom.element == .none)
            add(.hydrogenCounts, if: atom.hydrogens != .unstated)
            if atom.radical != .none {
                add(.radicals)
                add(.radicalMultiplicity, if: atom.radical == .singlet || atom.radical == .triplet)
            }
        }
        add(.charges, if: charges != 0)
        add(.isotopes, if: isotopes != 0)
        add(.mapNumbers, if: mapNumbers != 0)
        add(.parities, if: marks.parity != 0)
        add(.queryAtoms, if: marks.contains(.stereoCare))
        add(.reactionMarks, if: !marks.isDisjoint(with: [.inverts, .retains, .exactChange]))
        if molecule.flags.contains(.withoutCoordinates) { return }
        add(.coordinates, if: isDrawn || hasHeight)
        add(.heights, if: hasHeight)
        add(.precision, if: isPrecise)
    }

    fileprivate mutating func addBonds(of molecule: borrowing Molecule) {
        add(.bonds, if: !molecule.bonds.isEmpty)
        for bond in molecule.bonds {
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
            add(.reactingCentres, if: bond.reactingCentre != 0)
            if bond.traits.isEmpty { continue }
            add(.bondTopology, if: !bond.traits.isDisjoint(with: [.inRing, .inChain]))
            add(.queryBonds, if: bond.traits.contains(.stereoCare))
        }
    }
}

extension Extras.Contents {
    /// The molecules within the molecule.
    fileprivate var pieces: [Molecule] {
        abbreviations.map(\.molecule) + rgroups.flatMap(\.members) + templates.map(\.molecule)
    }

    fileprivate func addFeatures(to features: inout Features) {
        for tagged in atomNotes { features.add(tagged.note.feature) }
        for tagged in bondNotes { features.add(tagged.note.feature) }
        features.add(.sgroups, if: !sgroups.isEmpty)
        features.add(.sgroupDetails, if: sgroups.contains(where: \.hasDetails))
        features.add(.stereoGroups, if: !stereoGroups.isEmpty)
        features.add(.collections, if: !collections.isEmpty)
        features.add(.linkNodes, if: !linkNodes.isEmpty)
        features.add(.abbreviations, if: !abbreviations.isEmpty)
        features.add(.rgroups, if: !rgroups.isEmpty)
        features.add(.rgroupLogic, if: rgroups.contains { $0.logic != nil })
        features.add(.templates, if: !templates.isEmpty)
        features.add(.unknown, if: !verbatim.isEmpty)
        features.add(.numbering, if: !atomNumbers.isEmpty || !bondNumbers.isEmpty)
        features.add(.foreignEncoding, if: texts.contains { !$0.isUTF8 })
    }

    /// The texts that people write.
    private var texts: [Text] {
        var texts = atomNotes.compactMap(\.note.text)
        for sgroup in sgroups {
            texts.append(sgroup.label)
            if let data = sgroup.data { texts += data.values + [data.fieldName, data.units] }
        }
        return texts + collections.map(\.name) + verbatim.map(\.text)
    }
}

extension AtomNote {
    package var feature: Feature {
        switch self {
        case .valence: .valences
        case .drawnCharge: .charges
        case .elementList: .atomLists
        case .hydrogenQuery, .ringBondCount, .substitutionCount, .unsaturated, .query: .queryAtoms
        case .rgroups: .rgroups
        case .attachmentPoint, .attachmentOrder: .attachmentPoints
        case .fixedHydrogens: .queryAtoms
        case .componentType, .componentNumber: .reactionMarks
        case .alias: .aliases
        case .value: .atomValues
        case .templateClass, .sequenceNumber, .sequenceName: .templates
        case .field, .transientField: .extensionFields
        case .keyword: .unknown
        }
    }

    package var text: Text? {
        switch self {
        case .alias(let text), .value(let text), .field(let text), .transientField(let text), .query(let text): text
        case .keyword(_, let value): value
        default: nil
        }
    }
}

extension BondNote {
    package var feature: Feature {
        switch self {
        case .endpoints: .multicentreBonds
        case .display, .drawnOrder: .bondDisplay
        case .query, .asksForAromatic: .queryBonds
        case .field, .transientField: .extensionFields
        case .keyword: .unknown
        }
    }
}

extension Sgroup {
    /// Whether it says something for which only the later of MDL's formats has words.
    fileprivate var hasDetails: Bool {
        !containedBonds.isEmpty || !headBonds.isEmpty || !keywords.isEmpty
    }
}

extension Position {
    fileprivate var hasFourDecimals: Bool {
        x.hasFourDecimals && y.hasFourDecimals && z.hasFourDecimals
    }
}

extension Double {
    /// Whether four decimals are enough to write it so that it reads the same.
    fileprivate var hasFourDecimals: Bool {
        (self * 10_000).rounded() / 10_000 == self
    }
}
