import ChemopenBytes
import ChemopenModel

/// Writes one molecule as a molfile, or as an R-group file where R-groups have members and V2000 holds all of them.
public struct MolfileRecordWriter: RecordWriter, ~Copyable {
    private var sink: ByteSink
    private let options: WriteOptions
    private var isWritten = false

    public init(_ sink: consuming ByteSink, _ options: WriteOptions) throws(WriteError) {
        self.sink = sink
        self.options = options
    }

    public mutating func begin(_ header: SheetHeader) throws(WriteError) {}

    public mutating func write(_ record: borrowing Record) throws(WriteError) -> WriteReport {
        try takePlace()
        var report: WriteReport
        switch record.subject {
        case .molecule(let molecule): report = try write(molecule)
        case .none: report = try write(Molecule())
        case .reaction:
            throw WriteError(.impossible, "a MOL file holds a molecule; a reaction goes into an RXN or RD file")
        }
        for verbatim in record.verbatim where verbatim.dialect == .v2000 || verbatim.dialect == .v3000 {
            sink.bytes.append(contentsOf: verbatim.text.bytes)
            sink.bytes.append(Ascii.lineFeed)
        }
        report.noteData(of: record)
        if options.carriageReturns { sink.bytes.endLinesInCarriageReturns(from: 0) }
        return report
    }

    private mutating func write(_ molecule: Molecule) throws(WriteError) -> WriteReport {
        if options.version == .v2000 { try molecule.checkFitsV2000() }
        if options.version != .v3000, let file = RGfileWriter(molecule, options) {
            return file.write(to: &sink.bytes)
        }
        var molfile = MolfileWriter(options)
        try molfile.write(molecule, to: &sink.bytes)
        return molfile.report
    }

    public mutating func copy(_ bytes: [UInt8], beginsFile: Bool) throws(WriteError) {
        try takePlace()
        sink.bytes.append(contentsOf: bytes)
    }

    private mutating func takePlace() throws(WriteError) {
        if isWritten {
            throw WriteError(.impossible, "a MOL file holds one record; several go into an SD file")
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
