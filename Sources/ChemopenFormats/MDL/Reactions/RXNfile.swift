import ChemopenBytes
import ChemopenModel

extension Format {
    /// The RXN file: one reaction with its components as molfiles or V3000 tables.
    public static let rxnfile = Format(
        id: "rxn",
        name: "MDL RXNfile",
        mimeTypes: ["chemical/x-mdl-rxnfile"],
        extensions: ["rxn"],
        supportedFeatures: MDLFeatures.molfile.subtracting(Features(.molecules)).union(MDLFeatures.reactions),
        sniff: { MDLSniffer.confidence(in: $0, of: .rxnfile) }
    )
    .read(by: RXNfileReader.self)
    .written(by: RXNfileWriter.self)
    .limited(title: 80)
    .signed(.rxnfile)
    .parted(by: RecordParts.ofReaction)
    .inTableLines()
}
