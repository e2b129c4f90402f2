import ChemopenModel

extension Format {
    /// CSV: a record to a row, its cells with commas between.
    public static let csv = delimitedTable(CommaDelimiter.self, id: "csv", name: "CSV", mimeTypes: ["text/csv"])

    /// TSV: a record to a row, its cells with tabs between.
    public static let tsv = delimitedTable(
        TabDelimiter.self, id: "tsv", name: "TSV", mimeTypes: ["text/tab-separated-values"])

    private static func delimitedTable<Delimiter: CellDelimiter>(
        _ delimiter: Delimiter.Type, id: String, name: String, mimeTypes: [String]
    ) -> Format {
        Format(
            id: id,
            name: name,
            mimeTypes: mimeTypes,
            extensions: [id],
            holds: .inDelimitedTable,
            sniff: { sniffDelimited($0, delimiter: Delimiter.byte) }
        )
        .read(by: DelimitedReader<Delimiter>.self)
        .written(by: DelimitedWriter<Delimiter>.self)
        .needingColumns()
        .edited(as: DelimitedText<Delimiter>.self)
        .inLineNotation()
        .emptyWithoutRecords()
    }
}

extension Features {
    /// The features that a table of text has a place for.
    static let inDelimitedTable = Features.inSMILES.union(
        Features(
            .severalRecords, .recordsWithoutStructure, .names, .fields, .repeatedFields, .emptyLinesInValues))
}

enum DelimitedTable {
    /// No row has more cells: where each record brings a name of its own, all rows would have a cell for each.
    static let mostColumns = 16_384
}

/// The byte between two cells of a row: all that tells one format of the family from another.
protocol CellDelimiter: SendableMetatype {
    static var byte: UInt8 { get }
}

enum CommaDelimiter: CellDelimiter {
    static let byte = UInt8(ascii: ",")
}

enum TabDelimiter: CellDelimiter {
    static let byte = UInt8(ascii: "\t")
}
