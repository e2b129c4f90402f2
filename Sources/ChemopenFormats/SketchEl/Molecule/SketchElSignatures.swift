extension TypeSignature {
    /// `.el` is Emacs Lisp as well.
    static let sketchEl = TypeSignature(
        .molecule, priority: 90, parent: "text/plain", matches: beginnings("SketchEl!(", "Elements!(")
    )
    .sharingExtensions()

    /// `.ds` is a program for a game console as well.
    static let dataSheet = TypeSignature(
        .collection, priority: 85, parent: "application/xml", matches: documents("<DataSheet>", "<DataSheet ")
    )
    .sharingExtensions()
    .gzipped("ds")
    .rooted(in: "DataSheet")
}
