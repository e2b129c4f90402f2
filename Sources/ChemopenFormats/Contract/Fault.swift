import ChemopenModel

/// A syntax error in a line, as its reader detects it. It contains no formatted text, so it is cheap to create.
public struct Fault: Error, Sendable {
    /// The line within the record, counted from 0.
    public var line: Int
    /// The invalid bytes of that line, counted from 0; empty for the entire line.
    public var columns: Range<Int>
    /// The expected syntax, in the format's terms.
    public var expected: StaticString

    /// Creates an error for some columns of a line, or for the entire line.
    public init(line: Int, _ columns: Range<Int> = 0..<0, expected: StaticString) {
        self.line = line
        self.columns = columns
        self.expected = expected
    }
}
