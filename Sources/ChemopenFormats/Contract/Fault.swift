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

/// Something doubtful that was read all the same.
public struct Issue: Sendable, Hashable {
    /// How much an issue matters.
    public enum Severity: Sendable, Hashable {
        /// The format is departed from and what is meant is certain: only `check` tells it.
        case remark
        /// The meaning is likely and not certain, or something had to be left out.
        case doubt
    }

    /// How much it matters.
    public var severity: Severity
    /// The line of the file, from 1; 0 where it is the record as a whole.
    public var line: Int
    /// The columns of that line, from 1; empty for the line as a whole.
    public var columns: Range<Int>
    /// The byte of the file, for formats that have no lines.
    public var offset: Int?
    /// The clause that says what was expected or is wrong, and what was made of it.
    public var message: String
    /// The text that stood there.
    public var found: Text

    /// Something odd in a line.
    public init(
        line: Int, columns: Range<Int> = 0..<0, offset: Int? = nil, _ message: String, found: Text = "",
        severity: Severity = .doubt
    ) {
        self.severity = severity
        self.line = line
        self.columns = columns
        self.offset = offset
        self.message = message
        self.found = found
    }
}
