import ChemopenDepict
import ChemopenFormats
import ChemopenModel

extension Picture {
    /// Draws what a record holds; `nil` where that is neither a molecule nor a reaction.
    public init?(of record: Record, style: Style = Style()) {
        switch record.subject {
        case .none: return nil
        case .molecule(let molecule): self.init(of: molecule, style: style)
        case .reaction(let reaction): self.init(of: reaction, style: style)
        }
    }
}

extension TerminalPicture {
    /// Draws a page, no wider than so many columns; `nil` where nothing is on it.
    public init?(of page: Page, columns: Int) {
        // A page has one size; what is larger than the terminal is made smaller as a whole.
        self.init(columns: columns, expandsAbbreviations: false) { style in
            var plain = Picture.Style()
            plain.padding = style.padding
            return Picture(of: page, style: plain)
        }
    }

    /// Draws what a record holds, no wider than so many columns; `nil` where it holds no structure.
    ///
    ///     let picture = TerminalPicture(of: record, columns: 80)
    ///     for line in picture?.lines ?? [] { print(line) }
    public init?(of record: Record, columns: Int, expandsAbbreviations: Bool = false) {
        self.init(columns: columns, expandsAbbreviations: expandsAbbreviations) { style in
            Picture(of: record, style: style)
        }
    }
}
