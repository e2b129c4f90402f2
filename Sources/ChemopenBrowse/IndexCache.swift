import Chemopen

/// The cache of indexes of large files in the user's cache directory.
///
/// Each index is a private file: a line with the file's identity and state, then the positions and the marks from which
/// names are derived. An index that does not
/// match its file is ignored and replaced by the next one.
struct IndexCache: Sendable {
    private let folder: LocalPath?

    /// The minimum size of files with a cached index. Smaller files are indexed quickly.
    static let smallestFile = 4 << 20
    private static let word = "chemopen-index-3"
    private static let mostFiles = 64

    init(_ session: SessionEnvironment) {
        folder = session.cacheHome?.appending("chemopen")
    }

    /// Returns the cache directory and creates it if necessary, or `nil` if others can access it.
    func usableFolder() -> LocalPath? {
        guard let folder else { return nil }
        _ = try? makePrivateFolder(folder.folder)
        _ = try? makePrivateFolder(folder)
        guard let status = EntryStatus(folder), status.isFolder, status.owner == currentUserID(),
            status.mode & 0o077 == 0
        else { return nil }
        return folder
    }

    private func heading(_ identity: FileIdentity, _ format: String) -> [UInt8] {
        let numbers = "\(identity.device) \(identity.inode) \(identity.size) \(identity.modified)"
        return Array("\(Self.word) \(numbers) \(format) ".utf8)
    }

    /// Returns the cached index of a file in its current state.
    func index(
        named name: String, of identity: FileIdentity, _ format: String
    ) -> (index: RecordIndex, marks: [RecordMark])? {
        guard identity.size >= Self.smallestFile, let folder = usableFolder(),
            let bytes = try? readFile("\(folder)/\(name).index", limit: 1 << 28)
        else { return nil }
        let heading = heading(identity, format)
        guard bytes.starts(with: heading), let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > heading.count
        else { return nil }
        let words = String(decoding: bytes[heading.count..<end], as: UTF8.self).split(separator: " ")
        let packed = bytes[(end + 1)...]
        guard words.count == 2, let count = Int(words[0]), 0...packed.count / RecordMark.size ~= count,
            words[1] == Fingerprint(Array(packed)).text,
            let index = RecordIndex(
                packed: Array(packed.dropLast(count * RecordMark.size)), count: count, size: identity.size)
        else { return nil }
        let marks = (0..<count).map { number in
            RecordMark(bytes.span, at: bytes.count - (count - number) * RecordMark.size)
        }
        return (index, marks)
    }

    /// Stores an index. Errors are ignored.
    func keep(
        _ index: RecordIndex, _ marks: [RecordMark], named name: String, of identity: FileIdentity, _ format: String
    ) {
        guard identity.size >= Self.smallestFile, index.isComplete, index.refusals.isEmpty, marks.count == index.count,
            let folder = usableFolder()
        else { return }
        var bytes = index.packed
        bytes.reserveCapacity(bytes.count + marks.count * MemoryLayout<RecordMark>.size + 256)
        for mark in marks { bytes.append(mark) }
        // The heading is inserted in place, because a second copy of a large index would need much memory.
        let line = "\(index.count) \(Fingerprint(bytes).text)\n"
        bytes.insert(contentsOf: heading(identity, format) + Array(line.utf8), at: 0)
        let path = folder.appending("\(name).index")
        let staged = folder.appending(".\(name)-\(currentProcessID())")
        try? replacePrivateFile(bytes, at: path, stagedAt: staged)
        sweep(folder)
    }

    /// Returns the stored names of the records in a served directory.
    func names(of folder: LocalPath) -> [UInt8] {
        usableFolder().flatMap { try? readFile($0.appending(Self.namesFile(of: folder)), limit: 1 << 28) } ?? []
    }

    /// Stores the names of the records in a served directory. Errors are ignored.
    func keep(names bytes: [UInt8], of folder: LocalPath) {
        guard let own = usableFolder() else { return }
        let file = Self.namesFile(of: folder)
        try? replacePrivateFile(
            bytes, at: own.appending(file), stagedAt: own.appending(".\(file.shown)-\(currentProcessID())"))
    }

    private static func namesFile(of folder: LocalPath) -> LocalPath {
        LocalPath(Fingerprint(folder.bytes).text + ".names")
    }

    /// Deletes all but the newest indexes.
    private func sweep(_ folder: LocalPath) {
        let names = ((try? folderEntries(folder)) ?? []).filter { $0.hasSuffix(".index") }
        guard names.count > Self.mostFiles else { return }
        let dated = names.map { (age: EntryStatus(folder.appending($0))?.modified ?? 0, name: $0) }
        for entry in dated.sorted(by: { $0.age > $1.age }).dropFirst(Self.mostFiles) {
            removeEntry(folder.appending(entry.name))
        }
    }
}
