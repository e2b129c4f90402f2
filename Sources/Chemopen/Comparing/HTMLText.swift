/// A builder for HTML that escapes text from files.
struct HTMLText: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Adds HTML markup.
    mutating func add(html: String) {
        bytes += html.utf8
    }

    /// Adds HTML as bytes.
    mutating func add(bytes piece: [UInt8]) {
        bytes += piece
    }

    /// Adds escaped text. Text over the limit is truncated with a remark.
    mutating func add(_ text: String, atMost limit: Int = .max) {
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit { return add(html: "… (cut)") }
            count += 1
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            case "\n", "\t": bytes += String(scalar).utf8
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                bytes += "\u{FFFD}".utf8
            default: bytes += UTF8.encode(scalar).map { Array($0) } ?? []
            }
        }
    }
}
