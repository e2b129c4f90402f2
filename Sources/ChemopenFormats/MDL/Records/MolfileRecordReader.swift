import ChemopenBytes
import ChemopenModel

/// Reads the single record of a `.mol` file, which is a molfile or an R-group file.
public typealias MolfileRecordReader = LineRecordReader<MolfileParser>

/// The record of a `.mol` file.
public struct MolfileParser: LineRecordParser {
    public static var recordsInFile: RecordsInFile { .oneOrNone }
    public private(set) var version = ""
    private var issues: [Issue] = []

    public init(_ options: ReadOptions) {}

    public mutating func takeIssues() -> [Issue] { exchange(&issues, with: []) }

    public mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        let bytes = buffer.span
        if let first = lines.peek(in: bytes), bytes.range(first, begins: "$MDL") {
            try readRGfile(&lines, buffer, into: &record, at: place)
        } else {
            try readMolfile(&lines, buffer, into: &record, at: place)
        }
        if let text = lines.rest(in: bytes) {
            issues.note(Issue(line: place.line &+ lines.line, "text after M  END; preserved verbatim", found: text))
            record.verbatim.append(Verbatim(version == "V3000" ? .v3000 : .v2000, text))
        }
    }

    private mutating func readRGfile(
        _ lines: inout LineCursor, _ buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        var file = RGfileReader(lines, firstLine: place.line)
        defer { issues = file.issues }
        version = "V2000"
        try file.read(buffer)
        lines = file.lines
        record.subject = .molecule(file.molecule)
    }

    private mutating func readMolfile(
        _ lines: inout LineCursor, _ buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        var molfile = MolfileReader(lines, firstLine: place.line, into: record.takeMolecule())
        defer {
            issues = molfile.issues
            version = molfile.version
        }
        try molfile.read(buffer)
        lines = molfile.lines
        record.subject = .molecule(molfile.takeMolecule())
    }
}

extension LineCursor {
    /// Returns the remaining lines, joined by LF, without blank lines at either end; `nil` if only blank lines
    /// remain.
    func rest(in bytes: Span<UInt8>) -> Text? {
        var lines = self
        var text: [UInt8] = []
        var end = 0
        while let line = lines.next(in: bytes) {
            let isPadding = line.allSatisfy { bytes[$0] <= Ascii.blank }
            if isPadding, text.isEmpty { continue }
            if !text.isEmpty { text.append(Ascii.lineFeed) }
            for index in line { text.append(bytes[index]) }
            if !isPadding { end = text.count }
        }
        return end == 0 ? nil : Text(bytes: text[..<end])
    }
}
