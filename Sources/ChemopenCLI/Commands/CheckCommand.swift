import Chemopen

/// `chemopen check`: lists deviations from the format with their positions.
enum CheckCommand: Command {
    static let name = "check"
    static let group = CommandGroup.look
    static let isPaged = true
    static let summary = "list every deviation from the format, with its line"
    static let usage = "chemopen check [options] FILE..."
    static let example = "chemopen check --json supplier.sdf"
    static let moreExamples = [
        "chemopen check --remarks supplier.sdf",
        "chemopen check --records 1-100 supplier.sdf",
    ]
    static let options: [Option] = [.json, .remarks] + Option.selecting
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "The exit status is 1 if there is a warning or an error. Remarks are deviations",
        "that every reader tolerates, such as CR LF line ends; they do not count.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let format = try arguments.format(of: .from)
        let options = try arguments.readOptions()
        let selection = try arguments.selection()
        var status = ExitStatus.done
        var tally = ChoiceTally(of: selection)
        for source in try arguments.sources() {
            var check = Check(
                source, selection, printsJSON: arguments.has(.json), listsRemarks: arguments.has(.remarks), terminal)
            do throws(ReadError) {
                status.raise(to: try check.run(as: format, options))
                check.add(to: &tally)
            } catch {
                terminal.tell(error)
                status.raise(to: error.status(afterRecords: 0))
            }
        }
        if terminal.tell(tally) { status.raise(to: .incomplete) }
        return status
    }

    /// The check of one file. Problems are the result, so they are printed to standard output.
    private struct Check {
        let source: Source
        /// The displayed file name.
        let name: String
        let printsJSON: Bool
        /// Whether remarks are listed, not only counted.
        let listsRemarks: Bool
        let terminal: Terminal
        private let selection: RecordSelection
        private var selector: RecordSelector
        private var json = JSON()
        private var findings = 0
        private var remarks = 0
        private var records = 0
        private var status = ExitStatus.done

        init(_ source: Source, _ selection: RecordSelection, printsJSON: Bool, listsRemarks: Bool, _ terminal: Terminal)
        {
            self.source = source
            self.selection = selection
            selector = RecordSelector(selection, from: source.name)
            name = source.name.shown
            self.printsJSON = printsJSON
            self.listsRemarks = listsRemarks
            self.terminal = terminal
        }

        mutating func run(as format: Format?, _ options: ReadOptions) throws(ReadError) -> ExitStatus {
            // Conflict markers are outside of records, or have been read as part of a value.
            for marks in try ConflictMarks.find(in: source) {
                tell([Issue(line: marks.lines.lowerBound, "\(marks)")], at: RecordPlace())
            }
            var stream = try openRecords(source, as: format, options)
            var progress = Progress(of: stream.size, on: terminal)
            var record = Record()
            var isRecord = true
            while isRecord, !selector.isFinished(stream) {
                do throws(ReadError) {
                    isRecord = try stream.read(into: &record)
                    if isRecord, !selector.takes(record, of: stream) { continue }
                    if isRecord { records += 1 }
                    tell(stream.issues, at: stream.place)
                } catch {
                    if let numbers = selection.numbers, !numbers.contains(stream.place.record) { continue }
                    tell(stream.issues, at: stream.place)
                    tell(UnreadableRecord(error, in: stream))
                }
                progress.show(bytes: stream.bytesRead, records: records)
            }
            terminal.hideProgress()
            selector.finish(stream)
            finish()
            return status
        }

        func add(to tally: inout ChoiceTally) {
            tally.add(selector.choice, taken: records, isWhole: findings == 0)
        }

        private mutating func tell(_ issues: [Issue], at place: RecordPlace) {
            for issue in issues {
                let isRemark = issue.severity == .remark
                if isRemark {
                    remarks += 1
                    if !listsRemarks { continue }
                } else {
                    findings += 1
                    status.raise(to: .incomplete)
                }
                if printsJSON {
                    json.warning(issue, at: place, in: name)
                    flush()
                } else {
                    let kind = isRemark ? Terminal.Kind.remark : .warning
                    terminal.print(Diagnostics.line(kind, issue, at: place, in: name))
                }
            }
        }

        private mutating func tell(_ record: UnreadableRecord) {
            findings += 1
            status.raise(to: record.error.status(afterRecords: records))
            if printsJSON {
                json.error(record.error)
                flush()
                return
            }
            Diagnostics.print(record, on: terminal)
        }

        private mutating func flush() {
            terminal.write(json.bytes)
            json.removeAll()
        }

        private func finish() {
            if printsJSON { return }
            var verdict = findings == 0 ? "no problems" : findings == 1 ? "1 problem" : "\(findings) problems"
            if remarks > 0 {
                verdict += ", \(remarks) \(remarks == 1 ? "remark" : "remarks")"
                if !listsRemarks { verdict += " (use --remarks to list \(remarks == 1 ? "it" : "them"))" }
            }
            terminal.print(Styled(name, .file) + ": \(recordCount(records)), \(verdict)")
        }
    }
}
