import ChemopenDepict
import ChemopenFormats
import ChemopenModel

extension Picture {
    /// Draws what a record holds; `nil` where that is neither a molecule nor a reaction.
    public init?(of record: Record, style: Style = Style()) {
        self.init(layingOut: record.subject, style: style)
    }

    /// Draws a molecule or a reaction, laid out where the file does not say where its atoms stand on paper, which the
    /// picture says in small print.
    ///
    /// - Parameter patience: how long to wait for a layout. What is not there then is drawn as it stands.
    public init?(
        layingOut subject: Record.Subject, style: Style = Style(), _ patience: LayoutProgram.Patience = .long
    ) {
        var subject = subject
        let remarks = style.laysOut ? subject.layOut(hidesHydrogens: true, patience) : []
        switch subject {
        case .none: return nil
        case .molecule(let molecule): self.init(of: molecule, style: style)
        case .reaction(let reaction): self.init(of: reaction, style: style)
        }
        SmallPrint.add(remarks.text, to: &self, style)
        isPreliminary = remarks.contains(.later)
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
    public init?(of record: Record, columns: Int, expandsAbbreviations: Bool = false, laysOut: Bool = true) {
        self.init(columns: columns, expandsAbbreviations: expandsAbbreviations) { style in
            var style = style
            style.laysOut = laysOut
            return Picture(of: record, style: style)
        }
    }
}
