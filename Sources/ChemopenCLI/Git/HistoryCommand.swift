import Chemopen

extension Option {
    static let historyField = Option(
        "--field", value: "FIELD", help: "only this field, or title, or structure")
    static let since = Option(
        "--since", value: "DATE", help: "only since this date, as git accepts it: 2026-01-31, '2 weeks ago'")
    static let until = Option("--until", value: "DATE", help: "only until this date")
    static let author = Option("--by", value: "NAME", help: "only by authors whose name or email contains NAME")
    static let deletedOnly = Option("--deleted", help: "only deleted records")
    static let commits = Option(
        "--commits", value: "RANGE", help: "only these commits, as git accepts them: main..topic, HEAD~3..")
}

/// `chemopen history`: shows the changes to the records of a file, commit by commit.
enum HistoryCommand: Command {
    static let name = "history"
    static let group = CommandGroup.edit
    static let isPaged = true
    static let summary = "show what each git commit changed in the records of a file"
    static let usage = "chemopen history [options] FILE"
    static let example = "chemopen history --record CHEMBL25 --field MASS kinases.sdf"
    static let moreExamples = [
        "chemopen history --since '2 weeks ago' --by anna kinases.sdf",
        "chemopen history --deleted kinases.sdf",
        "chemopen history --commits main..topic --html -O review.html kinases.sdf",
    ]
    static let options: [Option] =
        [
            .record, .key, .historyField, .commits, .since, .until, .author, .deletedOnly, .json, .html, .pageOutput,
            .force, .shownRecords,
        ] + Option.selecting
    static let reading = Reading.records
    static let takesPipe = false
    static let remarks = [
        "Commits are listed, the latest first, with author, date, record, and the old and new values.",
        "If you choose records, a change is shown if the record matches before or after it. Renames,",
        "conversions to another format and compression are followed; deleted files are found. If the",
        "history may be incomplete, a note reports it. With --html, one page with pictures of both versions",
        "is written to OUT or to standard output. No hook, filter, driver or pager of the repository is",
        "run. To get data back, use restore, undelete and revert.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1 else { throw UsageError("history requires one file, as in: \(example)") }
        let request = try HistoryRequest(arguments)
        let parts = request.parts
        var page = try PageRequest(arguments).map { request in
            var page = HistoryPage(arguments.operands[0])
            if let most = request.most { page.mostShown = most }
            return page
        }
        let selection = try arguments.selection()
        var selector = RecordSelector(selection, from: arguments.operands[0])
        var teller = ChangeReporter(printsJSON: arguments.has(.json), terminal)
        var count = 0
        do throws(Conversion.Failure) {
            let history = try request.history(of: arguments.operands[0])
            func note(_ text: String) {
                terminal.tell(.note, of: arguments.operands[0].shown, text)
                page?.add(note: text)
            }
            try history.changes(of: request.value, note: note) { commit, change in
                if arguments.has(.deletedOnly), change.kind != .deleted { return true }
                if let parts, change.kind == .changed, !change.parts.contains(where: { parts.contains($0.part) }) {
                    return true
                }
                if parts != nil, change.kind == .moved { return true }
                if !selection.takesAll, !selector.takes(either: change) { return true }
                if page == nil { teller.tell(change, of: commit, only: parts) }
                page?.add(change, of: commit, only: parts)
                count += 1
                return true
            }
        } catch {
            return terminal.tell(error)
        }
        _ = terminal.tell(selector.choice, of: selection, taken: count, isWhole: true, sawAll: true)
        if count == 0 { terminal.tell(.note, of: arguments.operands[0].shown, "no commit changed matching records") }
        if let page, let failure = PageRequest.write(page.bytes, arguments, terminal) { return failure }
        return count == 0 ? .incomplete : .done
    }
}

extension RecordSelector {
    /// Returns whether a record passes the filter before or after a change.
    fileprivate mutating func takes(either change: RecordChange) -> Bool {
        [change.after, change.before].contains { version in
            guard let version, let record = version.record else { return false }
            return takes(record, numbered: version.number)
        }
    }
}

/// The part of the history that the command line selects.
struct HistoryRequest {
    let value: Text?
    let parts: Set<RecordPart>?
    private let key: Text?
    private let format: Format?
    private let reading: ReadOptions
    private let since: LocalPath?
    private let until: LocalPath?
    private let author: String?
    private let commits: LocalPath?

    init(_ arguments: Arguments) throws(UsageError) {
        value = arguments.field(of: .record)
        key = arguments.field(of: .key)
        parts = arguments.field(of: .historyField).map { [RecordPart(named: $0)] }
        format = try arguments.format(of: .from)
        reading = ReadOptions(among: arguments.formats)
        (since, until) = (arguments.path(of: .since), arguments.path(of: .until))
        author = arguments.value(of: .author)
        commits = arguments.path(of: .commits)
    }

    func history(of path: LocalPath) throws(Conversion.Failure) -> FileHistory {
        var history = try FileHistory(path, as: format, reading)
        history.key = key
        (history.since, history.until, history.author) = (since, until, author)
        history.commits = commits
        return history
    }

    func collection(_ path: LocalPath) throws(Conversion.Failure) -> RecordCollection {
        try RecordCollection(path, as: format, reading, isLocked: true)
    }
}

extension RecordPart {
    /// Creates a part from an argument: `title`, `structure`, or a field name.
    fileprivate init(named name: Text) {
        switch name {
        case "title": self = .title
        case "structure": self = .structure
        default: self = .field(name)
        }
    }
}
