import Chemopen
import ChemopenBrowse

/// `chemopen-view --serve FOLDER [--listen PLACE] [--address URL] [--tokens FILE]`, as `chemopen serve` starts it.
struct ServeRequest {
    /// The address on which the server listens, for a reverse proxy or for users of this machine.
    enum Place {
        case socket(LocalPath)
        case loopback(UInt16)
    }

    private(set) var folder: LocalPath = ""
    private var place = Place.loopback(Self.usualPort)
    private var address: String?
    private var tokens = Readers.usualPath(in: .current)

    static let usualPort: UInt16 = 8017

    init?(_ words: [LocalPath]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word == "--serve" || word == "--listen" || word == "--address" || word == "--tokens",
                let value = rest.popFirst()
            else { return nil }
            switch word {
            case "--serve": folder = value
            case "--listen":
                guard let place = Place(value) else { return nil }
                self.place = place
            case "--address": address = value.text
            default: tokens = value
            }
        }
        if let address, ServeRequest.origin(address) == nil { return nil }
        if case .socket = place, address == nil { return nil }
    }

    /// Returns the scheme and host of an address in lower case, or `nil` if it contains more than that.
    static func origin(_ address: String) -> String? {
        var text = address.lowercased()
        if text.hasSuffix("/") { text.removeLast() }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let host = text.dropFirst(scheme.count)
        let isHost = host.utf8.allSatisfy { Ascii.isLetter($0) || Ascii.isDigit($0) || ".:-[]".utf8.contains($0) }
        return host.isEmpty || !isHost ? nil : text
    }

    /// Serves until the process is ended. Returns a message if the server cannot be started.
    func run() -> String {
        guard let folder = ServedFolder(folder) else { return "\(self.folder.shown) is not a directory" }
        let readers: Readers
        do throws(Readers.Failure) {
            readers = try Readers(tokens)
        } catch {
            return error.message
        }
        let listening: Int32
        switch place {
        case .socket(let path):
            guard let descriptor = HTTPServer.listen(at: path) else {
                return "cannot listen on \(path.shown): it is in use, or the directory is not writable"
            }
            listening = descriptor
        case .loopback(let port):
            guard let descriptor = HTTPServer.listen(onLoopback: port) else {
                return "port \(port) is not available (use --listen to specify another)"
            }
            listening = descriptor
        }
        let host = address.flatMap(Self.origin)?.split(separator: "/").last?.split(separator: ":").first
        let service = BrowseService(serving: folder, recordingAs: host.map { String($0) } ?? "localhost") {
            Main.tell($0)
        }
        let site = ServeSite(service, readers, at: address.flatMap(Self.origin) ?? "")
        return service.serving { serve(service, site, readers, on: listening) }
    }

    private func serve(_ service: BrowseService, _ site: ServeSite, _ readers: Readers, on listening: Int32) -> String {
        let folderNews = News()
        folderNews.tell(service.lookAround())
        guard
            let server = HTTPServer(
                listening: listening, refusing: { site.refusal($0) }, { site.answer($0) })
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
                news.tell([])
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

extension ServeRequest.Place {
    /// Parses `unix:/run/chemopen.sock`, `127.0.0.1:8017` or `8017`.
    init?(_ word: LocalPath) {
        if word.hasPrefix("unix:") {
            let path = LocalPath(bytes: Array(word.bytes.dropFirst(5)))
            if path.bytes.isEmpty { return nil }
            self = .socket(path)
            return
        }
        var text = word.text ?? ""
        for host in ["127.0.0.1:", "localhost:"] where text.hasPrefix(host) { text.removeFirst(host.count) }
        guard let port = UInt16(text) else { return nil }
        self = .loopback(port)
    }
}
