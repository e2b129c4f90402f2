extension TypeSignature {
    static let cdx = TypeSignature(.drawing, priority: 85, parent: nil, matches: [Match("VjCD0100")])

    static let cdxml = TypeSignature(
        .drawing, priority: 85, parent: "application/xml",
        matches: [Match("<!DOCTYPE CDXML", at: 0...256), Match("<CDXML", at: 0...256)]
    )
    .rooted(in: "CDXML")
}
