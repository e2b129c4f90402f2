/// A choice of data fields by their names.
public struct FieldChoice: Sendable, Hashable {
    /// The fields to keep, or `nil` for all. The order of fields in a record does not change.
    public var kept: [Text]?
    /// The fields to remove.
    public var dropped: [Text]
    /// The fields to rename, with their new names.
    public var renamed: [Text: Text]

    /// Creates a choice. A name in `kept` or `dropped` is the old name of a renamed field.
    public init(kept: [Text]? = nil, dropped: [Text] = [], renamed: [Text: Text] = [:]) {
        self.kept = kept
        self.dropped = dropped
        self.renamed = renamed
    }

    /// The names in the choice that exist as fields.
    var names: [Text] { (kept ?? []) + dropped + renamed.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }

    /// Returns the name of a field in the output, or `nil` if it is removed.
    func newName(of name: Text) -> Text? {
        if dropped.contains(name) { return nil }
        if let new = renamed[name] { return new }
        return kept?.contains(name) == false ? nil : name
    }

    /// Returns the columns of a table in the output. The structure and its name are not fields, and are removed only on
    /// request.
    func columns(of header: SheetHeader) -> [Int] {
        header.columns.indices.filter { place in
            let isField = place != header.subjectColumn && place != header.nameColumn
            return isField
                ? newName(of: header.columns[place].name) != nil : !dropped.contains(header.columns[place].name)
        }
    }
}

extension ToolRun {
    func copySelected(_ inputs: [Source], to path: LocalPath, _ choice: FieldChoice) throws(Conversion.Failure) {
        var missing = Set(choice.names)
        guard let first = inputs.first else { throw .impossible("there is no input") }
        if let sheet = try sheet(first, to: path) { return try writeSelected(sheet, inputs, to: path, choice) }
        var rewriter: FieldRewriter?
        let change = RecordRewriting { [self] format throws(Conversion.Failure) in
            let made = try FieldRewriter(format, header, head)
            rewriter = made
            for column in header.columns { missing.remove(column.name) }
            return try made.chosenHead(choice)
        } bytes: { [self] record, stream, _, bytes throws(Conversion.Failure) in
            if !missing.isEmpty { for field in record.fields { missing.remove(field.name) } }
            if !choice.renamed.isEmpty, hasClash(record, choice) { summary.occupied += 1 }
            let text = try rewriter?.choosing(choice, from: bytes, record) ?? bytes
            let losses = rewriter?.takeLosses() ?? []
            if !losses.isEmpty { summary.report.add(losses, inRecord: stream.place.record) }
            return text
        }
        try copy(inputs, to: path, change: change) { _, _, _ in true }
        summary.unchanged = rewriter?.unchanged ?? 0
        summary.missingFields = choice.names.filter(missing.contains)
    }

    /// Whether two fields would have the same name.
    private func hasClash(_ record: borrowing Record, _ choice: FieldChoice) -> Bool {
        let fields = record.fields
        return choice.renamed.contains { old, new in
            old != new && fields.contains { $0.name == old }
                && fields.contains { choice.newName(of: $0.name) == new && $0.name != old }
        }
    }

    /// Writes the rows of a sheet with some of its columns.
    private func writeSelected(
        _ first: ToolInput, _ inputs: [Source], to path: LocalPath, _ choice: FieldChoice
    ) throws(Conversion.Failure) {
        var all = [first]
        for source in inputs.dropFirst() { all.append(try open(source, keepsBytes: true, to: path)) }
        var rows: [[Int]] = []
        for input in all {
            var numbers: [Int] = []
            try read(input, skippingStructures: true) { _, stream in
                numbers.append(stream.place.record - 1)
                return true
            }
            rows.append(numbers)
        }
        guard let format else { return }
        let kept = choice.columns(of: header)
        var (narrow, _) = try FieldRewriter(format, header, []).chosenHead(choice)
        narrow.rowCount = rows.reduce(0) { $0 + $1.count }
        let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        var output = try SingleOutput.open(try sink(path, format), format, WriteOptions())
        try output.begin(narrow)
        for (input, numbers) in zip(all, rows) {
            let text = try text(of: input, format)
            // Blocks limit the number of records in memory.
            for start in stride(from: 0, to: numbers.count, by: 256) {
                let block = numbers[start..<min(start + 256, numbers.count)]
                let records = try text.records(Array(block))
                for number in block {
                    if isCancelled { throw .cancelled }
                    guard var record = records[number] else { throw Self.otherRows(input) }
                    let old = record.fields
                    record.fields = Fields()
                    record.fields.columns = narrow.columns
                    for place in old.entries.indices {
                        guard let column = places[Int(old.entries[place].column)] else { continue }
                        record.fields.append(column: column, old.bytes[old.entries[place].valueRange])
                        for note in old.structures.notes(of: place) {
                            record.fields.structures.append(Indexed(record.fields.entries.count - 1, note))
                        }
                    }
                    var place = RecordPlace()
                    place.record = number + 1
                    let report = try output.write(record, at: place, part: 0)
                    summary.report.add(report, inRecord: number + 1)
                }
            }
        }
        try output.finish()
        summary.written = output.written
        summary.files = 1
        summary.missingFields = choice.names.filter { name in !header.columns.contains { $0.name == name } }
    }
}
