import ChemopenBytes
import ChemopenModel

/// Reads a SketchEl file: one molecule, or behind a molfile on the clipboard its SketchEl text.
public typealias SketchElReader = FrameReader<SketchElFrame>

/// The record of a SketchEl file.
public struct SketchElFrame: RecordFrame {
    public static var recordsInFile: RecordsInFile { .one }
    private var issues: [Issue] = []

    public init(_ options: ReadOptions) {}

    public mutating func takeIssues() -> [Issue] { exchange(&issues, with: []) }

    public mutating func unwrap(_ text: Range<Int>, of buffer: [UInt8]) -> [UInt8]? {
        let text = buffer[text]
        guard let first = text.first(where: { $0 > Ascii.blank }), first == Ascii.quote,
            let unquoted = JSONText.unquote(text)
        else { return nil }
        issues.note(Issue(line: 1, "the molecule is a string of JSON; read"))
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

/// A string of JSON, as programs pass a molecule to one another.
enum JSONText {
    /// The text of one string that is all there is but for blanks around it.
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
                    // SketchEl's own escape of the same unit.
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
