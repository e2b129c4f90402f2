import ChemopenBytes
import ChemopenModel

/// Writes one molecule as a molfile, or as an R-group file if R-groups have members and everything fits into V2000.
public typealias MolfileRecordWriter = LineRecordWriter<MolfileFormatter>

/// The encoding of a record as a `.mol` file.
public struct MolfileFormatter: LineRecordFormatter {
    public static var refusalOfSecond: String? { "a MOL file can store only one record; use an SD file for several" }
    private let options: WriteOptions

    public init(_ options: WriteOptions) {
        self.options = options
    }

    public func write(_ record: borrowing Record, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        var report: WriteReport
        switch record.subject {
        case .molecule(let molecule): report = try write(molecule, to: &bytes)
        case .none: report = try write(Molecule(), to: &bytes)
        case .reaction:
            throw WriteError(.impossible, "a MOL file cannot store reactions; use an RXN or RD file")
        }
        for verbatim in record.verbatim where verbatim.dialect == .v2000 || verbatim.dialect == .v3000 {
            bytes.append(contentsOf: verbatim.text.bytes)
            bytes.append(Ascii.lineFeed)
        }
        report.losses.note(MDLFeatures.besideStructure, of: record, keeping: .v2000, .v3000)
        return report
    }

    private func write(_ molecule: Molecule, to bytes: inout [UInt8]) throws(WriteError) -> WriteReport {
        if options.version == .v2000 { try molecule.checkFitsV2000() }
        if options.version != .v3000, let file = RGfileWriter(molecule, options) {
            return file.write(to: &bytes)
        }
        var molfile = MolfileWriter(options)
        try molfile.write(molecule, to: &bytes)
        return molfile.report
    }
}
