import Chemopen

/// The latest changes of clients, which can be undone until the program exits. The oldest ones are forgotten first.
struct ChangeLog: Sendable {
    /// Changes that were saved together.
    struct Entry: Sendable {
        let token: String
        /// The ID of the file.
        let file: String
        /// The reader who made the changes; `nil` for the user of this machine.
        let reader: String?
        let changes: ChangeSet
        let size: Int
    }

    private var entries: [Entry] = []
    private var size = 0

    private static let mostEntries = 1000
    private static let largestSize = 64 << 20

    /// Adds changes, and returns the token that undoes them.
    mutating func add(_ changes: ChangeSet, of file: String, by reader: String?) -> String {
        let sizes = changes.changes.map { ($0.before?.bytes.count ?? 0) + ($0.after?.bytes.count ?? 0) }
        let entry = Entry(token: Secret().text, file: file, reader: reader, changes: changes, size: sizes.reduce(0, +))
        entries.append(entry)
        size += entry.size
        while entries.count > 1, entries.count > Self.mostEntries || size > Self.largestSize {
            size -= entries.removeFirst().size
        }
        return entry.token
    }

    /// Returns the changes with a token.
    func entry(_ token: String) -> Entry? { entries.first { $0.token == token } }

    /// Finds a version of a record that was changed.
    ///
    /// - Parameter fingerprint: the fingerprint of the bytes of the earlier version.
    /// - Returns: the earlier version, and the version that the changes have made of it; `nil` if it was deleted.
    func versions(
        from fingerprint: String, in file: String
    ) -> (base: RecordChange.Version, now: RecordChange.Version?)? {
        var base: RecordChange.Version?
        var now: RecordChange.Version?
        for change in entries.lazy.filter({ $0.file == file }).flatMap(\.changes.changes) {
            guard let before = change.before else { continue }
            if base == nil {
                if Fingerprint(before.bytes).text == fingerprint { (base, now) = (before, change.after) }
            } else if now?.bytes == before.bytes {
                now = change.after
            }
        }
        return base.map { ($0, now) }
    }

    /// Forgets changes that were undone.
    mutating func remove(_ token: String) {
        for entry in entries where entry.token == token { size -= entry.size }
        entries.removeAll { $0.token == token }
    }
}
