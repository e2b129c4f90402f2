import ChemopenDepict
import ChemopenFormats
import ChemopenModel

extension Picture {
    /// Draws a molecule.
    ///
    ///     let picture = Picture(of: molecule, style: Picture.Style(.dark))
    ///
    /// Bonds have the length that the style asks for, whatever the file's unit; a molecule in space is laid flat; one
    /// without coordinates is described in words.
    public init(of molecule: Molecule, style: Style = Style()) {
        self.init(drawing: molecule, style: style)
    }

    /// Draws a reaction: its steps in rows, the agents above their arrows, conditions below them.
    ///
    /// A step that starts from the products of the one before goes on in its row.
    public init(of reaction: Reaction, style: Style = Style()) {
        self.init(drawing: reaction, style: style)
    }

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
