/// A survey of the data fields in files: their names and the types that fit all values.
///
/// As in `ColumnTypeInference`, a field has an integer, real or Boolean type only if each value is printed exactly as
/// it was written. The specified type of a table column is used if each value matches it. Registry numbers are also
/// fields.
package struct FieldSurvey: Sendable {
    package struct Found: Sendable {
        package let name: Text
        /// The type: a number, a Boolean or text.
        package let kind: Column.Kind
        /// Whether a record contains the field more than once.
        package let isRepeated: Bool
    }

    /// Types that files specify are used only for tables.
    private var columns = TalliedColumns(keepsKinds: false)
    /// The specified types, by column index.
    private var stated: [Stated] = []

    /// The type that tables specify for a column.
    private struct Stated: Sendable {
        var kind: Column.Kind?
        /// Whether each value matches the type.
        var fits = true
    }

    package init() {}

    /// Returns the field name for a registry number, as in the output of `info --json`.
    package static func name(of number: Record.RegistryNumber) -> Text {
        number.isInternal ? namesOfRegistry[0] : namesOfRegistry[1]
    }

    /// The names of internal and external registry numbers.
    package static let namesOfRegistry: [Text] = ["internal-regno", "external-regno"]

    /// Adds a record. If a file is a table, the types of its columns are used.
    package mutating func take(_ record: borrowing Record, ofTable isTable: Bool) {
        if !record.registry.isEmpty {
            var counts: [Int: Int] = [:]
            for number in record.registry {
                let target = place(of: Self.name(of: number))
                counts[target, default: 0] += 1
                let text = number.number.bytes
                _ = columns.tallies[target].take(0..<text.count, of: text.span, repeats: counts[target] ?? 1)
            }
        }
        if !record.fields.entries.isEmpty { take(record.fields, isTable) }
    }

    private mutating func take(_ fields: borrowing Fields, _ isTable: Bool) {
        for (column, place) in columns.begin(fields) {
            if place == stated.count { stated.append(Stated()) }
            if isTable { state(column.kind, of: place) }
        }
        let bytes = fields.bytes.span
        for entry in fields.entries {
            let target = columns.place(of: entry)
            _ = columns.take(entry, of: bytes)
            if let kind = stated[target].kind, kind != .string, stated[target].fits {
                let value = Text(bytes: fields.bytes[entry.valueRange])
                if case .string = Cell(value, as: kind) { stated[target].fits = false }
            }
        }
        for structure in fields.structures {
            stated[columns.place(of: fields.entries[Int(structure.index)])].kind = .string
        }
    }

    /// Records the type of a column. Two different types become text.
    private mutating func state(_ kind: Column.Kind, of place: Int) {
        stated[place].kind = stated[place].kind.map { $0 == kind ? kind : .string } ?? kind
    }

    private mutating func place(of name: Text) -> Int {
        let place = columns.place(of: Column(name))
        if place == stated.count { stated.append(Stated()) }
        return place
    }

    /// The fields in the order of their first occurrence.
    package var found: [Found] {
        columns.tallies.enumerated().map { place, tally in
            let kind = stated[place].kind.map { stated[place].fits ? $0 : .string } ?? tally.settledKind(1)
            return Found(name: tally.column.name, kind: kind, isRepeated: tally.columnCount > 1)
        }
    }
}
