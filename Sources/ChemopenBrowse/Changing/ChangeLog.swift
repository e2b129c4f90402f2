import Chemopen

/// The latest changes of clients, which can be undone until the program exits. The oldest ones are forgotten first.
struct ChangeLog: Sendable {
    /// Changes that were saved together.
    struct Entry: Sendable {
        let token: String
        /// The ID of the file.
        let file: String
        let changes: ChangeSet
        let size: Int
    }

    private var entries: [Entry] = []
    private var size = 0

    private static let mostEntries = 1000
    private static let largestSize = 64 << 20

    /// Adds changes, and returns the token that undoes them.
    mutating func add(_ changes: ChangeSet, of file: String) -> String {
        let sizes = changes.changes.map { ($0.before?.bytes.count ?? 0) + ($0.after?.bytes.count ?? 0) }
        let entry = Entry(token: Secret().text, file: file, changes: changes, size: sizes.reduce(0, +))
        entries.append(entry)
        size += entry.size
        while entries.count > 1, entries.count > Self.mostEntries || size > Self.largestSize {
            size -= entries.removeFirst().size
        }
        return entry.token
    }

    /// Returns the changes with a token.
    func entry(_ token: String) -> Entry? { entries.first { $0.token == token } }

    /// Forgets changes that were undone.
    mutating func remove(_ token: String) {
        for entry in entries where entry.token == token { size -= entry.size }
        entries.removeAll { $0.token == token }
    }
}
