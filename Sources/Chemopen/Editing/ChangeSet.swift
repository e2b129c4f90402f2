/// The changes of the records of a file, each with what was there before and what is there now.
///
///     for change in changes.changes { print(change) }
///     try collection.revert(changes)
public struct ChangeSet: Sendable {
    /// The changes, in the order in which they were made.
    public internal(set) var changes: [RecordChange]

    /// Changes of records; none at first.
    public init(_ changes: [RecordChange] = []) {
        self.changes = changes
    }

    /// Whether nothing has changed.
    public var isEmpty: Bool { changes.isEmpty }

    /// Adds changes that were made behind these.
    public mutating func add(_ others: ChangeSet) {
        changes += others.changes
    }

    /// The changes that take these back.
    public func inverted() -> ChangeSet {
        ChangeSet(changes.reversed().map { $0.inverted() })
    }
}

/// The change of one record.
public struct RecordChange: Sendable {
    /// A version of the record.
    public struct Version: Sendable {
        /// The number of the record in its file, from 1.
        public internal(set) var number: Int
        /// The bytes of the record.
        public let bytes: [UInt8]
        /// The record; `nil` where it cannot be read.
        public let record: Record?
    }

    /// A part of the record that says something else than before.
    public struct PartChange: Sendable, Hashable, CustomStringConvertible {
        /// The part.
        public let part: RecordPart
        /// The content before; `nil` where the record did not have the part.
        public let before: String?
        /// The content now; `nil` where the record does not have the part any more.
        public let after: String?

        /// The change in one line.
        public var description: String {
            let (before, after) = (before.map { "\"\($0)\"" }, after.map { "\"\($0)\"" })
            switch (before, after) {
            case (nil, let after?): return "\(part): \(after) is new"
            case (let before?, nil): return "\(part): \(before) is gone"
            default: return "\(part): \(before ?? ""), now \(after ?? "")"
            }
        }
    }

    /// The fate of the record.
    public let kind: RecordDifference.Kind
    /// The record before; `nil` for one that was inserted.
    public internal(set) var before: Version?
    /// The record now; `nil` for one that was deleted.
    public internal(set) var after: Version?
    /// Where the record stands in the collection that was edited.
    let place: CollectionPlace?

    /// The title of the record, or else its formula.
    public var name: String { (after?.record ?? before?.record)?.described ?? "cannot be read" }

    /// The parts that a changed record says otherwise.
    public var parts: [PartChange] {
        guard kind == .changed, let old = before?.record, let new = after?.record else { return [] }
        return Record.parts(of: [old, new]).compactMap { part in
            if old.content(of: part) == new.content(of: part) { return nil }
            return PartChange(part: part, before: old.text(of: part), after: new.text(of: part))
        }
    }

    func inverted() -> RecordChange {
        let kind: RecordDifference.Kind =
            switch self.kind {
            case .deleted: .inserted
            case .inserted: .deleted
            case .moved: .moved
            case .changed: .changed
            }
        return RecordChange(kind: kind, before: after, after: before, place: place?.inverted())
    }
}

extension RecordChange: CustomStringConvertible {
    /// The change in words, a line for each part, or for some of them.
    public func lines(only wanted: Set<RecordPart>? = nil) -> [String] {
        let number = before?.number ?? after?.number ?? 0
        if kind == .moved { return ["record \(number) (\(name)): moved to \(after?.number ?? 0)"] }
        let isElsewhere = before != nil && after != nil && before?.number != after?.number
        let place = "record \(number)" + (isElsewhere ? ", now \(after?.number ?? 0)" : "") + " (\(name))"
        let parts = parts.filter { wanted?.contains($0.part) ?? true }
        return parts.isEmpty ? ["\(place): \(kind.rawValue)"] : parts.map { "\(place): \($0)" }
    }

    /// The change in words.
    public var description: String { lines().joined(separator: "\n") }
}

/// Where a record stands in a collection, and where it stood before it was moved.
struct CollectionPlace: Sendable {
    let entry: Int
    let old: Int
    let new: Int

    func inverted() -> CollectionPlace { CollectionPlace(entry: entry, old: new, new: old) }
}
