import Chemopen

/// `chemopen stats`: summarizes the data fields of files.
enum StatsCommand: Command {
    static let name = "stats"
    static let summary = "summarize the data fields: values, types, ranges and distributions"
    static let usage = "chemopen stats [options] FILE..."
    static let example = "chemopen stats kinases.sdf.gz"
    static let moreExamples = [
        "chemopen stats --compute mass,rings --fields mass,rings kinases.sdf",
        "chemopen stats --json kinases.sdf",
    ]
    static let options: [Option] = [.json, .statsFields, .compute] + Option.selecting
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Prints a line for each field: the records with a value, the type, the distinct values, the smallest",
        "value, the median, the largest value, and the distribution or the most frequent value. Up to 100,000",
        "distinct values of a field are exact. Above that, or if all fields need more than 32 MiB, the",
        "numbers after ~ are estimates within 1 %. The first line has the number of records, and the last",
        "lines have the numbers of duplicates (records with the same bytes) and of unreadable records.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let format = try arguments.format(of: .from)
        let options = try arguments.readOptions()
        let selection = try arguments.selection()
        let computed = try arguments.computes()
        let names = try arguments.names(of: .statsFields)
        var status = ExitStatus.done
        var tally = ChoiceTally(of: selection)
        for source in try arguments.sources() {
            let reporter = ToolReporter(on: terminal)
            do throws(ReadError) {
                let statistics = try FileStatistics(
                    of: source, as: format, selection, computing: computed, options,
                    tell: { reporter.tell($0, of: source.name) }, progress: reporter.show)
                reporter.finish()
                tally.add(statistics.choice, taken: statistics.records, isWhole: statistics.unreadable == 0)
                let report = StatisticsReport(statistics, of: source.name.shown, only: names)
                for name in report.missing {
                    terminal.tell(.warning, of: source.name.shown, "no record has a field \"\(name.shown)\"")
                    status.raise(to: .incomplete)
                }
                if arguments.has(.json) { terminal.write(report.json) } else { report.lines.forEach(terminal.print) }
                if statistics.unreadable > 0 { status.raise(to: .incomplete) }
                if let failure = statistics.failure {
                    terminal.tell(failure)
                    status.raise(to: failure.status(afterRecords: statistics.records))
                }
            } catch {
                reporter.finish()
                terminal.tell(error)
                status.raise(to: error.status(afterRecords: 0))
            }
        }
        if terminal.tell(tally) { status.raise(to: .incomplete) }
        return status
    }
}

extension Option {
    static let statsFields = Option("--fields", value: "NAME,...", help: "summarize only these fields")
}
