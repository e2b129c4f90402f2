import ChemopenModel

extension Text {
    /// The text between two reactants, which says nothing.
    static let plusSign: Text = "+"

    /// Whether it has no control characters.
    var isPrintable: Bool {
        let bytes = bytes.span
        for place in bytes.indices where bytes[place] < 0x20 { return false }
        return true
    }

    /// The text with blanks for its line ends.
    var inOneLine: Text {
        bytes.contains(10) ? Text(bytes: bytes.map { $0 == 10 ? 0x20 : $0 }) : self
    }
}
