import Chemopen

/// The readers with access to a server: their names and the digests of their tokens.
///
/// The file has a line `DIGEST DATE NAME` for each token and is readable only by its owner. The date can be followed by
/// rights. The file does not contain the tokens.
public struct Readers: Sendable {
    /// The reason why the list cannot be read or changed.
    public struct Failure: Error, Sendable {
        /// The reason as text.
        public let message: String
    }

    /// The path of the list.
    public let path: LocalPath
    /// The readers, in the order of their addition. During a rotation, a reader has two entries.
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
            guard let reader = Reader(line: String(decoding: line, as: UTF8.self)) else {
                throw Failure(message: "\(path.shown) is not a list of readers")
            }
            list.append(reader)
        }
    }

    /// Returns the default path of the list.
    ///
    /// - Returns: for root the list of the system service, if it is installed; otherwise `chemopen/readers` in the user's
    ///   configuration directory.
    public static func usualPath(in session: SessionEnvironment) -> LocalPath {
        let service: LocalPath = "/var/lib/chemopen"
        if currentUserID() == 0, EntryStatus(service)?.isFolder == true { return service.appending("readers") }
        return session.configHome.appending("chemopen").appending("readers")
    }

    /// Adds a reader.
    ///
    /// - Parameter token: the reader's token. The list contains only its digest.
    /// - Throws: a `Failure` if the name or a right is not valid, if the name is already in use, or if the list cannot be
    ///   written.
    public mutating func add(_ reader: Reader, token: String, on day: String) throws(Failure) {
        let name = reader.name
        guard Self.isPlain(name) else { throw Failure(message: "a reader's name must be a single line of text") }
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        guard !list.contains(where: { $0.name == name }) else {
            throw Failure(message: "a reader named \"\(name)\" already exists (use --rotate or --revoke)")
        }
        try append(reader, token, day)
    }

    /// Gives a reader a second token. The old one stays valid until it expires or is revoked.
    ///
    /// - Parameter change: changes the rights of the new token, which are those of the old one by default.
    /// - Throws: a `Failure` if there is no such reader or it already has two tokens, or if the list cannot be written.
    public mutating func rotate(
        _ name: String, token: String, on day: String, _ change: (inout Reader) -> Void = { _ in }
    ) throws(Failure) {
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        let tokens = list.filter { $0.name == name }
        guard var reader = tokens.last else { throw unknown(name) }
        guard tokens.count == 1 else {
            throw Failure(message: "\"\(name)\" already has two tokens (use --revoke-old to revoke the first)")
        }
        change(&reader)
        try append(reader, token, day)
    }

    private mutating func append(_ reader: Reader, _ token: String, _ day: String) throws(Failure) {
        guard reader.collections?.allSatisfy(Self.isPlain) ?? true, reader.collections?.isEmpty != true else {
            throw Failure(message: "the name of a collection must be a single line of text")
        }
        guard reader.until.map(Reader.isDay) ?? true else {
            throw Failure(message: "the last day must be a date such as 2027-01-31")
        }
        if reader.hasExpired(on: day) {
            throw Failure(message: "the last day of the token is in the past (use --until)")
        }
        var reader = reader
        (reader.since, reader.digest) = (day, SHA256.digits(of: token))
        list.append(reader)
        try write()
    }

    private static func isPlain(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !$0.steersDisplay }
        return !name.trimmingBlanks.isEmpty && name == name.trimmingBlanks && isPlain && name.utf8.count <= 200
    }

    private func unknown(_ name: String) -> Failure {
        Failure(message: "there is no reader named \"\(name)\"" + suggestion(for: name, among: list.map(\.name)))
    }

    /// Removes a reader, which revokes all of its tokens.
    ///
    /// - Parameter onlyOld: whether to preserve the newest token.
    /// - Throws: a `Failure` if there is no such token or the list cannot be written.
    public mutating func withdraw(_ name: String, onlyOld: Bool = false) throws(Failure) {
        let lock = try takeTurn()
        defer { closeDescriptor(lock) }
        let tokens = list.indices.filter { list[$0].name == name }
        if tokens.isEmpty { throw unknown(name) }
        let revoked = onlyOld ? tokens.dropLast() : tokens[...]
        if revoked.isEmpty { throw Failure(message: "\"\(name)\" has only one token (use --rotate first)") }
        list = list.indices.filter { !revoked.contains($0) }.map { list[$0] }
        try write()
    }

    /// Removes all readers in memory, without changing the file.
    public mutating func forgetAll() {
        list = []
    }

    /// Returns the reader with a token. The duration depends only on digests and reveals no information about tokens.
    ///
    /// - Returns: the reader, or `nil` if the token is not valid on this day.
    public func reader(forToken token: String, on day: String) -> Reader? {
        let digest = SHA256.digits(of: token)
        return list.first { $0.digest == digest }.flatMap { $0.hasExpired(on: day) ? nil : $0 }
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
        let lines = list.map { $0.line + "\n" }.joined()
        let staged = path.folder.appending(".\(path.name.shown)-\(currentProcessID())")
        do throws(FileError) {
            // If root adds a reader of a service, the service must be able to read the list.
            try replacePrivateFile(Array(lines.utf8), at: path, stagedAt: staged, forFolderOwner: true)
        } catch {
            throw Failure(message: "\(error)")
        }
    }
}
