import ChemopenModel

/// The features that the MDL formats support.
enum MDLFeatures {
    /// The features that a file of a single structure never supports, regardless of the structure.
    static let besideStructure = Features(.fields, .registryNumbers, .unknown)

    /// The features of a molfile. Each molecule is written in a version that supports its content.
    static let molfile = Features.all.subtracting(MDLTables.all.missing).subtracting(
        Features(
            .reactions, .severalRecords, .fields, .fieldHeaders, .repeatedFields, .fieldOrder, .registryNumbers,
            .structuresInFields, .columnTypes, .columnSummaries, .sheetTitle, .sheetExtensions, .emptyLinesInValues,
            .agents, .severalSteps,
            .conditions, .stoichiometry, .arrowKinds))

    /// The additional features of an SD file, compared with a molfile.
    static let dataFields = Features(
        .severalRecords, .recordsWithoutStructure, .fields, .fieldHeaders, .repeatedFields, .fieldOrder)

    /// The additional features of an RXN file: reactions and the roles of their components.
    static let reactions = Features(.reactions, .agents)

    /// The additional features of an RD file: records and their data.
    static let dataOfRDfile = Features(
        .severalRecords, .recordsWithoutStructure, .fields, .repeatedFields, .fieldOrder, .registryNumbers,
        .structuresInFields, .emptyLinesInValues, .conditions, .arrowKinds)
}
