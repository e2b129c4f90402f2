import ChemopenBrowse

/// The page, made of files that are embedded in the program. Its script is a concatenation of several files.
enum ViewerPage {
    static var html: [UInt8] { PackageResources.viewer_html }
    static var script: [UInt8] {
        readingScript + PackageResources.sketch_model_js + PackageResources.sketch_draw_js + PackageResources.sketch_js
            + PackageResources.fields_js + PackageResources.viewer_js
    }
    /// The part of the script that a page without a program needs, without its last file.
    private static var readingScript: [UInt8] {
        [
            PackageResources.kept_js, PackageResources.source_js, PackageResources.condition_js,
            PackageResources.page_js, PackageResources.collections_js,
            PackageResources.selection_js, PackageResources.list_js, PackageResources.columns_js,
            PackageResources.surveys_js, PackageResources.query_js, PackageResources.rail_js,
            PackageResources.record_js,
            PackageResources.model_js, PackageResources.cards_js, PackageResources.plot_js,
        ].reduce(into: []) { $0 += $1 }
    }
    /// The font of the page, which it loads after the first rows.
    static var font: [UInt8] { PackageResources.inter_woff2 }
    static var sheet: [UInt8] { PackageResources.viewer_css + PackageResources.sketch_css }

    /// Returns the page for a team server. It can be installed and stores viewed records on the device.
    static func served() -> [UInt8] {
        let text = String(decoding: html, as: UTF8.self)
        let manifest = "<link rel=\"manifest\" href=\"manifest.webmanifest\" crossorigin=\"use-credentials\">"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("<html") { return "<html lang=\"en\" class=\"served\">" }
            return line.holds("viewer.css") ? manifest + "\n" + line : String(line)
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Returns a self-contained page without its data, as the part before the data and the part after it.
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
                page += Array("<style nonce=\"\(nonce)\">\n".utf8) + PackageResources.viewer_css
                page += Array("</style>".utf8)
            } else if text.holds("</body>") {
                page += Array("<script type=\"application/json\" id=\"data\" nonce=\"\(nonce)\">".utf8)
                before = page
                page = Array("</script>\n<script nonce=\"\(nonce)\">\n".utf8) + readingScript
                page += PackageResources.viewer_js + Array("</script>\n".utf8)
                page += line
            } else if !text.holds("icon.svg"), !text.holds("viewer.js") {
                page += line
            }
            page.append(UInt8(ascii: "\n"))
        }
        return (before, page)
    }

    /// Appends JSON to the page. Escapes `<` to prevent the data from closing its script element.
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
