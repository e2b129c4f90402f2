import CChemopen
import Chemopen

/// The columns of a table and the records that it contains.
struct TablePlan: Sendable {
    var paths: [LocalPath]
    /// The content of the only file if it is in memory.
    var memory: [UInt8]?
    var format: Format?
    var encoding: CharacterEncoding?
    var columns: [TableColumn] = []
    /// The computed values among the columns.
    private(set) var computed: ComputedFields?
    var conditions: [RecordFilter] = []
    var range: Range<Int>?
    var batchBytes = 16 << 20
    /// Warnings about the conditions from the survey of the files.
    private(set) var remarks: [SelectionStatistics.Remark] = []
    /// The fields that these warnings refer to.
    private(set) var missing: [Text] = []
    /// Whether the files have been read to determine the names and types of fields.
    private(set) var isSurveyed = false
    /// Whether the table has a column for each field.
    private(set) var hasAllFields = false

    /// The record filter.
    var selection: RecordSelection {
        var selection = RecordSelection()
        selection.conditions = conditions
        return selection
    }

    static let mostBatchBytes = 1 << 30

    /// Opens one of the files.
    func open(_ path: LocalPath, _ options: ReadOptions) throws(ReadError) -> RecordRange {
        var options = options
        options.encoding = encoding
        if let range { return try RecordRange(path: path, range, as: format, options) }
        let source = try source(path)
        if let format { return RecordRange(try .open(source, as: format, options)) }
        return RecordRange(try .open(source, options))
    }

    /// Opens the bytes of one of the files.
    func source(_ path: LocalPath) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            if let memory { return try ByteSource(memory, name: path) }
            return try ByteSource(path: path)
        } catch {
            throw ReadError(error)
        }
    }
}

/// A column of the table.
struct TableColumn: Sendable, Equatable {
    var name: String
    var content: Content
    var type: Kind

    enum Content: Sendable, Hashable {
        case record, line, file, title, problem
        case structure(StructureForm)
        /// A computed value, by its name.
        case computed(String)
        case field(Text)
    }

    enum Kind: String, Sendable {
        case string, integer, real, boolean, list

        init(_ kind: Column.Kind) {
            switch kind {
            case .integer: self = .integer
            case .real: self = .real
            case .boolean: self = .boolean
            case .string, .molecule, .extend, .other: self = .string
            }
        }
    }
}

extension TablePlan {
    /// The caller's options for the table.
    struct Wish {
        var columns: [Text]?
        var types: [TableColumn.Kind?] = []
        /// The notations of structures, each in a separate column.
        var structures: [StructureForm] = []
        /// The names of computed values.
        var computed: [String] = []
    }

    /// Determines the columns from the options. Reads all files if the options are not sufficient.
    mutating func settle(_ wish: Wish) throws(CallError) {
        try settleColumns(wish)
        let names = columns.compactMap { column in
            if case .computed(let name) = column.content { name } else { nil }
        }
        if !names.isEmpty { computed = try .given(names) }
    }

    private mutating func settleColumns(_ wish: Wish) throws(CallError) {
        let fixed = try fixedColumns(wish)
        if let names = wish.columns, names.count == wish.types.count, wish.types.allSatisfy({ $0 != nil }) {
            var taken: Set<String> = []
            for (name, type) in zip(names, wish.types) {
                add(name, fixed, field: type ?? .string, avoiding: fixed, &taken)
            }
            return
        }
        let found = try survey()
        var taken: Set<String> = []
        guard let names = wish.columns else {
            hasAllFields = true
            for column in fixed where column.content != .problem { columns.append(column) }
            taken = Set(fixed.map(\.name))
            for field in found {
                let type = field.isRepeated ? .list : TableColumn.Kind(field.kind)
                columns.append(
                    TableColumn(name: Self.free(field.name.string, &taken), content: .field(field.name), type: type))
            }
            columns += fixed.filter { $0.content == .problem }
            return
        }
        for (place, name) in names.enumerated() {
            let field = found.first { Self.isMeant($0.name, by: name, fixed) }
            let given = place < wish.types.count ? wish.types[place] : nil
            if field == nil, given == nil, !fixed.contains(where: { $0.name == name.string }) {
                if let column = Self.computed(name.string) {
                    columns.append(column)
                    continue
                }
                let known = found.map(\.name.string) + fixed.map(\.name)
                throw CallError(CHEMOPEN_ABSENT, Self.missing(name, among: known))
            }
            let type = given ?? field.map { $0.isRepeated ? .list : TableColumn.Kind($0.kind) } ?? .string
            add(field?.name ?? name, fixed, field: type, avoiding: fixed, &taken, as: name)
        }
    }

    /// Returns an error message for a missing column, with a suggestion.
    static func missing(_ name: Text, among known: [String]) -> String {
        "no record has a field \"\(name.shown)\"" + suggestion(for: name.string, among: known)
    }

    /// Returns the columns that each table has.
    private func fixedColumns(_ wish: Wish) throws(CallError) -> [TableColumn] {
        var columns = [
            TableColumn(name: "record", content: .record, type: .integer),
            TableColumn(name: "line", content: .line, type: .integer),
        ]
        if paths.count > 1 { columns.append(TableColumn(name: "file", content: .file, type: .string)) }
        columns.append(TableColumn(name: "title", content: .title, type: .string))
        for form in wish.structures {
            columns.append(TableColumn(name: form.rawValue, content: .structure(form), type: .string))
        }
        for name in wish.computed where !columns.contains(where: { $0.name == name }) {
            guard let column = Self.computed(name) else {
                _ = try ComputedFields.given([name])
                continue
            }
            columns.append(column)
        }
        columns.append(TableColumn(name: "problem", content: .problem, type: .string))
        return columns
    }

    /// Returns the column of a structure or a computed value, or `nil` if there is no such value.
    private static func computed(_ name: String) -> TableColumn? {
        if let form = StructureForm(rawValue: name) {
            return TableColumn(name: name, content: .structure(form), type: .string)
        }
        guard let column = try? ComputedFields([name]).columns.first else { return nil }
        return TableColumn(name: name, content: .computed(name), type: TableColumn.Kind(column.kind))
    }

    private mutating func add(
        _ field: Text, _ fixed: [TableColumn], field type: TableColumn.Kind, avoiding: [TableColumn],
        _ taken: inout Set<String>, as wanted: Text? = nil
    ) {
        let name = (wanted ?? field).string
        if let column = fixed.first(where: { $0.name == name }) {
            taken.insert(name)
            columns.append(column)
        } else {
            var source = field
            // `record_2` refers to a field whose name is already used by a standard column.
            if field == wanted ?? field, name.hasSuffix("_2"), fixed.contains(where: { $0.name + "_2" == name }) {
                source = Text(String(name.dropLast(2)))
            }
            columns.append(TableColumn(name: Self.free(name, &taken), content: .field(source), type: type))
        }
    }

    private static func isMeant(_ field: Text, by name: Text, _ fixed: [TableColumn]) -> Bool {
        if field == name || field.string == name.string { return true }
        return fixed.contains { $0.name == field.string } && field.string + "_2" == name.string
    }

    /// Returns a column name that is not used yet.
    private static func free(_ name: String, _ taken: inout Set<String>) -> String {
        var free = name
        var number = 2
        while !taken.insert(free).inserted {
            free = "\(name)_\(number)"
            number += 1
        }
        return free
    }

    /// Reads all files to determine the fields with their types, and the fields that conditions use.
    private mutating func survey() throws(CallError) -> [FieldSurvey.Found] {
        var survey = FieldSurvey()
        var choice = SelectionStatistics(of: selection)
        var options = ReadOptions()
        options.skipsStructures = true
        var record = Record()
        for path in paths {
            do throws(ReadError) {
                var source = try open(path, options)
                let isTable = source.records.format.supportedFeatures.contains(.columnTypes)
                while true {
                    do throws(ReadError) {
                        if try !source.read(into: &record) { break }
                        survey.take(record, ofTable: isTable)
                        if !conditions.isEmpty { choice.look(at: record) }
                    } catch {
                        if case .file = error.kind { break }
                    }
                }
            } catch {
                throw CallError(error)
            }
        }
        isSurveyed = true
        // If only a range of the file is read, other records may have the field.
        if range == nil, !conditions.isEmpty {
            // Registry numbers are columns, but conditions do not treat them as fields.
            choice.note(names: survey.found.map(\.name).filter { !FieldSurvey.namesOfRegistry.contains($0) })
            remarks = choice.remarksOnFields
            missing = choice.missing + choice.absent
        }
        return survey.found
    }

    /// Returns the columns of a file that are different in this table, or that have no values and are missing.
    func losses(of header: SheetHeader) -> [Loss] {
        var losses: [Loss] = []
        for (place, column) in header.columns.enumerated() where place != header.subjectColumn {
            let own = columns.first { $0.content == .field(column.name) }
            if own?.type != TableColumn.Kind(column.kind) || own?.type == .string && column.kind != .string {
                losses.note(.columnTypes, column.name)
            }
        }
        // A table names the column of the structure after its notation, and a new file uses the default name.
        if let place = header.subjectColumn, header.columns.indices.contains(place),
            header.columns[place].name != "Molecule"
        {
            losses.note(.columnTypes, header.columns[place].name)
        }
        return losses
    }
}
