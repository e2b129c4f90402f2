/// The properties that the reader uses.
extension DrawnPropertyTable {
    static let rows: [Row] = [
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
        Row(.element, "Element", .unsigned(2)), Row(.elementList, "ElementList", .elements),
        Row(.isotope, "Isotope", .signed(2)), Row(.charge, "Charge", .charge),
        Row(.radical, "Radical", .named(["None", "Singlet", "Doublet", "Triplet"], bytes: 1)),
        Row(.freeSites, "FreeSites", .unsigned(1)), Row(.withoutHydrogens, "ImplicitHydrogens", .flag),
        Row(
            .ringBondCount, "RingBondCount",
            .namedFromMinusOne(["Unspecified", "NoRingBonds", "AsDrawn", "SimpleRing", "Fusion", "SpiroOrHigher"])),
        Row(.unsaturation, "UnsaturatedBonds", .named(["Unspecified", "MustBeAbsent", "MustBePresent"], bytes: 1)),
        Row(.reactionChange, "RxnChange", .flag),
        Row(.reactionStereo, "RxnStereo", .named(["Unspecified", "Inversion", "Retention"], bytes: 1)),
        Row(.abnormalValence, "AbnormalValence", .flag), Row(.hydrogens, "NumHydrogens", .unsigned(2)),
        Row(.hydrogenUp, "HDot", .flag), Row(.hydrogenDown, "HDash", .flag),
        Row(
            .geometry, "Geometry",
            .named(
                [
                    "Unknown", "1", "Linear", "Bent", "TrigonalPlanar", "TrigonalPyramidal", "SquarePlanar",
                    "Tetrahedral",
                    "TrigonalBipyramidal", "SquarePyramidal", "5", "Octahedral", "6", "7", "8", "9", "10",
                ], bytes: 1)),
        Row(.bondOrdering, "BondOrdering", .identifiers), Row(.attachments, "Attachments", .countedIdentifiers),
        Row(.genericNickname, "GenericNickname", .text), Row(.alternativeGroup, "AltGroupID", .identifier),
        Row(.substituentsUpTo, "SubstituentsUpTo", .unsigned(1)),
        Row(.substituentsExactly, "SubstituentsExactly", .unsigned(1)),
        Row(.translation, "Translation", .named(["Equal", "Broad", "Narrow", "Any"], bytes: 1)),
        Row(.atomNumber, "AtomNumber", .text), Row(.linkCountLow, "LinkCountLow", .signed(2)),
        Row(.linkCountHigh, "LinkCountHigh", .signed(2)),
        Row(
            .isotopicAbundance, "IsotopicAbundance",
            .named(["Unspecified", "Any", "Natural", "Enriched", "Deficient", "Nonnatural"], bytes: 1)),
        Row(
            .connectionType, "ExternalConnectionType",
            .named(
                [
                    "Unspecified", "Diamond", "Star", "PolymerBead", "Wavy", "Residue", "Peptide", "DNA", "RNA",
                    "Terminus",
                    "Sulfide", "Nucleotide", "UnlinkedBranch", "Chem",
                ], bytes: 1)),
        Row(.genericList, "GenericList", .names),
        Row(.enhancedStereo, "EnhancedStereoType", .named(["Unspecified", "None", "Absolute", "Or", "And"], bytes: 1)),
        Row(.enhancedStereoGroup, "EnhancedStereoGroupNum", .signed(2)),

        Row(.racemic, "Racemic", .truth), Row(.absolute, "Absolute", .truth), Row(.relative, "Relative", .truth),
        Row(.connectionOrder, "ConnectionOrder", .identifiers),

        Row(.order, "Order", .bondOrder),
        Row(.display, "Display", .named(displays)),
        Row(.begin, "B", .identifier), Row(.end, "E", .identifier),
        Row(.topology, "Topology", .named(["Unspecified", "Ring", "Chain", "RingOrChain"], bytes: 1)),
        Row(
            .participation, "RxnParticipation",
            .named(
                [
                    "Unspecified", "ReactionCenter", "MakeOrBreak", "ChangeType", "MakeAndChange", "NotReactionCenter",
                    "NoChange", "Unmapped",
                ], bytes: 1)),

        Row(.text, "", .text), Row(.utf8Text, "UTF8Text", .utf8Text), Row(.bondLength, "BondLength", .coordinate),

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
        Row(.angularSize, "AngularSize", .multiplied(10, bytes: 2)),
        Row(
            .bracketUsage, "BracketUsage",
            .named(
                [
                    "Unspecified", "Unused1", "Unused2", "SRU", "Monomer", "Mer", "Copolymer", "CopolymerAlternating",
                    "CopolymerRandom", "CopolymerBlock", "Crosslink", "Graft", "Modification", "Component",
                    "MixtureUnordered", "MixtureOrdered", "MultipleGroup", "Generic", "Anypolymer",
                    "MultipleGroupOverride",
                ], bytes: 1)),
        Row(.repeatPattern, "PolymerRepeatPattern", .named(["HeadToTail", "HeadToHead", "EitherUnknown"], bytes: 1)),
        Row(.flipType, "PolymerFlipType", .named(["Unspecified", "NoFlip", "Flip"], bytes: 1)),
        Row(.bracketedObjects, "BracketedObjectIDs", .identifiers), Row(.repeatCount, "RepeatCount", .real),
        Row(.componentOrder, "ComponentOrder", .signed(2)), Row(.repeatLabel, "SRULabel", .text),
        Row(.graphicID, "GraphicID", .identifier), Row(.bondID, "BondID", .identifier),
        Row(.innerAtomID, "InnerAtomID", .identifier),
        Row(.arrowheadType, "ArrowheadType", .named(["Unspecified", "Solid", "Hollow", "Angle"])),
        Row(.shaftSpacing, "ArrowShaftSpacing", .unsigned(2)),
        Row(.equilibriumRatio, "ArrowEquilibriumRatio", .unsigned(2)),
        Row(.arrowheadHead, "ArrowheadHead", .named(arrowheads)),
        Row(.arrowheadTail, "ArrowheadTail", .named(arrowheads)),
        Row(.dipole, "Dipole", .truth),
        Row(.crossedOut, "NoGo", .named(["Unspecified", "None", "Cross", "Hash"], bytes: 1)),

        Row(.valence, "Valence", .signed(2)), Row(.basisObjects, "BasisObjects", .identifiers),
        Row(.propertyType, "ChemicalPropertyType", .unsigned(4)),
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

    static let displays = [
        "Solid", "Dash", "Hash", "WedgedHashBegin", "WedgedHashEnd", "Bold", "WedgeBegin", "WedgeEnd", "Wavy",
        "HollowWedgeBegin", "HollowWedgeEnd", "WavyWedgeBegin", "WavyWedgeEnd", "Dot", "DashDot", "", "", "",
        "", "DottedHydrogen",
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
