import ChemopenBytes
import ChemopenModel

/// A record that cannot be read, or a file.
public struct ReadError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The bytes do not come: the file, not its content.
        case file(FileError)
        /// The record breaks its format in a way that leaves nothing sound to read.
        case broken
        /// No format that is read here looks like this.
        case unrecognised
        /// More than was allowed for.
        case tooLarge
    }

    /// The kind of failure.
    public var kind: Kind
    /// The file as people see it: `LocalPath.shown`, or the name given for bytes in memory.
    public var file: String
    /// From 1; 0 where it is the file as a whole.
    public var record: Int
    /// The line of the file, from 1; 0 where there is none.
    public var line: Int
    /// The columns of that line, from 1; empty for the line as a whole.
    public var columns: Range<Int>
    /// The byte of the file.
    public var offset: Int
    /// The thing expected, in the words of the format.
    public var expected: String
    /// The line that stood there, or the part at fault.
    public var found: Text

    /// An error at a place of a file.
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

    /// Tells what the file itself failed with.
    public init(_ error: FileError) {
        self.init(.file(error), file: error.path.shown, expected: error.explanation)
    }

    /// The sentence on what was expected and what was found, without the place.
    public var message: String {
        switch kind {
        case .file, .unrecognised: expected
        case .broken, .tooLarge:
            found.isEmpty ? "expected \(expected)" : "expected \(expected), found \"\(found.shown)\""
        }
    }
}

extension ReadError: CustomStringConvertible {
    /// One line: file, place, what was expected, what was found.
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
    /// The text for a message: control characters as dots, long ones cut.
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

/// An output that could not be written.
public struct WriteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The file itself cannot be written.
        case file(FileError)
        /// The format cannot hold what it was asked to: several records in a file of one.
        case impossible
    }

    /// The kind of failure.
    public var kind: Kind
    /// The reason in words.
    public var description: String

    /// An error in words.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Tells what the output itself failed with.
    public init(_ error: FileError) {
        self.init(.file(error), "\(error)")
    }
}

extension ReadError {
    /// Tells a fault with the line that it stands in.
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
