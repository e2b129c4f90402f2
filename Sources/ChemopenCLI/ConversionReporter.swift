import Chemopen

/// Reports the events of a conversion, on standard error and in a report as JSON Lines.
final class ConversionReporter {
    private let request: ConversionRequest
    private let terminal: Terminal
    private var diagnostics: Diagnostics
    private var progress: Progress?
    private let report: SideFile?
    private var account: ConversionAccount?
    private lazy var json = JSON()
    /// The input of the last event, with its displayed name.
    private var input: (path: LocalPath, name: String) = ("", "")

    init(_ request: ConversionRequest, on terminal: Terminal) throws(UsageError) {
        self.request = request
        self.terminal = terminal
        diagnostics = Diagnostics(on: terminal)
        report = request.reportPath.map { SideFile($0, replacing: request.conversion.overwritesExistingFiles) }
        account = request.printsJSON ? ConversionAccount() : nil
        report?.begin()
        guard let failure = report?.failure else { return }
        terminal.tell(.error, "\(failure)")
        endProcess(ExitStatus.unwritable.rawValue)
    }

    /// Reports an event. The conversion calls this function for each event.
    func tell(_ event: Conversion.Event, of path: LocalPath) {
        if input.path != path { input = (path, path.shown) }
        switch event {
        case .unreadable(let record):
            diagnostics.tell(record)
            account?.add(record.error)
        case .doubtful(let issue, let place): diagnostics.tell(issue, at: place, in: input.name)
        case .failed(let error):
            terminal.tell(error)
            account?.add(error)
        case .lost, .version: break
        }
        if report != nil { write(event, of: input.name) }
    }

    /// Shows the progress. The conversion calls this function after each record.
    func show(_ state: Conversion.Progress) {
        guard terminal.showsProgress else { return }
        if progress == nil { progress = Progress(of: state.size, on: terminal) }
        progress?.show(bytes: state.bytesRead, records: state.records)
    }

    /// Reports the result and returns the exit status.
    func finish(_ summary: Conversion.Summary) -> ExitStatus {
        terminal.hideProgress()
        diagnostics.finish()
        if summary.unreadable > 0 {
            let total = summary.unreadable + summary.read
            terminal.tell(.warning, "\(summary.unreadable) of \(recordCount(total)) could not be read")
        }
        tell(summary.reports)
        let choice = summary.choice.remarks(
            on: request.conversion.selection, taken: summary.read, isWhole: summary.unreadable == 0,
            sawAll: !summary.isCutShort)
        terminal.tell(choice.remarks)
        if summary.hasOutput {
            for what in summary.unkept { terminal.tell(.note, "not preserved from the replaced file: \(what)") }
        }
        if !summary.hasOutput { terminal.tell(.error, "there is no record to write, so no output was created") }
        if summary.hasOutput, request.conversion.reading.encoding != nil,
            request.conversion.target.supportedFeatures.contains(.foreignEncoding)
                || request.conversion.target.id == Format.smiles.id
        {
            terminal.tell(.note, "the text is written in UTF-8")
        }
        if summary.isPart, summary.hasOutput, case .file(let path) = request.output {
            let part = ("\(path)\(PartMark.suffix)" as LocalPath).shown
            terminal.tell(.note, "the records before the error are in \(part); \(path.shown) is not written")
        } else if summary.hasOutput, terminal.isSeen {
            terminal.tell(.note, Self.account(of: summary, request))
        }
        var status = ExitStatus.done
        let isIncomplete =
            choice.meetsNothing || summary.unreadable > 0 || summary.isCutShort || !summary.hasOutput
        if isIncomplete || request.isStrict && summary.hasLosses { status = .incomplete }
        if !summary.failures.isEmpty { status = .unreadable }
        status = finishReport(status)
        print(summary, choice.remarks, status)
        return status
    }

    /// Summarizes the conversion in one line: `a.rdf: 2 of 7 records written`.
    static func account(of summary: Conversion.Summary, _ request: ConversionRequest) -> String {
        let isPart = !request.conversion.selection.takesAll && summary.choice.seen != summary.read
        let records = isPart ? "\(summary.read) of \(recordCount(summary.choice.seen))" : recordCount(summary.read)
        let written =
            summary.written == summary.read ? "" : ", as " + recordCount(summary.written)
        switch request.output {
        case .discard: return "\(records) would be written\(written)"
        case .file("-"): return "\(records) written\(written)"
        case .file(let path), .directory(let path, _): return "\(records) written to \(path.shown)\(written)"
        }
    }

    private func print(_ summary: Conversion.Summary?, _ remarks: [SelectionStatistics.Remark], _ status: ExitStatus) {
        guard let account else { return }
        account.write(request, summary, remarks, status, to: &json)
        terminal.write(json.bytes)
        json.removeAll()
    }

    /// Reports why there is no output.
    func fail(_ failure: Conversion.Failure) throws(UsageError) -> ExitStatus {
        terminal.hideProgress()
        var status = terminal.tell(failure)
        switch failure {
        case .stopped, .cancelled: status = finishReport(status)
        case .read(let error):
            account?.add(error)
            tellOfPart(error)
        case .write, .impossible: break
        }
        if case .directory(let folder, _) = request.output {
            let replaced =
                request.conversion.overwritesExistingFiles ? "; files that it has replaced stay replaced" : ""
            terminal.tell(.note, "the new files of this run are removed from \(folder.shown)\(replaced)")
        }
        account?.failure = failure.told
        print(nil, [], status)
        return status
    }

    /// Reports that the output is not written because the input is incomplete, and how to save the records before the
    /// error.
    private func tellOfPart(_ error: ReadError) {
        guard case .file(let file) = error.kind, file.isLostContent, case .file(let path) = request.output,
            !path.isDash
        else { return }
        let part = ("\(path)\(PartMark.suffix)" as LocalPath).shown
        let hint = "use --on-error keep to write the records before the error to \(part)"
        terminal.tell(.note, "\(path.shown) is not written; \(hint)")
    }

    /// Reports losses. Unexpected losses are first, because the others follow from the target format alone.
    private func tell(_ reports: [(input: LocalPath, report: LossReport)]) {
        func place(_ input: LocalPath) -> String {
            request.inputs.count > 1 && !input.bytes.isEmpty ? input.shown : "chemopen"
        }
        let notes = ConversionNotes(
            reports, to: request.conversion.target, laysOut: request.conversion.laysOut,
            hasReport: request.reportPath != nil || terminal.command != ConvertCommand.name)
        for (input, text) in notes.unexpected { terminal.tell(.note, of: place(input), text) }
        for (input, report) in reports {
            for entry in report.versions { terminal.tell(.note, of: place(input), "\(entry)") }
        }
        if !notes.expected.isEmpty, !request.isQuiet { terminal.tell(.note, notes.expected) }
    }

    // MARK: The report

    private func write(_ event: Conversion.Event, of input: String) {
        switch event {
        case .unreadable(let record): json.error(record.error)
        case .failed(let error): json.error(error)
        case .doubtful(let issue, let place): json.warning(issue, at: place, in: input)
        case .lost(let losses, let record):
            for loss in losses {
                json.object { json in
                    json.field("file", input)
                    json.field("record", record)
                    json.field("kind", "loss")
                    json.field("feature", loss.feature.name)
                    json.field("detail", loss.detail)
                    json.field("count", loss.count)
                }
                json.endLine()
            }
        case .version(let version, let reason, let record):
            json.object { json in
                json.field("file", input)
                json.field("record", record)
                json.field("kind", "version")
                json.field("version", version)
                json.field("reason", reason)
            }
            json.endLine()
        }
        report?.append(json.bytes)
        json.removeAll()
    }

    private func finishReport(_ status: ExitStatus) -> ExitStatus {
        do throws(FileError) {
            try report?.commit()
            return status
        } catch {
            terminal.tell(.error, "\(error)")
            return .unwritable
        }
    }
}

extension JSON {
    /// Writes a warning or remark as a line of JSON.
    mutating func warning(_ issue: Issue, at place: RecordPlace, in file: String) {
        object { json in
            json.field("file", file)
            json.field("record", place.record)
            json.field("kind", issue.severity == .doubt ? "warning" : "remark")
            json.field("line", issue.line)
            if !issue.columns.isEmpty { json.field("column", issue.columns.lowerBound) }
            json.field("offset", issue.offset ?? place.offset)
            json.field("message", issue.message)
            if !issue.found.isEmpty { json.field("found", issue.found) }
        }
        endLine()
    }
}

extension Conversion.Failure {
    /// The reason why there is no output, as text.
    var told: String {
        switch self {
        case .read(let error): return "\(error)"
        case .write(let error):
            let canReplace = if case .file(let file) = error.kind { file.reason == .alreadyExists } else { false }
            return "\(error)" + (canReplace ? " (use --force to overwrite)" : "")
        case .impossible(let reason): return reason
        case .stopped, .cancelled: return "stopped at the first record that could not be read; no output was written"
        }
    }
}

extension Terminal {
    /// Reports why there is no output. Returns the exit status.
    func tell(_ failure: Conversion.Failure) -> ExitStatus {
        switch failure {
        case .read(let error):
            tell(error)
            return .unreadable
        case .write(let error):
            if case .file(let file) = error.kind, file.reason == .brokenPipe { return .done }
            tell(.error, failure.told)
            return .unwritable
        case .impossible:
            tell(.error, failure.told)
            return .usage
        case .stopped, .cancelled:
            tell(.error, failure.told)
            return .incomplete
        }
    }
}
