import Chemopen
import ChemopenBrowse

/// `chemopen-view --serve FOLDER [--listen PLACE] [--address URL] [--tokens FILE] [--check] [--no-log] [--program VERSION]`,
/// as `chemopen serve` starts it.
struct ServeRequest {
    private(set) var folder: LocalPath = ""
    private var place = ListenPlace.loopback(ListenPlace.usualPort)
    private var address: String?
    private var tokens = Readers.usualPath(in: .current)
    private var writesLog = true
    private var version = ""
    /// Whether to check the configuration instead of serving.
    private(set) var isCheck = false

    init?(_ words: [LocalPath]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--check": isCheck = true
            case "--no-log": writesLog = false
            default:
                guard let value = rest.popFirst() else { return nil }
                switch word {
                case "--serve": folder = value
                case "--listen":
                    guard let place = ListenPlace(value) else { return nil }
                    self.place = place
                case "--address": address = value.text
                case "--tokens": tokens = value
                case "--program": version = value.shown
                default: return nil
                }
            }
        }
        if case .socket = place, address == nil { return nil }
    }

    /// Prints the problems of the configuration, one per line, and what to do about them.
    ///
    /// - Returns: whether there is a problem, and whether it prevents the server from starting.
    func check() -> (hasProblems: Bool, isFatal: Bool) {
        var check = ServeCheck(folder, tokens: tokens, at: address)
        switch listen() {
        case .success(let descriptor): closeListening(descriptor)
        case .failure(let failure): check.note(ServeCheck.Problem(failure.text, isFatal: true))
        }
        let isFatal = check.problems.contains(where: \.isFatal)
        for problem in check.problems { Main.tell("\(problem.isFatal ? "error" : "warning"): \(problem.text)", to: 1) }
        if check.problems.isEmpty {
            let files = check.files == 1 ? "1 file" : "\(check.files) files"
            let readers = check.readers == 1 ? "1 reader" : "\(check.readers) readers"
            Main.tell("no problems found: \(files), \(readers)", to: 1)
        }
        return (!check.problems.isEmpty, isFatal)
    }

    private struct ListenFailure: Error {
        let text: String
    }

    private func listen() -> Result<Int32, ListenFailure> {
        switch place {
        case .socket(let path):
            if let descriptor = HTTPServer.listen(at: path) { return .success(descriptor) }
            let reason = "a server is already running there, or the directory is missing or not writable"
            return .failure(ListenFailure(text: "cannot listen on \(path.shown): \(reason)"))
        case .loopback(let port):
            if let descriptor = HTTPServer.listen(onLoopback: port) { return .success(descriptor) }
            return .failure(ListenFailure(text: "port \(port) is not available (use --listen to specify another)"))
        }
    }

    private func closeListening(_ descriptor: Int32) {
        closeDescriptor(descriptor)
        if case .socket(let path) = place { removeFile(path) }
    }

    /// Serves until the process is ended. Returns a message if the server cannot be started.
    func run() -> String {
        guard let folder = ServedFolder(folder) else {
            let isThere = fileKind(self.folder) != .missing
            return "\(self.folder.shown) \(isThere ? "is not a directory" : "does not exist")"
        }
        if let address, ListenPlace.origin(address) == nil { return "\(address) is not an address of a server" }
        let readers: Readers
        do throws(Readers.Failure) {
            readers = try Readers(tokens)
        } catch {
            return error.message
        }
        // Before the first thread starts, so that no thread receives the signal.
        HTTPServer.holdTermination()
        let seen = LastSeen(beside: tokens)
        onThread {
            HTTPServer.waitForTermination()
            // The list may have changed since the start.
            if let readers = try? Readers(tokens) { try? seen.store(keeping: readers.list) }
            endProcess(0)
        }
        let listening: Int32
        switch listen() {
        case .success(let descriptor): listening = descriptor
        case .failure(let failure): return failure.text
        }
        let origin = address.flatMap(ListenPlace.origin)
        let host = origin?.split(separator: "/").last?.split(separator: ":").first
        let service = BrowseService(serving: folder, recordingAs: host.map { String($0) } ?? "localhost") {
            Main.tell($0)
        }
        let journal = ServeJournal(self.folder, seen, version: version, writesLog: writesLog)
        let site = ServeSite(service, readers, at: origin ?? "", journal)
        return service.serving { serve(service, site, readers, on: listening) }
    }

    private func serve(_ service: BrowseService, _ site: ServeSite, _ readers: Readers, on listening: Int32) -> String {
        let folderNews = News()
        folderNews.tell(service.lookAround())
        guard
            let server = HTTPServer(
                listening: listening, refusing: { site.refusal($0) }, noting: { site.note($0) }, { site.answer($0) })
        else { return "the server cannot be started" }
        if address == nil { site.isReached(at: "http://127.0.0.1:\(server.port)") }
        if let problem = service.recordingProblem() {
            Main.tell("note: changes of readers are saved without a history: \(folder.shown): \(problem)")
        }
        if readers.list.isEmpty { Main.tell("note: there is no reader yet (use chemopen serve --add NAME to add one)") }
        try? writeAll(Array((site.address + "\n").utf8), to: 1)
        return withThread {
            while true {
                sleepSeconds(1)
                folderNews.tell(service.lookAround())
            }
        } _: { isRunning in
            if isRunning { watchReaders(readers, site) }
            return "the server cannot be started: no thread is available"
        }
    }

    /// Updates the readers whenever the token list changes. Other users may write to the served directory, so it is
    /// scanned in another thread and cannot delay the revocation of a token.
    private func watchReaders(_ readers: Readers, _ site: ServeSite) -> Never {
        let news = News()
        var known = readers
        while true {
            sleepSeconds(1)
            do throws(Readers.Failure) {
                known = try Readers(tokens)
                site.admit(known)
                news.tell(site.journal.storeSeen(of: known.list))
            } catch {
                // If the list cannot be read, no access is permitted.
                known.forgetAll()
                site.admit(known)
                news.tell([error.message])
            }
        }
    }
}

/// Prints the messages of a loop, each once until it disappears.
private final class News: Sendable {
    private let told = Guarded<Set<String>>([])

    func tell(_ messages: [String]) {
        let before = told.change { told in
            defer { told = Set(messages) }
            return told
        }
        for message in messages where !before.contains(message) { Main.tell("warning: \(message)") }
    }
}
