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
    /// The time of the commit in seconds since 1970, which git compares with the limits of a range.
    let seconds: Int
}

/// The commits that changed a file, the latest first, with the versions of the file before and after each commit.
struct FileLog {
    struct Entry {
        let commit: Commit
        /// The version before the commit, or `nil` if the commit created the file.
        fileprivate(set) var old: String?
        /// The version after the commit, or `nil` if the commit deleted the file.
        let new: String?
        /// The versions in the other parents of a merge commit.
        let others: [String]
        /// The path of the file after the commit, relative to the top of the repository.
        let path: LocalPath
        /// The path before the commit, which differs if the file was renamed, converted or compressed.
        fileprivate(set) var oldPath: LocalPath

        /// Whether the file may have been converted to another format.
        var isConverted: Bool { old != nil && fileExtension(path) != fileExtension(oldPath) }
    }

    /// The range of commits to include.
    struct Range: Sendable {
        /// In git's syntax, such as `2026-01-31` or `two weeks ago`.
        var since: LocalPath?
        var until: LocalPath?
        /// Revisions in git's syntax, such as `main..topic`.
        var commits: LocalPath?
    }

    /// The functions that recognize an earlier form of a file if git does not.
    struct Recognition {
        /// Whether the path has an extension of a known format.
        let isKnown: (LocalPath) -> Bool
        /// Whether two versions have most of their records in common.
        let areSimilar: (_ old: String, _ new: String) -> Bool
    }

    private(set) var entries: [Entry] = []
    /// The reasons why the history may be incomplete.
    private(set) var notes: [String] = []
    /// The maximum number of conversions to follow.
    private static let mostForms = 100

    init(
        of name: LocalPath, in repository: GitRepository, _ range: Range = Range(), _ recognition: Recognition? = nil
    ) throws(Conversion.Failure) {
        let revisions = try Self.revisions(range, repository)
        try add(name, repository, range, revisions)
        // A converted or compressed file is not similar to the earlier one, so git lists it as a new file.
        var (forms, checked) = (0, 0)
        while let recognition, forms < Self.mostForms,
            try addEarlierForm(repository, range, revisions, recognition, &checked)
        {
            forms += 1
        }
        guard let until = range.until else { return }
        // With --until, git would not follow renames after that date.
        let last = try repository.line(["rev-parse", "--until=\(until)"])
        guard let last, let equal = last.bytes.lastIndex(of: UInt8(ascii: "=")),
            let seconds = Int(String(decoding: last.bytes[(equal + 1)...], as: UTF8.self))
        else { throw .impossible("git does not accept the date \"\(until.shown)\"") }
        entries.removeAll { $0.commit.seconds > seconds }
    }

    /// Returns the identifiers of the commits at which to begin, and those to exclude with a caret.
    private static func revisions(_ range: Range, _ repository: GitRepository) throws(Conversion.Failure) -> [LocalPath]
    {
        guard let commits = range.commits else { return [] }
        let words: [LocalPath] = ["rev-parse", "--revs-only", commits]
        let output = commits.bytes.first == UInt8(ascii: "-") ? nil : try repository.ask(words)
        let lines = output?.split(separator: Ascii.lineFeed).map { LocalPath(bytes: Array($0)) } ?? []
        if lines.isEmpty { throw .impossible("git does not know the commits \"\(commits.shown)\"") }
        return lines
    }

    /// Adds the commits that git finds.
    private mutating func add(
        _ name: LocalPath, _ repository: GitRepository, _ range: Range, _ revisions: [LocalPath]
    ) throws(Conversion.Failure) {
        let format: LocalPath = "--format=format:%x01%H%x00%an%x00%ae%x00%aI%x00%s%x00%ct%x00"
        var words: [LocalPath] = [
            "log", "--follow", "--raw", "-c", "-z", "--no-abbrev",
            "--no-ext-diff", "--no-textconv", "--no-show-signature",
            "--no-notes", "--no-color", "--no-decorate", format,
        ]
        if let since = range.since { words.append("--since=\(since)") }
        guard let output = try repository.ask(words + revisions + ["--", name]) else {
            throw .impossible("\(name.shown): git reports no history")
        }
        read(output)
    }

    /// Parses commits. Each commit consists of six texts and the changes of files, all terminated by NUL.
    private mutating func read(_ output: [UInt8]) {
        var texts = output.split(separator: 0, omittingEmptySubsequences: false)[...]
        var commit: Commit?
        while let text = texts.popFirst() {
            let text = text.drop { $0 == UInt8(ascii: "\n") }
            if text.first == 1, texts.count >= 5 {
                let words = [text.dropFirst()] + (0..<5).map { _ in texts.popFirst() ?? [] }
                let strings = words.map { Text(bytes: $0).string }
                commit = Commit(
                    id: strings[0], author: strings[1], address: strings[2], date: strings[3], subject: strings[4],
                    seconds: Int(strings[5]) ?? 0)
            } else if text.first == UInt8(ascii: ":"), let commit {
                guard let path = texts.popFirst() else { continue }
                guard let change = RawChange(text) else { continue }
                let newPath = change.isRenamed ? texts.popFirst() ?? path : path
                entries.append(
                    Entry(
                        commit: commit, old: change.objects[0], new: change.objects[change.parents],
                        others: change.objects[1..<change.parents].compactMap { $0 },
                        path: LocalPath(bytes: Array(newPath)), oldPath: LocalPath(bytes: Array(path))))
            }
        }
    }

    /// Removes all commits except one.
    mutating func keep(_ commit: String) {
        entries.removeAll { $0.commit.id != commit }
    }

    /// Removes those commits that appear to have created the file.
    mutating func removeFirstVersions(of commits: Set<String>) {
        if !commits.isEmpty { entries.removeAll { $0.old == nil && commits.contains($0.commit.id) } }
    }

    // MARK: Earlier forms

    /// If a commit replaced another file with this one, adds the commits of that file. The latest such commit is used:
    /// a file of the same name may have existed before.
    ///
    /// - Parameter checked: The number of entries that need not be checked again.
    /// - Returns: Whether commits were added.
    private mutating func addEarlierForm(
        _ repository: GitRepository, _ range: Range, _ revisions: [LocalPath], _ recognition: Recognition,
        _ checked: inout Int
    ) throws(Conversion.Failure) -> Bool {
        while checked < entries.count {
            let entry = entries[checked]
            checked += 1
            guard entry.old == nil, let new = entry.new, entry.others.isEmpty else { continue }
            let deleted = try deletedFiles(in: entry.commit, repository).filter { recognition.isKnown($0.path) }
            let namesakes = deleted.filter { fileStem($0.path) == fileStem(entry.path) }
            let found =
                namesakes.first { $0.path.folder == entry.path.folder }
                ?? (namesakes.count == 1 ? namesakes.first : nil)
                ?? deleted.first { recognition.areSimilar($0.object, new) }
            if let found {
                entries.removeSubrange(checked...)
                try addCommits(of: found, before: entry.commit, repository, range, revisions)
                return true
            }
            if checked == entries.count, let other = deleted.first {
                let more = deleted.count > 1 ? " and \(deleted.count - 1) more" : ""
                notes.append(
                    "the history begins with commit \(entry.commit.id.prefix(12)), which created the file and deleted "
                        + "\(other.path.shown)\(more)")
            }
        }
        return false
    }

    /// Adds the commits of a file that the last entry replaced.
    private mutating func addCommits(
        of found: (path: LocalPath, object: String), before commit: Commit, _ repository: GitRepository,
        _ range: Range, _ revisions: [LocalPath]
    ) throws(Conversion.Failure) {
        entries[entries.count - 1].old = found.object
        entries[entries.count - 1].oldPath = found.path
        let top = try repository.line(["rev-parse", "--show-toplevel"])
        // A bare repository has no top directory, and its paths need no prefix.
        let root = try top.map { folder throws(Conversion.Failure) in try GitRepository(around: folder) } ?? repository
        let excluded = revisions.filter { $0.bytes.first == UInt8(ascii: "^") }
        try add(found.path, root, range, [LocalPath("\(commit.id)^")] + excluded)
    }

    /// Returns the files that a commit deleted.
    private func deletedFiles(
        in commit: Commit, _ repository: GitRepository
    ) throws(Conversion.Failure) -> [(path: LocalPath, object: String)] {
        let words: [LocalPath] = [
            "diff-tree", "-r", "-z", "--no-commit-id", "--no-renames", "--diff-filter=D", "--raw", "--no-abbrev",
            LocalPath(commit.id),
        ]
        var texts = (try repository.ask(words) ?? []).split(separator: 0, omittingEmptySubsequences: false)[...]
        var files: [(path: LocalPath, object: String)] = []
        while let text = texts.popFirst(), let path = texts.popFirst() {
            guard let object = RawChange(text)?.objects.first ?? nil else { continue }
            files.append((LocalPath(bytes: Array(path)), object))
        }
        return files
    }
}

/// A line of git's raw output: the modes and objects of all parents and of the commit, and a letter for each parent.
private struct RawChange {
    let parents: Int
    let objects: [String?]
    let isRenamed: Bool

    init?(_ text: ArraySlice<UInt8>) {
        parents = text.prefix { $0 == UInt8(ascii: ":") }.count
        let words = String(decoding: text.dropFirst(parents), as: UTF8.self).split(separator: " ")
        guard parents > 0, words.count == 2 * parents + 3, let letters = words.last else { return nil }
        isRenamed = parents == 1 && (letters.hasPrefix("R") || letters.hasPrefix("C"))
        objects = words[(parents + 1)..<(2 * parents + 2)].map { id in id.allSatisfy { $0 == "0" } ? nil : String(id) }
    }
}
