/// A table with fields to add to records that have the same key.
///
///     let table = try FieldTable(Source("assay.csv"), on: "CAS")
///     let summary = try RecordTool(.join(table)).run([Source("a.sdf")], to: "b.sdf")
///     print(summary.join?.recordsWithoutRow ?? 0)
///
/// The table is kept in memory. Keys are compared as text without surrounding blanks.
public struct FieldTable: Sendable {
    /// The value of a record that is compared with the key of the table.
    public let key: RecordFact
    /// The names of the fields to add.
    public let names: [Text]
    /// The name of the table for messages.
    public let name: LocalPath
    /// The number of rows.
    public private(set) var rowCount = 0
    /// The number of rows without a key. They are ignored.
    public private(set) var rowsWithoutKey = 0
    /// The number of rows with the same key as an earlier row. They are ignored.
    public private(set) var repeatedRows = 0
    /// The first of the repeated keys.
    public private(set) var repeatedKeys: [Text] = []
    /// The number of unreadable rows.
    public private(set) var unreadable = 0
    /// The values of all rows, each preceded by its length in four bytes, and the offset of the first row of each key.
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var keys: [[UInt8]] = []
    private var index = DigestTable(keepsIndices: true)

    /// The maximum number of keys in reports.
    static let mostExamples = 3

    /// Reads a table.
    ///
    /// - Parameter word: The name of the key, or `KEY=COLUMN` if the column of the table has another name.
    /// - Parameter wanted: The columns to add, or `nil` for all.
    /// - Throws: `Conversion.Failure` if the table cannot be read or has no such column.
    public init(
        _ source: Source, as format: Format? = nil, on word: Text, adding wanted: [Text]? = nil,
        _ options: ReadOptions = ReadOptions()
    ) throws(Conversion.Failure) {
        name = source.name
        var stream: RecordStream
        do throws(ReadError) {
            var bytes = try source.openToRead(options)
            let found = try bytes.identified(as: format, declaredAs: source.declaredType, among: options.knownFormats)
            stream = try .reopen(bytes, as: found.format, options)
        } catch {
            throw .read(error)
        }
        let rows = try Self.rows(&stream, &unreadable)
        let all = rows.names
        let (recordKey, column) = Self.keys(word, all)
        key = RecordFact(recordKey)
        guard let place = all.firstIndex(of: column) else {
            let near =
                nearestName(to: column.string, among: all.map(\.string)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw .impossible("\(source.name.shown) has no column \"\(column.shown)\"" + near)
        }
        for name in wanted ?? [] where !all.contains(name) {
            let near = nearestName(to: name.string, among: all.map(\.string)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw .impossible("\(source.name.shown) has no column \"\(name.shown)\"" + near)
        }
        let chosen = all.indices.filter { $0 != place && wanted?.contains(all[$0]) != false }
        names = chosen.map { all[$0] }
        for row in rows.rows {
            rowCount += 1
            let key = Self.trimmed(place < row.count ? row[place] : [])
            if key.isEmpty {
                rowsWithoutKey += 1
                continue
            }
            guard index.insert(key).isNew else {
                repeatedRows += 1
                let text = Text(bytes: key)
                if repeatedKeys.count < Self.mostExamples, !repeatedKeys.contains(text) { repeatedKeys.append(text) }
                continue
            }
            starts.append(bytes.count)
            keys.append(key)
            for cell in chosen {
                let value = cell < row.count ? row[cell] : []
                for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value.count >> (8 * shift))) }
                bytes += value
            }
        }
    }

    /// Returns the name of the key in records and the one in the table.
    private static func keys(_ word: Text, _ names: [Text]) -> (Text, Text) {
        guard !names.contains(word), let place = word.bytes.lastIndex(of: UInt8(ascii: "=")) else {
            return (word, word)
        }
        return (Text(bytes: word.bytes[..<place]), Text(bytes: word.bytes[(place + 1)...]))
    }

    static func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[bytes.span.trimmed(0..<bytes.count)]) }

    private static func rows(
        _ stream: inout RecordStream, _ unreadable: inout Int
    ) throws(Conversion.Failure) -> (names: [Text], rows: [[[UInt8]]]) {
        let kind = stream.format.hasRows ? stream.format.table : nil
        var rows: [[[UInt8]]] = []
        var names: [Text] = []
        var places: [Text: Int] = [:]
        var record = Record()
        var text: [UInt8] = []
        while true {
            do throws(ReadError) {
                guard try stream.read(into: &record) else { break }
            } catch {
                if error.kind == .broken || error.kind == .tooLarge {
                    unreadable += 1
                    continue
                }
                throw .read(error)
            }
            if let kind {
                text.removeAll(keepingCapacity: true)
                stream.copyRecordBytes(to: &text)
                rows.append((kind.cells(of: text.span) ?? []).map { unquoted(text[$0.range]) })
                continue
            }
            var row: [[UInt8]] = []
            for field in record.fields {
                let place = places[field.name] ?? names.count
                if place == names.count {
                    places[field.name] = place
                    names.append(field.name)
                }
                while row.count <= place { row.append([]) }
                if row[place].isEmpty { row[place] = field.value.bytes }
            }
            rows.append(row)
        }
        if kind != nil { names = stream.header.columns.map(\.name) }
        return (names, rows)
    }

    /// Returns the text of a cell.
    private static func unquoted(_ cell: ArraySlice<UInt8>) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard cell.count >= 2, cell.first == quote, cell.last == quote else { return Array(cell) }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in cell.dropFirst().dropLast() {
            if byte == quote, !isEscaped {
                isEscaped = true
                continue
            }
            isEscaped = false
            text.append(byte)
        }
        return text
    }

    // MARK: Rows

    /// The number of distinct keys.
    var count: Int { starts.count }

    /// Returns the index of the row with a key.
    func row(_ key: [UInt8]) -> Int? { index.find(Self.trimmed(key)) }

    /// Returns the fields of a record's row that the record does not have itself.
    package func fields(for record: Record) -> [(name: Text, value: Text)] {
        guard let key = key.text(in: record, RecordFilter.Context()), let row = row(key) else { return [] }
        return fields(ofRow: row).filter { record.fields[$0.name] == nil }
    }

    func key(ofRow row: Int) -> Text { Text(bytes: keys[row]) }

    /// Returns the values of a row other than blanks, by their names.
    func fields(ofRow row: Int) -> [(name: Text, value: Text)] {
        var fields: [(Text, Text)] = []
        var place = starts[row]
        for name in names {
            var count = 0
            for shift in 0..<4 { count |= Int(bytes[place + shift]) << (8 * shift) }
            let value = bytes[place + 4..<place + 4 + count]
            place += 4 + count
            if value.contains(where: { $0 > Ascii.blank }) { fields.append((name, Text(bytes: value))) }
        }
        return fields
    }
}

/// A report about a join: the keys that occur twice or never.
public struct JoinAccount: Sendable {
    /// The number of records with a row in the table.
    public internal(set) var joined = 0
    /// The number of records without a key.
    public internal(set) var recordsWithoutKey = 0
    /// The number of records whose key is not in the table, and the first of these keys.
    public internal(set) var recordsWithoutRow = 0
    /// The first keys that are not in the table.
    public internal(set) var unknownKeys: [Text] = []
    /// The number of records with the same key as an earlier record. The same row is added to each of them.
    public internal(set) var repeatedRecords = 0
    /// The first keys that several records have.
    public internal(set) var repeatedKeys: [Text] = []
    /// The number of rows whose key no record has.
    public internal(set) var unusedRows = 0
    /// The first keys that no record has.
    public internal(set) var unusedKeys: [Text] = []
    /// The fields of the table that some records already have. In these records, the field is unchanged.
    public internal(set) var keptFields: [Text] = []

    mutating func note(_ key: Text, in keys: WritableKeyPath<JoinAccount, [Text]>) {
        if self[keyPath: keys].count < FieldTable.mostExamples, !self[keyPath: keys].contains(key) {
            self[keyPath: keys].append(key)
        }
    }
}
