import ChemopenBytes
import ChemopenModel

/// Reads RXN files. A file holds one reaction; where somebody has joined several, each `$RXN` begins a record.
public struct RXNfileReader: RecordReader, ~Copyable {
    private var window: RecordWindow<RXNStart>
    public private(set) var issues: [Issue] = []

    public init(_ source: consuming ByteSource, _ options: ReadOptions) throws(ReadError) {
        window = RecordWindow(source, options)
    }

    public var header: SheetHeader { SheetHeader() }

    public var place: RecordPlace { window.place }

    public var bytesRead: Int { window.source.bytesRead }

    public func copyRecordBytes(to bytes: inout [UInt8]) {
        window.copyRecordBytes(to: &bytes)
    }

    public mutating func read(into record: inout Record) throws(ReadError) -> Bool {
        issues.removeAll(keepingCapacity: true)
        guard try window.next() else { return false }
        if !beginsWithKeyword(), try !window.extend() { try refuse() }
        let buffer = window.buffer
        let bytes = buffer.span
        record.removeAllFields()
        let start = window.text.lowerBound + MolfileSniffer.startOfText(bytes.extracting(window.text))
        var reader = ReactionReader(LineCursor(start..<window.text.upperBound, of: bytes), firstLine: place.line)
        reader.skipToKeyword(bytes)
        do throws(Fault) {
            try reader.read(buffer)
        } catch {
            issues = reader.issues
            window.lineCount = countLines(bytes)
            throw ReadError(error, in: window.text, of: bytes, file: window.source.name, place: place)
        }
        window.place.version = reader.version
        record.subject = .reaction(reader.reaction)
        if let text = reader.lines.rest(in: bytes) {
            let line = place.line &+ reader.lines.line
            issues.append(Issue(line: line, "text behind the reaction; kept as it is", found: text))
            reader.strays.append(text)
        }
        record.verbatim += reader.strays.map { Verbatim(reader.version == "V3000" ? .v3000 : .v2000, $0) }
        issues = reader.issues + issues
        window.lineCount = countLines(bytes)
        return true
    }

    /// Whether the text cut out is a reaction and not what stands before the first.
    private func beginsWithKeyword() -> Bool {
        let bytes = window.buffer.span
        let start = window.text.lowerBound + MolfileSniffer.startOfText(bytes.extracting(window.text))
        return bytes.range(start..<window.text.upperBound, begins: "$RXN")
    }

    private func refuse() throws(ReadError) {
        throw ReadError(
            Fault(line: 0, expected: "$RXN, the first line of a reaction"), in: window.text, of: window.buffer.span,
            file: window.source.name, place: place)
    }

    private func countLines(_ bytes: Span<UInt8>) -> Int {
        var lines = LineCursor(window.text, of: bytes)
        while lines.next(in: bytes) != nil {}
        return lines.line
    }
}

/// A line that begins `$RXN`: there the next reaction of a file begins.
enum RXNStart: RecordSeparation {
    static func search(
        in bytes: Span<UInt8>, from start: Int, of window: Range<Int>, atEnd: Bool
    ) -> SeparatorSearch {
        var index = start
        while let dollar = KeywordLines.next(in: bytes, from: index, of: window) {
            index = dollar &+ 1
            if dollar == window.lowerBound { continue }
            if dollar &+ 4 > window.upperBound, !atEnd { return .need(from: dollar) }
            if bytes.range(dollar..<window.upperBound, begins: "$RXN") { return .found(dollar..<dollar) }
        }
        return .need(from: window.upperBound)
    }
}
