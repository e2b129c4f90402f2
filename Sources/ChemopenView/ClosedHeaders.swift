import Chemopen

extension HTTPResponse {
    /// Creates a response with a content type.
    init(_ bytes: [UInt8], _ type: String, _ status: UInt32 = 200) {
        self.init(status, .bytes(bytes))
        headers = [("Content-Type", type)]
    }

    /// Returns the response in compressed form if the client accepts it and the content is text.
    func compressed(for request: HTTPRequest) -> HTTPResponse {
        guard status == 200, case .bytes(let bytes) = body, bytes.count > 1400, request.method == "GET" || isJSON,
            request.acceptEncoding?.holds("gzip") == true, isText, let packed = gzipped(bytes, level: 5)
        else { return self }
        var response = self
        response.body = .bytes(packed)
        response.headers += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        return response
    }

    private var type: String { headers.first { $0.name == "Content-Type" }?.value ?? "" }
    private var isJSON: Bool { type.hasPrefix("application/json") }
    private var isText: Bool {
        isJSON || type.hasPrefix("text/") && !type.hasPrefix("text/event-stream") || type.hasPrefix("image/svg")
    }

    /// Returns headers that prevent caching, loading resources from other sites, and use by other pages.
    ///
    /// - Parameter more: directives to append to the content security policy.
    static func closedHeaders(_ more: String) -> [(name: String, value: String)] {
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " + more
        return [
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", policy),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
        ]
    }
}
