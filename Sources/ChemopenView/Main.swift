import Chemopen
import ChemopenBrowse

/// `chemopen-view [--no-browser] [--output PAGE] [--force] [--limit N] [--from ID] [--valence YEAR] FILE...`, as
/// `chemopen view` starts it, with the options that select records.
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
        if words.first == "--serve" {
            guard let request = ServeRequest(words) else {
                tell("error: usage: chemopen-view --serve FOLDER [--listen PLACE] [--address URL] [--tokens FILE]")
                return usage
            }
            if request.isCheck {
                let found = request.check()
                return found.isFatal ? unreadable : found.hasProblems ? incomplete : done
            }
            tell("error: \(request.run())")
            return unreadable
        }
        guard let request = ViewRequest(words) else {
            let options =
                "[--no-browser] [--join] [--receive] [--clicked] [--note TEXT] [--offer TITLE TEXT] "
                + "[--output PAGE [--force] [--limit N]] [--from ID] [--valence YEAR] "
                + "[--records LIST] [--where CONDITION] [--smarts PATTERN] [--substructure FILE] [--exact FILE|SMILES]"
            tell("error: usage: chemopen-view \(options) [--] FILE...")
            return usage
        }
        if let announcement = request.offer { return offer(announcement, request) }
        guard request.joins, let bus = SessionBus() else { return show(request, nil) }
        return join(request, over: bus)
    }

    private static func join(_ request: ViewRequest, over bus: SessionBus) -> Int32 {
        // If another process acquires the name first, try to pass the files to it again.
        for _ in 0..<2 {
            if !request.files.isEmpty, Receiver.handOver(request.files, request.delivery, over: bus) { return done }
            if bus.own(Receiver.busName) { return show(request, bus) }
        }
        return show(request, nil)
    }

    /// Shows a notification that another program displays only some of the files, with a button that opens them here.
    /// The calling program only waits until the notification is shown.
    private static func offer(_ announcement: UserNotification, _ request: ViewRequest) -> Int32 {
        guard let bus = SessionBus(), let number = bus.notify(announcement, offering: "Open all in the viewer") else {
            return noApplication
        }
        print("shown")
        guard let delivery = bus.waitForOffer(of: number) else { return done }
        var request = request
        request.token = delivery.token
        return join(request, over: bus)
    }

    private static func show(_ request: ViewRequest, _ bus: SessionBus?) -> Int32 {
        let service = BrowseService(
            request.files, as: request.format, request.reading, choosing: request.selection,
            delivered: request.output == nil ? request.delivery : nil, allowingChanges: request.output == nil)
        let failures = service.failures
        for failure in failures {
            tell("error: \(failure)" + (failure.kind == .unrecognized ? " (use --from to specify it)" : ""))
        }
        if failures.count == request.files.count, !failures.isEmpty { return unreadable }
        let status = service.serving {
            if let output = request.output { return write(output, service, request) }
            return serve(service, request, bus)
        }
        return status == done && !failures.isEmpty ? unreadable : status
    }

    // MARK: A page that is served

    private static func serve(_ service: BrowseService, _ request: ViewRequest, _ bus: SessionBus?) -> Int32 {
        let presence = Presence()
        let site = ViewSite(service, presence, beginningAt: request.beginning, request.words)
        guard let server = HTTPServer({ site.answer($0) }) else {
            tell("error: cannot open a port on the loopback address")
            return unreadable
        }
        site.listens(on: server.port)
        guard request.startsBrowser else { return wait(for: presence, at: site) }
        let receiver = Receiver(service, site, presence)
        return withThread {
            bus?.serve { receiver.take($0) }
        } _: { _ in
            if !request.files.isEmpty, !receiver.showPage(request.delivery) {
                if !request.isClicked { endProcess(wait(for: presence, at: site)) }
                presence.giveUp()
            }
            receiver.keep(request.files, request.delivery)
            presence.waitUntilGone { receiver.lookAfterOpeners() }
            receiver.removeRedirect()
            if presence.hasBeenOpen { endProcess(done) }
            tell("error: no browser could be started")
            announceNoBrowser(request)
            endProcess(noApplication)
        }
    }

    /// Prints the address of the page for the user to open.
    private static func wait(for presence: Presence, at site: ViewSite) -> Int32 {
        print(site.address)
        presence.waitUntilGone()
        return done
    }

    /// Notifies a user who opened the files from the desktop that the page cannot be shown.
    private static func announceNoBrowser(_ request: ViewRequest) {
        guard request.isClicked else { return }
        let names = request.files.map(\.name.shown).joined(separator: ", ")
        let text = (names.isEmpty ? "" : names + ": ") + "no browser could be started to show the files"
        _ = UserNotification("Chemopen", text, isError: true).show(in: .current)
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
            if let lost = collection.lostContent {
                tell("error: \(lost)")
                tell("note: \(output.shown) is not written")
                return unreadable
            }
            try sink.commit()
        } catch {
            tell("error: \(error)" + (error.reason == .alreadyExists ? " (use --force to overwrite)" : ""))
            return unwritable
        }
        if isTerminal(2) {
            tell(
                "note: \(collection.count == 1 ? "1 record" : "\(collection.count) records") written to \(output.shown)"
            )
        }
        let failures = service.laterFailures
        for (error, _) in failures { tell("error: \(error)") }
        let choice = service.choice.account
        for remark in choice.remarks { tell("\(remark.isWarning ? "warning" : "note"): \(remark.text)") }
        if collection.total > collection.count {
            let what = request.selection.takesAll ? "records" : "chosen records"
            let share = "the first \(collection.count) of \(collection.total) \(what)"
            tell("note: \(output.shown) shows \(share) (use --limit for more)")
        }
        if failures.contains(where: { $0.records == 0 }) { return unreadable }
        return failures.isEmpty && !choice.meetsNothing ? done : incomplete
    }

    private static func print(_ line: String) {
        try? writeAll(Array((line + "\n").utf8), to: 1)
    }

    static func tell(_ text: String, to descriptor: Int32 = 2) {
        let plain = text.unicodeScalars.map { $0.steersDisplay ? "·" : Character($0) }
        try? writeAll(Array("chemopen: \(String(plain))\n".utf8), to: descriptor)
    }
}

/// The parsed command line.
struct ViewRequest {
    private(set) var files: [LocalPath] = []
    private(set) var output: LocalPath?
    private(set) var startsBrowser = true
    /// Whether the files were opened from the desktop, without a terminal.
    private(set) var isClicked = false
    /// Whether a viewer that is already running shows the files.
    private(set) var joins = false
    private(set) var replaces = false
    /// The fragment of the page's address, used to resume.
    private(set) var beginning = ""
    private(set) var limit = 1000
    /// The format of the files, if it is specified and not detected.
    private(set) var format: Format?
    private(set) var reading = ReadOptions()
    /// The records of each file to show.
    private(set) var selection = RecordSelection()
    /// The arguments that specify how to read the files and select records.
    private(set) var words: [LocalPath] = []
    /// A notification that offers to show the files. If it is set, the files are shown only if the user accepts.
    private(set) var offer: UserNotification?
    /// The activation token that lets the page come to the front.
    var token = ""
    private var note = ""
    /// The circumstances of the request. The start-up tokens of a terminal are ignored because they do not refer to
    /// these files.
    var delivery: OpenContext {
        var delivery = isClicked ? OpenContext(in: .current) : OpenContext()
        delivery.note = note
        if !token.isEmpty { delivery.token = token }
        return delivery
    }

    init?(_ words: [LocalPath]) {
        var rest = words[...]
        var needsFiles = true
        while let word = rest.popFirst() {
            switch word {
            case "--no-browser": startsBrowser = false
            case "--clicked": isClicked = true
            case "--join": joins = true
            case "--receive":
                joins = true
                isClicked = true
                needsFiles = false
            case "--force": replaces = true
            case "--resume":
                guard let left = SavedViewState.last() else { return nil }
                beginning = left.address
                files += left.files
                rest = (left.words + rest)[...]
                needsFiles = false
            case "--note":
                guard let text = rest.popFirst() else { return nil }
                note = text.text ?? text.shown
            case "--offer":
                guard let title = rest.popFirst(), let text = rest.popFirst() else { return nil }
                offer = UserNotification(title.shown, text.text ?? text.shown, isError: false)
            case "--output":
                guard let path = rest.popFirst() else { return nil }
                output = path
            case "--limit":
                guard let text = rest.popFirst(), let number = Int(text.shown), number > 0 else { return nil }
                limit = number
            case "--from":
                guard let id = rest.popFirst(), let named = FormatRegistry.standard[id.shown] else {
                    return nil
                }
                format = named
                self.words += [word, id]
            case "--encoding":
                guard let name = rest.popFirst(), let encoding = CharacterEncoding(name.shown) else { return nil }
                reading.encoding = encoding
                self.words += [word, name]
            case "--valence":
                guard let year = rest.popFirst() else { return nil }
                switch year {
                case "2009": reading.valenceRule = .ladder2009
                case "2017": reading.valenceRule = .restricted2017
                default: return nil
                }
                self.words += [word, year]
            case "--":
                files += rest
                rest = []
            default:
                if word.hasPrefix("-"), !word.isDash {
                    guard let value = rest.popFirst(), selection.take(word, value) else { return nil }
                    // Store an absolute path because the user may resume from another directory.
                    let isFile = word == "--substructure" || word.hasPrefix("--exact") && fileKind(value) != .missing
                    self.words += [word, isFile ? value.absolute(from: currentFolder()) : value]
                    continue
                }
                files.append(word)
            }
        }
        if files.isEmpty, needsFiles { return nil }
    }
}
