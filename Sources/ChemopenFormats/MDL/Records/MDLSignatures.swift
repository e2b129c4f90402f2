extension TypeSignature {
    /// Returns matches for a counts line with a version: a line that starts with 33 columns of blanks, digits and
    /// signs.
    ///
    /// Three header lines, which may all be empty, precede it.
    private static func countsLine(and inner: [Match] = []) -> [Match] {
        let columns = 33
        return ["\n", "\r"].flatMap { lineEnd in
            [" V2000", " V3000"].map { version in
                Match(
                    lineEnd + String(repeating: " ", count: columns) + version, at: 2...256,
                    mask: [0xFF] + [UInt8](repeating: 0xE0, count: columns) + [UInt8](repeating: 0xFF, count: 6),
                    and: inner)
            }
        }
    }

    /// The priority is low because a script or an email that contains a molfile is still a script or an email.
    static let molfile = TypeSignature(.molecule, priority: 42, parent: "text/plain", matches: countsLine())
        .gzipped("mol")

    /// A mark after the first molecule must appear within the 4096 bytes that desktops read. The extension `.sdf` is
    /// also used for worlds, delays and databases.
    static let sdfile = TypeSignature(
        .collection, priority: 45, parent: "text/plain",
        matches: countsLine(
            and: ["\n$$$$", "\r$$$$", "\n> <", "\n>  <", "\r> <", "\r>  <"].map { Match($0, at: 40...4000) })
    )
    .sharingExtensions()
    .gzipped("sdf", "sd")

    static let rxnfile = TypeSignature(
        .reaction, priority: 85, parent: "text/plain", matches: beginnings("$RXN\n", "$RXN\r", "$RXN V3000", "$RXN  ")
    )
    .gzipped("rxn")

    /// The extension `.rdf` is also used for RDF/XML, and `.Rd` for R manual pages.
    static let rdfile = TypeSignature(
        .collection, priority: 90, parent: "text/plain",
        matches: beginnings("$RDFILE", "$RFMT\n", "$RFMT\r", "$RFMT $R", "$MFMT\n", "$MFMT\r", "$MFMT $M")
    )
    .sharingExtensions(lowercaseOnly: ["rd"])
}
