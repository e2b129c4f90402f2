/// An HTML page that shows the differences of two files.
///
/// Each differing record is shown with pictures of both versions, with highlighted changes, and with its fields before
/// and after. The page is a single file without scripts or external resources.
///
///     var page = ComparisonPage("before.sdf", "after.sdf")
///     try FileComparison("before.sdf", "after.sdf").compare { page.add($0) }
///     print(String(decoding: page.bytes, as: UTF8.self))
public struct ComparisonPage: Sendable {
    /// The maximum number of records to show. Further ones are only counted.
    public var mostShown = 500
    private let (first, second): (LocalPath, LocalPath)
    private var text = HTMLText()
    private var counts: [RecordDifference.Kind: Int] = [:]
    private var shown = 0
    private var all = 0
    private var unreadable = 0

    /// The approximate maximum size of the page.
    private static let mostBytes = 32 << 20
    private static let mostRows = 200
    private static let longestText = 4000

    /// Creates a page for two files. The paths are shown as their names.
    public init(_ first: LocalPath, _ second: LocalPath) {
        (self.first, self.second) = (first, second)
    }

    /// Adds a record that differs.
    public mutating func add(_ difference: RecordDifference) {
        counts[difference.kind, default: 0] += 1
        all += 1
        if shown >= mostShown || text.bytes.count > Self.mostBytes { return }
        shown += 1
        text.add(html: "<section class=\"\(difference.kind.rawValue)\">\n<h2>")
        text.add(Self.place(difference))
        text.add(html: " <small>")
        text.add(difference.name)
        text.add(html: "</small></h2>\n")
        addPictures(of: difference)
        addDifferences(difference.differences)
        text.add(html: "</section>\n")
    }

    /// Counts an unreadable record, which may differ.
    public mutating func addUnreadable() {
        unreadable += 1
    }

    private static func place(_ record: RecordDifference) -> String {
        switch (record.first, record.second) {
        case (let first?, let second?):
            if record.kind == .moved { return "record \(first) moved to \(second)" }
            return "record \(first)" + (first == second ? "" : ", now \(second)")
        case (let number?, nil), (nil, let number?): return "record \(number) \(record.kind.rawValue)"
        case (nil, nil): return "the table"
        }
    }

    // MARK: Pictures

    private mutating func addPictures(of difference: RecordDifference) {
        var (before, after) = (difference.before, difference.after)
        switch difference.kind {
        case .moved: return
        case .changed:
            guard let old = before, let new = after, old.subject != new.subject else { return }
            let marked = MarkedChanges(old, new)
            (before, after) = (marked.first, marked.second)
        case .deleted, .inserted: break
        }
        text.add(html: "<div class=\"pair\">")
        addPicture(of: before, "before")
        addPicture(of: after, "after")
        text.add(html: "</div>\n")
    }

    private mutating func addPicture(of record: Record?, _ side: StaticString) {
        guard let record else { return }
        text.add(html: "<figure><figcaption>\(side)</figcaption>")
        if var picture = record.modestPicture(Picture.Style(.light)) {
            picture.title = "the structure \(side)"
            text.add(bytes: picture.svg())
        } else {
            text.add(record.drawnAtoms > 0 ? "not drawn: \(record.drawnAtoms) atoms" : "no structure")
        }
        text.add(html: "</figure>")
    }

    // MARK: Texts

    private mutating func addDifferences(_ list: [Difference]) {
        if list.isEmpty { return }
        text.add(html: "<table><tr><th></th><th>before</th><th>after</th></tr>\n")
        for difference in list.prefix(Self.mostRows) {
            text.add(html: "<tr><th>")
            text.add(difference.subject)
            text.add(html: "</th>")
            let shared = SharedEnds(difference.first ?? "", difference.second ?? "")
            addCell(difference.first, shared, "del")
            addCell(difference.second, shared, "ins")
            text.add(html: "</tr>\n")
        }
        text.add(html: "</table>\n")
        if list.count > Self.mostRows {
            text.add(html: "<p class=\"more\">and \(list.count - Self.mostRows) more differences of this record</p>\n")
        }
    }

    private mutating func addCell(_ value: String?, _ shared: SharedEnds, _ tag: StaticString) {
        guard let value else { return text.add(html: "<td class=\"none\">–</td>") }
        let (start, middle, end) = shared.parts(of: value)
        text.add(html: "<td>")
        text.add(start, atMost: Self.longestText)
        text.add(html: "<\(tag)>")
        text.add(middle, atMost: Self.longestText)
        text.add(html: "</\(tag)>")
        text.add(end, atMost: Self.longestText)
        text.add(html: "</td>")
    }

    // MARK: Page

    /// The complete page.
    public var bytes: [UInt8] {
        var page = HTMLText()
        page.add(html: Self.head)
        page.add(html: "<title>")
        page.add("\(first.name.shown), \(second.name.shown)")
        page.add(html: "</title>\n<h1><del>")
        page.add(first.shown)
        page.add(html: "</del> <ins>")
        page.add(second.shown)
        page.add(html: "</ins></h1>\n<p>")
        page.add(summary)
        page.add(html: "</p>\n")
        page.add(bytes: text.bytes)
        if shown < all {
            page.add(html: "<p class=\"more\">")
            page.add("Only the first \(shown) of \(all) are shown. Run chemopen diff without --html to list all.")
            page.add(html: "</p>\n")
        }
        return page.bytes
    }

    private var summary: String {
        let kinds: [RecordDifference.Kind] = [.changed, .inserted, .deleted, .moved]
        var words = kinds.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        if unreadable > 0 { words.append("\(unreadable) unreadable") }
        if words.isEmpty { return "No differences." }
        return words.joined(separator: ", ") + (shown < all ? "; the first \(shown) of \(all) are shown" : "")
    }

    private static let head = """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <style>
        body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em auto; max-width: 70em; padding: 0 1em; color: #1b1b1d;
          background: #fff }
        h1 { font-size: 1.3em } h2 { font-size: 1.05em; margin: 0 0 .5em } small { font-weight: normal; color: #666 }
        section { border: 1px solid #ddd; border-left: 4px solid #d9a400; border-radius: 4px; padding: .8em; margin: 1em 0 }
        section.inserted { border-left-color: #2a8a3e } section.deleted { border-left-color: #c0392b }
        section.moved { border-left-color: #3a6ea5 }
        .pair { display: flex; flex-wrap: wrap; gap: 1em } figure { margin: 0; flex: 1 1 20em; overflow: auto }
        figcaption { color: #666 } svg { max-width: 100%; height: auto }
        table { border-collapse: collapse; margin-top: .5em } th, td { text-align: left; vertical-align: top;
          padding: .15em .8em .15em 0; border-top: 1px solid #eee; white-space: pre-wrap; overflow-wrap: anywhere }
        th { font-weight: normal; color: #666 } del { background: #fbe3e0; text-decoration: none }
        ins { background: #dff3e3; text-decoration: none } .none, .more { color: #666 }
        </style>

        """
}

/// The common prefix and suffix of two texts.
private struct SharedEnds {
    private var start = 0
    private var end = 0

    init(_ one: String, _ other: String) {
        let (first, second) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        let least = min(first.count, second.count)
        while start < least, first[start] == second[start] { start += 1 }
        while end < least - start, first[first.count - 1 - end] == second[second.count - 1 - end] { end += 1 }
    }

    func parts(of text: String) -> (start: String, middle: String, end: String) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count >= start + end else { return ("", text, "") }
        func part(_ range: Range<Int>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return String(view)
        }
        let behind = scalars.count - end
        return (part(0..<start), part(start..<behind), part(behind..<scalars.count))
    }
}

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

    /// Adds escaped text. Text over the limit is cut with a remark.
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
