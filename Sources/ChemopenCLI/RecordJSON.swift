import Chemopen

extension JSON {
    /// Writes a record as a line of JSON.
    mutating func record(_ record: Record, at place: RecordPlace, in file: String, _ format: Format) {
        object { json in
            json.field("file", file)
            json.field("record", place.record)
            switch record.subject {
            case .none: json.field("kind", "data")
            case .molecule: json.field("kind", "molecule")
            case .reaction: json.field("kind", "reaction")
            }
            json.field("format", format.id)
            if !place.version.isEmpty { json.field("version", place.version) }
            switch record.subject {
            case .none: break
            case .molecule(let molecule): json.moleculeKeys(molecule)
            case .reaction(let reaction): json.reactionKeys(reaction)
            }
            json.fields(of: record)
            json.unknown(record.verbatim + (record.molecule?.extras.contents.verbatim ?? []))
        }
        endLine()
    }

    /// Writes the error of an unreadable record as a line of JSON.
    mutating func error(_ error: ReadError) {
        errorObject(error)
        endLine()
    }

    mutating func errorObject(_ error: ReadError) {
        object { json in
            json.field("file", error.file)
            json.field("record", error.record)
            json.field("kind", "error")
            json.field("line", error.line)
            json.field("offset", error.offset)
            json.field("message", error.message)
        }
    }

    // MARK: Reactions

    private mutating func reactionKeys(_ reaction: Reaction) {
        field("title", reaction.name)
        sides(reaction.reactants, reaction.agents, reaction.products)
        if reaction.steps.count > 1 {
            key("steps")
            array { json in
                for step in reaction.steps {
                    json.object { json in
                        json.sides(step.reactants, step.agents, step.products)
                        if !step.conditions.isEmpty { json.field("conditions", step.conditions.map(\.string)) }
                        if step.arrow != .forward { json.field("arrow", step.arrow.name) }
                    }
                }
            }
        } else if let step = reaction.steps.first {
            if !step.conditions.isEmpty { field("conditions", step.conditions.map(\.string)) }
            if step.arrow != .forward { field("arrow", step.arrow.name) }
        }
    }

    private mutating func sides(
        _ reactants: [Reaction.Component], _ agents: [Reaction.Component], _ products: [Reaction.Component]
    ) {
        side("reactants", reactants)
        side("agents", agents)
        side("products", products)
    }

    private mutating func side(_ name: StaticString, _ components: [Reaction.Component]) {
        key(name)
        array { json in
            for component in components {
                json.object { json in
                    json.moleculeKeys(component.molecule)
                    json.unknown(component.molecule.extras.contents.verbatim)
                    if !component.name.isEmpty { json.field("name", component.name) }
                    if !component.stoichiometry.isEmpty { json.field("stoichiometry", component.stoichiometry) }
                }
            }
        }
    }

    // MARK: Unknown

    /// Writes the unrecognized parts that are preserved verbatim.
    private mutating func unknown(_ parts: [Verbatim]) {
        if !parts.isEmpty { field("unknown", parts.map(\.text.string)) }
    }

    // MARK: Fields

    /// Writes the data fields by name. A repeated field becomes an array in file order.
    private mutating func fields(of record: Record) {
        let registry = record.registry.map {
            (name: Text($0.isInternal ? "internal-regno" : "external-regno"), cell: Cell.string($0.number))
        }
        let fields = registry + record.fields.map { (name: $0.name, cell: $0.cell) }
        var places: [Text: [Int]] = [:]
        for (place, field) in fields.enumerated() { places[field.name, default: []].append(place) }
        key("fields")
        object { json in
            for (place, field) in fields.enumerated() {
                guard let all = places[field.name], all[0] == place else { continue }
                json.key(text: field.name)
                if all.count == 1 {
                    json.cell(field.cell)
                } else {
                    json.array { json in
                        for place in all { json.cell(fields[place].cell) }
                    }
                }
            }
        }
    }

    private mutating func cell(_ cell: Cell) {
        switch cell {
        case .empty: null()
        case .string(let text), .extend(let text): string(text)
        case .integer(let value): number(value)
        case .real(let value, _): number(value)
        case .boolean(let value): bool(value)
        case .molecule(let molecule): object { $0.moleculeKeys(molecule) }
        case .reaction(let reaction): object { $0.reactionKeys(reaction) }
        }
    }

    // MARK: Tables

    /// Writes the properties of a table as a line of JSON before its rows.
    mutating func sheet(_ header: SheetHeader, in file: String) {
        object { json in
            json.field("file", file)
            json.field("kind", "sheet")
            json.field("title", header.title)
            json.field("description", header.summary)
            json.objects("columns", of: header.columns) { json, column in
                json.field("name", column.name)
                json.field("type", column.kind.name)
            }
            if let rows = header.rowCount { json.field("rows", rows) }
            json.objects("extensions", of: header.extensions) { json, block in
                json.field("name", block.name)
                json.field("type", block.type)
            }
        }
        endLine()
    }

    /// The maximum number of columns for a row in array form. In a wider table, each row is an object with column
    /// numbers as keys, because empty cells would exceed the size of the file.
    private static let mostColumns = 1000

    /// Writes a row of a table as a line of JSON, with its cells in column order or by column numbers from 1.
    mutating func row(_ record: Record, at place: RecordPlace, in file: String, _ header: SheetHeader) {
        var cells: [Int: Cell] = [:]
        for field in record.fields where header.columns.indices.contains(field.column) {
            cells[field.column] = field.cell
        }
        if let column = header.subjectColumn, header.columns.indices.contains(column) {
            switch record.subject {
            case .none: break
            case .molecule(let molecule): cells[column] = .molecule(molecule)
            case .reaction(let reaction): cells[column] = .reaction(reaction)
            }
        }
        object { json in
            json.field("file", file)
            json.field("record", place.record)
            json.field("kind", "row")
            json.key("cells")
            if header.columns.count <= Self.mostColumns {
                json.array { json in for column in header.columns.indices { json.cell(cells[column] ?? .empty) } }
            } else {
                json.object { json in
                    for (column, cell) in cells.sorted(by: { $0.key < $1.key }) where cell != .empty {
                        json.key(text: Text("\(column + 1)"))
                        json.cell(cell)
                    }
                }
            }
        }
        endLine()
    }
}
