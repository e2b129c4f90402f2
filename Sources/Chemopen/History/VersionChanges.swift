/// The fates of the records of one version of a file in the next one.
struct VersionChanges {
    let old: FileVersion
    let new: FileVersion
    /// The records that may differ, in their order.
    private let (oldPlaces, newPlaces): ([Int], [Int])

    /// - Parameters:
    ///   - oldPlaces: the records of the older version that may differ; `nil` for all.
    ///   - newPlaces: those of the newer one.
    init(_ old: FileVersion, _ oldPlaces: [Int]? = nil, _ new: FileVersion, _ newPlaces: [Int]? = nil) {
        (self.old, self.new) = (old, new)
        self.oldPlaces = oldPlaces ?? Array(old.records.indices)
        self.newPlaces = newPlaces ?? Array(new.records.indices)
    }

    /// Whether a record of that key is among those that may differ.
    func concerns(_ key: UInt64) -> Bool {
        oldPlaces.contains { old.keys[$0] == key } || newPlaces.contains { new.keys[$0] == key }
    }

    /// The changes, in the order of the newer version; deleted records where they stood.
    ///
    /// - Parameter key: of the sole record that is asked for; `nil` for all.
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

    /// A change, and where it stands.
    struct Found {
        let change: RecordChange
        /// The place of the record in the older version.
        let old: Int?
        /// Its place in the newer one.
        let new: Int?
        let versions: VersionChanges

        init(_ kind: RecordDifference.Kind, _ old: Int?, _ new: Int?, _ changes: VersionChanges) {
            (self.old, self.new, versions) = (old, new, changes)
            change = RecordChange(
                kind: kind, before: old.map { changes.old.version($0) }, after: new.map { changes.new.version($0) },
                place: nil)
        }

        /// Whether it is one of the record of that key.
        func concerns(_ key: UInt64) -> Bool {
            old.map { versions.old.keys[$0] } == key || new.map { versions.new.keys[$0] } == key
        }

        /// Whether another version of the file has the record as it has become.
        ///
        /// - Parameter places: those of the other version's records by their keys.
        func isLike(_ other: FileVersion, _ places: [UInt64: Int]) -> Bool {
            if change.kind == .moved { return true }
            guard let new else { return old.map { places[versions.old.keys[$0]] == nil } ?? true }
            guard let place = places[versions.new.keys[new]] else { return false }
            return versions.new.holdsSame(new, as: place, of: other)
        }

        /// Both versions can be read and say the same: a row of a table has another number.
        fileprivate var saysTheSame: Bool {
            guard let before = change.before?.record, let after = change.after?.record else { return false }
            return before.says(after) && change.before?.bytes.count == change.after?.bytes.count
        }
    }
}
