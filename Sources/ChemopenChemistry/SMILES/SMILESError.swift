/// A syntax error in a SMILES, with its location.
public struct SMILESError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected part of the text.
    public let expected: StaticString
    /// The location of the error in the bytes of the text; empty at the end of the text.
    public let range: Range<Int>

    /// The error message.
    public var description: String { "expected \(expected)" }

    /// Returns whether both errors have the same location and message.
    public static func == (one: SMILESError, other: SMILESError) -> Bool {
        one.range == other.range && one.description == other.description
    }

    /// Hashes the location and the message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(range)
        hasher.combine(description)
    }
}

/// A warning about a part of a SMILES that is questionable or not supported, with its location.
public struct SMILESWarning: Sendable {
    /// A clause with the problem and its consequence.
    public let message: StaticString
    /// The location in the bytes of the text.
    public let range: Range<Int>
}
