import Chemopen

extension Option {

    /// The options of commands that copy records.
    static let copying: [Option] = [.output, .force] + Option.selecting
}

/// The parsed command line of a command that copies records, without its own options.
struct ToolRequest {
    let inputs: [Source]
    let output: LocalPath
    let tool: RecordTool
    private let terminal: Terminal
    /// Whether the command may stop before the end of the inputs.
    private let stopsEarly: Bool

    /// - Parameter operands: The input files.
    init(
        _ task: RecordTool.Task, _ arguments: Arguments, of operands: [LocalPath], stopsEarly: Bool = false,
        on terminal: Terminal
    ) throws(UsageError) {
        if operands.isEmpty { throw UsageError("no file specified (use - for standard input)") }
        inputs = operands.map { arguments.source($0) }
        output = arguments.path(of: .output) ?? "-"
        try arguments.refusePacked(output, on: terminal)
        var tool = RecordTool(task)
        tool.source = try arguments.format(of: .from)
        tool.reading = try arguments.readOptions()
        tool.selection = try arguments.selection()
        tool.overwritesExistingFiles = arguments.has(.force)
        self.tool = tool
        self.terminal = terminal
        self.stopsEarly = stopsEarly
    }

    /// Runs the tool, and reports the result.
    ///
    /// - Parameter tell: a function that reports the results of this command. It returns whether the run failed.
    func run(_ tell: (RecordTool.Summary) -> Bool = { _ in false }) throws(UsageError) -> ExitStatus {
        try perform(tell) { reporter throws(Conversion.Failure) in
            try tool.run(inputs, to: output, tell: reporter.tell, progress: reporter.show)
        }
    }

    /// Splits the inputs into files.
    func split(
        into folder: LocalPath, by division: RecordDivision, _ tell: (RecordTool.Summary) -> Bool
    ) throws(UsageError) -> ExitStatus {
        try perform(tell) { reporter throws(Conversion.Failure) in
            try RecordTool.split(
                inputs, into: folder, by: division, tool, tell: reporter.tell, progress: reporter.show)
        }
    }

    private func perform(
        _ tell: (RecordTool.Summary) -> Bool,
        _ work: (ToolReporter) throws(Conversion.Failure) -> RecordTool.Summary
    ) throws(UsageError) -> ExitStatus {
        let reporter = ToolReporter(on: terminal)
        do throws(Conversion.Failure) {
            let summary = try work(reporter)
            reporter.finish()
            var status = report(summary)
            if tell(summary) { status.raise(to: .incomplete) }
            return status
        } catch {
            reporter.finish()
            return terminal.tell(error)
        }
    }

    private func report(_ summary: RecordTool.Summary) -> ExitStatus {
        var status = ExitStatus.done
        for entry in summary.report.losses {
            let verb = entry.isRewritten ? "changed" : "left out"
            terminal.tell(.warning, "\(verb): \(entry)\(entry.remark)")
            status = .incomplete
        }
        if summary.unreadable > 0 {
            let total = summary.unreadable + summary.read
            let verb = summary.unreadable == 1 ? "is" : "are"
            terminal.tell(
                .warning,
                "\(summary.unreadable) of \(recordCount(total)) could not be read and \(verb) left out"
            )
            status = .incomplete
        }
        if summary.unchanged > 0 {
            terminal.tell(
                .warning,
                "\(recordCount(summary.unchanged)) could not be changed, because text is between the fields; copied")
            status = .incomplete
        }
        for what in summary.unkept { terminal.tell(.note, "not preserved from the replaced file: \(what)") }
        let meetsNothing = terminal.tell(
            summary.choice, of: tool.selection, taken: summary.read, isWhole: summary.unreadable == 0,
            sawAll: !stopsEarly)
        if meetsNothing { status.raise(to: .incomplete) }
        if terminal.isSeen, !output.isDash {
            terminal.tell(
                .note, "\(summary.written) of \(recordCount(summary.read)) written to \(output.shown)")
        }
        return status
    }
}

/// Reports the events of a run on standard error.
final class ToolReporter {
    private let terminal: Terminal
    private var diagnostics: Diagnostics
    private var progress: Progress?

    init(on terminal: Terminal) {
        self.terminal = terminal
        diagnostics = Diagnostics(on: terminal)
    }

    func tell(_ event: Conversion.Event, of path: LocalPath) {
        switch event {
        case .unreadable(let record): diagnostics.tell(record)
        case .doubtful(let issue, let place): diagnostics.tell(issue, at: place, in: path.shown)
        case .failed(let error): terminal.tell(error)
        case .lost, .version: break
        }
    }

    func show(_ state: Conversion.Progress) {
        guard terminal.showsProgress else { return }
        if progress == nil { progress = Progress(of: state.size, on: terminal) }
        progress?.show(bytes: state.bytesRead, records: state.records)
    }

    func finish() {
        terminal.hideProgress()
        diagnostics.finish()
    }
}

extension Arguments {
    /// Returns the fact that the value of an option names, after checking that it can be computed.
    func fact(_ name: LocalPath) throws(UsageError) -> RecordFact {
        let fact = RecordFact(Text(bytes: name.bytes))
        if let problem = fact.problem { throw UsageError(problem) }
        return fact
    }

    /// Returns names that are separated by commas.
    func names(of option: Option) throws(UsageError) -> [Text]? {
        guard let text = path(of: option) else { return nil }
        let words = text.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let names = words.map { Text(bytes: $0) }
        if names.contains(where: \.isEmpty) {
            throw UsageError("\(option.name) requires names separated by commas, not \"\(text.shown)\"")
        }
        return names
    }
}
