/// The version that provides the text of the result: its header, separators and line ends are used.
struct MergeHost {
    /// The side: 0 for ours, 1 for theirs.
    let side: Int
    let text: FileText
    /// The columns of the other side that are added to a table.
    let columns: [Column]

    /// - Parameter header: The header of the result.
    init?(_ sides: [HeldRecords], _ header: SheetHeader, isTable: Bool) {
        for (side, records) in sides.enumerated() {
            guard let text = records.text, !isTable || text.header.begins(header) else { continue }
            (self.side, self.text) = (side, text)
            columns = isTable ? Array(header.columns.dropFirst(text.header.columns.count)) : []
            return
        }
        return nil
    }

    /// Whether a row of another version can be used verbatim.
    func takesRow(of other: FileText) -> Bool {
        text.header.columns.map(\.name) == other.header.columns.map(\.name) && text.header.isLike(other.header)
    }

    /// Returns a record with its text in the result, or `nil` if the format cannot represent the record.
    ///
    /// - Parameter versions: The versions from which the merge derived the record, with their files. The formatting of
    ///   the first version is used.
    func version(
        of record: Record, from versions: [(version: RecordText.Version, file: FileText)]
    ) throws(WriteError) -> RecordText.Version? {
        guard text.table != nil else {
            let lineEnd = versions.first?.version.lineEnd
            // Versions with different line ends cannot be combined.
            let versions = versions.map(\.version).filter { $0.lineEnd == lineEnd }
            let made = try RecordText(format: text.format).bytes(
                of: record, from: versions, hasCarriageReturns: text.hasCarriageReturns)
            return made.isExact ? .init(bytes: made.bytes, record: record) : nil
        }
        let record = record.placed(in: text.header.columns + columns)
        let rows = versions.filter { takesRow(of: $0.file) }.map(\.version)
        return .init(bytes: try text.row(of: record, from: rows), record: record)
    }
}

extension Record {
    /// Returns the record with its fields assigned to the columns of a table and in their order. Other fields follow.
    func placed(in columns: [Column]) -> Record {
        var fields = Fields()
        fields.columns = columns
        for field in self.fields { fields.append(field) }
        var record = self
        record.fields = Fields()
        record.fields.columns = fields.columns
        for field in fields.enumerated().sorted(by: { ($0.element.column, $0.offset) < ($1.element.column, $1.offset) })
        {
            record.fields.append(field.element)
        }
        return record
    }
}
