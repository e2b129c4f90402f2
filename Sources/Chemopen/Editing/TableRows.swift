// Writes records as rows of a table, cell by cell.

extension FileText {
    /// Returns the columns that records have but the file does not, in the order of their first occurrence.
    func addedColumns(_ records: some Sequence<Record>) -> [Column] {
        let known = Set(header.columns.map(\.name))
        var names: [Text] = []
        for record in records {
            for field in record.fields where !known.contains(field.name) && !names.contains(field.name) {
                names.append(field.name)
            }
        }
        return names.map { Column($0) }
    }

    /// Returns a record as a row with the columns of the file.
    func row(of record: Record, from versions: [RecordText.Version]) throws(WriteError) -> [UInt8] {
        var record = record
        let known = Set(header.columns.map(\.name))
        record.fields.removeAll { !known.contains($0.name) }
        let written = try writtenRow(of: record, header)
        guard let first = versions.first, let table = format.table, let cells = table.cells(of: written.span) else {
            return written
        }
        let fresh = Dictionary(cells) { first, _ in first }
        var changed: [(column: Int, bytes: [UInt8])] = []
        for column in header.columns.indices {
            let content = content(of: column, in: record)
            if content == self.content(of: column, in: first.record) { continue }
            for version in versions.dropFirst() where self.content(of: column, in: version.record) == content {
                let cell = table.cells(of: version.bytes.span)?.first { $0.column == column }
                guard let cell else { continue }
                changed.append((column, Array(version.bytes[cell.range])))
                break
            }
            if changed.last?.column == column { continue }
            let isEmpty = content.allSatisfy { $0 == .none || $0 == .fields([]) }
            changed.append((column, isEmpty ? [] : fresh[column].map { Array(written[$0]) } ?? []))
        }
        return table.row(first.bytes, with: changed)
    }

    /// Returns the content of a record in a column.
    private func content(of column: Int, in record: Record) -> [PartContent] {
        var content: [PartContent] = []
        if column == header.subjectColumn { content.append(record.content(of: .structure)) }
        if column == header.nameColumn {
            content.append(record.title.map { $0.isEmpty ? .none : .texts([$0]) } ?? .none)
        }
        let fields = record.fields.filter { $0.column == column && $0.name == header.columns[column].name }
        return content + [.fields(fields.map(PartContent.FieldContent.init))]
    }

    private func writtenRow(of record: Record, _ header: SheetHeader) throws(WriteError) -> [UInt8] {
        var losses: [Loss] = []
        return try RecordText(format: format).written(
            record, carriageReturns: hasCarriageReturns, header: header, &losses)
    }

    /// Returns a row with the additional cells for new columns.
    func rowWithAddedCells(
        _ version: RecordText.Version, _ header: SheetHeader, of table: any TableText.Type
    ) throws(WriteError) -> [UInt8] {
        if header.columns.count == self.header.columns.count { return version.bytes }
        let written = try writtenRow(of: version.record, header)
        let cells = table.cells(of: written.span) ?? []
        let added = cells.filter { $0.column >= self.header.columns.count }.map {
            ($0.column, Array(written[$0.range]))
        }
        let names = Set(version.record.fields.map(\.name))
        return table.row(
            version.bytes, with: added.filter { names.contains(header.columns[$0.0].name) }.map { ($0.0, $0.1) })
    }
}
