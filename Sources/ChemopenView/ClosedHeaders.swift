extension HTTPResponse {
    /// Creates a response with a content type.
    init(_ bytes: [UInt8], _ type: String, _ status: UInt32 = 200) {
        self.init(status, .bytes(bytes))
        headers = [("Content-Type", type)]
    }

    /// Returns headers that prevent caching, loading resources from other sites, and use by other pages.
    ///
    /// - Parameter more: directives to append to the content security policy.
    static func closedHeaders(_ more: String) -> [(name: String, value: String)] {
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
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
