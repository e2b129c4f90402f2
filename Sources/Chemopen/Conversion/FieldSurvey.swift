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

    private var tallies: [ColumnTally] = []
    private var stated: [Stated] = []
    private var places: [Text: Int] = [:]
    private var repeats: [Int] = []
    /// The columns that the fields' numbers meant last time, and the tallies that they are.
    private var known: [Column] = []
    private var targets: [Int] = []

    /// The type that tables give a column.
    private struct Stated: Sendable {
        var kind: Column.Kind?
        /// Every value is of that kind.
        var fits = true
    }

    package init() {}

    /// The words for the registry numbers of a record, as `info --json` has them.
    package static func name(of number: Record.RegistryNumber) -> Text {
        number.isInternal ? "internal-regno" : "external-regno"
    }

    /// Takes a record of a file into account, whose columns have the types that the file says if it is a table.
    package mutating func take(_ record: borrowing Record, ofTable isTable: Bool) {
        if !record.registry.isEmpty {
            var counts: [Int: Int] = [:]
            for number in record.registry {
                let target = place(of: Self.name(of: number))
                counts[target, default: 0] += 1
                let text = number.number.bytes
                _ = tallies[target].take(0..<text.count, of: text.span, repeats: counts[target] ?? 1)
            }
        }
        if !record.fields.entries.isEmpty { take(record.fields, isTable) }
    }

    private mutating func take(_ fields: borrowing Fields, _ isTable: Bool) {
        if fields.columns != known { learn(fields.columns, isTable) } else { known = fields.columns }
        for entry in fields.entries { repeats[targets[Int(entry.column)]] = 0 }
        let bytes = fields.bytes.span
        for entry in fields.entries {
            let target = targets[Int(entry.column)]
            repeats[target] += 1
            _ = tallies[target].take(entry.valueRange, of: bytes, repeats: repeats[target])
            if let kind = stated[target].kind, kind != .string, stated[target].fits {
                let value = Text(bytes: fields.bytes[entry.valueRange])
                if case .string = Cell(value, as: kind) { stated[target].fits = false }
            }
        }
        for structure in fields.structures {
            stated[targets[Int(fields.entries[Int(structure.index)].column)]].kind = .string
        }
    }

    private mutating func learn(_ columns: [Column], _ isTable: Bool) {
        if !columns.starts(with: known) { targets = [] }
        known = columns
        for column in columns[targets.count...] {
            let target = place(of: column.name)
            targets.append(target)
            guard isTable else { continue }
            if let other = stated[target].kind, other != column.kind {
                stated[target].kind = .string
            } else {
                stated[target].kind = column.kind
            }
        }
    }

    private mutating func place(of name: Text) -> Int {
        if let place = places[name] { return place }
        places[name] = tallies.count
        tallies.append(ColumnTally(Column(name)))
        stated.append(Stated())
        repeats.append(0)
        return tallies.count - 1
    }

    /// The fields in the order in which they were met.
    package var found: [Found] {
        tallies.indices.map { place in
            let tally = tallies[place]
            let kind = stated[place].kind.map { stated[place].fits ? $0 : .string } ?? tally.settledKind(1)
            return Found(name: tally.column.name, kind: kind, isRepeated: tally.columnCount > 1)
        }
    }
}
