import Chemopen

extension JSON {
    /// Writes the keys of a molecule, starting with its title.
    mutating func moleculeKeys(_ molecule: Molecule) {
        let composition = molecule.composition()
        field("title", molecule.name)
        field("atoms", molecule.atoms.count)
        field("bonds", molecule.bonds.count)
        elements(molecule)
        field("formula", composition.formula.description)
        field("mass", (composition.mass * 10_000).rounded() / 10_000)
        field("charge", composition.charge)
        key("isotopes")
        object { json in
            for isotope in composition.isotopes {
                json.key(text: Text(isotope.key))
                json.number(isotope.count)
            }
        }
        field("radicals", composition.unpairedElectrons)
        orders(molecule)
        field("hydrogens", molecule.hydrogenCounts())
        field("dimensions", molecule.dimensions)
        features(molecule)
    }

    /// Writes the number of atoms for each element or label, in the order of first occurrence. `D` and `T` count as
    /// hydrogen, and also as isotopes.
    private mutating func elements(_ molecule: Molecule) {
        var counts = Array(repeating: 0, count: 119 + molecule.labels.count)
        var places: [(count: Int, atom: Int)] = []
        for (index, atom) in molecule.atoms.enumerated() {
            let label = Int(atom.label)
            let isLabel = atom.element == .none && molecule.labels.indices.contains(label)
            let place = isLabel ? 119 + label : Int(atom.element.rawValue)
            if counts[place] == 0 { places.append((place, index)) }
            counts[place] += 1
        }
        key("elements")
        object { json in
            for place in places {
                let element = molecule.atoms[place.atom].element
                json.key(text: element == .none ? molecule.symbol(ofAtom: place.atom) : Text(element.symbol))
                json.number(counts[place.count])
            }
        }
    }

    private mutating func orders(_ molecule: Molecule) {
        var counts = Array(repeating: 0, count: Bond.Order.allCases.count)
        // SketchEl draws a plain bond for each query bond; `query_bonds` counts these.
        let isDrawnPlain = molecule.hydrogenRule == .sketchEl
        for bond in molecule.bonds {
            let order = isDrawnPlain && bond.order.isQuery ? bond.order.drawnOrder ?? bond.order : bond.order
            counts[Int(order.rawValue)] += 1
        }
        key("orders")
        object { json in
            for order in Bond.Order.allCases where counts[Int(order.rawValue)] > 0 {
                json.field(order.key, counts[Int(order.rawValue)])
            }
        }
    }

    private mutating func features(_ molecule: Molecule) {
        let contents = molecule.extras.contents
        let shortened = contents.sgroups.count { $0.kind == .abbreviation }
        key("features")
        object { json in
            json.field("sgroups", contents.sgroups.count)
            json.field("stereo_groups", contents.stereoGroups.count)
            json.field("abbreviations", contents.abbreviations.count + shortened)
            json.field("query_atoms", molecule.queryAtomCount)
            json.field("query_bonds", molecule.queryBondCount)
            json.field("map_numbers", molecule.atoms.count { $0.mapNumber != 0 })
            json.field("unknown", contents.unknownCount)
        }
    }
}

extension Molecule {
    /// 3 for 3D coordinates, 2 for a drawing, 0 without coordinates. A single atom always counts as drawn.
    var dimensions: Int {
        if flags.contains(.threeDimensional) || atoms.contains(where: { $0.position.z != 0 }) { return 3 }
        if atoms.count == 1 { return 2 }
        let isDrawn = atoms.contains { $0.position.x != 0 || $0.position.y != 0 }
        return isDrawn && !flags.contains(.withoutCoordinates) ? 2 : 0
    }

    /// The number of query atoms, recognized by a label or a note.
    fileprivate var queryAtomCount: Int {
        let isQuery = labels.map { queryLabels.contains($0) }
        return atoms.indices.count { index in
            let label = Int(atoms[index].label)
            return isQuery.indices.contains(label) && isQuery[label] || notes(onAtom: index).contains(where: \.isQuery)
        }
    }

    fileprivate var queryBondCount: Int {
        bonds.indices.count { index in
            let bond = bonds[index]
            return bond.order.isQuery || !bond.traits.isDisjoint(with: [.inRing, .inChain, .stereoCare])
                || notes(onBond: index).contains(where: \.isQuery)
        }
    }
}

/// The generic atoms of MDL queries.
private let queryLabels: Set<Text> = ["A", "AH", "Q", "QH", "L", "L*", "X", "XH", "M", "MH", "*"]

extension AtomNote {
    fileprivate var isQuery: Bool {
        switch self {
        case .elementList, .hydrogenQuery, .ringBondCount, .substitutionCount, .unsaturated, .query: true
        default: false
        }
    }
}

extension BondNote {
    fileprivate var isQuery: Bool {
        if case .query = self { true } else { false }
    }
}

extension Extras.Contents {
    /// The number of unrecognized items that are preserved.
    fileprivate var unknownCount: Int {
        verbatim.count + sgroups.reduce(0) { $0 + $1.keywords.count }
            + atomNotes.count { if case .keyword = $0.note { true } else { false } }
            + bondNotes.count { if case .keyword = $0.note { true } else { false } }
    }
}

extension Bond.Order {
    /// The key of the bond order in JSON.
    fileprivate var key: StaticString {
        switch self {
        case .zero: "0"
        case .single: "1"
        case .double: "2"
        case .triple: "3"
        case .quadruple: "4"
        case .quintuple: "5"
        case .sextuple: "6"
        case .aromatic: "aromatic"
        case .singleOrDouble: "single_or_double"
        case .singleOrAromatic: "single_or_aromatic"
        case .doubleOrAromatic: "double_or_aromatic"
        case .any: "any"
        case .dative: "dative"
        case .hydrogen: "hydrogen"
        }
    }
}
