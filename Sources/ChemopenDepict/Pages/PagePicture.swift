import ChemopenModel

extension Picture {
    /// Draws a page with all its objects, in their positions and sizes.
    ///
    ///     var page = Page()
    ///     page.things = [.text(Page.Writing([Page.TextLine([Page.TextRun("71 %")], at: Page.Point(20, 40))]))]
    ///     let picture = Picture(of: page, style: Picture.Style(.light))
    ///
    /// Only the palette and the padding of the style are used; the page specifies lengths, fonts and colors. The
    /// picture is as large as the page's content. If there is no content, the result is `nil`.
    public init?(of page: Page, style: Style = Style()) {
        var painter = PagePainter(style)
        for thing in page.things { painter.paint(thing) }
        if painter.marks.isEmpty { return nil }
        self.init(painter.marks, padding: style.padding)
        title = PagePainter.title(of: page)
        palette = style.palette
        if palette.ground == nil, palette.theme == .light, let ground = page.ground { palette.ground = ground }
    }
}

extension PagePainter {
    mutating func paint(_ thing: Page.Item) {
        switch thing {
        case .structure(let structure): paint(structure)
        case .text(let writing): marks += Self.marks(of: writing)
        case .arrow(let arrow): paint(arrow)
        case .shape(let shape): paint(shape)
        case .image(let image): if image.width > 0, image.height > 0 { marks.append(.image(image)) }
        }
    }

    /// Returns the text on a page, or the number of its objects if there is no text.
    fileprivate static func title(of page: Page) -> String {
        var words: [String] = []
        var length = 0
        for case .text(let writing) in page.things where length < 200 {
            for line in writing.lines {
                words.append(line.runs.map(\.text).joined())
                length += words[words.count - 1].utf8.count + 1
            }
        }
        let text = words.joined(separator: " ").trimmed(to: 200)
        return text.isEmpty ? "a page with \(page.things.count) object\(page.things.count == 1 ? "" : "s")" : text
    }
}
