import CChemopen
import Chemopen

/// Reads a table in batches.
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
    private let ear: CallersEar?
    /// Selects records by the conditions; `nil` if there are none.
    private var selector: RecordSelector?
    private var taken = 0
    private var isWhole = true
    private var tally: ChoiceTally
    /// The losses of structures in each file.
    private var report = LossReport()
    private var reports: [(input: LocalPath, report: LossReport)] = []
    /// The field columns found in records, and the names of other fields. Used only for a table without a survey.
    private var met: Set<Int> = []
    private var fieldNames: [String] = []
    private var hasRecords = false
    private var hasTold = false
    /// The builder index for each column of the records; -1 if the column is not used.
    private var known: [Column] = []
    private var targets: [Int] = []
    private var fieldPlaces: [Text: Int] = [:]
    private let places: FixedPlaces
    private var problem = ""
    private var scratch: [UInt8] = []
    private var lastError = LentText()

    /// The indices of the standard columns.
    private struct FixedPlaces {
        var record: Int?
        var line: Int?
        var file: Int?
        var title: Int?
        var structures: [(form: StructureForm, column: Int)] = []
        /// The columns of the plan's computed values, in their order.
        var computed: [Int] = []
        var problem: Int?
    }

    /// The maximum number of rows in a batch.
    private static let mostRows = 1 << 20

    init(_ plan: TablePlan, _ ear: CallersEar?) {
        self.plan = plan
        self.ear = ear
        tally = ChoiceTally(of: plan.selection)
        builders = BuilderList(plan.columns.map(\.type))
        func place(_ content: TableColumn.Content) -> Int? { plan.columns.firstIndex { $0.content == content } }
        places = FixedPlaces(
            record: place(.record), line: place(.line), file: place(.file), title: place(.title),
            structures: StructureForm.allCases.compactMap { form in place(.structure(form)).map { (form, $0) } },
            computed: plan.computed?.columns.compactMap { place(.computed($0.name)) } ?? [], problem: place(.problem))
        for (index, column) in plan.columns.enumerated() {
            if case .field(let name) = column.content, fieldPlaces[name] == nil { fieldPlaces[name] = index }
        }
        var options = ReadOptions()
        // For MDL formats, molblocks are copied from the bytes of the record, so structures need not be parsed.
        options.skipsStructures = !plan.conditions.contains(where: \.readsStructures)
        self.options = options
    }

    func schema() -> ArrowSchema {
        unsafe .exported("+s", name: "", isNullable: false, plan.columns.map(unsafe \.schema))
    }

    /// Stores an error message.
    func note(_ message: String) {
        lastError.set(message)
    }

    var lentError: UnsafePointer<CChar>? { unsafe lastError.pointer }

    /// Returns the next batch, or `nil` at the end.
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
            finishFile(sawAll: false)
            nextPath = plan.paths.count
        }
        if rows == 0 {
            try tellAll()
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
        if !plan.conditions.isEmpty { selector = RecordSelector(plan.selection, from: path) }
        (taken, isWhole) = (0, true)
        var options = options
        if !places.computed.isEmpty || places.structures.contains(where: { $0.form != .molblock }) {
            options.skipsStructures = false
        } else if !places.structures.isEmpty, try !plan.hasMolblocks(path) {
            options.skipsStructures = false
        }
        source = try plan.open(path, options)
    }

    private func readRow() throws(ReadError) {
        let isRecord: Bool
        do throws(ReadError) {
            isRecord = try source?.read(into: &record) ?? false
        } catch {
            switch error.kind {
            case .broken, .tooLarge:
                isWhole = false
                let message = error.line > 0 ? "line \(error.line): \(error.message)" : error.message
                return addBroken(message)
            case .file, .unrecognized: throw error
            }
        }
        guard isRecord else {
            return finishFile(sawAll: true)
        }
        hasRecords = true
        if !plan.isSurveyed, selector != nil { settleTargets() }
        guard Self.takes(record, of: source, &selector) else { return }
        taken += 1
        addRecord()
    }

    private static func takes(
        _ record: borrowing Record, of source: borrowing RecordRange?, _ selector: inout RecordSelector?
    ) -> Bool {
        switch source {
        case .some(let source): selector?.takes(record, of: source.records) ?? true
        case .none: true
        }
    }

    private static func finish(_ selector: inout RecordSelector?, _ source: borrowing RecordRange?) {
        switch source {
        case .some(let source): selector?.finish(source.records)
        case .none: break
        }
    }

    /// Collects the warnings and losses of a file that has been read.
    private func finishFile(sawAll: Bool) {
        if plan.hasAllFields, hasTypes, let losses = ask({ plan.losses(of: $0.header) }) { note(losses) }
        Self.finish(&selector, source)
        if let selector { tally.add(selector.choice, taken: taken, isWhole: isWhole, sawAll: sawAll) }
        if nextPath > 0, !report.isEmpty || !report.versions.isEmpty {
            reports.append((plan.paths[nextPath - 1], report))
        }
        report = LossReport()
        selector = nil
        source = nil
    }

    /// Reports losses and warnings once, at the end.
    private func tellAll() throws(CallError) {
        guard let ear, !hasTold else { return }
        hasTold = true
        // If only a range of the file is read, the fields of other records are unknown.
        let choice = plan.range == nil ? tally.remarks(without: plan.missing) : []
        var remarks = SpokenRemark.all(of: reports, choice)
        if !plan.isSurveyed, hasRecords, plan.range == nil {
            for (place, column) in plan.columns.enumerated() {
                guard case .field(let name) = column.content, !met.contains(place) else { continue }
                let text = TablePlan.missing(name, among: fieldNames)
                remarks.append(SpokenRemark(kind: CHEMOPEN_EVENT_WARNING, text: text))
            }
        }
        try ear.hear(remarks)
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

    /// Whether the file specifies the types of its columns.
    private var hasTypes: Bool { ask { $0.format.supportedFeatures.contains(.columnTypes) } ?? false }

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
        if !places.structures.isEmpty { addStructures() }
        if let computed = plan.computed { add(computed) }
        if !fieldPlaces.isEmpty {
            addRegistry()
            addFields()
        }
        if plan.hasAllFields, !record.verbatim.isEmpty { noteUnknown() }
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
        settleTargets()
        var last = -1
        var (isOrdered, hasHeaders) = (true, false)
        for (place, entry) in record.fields.entries.enumerated() {
            let target = targets[Int(entry.column)]
            if target < 0 { continue }
            if entry.hasHeader { hasHeaders = true }
            if target < last { isOrdered = false }
            last = target
            add(place, entry.valueRange, to: target)
        }
        var losses: [Loss] = []
        if !isOrdered { losses.note(.fieldOrder) }
        if hasHeaders { losses.note(Features(.fieldHeaders), of: record) }
        if !losses.isEmpty { note(losses) }
    }

    /// Reports content of the record that belongs to no column.
    private func noteUnknown() {
        var losses: [Loss] = []
        losses.note(Features(.unknown), of: record)
        note(losses)
    }

    private func note(_ losses: [Loss]) {
        report.add(losses, inRecord: ask { $0.place.record } ?? 0)
    }

    private func settleTargets() {
        if record.fields.columns != known { learn() } else { known = record.fields.columns }
    }

    private func learn() {
        if !record.fields.columns.starts(with: known) { targets = [] }
        known = record.fields.columns
        for column in known[targets.count...] {
            let target = fieldPlaces[column.name] ?? -1
            targets.append(target)
            if plan.isSurveyed { continue }
            met.insert(target)
            if target < 0, fieldNames.count < Self.mostNames { fieldNames.append(column.name.string) }
        }
    }

    /// The maximum number of field names to store for suggestions.
    private static let mostNames = 1000

    private func add(_ place: Int, _ range: Range<Int>, to target: Int) {
        if !record.fields.structures.isEmpty, let text = structure(at: place) {
            note([Loss(.structuresInFields, "written as text")])
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
        if !isFit { return tell(target, Text(bytes: text[range])) }
        if plan.columns[target].type == .real { return noteSpelling(of: text, range) }
        guard plan.columns[target].type == .integer, range.count > 1 else { return }
        // A table stores the number 7 for both 007 and +7.
        let isNegative = text[range.lowerBound] == UInt8(ascii: "-")
        let first = text[range.lowerBound + (isNegative ? 1 : 0)]
        if first <= UInt8(ascii: "0") {
            note([Loss(.fields, "signs, blanks and zeros before whole numbers, written as numbers")])
        }
    }

    /// Reports a number whose text a table does not preserve. Only a file that specifies the types of its columns can
    /// contain one: otherwise such a column contains text.
    private func noteSpelling(of text: [UInt8], _ range: Range<Int>) {
        guard hasTypes else { return }
        var spelling: [UInt8] = []
        if let number = Numeral.decimal(text.span, text.span.trimmed(range)) { spelling.appendShortest(number) }
        if spelling[...] != text[range] { note([Loss(.fields, "the spelling of numbers")]) }
    }

    /// Reports a value that does not fit in its column.
    private func tell(_ target: Int, _ value: Text) {
        let column = plan.columns[target]
        if !problem.isEmpty { problem += "; " }
        if builders.has(target, row: rows) {
            problem += "\(column.name) occurs more than once; ignored: \"\(value.shown)\""
        } else {
            problem += "\(column.name): expected \(column.type.rawValue), found \"\(value.shown)\""
        }
    }

    /// Returns the text of a structure in a field as a molfile or rxnfile.
    private func structure(at place: Int) -> [UInt8]? {
        for structure in record.fields.structures.notes(of: place) {
            switch structure {
            case .molecule(let molecule): return text(of: Record(molecule), as: .molfile)
            case .reaction(let reaction): return text(of: Record(reaction), as: .rxnfile)
            }
        }
        return nil
    }

    /// Returns the text of a structure and collects its losses. Returns `nil` if the format cannot represent it.
    private func text(of structure: Record, as format: Format) -> [UInt8]? {
        guard let (bytes, lost) = try? structure.text(as: format, WriteOptions()) else { return nil }
        note(lost)
        return bytes
    }

    private func note(_ lost: WriteReport) {
        if !lost.losses.isEmpty || !lost.reason.isEmpty { report.add(lost, inRecord: ask { $0.place.record } ?? 0) }
    }

    private func addRegistry() {
        for number in record.registry {
            guard let target = fieldPlaces[FieldSurvey.name(of: number)] else { continue }
            let text = number.number.bytes
            note([Loss(.registryNumbers, "written as data fields")])
            if !plan.isSurveyed { met.insert(target) }
            add(text, 0..<text.count, to: target)
        }
    }

    // MARK: Structures

    /// Adds the computed values. A number has no value if there is one for each component of a reaction.
    private func add(_ computed: ComputedFields) {
        let texts = computed.texts(of: record, at: ask { $0.place } ?? RecordPlace())
        for (values, column) in zip(texts, places.computed) {
            guard let first = values.first, values.count == 1 || plan.columns[column].type == .string else { continue }
            let text = values.count == 1 ? first : Array(values.joined(separator: [UInt8(ascii: "\n")]))
            add(text, 0..<text.count, to: column)
        }
    }

    /// Writes the structure in all requested notations. If no notation can represent it, reports the reason in the row.
    private func addStructures() {
        if case .none = record.subject { return }
        var isThere = false
        for (form, column) in places.structures where add(form, column) { isThere = true }
        if !isThere, let first = places.structures.first { problem = first.form.problem(with: record.subject) }
    }

    private func add(_ form: StructureForm, _ column: Int) -> Bool {
        if form == .molblock, ask({ TablePlan.hasMolblocks($0.format) }) == true {
            scratch.removeAll(keepingCapacity: true)
            ask { $0.copyRecordBytes(to: &scratch) }
            if let range = Molblock.range(of: scratch.span) {
                rowBytes += range.count
                builders.change(column) { $0.append(scratch[range], row: rows) }
                return true
            }
        }
        guard let (text, lost) = form.text(of: record) else { return false }
        note(lost)
        rowBytes += text.count
        builders.change(column) { $0.append(text[...], row: rows) }
        return true
    }
}
