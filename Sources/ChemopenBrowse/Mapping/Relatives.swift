import Chemopen

/// A file of the same collection.
struct Relative: Sendable {
    weak let file: BrowsedFile?
}

/// The parents and children of records, which can be in any file of a collection.
extension BrowsedFile {
    /// The maximum number of children to show for a record.
    static let mostBelow = 1000

    /// Sets the files of the collection.
    func relate(to files: [BrowsedFile]) {
        relatives.change { $0 = files.map { Relative(file: $0) } }
    }

    private var related: [BrowsedFile] {
        let files = relatives.change { $0.compactMap(\.file) }
        return files.isEmpty ? [self] : files
    }

    /// Whether the parent relation of the collection's records is known or does not exist.
    var knowsChildren: Bool {
        mapping?.relation == nil || related.allSatisfy { $0.groups.isComplete || $0.view.content == nil }
    }

    /// Waits until the parent relation is known.
    func waitForChildren() {
        if mapping?.relation != nil { for file in related { file.waitForGroups() } }
    }

    /// Returns the known records that refer to another one as their parent, at most one more than `mostBelow`.
    func entities(below record: BrowsedRecord) -> [Entity] {
        guard let relation = mapping?.relation else { return [] }
        let key = relation.key.text(of: record, in: name)
        if key.isEmpty { return [] }
        var found: [Entity] = []
        for file in related {
            let groups = file.groups
            guard groups.isComplete else { continue }
            for number in groups.numbers(below: key) {
                // Hash collisions can add others.
                guard let other = file.records(number..<number + 1).first,
                    other.number != record.number || file !== self,
                    relation.parent.text(of: other, in: file.name) == key
                else { continue }
                found.append(Entity(other, in: file))
                if found.count > Self.mostBelow { return found }
            }
        }
        return found
    }

    /// Returns whether the parent of a record exists.
    func hasParent(_ record: BrowsedRecord) -> Bool {
        guard let parent = mapping?.relation?.parent.text(of: record, in: name), !parent.isEmpty else { return false }
        return related.contains { $0.groups.hasKey(parent.hashValue) }
    }

    /// Returns the records of a selection that are at a level of the relation.
    func part(of selection: Selection, at level: BrowseRequest.Level) -> Selection {
        guard mapping?.relation != nil else {
            return level == .orphans ? Selection(file: self, numbers: []) : selection
        }
        let groups = groups
        let keys = related.map(\.groups)
        var (children, orphans): (Set<UInt32>, Set<UInt32>) = ([], [])
        for (number, parent) in groups.parents {
            if keys.contains(where: { $0.hasKey(parent) }) { children.insert(number) } else { orphans.insert(number) }
        }
        let numbers = selection.numbers ?? Array(0..<UInt32(clamping: view.count))
        let wanted = numbers.filter { level == .orphans ? orphans.contains($0) : !children.contains($0) }
        return Selection(file: self, numbers: wanted)
    }
}

extension BrowsedCategory {
    /// Whether one of the records has no parent.
    var hasTopRecord: Bool {
        members.contains { selection in
            selection.file.mapping?.relation == nil
                || selection.file.part(of: selection, at: .top).numbers?.isEmpty == false
        }
    }
}
