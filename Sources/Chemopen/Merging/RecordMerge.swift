/// A three-way merge of two versions of a record.
///
/// If only one side has changed a part, that side's version is used. If both have changed the structure of a molecule,
/// it is merged atom by atom.
struct RecordMerge {
    /// The record with the changes of both sides.
    private(set) var record: Record
    /// The parts that both sides have changed in different ways.
    private(set) var conflicts: [RecordPart] = []
    /// The atoms and lists that both sides have changed, if the structure is in conflict.
    private(set) var atoms: [String] = []

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
            if mine == old {
                record.take(part, from: theirs, isOlder: isOlder)
            } else if part != .structure || !mergeStructures(base, ours, theirs) {
                conflicts.append(part)
            }
        }
    }

    /// Merges the structures atom by atom, and returns whether that was possible.
    private mutating func mergeStructures(_ base: Record, _ ours: Record, _ theirs: Record) -> Bool {
        guard let old = base.molecule, let mine = ours.molecule, let other = theirs.molecule else { return false }
        let merge = StructureMerge(old, mine, other)
        if !merge.conflicts.isEmpty {
            atoms = merge.conflicts
            return false
        }
        record.take(.structure, from: Record(merge.molecule))
        return true
    }
}
