import Chemopen

extension Option {
    static let tolerance = Option(
        "--tolerance", value: "X", help: "ignore differences in coordinates up to X (default: 0.0001)")
    static let html = Option("--html", help: "write a page with pictures of both versions, changes highlighted")
    static let pageOutput = Option("--output", "-O", path: "OUT", help: "write the page to OUT; - is standard output")
    static let shownRecords = Option(
        "--limit", value: "N", help: "show at most N records on the page (default: 500)")
    static let key = Option("--key", value: "FIELD", help: "identify records by the value of FIELD")
}

/// `chemopen diff`: compares two files in chemical terms.
enum DiffCommand: Command {
    static let name = "diff"
    static let group = CommandGroup.edit
    static let isPaged = true
    static let summary = "compare two files in chemical terms"
    static let usage = "chemopen diff [options] A B"
    static let example = "chemopen diff --tolerance 0.01 before.sdf after.rdf"
    static let moreExamples = [
        "chemopen diff --key CAS before.sdf after.sdf",
        "chemopen diff --html -O changes.html before.sdf after.sdf",
    ]
    static let options: [Option] =
        [.json, .html, .pageOutput, .force, .shownRecords, .key, .tolerance] + Option.selecting
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Records are matched by the value of FIELD. Without it, they are matched by title, by a field, or",
        "by their bytes (the first of these that is unique), otherwise by order. The command reports",
        "records that were deleted, added or moved, and differences in titles, atoms, bonds, coordinates,",
        "fields and features, but not in spelling. The exit status is 1 if there is a difference. If you",
        "choose records, a difference is reported if either version matches. With --html, one file without",
        "scripts is written to OUT or to standard output. The program also accepts the seven or nine",
        "arguments of a git diff driver; it then exits with 0.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        var comparison = Comparison()
        if let text = arguments.value(of: .tolerance) {
            guard let tolerance = Double(text), tolerance >= 0, tolerance.isFinite else {
                throw UsageError("--tolerance requires a non-negative number, not \"\(text)\"")
            }
            comparison.tolerance = tolerance
        }
        let call = GitDiff(arguments.operands)
        guard call != nil || arguments.operands.count == 2 else {
            throw UsageError("diff requires two files, as in: \(example)")
        }
        let pageRequest = try PageRequest(arguments)
        // git has its own pager.
        if call != nil { terminal.isPaged = false }
        if let call, call.tell(on: terminal) { return .done }
        let (one, other) =
            call.map { (Source($0.first), Source($0.second)) }
            ?? (arguments.source(arguments.operands[0]), arguments.source(arguments.operands[1]))
        var diagnostics = Diagnostics(on: terminal)
        var status = ExitStatus.done
        var teller = DifferenceReporter(printsJSON: arguments.has(.json), terminal)
        var page = pageRequest.map { _ in ComparisonPage(one.name, other.name) }
        if let most = pageRequest?.most { page?.mostShown = most }
        let (format, options) = (try arguments.format(of: .from), try arguments.readOptions())
        let selection = try arguments.selection()
        do throws(ReadError) {
            var files = try FileComparison(one, other, as: format, options)
            files.comparison = comparison
            files.key = arguments.value(of: .key).map { Text($0) }
            if !selection.takesAll, terminal.tell(try files.choose(selection)) { status = .incomplete }
            func refuse(_ record: UnreadableRecord) {
                diagnostics.tell(record)
                page?.addUnreadable()
                status = .incomplete
            }
            try files.compare(refuse: refuse) { difference in
                guard page != nil else { return teller.tell(difference) }
                page?.add(difference)
                status = .incomplete
            }
        } catch {
            terminal.tell(error)
            return call == nil ? error.status(afterRecords: 0) : .done
        }
        status.raise(to: teller.status)
        if let page, let failure = PageRequest.write(page.bytes, arguments, terminal) { return failure }
        return call == nil ? status : .done
    }
}

/// A request for a page with pictures instead of lines.
struct PageRequest {
    /// The maximum number of records to show, or `nil` for the default.
    let most: Int?

    /// Returns `nil` if no page is requested.
    init?(_ arguments: Arguments) throws(UsageError) {
        most = try arguments.number(of: .shownRecords, in: 1...100_000)
        if !arguments.has(.html) {
            if arguments.path(of: .pageOutput) != nil || most != nil || arguments.has(.force) {
                throw UsageError("--output, --force and --limit require --html")
            }
            return nil
        }
        if arguments.has(.json) { throw UsageError("--json and --html cannot be combined") }
    }

    /// Writes a page. Returns an exit status if that fails.
    static func write(_ page: [UInt8], _ arguments: Arguments, _ terminal: Terminal) -> ExitStatus? {
        do throws(Conversion.Failure) {
            let output = arguments.path(of: .pageOutput) ?? "-"
            try writeWholeFile(page, to: output, replacing: arguments.has(.force))
            return nil
        } catch {
            return terminal.tell(error)
        }
    }
}

/// The arguments that git passes to a diff driver: the path, then file, object and mode of each version. For a renamed
/// file, the new path and a similarity text follow.
private struct GitDiff {
    let first: LocalPath
    let second: LocalPath
    private let path: LocalPath
    private let newPath: LocalPath

    init?(_ operands: [LocalPath]) {
        guard operands.count == 7 || operands.count == 9 else { return nil }
        (path, first, second) = (operands[0], operands[1], operands[4])
        newPath = operands.count == 9 ? operands[7] : path
    }

    /// Prints which file is compared. Returns `true` if one version does not exist and a comparison is not possible.
    func tell(on terminal: Terminal) -> Bool {
        let none: LocalPath = "/dev/null"
        switch (first, second) {
        case (none, _): terminal.print("new file \(newPath.shown)")
        case (_, none): terminal.print("deleted file \(path.shown)")
        default:
            terminal.print(path == newPath ? "changed file \(path.shown)" : "\(path.shown) is now \(newPath.shown)")
        }
        return first == none || second == none
    }
}

/// Prints differences, one per line.
private struct DifferenceReporter {
    let printsJSON: Bool
    let terminal: Terminal
    private(set) var status = ExitStatus.done
    private var json = JSON()

    init(printsJSON: Bool, _ terminal: Terminal) {
        self.printsJSON = printsJSON
        self.terminal = terminal
    }

    mutating func tell(_ record: RecordDifference) {
        status = .incomplete
        if record.kind != .changed {
            let (first, second) = (
                record.kind == .inserted ? nil : record.name, record.kind == .deleted ? nil : record.name
            )
            printsJSON
                ? write(record, Difference("record", first, second))
                : terminal.print(Styled(Self.place(record), .heading) + ": " + Self.fate(record))
        }
        for difference in record.differences {
            printsJSON
                ? write(record, difference)
                : terminal.print(Styled(Self.place(record), .heading) + ": " + difference.styled)
        }
    }

    private static func place(_ record: RecordDifference) -> String {
        switch (record.first, record.second) {
        case (let first?, let second?):
            first == second || record.kind == .moved ? "record \(first)" : "record \(first), now \(second)"
        case (let number?, nil), (nil, let number?): "record \(number)"
        case (nil, nil): "table"
        }
    }

    private static func fate(_ record: RecordDifference) -> Styled {
        switch record.kind {
        case .moved: Styled("moved to \(record.second ?? 0)", .moved) + ": \(record.name)"
        case .deleted: Styled(record.kind.rawValue, .removed) + ": \(record.name)"
        case .inserted: Styled(record.kind.rawValue, .added) + ": \(record.name)"
        case .changed: Styled(record.kind.rawValue, .moved) + ": \(record.name)"
        }
    }

    private mutating func write(_ record: RecordDifference, _ difference: Difference) {
        json.object { json in
            if let number = record.first ?? record.second { json.field("record", number) }
            if let second = record.second, record.first != nil, second != record.first {
                json.field("second_record", second)
            }
            json.field("change", record.kind.rawValue)
            json.field("what", difference.subject)
            if let first = difference.first { json.field("first", first) }
            if let second = difference.second { json.field("second", second) }
        }
        json.endLine()
        terminal.write(json.bytes)
        json.removeAll()
    }
}

extension Difference {
    /// The difference as text, with the old and the new value in different colors.
    fileprivate var styled: Styled {
        switch shownValues {
        case (let first?, let second?):
            Styled("\(subject): ") + Styled(first, .removed) + ", then " + Styled(second, .added)
        case (let first?, nil): Styled("\(subject): only in the first: ") + Styled(first, .removed)
        case (nil, let second?): Styled("\(subject): only in the second: ") + Styled(second, .added)
        case (nil, nil): Styled(subject)
        }
    }
}
