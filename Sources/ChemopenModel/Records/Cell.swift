/// A value in a table, or in a data field of an SD or RD record.
public enum Cell: Sendable, Hashable {
    /// No value. An empty string, by contrast, is a value.
    case empty
    /// Text, or a value that does not fit the kind of its column.
    case string(Text)
    /// An integer.
    case integer(Int)
    /// A number, and its original text if Chemopen would write the number differently.
    case real(Double, spelling: Text? = nil)
    /// A Boolean value.
    case boolean(Bool)
    /// A molecule.
    indirect case molecule(Molecule)
    /// A reaction.
    indirect case reaction(Reaction)
    /// Text of a format extension.
    case extend(Text)
}

extension Cell {
    /// Parses the text of a value according to the kind of its column. If the text does not fit, the value is a string.
    ///
    /// Spaces around a number are ignored.
    public init(_ text: Text, as kind: Column.Kind) {
        switch kind {
        case .integer:
            self = Int(text.trimmedString).map { .integer($0) } ?? .string(text)
        case .real:
            // Swift would also parse hexadecimal numbers, infinities and similar texts.
            let number = text.trimmedString
            let isPlain = number.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            if isPlain, let value = Double(number), value.isFinite {
                let spelling = Text(value.description)
                self = .real(value, spelling: spelling == text ? nil : text)
            } else {
                self = .string(text)
            }
        case .boolean:
            switch text {
            case "true": self = .boolean(true)
            case "false": self = .boolean(false)
            default: self = .string(text)
            }
        case .extend, .other:
            self = .extend(text)
        case .string, .molecule:
            self = .string(text)
        }
    }
}

extension Cell {
    /// The value as text; a number is returned as originally written. Empty for a structure.
    public var text: Text {
        switch self {
        case .empty, .molecule, .reaction: ""
        case .string(let text), .extend(let text): text
        case .integer(let number): Text("\(number)")
        case .real(let number, let spelling): spelling ?? Text("\(number)")
        case .boolean(let isTrue): isTrue ? "true" : "false"
        }
    }
}

extension Text {
    /// The text without leading and trailing white space.
    fileprivate var trimmedString: String {
        var bytes = self.bytes[...]
        while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
        return Text(bytes: bytes).string
    }
}
