/// A feature of records that some formats do not support.
///
/// The same list describes the features of a record, the features that a format supports, and their difference: the
/// losses of a conversion.
public enum Feature: UInt8, Sendable, Hashable, CaseIterable {
    // Features of records.
    /// The subjects of records, and whether a file contains several records.
    case molecules, reactions, severalRecords, recordsWithoutStructure
    /// Data fields and their metadata.
    case fields, fieldHeaders, repeatedFields, fieldOrder, registryNumbers, structuresInFields
    /// The metadata of a table and its columns.
    case columnTypes, columnSummaries, sheetTitle, sheetExtensions
    /// Text that only some formats support.
    case emptyLinesInValues, foreignEncoding
    // Features of molecules.
    /// Properties of an entire molecule.
    case names, origins, comments, coordinates, heights, precision, chiralFlag, numbering
    // Features of atoms.
    /// Numeric properties of an atom.
    case charges, isotopes, radicals, radicalMultiplicity, hydrogenCounts, impliedHydrogens, valences, mapNumbers
    /// Names and texts of atoms, and the parity as written.
    case labels, aliases, atomValues, parities
    // Features of bonds.
    /// Bonds of order one to three.
    case bonds
    /// Bonds of other kinds.
    case zeroOrderBonds, higherOrders, aromaticBonds, queryBonds, dativeBonds, hydrogenBonds, multicenterBonds
    /// How bonds are drawn: wedges and other styles; the geometry of a double bond if there is no drawing.
    case stereoMarks, bondDisplay, bondGeometries
    /// Configurations that are not tetrahedral, if there is no drawing.
    case coordinationStereo
    // Features of groups.
    /// Sets of atoms with a special meaning.
    case stereoGroups, sgroups, sgroupDetails, abbreviations, collections
    // Features of queries.
    /// Query properties, and sites for alternative pieces.
    case atomLists, queryAtoms, bondTopology, linkNodes, rgroups, rgroupLogic, attachmentPoints
    // Features of reactions.
    /// Parts of a reaction other than its reactants and products.
    case agents, severalSteps, conditions, stoichiometry, reactingCenters, reactionMarks, arrowKinds
    // Features of biopolymers.
    /// Residues that are defined by templates.
    case templates
    // Content of other programs.
    /// Fields and lines of other programs, preserved for them.
    case extensionFields, unknown

    /// The name of the feature in reports.
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
    /// The features, one bit each.
    public var rawValue: UInt128

    /// Creates a set of features from their bits.
    public init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    /// Creates a set of features.
    public init(_ features: Feature...) {
        self.init(features)
    }

    /// Creates a set from a sequence of features.
    public init(_ features: some Sequence<Feature>) {
        rawValue = features.reduce(0) { $0 | 1 << UInt128($1.rawValue) }
    }

    /// All features.
    public static let all = Features(Feature.allCases)

    /// Returns whether the set contains a feature.
    public func contains(_ feature: Feature) -> Bool {
        rawValue & 1 << UInt128(feature.rawValue) != 0
    }

    /// The features in the order of their declaration.
    public var list: [Feature] {
        var list: [Feature] = []
        each { list.append($0) }
        return list
    }

    /// Calls `body` for each feature, in the order of their declaration.
    package func each(_ body: (Feature) -> Void) {
        var left = rawValue
        while left != 0 {
            if let feature = Feature(rawValue: UInt8(truncatingIfNeeded: left.trailingZeroBitCount)) { body(feature) }
            left &= left &- 1
        }
    }
}
