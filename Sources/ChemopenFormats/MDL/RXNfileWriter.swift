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
        writer.write(reaction, to: &sink.bytes)
        for verbatim in record.verbatim where verbatim.dialect == .v2000 || verbatim.dialect == .v3000 {
            sink.bytes.append(contentsOf: verbatim.text.bytes)
            sink.bytes.append(Ascii.lineFeed)
        }
        writer.report.noteData(of: record)
        if options.carriageReturns { sink.bytes.endLinesInCarriageReturns(from: 0) }
        return writer.report
    }

    public mutating func copy(_ bytes: [UInt8]) throws(WriteError) {
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
