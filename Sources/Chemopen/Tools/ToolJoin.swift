extension ToolRun {
    func copyJoined(_ inputs: [Source], to path: LocalPath, with table: FieldTable) throws(Conversion.Failure) {
        var account = JoinAccount()
        var used = Array(repeating: false, count: table.count)
        guard let first = inputs.first else { throw .impossible("there is no input") }
        if let sheet = try sheet(first, to: path) {
            try writeJoined(sheet, inputs, to: path, table, &account, &used)
        } else {
            var rewriter: FieldRewriter?
            let change = RecordRewriting { [self] format throws(Conversion.Failure) in
                let made = try FieldRewriter(format, header, head, adding: table.names)
                rewriter = made
                return made.widenedHead
            } bytes: { [self] record, stream, input, bytes throws(Conversion.Failure) in
                let fields = added(to: record, Self.context(stream, input), table, &account, &used)
                let text = try rewriter?.adding(fields, to: bytes) ?? bytes
                let losses = rewriter?.takeLosses() ?? []
                if !losses.isEmpty { summary.report.add(losses, inRecord: stream.place.record) }
                return text
            }
            try copy(
                inputs, to: path, skippingStructures: !table.key.readsStructure, change: change
            ) { _, _, _ in true }
            summary.unchanged = rewriter?.unchanged ?? 0
        }
        for row in used.indices where !used[row] {
            account.unusedRows += 1
            account.note(table.key(ofRow: row), in: \.unusedKeys)
        }
        summary.join = account
    }

    /// Returns the fields to add to a record.
    private func added(
        to record: borrowing Record, _ context: RecordFilter.Context, _ table: FieldTable, _ account: inout JoinAccount,
        _ used: inout [Bool]
    ) -> [(name: Text, value: Text)] {
        guard let key = table.key.text(in: record, context) else {
            account.recordsWithoutKey += 1
            return []
        }
        let shown = Text(bytes: FieldTable.trimmed(key))
        guard let row = table.row(key) else {
            account.recordsWithoutRow += 1
            account.note(shown, in: \.unknownKeys)
            return []
        }
        if used[row] {
            account.repeatedRecords += 1
            account.note(shown, in: \.repeatedKeys)
        }
        used[row] = true
        account.joined += 1
        let fields = record.fields
        let names = header.columns.map(\.name)
        return table.fields(ofRow: row).filter { field in
            guard fields[field.name] != nil || names.contains(field.name) else { return true }
            if !account.keptFields.contains(field.name) { account.keptFields.append(field.name) }
            return false
        }
    }

    private func writeJoined(
        _ first: ToolInput, _ inputs: [Source], to path: LocalPath, _ table: FieldTable, _ account: inout JoinAccount,
        _ used: inout [Bool]
    ) throws(Conversion.Failure) {
        if inputs.count > 1 {
            throw .impossible("join adds columns to one DataSheet at a time (there are \(inputs.count))")
        }
        var additions: [(row: Int, fields: [(name: Text, value: Text)])] = []
        try read(
            first, skippingStructures: !table.key.readsStructure
        ) { record, stream throws(Conversion.Failure) in
            let fields = added(to: record, Self.context(stream, first), table, &account, &used)
            additions.append((stream.place.record - 1, fields))
            return true
        }
        let names = header.columns.map(\.name)
        try writeSheet(first, to: path, additions, adding: table.names.filter { !names.contains($0) })
    }

    /// Writes rows of a sheet with additional columns.
    func writeSheet(
        _ input: ToolInput, to path: LocalPath, _ rows: [(row: Int, fields: [(name: Text, value: Text)])],
        adding names: [Text]
    ) throws(Conversion.Failure) {
        guard let format else { return }
        var sink = try sink(path, format)
        let text = try text(of: input, format)
        var pieces: [FileText.Piece] = []
        let records = try text.records(rows.filter { !$0.fields.isEmpty }.map(\.row))
        for (row, fields) in rows {
            guard row < text.records.count else { throw Self.otherRows(input) }
            guard !fields.isEmpty, var record = records[row] else {
                pieces.append(FileText.Piece(lead: [], text: .kept(row)))
                continue
            }
            for field in fields { record.fields.append(field.name, field.value) }
            let bytes = Array(text.bytes[text.records[row]])
            pieces.append(FileText.Piece(lead: [], text: .made(RecordText.Version(bytes: bytes, record: record))))
        }
        sink.bytes = try text.assembled(pieces, adding: names.map { Column($0) })
        try commit(&sink)
        summary.written = rows.count
        summary.files = 1
    }

    /// Copies records in an order and adds a field to each.
    func copy(
        _ order: some Sequence<Int>, of places: ToolPlaces, in inputs: [ToolInput], to path: LocalPath,
        adding name: Text, value: @escaping (Int) -> Text
    ) throws(Conversion.Failure) {
        guard let format else { throw .impossible("there is no input") }
        if format.isSheet {
            guard inputs.count == 1, let input = inputs.first else {
                throw .impossible("columns are added to one DataSheet at a time (there are \(inputs.count))")
            }
            let rows = order.map { (row: places[$0].range.lowerBound, fields: [(name: name, value: value($0))]) }
            return try writeSheet(input, to: path, rows, adding: [name])
        }
        if header.columns.contains(where: { $0.name == name }) {
            throw .impossible("the table already has a column \"\(name.shown)\"")
        }
        var rewriter = try FieldRewriter(format, header, head, adding: [name])
        let wide = rewriter.widenedHead
        try copy(order, of: places, in: inputs, to: path, header: wide) { bytes, index throws(Conversion.Failure) in
            try rewriter.adding([(name, value(index))], to: bytes)
        }
        summary.unchanged = rewriter.unchanged
    }
}
