import ChemopenBytes
import ChemopenModel

/// Writes a SketchEl file: the one molecule of the one record it takes.
public struct SketchElWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var molecules = SketchElMoleculeWriter()
    private var records = 0

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try beginRecord()
        var report = WriteReport()
        let molecule: Molecule
        switch record.subject {
        case .molecule(let subject): molecule = subject
        case .none: molecule = Molecule()
        case .reaction:
            throw WriteError(.impossible, "a SketchEl file holds one molecule and no reaction")
        }
        molecules.write(molecule, to: &sink.bytes)
        if options.carriageReturns { addCarriageReturns() }
        report.losses = molecules.losses
        let heading = molecule.heading.lines
        if !heading.name.isEmpty { report.losses.note(.names) }
        if Heading.isForeign(origin: heading.origin) { report.losses.note(.origins) }
        for field in record.fields { report.losses.note(.fields, field.name) }
        if !record.registry.isEmpty { report.losses.note(.registryNumbers, count: record.registry.count) }
        for verbatim in record.verbatim { report.losses.note(.unknown, verbatim.text) }
        return report
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        try beginRecord()
        sink.bytes.append(contentsOf: bytes)
    }

    private mutating func beginRecord() throws(WriteError) {
        guard records == 0 else { throw WriteError(.impossible, "a SketchEl file holds one molecule") }
        records = 1
    }

    private mutating func addCarriageReturns() {
        var lines: [UInt8] = []
        for byte in sink.bytes {
            if byte == Ascii.lineFeed { lines.append(Ascii.carriageReturn) }
            lines.append(byte)
        }
        sink.bytes = lines
    }

    public mutating func finish() throws(WriteError) {
        try sink.finishWriting()
    }

    public mutating func takeBytes() -> [UInt8] {
        sink.takeAll()
    }
}
