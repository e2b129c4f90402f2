import ChemopenBytes
import ChemopenChemistry
import ChemopenModel

/// Detects SMILES from the first lines. The first token of many texts is a valid SMILES, so the file must also have the
/// name or the declared type of SMILES. If the first line contains the names of several columns, the file is another
/// kind of table.
@Sendable func sniffSMILES(_ head: Head) -> Confidence {
    let bytes = head.bytes.span
    if head.bytes.contains(where: { $0 < Ascii.blank && $0 != Ascii.tab && $0 != Ascii.lineFeed && $0 != 0x0D }) {
        return .no
    }
    var reader = SMILESReader()
    var lines = LineCursor(bytes.startOfText..<bytes.count, of: bytes)
    var isFirst = true
    var isTable = false
    for _ in 0..<50 {
        guard let line = lines.next(in: bytes) else { break }
        let tabs = line.count { bytes[$0] == Ascii.tab }
        if isFirst { isTable = tabs > 1 }
        if SMILESLine.isNone(line, of: bytes) { continue }
        let smiles = SMILESLine(line, of: head.bytes).smiles
        // A record without a structure is a tab and its title.
        if smiles.isEmpty, bytes[line.lowerBound] == Ascii.tab, !isTable { return .possible }
        // The first line can be longer than the head.
        let isCut = !head.isWhole && smiles.upperBound == bytes.count
        let isSMILES =
            !smiles.isEmpty
            && (isCut
                ? reader.isBeginning(smiles, of: head.bytes) : (try? reader.read(smiles, of: head.bytes)) != nil)
        if isSMILES { return isTable && !isFirst ? .no : .possible }
        isFirst = false
        if isTable { return .no }
    }
    return .no
}

/// Returns whether the first lines are SMILES beyond doubt, so that a pipe needs no name. Each line must begin with a
/// structure without problems, and at least one structure must have three atoms.
@Sendable func provesSMILES(_ head: Head) -> Bool {
    guard sniffSMILES(head) != .no else { return false }
    let bytes = head.bytes.span
    var reader = SMILESReader()
    var lines = LineCursor(bytes.startOfText..<bytes.count, of: bytes)
    var mostAtoms = 0
    for _ in 0..<50 {
        guard let line = lines.next(in: bytes) else { break }
        if SMILESLine.isNone(line, of: bytes) { continue }
        // The last line can be longer than the head.
        if !head.isWhole, line.upperBound == bytes.count { break }
        let text = SMILESLine(line, of: head.bytes)
        guard !text.smiles.isEmpty, (try? reader.read(text.smiles, of: head.bytes)) != nil, reader.doubts.isEmpty else {
            return false
        }
        let atoms = reader.reaction.map { $0.components.reduce(0) { $0 + $1.molecule.atoms.count } }
        mostAtoms = max(mostAtoms, atoms ?? reader.molecule.atoms.count)
    }
    return mostAtoms > 2
}

/// The parts of a line: a SMILES, optional CX extensions, and the title.
struct SMILESLine {
    let smiles: Range<Int>
    /// The extensions without the bars around them.
    private(set) var extensions: Range<Int>?
    let title: Range<Int>

    /// - Parameter line: the line without its line end.
    init(_ line: Range<Int>, of bytes: [UInt8]) {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index] != Ascii.blank, bytes[index] != Ascii.tab { index += 1 }
        smiles = line.lowerBound..<index
        // The title follows a tab, even if it starts like CX extensions.
        extensions = SMILESReader.extensions(in: bytes, from: index, to: line.upperBound)
        if let extensions { index = extensions.upperBound + 1 }
        while index < line.upperBound, bytes[index] == Ascii.blank { index += 1 }
        if index < line.upperBound, bytes[index] == Ascii.tab { index += 1 }
        title = index..<line.upperBound
    }

    /// Returns the parts of a record. The title follows a blank or a tab.
    @Sendable static func parts(of record: borrowing Span<UInt8>) -> RecordParts? {
        let bytes = record.bytes(0..<record.count)
        var parts = RecordParts(structureUpTo: bytes.count)
        parts.start = record.startOfText
        let text = bytes.span.withoutLineEnd(parts.start..<bytes.count)
        let title = SMILESLine(text, of: bytes).title
        let isApart = title.lowerBound > text.lowerBound && Ascii.isBlank(bytes[title.lowerBound - 1])
        parts.title = isApart ? title : nil
        return parts
    }

    /// Whether a line is not a record: a comment, the names of columns, or a blank line.
    static func isNone(_ line: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        if line.isEmpty || bytes[line.lowerBound] == UInt8(ascii: "#") { return true }
        // The usual name of the column is not a valid SMILES.
        let heading = "smiles".utf8
        let isHeading =
            line.count >= heading.count
            && zip(line, heading).allSatisfy { bytes[$0] | 0x20 == $1 }
            && (line.count == heading.count || bytes[line.lowerBound + heading.count] <= Ascii.blank)
        return isHeading || line.allSatisfy { bytes[$0] == Ascii.blank }
    }
}

/// A parser for the lines of a SMILES file.
public struct SMILESLineParser: LineRecordParser {
    private var reader = SMILESReader()
    private var issues: [Issue] = []

    public init(_ options: ReadOptions) {}

    public static var recordsInFile: RecordsInFile { .several }

    public mutating func place(_ line: Range<Int>, of bytes: Span<UInt8>) -> LinePlace {
        SMILESLine.isNone(line, of: bytes) ? .between : .last
    }

    public mutating func read(
        _ lines: inout LineCursor, of buffer: [UInt8], into record: inout Record, at place: RecordPlace
    ) throws(Fault) {
        guard let text = lines.next(in: buffer.span) else { return }
        let line = SMILESLine(text, of: buffer)
        issues = try reader.read(
            line.smiles, extended: line.extensions, of: buffer, into: &record, from: text.lowerBound, line: place.line)
        if !line.title.isEmpty { record.setName(buffer[line.title]) }
    }

    public mutating func takeIssues() -> [Issue] {
        if issues.isEmpty { return issues }
        defer { issues = [] }
        return issues
    }
}

/// A formatter that writes a structure, a tab and the title on a line. It is the inverse of `SMILESLineParser`.
public struct SMILESLineFormatter: LineRecordFormatter {
    private var text = SMILESText()
    private let held = Format.smiles.supportedFeatures

    public init(_ options: WriteOptions) {
        text.isCanonical = options.isCanonical
    }

    public static var refusalOfSecond: String? { nil }

    public mutating func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        var report = WriteReport()
        text.print(record)
        let title = record.nameBytes
        bytes.append(copying: text.bytes.span)
        // An empty line would not be a record.
        if !title.isEmpty || text.bytes.isEmpty {
            bytes.append(Ascii.tab)
            if title.span.isPrintableASCII(without: Ascii.tab, Ascii.lineFeed) {
                bytes.append(copying: title.span)
            } else {
                let isOneLine = !title.contains { $0 < Ascii.blank }
                if !isOneLine { report.losses.note(.names, "written on one line") }
                for byte in title { bytes.append(byte < Ascii.blank ? Ascii.blank : byte) }
            }
        }
        bytes.append(Ascii.lineFeed)
        text.noteLosses(of: record, unsupportedBy: held, in: &report.losses)
        return report
    }
}
