import Chemopen
import ChemopenBrowse

/// The responses of a team server. Users with a token receive the page, and programs with a token receive replies to
/// their requests. All others receive only the login page.
final class ServeSite: Sendable {
    private let answers: SharedAnswers
    private let readers: Guarded<Readers>
    /// The public address of the server: `https://chem.example.org`.
    private let origin: Guarded<String>
    let journal: ServeJournal

    /// The maximum size of a request body.
    static let largestBody = 1 << 18

    init(_ service: BrowseService, _ readers: Readers, at origin: String, _ journal: ServeJournal) {
        answers = SharedAnswers(service)
        self.journal = journal
        self.readers = Guarded(readers)
        self.origin = Guarded(origin)
    }

    var address: String { origin.change { $0 } + "/" }

    func isReached(at origin: String) {
        self.origin.change { $0 = origin }
    }

    /// Replaces the readers that have access.
    func admit(_ readers: Readers) {
        self.readers.change { $0 = readers }
    }

    // MARK: Who asks

    /// The public files, which make up the login page.
    private static let open: Set<String> = ["/", "/enter.js", "/viewer.css", "/icon.svg"]

    /// Checks the head of a request before its body is read. Returns a response if the request is refused.
    func refusal(_ head: HTTPRequest) -> HTTPResponse? {
        if head.isAmbiguous { return nothing(400) }
        if head.statedLength > Self.largestBody { return nothing(413) }
        if head.path == "/health", head.method != "POST" { return nil }
        let origin = origin.change { $0 }
        guard isOwnHost(head.host, origin) else {
            let hint = "a proxy must pass on the Host header, and --address must contain the port"
            return refusal(403, "this server is \(origin), but the request is for another host (\(hint))")
        }
        guard head.origin.map({ $0 == origin }) ?? true else {
            return refusal(403, "this server is \(origin) and refuses requests from pages of other sites")
        }
        guard ["GET", "HEAD", "POST"].contains(head.method) else { return nothing(405) }
        if let site = head.fetchSite, site != "same-origin", site != "none", head.path != "/" { return nothing(403) }
        if head.method != "POST", Self.open.contains(head.path) { return nil }
        guard reader(of: head) != nil else {
            var response = nothing(401)
            let isShown = token(of: head) != nil
            response.headers.append(("WWW-Authenticate", isShown ? "Bearer error=\"invalid_token\"" : "Bearer"))
            return response
        }
        // Browsers send `Origin` with each POST. A request with a cookie but no origin does not come from a page of
        // this server.
        if head.method == "POST", bearer(head) == nil, head.origin == nil { return nothing(403) }
        return nil
    }

    /// Notes a request after its response.
    func note(_ answered: AnsweredRequest) {
        let head = answered.request
        let name = reader(of: head)?.name
        let host = isOwnHost(head.host, origin.change { $0 }) || head.path == "/health" ? nil : head.host
        journal.note(answered, from: name, token: name == nil ? nil : token(of: head), wrongHost: host)
    }

    private func isOwnHost(_ host: String, _ origin: String) -> Bool {
        origin == "https://" + host || origin == "http://" + host
    }

    private func bearer(_ head: HTTPRequest) -> String? {
        guard let words = head.authorization?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer"
        else { return nil }
        return String(words[1])
    }

    /// The name of the cookie. Browsers send a cookie with the prefix `__Host-` only over TLS and only to the host that
    /// set it.
    private var cookieName: String { address.hasPrefix("https:") ? "__Host-reader" : "reader" }

    private func reader(of head: HTTPRequest) -> Reader? {
        guard let token = token(of: head), token.utf8.count <= 100 else { return nil }
        let today = String(localTime(currentTime()).prefix(10))
        return readers.change { $0.reader(forToken: token, on: today) }
    }

    private func token(of head: HTTPRequest) -> String? {
        var token = bearer(head)
        if head.authorization == nil, let cookie = head.cookie {
            let values = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
            token = values.first { $0.hasPrefix(cookieName + "=") }.map { String($0.dropFirst(cookieName.count + 1)) }
        }
        return token
    }

    // MARK: Answers

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard !request.isTooLarge else { return nothing(413) }
        let reader = reader(of: request)
        var response: HTTPResponse
        if request.method == "POST" {
            guard let reader else { return nothing(401) }
            response = post(request, reader)
        } else {
            if let reader, let place = ServedContent.Place(path: request.path) { return fetch(place, request, reader) }
            let wantsPage = bearer(request) == nil || request.accept?.holds("text/html") == true
            if let reader, request.path == "/", !wantsPage {
                response = choices(for: reader)
            } else {
                response = get(request.path, isReader: reader != nil)
            }
        }
        response.headers += Self.headers
        return response
    }

    private func post(_ request: HTTPRequest, _ reader: Reader) -> HTTPResponse {
        switch request.path {
        case "/browse": return browse(request.body, reader)
        case "/enter":
            var response = HTTPResponse(204)
            let age = "Max-Age=31536000"
            response.headers = [("Set-Cookie", cookie(bearer(request) ?? "", age))]
            return response
        case "/leave":
            var response = HTTPResponse(204)
            response.headers = [
                ("Set-Cookie", cookie("", "Max-Age=0")), ("Clear-Site-Data", #""cache", "cookies", "storage""#),
            ]
            return response
        default: return Self.failure(404)
        }
    }

    private func cookie(_ value: String, _ age: String) -> String {
        let isSecure = address.hasPrefix("https:")
        return "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Lax; \(age)" + (isSecure ? "; Secure" : "")
    }

    private func browse(_ body: [UInt8], _ reader: Reader) -> HTTPResponse {
        let answer = answers.answer(body, to: reader)
        let status: UInt32 =
            switch answer.outcome {
            case .answered: 200
            case .refused: 400
            case .forbidden: 403
            case .conflict: 409
            case .tooMuch: 429
            case .busy: 503
            }
        var response = HTTPResponse(answer.json, "application/json", status)
        if let seconds = answer.secondsToRetry { response.headers.append(("Retry-After", "\(seconds)")) }
        return response
    }

    private func get(_ path: String, isReader: Bool) -> HTTPResponse {
        switch path {
        case "/" where isReader: return HTTPResponse(ViewerPage.served(), "text/html; charset=utf-8")
        case "/": return HTTPResponse(PackageResources.enter_html, "text/html; charset=utf-8", 401)
        case "/enter.js": return HTTPResponse(PackageResources.enter_js, Self.script)
        case "/viewer.css": return HTTPResponse(ViewerPage.sheet, "text/css; charset=utf-8")
        case "/icon.svg": return HTTPResponse(Array(IconPicture.program.utf8), "image/svg+xml")
        case "/inter.woff2": return HTTPResponse(ViewerPage.font, "font/woff2")
        case "/viewer.js": return HTTPResponse(ViewerPage.script, Self.script)
        case "/worker.js": return HTTPResponse(PackageResources.worker_js, Self.script)
        case "/manifest.webmanifest":
            return HTTPResponse(PackageResources.manifest_webmanifest, "application/manifest+json")
        case "/try": return HTTPResponse(PackageResources.try_html, "text/html; charset=utf-8")
        case "/health":
            let text = journal.isHealthy ? "ok\n" : "the served directory is missing\n"
            return HTTPResponse(Array(text.utf8), Self.plain, journal.isHealthy ? 200 : 503)
        case "/version":
            return HTTPResponse(Array("{\"version\":\"\(journal.version)\"}\n".utf8), "application/json")
        case "/metrics":
            let files = answers.paths(for: Reader("")).count
            let metrics = journal.metrics(readers: readers.change { $0.list.count }, files: files)
            return HTTPResponse(metrics, "text/plain; version=0.0.4; charset=utf-8")
        case "/try.js": return HTTPResponse(PackageResources.try_js, Self.script)
        default: return Self.failure(404)
        }
    }

    /// Returns an error as JSON.
    private static func failure(_ status: UInt32) -> HTTPResponse {
        let message =
            switch status {
            case 401: "a valid token is required"
            case 403: "requests from other hosts or pages are not allowed"
            case 404: "there is nothing at this address"
            case 405: "this method is not supported"
            case 413: "the request is too large"
            default: "the request is not valid"
            }
        return HTTPResponse(Array("{\"error\":\"\(message)\"}\n".utf8), "application/json", status)
    }

    /// The response to a program that requests the server's root as a file: a redirect to its only file, or a list of
    /// files.
    private func choices(for reader: Reader) -> HTTPResponse {
        let paths = answers.paths(for: reader)
        var response = HTTPResponse(paths.count == 1 ? 302 : 300, .bytes(Array(paths.map { $0 + "\n" }.joined().utf8)))
        response.headers = [("Content-Type", Self.plain)]
        if paths.count == 1 { response.headers.append(("Location", paths[0])) }
        // Limit the size of the response head.
        let links = paths.prefix(Self.mostLinks).map { "<\($0)>; rel=\"item\"" }
        if !links.isEmpty { response.headers.append(("Link", links.joined(separator: ", "))) }
        return response
    }

    private static let mostLinks = 5

    /// Returns a file of a collection, or an entity as a file, for a program that downloads it.
    private func fetch(_ place: ServedContent.Place, _ request: HTTPRequest, _ reader: Reader) -> HTTPResponse {
        var response: HTTPResponse
        switch answers.content(at: place, for: reader) {
        case .missing: response = Self.failure(404)
        case .later(let seconds):
            response = HTTPResponse(429)
            response.headers = [("Retry-After", "\(seconds)")]
        case .content(let content): response = HTTPResponse(content, for: request)
        }
        // The client may cache the content, but must revalidate it each time.
        response.headers.append(("Cache-Control", "private, no-cache"))
        response.headers += Self.headers.filter { $0.name != "Cache-Control" }
        return response
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let plain = "text/plain; charset=utf-8"

    private func refusal(_ status: UInt32, _ text: String) -> HTTPResponse {
        var response = nothing(status)
        response.body = .bytes(Array((text + "\n").utf8))
        response.headers.append(("Content-Type", Self.plain))
        return response
    }

    private func nothing(_ status: UInt32) -> HTTPResponse {
        var response = Self.failure(status)
        // Close the connection. Otherwise, data after a refused request could be parsed as another request.
        response.headers = Self.headers + [("Connection", "close")]
        return response
    }

    private static let headers = HTTPResponse.closedHeaders(policy)

    private static let policy =
        "manifest-src 'self'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types worker"
}
