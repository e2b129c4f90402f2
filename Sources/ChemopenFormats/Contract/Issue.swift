import ChemopenModel

/// A deviation from the format in content that was still read.
public struct Issue: Sendable, Hashable {
    /// The severity of an issue.
    public enum Severity: Sendable, Hashable {
        /// The content deviates from the format, but its meaning is certain. In this case, only `check` reports the
        /// deviation.
        case remark
        /// The meaning is likely but not certain, or something had to be omitted.
        case doubt
    }

    /// The severity.
    public var severity: Severity
    /// The line of the file, counted from 1, or 0 if the issue concerns the entire record.
    public var line: Int
    /// The columns of that line, counted from 1; empty for the entire line.
    public var columns: Range<Int>
    /// The offset in the file, for formats without lines.
    public var offset: Int?
    /// A clause that describes the problem and its interpretation.
    public var message: String
    /// The text at this position.
    public var found: Text
    /// The number of further issues that this one represents.
    private(set) var others = 0

    /// Creates an issue for a line or for an entire record.
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

extension [Issue] {
    /// The maximum number of issues that are listed for a record. A file can cause an issue with each byte.
    static let mostOfRecord = 1000

    /// Adds an issue. If there are too many, the last one contains the number of omitted issues.
    mutating func note(_ issue: Issue) {
        if count < Self.mostOfRecord { append(issue) } else { count(issue.others, like: issue) }
    }

    /// Adds the issues of a part of the record.
    mutating func note(_ issues: [Issue]) {
        if isEmpty { self = issues } else { for issue in issues { note(issue) } }
    }

    private mutating func count(_ others: Int, like issue: Issue) {
        let places = Self.mostOfRecord..<count
        guard let place = places.first(where: { self[$0].severity == issue.severity }) else {
            append(Issue(standingFor: Swift.max(1, others), issue.severity, from: issue.line, issue.offset))
            return
        }
        let first = self[place]
        self[place] = Issue(
            standingFor: first.others + Swift.max(1, others), issue.severity, from: first.line, first.offset)
    }
}

extension Issue {
    fileprivate init(standingFor others: Int, _ severity: Severity, from line: Int, _ offset: Int?) {
        let thing = severity == .doubt ? "warning" : "remark"
        self.init(
            line: line, offset: offset,
            others == 1
                ? "1 more \(thing) is not listed" : "\(others) more \(thing)s are not listed",
            severity: severity)
        self.others = others
    }
}
