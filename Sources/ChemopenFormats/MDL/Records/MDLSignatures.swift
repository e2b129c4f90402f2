extension TypeSignature {
    /// A counts line with its version: from the beginning of a line on, 33 columns of blanks, digits and signs.
    ///
    /// It stands behind three lines of heading, of which all may be empty.
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

    /// A script or a mail that holds a molfile is a script or a mail.
    static let molfile = TypeSignature(.molecule, priority: 42, parent: "text/plain", matches: countsLine())
        .gzipped("mol")

    /// A mark behind the first molecule must stand within the 4096 bytes that desktops read. `.sdf` is the name of
    /// worlds, delays and databases as well.
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

    /// `.rdf` is RDF/XML as well, and `.Rd` a manual page of R.
    static let rdfile = TypeSignature(
        .collection, priority: 90, parent: "text/plain",
        matches: beginnings("$RDFILE", "$RFMT\n", "$RFMT\r", "$RFMT $R", "$MFMT\n", "$MFMT\r", "$MFMT $M")
    )
    .sharingExtensions(lowercaseOnly: ["rd"])
}
