/// Three versions of one record, of which two were made from the third, become one.
///
/// Whoever changed a part alone is right.
struct RecordMerge {
    /// The record with the changes of both.
    private(set) var record: Record
    /// The parts that both changed, each in another way.
    private(set) var conflicts: [RecordPart] = []

    /// - Parameters:
    ///   - wanted: the parts that are taken of the other version; `nil` for all.
    ///   - isOlder: the other version is the one of which the base was made.
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
