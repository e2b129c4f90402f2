/// A commit that changed a file.
public struct Commit: Sendable, Hashable {
    /// The full identifier in hexadecimal digits.
    public let id: String
    /// The name of the author.
    public let author: String
    /// The email address of the author.
    public let address: String
    /// The author date in ISO 8601 format.
    public let date: String
    /// The first line of the message.
    public let subject: String
}

/// The commits that changed a file, the latest first, with the versions of the file before and after each commit.
struct FileLog {
    struct Entry {
        let commit: Commit
        /// The version before the commit, or `nil` if the commit created the file.
        let old: String?
        /// The version after the commit, or `nil` if the commit deleted the file.
        let new: String?
        /// The versions in the other parents of a merge commit.
        let others: [String]
        /// The path of the file after the commit, relative to the top of the repository.
        let path: LocalPath
    }

    /// The range of dates to include.
    struct Range: Sendable {
        /// In git's syntax, such as `2026-01-31` or `two weeks ago`.
        var since: LocalPath?
        var until: LocalPath?
    }

    private(set) var entries: [Entry] = []

    init(of name: LocalPath, in repository: GitRepository, _ range: Range = Range()) throws(Conversion.Failure) {
        let format: LocalPath = "--format=format:%x01%H%x00%an%x00%ae%x00%aI%x00%s%x00"
        var words: [LocalPath] = [
            "log", "--follow", "--raw", "-c", "-z", "--no-abbrev",
            "--no-ext-diff", "--no-textconv", "--no-show-signature",
            "--no-notes", "--no-color", "--no-decorate", format,
        ]
        if let since = range.since { words.append("--since=\(since)") }
        if let until = range.until { words.append("--until=\(until)") }
        guard let output = try repository.ask(words + ["--", name]) else {
            throw .impossible("\(name.shown): git reports no history")
        }
        read(output)
    }

    /// Parses commits. Each consists of five texts and the changes of files, all terminated by NUL.
    private mutating func read(_ output: [UInt8]) {
        var texts = output.split(separator: 0, omittingEmptySubsequences: false)[...]
        var commit: Commit?
        while let text = texts.popFirst() {
            let text = text.drop { $0 == UInt8(ascii: "\n") }
            if text.first == 1, texts.count >= 4 {
                let words = [text.dropFirst()] + (0..<4).map { _ in texts.popFirst() ?? [] }
                let strings = words.map { Text(bytes: $0).string }
                commit = Commit(
                    id: strings[0], author: strings[1], address: strings[2], date: strings[3], subject: strings[4])
            } else if text.first == UInt8(ascii: ":"), let commit {
                guard let path = texts.popFirst() else { continue }
                let parents = text.prefix { $0 == UInt8(ascii: ":") }.count
                let words = String(decoding: text.dropFirst(parents), as: UTF8.self).split(separator: " ")
                // The modes of all parents and of the commit, their objects, and a letter for each parent.
                guard words.count == 2 * parents + 3, let letters = words.last else { continue }
                let isRenamed = parents == 1 && (letters.hasPrefix("R") || letters.hasPrefix("C"))
                let newPath = isRenamed ? texts.popFirst() ?? path : path
                let objects = words[(parents + 1)..<(2 * parents + 2)].map(Self.object)
                entries.append(
                    Entry(
                        commit: commit, old: objects[0], new: objects[parents],
                        others: objects[1..<parents].compactMap { $0 }, path: LocalPath(bytes: Array(newPath))))
            }
        }
    }

    /// Removes all commits except one.
    mutating func keep(_ commit: String) {
        entries.removeAll { $0.commit.id != commit }
    }

    /// Removes those of the commits that seem to have created the file.
    mutating func removeFirstVersions(of commits: Set<String>) {
        if !commits.isEmpty { entries.removeAll { $0.old == nil && commits.contains($0.commit.id) } }
    }

    private static func object(_ id: Substring) -> String? {
        id.allSatisfy { $0 == "0" } ? nil : String(id)
    }
}
