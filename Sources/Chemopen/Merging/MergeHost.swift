/// The version whose text the outcome is put together in: its head, its separators and its line ends stay.
struct MergeHost {
    /// Ours is 0, theirs 1.
    let side: Int
    let text: FileText
    /// The columns that a table gets of the other side.
    let columns: [Column]

    /// - Parameter header: the head that the outcome has.
    init?(_ sides: [HeldRecords], _ header: SheetHeader, isTable: Bool) {
        for (side, records) in sides.enumerated() {
            guard let text = records.text, !isTable || text.header.begins(header) else { continue }
            (self.side, self.text) = (side, text)
            columns = isTable ? Array(header.columns.dropFirst(text.header.columns.count)) : []
            return
        }
        return nil
    }

    /// Whether a row of another version stands here as it stands there.
    func takesRow(of other: FileText) -> Bool {
        text.header.columns.map(\.name) == other.header.columns.map(\.name) && text.header.isLike(other.header)
    }

    /// A record as it stands in the outcome; `nil` where the format has no place for it as it is.
    ///
    /// - Parameter versions: those that it was made of, with the file of each, first of all the one whose spelling is kept.
    func version(
        of record: Record, from versions: [(version: RecordText.Version, file: FileText)]
    ) throws(WriteError) -> RecordText.Version? {
        guard text.table != nil else {
            let lineEnd = versions.first?.version.lineEnd
            // Lines that end otherwise are none that the record could have.
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
    /// The record with its fields in the columns of a table, in their order; those of other names behind them.
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
