import ChemopenBrowse

/// The page: files that are part of the program. Its script is several files put behind one another.
enum ViewerPage {
    static var html: [UInt8] { PackageResources.viewer_html }
    static var script: [UInt8] {
        PackageResources.kept_js + PackageResources.source_js + PackageResources.page_js + PackageResources.list_js
            + PackageResources.columns_js
            + PackageResources.record_js + PackageResources.viewer_js
    }
    static var sheet: [UInt8] { PackageResources.viewer_css }

    /// The page as it is served to a team: it can be installed, and keeps on the device what was seen.
    static func served() -> [UInt8] {
        let text = String(decoding: html, as: UTF8.self)
        let manifest = "<link rel=\"manifest\" href=\"manifest.webmanifest\" crossorigin=\"use-credentials\">"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("<html") { return "<html lang=\"en\" class=\"served\">" }
            return line.holds("viewer.css") ? manifest + "\n" + line : String(line)
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// The page with everything in it but its data, for a file that stands by itself: what stands in front of the data,
    /// and what behind.
    static func whole() -> (before: [UInt8], behind: [UInt8]) {
        let nonce = Secret().text
        let policy =
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; "
            + "form-action 'none'; require-trusted-types-for 'script'"
        var page: [UInt8] = []
        var before: [UInt8] = []
        for line in html.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let text = String(decoding: line, as: UTF8.self)
            if text.holds("<meta charset") {
                page += line
                page += Array("\n<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">".utf8)
            } else if text.holds("viewer.css") {
                page += Array("<style nonce=\"\(nonce)\">\n".utf8) + sheet + Array("</style>".utf8)
            } else if text.holds("</body>") {
                page += Array("<script type=\"application/json\" id=\"data\" nonce=\"\(nonce)\">".utf8)
                before = page
                page = Array("</script>\n<script nonce=\"\(nonce)\">\n".utf8) + script + Array("</script>\n".utf8)
                page += line
            } else if !text.holds("icon.svg"), !text.holds("viewer.js") {
                page += line
            }
            page.append(UInt8(ascii: "\n"))
        }
        return (before, page)
    }

    /// Adds JSON that becomes part of the page without being able to end its element.
    static func append(_ data: [UInt8], to page: inout [UInt8]) {
        var rest = data[...]
        while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
            page += rest[..<place]
            page += "\\u003c".utf8
            rest = rest[(place + 1)...]
        }
        page += rest
    }
}
