import Chemopen

/// The summary of a conversion for `--json`.
struct ConversionAccount {
    /// The maximum number of errors to list. Further errors are only counted.
    static let mostErrors = 1000

    private var errors: [ReadError] = []
    /// The reason why there is no output.
    var failure = ""

    mutating func add(_ error: ReadError) {
        if errors.count < Self.mostErrors { errors.append(error) }
    }

    /// Writes the summary as a JSON object on one line.
    func write(
        _ request: ConversionRequest, _ summary: Conversion.Summary?, _ remarks: [SelectionStatistics.Remark],
        _ status: ExitStatus, to json: inout JSON
    ) {
        json.object { json in
            json.field("inputs", request.inputs.map(\.name.shown))
            json.key("output")
            if failure.isEmpty, summary?.hasOutput == true, let output = request.output.shown {
                json.string(output)
            } else {
                json.null()
            }
            json.field("format", request.conversion.target.id)
            json.field("read", summary?.read ?? 0)
            json.field("written", summary?.written ?? 0)
            json.field("unreadable", summary?.unreadable ?? errors.count { $0.record > 0 })
            json.key("losses")
            json.array { json in for (input, report) in summary?.reports ?? [] { json.losses(report, of: input) } }
            json.key("versions")
            json.array { json in for (input, report) in summary?.reports ?? [] { json.versions(report, of: input) } }
            json.key("errors")
            json.array { json in for error in errors { json.errorObject(error) } }
            json.field("warnings", remarks.filter(\.isWarning).map(\.text))
            json.field("notes", remarks.filter { !$0.isWarning }.map(\.text) + (summary?.unkept ?? []))
            if !failure.isEmpty { json.field("failure", failure) }
            json.field("status", Int(status.rawValue))
        }
        json.endLine()
    }
}

extension Conversion.Output {
    /// The output file or directory, or `nil` if no output is written.
    fileprivate var shown: String? {
        switch self {
        case .file(let path), .directory(let path, _): path.shown
        case .discard: nil
        }
    }
}

extension JSON {
    fileprivate mutating func losses(_ report: LossReport, of input: LocalPath) {
        for entry in report.losses {
            object { json in
                json.field("file", input)
                json.field("feature", entry.feature.name)
                json.field("detail", entry.detail)
                json.field("count", entry.count)
                json.field("rewritten", entry.isRewritten)
                json.records(entry.records)
            }
        }
    }

    fileprivate mutating func versions(_ report: LossReport, of input: LocalPath) {
        for entry in report.versions {
            object { json in
                json.field("file", input)
                json.field("version", entry.version)
                json.field("reason", entry.reason)
                json.records(entry.records)
            }
        }
    }

    /// Writes the number of records and, if they are few, their list in the syntax of `--records`.
    private mutating func records(_ ranges: RecordRanges) {
        field("records", ranges.count)
        if let list = ranges.list { field("list", list) }
    }
}
