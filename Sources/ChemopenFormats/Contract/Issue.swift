import ChemopenModel

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
    /// How many doubts it stands for that are not told one by one.
    private(set) var others = 0

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

extension [Issue] {
    /// So many doubts about a record are told one by one. A file can give cause for one with each byte.
    static let mostOfRecord = 1000

    /// Adds a doubt. Where there are too many, the last ones say how many more there are.
    mutating func note(_ issue: Issue) {
        if count < Self.mostOfRecord { append(issue) } else { count(issue.others, like: issue) }
    }

    /// Adds the doubts about a part of the record.
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
        let thing = severity == .doubt ? "doubt" : "departure"
        self.init(
            line: line, offset: offset,
            others == 1
                ? "1 more \(thing) is not told by itself" : "\(others) more \(thing)s are not told one by one",
            severity: severity)
        self.others = others
    }
}
