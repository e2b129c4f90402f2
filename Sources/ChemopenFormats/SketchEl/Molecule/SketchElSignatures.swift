extension TypeSignature {
    /// `.el` is also the extension of Emacs Lisp.
    static let sketchEl = TypeSignature(
        .molecule, priority: 90, parent: "text/plain", matches: beginnings("SketchEl!(", "Elements!(")
    )
    .sharingExtensions()

    /// `.ds` is also an extension of programs for a game console.
    static let dataSheet = TypeSignature(
        .collection, priority: 85, parent: "application/xml", matches: documents("<DataSheet>", "<DataSheet ")
    )
    .sharingExtensions()
    .gzipped("ds")
    .rooted(in: "DataSheet")
}
