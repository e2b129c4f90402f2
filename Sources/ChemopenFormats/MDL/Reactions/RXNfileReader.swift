import ChemopenBytes
import ChemopenModel

/// Reads RXN files. A file contains one reaction; in concatenated files, each `$RXN` begins a record.
public typealias RXNfileReader = LineRecordReader<RXNfileParser>

/// The records of an RXN file. Lines before the first `$RXN` belong to the first reaction.
public struct RXNfileParser: LineRecordParser {
    public static var recordsInFile: RecordsInFile { .several }
    public private(set) var version = ""
    private var issues: [Issue] = []
    private var hasKeyword = false

    public init(_ options: ReadOptions) {}

    public mutating func takeIssues() -> [Issue] { exchange(&issues, with: []) }

    public mutating func beginRecord() {
        hasKeyword = false
    }

    public mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace {
        guard bytes.range(line, begins: "$RXN") else { return .inside }
        if hasKeyword { return .following }
        hasKeyword = true
        return .inside
    }

    public mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        let bytes = buffer.span
        guard hasKeyword else { throw Fault(line: 0, expected: "$RXN, the first line of a reaction") }
        var reader = ReactionReader(lines, firstLine: place.line)
        defer {
            issues = reader.issues + issues
            version = reader.version
        }
        reader.skipToKeyword(bytes)
        try reader.read(buffer)
        record.subject = .reaction(reader.reaction)
        if let text = reader.lines.rest(in: bytes) {
            let line = place.line &+ reader.lines.line
            issues.note(Issue(line: line, "text after the reaction; preserved verbatim", found: text))
            reader.strays.append(text)
        }
        record.verbatim += reader.strays.map { Verbatim(reader.version == "V3000" ? .v3000 : .v2000, $0) }
    }
}
