import ChemopenDesktop

/// The place that the bytes of a file come from: a path, a descriptor, memory, an address, or whatever a function brings.
///
/// All that reads files takes one, and reads, tells of its progress, is cancelled and fails alike behind each:
///
///     let typed = Source("a.sdf.gz")
///     let pasted = Source(bytes, named: "clipboard.mol")
///     let fetched = Source(try Address("https://example.org/kinases.sdf.gz"))
///     let conversion = Conversion(to: .dataSheet)
///     _ = try conversion.run([typed, pasted, fetched], to: .file("all.ds"))
///
/// An address is asked when its bytes are asked for first, once for a source and all of its copies.
public struct Source: Sendable {
    /// Its name in messages; the extension is a hint at the format, where several fit.
    public let name: LocalPath
    private let origin: Origin
    /// The kinds of files that are opened at its path.
    private var kind = OpenedKind.anyFile

    private enum Origin: Sendable {
        case path(LocalPath)
        case descriptor(Int32)
        case bytes([UInt8])
        case function(@Sendable () throws(FileError) -> [UInt8])
        case address(FetchedFile)
        case refused(FileError)
    }

    private init(_ name: LocalPath, _ origin: Origin) {
        self.name = name
        self.origin = origin
    }

    /// A file, a named pipe or a device; `-` is standard input.
    public init(_ path: LocalPath) { self.init(path, .path(path)) }

    /// A file at a path that no person has typed, which is opened only if it is a regular file.
    package init(found path: LocalPath) {
        self.init(path)
        kind = .regularFile
    }

    /// A file whose path is text.
    public init(_ path: String) { self.init(LocalPath(path)) }

    /// Bytes in memory.
    public init(_ bytes: [UInt8], named name: LocalPath = "memory") { self.init(name, .bytes(bytes)) }

    /// A file, a pipe or a socket that is open and that the caller closes. It can be read once, from where it has come to.
    public init(descriptor number: Int32, named name: LocalPath) { self.init(name, .descriptor(number)) }

    /// The bytes that a function brings each time that it is asked: an entity of a service, or a file inside of another.
    public init(named name: LocalPath, bringing bytes: @escaping @Sendable () throws(FileError) -> [UInt8]) {
        self.init(name, .function(bytes))
    }

    /// The file of an address that a person has typed, as the program `chemopen-fetch` brings it.
    public init(_ address: Address, _ options: FetchOptions = FetchOptions()) {
        self.init(LocalPath(address.shown), .address(FetchedFile(address, options)))
    }

    /// The source that a person means by a word: an address where it begins as one and is no file, else a path.
    package init(typed word: LocalPath, _ options: @autoclosure () -> FetchOptions) {
        guard Address.isMeant(by: word) else {
            self.init(word)
            return
        }
        do throws(Address.Refusal) {
            self.init(try Address(word.text ?? word.shown), options())
        } catch {
            // Messages do not show what may be a password.
            let shown = LocalPath(String(word.shown.prefix { $0 != ":" }) + "://…")
            self.init(shown, .refused(FileError(shown, .notFetched(error.description))))
        }
    }

    /// The type under which a server has sent it: a hint, as the name is.
    public var declaredType: String? {
        if case .address(let file) = origin { file.declaredType } else { nil }
    }

    /// A name for files that are made of it.
    package var fileName: LocalPath {
        if case .address(let file) = origin { file.address.fileName } else { name }
    }

    /// The path of a source that is a file of this machine, a pipe or a device.
    package var path: LocalPath? {
        if case .path(let path) = origin { path } else { nil }
    }

    /// It is standard input, a pipe or a descriptor, whose bytes come once.
    package var comesOnce: Bool {
        switch origin {
        case .path(let path): path.isDash || fileKind(path) == .fifo
        case .descriptor: true
        case .bytes, .function, .address, .refused: false
        }
    }

    /// It is a file, which can be read from any of its bytes on, and once more.
    package var isRegularFile: Bool {
        switch origin {
        case .path(let path): fileKind(path) == .regular
        case .address: true
        case .descriptor, .bytes, .function, .refused: false
        }
    }

    /// The bytes from the first one on.
    ///
    /// - Parameter cancels: asked while the bytes have still to be fetched; `true` ends that.
    package func open(
        blockSize: Int = ByteSource.blockSize, cancels: (() -> Bool)? = nil
    ) throws(FileError) -> ByteSource {
        switch origin {
        case .path(let path):
            return try ByteSource(path: path, named: path, accepting: kind, blockSize: blockSize)
        case .descriptor(let number): return try ByteSource(descriptor: number, name: name)
        case .bytes(let bytes): return try ByteSource(bytes, name: name)
        case .function(let bring): return try ByteSource(try bring(), name: name)
        case .address(let file):
            return try ByteSource(path: try file.openPath(cancels), named: name, blockSize: blockSize)
        case .refused(let error): throw error
        }
    }

    /// The same, to read records: the text is converted from the encoding that the options name.
    package func openToRead(
        _ options: ReadOptions, blockSize: Int = ByteSource.blockSize
    ) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return try open(blockSize: blockSize, cancels: options.cancels).decoded(from: options.encoding)
        } catch {
            throw ReadError(error)
        }
    }

    /// A file of this machine with these bytes, for programs that take paths alone. What lies encrypted in the store is put
    /// into a folder of its own, which the caller removes.
    package func localFile(in session: Surroundings) throws(FileError) -> (path: LocalPath, folder: PrivateFolder?) {
        switch origin {
        case .path(let path): return (path, nil)
        case .refused(let error): throw error
        case .address(let file):
            if let path = try file.storedPath(nil) { return (path, nil) }
            let folder = try PrivateFolder(in: session)
            let path = folder.path.appending(file.address.fileName)
            try copyFile(try file.openPath(nil), to: path)
            try folder.seal()
            return (path, folder)
        case .descriptor, .bytes, .function: throw FileError(name, .notFound)
        }
    }
}

extension Source: Hashable {
    /// Sources are the same that read the same place; bytes and functions are known by their names.
    public static func == (one: Source, other: Source) -> Bool {
        switch (one.origin, other.origin) {
        case (.path(let one), .path(let other)): one == other
        case (.descriptor(let one), .descriptor(let other)): one == other
        case (.bytes(let mine), .bytes(let theirs)): one.name == other.name && mine == theirs
        case (.address(let one), .address(let other)): one === other
        case (.function, .function), (.refused, .refused): one.name == other.name
        default: false
        }
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Address {
    /// Whether a person who types a word means an address that is fetched.
    package static func isMeant(by word: LocalPath) -> Bool {
        guard begins(word), fileKind(word) == .missing, let text = word.text?.lowercased() else { return false }
        return text.hasPrefix("https://") || text.hasPrefix("http://")
    }
}
