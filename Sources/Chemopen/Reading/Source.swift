import ChemopenDesktop

/// The origin of a file's bytes: a path, a descriptor, memory, a URL or a function.
///
/// All functions that read files accept a source. Reading, progress, cancellation and errors work the same way for
/// every kind:
///
///     let typed = Source("a.sdf.gz")
///     let pasted = Source(bytes, named: "clipboard.mol")
///     let fetched = Source(try Address("https://example.org/kinases.sdf.gz"))
///     let conversion = Conversion(to: .dataSheet)
///     _ = try conversion.run([typed, pasted, fetched], to: .file("all.ds"))
///
/// A URL is fetched when its bytes are needed, only once for a source and all of its copies.
public struct Source: Sendable {
    /// The name for messages. Its extension decides if the content matches several formats.
    public let name: LocalPath
    private let origin: Origin
    /// The kinds of files that can be opened at the path.
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

    /// Creates a source for a file, a named pipe or a device; `-` is standard input.
    public init(_ path: LocalPath) { self.init(path, .path(path)) }

    /// Creates a source for a path that the user did not type. It is opened only if it is a regular file.
    package init(found path: LocalPath) {
        self.init(path)
        kind = .regularFile
    }

    /// Creates a source for a file. The path is a `String`.
    public init(_ path: String) { self.init(LocalPath(path)) }

    /// Creates a source for bytes in memory.
    public init(_ bytes: [UInt8], named name: LocalPath = "memory") { self.init(name, .bytes(bytes)) }

    /// Creates a source for an open file, pipe or socket.
    ///
    /// It can be read once, from its current position. The caller closes the descriptor.
    public init(descriptor number: Int32, named name: LocalPath) { self.init(name, .descriptor(number)) }

    /// Creates a source for the bytes that a function returns, such as an entity of a service or a file within another
    /// file.
    ///
    /// - Parameter bytes: Returns the bytes each time the source is opened.
    public init(named name: LocalPath, bringing bytes: @escaping @Sendable () throws(FileError) -> [UInt8]) {
        self.init(name, .function(bytes))
    }

    /// Creates a source for a URL that the user typed. The program `chemopen-fetch` fetches it.
    public init(_ address: Address, _ options: FetchOptions = FetchOptions()) {
        self.init(LocalPath(address.shown), .address(FetchedFile(address, options)))
    }

    /// Creates a source for a command-line argument: a URL if it starts like one and is not the name of a file,
    /// otherwise a path.
    package init(typed word: LocalPath, _ options: @autoclosure () -> FetchOptions) {
        guard Address.isMeant(by: word) else {
            self.init(word)
            return
        }
        do throws(Address.Refusal) {
            self.init(try Address(word.text ?? word.shown), options())
        } catch {
            // The rest of the URL is hidden because it may contain a password.
            let shown = LocalPath(String(word.shown.prefix { $0 != ":" }) + "://…")
            self.init(shown, .refused(FileError(shown, .notFetched(error.description))))
        }
    }

    /// The MIME type that the server sent. It is used only if the content matches several formats.
    public var declaredType: String? {
        if case .address(let file) = origin { file.declaredType } else { nil }
    }

    /// The default name for files made from this source.
    package var fileName: LocalPath {
        if case .address(let file) = origin { file.address.fileName } else { name }
    }

    /// The path if the source is a local file, a pipe or a device.
    package var path: LocalPath? {
        if case .path(let path) = origin { path } else { nil }
    }

    /// Whether the bytes can be read only once: standard input, a pipe or a descriptor.
    package var comesOnce: Bool {
        switch origin {
        case .path(let path): path.isDash || fileKind(path) == .fifo
        case .descriptor: true
        case .bytes, .function, .address, .refused: false
        }
    }

    /// Whether the source is a file that can be read repeatedly and from any offset.
    package var isRegularFile: Bool {
        switch origin {
        case .path(let path): fileKind(path) == .regular
        case .address: true
        case .descriptor, .bytes, .function, .refused: false
        }
    }

    /// Opens the source at its first byte.
    ///
    /// - Parameter cancels: Called during a fetch; the fetch ends if it returns `true`.
    package func open(
        blockSize: Int = ByteSource.blockSize, shouldCancel: (() -> Bool)? = nil
    ) throws(FileError) -> ByteSource {
        switch origin {
        case .path(let path):
            return try ByteSource(path: path, named: path, accepting: kind, blockSize: blockSize)
        case .descriptor(let number): return try ByteSource(descriptor: number, name: name)
        case .bytes(let bytes): return try ByteSource(bytes, name: name)
        case .function(let bring): return try ByteSource(try bring(), name: name)
        case .address(let file):
            return try ByteSource(path: try file.openPath(shouldCancel), named: name, blockSize: blockSize)
        case .refused(let error): throw error
        }
    }

    /// Opens the source for reading records and converts its text from the encoding in the options.
    package func openToRead(
        _ options: ReadOptions, blockSize: Int = ByteSource.blockSize
    ) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return try open(blockSize: blockSize, shouldCancel: options.shouldCancel).decoded(from: options.encoding)
        } catch {
            throw ReadError(error)
        }
    }

    /// Returns a local file with the same bytes, for programs that accept only paths. If the cached copy is encrypted,
    /// the bytes are written to a private directory that the caller removes.
    package func localFile(
        in session: SessionEnvironment, shouldCancel: (() -> Bool)? = nil
    ) throws(FileError) -> (path: LocalPath, folder: PrivateFolder?) {
        switch origin {
        case .path(let path): return (path, nil)
        case .refused(let error): throw error
        case .address(let file):
            if let path = try file.storedPath(shouldCancel) { return (path, nil) }
            let folder = try PrivateFolder(in: session)
            let path = folder.path.appending(file.address.fileName)
            try copyFile(try file.openPath(shouldCancel), to: path)
            try folder.seal()
            return (path, folder)
        case .descriptor, .bytes, .function: throw FileError(name, .notFound)
        }
    }
}

extension Source: Hashable {
    /// Whether two sources have the same origin. Bytes are compared together with their names, functions by name only.
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

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Address {
    /// Whether a command-line argument is a URL and not the name of an existing file.
    package static func isMeant(by word: LocalPath) -> Bool {
        guard begins(word), fileKind(word) == .missing, let text = word.text?.lowercased() else { return false }
        return text.hasPrefix("https://") || text.hasPrefix("http://")
    }
}
