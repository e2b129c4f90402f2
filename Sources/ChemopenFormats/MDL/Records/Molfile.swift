import ChemopenBytes
import ChemopenModel

extension Format {
    /// The molfile: one molecule, in V2000 or V3000, or as an R-group file.
    public static let molfile = Format(
        id: "mol",
        name: "MDL Molfile",
        mimeTypes: ["chemical/x-mdl-molfile"],
        extensions: ["mol"],
        supportedFeatures: MDLFeatures.molfile,
        sniff: { MDLSniffer.confidence(in: $0, of: .molfile) }
    )
    .read(by: MolfileRecordReader.self)
    .written(by: MolfileRecordWriter.self)
    .limited(title: 80)
    .signed(.molfile)
    .parted(by: RecordParts.ofMolfile)
    .linewise(by: MolfileLinePatch.patched)
    .inTableLines()
}
