import ChemopenModel

/// A fault in a line, as its reader sees it: no text is made, so that it costs nothing until it is told.
public struct Fault: Error, Sendable {
    /// The line, from 0 within the record.
    public var line: Int
    /// The bytes of that line that are at fault, from 0; empty for the line as a whole.
    public var columns: Range<Int>
    /// The thing that should have stood there, in the words of the format.
    public var expected: StaticString

    /// A fault in some columns of a line, or in the line as a whole.
    public init(line: Int, _ columns: Range<Int> = 0..<0, expected: StaticString) {
        self.line = line
        self.columns = columns
        self.expected = expected
    }
}
