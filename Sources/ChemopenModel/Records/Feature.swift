/// Something that a record can hold and a format may have no place for.
///
/// One list with three uses: what a record has, what a format holds, and, one less the other, what a conversion loses.
public enum Feature: UInt8, Sendable, Hashable, CaseIterable {
    // Records.
    case molecules, reactions, severalRecords, recordsWithoutStructure
    case fields, fieldHeaders, repeatedFields, registryNumbers, structuresInFields
    case columnTypes, columnSummaries, sheetTitle, sheetExtensions
    case emptyLinesInValues, foreignEncoding
    // Whole molecules.
    case names, origins, comments, coordinates, heights, precision, chiralFlag, numbering
    // Atoms.
    case charges, isotopes, radicals, radicalMultiplicity, hydrogenCounts, impliedHydrogens, valences, mapNumbers
    case labels, aliases, atomValues, parities
    // Bonds.
    case bonds
    case zeroOrderBonds, higherOrders, aromaticBonds, queryBonds, dativeBonds, hydrogenBonds, multicentreBonds
    case stereoMarks, bondDisplay
    // Groups.
    case stereoGroups, sgroups, sgroupDetails, abbreviations, collections
    // Queries.
    case atomLists, queryAtoms, bondTopology, linkNodes, rgroups, rgroupLogic, attachmentPoints
    // Reactions.
    case agents, severalSteps, conditions, stoichiometry, reactingCentres, reactionMarks
    // Biopolymers.
    case templates
    // The remains that other programs left.
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
    public var rawValue: UInt128

    public init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    public init(_ features: Feature...) {
        self.init(features)
    }

    public init(_ features: some Sequence<Feature>) {
        rawValue = features.reduce(0) { $0 | 1 << UInt128($1.rawValue) }
    }

    public static let all = Features(Feature.allCases)

    public func contains(_ feature: Feature) -> Bool {
        rawValue & 1 << UInt128(feature.rawValue) != 0
    }

    /// The features one by one, in the order of their declaration.
    public var list: [Feature] {
        Feature.allCases.filter(contains)
    }
}
