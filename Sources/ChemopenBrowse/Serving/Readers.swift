import Chemopen

/// Those who may read what is served: a name for each, and the digest of the token that was shown when it was made.
///
/// The file is one line for each, `DIGEST DATE NAME`, and readable for its user alone. Who has the file has no token.
public struct Readers: Sendable {
    /// A reader as the list shows them.
    public struct Reader: Sendable, Hashable {
        /// The name given when the token was made.
        public let name: String
        /// When that was, as `2026-01-31`.
        public let since: String
        let digest: String
    }

    /// Why the list cannot be changed.
    public struct Failure: Error, Sendable {
        /// The reason, for people.
        public let message: String
    }

    /// Where the list is kept.
    public let path: LocalPath
    /// The readers in the order in which they came.
    public private(set) var list: [Reader] = []

    private static let largestFile = 4 << 20

    /// Reads the list of a file; one that is not there is empty.
    public init(_ path: LocalPath) throws(Failure) {
        self.path = path
        guard let status = EntryStatus(path, followingLinks: true) else { return }
        guard status.mode & 0o077 == 0 else {
            throw Failure(message: "\(path.shown) can be read by others; chmod 600 keeps it to you")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path, limit: Self.largestFile)
        } catch {
            throw Failure(message: "\(error)")
        }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
            guard words.count == 3, words[0].utf8.count == 64 else {
                throw Failure(message: "\(path.shown) is no list of readers")
            }
            list.append(Reader(name: String(words[2]), since: String(words[1]), digest: String(words[0])))
        }
    }

    /// The list where it is kept if no other file is named.
    public static func usualPath(in session: Surroundings) -> LocalPath {
        session.configHome.appending("chemopen").appending("readers")
    }

    /// Adds a reader.
    ///
    /// - Parameter token: what the reader is to show; nobody can learn it from the list.
    public mutating func add(_ name: String, token: String, on day: String) throws(Failure) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !$0.steersDisplay }
        guard !name.trimmingBlanks.isEmpty, name == name.trimmingBlanks, isPlain, name.utf8.count <= 200 else {
            throw Failure(message: "a reader's name is a line of text")
        }
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        guard !list.contains(where: { $0.name == name }) else {
            throw Failure(message: "there is a reader called \"\(name)\"; withdraw that token first")
        }
        list.append(Reader(name: name, since: day, digest: SHA256.digits(of: token)))
        try write()
    }

    /// Takes a reader's token back.
    public mutating func withdraw(_ name: String) throws(Failure) {
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        guard let place = list.firstIndex(where: { $0.name == name }) else {
            throw Failure(
                message: "there is no reader called \"\(name)\"" + suggestion(for: name, among: list.map(\.name)))
        }
        list.remove(at: place)
        try write()
    }

    /// From now on nobody is a reader here; the file stays as it is.
    public mutating func forgetAll() {
        list = []
    }

    /// The name of the reader who has a token. How long it takes tells nothing of any token, only of digests.
    public func name(forToken token: String) -> String? {
        let digest = SHA256.digits(of: token)
        return list.first { $0.digest == digest }?.name
    }

    /// Reads the list anew, and keeps others from changing it until the descriptor is closed.
    private mutating func takeTurn() throws(Failure) -> Int32 {
        let lock: Int32
        do throws(FileError) {
            try makeFolders(path.folder)
            lock = try lockFolder(path.folder)
        } catch {
            throw Failure(message: "\(error)")
        }
        do throws(Failure) {
            self = try Readers(path)
        } catch {
            closeDescriptor(lock)
            throw error
        }
        return lock
    }

    private func write() throws(Failure) {
        let lines = list.map { "\($0.digest) \($0.since) \($0.name)\n" }.joined()
        let staged = path.folder.appending(".\(path.name.shown)-\(currentProcessID())")
        do throws(FileError) {
            try replacePrivateFile(Array(lines.utf8), at: path, stagedAt: staged)
        } catch {
            throw Failure(message: "\(error)")
        }
    }
}
