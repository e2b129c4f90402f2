import ChemopenBytes
import ChemopenModel

extension Format {
    /// The SD file: a sequence of molfiles with data fields, each closed by `$$$$`.
    public static let sdfile = Format(
        id: "sdf",
        name: "MDL SDfile",
        mimeTypes: ["chemical/x-mdl-sdfile"],
        extensions: ["sdf", "sd"],
        supportedFeatures: MDLFeatures.molfile.union(MDLFeatures.dataFields),
        sniff: { MDLSniffer.confidence(in: $0, of: .sdfile) }
    )
    .read(by: SDfileReader.self)
    .written(by: SDfileWriter.self)
    .limited(title: 80, valueLine: 200)
    .signed(.sdfile)
    .cut(by: SDfileReader.lastRecordEnd)
    .cut(behind: SDfileReader.nextRecordEnd)
    .readAlone()
    .parted(by: SDfileReader.parts)
    .linewise(by: MolfileLinePatch.patched)
    .inTableLines()
    .emptyWithoutRecords()
}
