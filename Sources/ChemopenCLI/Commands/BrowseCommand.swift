import Chemopen
import ChemopenBrowse

/// `chemopen browse`: responds to requests of another program about files, one per line.
enum BrowseCommand: Command {
    static let name = "browse"
    static let group = CommandGroup.programs
    static let summary = "answer requests of another program about files, one JSON object per line"
    static let usage = "chemopen browse --json [options] FILE..."
    static let example = "chemopen browse --json kinases.sdf < requests.jsonl"
    static let moreExamples = [
        "chemopen browse --json --records 1-100 kinases.sdf < requests.jsonl",
        "chemopen browse --json a.sdf b.rdf < requests.jsonl",
    ]
    static let options: [Option] = [.json] + Option.selecting
    static let reading = Reading.hydrogens
    static let takesPipe = false
    static let fetches = true
    static let remarks = [
        "Requests are read from standard input: CLIENT_PREFS, NAVIGATION, ROOT, DRILL, DETAIL, SEARCH. For",
        "each request, one line {\"headers\":[...],\"rows\":[...]} is written to standard output.",
        "Members can be entities, category, changedsince, columns, from, count, sort, descending, searchtext,",
        "searchdomain, dark, wait and id. Columns are PERM_ID, REFCON, CATEGORY, SUMMARY_HEADER, SUMMARY,",
        "IDENTIFIER, CHILDREN, IMAGES, IMAGES.MARQUEE, PROPERTIES, PROPERTY:NAME, ROOT_LEVEL and TEXT.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.has(.json) else {
            throw UsageError("browse requires --json, as in: chemopen browse --json FILE...")
        }
        _ = try arguments.files()
        let selection = try arguments.selection()
        let files = arguments.fetchedFiles(on: terminal)
        defer { files.remove() }
        let service = BrowseService(
            files.paths, as: try arguments.format(of: .from), try arguments.readOptions(), choosing: selection)
        var status = files.status
        for failure in service.failures {
            terminal.tell(failure)
            status.raise(to: .unreadable)
        }
        let requests: ExitStatus = service.serving {
            do throws(FileError) {
                var lines = try ByteSource(path: "-", blockSize: 4096)
                try answer(&lines, service, on: terminal)
                return .done
            } catch {
                terminal.tell(.error, "\(error)")
                return .unreadable
            }
        }
        status.raise(to: requests)
        for (error, records) in service.laterFailures {
            terminal.tell(error)
            status.raise(to: error.status(afterRecords: records))
        }
        if terminal.tell(service.choice) { status.raise(to: .incomplete) }
        return status
    }

    /// Responds to each line as it arrives.
    private static func answer(
        _ lines: inout ByteSource, _ service: BrowseService, on terminal: Terminal
    ) throws(FileError) {
        while true {
            let window = lines.window
            let end = lines.buffer[window].firstIndex(of: UInt8(ascii: "\n"))
            guard end != nil || lines.isAtEnd else {
                guard window.count <= longestRequest else { throw FileError("standard input", .tooLarge) }
                _ = try lines.fill()
                continue
            }
            let line = Array(lines.buffer[window.lowerBound..<(end ?? window.upperBound)])
            lines.consume(to: end.map { $0 + 1 } ?? window.upperBound)
            if line.contains(where: { $0 > 0x20 }) {
                terminal.write(service.answer(line) + [UInt8(ascii: "\n")])
                terminal.flush()
            } else if end == nil {
                return
            }
        }
    }

    private static let longestRequest = 1 << 20
}
