import ChemopenModel

/// The features that the formats of the family have a place for.
enum MDLFeatures {
    /// The features of a record that a file of one structure has no place for, whatever the structure is.
    static let besideStructure = Features(.fields, .registryNumbers, .unknown)

    /// A molfile, each molecule in the version that holds it.
    static let molfile = Features.all.subtracting(MDLTables.all.missing).subtracting(
        Features(
            .reactions, .severalRecords, .fields, .fieldHeaders, .repeatedFields, .registryNumbers, .structuresInFields,
            .columnTypes, .columnSummaries, .sheetTitle, .sheetExtensions, .emptyLinesInValues, .agents, .severalSteps,
            .conditions, .stoichiometry, .arrowKinds))

    /// The features that the data fields of an SD file add.
    static let dataFields = Features(
        .severalRecords, .recordsWithoutStructure, .fields, .fieldHeaders, .repeatedFields)

    /// The features that the roles of an RXN file add.
    static let reactions = Features(.reactions, .agents)

    /// The features that the data of an RD file add.
    static let dataOfRDfile = Features(
        .severalRecords, .recordsWithoutStructure, .fields, .repeatedFields, .registryNumbers, .structuresInFields,
        .emptyLinesInValues, .conditions, .arrowKinds)
}
