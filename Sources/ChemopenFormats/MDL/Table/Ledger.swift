import ChemopenBytes
import ChemopenModel

/// The doubts about a text, each with its place.
struct Ledger: ~Copyable {
    /// The number of the file's line at which the text begins.
    let firstLine: Int
    private(set) var issues: [Issue] = []

    init(firstLine: Int) {
        self.firstLine = firstLine
    }

    /// Hands the ledger on; an empty one stays.
    mutating func take() -> Ledger {
        exchange(&self, with: Ledger(firstLine: firstLine))
    }

    /// Notes a doubt about a line, counted from 0.
    mutating func doubt(at line: Int, _ message: String, severity: Issue.Severity = .doubt) {
        issues.note(Issue(line: firstLine &+ line, message, severity: severity))
    }

    /// Notes a doubt about the whole text.
    mutating func doubt(_ message: String) {
        issues.note(Issue(line: 0, message))
    }

    /// Notes a doubt about the bytes of a line, or about columns of it.
    mutating func doubt(
        _ line: Range<Int>, at number: Int, of bytes: Span<UInt8>, columns: Range<Int>? = nil, _ message: String,
        severity: Issue.Severity = .doubt
    ) {
        let part = columns.map { bytes.columns($0, of: line) } ?? line
        let shown = Text(bytes: bytes.bytes(part.lowerBound..<min(part.upperBound, part.lowerBound &+ 200)))
        issues.note(
            Issue(
                line: firstLine &+ number, columns: columns.map { $0.lowerBound + 1..<$0.upperBound + 1 } ?? 0..<0,
                message, found: shown, severity: severity))
    }

    /// Notes a doubt about a line of V3000.
    mutating func doubt(_ line: V3000Line, _ message: String) {
        issues.note(Issue(line: firstLine &+ line.number, message, found: Text(bytes: line.text.prefix(200))))
    }

    /// Notes a doubt about a part of a line of V3000.
    mutating func doubt(_ line: V3000Line, _ part: Range<Int>, _ message: String) {
        var columns = 0..<0
        if let column = line.column { columns = part.lowerBound + column + 1..<part.upperBound + column + 1 }
        issues.note(
            Issue(
                line: firstLine &+ line.number, columns: columns, message,
                found: Text(bytes: line.text[part].prefix(200))))
    }
}
