import ChemopenBytes
import ChemopenModel

extension Format {
    /// SMILES: a structure and its title to a line.
    public static let smiles = Format(
        id: "smi",
        name: "SMILES",
        mimeTypes: ["chemical/x-daylight-smiles"],
        extensions: ["smi", "smiles"],
        holds: Features.inSMILES.union(Features(.severalRecords, .names)),
        sniff: { _ in .no }
    )
    .written(by: SMILESFileWriter.self)
    .emptyWithoutRecords()
}
