/// A three-way merge of two versions of a record.
///
/// If only one side has changed a part, that side's version is used.
struct RecordMerge {
    /// The record with the changes of both sides.
    private(set) var record: Record
    /// The parts that both sides have changed in different ways.
    private(set) var conflicts: [RecordPart] = []

    /// - Parameters:
    ///   - wanted: The parts to merge, or `nil` for all.
    ///   - isOlder: Whether "theirs" is older than the base, as in a revert.
    init(
        _ base: Record, _ ours: Record, _ theirs: Record, only wanted: Set<RecordPart>? = nil, isOlder: Bool = false
    ) {
        record = ours
        for part in Record.parts(of: [theirs, ours, base]) where wanted?.contains(part) ?? true {
            let (old, mine, other) = (base.content(of: part), ours.content(of: part), theirs.content(of: part))
            if mine == other || other == old { continue }
            if mine == old { record.take(part, from: theirs, isOlder: isOlder) } else { conflicts.append(part) }
        }
    }
}
