import ChemopenBytes

/// Other users cannot access it. No other user can access it.
///
/// Copies are stored in the session's runtime directory in memory, or else below the system's temporary directory. Each
/// batch has its own directory with a list of its files. A batch is removed when the program that reads it ends, or at
/// the latest by a run that finds it more than a day old. Copies that the user has edited are not removed.
public struct PrivateFolder: Sendable {
    /// The path of the batch.
    public let path: LocalPath
    private static let note: LocalPath = ".handed-over"
    /// The age in seconds after which a batch is removed in any case.
    private static let age = 24 * 60 * 60

    /// Creates a directory for a new batch and removes old batches.
    ///
    /// - Throws: a `FileError` if the directory cannot be created or belongs to another user.
    public init(in session: SessionEnvironment) throws(FileError) {
        let top = try Self.top(session)
        Self.sweep(top)
        for _ in 0..<16 {
            let path = top.appending(LocalPath(String(UInt64.random(in: 0 ... .max), radix: 36)))
            if try makePrivateFolder(path) {
                self.path = path
                return
            }
        }
        throw FileError(top, .alreadyExists)
    }

    /// Opens an existing batch.
    init(existing path: LocalPath) {
        self.path = path
    }

    /// Returns the directory of all batches. Throws if it belongs to another user or others can enter it.
    static func top(_ session: SessionEnvironment) throws(FileError) -> LocalPath {
        let path = topPath(session)
        _ = try makePrivateFolder(path)
        guard let status = EntryStatus(path), status.isFolder, status.owner == currentUserID(), status.mode & 0o077 == 0
        else {
            throw FileError(path, .noPermission)
        }
        return path
    }

    private static func topPath(_ session: SessionEnvironment) -> LocalPath {
        session.runtimeFolder.map { $0.appending("chemopen") }
            ?? session.temporaryFolder.appending("chemopen-\(currentUserID())")
    }

    /// Returns whether a file is in the directory of all batches and is therefore temporary.
    package static func holds(_ path: LocalPath, in session: SessionEnvironment) -> Bool {
        path.bytes.starts(with: topPath(session).bytes + [UInt8(ascii: "/")])
    }

    /// Finishes the batch: makes its files private and records them.
    ///
    /// - Throws: a `FileError` if the list of files cannot be written.
    public func seal() throws(FileError) {
        var lines: [UInt8] = []
        for name in try folderEntries(path) where name != Self.note {
            let file = path.appending(name)
            guard let status = EntryStatus(file), !status.isFolder, !status.isLink else { continue }
            setMode(0o600, of: file)
            lines += Array("\(status.modified) ".utf8) + name.bytes + [UInt8(ascii: "\n")]
        }
        try writePrivateFile(lines, to: path.appending(Self.note))
    }

    /// Removes the recorded files that are unchanged, and the directory if it is empty afterwards.
    public func remove() {
        guard let text = try? readFile(path.appending(Self.note)) else {
            removeEmptyFolder(path)
            return
        }
        var isClean = true
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
            let name = LocalPath(bytes: Array(line[(blank + 1)...]))
            let file = path.appending(name)
            guard !name.bytes.contains(UInt8(ascii: "/")), name != "..", let status = EntryStatus(file) else {
                continue
            }
            let isUnchanged = Int(String(decoding: line[..<blank], as: UTF8.self)) == status.modified && !status.isLink
            if isUnchanged { removeEntry(file) } else { isClean = false }
        }
        guard isClean else { return }
        removeEntry(path.appending(Self.note))
        removeEmptyFolder(path)
    }

    /// Removes old batches.
    private static func sweep(_ top: LocalPath) {
        let now = currentTime()
        for name in (try? folderEntries(top)) ?? [] {
            let path = top.appending(name)
            guard let status = EntryStatus(path), status.isFolder, !status.isLink, status.owner == currentUserID()
            else { continue }
            if now - status.modified > age { PrivateFolder(existing: path).remove() }
        }
    }

    /// Waits until the processes have ended and then removes the batch. If they end within seconds, the batch stays
    /// because they have probably passed the file to another process.
    ///
    /// - Parameter path: the directory of one of this user's batches.
    public static func keep(_ path: LocalPath, until processes: [Int32], in session: SessionEnvironment) {
        guard let top = try? top(session), path.name.bytes.first != UInt8(ascii: "."),
            path == top.appending(path.name)
        else { return }
        let start = currentTime()
        for process in processes {
            while RunningProcess(process) != nil { sleepSeconds(1) }
        }
        if currentTime() - start >= 10 { PrivateFolder(existing: path).remove() }
    }
}
