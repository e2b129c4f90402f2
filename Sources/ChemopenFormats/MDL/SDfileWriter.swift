import ChemopenBytes
import ChemopenModel

/// Writes SD files: the inverse of `SDfileReader`.
public struct SDfileWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var fields = DataFieldWriter()

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        let start = sink.bytes.count
        var molfile = MolfileWriter(options)
        switch record.subject {
        case .molecule(let molecule): molfile.write(molecule, to: &sink.bytes)
        case .none: molfile.write(Molecule(), to: &sink.bytes)
        case .reaction:
            throw WriteError(.impossible, "an SD file holds molecules; a reaction goes into an RXN or RD file")
        }
        if !record.registry.isEmpty { writeRegistry(record.registry, &molfile.report) }
        if !record.fields.isEmpty { fields.write(record.fields, to: &sink.bytes, &molfile.report) }
        for verbatim in record.verbatim { write(verbatim, &molfile.report) }
        sink.bytes.append("$$$$\n")
        if options.carriageReturns { sink.bytes.endLinesInCarriageReturns(from: start) }
        try sink.handOn()
        return molfile.report
    }

    /// Registry numbers have no place of their own here and become data.
    private mutating func writeRegistry(_ registry: [Record.RegistryNumber], _ report: inout WriteReport) {
        for number in registry {
            sink.bytes.append(number.isInternal ? ">  <internal-regno>\n" : ">  <external-regno>\n")
            sink.bytes.appendOneLine(number.number.bytes)
            sink.bytes.append("\n\n")
        }
        report.losses.note(.registryNumbers, "written as data fields", count: registry.count)
    }

    private mutating func write(_ verbatim: Verbatim, _ report: inout WriteReport) {
        guard verbatim.dialect == .sdfile else { return report.losses.note(.unknown, verbatim.text) }
        sink.bytes.append(contentsOf: verbatim.text.bytes)
        sink.bytes.append("\n\n")
    }

    public mutating func copy(_ bytes: [UInt8]) throws(WriteError) {
        sink.bytes.append(contentsOf: bytes)
        if !bytes.isEmpty { closeRecord(bytes.span) }
        try sink.handOn()
    }

    /// The last record of a file may lack its separator, the end of that line, or the empty line before it.
    private mutating func closeRecord(_ bytes: Span<UInt8>) {
        var last = bytes.count
        while last > 0, !bytes.endsLine(at: last - 1) || last == bytes.count { last -= 1 }
        let end = firstIndex(of: Ascii.carriageReturn, in: bytes, from: 0, to: bytes.count) == nil ? "\n" : "\r\n"
        let hasLineEnd = bytes.endsLine(at: bytes.count - 1)
        let isClosed = bytes.range(last..<bytes.count, begins: "$$$$")
        if isClosed, hasLineEnd { return }
        if !hasLineEnd { sink.bytes.append(contentsOf: end.utf8) }
        if isClosed { return }
        let isEmpty = last == bytes.count || bytes.endsLine(at: last)
        if !isEmpty, !bytes.range(last..<bytes.count, begins: "M  END") { sink.bytes.append(contentsOf: end.utf8) }
        sink.bytes.append("$$$$")
        sink.bytes.append(contentsOf: end.utf8)
    }

    public mutating func finish() throws(WriteError) {
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}
