/// The sections of an HTML page that shows changed records with pictures of both versions.
struct ChangeSections: Sendable {
    /// A changed record.
    struct Change {
        let kind: RecordDifference.Kind
        /// The record's number, in words.
        let place: String
        /// The record's title.
        let name: String
        let before: Record?
        let after: Record?
        let differences: [Difference]
    }

    /// The maximum number of records to show. Further records are only counted.
    var mostShown = 500
    private var text = HTMLText()
    private var counts: [RecordDifference.Kind: Int] = [:]
    private var shown = 0
    private var all = 0

    /// The approximate maximum size of the page.
    private static let mostBytes = 32 << 20
    private static let mostRows = 200
    private static let longestText = 4000

    /// Whether further records are only counted.
    private var isFull: Bool { shown >= mostShown || text.bytes.count > Self.mostBytes }

    /// Adds a heading for the following records.
    mutating func addHeading(_ title: String, _ small: String) {
        if isFull { return }
        text.add(html: "<h2 class=\"group\">")
        text.add(title, atMost: Self.longestText)
        text.add(html: " <small>")
        text.add(small, atMost: Self.longestText)
        text.add(html: "</small></h2>\n")
    }

    mutating func add(_ change: Change) {
        counts[change.kind, default: 0] += 1
        all += 1
        if isFull { return }
        shown += 1
        text.add(html: "<section class=\"\(change.kind.rawValue)\">\n<h2>")
        text.add(change.place)
        text.add(html: " <small>")
        text.add(change.name, atMost: Self.longestText)
        text.add(html: "</small></h2>\n")
        addPictures(of: change)
        addDifferences(change.differences)
        text.add(html: "</section>\n")
    }

    // MARK: Pictures

    private mutating func addPictures(of change: Change) {
        var (before, after) = (change.before, change.after)
        switch change.kind {
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
            text.add(difference.subject, atMost: Self.longestText)
            text.add(html: "</th>")
            let cut = VisiblePair.cut(difference.first, difference.second, length: Self.longestText)
            let pair = VisiblePair(cut.0 ?? "", cut.1 ?? "", isText: false, isCut: false)
            let shared = SharedEnds(pair.first, pair.second)
            addCell(difference.first.map { _ in pair.first }, shared, "del")
            addCell(difference.second.map { _ in pair.second }, shared, "ins")
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
        addLines(start)
        text.add(html: "<\(tag)>")
        addLines(middle)
        text.add(html: "</\(tag)>")
        addLines(end)
        text.add(html: "</td>")
    }

    /// Adds text with a line break after each escaped line break.
    private mutating func addLines(_ value: String) {
        text.add(value.replacingEach("\\n", by: "\\n\n"))
    }

    // MARK: Page

    /// Returns the numbers of changes in words.
    func summary(_ more: [String], none: String) -> String {
        let kinds: [RecordDifference.Kind] = [.changed, .inserted, .deleted, .moved]
        let words = kinds.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } } + more
        if words.isEmpty { return none }
        return words.joined(separator: ", ") + (shown < all ? "; the first \(shown) of \(all) are shown" : "")
    }

    /// Returns the complete page.
    ///
    /// - Parameter hint: How to list all records if the page does not show them.
    func page(title: String, heading: HTMLText, summary: String, notes: [String] = [], hint: String) -> [UInt8] {
        var page = HTMLText()
        page.add(html: Self.head)
        page.add(html: "<title>")
        page.add(title)
        page.add(html: "</title>\n<h1>")
        page.add(bytes: heading.bytes)
        page.add(html: "</h1>\n<p>")
        page.add(summary)
        page.add(html: "</p>\n")
        for note in notes {
            page.add(html: "<p class=\"more\">")
            page.add(note, atMost: Self.longestText)
            page.add(html: "</p>\n")
        }
        page.add(bytes: text.bytes)
        if shown < all {
            page.add(html: "<p class=\"more\">")
            page.add("Only the first \(shown) of \(all) are shown. \(hint)")
            page.add(html: "</p>\n")
        }
        return page.bytes
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
        section.moved { border-left-color: #3a6ea5 } .group { font-size: 1.15em; margin: 2em 0 .5em }
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
