import ChemopenBytes
import ChemopenModel

/// Reads the data of an RD record: pairs of `$DTYPE`, a name, and `$DATUM`, a value of any number of lines.
///
/// The first data of a reaction may specify the kind of its arrow and the text at the arrow.
struct RDDataReader {
    /// The name of the data field that contains the text at a reaction's arrow.
    static let conditions: Text = "RXN:CONDITIONS"
    /// The name of the data field that contains the kind of a reaction's arrow.
    static let arrow: Text = "RXN:ARROW"

    private(set) var lines: LineCursor
    private(set) var issues: [Issue] = []
    private let firstLine: Int
    /// The name that was read last; `isNamed` is set until its value is read.
    private var name: [UInt8] = []
    private var isNamed = false
    /// The texts at the arrow, which precede all other data.
    private(set) var conditions: [Text] = []
    /// The kind of the arrow, which precedes the texts.
    private(set) var arrow: Reaction.Arrow?

    init(_ lines: LineCursor, firstLine: Int) {
        self.lines = lines
        self.firstLine = firstLine
    }

    mutating func read(_ buffer: [UInt8], into record: inout Record, columns: inout FieldColumns) {
        let bytes = buffer.span
        while true {
            if takePlain(bytes, &record, &columns) { continue }
            guard let line = lines.next(in: bytes) else { break }
            if isKeyword("$DTYPE", line, bytes) {
                addEmpty(&record, &columns)
                readName(line, bytes)
            } else if isKeyword("$DATUM", line, bytes) {
                readValue(line, buffer, bytes, &record, &columns)
            } else if RDfileHead.isLine(line, bytes) {
                tell("another RD file begins here; its records are read as well", line, bytes)
            } else if !line.allSatisfy({ bytes[$0] <= Ascii.blank }) {
                tell("not a keyword of RD files; preserved verbatim", line, bytes)
                record.verbatim.append(Verbatim(.rdfile, Text(bytes: bytes.bytes(line))))
            }
        }
        addEmpty(&record, &columns)
    }

    /// Reads a name and a value if each is a single line without special cases, as in nearly all files.
    private mutating func takePlain(_ bytes: Span<UInt8>, _ record: inout Record, _ columns: inout FieldColumns) -> Bool
    {
        let start = lines.position &+ 7
        guard !isNamed, !lines.hasCarriageReturns, start < lines.end, lines.end <= bytes.count,
            Self.keyword(loadWord(bytes, at: lines.position)) == Self.nameKeyword, bytes[start] > Ascii.blank,
            let endOfName = firstIndex(of: Ascii.lineFeed, in: bytes, from: start, to: lines.end),
            bytes[endOfName &- 1] > Ascii.blank,
            Self.keyword(loadWord(bytes, at: endOfName &+ 1)) == Self.valueKeyword
        else { return false }
        let value = endOfName &+ 8
        guard value < lines.end, bytes[value] > Ascii.blank, bytes[value] != Ascii.dollar,
            let end = firstIndex(of: Ascii.lineFeed, in: bytes, from: value, to: lines.end),
            end &- endOfName <= Self.foldedWidth, end &+ 1 == lines.end || bytes[end &+ 1] == Ascii.dollar,
            firstIndex(of: 0, in: bytes, from: start, to: end) == nil
        else { return false }
        // The first data of a reaction may belong to its arrow.
        if record.fields.isEmpty, case .reaction = record.subject { return false }
        let column = columns.place(of: start..<endOfName, in: bytes)
        let place = record.fields.bytes.count
        record.fields.bytes.append(copying: bytes.extracting(value..<end))
        record.fields.entries.append(
            Fields.Entry(column: column, header: place, value: place, end: record.fields.bytes.count))
        lines.take(2, upTo: end)
        return true
    }

    /// `$DTYPE ` and `$DATUM ` as little-endian numbers: the first character is the lowest byte.
    private static var nameKeyword: UInt64 { 0x0020_4550_5954_4424 }
    private static var valueKeyword: UInt64 { 0x0020_4D55_5441_4424 }

    private static func keyword(_ word: UInt64) -> UInt64 { word & 0x00FF_FFFF_FFFF_FFFF }

    private func isKeyword(_ keyword: StaticString, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        bytes.range(line, begins: keyword) && (line.count == 6 || Ascii.isBlank(bytes[line.lowerBound + 6]))
    }

    private mutating func tell(_ message: String, _ line: Range<Int>, _ bytes: Span<UInt8>) {
        let shown = line.lowerBound..<min(line.upperBound, line.lowerBound + 200)
        issues.note(Issue(line: firstLine &+ lines.line &- 1, message, found: Text(bytes: bytes.bytes(shown))))
    }

    // MARK: Names

    /// Reads a name, which extends to the next line that starts with `$`.
    private mutating func readName(_ line: Range<Int>, _ bytes: Span<UInt8>) {
        isNamed = true
        name.removeAll(keepingCapacity: true)
        name.append(copying: bytes.extracting(bytes.columns(7..<max(7, line.count), of: line)))
        while let next = lines.peek(in: bytes), next.isEmpty || bytes[next.lowerBound] != Ascii.dollar {
            lines.takeSeen(next, in: bytes)
            name.append(copying: bytes.extracting(next))
        }
        if name.replaceNUL() { tell("a NUL in the name; replaced by a blank", line, bytes) }
        let trimmed = name.span.trimmed(0..<name.count)
        if trimmed.isEmpty { tell("$DTYPE without a name; the value is preserved", line, bytes) }
        if trimmed.count < name.count { name = Array(name[trimmed]) }
    }

    /// Adds an empty value for a name without a value.
    private mutating func addEmpty(_ record: inout Record, _ columns: inout FieldColumns) {
        guard isNamed else { return }
        isNamed = false
        record.fields.append(column: columns.place(of: 0..<name.count, in: name.span), [])
    }

    // MARK: Values

    private mutating func readValue(
        _ line: Range<Int>, _ buffer: [UInt8], _ bytes: Span<UInt8>, _ record: inout Record,
        _ columns: inout FieldColumns
    ) {
        if !isNamed {
            name.removeAll(keepingCapacity: true)
            tell("$DATUM without a preceding $DTYPE; read as a field without a name", line, bytes)
        }
        isNamed = false
        let first = bytes.columns(7..<max(7, line.count), of: line)
        let isReaction = if case .reaction = record.subject { true } else { false }
        let mayBeCondition = isReaction && record.fields.isEmpty && name == Self.conditions.bytes
        let mayBeArrow =
            isReaction && record.fields.isEmpty && conditions.isEmpty && arrow == nil && name == Self.arrow.bytes
        let content = mayBeCondition ? nil : structureKind(first, bytes)
        let firstLine = lines
        let start = record.fields.bytes.count
        record.fields.bytes.append(copying: bytes.extracting(first))
        if content == nil {
            appendFolded(line, bytes, to: &record.fields.bytes)
        } else {
            appendLines(bytes, to: &record.fields.bytes)
        }
        if record.fields.bytes.replaceNUL(from: start) {
            tell("a NUL in the value; replaced by a blank", line, bytes)
        }
        if mayBeCondition, takeCondition(from: &record.fields) { return }
        if mayBeArrow, takeArrow(from: &record.fields) { return }
        let column = columns.place(of: 0..<name.count, in: name.span)
        record.fields.entries.append(
            Fields.Entry(column: column, header: start, value: start, end: record.fields.bytes.count))
        if let content { readStructure(content, firstLine, buffer, &record.fields) }
    }

    /// Reads the value of the potential first field as text at the arrow; returns `false` if the value is empty.
    private mutating func takeCondition(from fields: inout Fields) -> Bool {
        if fields.bytes.isEmpty { return false }
        conditions.append(Text(bytes: fields.bytes))
        fields.bytes.removeAll(keepingCapacity: true)
        return true
    }

    /// Reads the value of the potential first field as the kind of the arrow; returns `false` if it is not one.
    private mutating func takeArrow(from fields: inout Fields) -> Bool {
        guard let kind = Self.arrow(called: fields.bytes) else { return false }
        arrow = kind
        fields.bytes.removeAll(keepingCapacity: true)
        return true
    }

    /// Returns the kind of arrow that the data specify. The default kind, `.forward`, is never specified in data.
    static func arrow(called name: [UInt8]) -> Reaction.Arrow? {
        let kind = Reaction.Arrow(name: String(decoding: name, as: UTF8.self))
        return kind == .forward ? nil : kind
    }

    /// Appends the lines of a value up to the next line that starts with `$`, and joins folded lines.
    private mutating func appendFolded(
        _ line: Range<Int>, _ bytes: Span<UInt8>, to output: inout [UInt8]
    ) {
        var isFolded = Self.isFolded(line, bytes)
        if isFolded { output.removeLast() }
        var end = output.count
        while let next = lines.peek(in: bytes), next.isEmpty || bytes[next.lowerBound] != Ascii.dollar {
            lines.takeSeen(next, in: bytes)
            if !isFolded { output.append(Ascii.lineFeed) }
            output.append(copying: bytes.extracting(next))
            isFolded = Self.isFolded(next, bytes)
            if isFolded { output.removeLast() }
            if !next.allSatisfy({ bytes[$0] <= Ascii.blank && !Ascii.isBlank(bytes[$0]) }) { end = output.count }
        }
        if isFolded { tell("the last line of the value ends in a continuation mark, but no line follows", line, bytes) }
        // Empty lines at the end of a record separate it from the next record.
        if lines.isAtEnd { output.removeLast(output.count - end) }
    }

    /// The number of columns of a line that continues on the next line.
    private static var foldedWidth: Int { 81 }

    /// Whether a `+` in column 81 continues a line on the next one. Columns are characters, not bytes.
    private static func isFolded(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let width = foldedWidth
        guard (width...4 * width).contains(line.count), bytes[line.upperBound - 1] == Ascii.plus else { return false }
        let part = bytes.extracting(line)
        return (isASCII(part) || !isUTF8(part) ? line.count : countLetters(part)) == width
    }

    private static func countLetters(_ text: Span<UInt8>) -> Int {
        var count = 0
        for index in text.indices where text[index] & 0xC0 != 0x80 { count &+= 1 }
        return count
    }

    // MARK: Structures as values

    private func structureKind(_ value: Range<Int>, _ bytes: Span<UInt8>) -> RDRecordStart.Content? {
        let text = bytes.trimmed(value)
        let keyword = text.lowerBound..<min(text.upperBound, text.lowerBound + 7)
        guard bytes.range(keyword, begins: "$MFMT") || bytes.range(keyword, begins: "$RFMT") else { return nil }
        return RDRecordStart.begins(keyword, bytes) ? RDRecordStart(text, bytes).content : nil
    }

    /// Appends the lines of a structure unchanged, up to the next name or value.
    private mutating func appendLines(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        var end = output.count
        while let next = lines.peek(in: bytes), !isKeyword("$DTYPE", next, bytes), !isKeyword("$DATUM", next, bytes) {
            lines.takeSeen(next, in: bytes)
            output.append(Ascii.lineFeed)
            output.append(copying: bytes.extracting(next))
            if !next.allSatisfy({ bytes[$0] <= Ascii.blank }) { end = output.count }
        }
        output.removeLast(output.count - end)
    }

    /// Reads the structure of the last field. If it cannot be read, the field remains text.
    private mutating func readStructure(
        _ content: RDRecordStart.Content, _ start: LineCursor, _ buffer: [UInt8], _ fields: inout Fields
    ) {
        let bytes = buffer.span
        var text = LineCursor(start.position..<lines.position, of: bytes, line: start.line)
        do throws(Fault) {
            let structure: Fields.Structure
            if content == .reaction {
                var reader = ReactionReader(text, firstLine: firstLine)
                defer { issues.note(reader.issues) }
                try reader.read(buffer)
                structure = .reaction(reader.reaction)
            } else {
                if let line = text.peek(in: bytes), bytes.range(line, begins: "$MOL") { _ = text.next(in: bytes) }
                if RGfileReader.isNext(text, bytes) {
                    var file = RGfileReader(text, firstLine: firstLine)
                    defer { issues.note(file.issues) }
                    try file.read(buffer)
                    fields.structures.append(Indexed(fields.entries.count - 1, .molecule(file.molecule)))
                    return
                }
                var molfile = MolfileReader(text, firstLine: firstLine, into: Molecule())
                defer { issues.note(molfile.issues) }
                try molfile.read(buffer)
                structure = .molecule(molfile.molecule)
            }
            fields.structures.append(Indexed(fields.entries.count - 1, structure))
        } catch {
            issues.note(
                Issue(line: firstLine &+ error.line, "the structure in the data cannot be read; preserved as text"))
        }
    }
}
