/// A survey of records that determines the header of their table: the columns, their types and the number of rows.
///
/// The header must be known before the first row is written, so all records are read once in advance.
///
///     var survey = ColumnTypeInference()
///     survey.take(stream.header)
///     while try stream.read(into: &record) { survey.take(record) }
///     let header = survey.header
///
/// A column is an integer, real or Boolean column only if each value is printed exactly as it was written: `007` and
/// `1.50` are text. It is a molecule column if each value is SketchEl text. If the first source is a table, its columns
/// are used unchanged.
public struct ColumnTypeInference: Sendable {
    /// The number of rows that the records produce.
    public private(set) var rows = 0
    /// A counter that increases with each record that may have changed the header beyond the number of rows.
    private(set) var changes = 0
    /// The header of the first source that is a table.
    private var sheet: SheetHeader?
    private var columns = TalliedColumns()
    private var hasMolecules = false
    private var hasNames = false
    private var reactions: ReactionColumns?
    private var hasReactionsInRows = false
    /// Whether a structure is written as text in one column, and a reaction in one row.
    private let isOfText: Bool

    /// Creates an empty survey for a DataSheet.
    public init() {
        isOfText = false
    }

    /// Creates an empty survey for a table format.
    ///
    /// If the format stores structures in cells, a reaction is distributed over several columns and rows.
    public init(for format: Format) {
        isOfText = !format.supportedFeatures.contains(.structuresInFields)
    }

    /// Adds the header of a source. Only the header of the first source matters, and only if that source is a table.
    public mutating func take(_ header: SheetHeader) {
        if rows == 0, sheet == nil, header.hasAllColumns { sheet = header }
    }

    /// Adds a record of a source.
    public mutating func take(_ record: borrowing Record) {
        rows += 1
        switch record.subject {
        case .none: break
        case .molecule(let molecule):
            if !hasMolecules { changes += 1 }
            hasMolecules = true
            if !hasNames, !molecule.heading.hasNoName {
                hasNames = true
                changes += 1
            }
        case .reaction(let reaction) where isOfText:
            if !hasMolecules || !hasReactionsInRows || !hasNames && !reaction.name.isEmpty { changes += 1 }
            (hasMolecules, hasReactionsInRows) = (true, true)
            if !reaction.name.isEmpty { hasNames = true }
        case .reaction(let reaction):
            changes += 1
            var columns = reactions ?? ReactionColumns()
            columns.makeRoom(for: reaction)
            reactions = columns
            rows += max(0, reaction.steps.count - 1)
            if !reaction.name.isEmpty { hasNames = true }
        }
        if sheet == nil { tally(record.fields) }
    }

    private mutating func tally(_ fields: borrowing Fields) {
        if fields.entries.isEmpty { return }
        columns.begin(fields)
        let bytes = fields.bytes.span
        for index in fields.entries.indices {
            let entry = fields.entries[index]
            var (repeats, isNews) = columns.take(entry, of: bytes)
            if entry.hasHeader {
                let place = columns.place(of: entry)
                let header = fields.headerRange(at: index)
                if columns.tallies[place].takeMark(header, of: bytes, repeats: repeats) { isNews = true }
            }
            if isNews { changes += 1 }
        }
        for structure in fields.structures {
            let place = columns.place(of: fields.entries[Int(structure.index)])
            guard case .molecule = structure.note else {
                // A molecule column cannot contain a reaction, but a text column can contain its text.
                if columns.tallies[place].kind == nil { columns.tallies[place].kind = .string }
                continue
            }
            if columns.tallies[place].kind != .molecule { changes += 1 }
            columns.tallies[place].kind = .molecule
        }
    }

    // MARK: Result

    /// Whether any record is a reaction that is distributed over columns and rows.
    var hasReactions: Bool { reactions != nil }

    /// The header of the table for all records that were added.
    public var header: SheetHeader {
        if var sheet {
            sheet.rowCount = rows
            if isOfText { makeText(&sheet) }
            return sheet
        }
        var header = SheetHeader()
        header.hasAllColumns = true
        header.isSurveyed = true
        header.rowCount = rows
        if hasMolecules {
            header.subjectColumn = 0
            header.columns.append(Column(structureName, .molecule))
        }
        if let nameOfNames {
            header.nameColumn = header.columns.count
            header.columns.append(Column(nameOfNames))
        }
        if let reactions {
            header.extensions = [reactions.aspect]
            header.columns += reactions.columns
            if header.subjectColumn == nil { header.subjectColumn = header.columns.firstIndex { $0.kind == .molecule } }
        }
        let reactionNames = Set(reactions?.columns.map(\.name) ?? [])
        for tally in columns.tallies where !reactionNames.contains(tally.column.name) {
            let isTaken = header.columns.prefix(1).contains { $0.kind == .molecule && $0.name == tally.column.name }
            let name = isTaken ? Text(bytes: tally.column.name.bytes + Array("_2".utf8)) : tally.column.name
            // A field that occurs several times in a record has several columns.
            let kind = reactions == nil ? nil : ReactionColumns.kind(ofColumn: name)
            for number in 1...max(1, tally.columnCount) {
                header.columns.append(Column(name, kind ?? tally.settledKind(number), summary: tally.column.summary))
            }
        }
        if reactions != nil { header.extensions += ReactionColumns.furtherAspects(of: header.columns) }
        return header
    }

    /// The name of the structure column. It must differ from the names of the fields.
    private var structureName: Text {
        isOfText ? ["SMILES", "Structure"].first { !columns.has($0) } ?? "Molecule" : "Molecule"
    }

    /// The name of the name column, or `nil` if there is no such column.
    ///
    /// Readers of text tables and reaction sheets find the name column by its name. If a field has the same name, the
    /// name column is therefore always written, before the field's column.
    private var nameOfNames: Text? {
        let isTaken = columns.has("Name")
        if !isOfText { return (reactions == nil ? hasNames && !isTaken : hasNames || isTaken) ? "Name" : nil }
        if isTaken || columns.has("Title") { return "Title" }
        return hasNames ? "Name" : nil
    }

    /// Converts a sheet's header to that of a text table. If rows were combined to reactions, their component columns
    /// are removed.
    private func makeText(_ sheet: inout SheetHeader) {
        if sheet.nameColumn == nil {
            sheet.nameColumn = sheet.columns.firstIndex { $0.name == "Name" && $0.kind == .string }
        }
        guard let subject = sheet.subjectColumn else { return }
        if !sheet.columns.contains(where: { $0.name == "SMILES" }) { sheet.columns[subject].name = "SMILES" }
        guard hasReactionsInRows else { return }
        let kept = sheet.columns.indices.filter {
            $0 == subject || !ReactionColumns.isPartOfReaction(sheet.columns[$0].name)
        }
        sheet.columns = kept.map { sheet.columns[$0] }
        sheet.subjectColumn = kept.firstIndex(of: subject)
        sheet.nameColumn = sheet.nameColumn.flatMap(kept.firstIndex(of:))
    }

    /// Converts a record to the rows of the table.
    ///
    /// - Parameter header: The header of the table.
    /// - Returns: The steps of a reaction that needs several rows, or the unchanged record.
    public func rows(of record: Record, in header: SheetHeader) -> [Record] {
        guard case .reaction(let reaction) = record.subject, let reactions else { return [record] }
        let first = (hasMolecules ? 1 : 0) + (header.nameColumn == nil ? 0 : 1)
        return reaction.steps.enumerated().map { number, step in
            var row = Record()
            row.registry = record.registry
            row.fields.columns = header.columns
            if let column = header.nameColumn, !reaction.name.isEmpty {
                row.fields.append(column: column, reaction.name.bytes[...])
            }
            reactions.append(step, to: &row.fields, from: first)
            if number == 0 {
                reactions.append(commentOf: reaction, to: &row.fields, from: first)
                append(record.fields, to: &row.fields, from: first)
            }
            return row
        }
    }

    private func append(_ fields: Fields, to row: inout Fields, from first: Int) {
        var used: [Int: Int] = [:]
        for (place, entry) in fields.entries.enumerated() {
            let name = fields.columns[Int(entry.column)].name
            let all = row.columns.indices.filter { $0 >= first && row.columns[$0].name == name }
            let turn = used[Int(entry.column), default: 0]
            guard turn < all.count else { continue }
            used[Int(entry.column)] = turn + 1
            row.append(column: all[turn], fields.bytes[entry.valueRange])
            for structure in fields.structures.notes(of: place) {
                row.structures.append(Indexed(row.entries.count - 1, structure))
            }
        }
    }
}
