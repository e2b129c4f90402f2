extension TypeSignature {
    /// FoxPro indexes and web archives also use the extension `.cdx`.
    static let cdx = TypeSignature(.drawing, priority: 85, parent: nil, matches: [Match("VjCD0100")])
        .sharingExtensions()
        .gzipped("cdx")

    static let cdxml = TypeSignature(
        .drawing, priority: 85, parent: "application/xml",
        matches: documents("<CDXML>", "<CDXML ", "<CDXML\n", "<CDXML\r")
            + beginnings("<!DOCTYPE CDXML") + beginnings("<?xml", and: [Match("<!DOCTYPE CDXML", at: 5...256)])
    )
    .gzipped("cdxml")
    .rooted(in: "CDXML")
}
