extension TypeSignature {
    /// `.el` is Emacs Lisp as well.
    static let sketchEl = TypeSignature(
        .molecule, priority: 90, parent: "text/plain", matches: [Match("SketchEl!("), Match("Elements!(")]
    )
    .sharingExtensions()

    static let dataSheet = TypeSignature(
        .collection, priority: 85, parent: "application/xml",
        matches: [Match("<DataSheet>", at: 0...256), Match("<DataSheet ", at: 0...256)]
    )
    .gzipped("ds")
    .rooted(in: "DataSheet")
}
