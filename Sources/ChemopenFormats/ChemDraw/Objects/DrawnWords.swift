import ChemopenModel

extension Text {
    /// The text between two reactants, which has no chemical meaning.
    static let plusSign: Text = "+"

    /// Whether the text contains no control characters.
    var isPrintable: Bool {
        let bytes = bytes.span
        for place in bytes.indices where bytes[place] < 0x20 { return false }
        return true
    }

    /// The text with each line end replaced by a blank.
    var inOneLine: Text {
        bytes.contains(10) ? Text(bytes: bytes.map { $0 == 10 ? 0x20 : $0 }) : self
    }
}
