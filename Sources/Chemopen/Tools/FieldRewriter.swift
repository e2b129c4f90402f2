/// An editor for the data fields in the bytes of records. All other bytes stay unchanged.
struct FieldRewriter {
    let format: Format
    /// The columns of the table, if the records are rows, and the bytes of its header.
    private let header: SheetHeader
    private let head: [UInt8]
    private let table: (any TableText)?
    /// The header of a table with additional columns.
    private var wide: SheetHeader
    private(set) var losses: [Loss] = []
    /// The number of records that were not changed because their fields cannot be separated.
    private(set) var unchanged = 0

    /// - Parameter added: The columns to add to a table.
    init(_ format: Format, _ header: SheetHeader, _ head: [UInt8], adding added: [Text] = []) throws(Conversion.Failure)
    {
        self.format = format
        self.header = header
        self.head = head
        wide = header
        let known = Set(header.columns.map(\.name))
        wide.columns += added.filter { !known.contains($0) }.map { Column($0) }
        table = format.hasRows ? format.table?.init(head.span) : nil
        if format.hasRows, !head.isEmpty, table == nil {
            throw .impossible("cannot change the columns of a table with this header")
        }
        if !format.supportedFeatures.contains(.fields) {
            throw .impossible("\(format.described) cannot store data fields")
        }
    }

    mutating func takeLosses() -> [Loss] {
        defer { losses = [] }
        return losses
    }

    // MARK: Adding fields

    /// The header of the table with the additional columns.
    var widenedHead: (header: SheetHeader, head: [UInt8]) {
        let added = Array(wide.columns[header.columns.count...])
        return (wide, table?.head(of: head, adding: added, rows: 0) ?? head)
    }

    /// Returns the bytes of a record with additional fields.
    mutating func adding(_ fields: [(name: Text, value: Text)], to bytes: [UInt8]) throws(Conversion.Failure) -> [UInt8]
    {
        if fields.isEmpty, !format.hasRows { return bytes }
        do throws(WriteError) {
            if format.hasRows { return try widened(bytes, fields) }
            let changed = format.patch != nil ? try patched(bytes, fields) : try extended(bytes, fields)
            guard let text = changed else {
                unchanged += 1
                return bytes
            }
            return text
        } catch {
            throw .write(error)
        }
    }

    private mutating func written(
        _ fields: [(name: Text, value: Text)], _ header: SheetHeader? = nil, like bytes: [UInt8]
    ) throws(WriteError) -> [UInt8] {
        var record = header == nil ? Record(Molecule()) : Record()
        for field in fields { record.fields.append(field.name, field.value) }
        let hasReturns = bytes.span.firstLineEnd?.first == Ascii.carriageReturn
        var found: [Loss] = []
        let text = try RecordText(format: format).written(record, carriageReturns: hasReturns, header: header, &found)
        losses += found.filter { $0.feature != .recordsWithoutStructure }
        return text
    }

    private mutating func extended(
        _ bytes: [UInt8], _ fields: [(name: Text, value: Text)]
    ) throws(WriteError) -> [UInt8]? {
        let text = try written(fields, like: bytes)
        guard let parts = format.parts?(bytes.span), let other = format.parts?(text.span),
            let first = other.fields.first
        else { return nil }
        var result = Array(bytes[..<parts.endOfFields])
        result.reserveCapacity(bytes.count + text.count)
        result += parts.closing
        result += text[first.range.lowerBound..<other.endOfFields]
        return result + bytes[parts.endOfFields...]
    }

    private mutating func patched(
        _ bytes: [UInt8], _ fields: [(name: Text, value: Text)]
    ) throws(WriteError) -> [UInt8]? {
        let line = try written(fields, like: bytes)
        var patch = RecordPatch()
        var last = lastName(bytes)
        for field in fields {
            patch.fields.append((field.name, last, line))
            last = field.name
        }
        return format.patch?(bytes, patch)
    }

    /// Returns the name of the last field in a record.
    private func lastName(_ bytes: [UInt8]) -> Text? {
        guard let source = try? ByteSource(bytes), var stream = try? RecordStream.open(source, as: format),
            let record = try? stream.next()
        else { return nil }
        return record.fields.last?.name
    }

    private mutating func widened(
        _ bytes: [UInt8], _ fields: [(name: Text, value: Text)]
    ) throws(WriteError) -> [UInt8] {
        guard let table, let kind = format.table, let cells = kind.cells(of: bytes.span) else {
            throw Self.refusal(format)
        }
        let old = table.columnCount
        guard cells.count <= old else {
            throw WriteError(.impossible, "a row has more cells than the header, so no column can be added")
        }
        let row = kind.widened(bytes, from: cells.count, to: old + wide.columns.count - header.columns.count)
        if fields.isEmpty { return row }
        let text = try written(fields, wide, like: bytes)
        let added = (kind.cells(of: text.span) ?? []).filter { $0.column >= header.columns.count }
        return kind.row(row, with: added.map { ($0.column - header.columns.count + old, Array(text[$0.range])) })
    }

    private static func refusal(_ format: Format) -> WriteError {
        WriteError(.impossible, "cannot change the fields of this record in \(format.name)")
    }

    // MARK: Choosing fields

    /// Returns the bytes of a record with the fields of a choice.
    ///
    /// - Parameter record: The parsed record; its structure may be missing.
    mutating func choosing(
        _ choice: FieldChoice, from bytes: [UInt8], _ record: borrowing Record
    ) throws(Conversion.Failure) -> [UInt8] {
        do throws(WriteError) {
            if format.hasRows { return try row(bytes, choice) }
            let fields = record.fields
            if fields.allSatisfy({ choice.newName(of: $0.name) == $0.name }) { return bytes }
            if format.patch != nil { return try rewritten(bytes, choice) }
            guard let parts = format.parts?(bytes.span), parts.fields.count == fields.count else {
                unchanged += 1
                return bytes
            }
            var result = Array(bytes[..<parts.endOfStructure])
            result.reserveCapacity(bytes.count)
            var position = parts.endOfStructure
            for (place, part) in parts.fields.enumerated() {
                result += bytes[position..<max(position, part.range.lowerBound)]
                position = part.range.upperBound
                let name = fields.columns[Int(fields.entries[place].column)].name
                guard let newName = choice.newName(of: name) else { continue }
                if newName == name {
                    result += bytes[part.range]
                } else {
                    result += try renamed(Array(bytes[part.range.lowerBound..<part.value]), name, newName, like: bytes)
                    result += bytes[part.value..<part.range.upperBound]
                }
            }
            return result + bytes[position...]
        } catch {
            throw .write(error)
        }
    }

    /// Returns the lines before the value of a field with a new name.
    private mutating func renamed(
        _ lines: [UInt8], _ name: Text, _ newName: Text, like bytes: [UInt8]
    ) throws(WriteError) -> [UInt8] {
        let text = try written([(newName, "1")], like: bytes)
        guard let part = format.parts?(text.span)?.fields.first else { throw Self.refusal(format) }
        let fresh = Array(text[part.range.lowerBound..<part.value])
        // The line may contain more than the name.
        let old = try written([(name, "1")], like: bytes)
        guard let oldPart = format.parts?(old.span)?.fields.first,
            Array(old[oldPart.range.lowerBound..<oldPart.value]) != lines
        else { return fresh }
        let places = lines.indices.filter { lines[$0...].starts(with: name.bytes) }
        guard places.count == 1, let place = places.first else { return fresh }
        return Array(lines[..<place]) + newName.bytes + lines[(place + name.bytes.count)...]
    }

    /// Returns a record that is edited through its model, not its text.
    private mutating func rewritten(_ bytes: [UInt8], _ choice: FieldChoice) throws(WriteError) -> [UInt8] {
        guard let source = try? ByteSource(bytes), var stream = try? RecordStream.open(source, as: format),
            let old = try? stream.next()
        else {
            unchanged += 1
            return bytes
        }
        var new = old
        new.fields.removeAll()
        for field in old.fields {
            guard let name = choice.newName(of: field.name) else { continue }
            new.fields.append(name == field.name ? field : Field(name, field.cell))
        }
        let text = try RecordText(format: format).bytes(of: new, from: [RecordText.Version(bytes: bytes, record: old)])
        return text.bytes
    }

    /// Returns the header of the table with the chosen columns.
    func chosenHead(_ choice: FieldChoice) throws(Conversion.Failure) -> (header: SheetHeader, head: [UInt8]) {
        var narrow = header
        let kept = choice.columns(of: header)
        if format.needsColumns, kept.isEmpty { throw .impossible("no column of the table would be left") }
        narrow.columns = kept.map { place in
            var column = header.columns[place]
            column.name = choice.newName(of: column.name) ?? column.name
            return column
        }
        narrow.subjectColumn = header.subjectColumn.flatMap(kept.firstIndex(of:))
        narrow.nameColumn = header.nameColumn.flatMap(kept.firstIndex(of:))
        guard let table, let kind = format.table else { return (narrow, head) }
        var names: [Int: [UInt8]] = [:]
        for place in kept {
            let name = header.columns[place].name
            guard let newName = choice.newName(of: name), newName != name else { continue }
            let wide = table.head(of: head, adding: [Column(newName)], rows: 0)
            if let cell = kind.cells(of: wide.span)?.last { names[place] = Array(wide[cell.range]) }
        }
        return (narrow, joined(head, kept, kind, renamed: names) ?? head)
    }

    private func row(_ bytes: [UInt8], _ choice: FieldChoice) throws(WriteError) -> [UInt8] {
        guard let kind = format.table, let row = joined(bytes, choice.columns(of: header), kind) else {
            throw Self.refusal(format)
        }
        return row
    }

    /// Returns a row with some of its cells.
    private func joined(
        _ row: [UInt8], _ kept: [Int], _ kind: any TableText.Type, renamed: [Int: [UInt8]] = [:]
    ) -> [UInt8]? {
        guard let cells = kind.cells(of: row.span), let first = cells.first, let last = cells.last else { return nil }
        var result = Array(row[..<first.range.lowerBound])
        let delimiter: UInt8 = format.id == Format.tsv.id ? Ascii.tab : UInt8(ascii: ",")
        for (number, place) in kept.enumerated() {
            if place >= cells.count { break }
            if number > 0 { result.append(delimiter) }
            result += renamed[place] ?? Array(row[cells[place].range])
        }
        return result + row[last.range.upperBound...]
    }
}

extension Format {
    /// Whether records are rows of delimited text.
    var hasRows: Bool { needsColumns && hasLineNotation }
}
