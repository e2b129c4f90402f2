import Chemopen
import ChemopenBrowse

/// `chemopen-view [--no-browser] [--output PAGE] [--force] [--limit N] [--from ID] [--valence YEAR] FILE...`, as
/// `chemopen view` starts it.
@main
enum Main {
    static func main() {
        turnSignalsIntoErrors()
        endProcess(run(Array(programArguments().dropFirst())))
    }

    private static let done: Int32 = 0
    private static let incomplete: Int32 = 1
    private static let usage: Int32 = 2
    private static let unreadable: Int32 = 3
    private static let noApplication: Int32 = 4
    private static let unwritable: Int32 = 5

    private static func run(_ words: [LocalPath]) -> Int32 {
        guard let request = ViewRequest(words) else {
            let options = "[--no-browser] [--output PAGE [--force] [--limit N]] [--from ID] [--valence YEAR]"
            tell("error: usage: chemopen-view \(options) [--] FILE...")
            return usage
        }
        let service = BrowseService(request.files, as: request.format, request.reading)
        let failures = service.failures
        for failure in failures {
            tell("error: \(failure)" + (failure.kind == .unrecognised ? "; --from names its format" : ""))
        }
        if failures.count == request.files.count { return unreadable }
        let status = service.serving {
            if let output = request.output { return write(output, service, request) }
            return serve(service, request)
        }
        return status == done && !failures.isEmpty ? unreadable : status
    }

    // MARK: A page that is served

    /// Tells somebody who has clicked that there is no page to look at.
    private static func announceNoBrowser(_ request: ViewRequest) {
        guard request.isClicked else { return }
        let names = request.files.map(\.name.shown).joined(separator: ", ")
        let text = "\(names): no browser could be started, in which Chemopen shows files"
        _ = Announcement("Chemopen", text, isError: true).show(in: .current)
    }

    private static func serve(_ service: BrowseService, _ request: ViewRequest) -> Int32 {
        let presence = Presence()
        let site = ViewSite(service, presence)
        guard let server = HTTPServer({ site.answer($0) }) else {
            tell("error: no port of the loopback address can be had")
            return unreadable
        }
        site.listens(on: server.port)
        guard request.startsBrowser, let browser = startBrowser(on: site.onceAddress) else {
            if request.isClicked {
                announceNoBrowser(request)
                return noApplication
            }
            print(site.address)
            presence.waitUntilGone()
            return done
        }
        return withThread {
            // The opener may end at once or with the browser.
            if browser.wait() != 0 { presence.giveUp() }
        } _: { _ in
            presence.waitUntilGone()
            if presence.hasBeenOpen { endProcess(done) }
            tell("error: no browser could be started")
            announceNoBrowser(request)
            return noApplication
        }
    }

    /// Asks the desktop to show an address.
    private static func startBrowser(on address: String) -> ChildProcess? {
        let session = Surroundings.current
        guard session.isGraphical, let opener = session.program("xdg-open") else { return nil }
        let words = ["xdg-open", address].map { Array($0.utf8) }
        return try? spawn(opener, words, environment: currentEnvironment, in: currentFolder(), streams: .none)
    }

    // MARK: A page in a file

    private static func write(_ output: LocalPath, _ service: BrowseService, _ request: ViewRequest) -> Int32 {
        let collection: BrowsedCollection
        do throws(FileError) {
            var sink = try ByteSink(path: output, replacing: request.replaces)
            let page = ViewerPage.whole()
            sink.bytes = page.before
            collection = try service.collect(limit: request.limit) { (data) throws(FileError) in
                ViewerPage.append(data, to: &sink.bytes)
                try sink.flushIfLarge()
            }
            sink.bytes += page.behind
            try sink.commit()
        } catch {
            tell("error: \(error)" + (error.reason == .alreadyExists ? "; --force replaces it" : ""))
            return unwritable
        }
        let failures = service.laterFailures
        for (error, _) in failures { tell("error: \(error)") }
        if collection.total > collection.count {
            let share = "the first \(collection.count) of \(collection.total) records"
            tell("note: \(output.shown) shows \(share); --limit takes more")
        }
        if failures.contains(where: { $0.records == 0 }) { return unreadable }
        return failures.isEmpty ? done : incomplete
    }

    private static func print(_ line: String) {
        try? writeAll(Array((line + "\n").utf8), to: 1)
    }

    private static func tell(_ text: String) {
        let plain = text.unicodeScalars.map { $0.steersDisplay ? "·" : Character($0) }
        try? writeAll(Array("chemopen: \(String(plain))\n".utf8), to: 2)
    }
}

/// The words of the command line.
struct ViewRequest {
    private(set) var files: [LocalPath] = []
    private(set) var output: LocalPath?
    private(set) var startsBrowser = true
    /// Somebody has clicked on the files, and looks at no terminal.
    private(set) var isClicked = false
    private(set) var replaces = false
    private(set) var limit = 1000
    /// The format of the files, whatever their content looks like.
    private(set) var format: Format?
    private(set) var reading = ReadOptions()

    init?(_ words: [LocalPath]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--no-browser": startsBrowser = false
            case "--clicked": isClicked = true
            case "--force": replaces = true
            case "--output":
                guard let path = rest.popFirst() else { return nil }
                output = path
            case "--limit":
                guard let text = rest.popFirst(), let number = Int(text.shown), number > 0 else { return nil }
                limit = number
            case "--from":
                guard let id = rest.popFirst(), let named = Format.all.first(where: { $0.id == id.shown }) else {
                    return nil
                }
                format = named
            case "--valence":
                switch rest.popFirst() {
                case "2009": reading.valenceRule = .ladder2009
                case "2017": reading.valenceRule = .restricted2017
                default: return nil
                }
            case "--":
                files += rest
                rest = []
            default:
                if word.hasPrefix("-"), !word.isDash { return nil }
                files.append(word)
            }
        }
        if files.isEmpty { return nil }
    }
}
