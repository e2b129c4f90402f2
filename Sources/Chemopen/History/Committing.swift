/// The name and email address of the author or committer of a commit.
package struct CommitIdentity: Sendable {
    let name: String
    let address: String

    package init(name: String, address: String) {
        (self.name, self.address) = (name, address)
    }

    fileprivate func variables(_ role: String) -> [LocalPath] {
        ["GIT_\(role)_NAME=\(name)", "GIT_\(role)_EMAIL=\(address)"].map { LocalPath($0) }
    }
}

extension FileHistory {
    /// Commits only this file, in its present state, on top of the current commit. No hooks or filters are run.
    ///
    /// - Returns: The identifier of the commit.
    package func commit(_ message: String) throws(Conversion.Failure) -> String {
        guard let commit = try commitIfChanged(message) else {
            throw .impossible("\(name.shown) has not changed since the last commit")
        }
        return commit
    }

    /// Commits only this file if it differs from the current commit.
    ///
    /// - Parameters:
    ///   - author: The author; `nil` for the identity in git's settings.
    ///   - committer: The committer; `nil` for the identity in git's settings.
    /// - Returns: The identifier of the commit, or `nil` if the file has not changed.
    package func commitIfChanged(
        _ message: String, by author: CommitIdentity? = nil, through committer: CommitIdentity? = nil
    ) throws(Conversion.Failure) -> String? {
        let top = try needed(["rev-parse", "--show-toplevel"], "there is no work tree to commit from")
        let prefix = try needed(["rev-parse", "--show-prefix"], "git does not recognize this directory")
        let root = try GitRepository(around: top)
        let name: LocalPath = "\(prefix)\(self.name)"
        try refuseFilter(name, root)
        let head = try needed(["rev-parse", "--verify", "HEAD^{commit}"], "there is no commit yet", root)
        let path: LocalPath = "--path=\(name)"
        let blob = try needed(["hash-object", "-w", path, "--", name], "git cannot store the file", root)
        let mode = try self.mode(of: name, root)
        let entry: LocalPath = "\(mode),\(blob),\(name)"
        // A separate index is used so that other staged changes remain staged.
        let index = try gitPath("chemopen-index", root)
        defer { try? deleteFile(index) }
        let own: [LocalPath] = ["GIT_INDEX_FILE=\(index)"]
        guard try root.ask(["read-tree", head], with: own) != nil,
            try root.ask(["update-index", "--add", "--cacheinfo", entry], with: own) != nil,
            let written = try root.ask(["write-tree"], with: own)
        else { throw .impossible("git cannot write the tree; no commit was made") }
        let tree = LocalPath(bytes: Array(written.prefix { $0 != UInt8(ascii: "\n") }))
        if try tree == needed(["rev-parse", "--verify", "HEAD^{tree}"], "there is no tree", root) { return nil }
        let identity = (author?.variables("AUTHOR") ?? []) + (committer?.variables("COMMITTER") ?? [])
        let commit = try needed(
            ["commit-tree", "--no-gpg-sign", "-p", head, "-m", LocalPath(message), tree],
            "git cannot commit (check that user.name and user.email are set)", root, with: identity)
        let reason: LocalPath = "commit: \(message)"
        guard try root.ask(["update-ref", "-m", reason, "HEAD", commit, head]) != nil else {
            throw .impossible("another commit was made at the same time (try again)")
        }
        _ = try root.ask(["update-index", "--add", "--cacheinfo", entry])
        return commit.shown
    }

    private func needed(
        _ words: [LocalPath], _ refusal: String, _ repository: GitRepository? = nil, with more: [LocalPath] = []
    ) throws(Conversion.Failure) -> LocalPath {
        guard let line = try (repository ?? self.repository).line(words, with: more) else { throw .impossible(refusal) }
        return line
    }

    private func gitPath(_ name: LocalPath, _ root: GitRepository) throws(Conversion.Failure) -> LocalPath {
        try needed(
            ["rev-parse", "--path-format=absolute", "--git-path", name], "git does not report its own directory", root)
    }

    /// Rejects a file with a filter, because a filter is a program that the repository's configuration specifies.
    private func refuseFilter(_ name: LocalPath, _ root: GitRepository) throws(Conversion.Failure) {
        guard let answer = try root.ask(["check-attr", "-z", "filter", "--", name]) else {
            throw .impossible("git does not report how \(name.shown) is stored; no commit was made")
        }
        let value = answer.split(separator: 0).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if value != "unspecified", value != "unset" {
            throw .impossible("\(name.shown) uses the filter \(value) (commit it with git)")
        }
    }

    private func mode(of name: LocalPath, _ root: GitRepository) throws(Conversion.Failure) -> LocalPath {
        let output = try root.ask(["ls-tree", "-z", "--full-tree", "HEAD", "--", name]) ?? []
        return output.starts(with: Array("100755".utf8)) ? "100755" : "100644"
    }
}
