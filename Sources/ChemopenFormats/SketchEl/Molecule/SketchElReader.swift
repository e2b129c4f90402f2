import ChemopenBytes
import ChemopenModel

/// A reader for SketchEl files with one molecule. It also reads the SketchEl text after a molfile on the clipboard.
public typealias SketchElReader = LineRecordReader<SketchElParser>

/// A parser for SketchEl files.
public struct SketchElParser: LineRecordParser {
    public static var recordsInFile: RecordsInFile { .one }
    private var issues: [Issue] = []

    public init(_ options: ReadOptions) {}

    public mutating func takeIssues() -> [Issue] { exchange(&issues, with: []) }

    public mutating func unwrap(_ text: Range<Int>, of buffer: [UInt8]) -> [UInt8]? {
        let text = buffer[text]
        guard let first = text.first(where: { $0 > Ascii.blank }), first == Ascii.quote,
            let unquoted = JSONText.unquote(text)
        else { return nil }
        issues.note(Issue(line: 1, "the molecule is a JSON string; read"))
        return unquoted
    }

    public mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        var reader = SketchElMoleculeReader(into: record.takeMolecule(), firstLine: place.line)
        defer { issues.note(reader.issues) }
        try reader.read(lines.position..<lines.end, of: buffer.span)
        var molecule = reader.takeMolecule()
        TitleField.take(from: &molecule)
        record.subject = .molecule(molecule)
    }
}

/// A JSON string, which some programs use to exchange molecules.
enum JSONText {
    /// Returns the content of a string, if the text contains only the string and blanks.
    static func unquote(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let open = text.firstIndex(of: Ascii.quote) else { return nil }
        var result: [UInt8] = []
        var index = open + 1
        while index < text.endIndex, text[index] != Ascii.quote {
            if text[index] == 0x5C, index + 1 < text.endIndex {
                index += 1
                switch text[index] {
                case UInt8(ascii: "n"): result.append(Ascii.lineFeed)
                case UInt8(ascii: "r"): result.append(Ascii.carriageReturn)
                case UInt8(ascii: "t"): result.append(Ascii.tab)
                case UInt8(ascii: "u"):
                    // It becomes SketchEl's own escape for the same code unit.
                    result.append(0x5C)
                default: result.append(text[index])
                }
            } else {
                result.append(text[index])
            }
            index += 1
        }
        return index < text.endIndex ? result : nil
    }
}
