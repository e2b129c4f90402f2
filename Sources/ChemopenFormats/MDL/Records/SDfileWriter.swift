import ChemopenBytes
import ChemopenModel

/// Writes SD files: the inverse of `SDfileReader`.
public struct SDfileWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var fields: DataFieldWriter
    /// The bytes that complete the last copied record, which must precede another record.
    private var closing: [UInt8] = []

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
        fields = DataFieldWriter(options)
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        switch record.subject {
        case .molecule(let molecule): return try write(record, molecule)
        case .none: return try write(record, Molecule())
        case .reaction:
            try record.validate()
            throw WriteError(.impossible, "an SD file cannot store reactions; use an RXN or RD file")
        }
    }

    private mutating func write(
        _ record: borrowing Record, _ molecule: borrowing Molecule
    ) throws(WriteError) -> WriteReport {
        try record.validate(holding: molecule)
        closeRecord()
        let start = sink.bytes.count
        var molfile = MolfileWriter(options)
        try molfile.write(molecule, to: &sink.bytes)
        if !record.registry.isEmpty { writeRegistry(record.registry, &molfile.report) }
        if !record.fields.isEmpty { try fields.write(record.fields, to: &sink.bytes, &molfile.report) }
        for verbatim in record.verbatim where verbatim.dialect == .sdfile {
            sink.bytes.append(contentsOf: verbatim.text.bytes)
            sink.bytes.append("\n\n")
        }
        if !record.verbatim.isEmpty { molfile.report.losses.note(Features(.unknown), of: record, keeping: .sdfile) }
        sink.bytes.append("$$$$\n")
        if options.carriageReturns { sink.bytes.endLinesInCarriageReturns(from: start) }
        try sink.handOn()
        return molfile.report
    }

    /// Writes registry numbers as data fields, because an SD record has no dedicated lines for them.
    private mutating func writeRegistry(_ registry: [Record.RegistryNumber], _ report: inout WriteReport) {
        for number in registry {
            sink.bytes.append(number.isInternal ? ">  <internal-regno>\n" : ">  <external-regno>\n")
            sink.bytes.appendOneLine(number.number.bytes)
            sink.bytes.append(number.number.isEmpty ? "\n" : "\n\n")
        }
        report.losses.note(.registryNumbers, "written as data fields", count: registry.count)
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        closeRecord()
        sink.bytes.append(contentsOf: bytes)
        closing = Self.closing(of: bytes.span)
        try sink.handOn()
    }

    public mutating func copy(rest bytes: [UInt8]) throws(WriteError) {
        sink.bytes.append(contentsOf: bytes)
        try sink.handOn()
    }

    private mutating func closeRecord() {
        if closing.isEmpty { return }
        sink.bytes.append(contentsOf: closing)
        closing.removeAll()
    }

    /// Returns the bytes that complete a last record: the separator, its line end, or the empty line before it.
    private static func closing(of bytes: Span<UInt8>) -> [UInt8] {
        if bytes.isEmpty { return [] }
        let text = bytes.withoutLineEnd(0..<bytes.count)
        let line = bytes.lastLine(of: text)
        let isClosed = bytes.range(line, begins: "$$$$")
        let hasLineEnd = text.count < bytes.count
        if isClosed, hasLineEnd { return [] }
        let end = bytes.firstLineEnd ?? [Ascii.lineFeed]
        var closing = hasLineEnd ? [] : end
        if isClosed { return closing }
        if !bytes.isBlank(line), !bytes.range(line, begins: "M  END") { closing += end }
        return closing + Array("$$$$".utf8) + end
    }

    public mutating func finish() throws(WriteError) {
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}
