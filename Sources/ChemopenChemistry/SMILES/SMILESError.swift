/// A fault in a SMILES, and where it is.
public struct SMILESError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The thing that should have stood there.
    public let expected: StaticString
    /// The bytes of the text that are at fault; empty at its end.
    public let range: Range<Int>

    /// The reason in words.
    public var description: String { "expected \(expected)" }

    /// Whether two faults are one.
    public static func == (one: SMILESError, other: SMILESError) -> Bool {
        one.range == other.range && one.description == other.description
    }

    /// Hashes place and reason.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(range)
        hasher.combine(description)
    }
}

/// Something in a SMILES that is doubtful or has no place in the model, and where it is.
public struct SMILESDoubt: Sendable {
    /// The clause that says what is odd, and what was made of it.
    public let message: StaticString
    /// The bytes of the text that it is about.
    public let range: Range<Int>
}
