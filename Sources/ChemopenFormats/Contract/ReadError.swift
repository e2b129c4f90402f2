import ChemopenBytes
import ChemopenModel

/// An error for a record or a file that cannot be read.
public struct ReadError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The bytes cannot be read; the content is not the problem.
        case file(FileError)
        /// The record violates its format so severely that it has no usable content.
        case broken
        /// The content has no supported format.
        case unrecognized
        /// The content exceeds a limit.
        case tooLarge
    }

    /// The kind of failure.
    public var kind: Kind
    /// The file for display: `LocalPath.shown`, or the name of the bytes in memory.
    public var file: String
    /// The record, counted from 1, or 0 if the error concerns the entire file.
    public var record: Int
    /// The line of the file, counted from 1, or 0 if the error has no line.
    public var line: Int
    /// The columns of that line, counted from 1; empty for the entire line.
    public var columns: Range<Int>
    /// The offset in the file.
    public var offset: Int
    /// The expected content, in the format's terms.
    public var expected: String
    /// The line or the invalid part of it.
    public var found: Text

    /// Creates an error for a position in a file.
    public init(
        _ kind: Kind = .broken, file: String, record: Int = 0, line: Int = 0, columns: Range<Int> = 0..<0,
        offset: Int = 0, expected: String, found: Text = ""
    ) {
        self.kind = kind
        self.file = file
        self.record = record
        self.line = line
        self.columns = columns
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    /// Creates an error for a failed file operation.
    public init(_ error: FileError) {
        self.init(.file(error), file: error.path.shown, expected: error.explanation)
    }

    /// The expected and the actual content, without the position.
    public var message: String {
        switch kind {
        case .file, .unrecognized: expected
        case .broken, .tooLarge:
            found.isEmpty ? "expected \(expected)" : "expected \(expected), found \"\(found.shown)\""
        }
    }
}

extension ReadError: CustomStringConvertible {
    /// The file, the position and the message in one line.
    public var description: String {
        if case .file(let error) = kind { return "\(error)" }
        var text = file
        if line > 0 { text += ":\(line)" }
        if line > 0, !columns.isEmpty { text += ":\(columns.lowerBound)" }
        text += ": \(message)"
        if record > 0 { text += " (record \(record)\(line == 0 ? ", byte \(offset)" : ""))" }
        return text
    }
}

extension Text {
    /// The text for a message: control characters are replaced by dots, and long text is truncated.
    public var shown: String {
        let limit = 60
        var text = ""
        for scalar in string.unicodeScalars.prefix(limit) {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            text.unicodeScalars.append(isControl ? "·" : scalar)
        }
        return string.unicodeScalars.count > limit ? text + "…" : text
    }
}

/// An error for an output that could not be written.
public struct WriteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The file cannot be written.
        case file(FileError)
        /// The format cannot represent the request, such as several records in a file for one.
        case impossible
    }

    /// The kind of failure.
    public var kind: Kind
    /// The reason, as text.
    public var description: String

    /// Creates an error with a description.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Creates an error for a failed file operation.
    public init(_ error: FileError) {
        self.init(.file(error), "\(error)")
    }
}

extension ReadError {
    /// Creates an error from a fault, with the line that contains it.
    package init(_ fault: Fault, in text: Range<Int>, of bytes: Span<UInt8>, file: String, place: RecordPlace) {
        var lines = LineCursor(text, of: bytes)
        var line = text.upperBound..<text.upperBound
        for _ in 0...max(0, fault.line) {
            guard let next = lines.next(in: bytes) else { break }
            line = next
        }
        let part = fault.columns.isEmpty ? line : bytes.columns(fault.columns, of: line)
        let shown = part.lowerBound..<min(part.upperBound, part.lowerBound + 200)
        self.init(
            file: file, record: place.record, line: place.line + fault.line,
            columns: fault.columns.isEmpty ? 0..<0 : fault.columns.lowerBound + 1..<fault.columns.upperBound + 1,
            offset: place.offset, expected: "\(fault.expected)", found: Text(bytes: bytes.bytes(shown)))
    }
}
