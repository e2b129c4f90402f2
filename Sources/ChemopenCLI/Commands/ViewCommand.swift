import Chemopen
import ChemopenBrowse

extension Option {
    static let page = Option(
        "--output", "-O", path: "PAGE", help: "write one self-contained page instead of opening a window")
    static let limit = Option("--limit", value: "N", help: "write at most N records to the page of -O (default: 1000)")
    static let noBrowser = Option("--no-browser", help: "do not start a browser; print the address of the page")
    static let receive = Option("--receive", help: "for the session bus: wait for files and show them in one window")
    static let resume = Option("--resume", help: "reopen the last files at the last position")
    static let inTerminal = Option("--terminal", help: "show the files in this terminal instead of a browser")
    static let replace = Option("--force", "-f", help: "replace PAGE if it exists")
}

/// `chemopen view`: shows files in the browser.
enum ViewCommand: Command {
    static let name = "view"
    static let group = CommandGroup.look
    static let summary = "show files in the browser or in the terminal, as a list and one record at a time"
    static let usage = "chemopen view [options] [FILE...]"
    static let example = "chemopen view kinases.sdf.gz"
    static let moreExamples = [
        "chemopen view --where 'mass < 500' kinases.sdf.gz",
        "chemopen view --terminal kinases.sdf.gz",
        "chemopen view -O page.html reaction.rdf",
    ]
    static let options: [Option] =
        [.inTerminal, .page, .limit, .replace] + Option.selecting + [.noBrowser, .receive, .resume]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Without FILE, the page shows the recent files with their structures. Browsers such as Chromium show",
        "it in a window without an address bar.",
        "If you choose records, the page contains only these. The page is served only on this machine, at a",
        "secret address, and no other page can use it. It never accesses the network and changes nothing.",
        "The program exits when you close the page. With --terminal, press ? for a list of keys.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        if arguments.has(.inTerminal) { return try TerminalBrowser.run(arguments, on: terminal) }
        let resumes = arguments.has(.resume)
        if resumes, !arguments.operands.isEmpty || arguments.has(.page) || arguments.has(.receive) {
            throw UsageError("--resume cannot be combined with files, -O or --receive")
        }
        if resumes, SavedViewState.last() == nil {
            terminal.tell(.error, "there is no previous view (use chemopen view FILE)")
            return .unreadable
        }
        let choice = try arguments.wordsOfSelecting()
        _ = try arguments.selection()
        if !choice.isEmpty, resumes || arguments.has(.receive) {
            throw UsageError("record filters cannot be combined with --resume or --receive")
        }
        // Without a file, show the recent files.
        let recent = RecentFiles(in: .current).sheet
        let isStart =
            arguments.operands.isEmpty && !arguments.has(.receive) && !resumes && choice.isEmpty
            && !arguments.has(.page) && fileKind(recent) == .regular
        if !arguments.has(.receive), !resumes, !isStart { _ = try arguments.files() }
        var words: [LocalPath] = arguments.has(.noBrowser) ? ["--no-browser"] : []
        if arguments.has(.receive) { words.append("--receive") }
        if resumes { words.append("--resume") }
        if let page = arguments.path(of: .page) { words += ["--output", page] }
        if let limit = try arguments.number(of: .limit, in: 1...1_000_000) { words += ["--limit", "\(limit)"] }
        if arguments.has(.replace) { words.append("--force") }
        words += try arguments.wordsOfReading() + choice
        let files = arguments.fetchedFiles(on: terminal, takesURI: true)
        if files.paths.isEmpty, !arguments.operands.isEmpty { return files.status }
        if terminal.tellPacked(files.paths) {
            files.remove()
            return .unreadable
        }
        // The viewer replaces this process and inherits its process ID.
        files.leave(to: [currentProcessID()])
        terminal.flush()
        let failure = SiblingProgram.viewer.run(words + ["--"] + (isStart ? [recent] : files.paths))
        terminal.tell(.error, failure)
        return .noApplication
    }
}
