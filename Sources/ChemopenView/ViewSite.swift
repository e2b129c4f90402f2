import Chemopen
import ChemopenBrowse

/// The server's answers: the page, and to the page what it asks of the files.
///
/// Whoever does not know the secret, comes from another page, or reached the server under another name, gets nothing.
final class ViewSite: Sendable {
    private let service: BrowseService
    private let secret = Secret()
    /// Leads to the page once: a browser keeps the addresses that it was led to.
    private let ticket = Guarded<(secret: Secret, onUse: @Sendable () -> Void)?>(nil)
    /// How often somebody has handed files over or asked for the page, and the file last handed over: pages that are open
    /// take notice.
    private let calls = Guarded(HTTPResponse.News())
    /// To be done once, when the page says that it was called and did not come to the front.
    private let unseen = Guarded<(@Sendable () -> Void)?>(nil)
    private let presence: Presence
    private let port = Guarded(0)

    /// The end of the page's address at first, where somebody goes on where they left.
    private let beginning: String
    /// The words by which the files are read and their records chosen.
    private let words: [LocalPath]

    init(_ service: BrowseService, _ presence: Presence, beginningAt beginning: String = "", _ words: [LocalPath] = [])
    {
        self.service = service
        self.beginning = beginning
        self.words = words
        self.presence = presence
    }

    func listens(on port: Int) {
        self.port.change { $0 = port }
    }

    private var origin: String { "http://127.0.0.1:\(port.change { $0 })" }

    /// The address of the page.
    var address: String { "\(origin)/\(secret.text)/\(beginning)" }

    /// Makes an address that leads to the page once. Those that were made before lead there no more.
    ///
    /// - Parameters:
    ///   - prepare: gets the address before anybody can use it.
    ///   - onUse: called when a browser comes with it.
    func makeOnceAddress(_ prepare: (String) -> Void, onUse: @escaping @Sendable () -> Void) {
        let secret = Secret()
        prepare("\(origin)/\(secret.text)")
        ticket.change { $0 = (secret, onUse) }
    }

    /// Lets the pages that are open show a file, or only themselves; `unseen` is called where the browser stays in the
    /// background all the same.
    func isCalled(toShow file: String?, unseen: @escaping @Sendable () -> Void) {
        self.unseen.change { $0 = unseen }
        calls.change { calls in
            calls.count += 1
            calls.file = file ?? ""
        }
    }

    /// The titles of pages end so.
    static let titleEnd = " – Chemopen"

    // MARK: Answers

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard "http://" + request.host == origin, !request.isTooLarge else { return nothing }
        let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard let word = parts.first else { return nothing }
        if parts.count == 1, request.method == "GET", useTicket(word) {
            var response = HTTPResponse(303)
            let file = calls.change { $0.file }
            let place = file.isEmpty ? beginning : "#file=\(file)"
            response.headers = [("Location", "/\(secret.text)/" + place)] + Self.headers
            return response
        }
        guard secret.matches(word), request.path.hasPrefix("/\(secret.text)/") else { return nothing }
        let name = parts.count > 1 ? String(parts[1]) : ""
        var response = request.method == "GET" ? get(name, request) : post(name, request)
        response.headers += Self.headers
        return response
    }

    private func useTicket(_ word: Substring) -> Bool {
        let onUse: (@Sendable () -> Void)? = ticket.change { held in
            guard let (secret, onUse) = held, secret.matches(word) else { return nil }
            held = nil
            return onUse
        }
        onUse?()
        return onUse != nil
    }

    private var nothing: HTTPResponse {
        var response = HTTPResponse(404)
        response.headers = Self.headers
        return response
    }

    /// The headers of each answer: nothing is kept, nothing from elsewhere is loaded, and no other page may use it.
    private static let headers = HTTPResponse.closedHeaders(policy)

    private static let policy = "require-trusted-types-for 'script'"

    private func get(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
        switch name {
        case "": return HTTPResponse(ViewerPage.html, "text/html; charset=utf-8")
        case "viewer.js":
            return isOwn(request) ? HTTPResponse(ViewerPage.script, "text/javascript; charset=utf-8") : nothing
        case "viewer.css": return isOwn(request) ? HTTPResponse(ViewerPage.sheet, "text/css; charset=utf-8") : nothing
        case "icon.svg": return HTTPResponse(Array(IconPicture.program.utf8), "image/svg+xml")
        case "alive":
            guard isOwn(request) else { return nothing }
            presence.begin()
            let presence = self.presence
            let calls = self.calls
            var response = HTTPResponse(200, .lasting(news: { calls.change { $0 } }) { presence.end() })
            response.headers = [("Content-Type", "text/event-stream")]
            return response
        default: return nothing
        }
    }

    /// Whether the page itself asks, as far as the browser says.
    private func isOwn(_ request: HTTPRequest) -> Bool {
        if let origin = request.origin, origin != self.origin { return false }
        if let site = request.fetchSite, site != "same-origin", site != "none" { return false }
        return true
    }

    private func post(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
        // A browser says where a POST comes from; one that says nothing is no page.
        guard request.method == "POST", isOwn(request), request.origin == origin else { return nothing }
        switch name {
        case "browse": return HTTPResponse(service.answer(request.body), "application/json")
        case "left":
            LeftView(address: request.body, files: service.paths, words: words)?.keep()
            return HTTPResponse(204)
        case "programs": return HTTPResponse(service.programs(request.body), "application/json")
        case "open": return HTTPResponse(service.open(request.body), "application/json")
        case "unseen":
            let tell = unseen.change { unseen in
                defer { unseen = nil }
                return unseen
            }
            tell?()
            return HTTPResponse(204)
        case "save":
            switch service.save(request.body) {
            case .success(let saved): return HTTPResponse(saved.bytes, saved.mimeType)
            case .failure(let error):
                var response = HTTPResponse(Array(error.message.utf8), "text/plain; charset=utf-8")
                response.status = 422
                return response
            }
        default: return nothing
        }
    }
}
