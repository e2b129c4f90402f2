import ChemopenModel

extension Format {
    /// CSV: one record per row, with comma-separated cells.
    public static let csv = delimitedTable(CommaDelimiter.self, id: "csv", name: "CSV", mimeTypes: ["text/csv"])

    /// TSV: one record per row, with tab-separated cells.
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
            supportedFeatures: .inDelimitedTable,
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
    /// The features that a table of delimited text can represent.
    static let inDelimitedTable = Features.inSMILES.union(
        Features(
            .severalRecords, .recordsWithoutStructure, .names, .fields, .repeatedFields, .emptyLinesInValues))
}

enum DelimitedTable {
    /// The maximum number of columns. If each record added a new name, all rows would become too long.
    static let mostColumns = 16_384
}

/// The byte between the cells of a row, the only difference between the formats.
protocol CellDelimiter: SendableMetatype {
    static var byte: UInt8 { get }
}

enum CommaDelimiter: CellDelimiter {
    static let byte = UInt8(ascii: ",")
}

enum TabDelimiter: CellDelimiter {
    static let byte = UInt8(ascii: "\t")
}
