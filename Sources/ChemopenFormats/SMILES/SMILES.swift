import ChemopenBytes
import ChemopenModel

extension Format {
    /// SMILES: each line contains a structure, optional CX extensions, and the title.
    public static let smiles = Format(
        id: "smi",
        name: "SMILES",
        mimeTypes: ["chemical/x-daylight-smiles"],
        extensions: ["smi", "smiles"],
        supportedFeatures: Features.inSMILES.union(Features(.severalRecords, .names)),
        sniff: sniffSMILES
    )
    .read(by: LineRecordReader<SMILESLineParser>.self)
    .written(by: LineRecordWriter<SMILESLineFormatter>.self)
    .cut(by: { bytes in
        // Each line is a record.
        var end = bytes.count
        while end > 0, bytes[end - 1] != Ascii.lineFeed { end -= 1 }
        return end > 0 ? end : nil
    })
    .inLineNotation()
    .proved(by: provesSMILES)
    .parted(by: SMILESLine.parts)
    .emptyWithoutRecords()
}
