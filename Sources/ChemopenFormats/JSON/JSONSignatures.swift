extension TypeSignature {
    /// `.jsonl` is anything that has lines of JSON; ours name the schema first.
    static let jsonLines = TypeSignature(
        .collection, priority: 85, parent: "application/json", matches: beginnings("{\"\(JSONLine.signature)\":")
    )
    .sharingExtensions()
}
