// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// Converts the rows of the caller's table to records.
struct TableInput {
    private var columns: [Column] = []
    private let titleField: Text

    private struct Column {
        let name: String
        let type: ArrowType
        let role: Role
    }

    private enum Role {
        case ignored, title
        /// A structure in a format, or in any format.
        case structure(Format?)
        case field(Text)
        /// The reason why a row contains no complete record.
        case problem
    }

    /// The columns with structures, from the most complete notation.
    private static let notations: [[StructureForm]] = [[.molblock, .rxnblock], [.smiles], [.canonical]]
    /// The columns of every table from a scan that are not data of the record.
    private static let positions = ["record", "line", "problem"]

    init(_ schema: ArrowSchema, title: String?, structure: String?) throws(CallError) {
        titleField = Text(title ?? "title")
        var entries: [(name: String, type: ArrowType)] = []
        guard unsafe string(schema.format) == "+s" else { throw CallError(CHEMOPEN_UNSUPPORTED, "expected a table") }
        let children = unsafe Given(UnsafePointer(schema.children), Int(clamping: schema.n_children))
        for index in unsafe children.indices {
            guard let child = unsafe children[index] ?? nil else {
                throw CallError(CHEMOPEN_UNSUPPORTED, "a column of the table is missing")
            }
            let name = unsafe string(child.pointee.name) ?? ""
            guard let type = unsafe ArrowType(child.pointee) else {
                let format = unsafe Text(string(child.pointee.format) ?? "").shown
                let fault = "column \"\(Text(name).shown)\" has an unsupported type (Arrow's \"\(format)\")"
                throw CallError(CHEMOPEN_UNSUPPORTED, fault + "; convert it to text")
            }
            entries.append((name, type))
        }
        let names = entries.map(\.name)
        for wanted in [title, structure] {
            guard let wanted, !names.contains(wanted) else { continue }
            throw CallError(
                CHEMOPEN_ABSENT,
                "the table has no column \"\(Text(wanted).shown)\"" + suggestion(for: wanted, among: names))
        }
        let isScan = Self.positions.allSatisfy(names.contains)
        let forms = structure == nil ? Self.forms(among: names) : [:]
        for (name, type) in entries {
            let role: Role
            if name == title ?? "title" {
                role = .title
            } else if name == structure {
                role = .structure(nil)
            } else if let form = forms[name] {
                role = .structure(form.format)
            } else if isScan, name == "problem" {
                role = .problem
            } else if isScan && (Self.positions + ["file"]).contains(name) || name.hasPrefix("__index_level_") {
                role = .ignored
            } else {
                role = .field(Text(isScan ? Self.fieldName(name, among: names) : name))
            }
            columns.append(Column(name: name, type: type, role: role))
        }
    }

    /// Returns the notations of the columns that contain structures. Capital letters are accepted if no name matches
    /// exactly.
    private static func forms(among names: [String]) -> [String: StructureForm] {
        for isExact in [true, false] {
            for group in notations {
                var found: [String: StructureForm] = [:]
                for form in group {
                    let name = names.first { (isExact ? $0 : $0.lowercased()) == form.rawValue }
                    if let name { found[name] = form }
                }
                if !found.isEmpty { return found }
            }
        }
        return [:]
    }

    /// Returns the field of a column whose name a scan has changed because another column has this name.
    private static func fieldName(_ name: String, among names: [String]) -> String {
        guard name.hasSuffix("_2"), names.contains(String(name.dropLast(2))) else { return name }
        let field = String(name.dropLast(2))
        let fixed = positions + ["file", "title"] + StructureForm.allCases.map(\.rawValue)
        return fixed.contains(field) ? field : name
    }

    /// The columns of a batch.
    struct Batch {
        fileprivate let columns: [ArrowValues]
        let rows: Range<Int>
    }

    func batch(_ array: ArrowArray) throws(CallError) -> Batch {
        let fault = CallError(CHEMOPEN_UNSUPPORTED, "a batch does not match the columns of the table")
        // The rows of a table can begin behind the first value of its columns.
        guard unsafe array.length >= 0, unsafe array.offset >= 0,
            unsafe array.length <= Int64.max - array.offset,
            unsafe Int(clamping: array.n_children) == columns.count
        else { throw fault }
        var values: [ArrowValues] = []
        let children = unsafe Given(UnsafePointer(array.children), columns.count)
        for (index, column) in columns.enumerated() {
            guard let child = unsafe children[index] ?? nil, let found = unsafe ArrowValues(child.pointee, column.type),
                unsafe found.count >= Int(array.offset + array.length)
            else { throw fault }
            values.append(found)
        }
        return unsafe Batch(columns: values, rows: Int(array.offset)..<Int(array.offset + array.length))
    }

    /// The content of a row.
    struct Row {
        var record = Record()
        var issues: [Issue] = []
        /// A warning about the row.
        var warning: String?
        /// The reason why the row cannot be written.
        var problem: String?
    }

    /// Returns the record of a row.
    func row(_ number: Int, of batch: Batch) -> Row {
        var row = Row()
        var title: Text?
        var told: String?
        // A copy of each column would take a fifth of the time: most columns of a wide table have no value in a row.
        for index in columns.indices where batch.columns.indices.contains(index) {
            batch.columns[index].forEachValue(inRow: number) { text in
                switch columns[index].role {
                case .ignored: break
                case .problem: told = Text(bytes: text).string
                case .title: title = Text(bytes: text)
                case .field(let name): row.record.fields.append(name, Text(bytes: text))
                case .structure(let format):
                    // Only the first structure of a row is used: the others are the same in another notation.
                    if case .none = row.record.subject { Self.add(text, format, columns[index].name, to: &row) }
                }
            }
        }
        let hasStructure = if case .none = row.record.subject { false } else { true }
        if let told, row.problem == nil {
            if hasStructure || !row.record.fields.isEmpty { row.warning = told } else { row.problem = told }
        }
        if let title {
            if hasStructure {
                if row.record.name != title { row.record.setName(title.bytes[...]) }
            } else if !title.isEmpty {
                // Only structures have titles.
                row.record.fields.append(titleField, title)
            }
        }
        return row
    }

    private static func add(_ text: [UInt8], _ format: Format?, _ column: String, to row: inout Row) {
        if text.isEmpty { return }
        do throws(CallError) {
            let parsed = try Record.parsed(text, as: format)
            row.record.subject = parsed.record.subject
            for entry in parsed.record.fields { row.record.fields.append(entry.name, entry.value) }
            row.issues = parsed.issues
        } catch {
            row.problem = "\(Text(column).shown): \(error.message)"
        }
    }
}

extension WriterHandle {
    /// Writes the rows of a table.
    func write(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>, _ options: chemopen_table_options,
        _ summary: inout chemopen_table_summary
    ) -> chemopen_status {
        let ear = unsafe options.event.map { unsafe CallersEar($0, options.context) }
        do throws(CallError) {
            let (title, structure) = unsafe (string(options.title), string(options.structure))
            let input = try unsafe Self.input(stream, title: title, structure: structure)
            var report = LossReport()
            var number = 0
            while var array = try unsafe Self.next(stream) {
                defer { if let release = unsafe array.release { unsafe release(&array) } }
                let batch = try unsafe input.batch(array)
                for place in batch.rows {
                    number += 1
                    let row = input.row(place, of: batch)
                    try ear?.hear(Self.remarks(on: row, number))
                    if row.problem != nil {
                        summary.rejected += 1
                        continue
                    }
                    let (status, found) = add(row.record)
                    if status != CHEMOPEN_OK { return status }
                    summary.written += 1
                    report.add(found, inRecord: number)
                }
            }
            try ear?.hear(SpokenRemark.all(of: [("", report)], []))
            return CHEMOPEN_OK
        } catch {
            return fail(error)
        }
    }

    private static func input(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>, title: String?, structure: String?
    ) throws(CallError) -> TableInput {
        var schema = unsafe ArrowSchema()
        guard let ask = unsafe stream.pointee.get_schema, unsafe ask(stream, &schema) == 0 else {
            throw unsafe failure(of: stream)
        }
        defer { if let release = unsafe schema.release { unsafe release(&schema) } }
        return try unsafe TableInput(schema, title: title, structure: structure)
    }

    private static func next(_ stream: UnsafeMutablePointer<ArrowArrayStream>) throws(CallError) -> ArrowArray? {
        var array = unsafe ArrowArray()
        guard let ask = unsafe stream.pointee.get_next, unsafe ask(stream, &array) == 0 else {
            throw unsafe failure(of: stream)
        }
        return unsafe array.release == nil ? nil : array
    }

    private static func failure(of stream: UnsafeMutablePointer<ArrowArrayStream>) -> CallError {
        var text: String?
        if let ask = unsafe stream.pointee.get_last_error { text = unsafe string(ask(stream)) }
        return CallError(CHEMOPEN_FILE, text ?? "the table cannot be read")
    }

    private static func remarks(on row: TableInput.Row, _ number: Int) -> [SpokenRemark] {
        if let problem = row.problem {
            return [SpokenRemark(kind: CHEMOPEN_EVENT_UNREADABLE, text: "row \(number): \(problem)")]
        }
        var texts = row.warning.map { [$0] } ?? []
        for issue in row.issues where issue.severity == .doubt {
            texts.append(issue.found.isEmpty ? issue.message : "\(issue.message), found \"\(issue.found.shown)\"")
        }
        return texts.map { SpokenRemark(kind: CHEMOPEN_EVENT_DOUBT, text: "row \(number): \($0)") }
    }
}

@c @implementation
public func chemopen_writer_write_table(
    _ writer: OpaquePointer?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
    _ options: UnsafePointer<chemopen_table_options>?, _ summary: UnsafeMutablePointer<chemopen_table_summary>?
) -> chemopen_status {
    guard let stream = unsafe stream, unsafe stream.pointee.release != nil else { return CHEMOPEN_MISUSE }
    defer { if let release = unsafe stream.pointee.release { unsafe release(stream) } }
    return unsafe with(writer, as: WriterHandle.self) { writer in
        guard let options = unsafe given(options) else { return writer.misuse("the size of the options is not valid") }
        var result = chemopen_table_summary()
        if unsafe summary != nil {
            guard unsafe fill(summary, with: result) else {
                return writer.misuse("the size of the summary is not valid")
            }
        }
        let status = unsafe writer.write(stream, options, &result)
        if unsafe summary != nil { _ = unsafe fill(summary, with: result) }
        return status
    }
}
