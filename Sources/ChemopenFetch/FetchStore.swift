import ChemopenBytes
import ChemopenDesktop

/// The reason why a fetch failed.
struct FetchFailure: Error {
    let text: String
    /// Whether the server could not be reached. A cached copy can then be used.
    var isOffline = false

    init(_ text: String, isOffline: Bool = false) {
        self.text = text
        self.isOffline = isOffline
    }
}

/// The cache of fetched files in the user's cache directory. It contains a directory for each server, with a
/// subdirectory for each address.
///
/// Only the owner can access its directories and files.
struct FetchStore {
    let root: LocalPath

    /// Opens the cache and creates its directories if necessary. Throws if other users can access them.
    init(in session: SessionEnvironment) throws(FetchFailure) {
        guard let cache = session.cacheHome else {
            throw FetchFailure("no cache directory: HOME is not set")
        }
        root = cache.appending("chemopen/fetched")
        do throws(FileError) {
            _ = try? makePrivateFolder(cache.folder)
            _ = try makePrivateFolder(cache)
            _ = try makePrivateFolder(root.folder)
            try Self.makeOwn(root)
        } catch {
            throw FetchFailure("cannot cache the file: \(error)")
        }
    }

    fileprivate static func makeOwn(_ folder: LocalPath) throws(FileError) {
        _ = try makePrivateFolder(folder)
        guard let status = EntryStatus(folder), status.isFolder, status.owner == currentUserID(),
            status.mode & 0o077 == 0
        else { throw FileError(folder, .notFetched("not used because other users can access the directory")) }
    }

    private static let sealedSuffix: LocalPath = ".sealed"

    private func serverFolder(_ address: Address) -> LocalPath {
        let name = address.origin.split(separator: "/").last.map(String.init) ?? ""
        let safe = name.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "_" }
        return root.appending(LocalPath((address.isSecure ? "" : "http_") + String(safe)))
    }

    /// Returns the cache entry of an address.
    func entry(_ address: Address, _ key: StoreKey?) -> FetchEntry {
        let name = LocalPath(fingerprint(address.text, key))
        return FetchEntry(
            folder: serverFolder(address).appending(key == nil ? name : "\(name)\(Self.sealedSuffix)"),
            fileName: address.fileName, key: key)
    }

    /// Returns whether any file from a server is cached in encrypted form.
    func hasSealed(of address: Address) -> Bool {
        ((try? folderEntries(serverFolder(address))) ?? []).contains { $0.hasSuffix(Self.sealedSuffix) }
    }

    /// Returns all cache entries with their server directories.
    func entries(_ key: StoreKey?) -> [(server: LocalPath, entry: FetchEntry)] {
        ((try? folderEntries(root)) ?? []).flatMap { server in
            ((try? folderEntries(root.appending(server))) ?? []).map { name in
                let isSealed = name.hasSuffix(Self.sealedSuffix)
                let folder = root.appending(server).appending(name)
                let entry = FetchEntry(folder: folder, fileName: nil, key: isSealed ? key : nil, isSealed: isSealed)
                return (server, entry)
            }
        }
    }

    func remove(_ entry: FetchEntry) {
        entry.remove()
        removeEmptyFolder(entry.folder.folder)
    }
}

/// The cache entry of a single address.
struct FetchEntry {
    let folder: LocalPath
    private let fileName: LocalPath?
    let key: StoreKey?
    let isSealed: Bool

    init(folder: LocalPath, fileName: LocalPath?, key: StoreKey?, isSealed: Bool? = nil) {
        self.folder = folder
        self.fileName = fileName
        self.key = key
        self.isSealed = isSealed ?? (key != nil)
    }

    private var about: LocalPath { folder.appending("about") }
    private var partAbout: LocalPath { folder.appending("part-about") }
    private var part: LocalPath { folder.appending("part") }
    private var clearFolder: LocalPath { folder.appending("file") }
    private var clearName: LocalPath? { fileName ?? (try? folderEntries(clearFolder))?.first }
    /// The path of the cached file.
    var file: LocalPath { isSealed ? folder.appending("sealed") : clearFolder.appending(clearName ?? "index") }

    func make() throws(FileError) {
        try FetchStore.makeOwn(folder.folder)
        try FetchStore.makeOwn(folder)
    }

    /// Returns the metadata of the cached file if the file is complete and unchanged.
    func kept() -> FetchNotes? {
        guard let notes = notes(about), let stamp = stamp(of: file), notes.stamp == "\(stamp.size) \(stamp.modified)"
        else { return nil }
        return notes
    }

    func openPart() throws(FileError) -> any PartFile {
        if let key { return try SealedPart(part, key) }
        return try ClearPart(part)
    }

    var partNotes: FetchNotes? {
        get { isSealed ? nil : notes(partAbout) }
        nonmutating set {
            if let newValue, !isSealed { try? write(newValue, to: partAbout) } else { removeEntry(partAbout) }
        }
    }

    func removePart() {
        removeEntry(part)
        removeEntry(partAbout)
    }

    /// Removes an empty partial download and directories that are empty.
    func tidy() {
        if partNotes == nil || stamp(of: part)?.size == 0 { removePart() }
        removeEmptyFolder(folder)
        removeEmptyFolder(folder.folder)
    }

    /// Moves the complete download to its final path.
    func settle(_ notes: FetchNotes) throws(FileError) -> FetchNotes {
        var notes = notes
        try setAsideChanges()
        removeEntry(about)
        if !isSealed { _ = try makePrivateFolder(clearFolder) }
        try renameEntry(part, to: file)
        removeEntry(partAbout)
        if !isSealed {
            attach(notes.address, as: "user.xdg.origin.url", to: file)
            if !notes.type.isEmpty { attach(notes.type, as: "user.mime_type", to: file) }
        }
        if let stamp = stamp(of: file) { notes.stamp = "\(stamp.size) \(stamp.modified)" }
        try keep(notes)
        return notes
    }

    /// Renames a file that has been changed since it was fetched, so it is not overwritten.
    private func setAsideChanges() throws(FileError) {
        guard !isSealed, self.notes(about) != nil, kept() == nil, stamp(of: file) != nil else { return }
        let changed = folder.appending("changed-\(currentTime())-\(file.name)")
        try renameEntry(file, to: changed)
        Main.tell("note the cached copy was changed; the changed version is now \(plain(changed.shown))")
    }

    func keep(_ notes: FetchNotes) throws(FileError) { try write(notes, to: about) }

    private func notes(_ path: LocalPath) -> FetchNotes? {
        guard let bytes = try? readFile(path, limit: 1 << 20) else { return nil }
        guard isSealed else { return FetchNotes(bytes) }
        return key?.open(bytes).flatMap { FetchNotes($0) }
    }

    private func write(_ notes: FetchNotes, to path: LocalPath) throws(FileError) {
        try replacePrivateFile(key?.seal(notes.bytes) ?? notes.bytes, at: path, stagedAt: "\(path).new")
    }

    func remove() {
        for name in (try? folderEntries(clearFolder)) ?? [] { removeEntry(clearFolder.appending(name)) }
        removeEmptyFolder(clearFolder)
        for name in (try? folderEntries(folder)) ?? [] { removeEntry(folder.appending(name)) }
        removeEmptyFolder(folder)
    }

    /// The size of the cached or partial file in bytes.
    var size: Int { stamp(of: file)?.size ?? stamp(of: part)?.size ?? 0 }
}

/// The metadata of a cached file: its address, times, and the validators for conditional requests.
struct FetchNotes {
    /// The address in readable form, without its query.
    var address = ""
    var type = ""
    var tag = ""
    var modified = ""
    /// The size of the complete file, or an empty string if it is unknown.
    var total = ""
    /// The time of the download, and of the last check that the file is unchanged, in seconds since 1970.
    var fetched = 0
    var checked = 0
    var stamp = ""
    /// Whether the modification date was at least a minute before the request. Only then does the date identify a
    /// single version of the file.
    var isDated = false

    init() {}

    /// Creates the metadata from a server's response.
    init(_ answer: Answer, of address: Address) {
        self.address = address.shown
        type = answer.fields["content-type"] ?? ""
        tag = answer.fields["etag"] ?? ""
        modified = answer.fields["last-modified"] ?? ""
        total = answer.fields["content-length"] ?? ""
        if let now = secondsOfDate(answer.fields["date"] ?? ""), let then = secondsOfDate(modified) {
            isDated = now - then >= 60
        }
        fetched = currentTime()
        checked = fetched
    }

    init?(_ bytes: [UInt8]) {
        var values: [Substring: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = String(parts[1]) }
        }
        guard let address = values["address"] else { return nil }
        self.address = address
        type = values["type"] ?? ""
        tag = values["tag"] ?? ""
        modified = values["modified"] ?? ""
        total = values["total"] ?? ""
        fetched = values["fetched"].flatMap { Int($0) } ?? 0
        checked = values["checked"].flatMap { Int($0) } ?? 0
        stamp = values["stamp"] ?? ""
        isDated = values["dated"] == "yes"
    }

    var bytes: [UInt8] {
        let rows = [
            ("address", address), ("type", type), ("tag", tag), ("modified", modified), ("total", total),
            ("fetched", "\(fetched)"), ("checked", "\(checked)"), ("stamp", stamp), ("dated", isDated ? "yes" : ""),
        ]
        let lines = rows.filter { !$0.1.isEmpty }.map { "\($0) \(plain($1))\n" }
        return Array(lines.joined().utf8)
    }

    /// The validator for `If-Range`, or `nil` if it might match different contents.
    var validator: String? {
        if !tag.isEmpty { return tag.hasPrefix("W/") ? nil : tag }
        return isDated ? modified : nil
    }
}

/// Replaces control characters in untrusted text with spaces.
func plain(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x20 || 0x7F...0x9F ~= $0.value ? " " : Character($0) })
}
