import CChemopen
import Chemopen

/// Reads a table batch by batch.
final class TableStream {
    private let plan: TablePlan
    private var nextPath = 0
    private var source: RecordRange?
    private var shownPath: [UInt8] = []
    private var failure: String?
    private var record = Record()
    private var builders: BuilderList
    private var rows = 0
    private var rowBytes = 0
    private let options: ReadOptions
    /// Where the records' columns go, in the builders; -1 is nowhere.
    private var known: [Column] = []
    private var targets: [Int] = []
    private var fieldPlaces: [Text: Int] = [:]
    private let places: FixedPlaces
    private var problem = ""
    private var scratch: [UInt8] = []
    private var lastError = LentText()

    /// The places of the columns that every table has.
    private struct FixedPlaces {
        var record: Int?
        var line: Int?
        var file: Int?
        var title: Int?
        var molblock: Int?
        var problem: Int?
    }

    /// So many rows are handed over at once at most.
    private static let mostRows = 1 << 20

    init(_ plan: TablePlan) {
        self.plan = plan
        builders = BuilderList(plan.columns.map(\.type))
        func place(_ content: TableColumn.Content) -> Int? { plan.columns.firstIndex { $0.content == content } }
        places = FixedPlaces(
            record: place(.record), line: place(.line), file: place(.file), title: place(.title),
            molblock: place(.molblock), problem: place(.problem))
        for (index, column) in plan.columns.enumerated() {
            if case .field(let name) = column.content, fieldPlaces[name] == nil { fieldPlaces[name] = index }
        }
        var options = ReadOptions()
        // A molblock of a format that is MDL's stands in the record's bytes.
        options.skipsStructures = true
        self.options = options
    }

    func schema() -> ArrowSchema {
        unsafe .exported("+s", name: "", isNullable: false, plan.columns.map(unsafe \.schema))
    }

    /// Notes what to say of a failure.
    func note(_ message: String) {
        lastError.set(message)
    }

    var lentError: UnsafePointer<CChar>? { unsafe lastError.pointer }

    /// The next batch; `nil` at the end.
    func next() throws(CallError) -> ArrowArray? {
        if let failure { throw CallError(CHEMOPEN_FILE, failure) }
        do throws(ReadError) {
            while rows < Self.mostRows, rowBytes < plan.batchBytes {
                if source == nil {
                    if nextPath == plan.paths.count { break }
                    try openNext()
                }
                try readRow()
            }
        } catch {
            failure = "\(error)"
            source = nil
            nextPath = plan.paths.count
        }
        if rows == 0 {
            if let failure { throw CallError(CHEMOPEN_FILE, failure) }
            return nil
        }
        defer { (rows, rowBytes) = (0, 0) }
        return unsafe .exported(rows: rows, nulls: 0, [nil], builders.takeArrays(rows: rows))
    }

    private func openNext() throws(ReadError) {
        let path = plan.paths[nextPath]
        nextPath += 1
        shownPath = Array(path.shown.utf8)
        var options = options
        if places.molblock != nil, try !plan.hasMolblocks(path) { options.skipsStructures = false }
        if plan.conditions.contains(where: \.readsStructures) { options.skipsStructures = false }
        source = try plan.open(path, options)
    }

    private func readRow() throws(ReadError) {
        let isRecord: Bool
        do throws(ReadError) {
            isRecord = try source?.read(into: &record) ?? false
        } catch {
            switch error.kind {
            case .broken, .tooLarge:
                let message = error.line > 0 ? "line \(error.line): \(error.message)" : error.message
                return addBroken(message)
            case .file, .unrecognised: throw error
            }
        }
        guard isRecord else {
            source = nil
            return
        }
        if !plan.conditions.isEmpty {
            var context = Criteria.Context()
            if let place = ask({ $0.place }) { context.place = place }
            context.file = LocalPath(bytes: shownPath)
            for condition in plan.conditions where !condition.holds(for: record, context) { return }
        }
        addRecord()
    }

    private func ask<Answer>(_ question: (borrowing RecordStream) -> Answer) -> Answer? {
        Self.ask(source, question)
    }

    private static func ask<Answer>(
        _ source: borrowing RecordRange?, _ question: (borrowing RecordStream) -> Answer
    ) -> Answer? {
        switch source {
        case .some(let source): question(source.records)
        case .none: nil
        }
    }

    private func addPlace() {
        guard let place = ask({ $0.place }) else { return }
        if let column = places.record { builders.change(column) { $0.append(place.record, row: rows) } }
        if let column = places.line { builders.change(column) { $0.append(place.line, row: rows) } }
        if let column = places.file { builders.change(column) { $0.append(shownPath[...], row: rows) } }
        rowBytes += 16
    }

    private func addBroken(_ message: String) {
        addPlace()
        add(problem: message)
        rows += 1
    }

    private func add(problem: String) {
        guard let column = places.problem else { return }
        let text = Array(problem.utf8)
        builders.change(column) { $0.append(text[...], row: rows) }
        rowBytes += text.count
    }

    private func addRecord() {
        addPlace()
        problem = ""
        if let column = places.title { addTitle(column) }
        if let column = places.molblock { addMolblock(column) }
        if !fieldPlaces.isEmpty {
            addRegistry()
            addFields()
        }
        if !problem.isEmpty { add(problem: problem) }
        rowBytes += builders.count
        rows += 1
    }

    private func addTitle(_ column: Int) {
        switch record.subject {
        case .none: break
        case .molecule(let molecule):
            let name = molecule.heading.lines.name
            builders.change(column) { $0.append(name, row: rows) }
        case .reaction(let reaction):
            let name = reaction.name.bytes
            builders.change(column) { $0.append(name[...], row: rows) }
        }
    }

    // MARK: Fields

    private func addFields() {
        if record.fields.entries.isEmpty { return }
        if record.fields.columns != known { learn() } else { known = record.fields.columns }
        for (place, entry) in record.fields.entries.enumerated() {
            let target = targets[Int(entry.column)]
            if target < 0 { continue }
            add(place, entry.valueRange, to: target)
        }
    }

    private func learn() {
        if !record.fields.columns.starts(with: known) { targets = [] }
        known = record.fields.columns
        for column in known[targets.count...] { targets.append(fieldPlaces[column.name] ?? -1) }
    }

    private func add(_ place: Int, _ range: Range<Int>, to target: Int) {
        if !record.fields.structures.isEmpty, let text = structure(at: place) {
            add(text, 0..<text.count, to: target)
        } else {
            add(record.fields.bytes, range, to: target)
        }
    }

    private func add(_ text: [UInt8], _ range: Range<Int>, to target: Int) {
        let row = rows
        rowBytes += range.count
        let isFit = builders.change(target) { builder in
            if builder.kind != .list, builder.has(row: row) { return false }
            return builder.appendField(range, of: text, row: row)
        }
        if !isFit { tell(target, Text(bytes: text[range])) }
    }

    /// Says why a value is not in its column.
    private func tell(_ target: Int, _ value: Text) {
        let column = plan.columns[target]
        if !problem.isEmpty { problem += "; " }
        if builders.has(target, row: rows) {
            problem += "\(column.name) is there more than once; not taken: \"\(value.shown)\""
        } else {
            problem += "\(column.name): expected \(column.type.rawValue), found \"\(value.shown)\""
        }
    }

    /// The text of a structure that is a value: its molfile.
    private func structure(at place: Int) -> [UInt8]? {
        for structure in record.fields.structures.notes(of: place) {
            switch structure {
            case .molecule(let molecule): return try? Record(molecule).text(as: .molfile, WriteOptions())
            case .reaction(let reaction): return try? Record(reaction).text(as: .rxnfile, WriteOptions())
            }
        }
        return nil
    }

    private func addRegistry() {
        for number in record.registry {
            guard let target = fieldPlaces[FieldSurvey.name(of: number)] else { continue }
            let text = number.number.bytes
            add(text, 0..<text.count, to: target)
        }
    }

    // MARK: Molblocks

    private func addMolblock(_ column: Int) {
        guard case .molecule(let molecule) = record.subject else { return }
        if options.skipsStructures, ask({ TablePlan.hasMolblocks($0.format) }) == true {
            scratch.removeAll(keepingCapacity: true)
            ask { $0.copyRecordBytes(to: &scratch) }
            if let range = Molblock.range(of: scratch.span) {
                rowBytes += range.count
                return builders.change(column) { $0.append(scratch[range], row: rows) }
            }
        }
        var lone = Record()
        lone.subject = .molecule(molecule)
        if let text = try? lone.text(as: .molfile, WriteOptions()) {
            rowBytes += text.count
            builders.change(column) { $0.append(text[...], row: rows) }
        } else {
            problem = "the structure cannot be written as a molfile"
        }
    }
}

extension TablePlan {
    /// Whether the records of a format are molfiles with something behind them.
    static func hasMolblocks(_ format: Format) -> Bool {
        format.id == Format.sdfile.id || format.id == Format.molfile.id
    }

    fileprivate func hasMolblocks(_ path: LocalPath) throws(ReadError) -> Bool {
        if let format { return Self.hasMolblocks(format) }
        do throws(FileError) {
            var source = try ByteSource(path: path)
            return identify(source.peekHead().head, named: path).map { Self.hasMolblocks($0.format) } ?? false
        } catch {
            throw ReadError(error)
        }
    }
}

/// The molfile that a record of an SD file begins with.
enum Molblock {
    /// From the title to the end of the line `M  END`; `nil` where it is none of the usual kind.
    static func range(of bytes: Span<UInt8>) -> Range<Int>? {
        let hasMark = bytes.count > 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        var start = hasMark ? 3 : 0
        // Blank lines may stand before the first one; the fourth has the counts.
        for _ in 0..<64 {
            var ends: [Int] = []
            var at = start
            while ends.count < 4, let end = firstIndex(of: 0x0A, in: bytes, from: at, to: bytes.count) {
                ends.append(end)
                at = end + 1
            }
            guard ends.count == 4 else { return nil }
            if isCountsLine(bytes.extracting(ends[2] + 1..<ends[3])) {
                return end(of: bytes, from: at).map { start..<$0 }
            }
            guard bytes.extracting(start..<ends[0]).indices.allSatisfy({ bytes[start + $0] <= 0x20 }) else {
                return nil
            }
            start = ends[0] + 1
        }
        return nil
    }

    private static func isCountsLine(_ line: Span<UInt8>) -> Bool {
        var index = 0
        while let letter = firstIndex(of: 0x56, in: line, from: index, to: line.count) {
            let rest = letter..<line.count
            if line.range(rest, begins: "V2000") || line.range(rest, begins: "V3000") { return true }
            index = letter + 1
        }
        return false
    }

    /// Where the line `M  END` ends. The bonds and atoms before it have no `M` at the beginning of a line.
    private static func end(of bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while let letter = firstIndex(of: 0x4D, in: bytes, from: index, to: bytes.count) {
            index = letter + 1
            guard bytes[letter - 1] == 0x0A, bytes.range(letter..<bytes.count, begins: "M  END") else { continue }
            guard let feed = firstIndex(of: 0x0A, in: bytes, from: letter, to: bytes.count) else { return bytes.count }
            return feed + 1
        }
        return nil
    }
}

/// The builders of all columns, each of which cannot be copied.
private final class BuilderList {
    private var boxes: [Box]
    var count: Int { boxes.count }

    private final class Box {
        var builder: ColumnBuilder

        init(_ kind: TableColumn.Kind) {
            builder = ColumnBuilder(kind)
        }
    }

    init(_ kinds: [TableColumn.Kind]) {
        boxes = kinds.map { Box($0) }
    }

    func change<Answer>(_ place: Int, _ body: (inout ColumnBuilder) -> Answer) -> Answer {
        body(&boxes[place].builder)
    }

    func has(_ place: Int, row: Int) -> Bool { boxes[place].builder.has(row: row) }

    func takeArrays(rows: Int) -> [ArrowArray] {
        unsafe boxes.map { unsafe $0.builder.takeArray(rows: rows) }
    }
}
