import Chemopen

extension Option {
    static let count = Option("--count", help: "read everything, but print only the number of records")
    static let compute = Option(
        "--compute", value: "NAME,...", help: "add computed fields: mass, inchi, inchikey (see \"chemopen help where\")"
    )
    static let expand = Option("--expand", help: "count the atoms of abbreviations")
    static let shownColumns = Option(
        "--columns", value: "NAME,...", help: "show a table of these fields with their types: pIC50,Series")
}

/// `chemopen info`: lists the records of files, one per line.
enum InfoCommand: Command {
    static let name = "info"
    static let group = CommandGroup.look
    static let isPaged = true
    static let summary = "list the records in a file, one per line"
    static let usage = "chemopen info [options] FILE..."
    static let example = "chemopen info --json kinases.sdf.gz"
    static let moreExamples = [
        "chemopen info --count --where 'mass < 500' kinases.sdf.gz",
        "chemopen info --columns pIC50,Series kinases.sdf.gz",
        "chemopen info --compute inchikey --json caffeine.mol",
    ]
    static let options: [Option] = [.json, .count, .shownColumns] + Option.selecting + [.expand, .compute, .threads]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let isConfined = true

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let files = try arguments.sources()
        let format = try arguments.format(of: .from)
        let threads = try arguments.threadCount()
        let options = try arguments.readOptions()
        let selection = try arguments.selection()
        _ = try columns(arguments)
        var status = ExitStatus.done
        if arguments.has(.count), selection.takesAll {
            RecordCount.each(of: files, as: format, threads: threads, options) { source, count in
                status.raise(to: show(count, of: source.name, isAlone: files.count == 1, on: terminal))
            }
            return status
        }
        var tally = ChoiceTally(of: selection)
        for source in files {
            var listing = try Listing(source, arguments, options, selection, isAlone: files.count == 1, on: terminal)
            do throws(ReadError) {
                status.raise(to: try listing.run(as: format))
                listing.add(to: &tally)
            } catch {
                terminal.tell(error)
                status.raise(to: error.status(afterRecords: 0))
            }
        }
        if terminal.tell(tally) { status.raise(to: .incomplete) }
        return status
    }

    /// Returns the fields to show in a table, or an empty array if the table of records is shown.
    private static func columns(_ arguments: Arguments) throws(UsageError) -> [Text] {
        guard let text = arguments.path(of: .shownColumns) else { return [] }
        if arguments.has(.json) || arguments.has(.count) {
            throw UsageError("--columns cannot be combined with --json or --count")
        }
        let names = text.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Text(bytes: $0) }
        if names.contains(where: \.isEmpty) {
            throw UsageError("--columns requires names separated by commas, not \"\(text.shown)\"")
        }
        return names
    }

    private static func show(
        _ result: Result<RecordCount, ReadError>, of path: LocalPath, isAlone: Bool, on terminal: Terminal
    ) -> ExitStatus {
        let count: RecordCount
        switch result {
        case .success(let found): count = found
        case .failure(let error):
            terminal.tell(error)
            return error.status(afterRecords: 0)
        }
        var diagnostics = Diagnostics(on: terminal)
        for record in count.unreadable { diagnostics.tell(record) }
        diagnostics.finish()
        terminal.print(isAlone ? "\(count.records)" : "\(count.records) \(path.shown)")
        var status = count.unreadableCount > 0 ? ExitStatus.incomplete : .done
        if let failure = count.failure {
            terminal.tell(.error, "\(failure)")
            status.raise(to: failure.status(afterRecords: count.records))
        }
        if count.unreadableCount > 0 {
            terminal.tell(.note, of: path.shown, "\(recordCount(count.unreadableCount)) could not be read")
        }
        return status
    }

    /// Lists the records of one file.
    private struct Listing {
        let source: Source
        /// The displayed file name.
        let name: String
        let terminal: Terminal
        let printsJSON: Bool
        let expands: Bool
        let options: ReadOptions
        private var diagnostics: Diagnostics
        private var json = JSON()
        private var table = RecordTable()
        /// The table of fields, if some were chosen.
        private var fieldTable: ShownFieldTable?
        /// The names of all fields, for suggestions.
        private var fieldNames: Set<Text> = []
        private var isSurveyed = false
        private let onlyCounts: Bool
        private let isAlone: Bool
        private let selection: RecordSelection
        private let computes: ComputedFields?
        private var selector: RecordSelector
        private var records = 0
        private var unreadable = 0
        private var status = ExitStatus.done

        init(
            _ source: Source, _ arguments: Arguments, _ options: ReadOptions, _ selection: RecordSelection,
            isAlone: Bool, on terminal: Terminal
        ) throws(UsageError) {
            self.source = source
            self.isAlone = isAlone
            computes = try arguments.computes()
            self.selection = selection
            selector = RecordSelector(selection, from: source.name)
            onlyCounts = arguments.has(.count)
            self.options = options
            name = source.name.shown
            self.terminal = terminal
            printsJSON = arguments.has(.json)
            expands = arguments.has(.expand)
            diagnostics = Diagnostics(on: terminal)
            let columns = try InfoCommand.columns(arguments)
            if !columns.isEmpty {
                fieldTable = ShownFieldTable(columns)
                fieldTable?.isOnTerminal = terminal.columns != nil
            }
        }

        mutating func run(as format: Format?) throws(ReadError) -> ExitStatus {
            if fieldTable != nil, !source.comesOnce { try survey(as: format) }
            var stream = try openRecords(source, as: format, options)
            var progress = Progress(of: stream.size, on: terminal)
            var record = Record()
            if !printsJSON, !onlyCounts {
                terminal.print(table.heading(name, stream.format))
            }
            var isFirst = true
            while !selector.isFinished(stream) {
                do throws(ReadError) {
                    let isRecord = try stream.read(into: &record)
                    if isFirst, printsJSON, !onlyCounts, stream.format.isTable {
                        showSheet(stream.header, stream.format)
                    }
                    isFirst = false
                    for issue in stream.issues { diagnostics.tell(issue, at: stream.place, in: name) }
                    if !isRecord { break }
                    guard selector.takes(record, of: stream) else { continue }
                    records += 1
                    if expands { record.expandAbbreviations() }
                    computes?.add(to: &record)
                    show(record, of: stream)
                } catch {
                    if let numbers = selection.numbers, !numbers.contains(stream.place.record) { continue }
                    for issue in stream.issues { diagnostics.tell(issue, at: stream.place, in: name) }
                    tell(UnreadableRecord(error, in: stream))
                }
                progress.show(bytes: stream.bytesRead, records: records)
            }
            terminal.hideProgress()
            if printsJSON, stream.format.isTable, selection.takesAll { showExperiments(stream.format) }
            selector.finish(stream)
            finish()
            return status
        }

        /// Reads all chosen records to determine the types and widths of the columns. Errors are reported later.
        private mutating func survey(as format: Format?) throws(ReadError) {
            var stream = try openRecords(source, as: format, options)
            var selector = RecordSelector(selection, from: source.name)
            var record = Record()
            while !selector.isFinished(stream) {
                do throws(ReadError) {
                    guard try stream.read(into: &record) else { break }
                    guard selector.takes(record, of: stream) else { continue }
                    computes?.add(to: &record)
                    noteFields(of: record)
                    fieldTable?.survey(record)
                } catch {
                    if case .file = error.kind { break }
                }
            }
            isSurveyed = true
        }

        private mutating func noteFields(of record: Record) {
            guard fieldNames.count < 10_000 else { return }
            for field in record.fields { fieldNames.insert(field.name) }
        }

        /// Prints the properties of a table with its number of rows. The file is read a second time to count them.
        private mutating func showSheet(_ header: SheetHeader, _ format: Format) {
            var header = header
            if !source.comesOnce, let count = try? RecordCount(of: source, as: format, options) {
                header.rowCount = count.records
            }
            json.sheet(header, in: name)
            terminal.write(json.bytes)
            json.removeAll()
        }

        /// Prints the experiments of a reaction table. The file is read a second time for this.
        private mutating func showExperiments(_ format: Format) {
            guard !source.comesOnce, var stream = try? openRecords(source, as: format, options) else { return }
            guard var experiments = ExperimentReader(stream.header) else { return }
            var record = Record()
            while true {
                do {
                    guard try stream.read(into: &record) else { break }
                    if let experiment = experiments.take(record, row: stream.place.record) { show(experiment) }
                } catch {
                    continue
                }
            }
            if let last = experiments.finish() { show(last) }
        }

        private mutating func show(_ experiment: Experiment) {
            json.experiment(experiment, in: name)
            terminal.write(json.bytes)
            json.removeAll()
        }

        private mutating func show(_ record: Record, of stream: borrowing RecordStream) {
            if onlyCounts { return }
            if printsJSON {
                if stream.format.isTable {
                    json.row(record, at: stream.place, in: name, stream.header)
                } else {
                    json.record(record, at: stream.place, in: name, stream.format)
                }
                terminal.write(json.bytes)
                json.removeAll()
            } else if fieldTable != nil {
                if !isSurveyed { noteFields(of: record) }
                let lines =
                    fieldTable?.lines(
                        for: record, number: stream.place.record, isSurveyed: isSurveyed, fitting: terminal.columns)
                    ?? []
                for line in lines { terminal.print(unwrapped: line) }
            } else if let columns = terminal.columns {
                terminal.print(unwrapped: table.line(record, at: stream.place, columns: columns))
            } else {
                terminal.write { table.append(record, at: stream.place, to: &$0) }
            }
        }

        private mutating func tell(_ record: UnreadableRecord) {
            if record.error.kind == .broken || record.error.kind == .tooLarge { unreadable += 1 }
            status.raise(to: record.error.status(afterRecords: records))
            if printsJSON {
                json.error(record.error)
                terminal.write(json.bytes)
                json.removeAll()
            }
            diagnostics.tell(record)
        }

        func add(to tally: inout ChoiceTally) {
            tally.add(selector.choice, taken: records, isWhole: unreadable == 0)
        }

        private mutating func finish() {
            diagnostics.finish()
            for line in fieldTable?.settle(fitting: terminal.columns) ?? [] { terminal.print(unwrapped: line) }
            if onlyCounts { return terminal.print(isAlone ? "\(records)" : "\(records) \(name)") }
            if printsJSON { return }
            let trouble = unreadable == 0 ? "" : ", \(unreadable) more could not be read"
            terminal.print(recordCount(records) + trouble)
            for name in fieldTable?.absent ?? [] where records > 0 {
                let hint = suggestion(for: name.shown, among: fieldNames.map(\.shown).sorted())
                terminal.tell(.warning, "no record has a field \"\(name.shown)\"" + hint)
            }
            if !isSurveyed, fieldTable != nil, records > ShownFieldTable.mostHeld {
                terminal.tell(.note, "the types follow from the first \(ShownFieldTable.mostHeld) records")
            }
            if let table = fieldTable, table.omittedCount > 0 {
                let columns = table.omittedCount == 1 ? "1 column does" : "\(table.omittedCount) columns do"
                terminal.tell(.note, "\(columns) not fit in the terminal")
            }
        }
    }
}
