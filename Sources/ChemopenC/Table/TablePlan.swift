import CChemopen
import Chemopen

/// The columns of a table of records, and the records that it is of.
struct TablePlan: Sendable {
    var paths: [LocalPath]
    var format: Format?
    var columns: [TableColumn] = []
    var conditions: [Criteria] = []
    var range: Range<Int>?
    var batchBytes = 16 << 20

    static let mostBatchBytes = 1 << 30

    /// Opens one of the files.
    func open(_ path: LocalPath, _ options: ReadOptions) throws(ReadError) -> RecordRange {
        if let range { return try RecordRange(path: path, range, as: format, options) }
        let source: ByteSource
        do throws(FileError) {
            source = try ByteSource(path: path)
        } catch {
            throw ReadError(error)
        }
        if let format { return RecordRange(try .open(source, as: format, options)) }
        return RecordRange(try .open(source, options))
    }
}

/// A column of the table.
struct TableColumn: Sendable, Equatable {
    var name: String
    var content: Content
    var type: Kind

    enum Content: Sendable, Hashable {
        case record, line, file, title, molblock, problem
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
    /// The wishes of a caller for a table.
    struct Wish {
        var columns: [Text]?
        var types: [TableColumn.Kind?] = []
        var hasStructures = false
    }

    /// Settles the columns: by what is asked for, and by reading all files once where that is not enough.
    mutating func settle(_ wish: Wish) throws(CallError) {
        let fixed = fixedColumns(wish)
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
                throw CallError(CHEMOPEN_ABSENT, "no record has a field \"\(name.shown)\"")
            }
            let type = given ?? field.map { $0.isRepeated ? .list : TableColumn.Kind($0.kind) } ?? .string
            add(field?.name ?? name, fixed, field: type, avoiding: fixed, &taken, as: name)
        }
    }

    /// The columns that every table has.
    private func fixedColumns(_ wish: Wish) -> [TableColumn] {
        var columns = [
            TableColumn(name: "record", content: .record, type: .integer),
            TableColumn(name: "line", content: .line, type: .integer),
        ]
        if paths.count > 1 { columns.append(TableColumn(name: "file", content: .file, type: .string)) }
        columns.append(TableColumn(name: "title", content: .title, type: .string))
        if wish.hasStructures { columns.append(TableColumn(name: "molblock", content: .molblock, type: .string)) }
        columns.append(TableColumn(name: "problem", content: .problem, type: .string))
        return columns
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
            // `record_2` is the field that is called as a column of every table.
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

    /// A name that no column has yet.
    private static func free(_ name: String, _ taken: inout Set<String>) -> String {
        var free = name
        var number = 2
        while !taken.insert(free).inserted {
            free = "\(name)_\(number)"
            number += 1
        }
        return free
    }

    /// Reads all files once for the types of their fields.
    private func survey() throws(CallError) -> [FieldSurvey.Found] {
        var survey = FieldSurvey()
        var options = ReadOptions()
        options.skipsStructures = true
        var record = Record()
        for path in paths {
            do throws(ReadError) {
                var source = try open(path, options)
                let isTable = source.records.format.holds.contains(.columnTypes)
                while true {
                    do throws(ReadError) {
                        if try !source.read(into: &record) { break }
                        survey.take(record, ofTable: isTable)
                    } catch {
                        if case .file = error.kind { break }
                    }
                }
            } catch {
                throw CallError(error)
            }
        }
        return survey.found
    }
}
