/// One value of a sheet, or one data field of an SD or RD record.
public enum Cell: Sendable, Hashable {
    /// There is no value; an empty string is one.
    case empty
    /// Text, and whatever is not of its column's kind.
    case string(Text)
    /// A whole number.
    case integer(Int)
    /// A number, and how it was written where that is not how we would write it.
    case real(Double, spelling: Text? = nil)
    /// A truth value.
    case boolean(Bool)
    /// A molecule.
    indirect case molecule(Molecule)
    /// A reaction.
    indirect case reaction(Reaction)
    /// Text that belongs to an extension of the format.
    case extend(Text)
}

extension Cell {
    /// Reads a value's text as a column's kind asks: what does not fit stays text.
    ///
    /// Blanks around a number mean nothing.
    public init(_ text: Text, as kind: Column.Kind) {
        switch kind {
        case .integer:
            self = Int(text.trimmedString).map { .integer($0) } ?? .string(text)
        case .real:
            // Swift would also read hexadecimal numbers, infinities and the like.
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
    /// The value as text, a number as it was written; none of a structure.
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
    /// The text without white space at its two ends.
    fileprivate var trimmedString: String {
        var bytes = self.bytes[...]
        while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
        return Text(bytes: bytes).string
    }
}
