/// What has become of the records of one version of a file in the next one.
struct VersionChanges {
    let old: FileVersion
    let new: FileVersion
    /// The records that may differ.
    private let (ownRange, newRange): (Range<Int>, Range<Int>)

    /// - Parameters:
    ///   - oldRange: the records of the older version that may differ.
    ///   - newRange: those of the newer one.
    init(_ old: FileVersion, _ oldRange: Range<Int>, _ new: FileVersion, _ newRange: Range<Int>) {
        (self.old, self.new, ownRange, self.newRange) = (old, new, oldRange, newRange)
    }

    init(_ old: FileVersion, _ new: FileVersion) {
        self.init(old, 0..<old.records.count, new, 0..<new.records.count)
    }

    /// Whether a record of that key is among those that may differ.
    func concerns(_ key: UInt64) -> Bool {
        old.keys[ownRange].contains(key) || new.keys[newRange].contains(key)
    }

    /// The changes, in the order of the newer version; deleted records where they stood.
    ///
    /// - Parameter key: of the sole record that is asked for; `nil` for all.
    func list(of key: UInt64? = nil) -> [Found] {
        let alignment = Alignment(Array(old.keys[ownRange]), Array(new.keys[newRange]), pairingRest: true)
        var found: [Found] = []
        var next = ownRange.lowerBound
        func tellDeleted(before end: Int) {
            for place in next..<max(next, end)
            where alignment.partners[place - ownRange.lowerBound] == Alignment.nobody {
                if key == nil || old.keys[place] == key { found.append(Found(.deleted, place, nil, self)) }
            }
            next = max(next, end)
        }
        for place in newRange {
            let partner = alignment.partnersOfSecond[place - newRange.lowerBound]
            guard partner != Alignment.nobody else {
                if key == nil || new.keys[place] == key { found.append(Found(.inserted, nil, place, self)) }
                continue
            }
            let before = Int(partner) + ownRange.lowerBound
            if !alignment.isMoved[Int(partner)] { tellDeleted(before: before) }
            if let key, old.keys[before] != key, new.keys[place] != key { continue }
            if alignment.isMoved[Int(partner)] { found.append(Found(.moved, before, place, self)) }
            if !old.holdsSame(before, as: place, of: new) {
                let change = Found(.changed, before, place, self)
                if !change.saysTheSame { found.append(change) }
            }
        }
        tellDeleted(before: ownRange.upperBound)
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

        /// Both versions can be read and say the same: a row of a table has another number.
        fileprivate var saysTheSame: Bool {
            guard let before = change.before?.record, let after = change.after?.record else { return false }
            return before.says(after) && change.before?.bytes.count == change.after?.bytes.count
        }
    }
}
