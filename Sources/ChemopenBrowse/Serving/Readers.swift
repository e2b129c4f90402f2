import Chemopen

/// The readers with access to a server: their names and the digests of their tokens.
///
/// The file has a line `DIGEST DATE NAME` for each reader and is readable only by its owner. It does not contain the
/// tokens.
public struct Readers: Sendable {
    /// A reader in the list.
    public struct Reader: Sendable, Hashable {
        /// The name specified when the token was created.
        public let name: String
        /// The date of creation, such as `2026-01-31`.
        public let since: String
        let digest: String
    }

    /// The reason why the list cannot be read or changed.
    public struct Failure: Error, Sendable {
        /// The reason as text.
        public let message: String
    }

    /// The path of the list.
    public let path: LocalPath
    /// The readers, in the order of their addition.
    public private(set) var list: [Reader] = []

    private static let largestFile = 4 << 20

    /// Reads a list. If the file does not exist, the list is empty.
    ///
    /// - Throws: a `Failure` if the file is malformed or other users can read it.
    public init(_ path: LocalPath) throws(Failure) {
        self.path = path
        guard let status = EntryStatus(path, followingLinks: true) else { return }
        guard status.mode & 0o077 == 0 else {
            throw Failure(message: "\(path.shown) can be read by other users (run chmod 600)")
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
                throw Failure(message: "\(path.shown) is not a list of readers")
            }
            list.append(Reader(name: String(words[2]), since: String(words[1]), digest: String(words[0])))
        }
    }

    /// Returns the default path of the list.
    ///
    /// - Returns: `chemopen/readers` in the user's configuration directory.
    public static func usualPath(in session: SessionEnvironment) -> LocalPath {
        session.configHome.appending("chemopen").appending("readers")
    }

    /// Adds a reader.
    ///
    /// - Parameter token: the reader's token. The list contains only its digest.
    /// - Throws: a `Failure` if the name is not valid or already in use, or if the list cannot be written.
    public mutating func add(_ name: String, token: String, on day: String) throws(Failure) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !$0.steersDisplay }
        guard !name.trimmingBlanks.isEmpty, name == name.trimmingBlanks, isPlain, name.utf8.count <= 200 else {
            throw Failure(message: "a reader's name must be a single line of text")
        }
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        guard !list.contains(where: { $0.name == name }) else {
            throw Failure(message: "a reader named \"\(name)\" already exists (use --revoke first)")
        }
        list.append(Reader(name: name, since: day, digest: SHA256.digits(of: token)))
        try write()
    }

    /// Removes a reader, which revokes the token.
    ///
    /// - Throws: a `Failure` if there is no such reader or the list cannot be written.
    public mutating func withdraw(_ name: String) throws(Failure) {
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        guard let place = list.firstIndex(where: { $0.name == name }) else {
            throw Failure(
                message: "there is no reader named \"\(name)\"" + suggestion(for: name, among: list.map(\.name)))
        }
        list.remove(at: place)
        try write()
    }

    /// Removes all readers in memory, without changing the file.
    public mutating func forgetAll() {
        list = []
    }

    /// Returns the name of the reader with a token. The duration depends only on digests and reveals no information
    /// about tokens.
    ///
    /// - Returns: the name, or `nil` if the token is not valid.
    public func name(forToken token: String) -> String? {
        let digest = SHA256.digits(of: token)
        return list.first { $0.digest == digest }?.name
    }

    /// Reads the list again and locks it until the returned descriptor is closed.
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
