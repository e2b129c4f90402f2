import ChemopenBytes
import ChemopenModel

/// Reads the one record of a `.mol` file: a molfile, or an R-group file.
public struct MolfileRecordReader: RecordReader, ~Copyable {
    private var window: RecordWindow<NoSeparation>
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
        let buffer = window.buffer
        let bytes = buffer.span
        record.removeAllFields()
        let start = window.text.lowerBound + MolfileSniffer.startOfText(bytes.extracting(window.text))
        var lines = LineCursor(start..<window.text.upperBound, of: bytes)
        do throws(Fault) {
            record.subject = .molecule(try readMolecule(&lines, buffer, into: record.takeMolecule()))
        } catch {
            throw ReadError(error, in: window.text, of: bytes, file: window.source.name, place: place)
        }
        if let text = lines.rest(in: bytes) {
            issues.append(Issue(line: place.line &+ lines.line, "text behind M  END; kept as it is", found: text))
            record.verbatim.append(Verbatim(place.version == "V3000" ? .v3000 : .v2000, text))
        }
        return true
    }

    private mutating func readMolecule(
        _ lines: inout LineCursor, _ buffer: [UInt8], into molecule: Molecule
    ) throws(Fault) -> Molecule {
        let bytes = buffer.span
        if let first = lines.peek(in: bytes), bytes.range(first, begins: "$MDL") {
            var file = RGfileReader(lines, firstLine: place.line)
            defer { issues += file.issues }
            window.place.version = "V2000"
            try file.read(buffer)
            lines = file.lines
            return file.molecule
        }
        var molfile = MolfileReader(lines, firstLine: place.line, into: molecule)
        defer {
            issues += molfile.issues
            window.place.version = molfile.version
        }
        try molfile.read(buffer)
        lines = molfile.lines
        return molfile.molecule
    }
}

extension LineCursor {
    /// All that is left, its lines joined by LF and without blank lines at its two ends; `nil` where that is nothing.
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
