import ChemopenBytes

/// A folder for copies that programs are to read: nobody else can look into it, and it does not stay.
///
/// The copies lie in the session's own folder in memory, or where there is none, below the system's temporary folder.
/// Each lot has a folder of its own; beside the copies lies a note of what was put there. A lot is removed when the
/// program that reads it has ended, and at the latest by a later run that finds it more than a day old. A copy that
/// has been changed since is the user's work and stays.
public struct PrivateFolder: Sendable {
    /// Where the copies go.
    public let path: LocalPath
    private static let note: LocalPath = ".handed-over"
    /// Seconds after which a lot that nobody has removed is swept.
    private static let age = 24 * 60 * 60

    /// Makes a folder for a new lot, and sweeps old ones.
    public init(in session: Surroundings) throws(FileError) {
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

    /// A lot that is there already.
    init(existing path: LocalPath) {
        self.path = path
    }

    /// The folder of all lots. One that belongs to somebody else, or that others can enter, is not used.
    static func top(_ session: Surroundings) throws(FileError) -> LocalPath {
        let path = topPath(session)
        _ = try makePrivateFolder(path)
        guard let status = EntryStatus(path), status.isFolder, status.owner == currentUserID(), status.mode & 0o077 == 0
        else {
            throw FileError(path, .noPermission)
        }
        return path
    }

    private static func topPath(_ session: Surroundings) -> LocalPath {
        session.runtimeFolder.map { $0.appending("chemopen") }
            ?? session.temporaryFolder.appending("chemopen-\(currentUserID())")
    }

    /// Whether a file lies in the folder of all lots, and so does not stay.
    package static func holds(_ path: LocalPath, in session: Surroundings) -> Bool {
        path.bytes.starts(with: topPath(session).bytes + [UInt8(ascii: "/")])
    }

    /// Ends the filling: all files become unreadable for others, and are noted down.
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

    /// Removes the lot: what was noted down and has not been changed, and the folder if nothing else is in it.
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

    /// Removes the lots that are old.
    private static func sweep(_ top: LocalPath) {
        let now = currentTime()
        for name in (try? folderEntries(top)) ?? [] {
            let path = top.appending(name)
            guard let status = EntryStatus(path), status.isFolder, !status.isLink, status.owner == currentUserID()
            else { continue }
            if now - status.modified > age { PrivateFolder(existing: path).remove() }
        }
    }

    /// Stays until the processes have ended and removes the lot then, unless they ended so soon that they have surely
    /// handed the file to another process.
    ///
    /// - Parameter path: the folder of a lot of this user.
    public static func keep(_ path: LocalPath, until processes: [Int32], in session: Surroundings) {
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
