import ChemopenBytes
import ChemopenModel

extension Format {
    /// JSON Lines: one record per line, with everything that the model can represent.
    public static let jsonLines = Format(
        id: "jsonl",
        name: "JSON Lines",
        mimeTypes: ["chemical/x-chemopen-jsonl"],
        extensions: ["jsonl", "ndjson"],
        supportedFeatures: Features.all.subtracting(Features(.foreignEncoding)),
        sniff: sniffJSONLines
    )
    .read(by: LineRecordReader<JSONLinesParser>.self)
    .written(by: LineRecordWriter<JSONLinesFormatter>.self)
    .signed(.jsonLines)
    .emptyWithoutRecords()
    .patched(by: JSONLinePatch.patched)
}

/// Detects JSON Lines from the first line, which must be an object with the version of the schema. If the line is
/// longer than the head, the version must be its first member.
@Sendable private func sniffJSONLines(_ head: Head) -> Confidence {
    let bytes = head.bytes.span
    var lines = LineCursor(bytes.startOfText..<bytes.count, of: bytes)
    while let line = lines.next(in: bytes) {
        if bytes.isBlank(line) { continue }
        guard bytes[bytes.trimmed(line).lowerBound] == UInt8(ascii: "{") else { return .no }
        let json = JSONCursor(line, of: head.bytes)
        return json.beginsWith(JSONLine.signature) || json.objectHas(JSONLine.signature) ? .certain : .no
    }
    return .no
}

extension JSONCursor {
    /// Whether the object at this index has a member with a name. Returns `false` if the object is invalid.
    fileprivate func objectHas(_ name: StaticString) -> Bool {
        var json = self
        return (try? json.hasMember(name)) ?? false
    }

    fileprivate func beginsWith(_ name: StaticString) -> Bool {
        var json = self
        var isFirst: Bool?
        try? json.object { json, member throws(Fault) in
            if isFirst == nil { isFirst = json.isName(member, name) }
            throw json.fault("")
        }
        return isFirst ?? false
    }
}

/// A parser for the lines of a file.
public struct JSONLinesParser: LineRecordParser {
    public private(set) var header = SheetHeader()
    private var columns = JSONColumns()
    private var issues: [Issue] = []

    public init(_ options: ReadOptions) {}

    public static var recordsInFile: RecordsInFile { .several }

    public static var mayHaveHead: Bool { true }

    public mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace {
        bytes.isBlank(line) ? .between : .last
    }

    public mutating func takeHead(_ text: Range<Int>, of buffer: [UInt8]) -> Bool {
        var json = JSONCursor(text, of: buffer)
        guard let line = try? JSONLine.read(&json), let sheet = line.sheet, sheet.isSound else { return false }
        header = sheet
        columns = JSONColumns(sheet.columns)
        return true
    }

    public mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        guard let line = lines.next(in: buffer.span) else { return }
        var json = JSONCursor(line, of: buffer)
        let said = try JSONLine.read(&json)
        guard json.isAtEnd else { throw json.fault("the end of the line after its object") }
        if said.sheet != nil { throw Fault(line: 0, expected: "the header of a table only in the first line") }
        if said.molecule != nil, said.reaction != nil {
            throw Fault(line: 0, expected: "a molecule or a reaction, not both")
        }
        record.subject = said.molecule.map { .molecule($0) } ?? said.reaction.map { .reaction($0) } ?? .none
        record.registry = said.registry
        record.verbatim = said.verbatim
        for name in said.fields.append(to: &record.fields, &columns) {
            issues.append(
                Issue(
                    line: place.line, "the value has a different type than its column; read as the column's type",
                    found: name))
        }
        for name in json.unknown {
            issues.append(Issue(line: place.line, "ignored a member that is not in the schema", found: name))
        }
        if !isUTF8(buffer.span.extracting(line)) {
            issues.append(Issue(line: place.line, "the line is not UTF-8; its text is preserved byte for byte"))
        }
    }

    public mutating func takeIssues() -> [Issue] {
        defer { issues = [] }
        return issues
    }
}

/// A formatter that writes a record on a line.
public struct JSONLinesFormatter: LineRecordFormatter {
    private var json = JSON()
    private let held = Format.jsonLines.supportedFeatures
    private var shared = JSONSharedColumns()

    public init(_ options: WriteOptions) {}

    public static var refusalOfSecond: String? { nil }

    public mutating func begin(_ header: SheetHeader, to bytes: inout [UInt8]) {
        guard header.isTable else { return }
        var line = JSONLine()
        line.sheet = header
        append(line, to: &bytes)
    }

    public mutating func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        shared.learn(record.fields.columns)
        append(JSONLine(copy record, shared: shared.byName), to: &bytes)
        var report = WriteReport()
        report.losses.note(record, unsupportedBy: held)
        return report
    }

    private mutating func append(_ line: JSONLine, to bytes: inout [UInt8]) {
        json.removeAll()
        line.write(to: &json)
        json.endLine()
        bytes += json.bytes
    }
}
