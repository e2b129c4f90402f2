/// Something that a record can hold and a format may have no place for.
///
/// One list with three uses: what a record has, what a format holds, and, one less the other, what a conversion loses.
public enum Feature: UInt8, Sendable, Hashable, CaseIterable {
    // Records.
    /// The subject of records, and how many a file has.
    case molecules, reactions, severalRecords, recordsWithoutStructure
    /// Data fields, and what goes with them.
    case fields, fieldHeaders, repeatedFields, registryNumbers, structuresInFields
    /// What a table says of itself and its columns.
    case columnTypes, columnSummaries, sheetTitle, sheetExtensions
    /// Text that not every format can take.
    case emptyLinesInValues, foreignEncoding
    // Whole molecules.
    /// Facts about a molecule as a whole.
    case names, origins, comments, coordinates, heights, precision, chiralFlag, numbering
    // Atoms.
    /// Facts in numbers about an atom.
    case charges, isotopes, radicals, radicalMultiplicity, hydrogenCounts, impliedHydrogens, valences, mapNumbers
    /// Names of atoms and texts at them; the parity as a file has it.
    case labels, aliases, atomValues, parities
    // Bonds.
    /// Bonds of order one to three.
    case bonds
    /// Bonds of other kinds.
    case zeroOrderBonds, higherOrders, aromaticBonds, queryBonds, dativeBonds, hydrogenBonds, multicentreBonds
    /// How bonds are drawn: wedges, and looks beyond them; the geometry of a double bond where no drawing shows it.
    case stereoMarks, bondDisplay, bondGeometries
    // Groups.
    /// Sets of atoms with a meaning of their own.
    case stereoGroups, sgroups, sgroupDetails, abbreviations, collections
    // Queries.
    /// Questions, and places where something may stand.
    case atomLists, queryAtoms, bondTopology, linkNodes, rgroups, rgroupLogic, attachmentPoints
    // Reactions.
    /// Parts of a reaction beyond its reactants and products.
    case agents, severalSteps, conditions, stoichiometry, reactingCentres, reactionMarks, arrowKinds
    // Biopolymers.
    /// Residues by templates.
    case templates
    // The remains that other programs left.
    /// Fields and lines of other programs, kept for these.
    case extensionFields, unknown

    /// The feature's name in a report.
    public var name: String {
        var name = ""
        for character in "\(self)" {
            if character.isUppercase { name += " " + character.lowercased() } else { name.append(character) }
        }
        return name
    }
}

/// A set of features.
public struct Features: OptionSet, Sendable, Hashable {
    /// The features, a bit each.
    public var rawValue: UInt128

    /// Features by their bits.
    public init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    /// A set of these features.
    public init(_ features: Feature...) {
        self.init(features)
    }

    /// A set of the features of a list.
    public init(_ features: some Sequence<Feature>) {
        rawValue = features.reduce(0) { $0 | 1 << UInt128($1.rawValue) }
    }

    /// Every feature that there is.
    public static let all = Features(Feature.allCases)

    /// Whether a feature is among them.
    public func contains(_ feature: Feature) -> Bool {
        rawValue & 1 << UInt128(feature.rawValue) != 0
    }

    /// The features one by one, in the order of their declaration.
    public var list: [Feature] {
        var list: [Feature] = []
        each { list.append($0) }
        return list
    }

    /// Hands the features over one by one, in the order of their declaration.
    package func each(_ body: (Feature) -> Void) {
        var left = rawValue
        while left != 0 {
            if let feature = Feature(rawValue: UInt8(truncatingIfNeeded: left.trailingZeroBitCount)) { body(feature) }
            left &= left &- 1
        }
    }
}
