import ChemopenBytes
import ChemopenModel

/// Writes one reaction as an RXN file: the inverse of `RXNfileReader`.
public struct RXNfileWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var isWritten = false

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        guard case .reaction(let reaction) = record.subject else {
            throw WriteError(.impossible, "an RXN file holds a reaction; a molecule goes into a MOL or SD file")
        }
        try takePlace()
        var writer = ReactionWriter(options)
        try writer.write(reaction, to: &sink.bytes)
        for verbatim in record.verbatim where verbatim.dialect == .v2000 || verbatim.dialect == .v3000 {
            if Self.staysText(verbatim.text, in: writer.report.version) {
                sink.bytes.appendLines(verbatim.text)
            } else {
                writer.report.losses.note(.unknown, Text(bytes: verbatim.text.bytes.prefix(40)))
            }
        }
        writer.report.noteData(of: record)
        if options.carriageReturns { sink.bytes.endLinesInCarriageReturns(from: 0) }
        return writer.report
    }

    /// Whether text behind the reaction is read as such: in V2000, `$MOL` before any other keyword begins one more
    /// component.
    private static func staysText(_ text: Text, in version: String) -> Bool {
        if version == "V3000" { return true }
        let bytes = text.bytes
        var lines = LineCursor(0..<bytes.count, of: bytes.span)
        while let line = lines.next(in: bytes.span) {
            if line.isEmpty || bytes[line.lowerBound] != Ascii.dollar { continue }
            return !bytes.span.range(line, begins: "$MOL") && !bytes.span.range(line, begins: "$MDL")
        }
        return true
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        try takePlace()
        sink.bytes.append(contentsOf: bytes)
    }

    private mutating func takePlace() throws(WriteError) {
        if isWritten {
            throw WriteError(.impossible, "an RXN file holds one record; several go into an RD file")
        }
        isWritten = true
    }

    public mutating func finish() throws(WriteError) {
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}
