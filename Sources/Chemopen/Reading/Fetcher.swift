import ChemopenDesktop

/// Downloads files into the cache, as the commands do.
///
///     let copy = try await Fetcher().fetch(Address("https://example.org/sets/kinases.sdf.gz"))
///     print(copy.path.shown, copy.type ?? "")
///
/// Only changed files are downloaded, interrupted downloads resume, and the cached copy is used if the network is down.
/// Credentials come from the keyring (`chemopen login`) or netrc. The program `chemopen-fetch` uses the network; this
/// process opens no socket. To read records, you do not need a fetcher: use a `Source`.
public struct Fetcher: Sendable {
    private let options: FetchOptions

    /// Creates a fetcher.
    public init(_ options: FetchOptions = FetchOptions()) {
        self.options = options
    }

    /// Downloads a file, or checks that the cached copy is current.
    ///
    /// - Parameter shouldCancel: Called often; the download ends if it returns `true`. The next call resumes it.
    /// - Returns: The copy. An encrypted copy is decrypted into a private directory, which exists as long as the value.
    /// - Throws: `FileError` if there is neither a response nor a cached copy.
    public func fetch(_ address: Address, shouldCancel: (() -> Bool)? = nil) throws(FileError) -> FetchedCopy {
        let notes = Guarded<[String]>([])
        var options = options
        options.onEvent = { [onEvent = options.onEvent] event in
            if case .note(let text) = event { notes.change { $0.append(text) } }
            onEvent?(event)
        }
        let source = Source(address, options)
        let (path, folder) = try source.localFile(in: .current, shouldCancel: shouldCancel)
        return FetchedCopy(path, source.declaredType, notes.change { $0 }, folder)
    }

    /// Downloads a file on a separate thread while the task waits. If the task is cancelled, the download ends.
    ///
    /// - Returns: The copy.
    /// - Throws: `FileError` if there is neither a response nor a cached copy.
    public func fetch(_ address: Address) async throws(FileError) -> FetchedCopy {
        let result: Result<FetchedCopy, FileError> = await onOwnThread { signal in
            Result { () throws(FileError) in
                try fetch(address) { signal.isSet.load(ordering: .relaxed) }
            }
        }
        return try result.get()
    }
}

/// A downloaded file.
public final class FetchedCopy: Sendable {
    /// The path of the copy. Do not change it: it is in the cache.
    public let path: LocalPath
    /// The MIME type that the server sent.
    public let type: String?
    /// Notes for the user, such as `offline, as of 2026-11-23 20:55`.
    public let notes: [String]
    private let folder: PrivateFolder?

    init(_ path: LocalPath, _ type: String?, _ notes: [String], _ folder: PrivateFolder?) {
        self.path = path
        self.type = type
        self.notes = notes
        self.folder = folder
    }

    deinit { folder?.remove() }
}
