import ChemopenBytes
import ChemopenModel

extension Format {
    /// The RD file: a sequence of molecules and reactions with their registry numbers and data.
    public static let rdfile = Format(
        id: "rdf",
        name: "MDL RDfile",
        mimeTypes: ["chemical/x-mdl-rdfile"],
        extensions: ["rdf", "rd"],
        supportedFeatures: MDLFeatures.molfile.union(MDLFeatures.reactions).union(MDLFeatures.dataOfRDfile),
        sniff: { MDLSniffer.confidence(in: $0, of: .rdfile) }
    )
    .read(by: RDfileReader.self)
    .written(by: RDfileWriter.self)
    .limited(title: 80)
    .signed(.rdfile)
    .cut(by: RDSeparator.lastRecordEnd)
    .cut(behind: RDSeparator.nextRecordEnd)
    .readAlone(LoneRecords(keepsText: false))
    .parted(by: RDfileParts.parts)
    .linewise(by: MolfileLinePatch.patched)
    .inTableLines()
}
