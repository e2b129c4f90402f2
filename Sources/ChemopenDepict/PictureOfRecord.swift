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
