extension TypeSignature {
    /// Other programs also use `.jsonl` for any lines of JSON. Chemopen's lines start with the version of the schema.
    static let jsonLines = TypeSignature(
        .collection, priority: 85, parent: "application/json", matches: beginnings("{\"\(JSONLine.signature)\":")
    )
    .sharingExtensions()
}
