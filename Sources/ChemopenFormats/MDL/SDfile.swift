import ChemopenBytes
import ChemopenModel

extension Format {
    /// The SD file: molfiles with data fields, one after the other, each closed by `$$$$`.
    public static let sdfile = Format(
        id: "sdf",
        name: "MDL SDfile",
        mimeTypes: ["chemical/x-mdl-sdfile"],
        extensions: ["sdf", "sd"],
        holds: MDLFeatures.molfile.union(MDLFeatures.dataFields),
        sniff: sniffSDfile
    )
    .read(by: SDfileReader.self)
    .cut(by: SDfileReader.lastRecordEnd)
}

/// A molfile that is followed by a data header or a separator is a record of an SD file.
@Sendable private func sniffSDfile(_ head: Head) -> Confidence {
    let confidence = MolfileSniffer.confidence(in: head.bytes.span)
    if confidence == .no { return .no }
    return MolfileSniffer.hasDataOrSeparator(head.bytes.span) ? confidence : .no
}
