/// The type of a property's value, and how both spellings write it.
enum DrawnType: Sendable {
    case signed, unsigned
    /// A signed byte, or a fixed-point number with 24 bits behind the point; decimal in CDXML.
    case charge
    /// Fixed-point points in CDX, decimal in CDXML.
    case coordinate
    case real
    case point, point3D, box
    /// Present without a value is true.
    case flag
    case text
    case identifier, identifiers, countedIdentifiers
    case elements, names
    case bondOrder
    /// A text, or the number that it is, as the tag's type says.
    case tagValue
    /// A number whose meaning CDXML spells out; the first name is 0.
    case named([String])
    /// Likewise, where the first name is -1.
    case namedFromMinusOne([String])

    /// The names, and the number of the first.
    var names: (names: [String], first: Int)? {
        switch self {
        case .named(let names): (names, 0)
        case .namedFromMinusOne(let names): (names, -1)
        default: nil
        }
    }
}

/// The properties that the reader makes something of.
enum DrawnPropertyTable {
    final class Row: Sendable {
        let property: DrawnProperty
        let name: String
        let type: DrawnType
        /// The names of its values, and the number of the first.
        private let valueNames: [[UInt8]]
        private let firstNumber: Int

        fileprivate init(_ property: DrawnProperty, _ name: String, _ type: DrawnType) {
            self.property = property
            self.name = name
            self.type = type
            let (names, first) = type.names ?? ([], 0)
            valueNames = names.map { Array($0.utf8) }
            firstNumber = first
        }

        /// The number of a named value.
        func number(ofValue name: Span<UInt8>) -> Int? {
            for place in valueNames.indices where name.spells(valueNames[place]) { return place + firstNumber }
            return nil
        }

        /// Whether a number has a name.
        func isNumberOfValue(_ number: Int) -> Bool {
            valueNames.indices.contains(number &- firstNumber)
        }
    }

    static func row(of tag: UInt16) -> Row? {
        let place = tag < limit ? places[Int(tag)] : 0
        return place == 0 ? nil : rows[Int(place) - 1]
    }

    /// The names of the properties in CDXML.
    static var names: [String] { rows.map(\.name) }

    static func row(at place: Int) -> Row { rows[place] }

    /// How the commonest values are read at once; by tag.
    struct Quick {
        enum Way: UInt8 {
            /// By the row, if there is one.
            case row
            case signed, unsigned, flag, charge, point, point3D, box, coordinate, order, identifiers, text
            /// Published, and passed over.
            case look
        }

        var way = Way.row
        /// The lowest and the highest number that has a meaning.
        var first: Int16 = .min
        var last: Int16 = .max
        /// The numbers between these two that have none, a bit for each.
        var holes: UInt64 = 0
        var property = DrawnProperty(rawValue: 0)
    }

    static let quick: [Quick] = {
        var quick = [Quick](repeating: Quick(), count: Int(limit))
        for tag in 0..<limit where DrawnLooks.has(tag: tag) && !DrawnLooks.tables.contains(tag) {
            quick[Int(tag)].way = .look
        }
        for row in rows {
            let place = Int(row.property.rawValue)
            quick[place] = Quick(property: row.property)
            switch row.type {
            case .signed: quick[place].way = .signed
            case .unsigned, .identifier: quick[place].way = .unsigned
            case .flag: quick[place].way = .flag
            case .point: quick[place].way = .point
            case .point3D: quick[place].way = .point3D
            case .box: quick[place].way = .box
            case .coordinate: quick[place].way = .coordinate
            case .bondOrder: quick[place].way = .order
            case .charge: quick[place].way = .charge
            case .identifiers: quick[place].way = .identifiers
            case .text: quick[place].way = .text
            case .named, .namedFromMinusOne:
                guard let (names, first) = row.type.names, names.count <= 64 else { break }
                quick[place].way = .signed
                quick[place].first = Int16(first)
                quick[place].last = Int16(first + names.count - 1)
                for (number, name) in names.enumerated() where name.isEmpty {
                    quick[place].holes |= 1 << UInt64(number)
                }
            default: break
            }
        }
        return quick
    }()

    static let limit: UInt16 = 0x1600

    private static let places: [UInt8] = {
        var places = [UInt8](repeating: 0, count: Int(limit))
        for (place, row) in rows.enumerated() { places[Int(row.property.rawValue)] = UInt8(place + 1) }
        return places
    }()

    private static let rows: [Row] = [
        Row(.creationProgram, "CreationProgram", .text), Row(.name, "Name", .text), Row(.comment, "Comment", .text),
        Row(.registryNumber, "RegistryNumber", .text), Row(.registryAuthority, "RegistryAuthority", .text),
        Row(.warning, "Warning", .text), Row(.supersededBy, "SupersededBy", .identifier),
        Row(.position, "p", .point), Row(.position3D, "xyz", .point3D), Row(.boundingBox, "BoundingBox", .box),
        Row(.head3D, "Head3D", .point3D), Row(.tail3D, "Tail3D", .point3D),

        Row(
            .nodeType, "NodeType",
            .named([
                "Unspecified", "Element", "ElementList", "ElementListNickname", "Nickname", "Fragment", "Formula",
                "GenericNickname", "AnonymousAlternativeGroup", "NamedAlternativeGroup", "MultiAttachment",
                "VariableAttachment", "ExternalConnectionPoint", "LinkNode", "Monomer",
            ])),
        Row(.element, "Element", .unsigned), Row(.elementList, "ElementList", .elements),
        Row(.isotope, "Isotope", .signed), Row(.charge, "Charge", .charge),
        Row(.radical, "Radical", .named(["None", "Singlet", "Doublet", "Triplet"])),
        Row(.freeSites, "FreeSites", .unsigned), Row(.withoutHydrogens, "ImplicitHydrogens", .flag),
        Row(
            .ringBondCount, "RingBondCount",
            .namedFromMinusOne(["Unspecified", "NoRingBonds", "AsDrawn", "SimpleRing", "Fusion", "SpiroOrHigher"])),
        Row(.unsaturation, "UnsaturatedBonds", .named(["Unspecified", "MustBeAbsent", "MustBePresent"])),
        Row(.reactionChange, "RxnChange", .flag),
        Row(.reactionStereo, "RxnStereo", .named(["Unspecified", "Inversion", "Retention"])),
        Row(.abnormalValence, "AbnormalValence", .flag), Row(.hydrogens, "NumHydrogens", .unsigned),
        Row(.hydrogenUp, "HDot", .flag), Row(.hydrogenDown, "HDash", .flag),
        Row(
            .geometry, "Geometry",
            .named([
                "Unknown", "1", "Linear", "Bent", "TrigonalPlanar", "TrigonalPyramidal", "SquarePlanar", "Tetrahedral",
                "TrigonalBipyramidal", "SquarePyramidal", "5", "Octahedral", "6", "7", "8", "9", "10",
            ])),
        Row(.bondOrdering, "BondOrdering", .identifiers), Row(.attachments, "Attachments", .countedIdentifiers),
        Row(.genericNickname, "GenericNickname", .text), Row(.alternativeGroup, "AltGroupID", .identifier),
        Row(.substituentsUpTo, "SubstituentsUpTo", .unsigned),
        Row(.substituentsExactly, "SubstituentsExactly", .unsigned),
        Row(.translation, "Translation", .named(["Equal", "Broad", "Narrow", "Any"])),
        Row(.atomNumber, "AtomNumber", .text), Row(.linkCountLow, "LinkCountLow", .signed),
        Row(.linkCountHigh, "LinkCountHigh", .signed),
        Row(
            .isotopicAbundance, "IsotopicAbundance",
            .named(["Unspecified", "Any", "Natural", "Enriched", "Deficient", "Nonnatural"])),
        Row(
            .connectionType, "ExternalConnectionType",
            .named([
                "Unspecified", "Diamond", "Star", "PolymerBead", "Wavy", "Residue", "Peptide", "DNA", "RNA", "Terminus",
                "Sulfide", "Nucleotide", "UnlinkedBranch", "Chem",
            ])),
        Row(.genericList, "GenericList", .names),
        Row(.enhancedStereo, "EnhancedStereoType", .named(["Unspecified", "None", "Absolute", "Or", "And"])),
        Row(.enhancedStereoGroup, "EnhancedStereoGroupNum", .signed),

        Row(.racemic, "Racemic", .flag), Row(.absolute, "Absolute", .flag), Row(.relative, "Relative", .flag),
        Row(.connectionOrder, "ConnectionOrder", .identifiers),

        Row(.order, "Order", .bondOrder),
        Row(
            .display, "Display",
            .named([
                "Solid", "Dash", "Hash", "WedgedHashBegin", "WedgedHashEnd", "Bold", "WedgeBegin", "WedgeEnd", "Wavy",
                "HollowWedgeBegin", "HollowWedgeEnd", "WavyWedgeBegin", "WavyWedgeEnd", "Dot", "DashDot", "", "", "",
                "", "DottedHydrogen",
            ])),
        Row(.begin, "B", .identifier), Row(.end, "E", .identifier),
        Row(.topology, "Topology", .named(["Unspecified", "Ring", "Chain", "RingOrChain"])),
        Row(
            .participation, "RxnParticipation",
            .named([
                "Unspecified", "ReactionCenter", "MakeOrBreak", "ChangeType", "MakeAndChange", "NotReactionCenter",
                "NoChange", "Unmapped",
            ])),

        Row(.text, "", .text), Row(.utf8Text, "UTF8Text", .text), Row(.bondLength, "BondLength", .coordinate),

        Row(
            .graphicType, "GraphicType",
            .named(["Undefined", "Line", "Arc", "Rectangle", "Oval", "Orbital", "Bracket", "Symbol"])),
        Row(.arrowType, "ArrowType", .named(arrowTypes)),
        Row(
            .bracketType, "BracketType",
            .named(["RoundPair", "SquarePair", "CurlyPair", "Square", "Curly", "Round"])),
        Row(
            .symbolType, "SymbolType",
            .named([
                "LonePair", "Electron", "RadicalCation", "RadicalAnion", "CirclePlus", "CircleMinus", "Dagger",
                "DoubleDagger", "Plus", "Minus", "Racemic", "Absolute", "Relative", "LonePairBar",
            ])),
        Row(.angularSize, "AngularSize", .real),
        Row(
            .bracketUsage, "BracketUsage",
            .named([
                "Unspecified", "Unused1", "Unused2", "SRU", "Monomer", "Mer", "Copolymer", "CopolymerAlternating",
                "CopolymerRandom", "CopolymerBlock", "Crosslink", "Graft", "Modification", "Component",
                "MixtureUnordered", "MixtureOrdered", "MultipleGroup", "Generic", "Anypolymer", "MultipleGroupOverride",
            ])),
        Row(.repeatPattern, "PolymerRepeatPattern", .named(["HeadToTail", "HeadToHead", "EitherUnknown"])),
        Row(.flipType, "PolymerFlipType", .named(["Unspecified", "NoFlip", "Flip"])),
        Row(.bracketedObjects, "BracketedObjectIDs", .identifiers), Row(.repeatCount, "RepeatCount", .real),
        Row(.componentOrder, "ComponentOrder", .signed), Row(.repeatLabel, "SRULabel", .text),
        Row(.graphicID, "GraphicID", .identifier), Row(.bondID, "BondID", .identifier),
        Row(.innerAtomID, "InnerAtomID", .identifier),
        Row(.arrowheadType, "ArrowheadType", .named(["Unspecified", "Solid", "Hollow", "Angle"])),
        Row(.shaftSpacing, "ArrowShaftSpacing", .unsigned),
        Row(.arrowheadHead, "ArrowheadHead", .named(arrowheads)),
        Row(.arrowheadTail, "ArrowheadTail", .named(arrowheads)),
        Row(.dipole, "Dipole", .flag),
        Row(.crossedOut, "NoGo", .named(["Unspecified", "None", "Cross", "Hash"])),

        Row(.valence, "Valence", .signed), Row(.basisObjects, "BasisObjects", .identifiers),
        Row(.propertyType, "ChemicalPropertyType", .unsigned),
        Row(.propertyDisplay, "ChemicalPropertyDisplayID", .identifier),

        Row(.atomMap, "ReactionStepAtomMap", .identifiers), Row(.reactants, "ReactionStepReactants", .identifiers),
        Row(.products, "ReactionStepProducts", .identifiers), Row(.pluses, "ReactionStepPlusses", .identifiers),
        Row(.arrows, "ReactionStepArrows", .identifiers),
        Row(.aboveArrow, "ReactionStepObjectsAboveArrow", .identifiers),
        Row(.belowArrow, "ReactionStepObjectsBelowArrow", .identifiers),
        Row(.atomMapByHand, "ReactionStepAtomMapManual", .identifiers),
        Row(.atomMapByProgram, "ReactionStepAtomMapAuto", .identifiers),

        Row(.tagType, "TagType", .named(["Unknown", "Double", "Long", "String"])), Row(.tagValue, "Value", .tagValue),
        Row(.keyword, "Keyword", .text), Row(.content, "Content", .text),
    ]

    private static let arrowheads = ["Unspecified", "None", "Full", "HalfLeft", "HalfRight"]

    private static let arrowTypes: [String] = {
        var names = [String](repeating: "", count: 129)
        for (value, name) in [
            (0, "NoHead"), (1, "HalfHead"), (2, "FullHead"), (4, "Resonance"), (8, "Equilibrium"), (16, "Hollow"),
            (32, "RetroSynthetic"), (64, "NoGo"), (128, "Dipole"),
        ] { names[value] = name }
        return names
    }()
}

/// The orders of bonds, which are bits of a set.
enum DrawnOrder {
    static let single = 0x0001
    static let any = 0xFFFF

    /// The names of the bits in CDXML, from the lowest on.
    static let names = [
        "1", "2", "3", "4", "5", "6", "0.5", "1.5", "2.5", "3.5", "4.5", "5.5", "dative", "ionic", "hydrogen",
        "threecenter",
    ]

    /// The names of the bits that are set.
    static func spelling(of bits: Int) -> String {
        if bits == any { return "any" }
        return names.indices.filter { bits & 1 << $0 != 0 }.map { names[$0] }.joined(separator: " ")
    }
}
