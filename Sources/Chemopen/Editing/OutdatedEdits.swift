// Edits that are based on an earlier version of a record.

extension RecordCollection {
    /// Edits an earlier version of a record, and merges the result into the current record.
    ///
    /// - Parameter edit: Edits the earlier version, which has the same number.
    /// - Returns: The changes. If the edits and the changes since that version concern the same parts, `conflicts`
    ///   contains these parts with the earlier and the current content, and the collection is unchanged.
    package mutating func edit(
        record number: Int, from earlier: RecordChange.Version,
        _ edit: (inout RecordCollection) throws(Conversion.Failure) -> ChangeSet
    ) throws(Conversion.Failure) -> (changes: ChangeSet, conflicts: [RecordChange.PartChange]) {
        guard let base = earlier.record, let current = try record(number) else {
            throw .impossible("record \(number) cannot be read")
        }
        var scratch = self
        _ = try scratch.replace(record: number, by: earlier.bytes, base)
        guard try !edit(&scratch).isEmpty, let edited = try scratch.record(number) else { return (ChangeSet(), []) }
        let conflicts = RecordMerge(base, current, edited).conflicts
        if !conflicts.isEmpty {
            let parts = conflicts.map { part in
                let texts = PartText.texts(of: part, in: base, current)
                return RecordChange.PartChange(part: part, before: texts.before, after: texts.after)
            }
            return (ChangeSet(), parts)
        }
        let version = RecordText.Version(bytes: try scratch.bytes(ofRecord: number), record: edited)
        return (try merge(version, of: base, record: number, only: nil, isOlder: false), [])
    }
}
