import ChemopenBytes
import ChemopenModel

/// A writer for SketchEl files, which contain one molecule.
public typealias SketchElWriter = LineRecordWriter<SketchElFormatter>

/// A formatter that writes a record as a SketchEl file.
public struct SketchElFormatter: LineRecordFormatter {
    public static var refusalOfSecond: String? { "a SketchEl file can contain only one molecule" }
    private var molecules = SketchElMoleculeWriter()

    public init(_ options: WriteOptions) {}

    public mutating func write(
        _ record: borrowing Record, to bytes: inout [UInt8]
    ) throws(WriteError) -> WriteReport {
        var report = WriteReport()
        let molecule: Molecule
        switch record.subject {
        case .molecule(let subject): molecule = subject
        case .none: molecule = Molecule()
        case .reaction:
            throw WriteError(.impossible, "a SketchEl file cannot contain a reaction")
        }
        molecules.write(molecule, title: molecule.name, to: &bytes)
        report.losses = molecules.losses
        var lost = SketchElFeatures.besideMolecule
        lost.add(.names, if: molecule.atoms.isEmpty)
        report.losses.note(lost, of: record)
        if molecule.hasForeignText { report.losses.note(.foreignEncoding) }
        return report
    }
}
