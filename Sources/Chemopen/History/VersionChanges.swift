/// The changes of the records from one version of a file to the next.
struct VersionChanges {
    let old: FileVersion
    let new: FileVersion
    /// The records that may differ, in their order.
    private let (oldPlaces, newPlaces): ([Int], [Int])

    /// - Parameters:
    ///   - oldPlaces: The records of the older version that may differ, or `nil` for all.
    ///   - newPlaces: The records of the newer version that may differ, or `nil` for all.
    init(_ old: FileVersion, _ oldPlaces: [Int]? = nil, _ new: FileVersion, _ newPlaces: [Int]? = nil) {
        (self.old, self.new) = (old, new)
        self.oldPlaces = oldPlaces ?? Array(old.records.indices)
        self.newPlaces = newPlaces ?? Array(new.records.indices)
    }

    var areOfDifferentFormats: Bool { old.reading.format.id != new.reading.format.id }

    /// Whether a record with a key is among those that may differ.
    func concerns(_ key: UInt64) -> Bool {
        oldPlaces.contains { old.keys[$0] == key } || newPlaces.contains { new.keys[$0] == key }
    }

    /// Returns the changes in the order of the newer version. Deleted records are listed at their previous position.
    ///
    /// - Parameter key: The key of the only record to include, or `nil` for all.
    func list(of key: UInt64? = nil) -> [Found] {
        let alignment = Alignment(oldPlaces.map { old.keys[$0] }, newPlaces.map { new.keys[$0] }, pairingRest: true)
        var found: [Found] = []
        var next = 0
        func tellDeleted(before end: Int) {
            for index in next..<max(next, end) where alignment.partners[index] == Alignment.nobody {
                let place = oldPlaces[index]
                if key == nil || old.keys[place] == key { found.append(Found(.deleted, place, nil, self)) }
            }
            next = max(next, end)
        }
        for (index, place) in newPlaces.enumerated() {
            let partner = Int(alignment.partnersOfSecond[index])
            guard partner != Int(Alignment.nobody) else {
                if key == nil || new.keys[place] == key { found.append(Found(.inserted, nil, place, self)) }
                continue
            }
            let before = oldPlaces[partner]
            if !alignment.isMoved[partner] { tellDeleted(before: partner) }
            if let key, old.keys[before] != key, new.keys[place] != key { continue }
            if alignment.isMoved[partner] { found.append(Found(.moved, before, place, self)) }
            if !old.holdsSame(before, as: place, of: new) {
                let change = Found(.changed, before, place, self)
                if !change.saysTheSame { found.append(change) }
            }
        }
        tellDeleted(before: oldPlaces.count)
        return found
    }

    /// A change and its position.
    struct Found {
        let change: RecordChange
        /// The index of the record in the older version.
        let old: Int?
        /// The index of the record in the newer version.
        let new: Int?
        let versions: VersionChanges

        init(_ kind: RecordDifference.Kind, _ old: Int?, _ new: Int?, _ changes: VersionChanges) {
            (self.old, self.new, versions) = (old, new, changes)
            change = RecordChange(
                kind: kind, before: old.map { changes.old.version($0) }, after: new.map { changes.new.version($0) },
                place: nil, isConverted: changes.areOfDifferentFormats)
        }

        /// Whether the change affects the record with a key.
        func concerns(_ key: UInt64) -> Bool {
            old.map { versions.old.keys[$0] } == key || new.map { versions.new.keys[$0] } == key
        }

        /// Whether another version of the file contains the record in its new state.
        ///
        /// - Parameter places: The indices of the other version's records by their keys.
        func isLike(_ other: FileVersion, _ places: [UInt64: Int]) -> Bool {
            if change.kind == .moved { return true }
            guard let new else { return old.map { places[versions.old.keys[$0]] == nil } ?? true }
            guard let place = places[versions.new.keys[new]] else { return false }
            return versions.new.holdsSame(new, as: place, of: other)
        }

        /// Whether both versions are readable and have the same content. In a table, the number of a row may have
        /// changed.
        fileprivate var saysTheSame: Bool {
            guard let before = change.before?.record, let after = change.after?.record else { return false }
            if change.isConverted { return change.parts.isEmpty }
            if !before.says(after) { return false }
            // The records of a drawing share the bytes of the file, whose other records can differ.
            let sharesBytes = versions.old.sharesBytes || versions.new.sharesBytes
            return sharesBytes || change.before?.bytes.count == change.after?.bytes.count
        }
    }
}
