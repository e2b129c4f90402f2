import Chemopen
import ChemopenBrowse

/// The responses of the local server: the page and the data that the page requests.
///
/// Requests without the secret, from other pages or to another host name receive an empty 404 response.
final class ViewSite: Sendable {
    private let service: BrowseService
    private let secret = Secret()
    /// An address that works once. Browsers store opened addresses, so it must not contain the permanent secret.
    private let ticket = Guarded<(secret: Secret, onUse: @Sendable () -> Void)?>(nil)
    /// The number of times that files were added or the page was requested, and the last file added. Open pages watch
    /// it.
    private let calls = Guarded(HTTPResponse.News())
    /// An action to run once if the page reports that it could not come to the front.
    private let unseen = Guarded<(@Sendable () -> Void)?>(nil)
    private let presence: Presence
    private let port = Guarded(0)

    /// The initial fragment of the page's address, to resume where the user left.
    private let beginning: String
    /// The arguments that specify how to read the files and select records.
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

    /// Creates an address that leads to the page once. It invalidates earlier addresses of this kind.
    ///
    /// - Parameters:
    ///   - prepare: receives the address before it becomes valid.
    ///   - onUse: called when a browser opens it.
    func makeOnceAddress(_ prepare: (String) -> Void, onUse: @escaping @Sendable () -> Void) {
        let secret = Secret()
        prepare("\(origin)/\(secret.text)")
        ticket.change { $0 = (secret, onUse) }
    }

    /// Makes the open pages show a file, or only come to the front. Calls `unseen` if the browser stays in the
    /// background.
    func isCalled(toShow file: String?, unseen: @escaping @Sendable () -> Void) {
        self.unseen.change { $0 = unseen }
        calls.change { calls in
            calls.count += 1
            calls.file = file ?? ""
        }
    }

    /// The end of each page's title.
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

    /// The headers of each response, which prevent caching, loading resources from other sites, and use by other pages.
    private static let headers = HTTPResponse.closedHeaders(policy)

    private static let policy = "require-trusted-types-for 'script'"

    private func get(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
        switch name {
        case "": return HTTPResponse(ViewerPage.html, "text/html; charset=utf-8")
        case "viewer.js":
            return isOwn(request) ? HTTPResponse(ViewerPage.script, "text/javascript; charset=utf-8") : nothing
        case "viewer.css": return isOwn(request) ? HTTPResponse(ViewerPage.sheet, "text/css; charset=utf-8") : nothing
        case "inter.woff2": return isOwn(request) ? HTTPResponse(ViewerPage.font, "font/woff2") : nothing
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

    /// Returns whether the request comes from the page itself, according to the browser's headers.
    private func isOwn(_ request: HTTPRequest) -> Bool {
        if let origin = request.origin, origin != self.origin { return false }
        if let site = request.fetchSite, site != "same-origin", site != "none" { return false }
        return true
    }

    private func post(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
        // Browsers send `Origin` with each POST, so a request without it does not come from the page.
        guard request.method == "POST", isOwn(request), request.origin == origin else { return nothing }
        switch name {
        case "browse": return HTTPResponse(service.answer(request.body), "application/json")
        case "left":
            SavedViewState(address: request.body, files: service.paths, words: words)?.keep()
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
        case "export":
            switch service.export(request.body) {
            case .success(let records) where records.size == 0: return HTTPResponse(records.account, "application/json")
            case .success(let records):
                var response = HTTPResponse(200, .file(0..<records.size) { records.bytes($0) })
                response.headers = [("Content-Type", records.mimeType)]
                return response
            case .failure(let error):
                var response = HTTPResponse(Array(error.message.utf8), "text/plain; charset=utf-8")
                response.status = 422
                return response
            }
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
