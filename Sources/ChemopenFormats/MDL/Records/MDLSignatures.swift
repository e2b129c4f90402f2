extension TypeSignature {
    /// The versions, in the counts line: behind three header lines, of which two may be empty.
    private static func countsLine(and inner: [Match] = []) -> [Match] {
        [" V2000", " V3000"].map { Match($0, at: 36...300, and: inner) }
    }

    static let molfile = TypeSignature(.molecule, priority: 60, parent: "text/plain", matches: countsLine())
        .gzipped("mol")

    /// A mark behind the first molecule must stand within the 4096 bytes that desktops read.
    static let sdfile = TypeSignature(
        .collection, priority: 65, parent: "text/plain",
        matches: countsLine(and: [Match("\n$$$$", at: 40...4000), Match("\n> ", at: 40...4000)])
    )
    .gzipped("sdf", "sd")

    static let rxnfile = TypeSignature(
        .reaction, priority: 85, parent: "text/plain", matches: [Match("$RXN\n"), Match("$RXN\r"), Match("$RXN ")]
    )
    .gzipped("rxn")

    /// `.rdf` is RDF/XML as well, and `.Rd` a manual page of R.
    static let rdfile = TypeSignature(
        .collection, priority: 90, parent: "text/plain", matches: [Match("$RDFILE"), Match("$RFMT"), Match("$MFMT")]
    )
    .sharingExtensions(lowercaseOnly: ["rd"])
}
