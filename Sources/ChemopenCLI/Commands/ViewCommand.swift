import Chemopen
import ChemopenBrowse

extension Option {
    static let page = Option("--output", "-O", path: "PAGE", help: "write one self-contained page instead")
    static let limit = Option("--limit", value: "N", help: "at most N records in the page of -O; 1000 without it")
    static let noBrowser = Option("--no-browser", help: "start no browser, and print the address of the page")
    static let receive = Option("--receive", help: "for the session's bus: wait for files, and show them in one page")
    static let resume = Option("--resume", help: "open what was open last, and where it was left")
    static let replace = Option("--force", "-f", help: "replace PAGE if it exists")
}

/// `chemopen view`: shows files in the browser.
enum ViewCommand: Command {
    static let name = "view"
    static let summary = "show files in the browser: a list to walk through, and one record at a time"
    static let usage = "chemopen view [options] FILE..."
    static let example = "chemopen view kinases.sdf.gz"
    static let options: [Option] = [.page, .limit, .replace] + Option.selecting + [.noBrowser, .receive, .resume]
    static let reading = Reading.hydrogens
    static let fetches = true
    static let remarks = [
        "Of records that are chosen the page has no others, whatever is searched in it.",
        "The page is served on this machine alone, at an address that nobody can guess, and to no other page.",
        "It asks nothing of any other machine, changes nothing, and ends the program when it is closed.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let resumes = arguments.has(.resume)
        if resumes, !arguments.operands.isEmpty || arguments.has(.page) || arguments.has(.receive) {
            throw UsageError("--resume opens what was open last, and takes no files, no -O and no --receive")
        }
        if resumes, LeftView.last() == nil {
            terminal.tell(.error, "nothing was left open; chemopen view FILE opens a file")
            return .unreadable
        }
        let choice = try arguments.wordsOfSelecting()
        _ = try arguments.selection()
        if !choice.isEmpty, resumes || arguments.has(.receive) {
            throw UsageError("what is chosen goes with the files that are named, not with --resume or --receive")
        }
        if !arguments.has(.receive), !resumes { _ = try arguments.files() }
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
        // The viewer takes the place of this process, with its number.
        files.leave(to: [currentProcessID()])
        terminal.flush()
        let failure = SiblingProgram.viewer.run(words + ["--"] + files.paths)
        terminal.tell(.error, failure)
        return .noApplication
    }
}
