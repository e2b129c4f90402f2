/// The names of the data fields of files and the types that all of their values have.
///
/// The rule is that of `ColumnSurvey`: a field is of integers, reals or booleans only if every value prints back as it was
/// written. The columns of a table are what the table says, if every value is of that type. Registry numbers are fields, too.
package struct FieldSurvey: Sendable {
    package struct Found: Sendable {
        package let name: Text
        /// A number, a truth value or text.
        package let kind: Column.Kind
        /// Some record has the field more than once.
        package let isRepeated: Bool
    }

    /// Types that files state count only where they are tables.
    private var columns = TalliedColumns(keepsKinds: false)
    /// The types by the places of the columns.
    private var stated: [Stated] = []

    /// The type that tables give a column.
    private struct Stated: Sendable {
        var kind: Column.Kind?
        /// Every value is of that kind.
        var fits = true
    }

    package init() {}

    /// The words for the registry numbers of a record, as `info --json` has them.
    package static func name(of number: Record.RegistryNumber) -> Text {
        number.isInternal ? namesOfRegistry[0] : namesOfRegistry[1]
    }

    /// Both of these words.
    package static let namesOfRegistry: [Text] = ["internal-regno", "external-regno"]

    /// Takes a record of a file into account, whose columns have the types that the file says if it is a table.
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

    /// Takes note of a column's type; of two that differ text is left.
    private mutating func state(_ kind: Column.Kind, of place: Int) {
        stated[place].kind = stated[place].kind.map { $0 == kind ? kind : .string } ?? kind
    }

    private mutating func place(of name: Text) -> Int {
        let place = columns.place(of: Column(name))
        if place == stated.count { stated.append(Stated()) }
        return place
    }

    /// The fields in the order in which they were met.
    package var found: [Found] {
        columns.tallies.enumerated().map { place, tally in
            let kind = stated[place].kind.map { stated[place].fits ? $0 : .string } ?? tally.settledKind(1)
            return Found(name: tally.column.name, kind: kind, isRepeated: tally.columnCount > 1)
        }
    }
}
