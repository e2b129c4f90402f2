/// A list of changes to the records of a file, each with the previous and the new content.
///
///     for change in changes.changes { print(change) }
///     try collection.revert(changes)
public struct ChangeSet: Sendable {
    /// The changes in chronological order.
    public internal(set) var changes: [RecordChange]
    /// Remarks on edits whose result may not be what you expect, such as a value of the wrong type.
    public internal(set) var remarks: [String] = []

    /// Creates a list of changes, empty by default.
    public init(_ changes: [RecordChange] = []) {
        self.changes = changes
    }

    /// Whether there are no changes.
    public var isEmpty: Bool { changes.isEmpty }

    /// Appends later changes.
    public mutating func add(_ others: ChangeSet) {
        changes += others.changes
        remarks += others.remarks
    }

    /// Returns the changes that undo these.
    ///
    /// - Returns: The inverse changes in reverse order.
    public func inverted() -> ChangeSet {
        ChangeSet(changes.reversed().map { $0.inverted() })
    }
}

/// A change of one record.
public struct RecordChange: Sendable {
    /// A version of a record.
    public struct Version: Sendable {
        /// The number of the record in its file, from 1.
        public internal(set) var number: Int
        /// The bytes of the record.
        public let bytes: [UInt8]
        /// The parsed record, or `nil` if it is unreadable.
        public let record: Record?
    }

    /// A part of a record whose content has changed.
    public struct PartChange: Sendable, Hashable, CustomStringConvertible {
        /// The part that has changed.
        public let part: RecordPart
        /// The previous content, or `nil` if the record did not have the part.
        public let before: String?
        /// The new content, or `nil` if the record no longer has the part.
        public let after: String?

        /// The change as one line of text, with escapes such as `\\n` for invisible characters.
        public var description: String {
            switch (before, after) {
            case (nil, let after?): return "\(part): added \(VisiblePair.shown(after, isText: true, isCut: false))"
            case (let before?, nil): return "\(part): removed \(VisiblePair.shown(before, isText: true, isCut: false))"
            default:
                let shown = VisiblePair(before ?? "", after ?? "", isText: true, isCut: false)
                return "\(part): \(shown.first), now \(shown.second)"
            }
        }
    }

    /// The kind of change.
    public let kind: RecordDifference.Kind
    /// The previous version of the record, or `nil` if it was inserted.
    public internal(set) var before: Version?
    /// The new version of the record, or `nil` if it was deleted.
    public internal(set) var after: Version?
    /// The position in the edited collection.
    let place: CollectionPlace?
    /// Whether the versions have different formats. Parts are then compared by their meaning.
    var isConverted = false

    /// The title of the record, or its formula if it has no title.
    public var name: String { (after?.record ?? before?.record)?.described ?? "cannot be read" }

    /// The parts of the record that have changed.
    public var parts: [PartChange] {
        guard kind == .changed, let old = before?.record, let new = after?.record else { return [] }
        return Record.parts(of: [old, new]).compactMap { part in
            if old.content(of: part) == new.content(of: part) { return nil }
            if isConverted, old.hasSameMeaning(as: new, in: part) { return nil }
            let texts = PartText.texts(of: part, in: old, new)
            return PartChange(part: part, before: texts.before, after: texts.after)
        }
    }

    /// Returns the parts in which two versions of a record differ.
    package static func parts(from old: Version, to new: Version) -> [PartChange] {
        RecordChange(kind: .changed, before: old, after: new, place: nil).parts
    }

    func inverted() -> RecordChange {
        let kind: RecordDifference.Kind =
            switch self.kind {
            case .deleted: .inserted
            case .inserted: .deleted
            case .moved: .moved
            case .changed: .changed
            }
        return RecordChange(
            kind: kind, before: after, after: before, place: place?.inverted(), isConverted: isConverted)
    }
}

extension RecordChange: CustomStringConvertible {
    /// Returns the change as text, one line for each part.
    ///
    /// - Parameter wanted: The parts to include, or `nil` for all.
    /// - Returns: At least one line.
    public func lines(only wanted: Set<RecordPart>? = nil) -> [String] {
        let number = before?.number ?? after?.number ?? 0
        if kind == .moved { return ["record \(number) (\(name)): moved to \(after?.number ?? 0)"] }
        let isElsewhere = before != nil && after != nil && before?.number != after?.number
        let place = "record \(number)" + (isElsewhere ? ", now \(after?.number ?? 0)" : "") + " (\(name))"
        let parts = parts.filter { wanted?.contains($0.part) ?? true }
        return parts.isEmpty ? ["\(place): \(kind.rawValue)"] : parts.map { "\(place): \($0)" }
    }

    /// The change as text, one line for each part.
    public var description: String { lines().joined(separator: "\n") }
}

/// The position of a record in a collection, before and after a change.
struct CollectionPlace: Sendable {
    let entry: Int
    let old: Int
    let new: Int

    func inverted() -> CollectionPlace { CollectionPlace(entry: entry, old: new, new: old) }
}
