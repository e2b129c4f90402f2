import ChemopenDepict
import ChemopenFormats
import ChemopenModel

extension Picture {
    /// Draws the molecule or reaction in a record.
    ///
    /// Returns `nil` if the record contains neither.
    public init?(of record: Record, style: Style = Style()) {
        self.init(layingOut: record.subject, style: style)
    }

    /// Draws a molecule or a reaction.
    ///
    /// If the file contains no 2D coordinates, they are computed and the picture contains a remark in small print.
    ///
    /// - Parameter patience: The time to wait for the coordinates. After this time, the structure is drawn with its own
    ///   coordinates.
    public init?(
        layingOut subject: Record.Subject, style: Style = Style(), _ patience: LayoutProgram.Timeout = .long
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
    /// Draws a page in a terminal.
    ///
    /// Returns `nil` if the page is empty.
    ///
    /// - Parameter columns: The maximum width in columns.
    public init?(of page: Page, columns: Int) {
        // A page has a fixed size. If it is larger than the terminal, it is scaled.
        self.init(columns: columns, expandsAbbreviations: false) { style in
            var plain = Picture.Style()
            plain.padding = style.padding
            return Picture(of: page, style: plain)
        }
    }

    /// Draws the molecule or reaction in a record in a terminal.
    ///
    ///     let picture = TerminalPicture(of: record, columns: 80)
    ///     for line in picture?.lines ?? [] { print(line) }
    ///
    /// Returns `nil` if the record contains no structure.
    ///
    /// - Parameters:
    ///   - columns: The maximum width in columns.
    ///   - rows: The maximum height in rows, or `nil` for a limit that only very large drawings reach.
    public init?(
        of record: Record, columns: Int, rows: Int? = nil, expandsAbbreviations: Bool = false, laysOut: Bool = true
    ) {
        self.init(
            columns: columns, rows: rows ?? Self.mostRows, expandsAbbreviations: expandsAbbreviations
        ) { style in
            var style = style
            style.laysOut = laysOut
            return Picture(of: record, style: style)
        }
    }
}
