import ChemopenBytes

/// The paths of everything that an installation adds. Therefore, it can be removed completely.
///
/// The record is written before the first of these files. It is a small text file in the user's state directory, or for
/// a system-wide installation in the data directory.
struct InstallationRecord: Sendable, Equatable {
    /// An installed file and the digest of its bytes. Release 0.1.0 recorded no digest.
    struct File: Sendable, Hashable {
        var path: LocalPath
        var digest: String?
    }

    /// The association list before and after the installation.
    struct List: Sendable, Equatable {
        var path: LocalPath
        /// The content before the installation, or `nil` if there was no list.
        var before: [UInt8]?
        /// The digest of the new list, or `nil` if the installation did not change it.
        var after: String?
    }

    var files: [File] = []
    /// Directories created for the files, the outermost first.
    var folders: [LocalPath] = []
    /// Files that the desktop's own programs generate and that did not exist before.
    var generated: [LocalPath] = []
    /// Lines added to the association list: a type and its program.
    var defaults: [DefaultLine] = []
    var list: List?

    struct DefaultLine: Sendable, Hashable {
        var type: String
        var id: String
    }

    /// Whether the file at a path is exactly the one that this program wrote. It is `false` for a link or a changed
    /// file.
    func owns(_ path: LocalPath) throws(FileError) -> Bool {
        let digests = files.filter { $0.path == path }.map(\.digest)
        guard !digests.isEmpty, try EntryStatus.find(path)?.isRegular == true else { return false }
        if digests.contains(nil) { return true }
        guard let bytes = try readFileIfThere(path) else { return false }
        return digests.contains(Self.digest(bytes))
    }

    /// Adds the entries of another record that this one does not contain.
    mutating func note(_ other: InstallationRecord) {
        files += other.files.filter { !files.contains($0) }
        folders += other.folders.filter { !folders.contains($0) }
        generated += other.generated.filter { !generated.contains($0) }
        defaults += other.defaults.filter { !defaults.contains($0) }
    }

    /// A checksum to detect accidental changes: FNV-1a and the length. It does not protect against deliberate
    /// collisions.
    static func digest(_ bytes: [UInt8]) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\(String(sum, radix: 16))-\(bytes.count)"
    }
}

// MARK: As text

extension InstallationRecord {
    init(_ bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard words.count == 2 else { continue }
            let parts = words[1].split(separator: UInt8(ascii: " "), maxSplits: 1)
            switch String(decoding: words[0], as: UTF8.self) {
            // The keyword of release 0.1.0.
            case "file": files.append(File(path: Self.path(words[1]), digest: nil))
            case "wrote" where parts.count == 2:
                files.append(File(path: Self.path(parts[1]), digest: String(decoding: parts[0], as: UTF8.self)))
            case "folder": folders.append(Self.path(words[1]))
            case "generated": generated.append(Self.path(words[1]))
            case "list": list = List(path: Self.path(words[1]))
            case "before": list?.before = Self.unescaped(words[1].dropFirst())
            case "after": list?.after = String(decoding: words[1], as: UTF8.self)
            case "default" where parts.count == 2:
                defaults.append(
                    DefaultLine(
                        type: String(decoding: parts[0], as: UTF8.self), id: String(decoding: parts[1], as: UTF8.self)))
            default: break
            }
        }
    }

    var bytes: [UInt8] {
        var text: [UInt8] = []
        func add(_ word: String, _ rest: [UInt8]) { text += Array("\(word) ".utf8) + rest + [UInt8(ascii: "\n")] }
        for file in files {
            if let digest = file.digest {
                add("wrote", Array("\(digest) ".utf8) + Self.word(file.path))
            } else {
                add("file", Self.word(file.path))
            }
        }
        for folder in folders { add("folder", Self.word(folder)) }
        for file in generated { add("generated", Self.word(file)) }
        for line in defaults { add("default", Array("\(line.type) \(line.id)".utf8)) }
        if let list {
            add("list", Self.word(list.path))
            // The equals sign distinguishes an empty list from a missing one.
            if let before = list.before { add("before", Array("=".utf8) + Self.escaped(before)) }
            if let after = list.after { add("after", Array(after.utf8)) }
        }
        return text
    }

    /// Parses a path of the record. Paths are stored byte for byte. A path with a line break is stored as a URI, which
    /// cannot be confused with an absolute path.
    private static func path(_ word: ArraySlice<UInt8>) -> LocalPath {
        LocalPath(uri: String(decoding: word, as: UTF8.self)) ?? LocalPath(bytes: Array(word))
    }

    private static func word(_ path: LocalPath) -> [UInt8] {
        path.bytes.contains(UInt8(ascii: "\n")) ? Array(path.uri.utf8) : path.bytes
    }

    /// Escapes a text to fit on one line.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\\"): Array("\\\\".utf8)
            default: [byte]
            }
        }
    }

    private static func unescaped(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var isEscaped = false
        for byte in line {
            if isEscaped {
                text.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                text.append(byte)
            }
        }
        return text
    }
}

// MARK: As a file

/// The location of an installation's record.
///
/// If the record's own directory does not exist, before and after the installation, the record is stored in the nearest
/// existing parent directory. A record therefore exists whenever there are files to remove.
struct RecordPlace: Sendable {
    let path: LocalPath
    private static let waitingName: LocalPath = ".chemopen-installing"

    init(for target: InstallationTarget, _ session: SessionEnvironment) {
        path = (target.isForUser ? session.stateHome : target.dataFolder(session)).appending("chemopen/installed")
    }

    /// The possible directories for temporary storage of the record, the nearest first.
    private var foldersAbove: [LocalPath] {
        var folders: [LocalPath] = []
        var folder = path.folder
        while folder != "/", folder != "." {
            folder = folder.folder
            folders.append(folder)
        }
        return folders
    }

    /// Reads the record. Returns `nil` if there is no installation.
    func read() throws(FileError) -> InstallationRecord? {
        for path in [path] + foldersAbove.map({ $0.appending(Self.waitingName) }) {
            guard let bytes = try readFileIfThere(path) else { continue }
            var record = InstallationRecord(bytes)
            // Release 0.1.0 stored the lists in two separate files.
            if record.list != nil, record.list?.after == nil, record.list?.before == nil {
                record.list?.before = try readFileIfThere("\(self.path).list-before")
                record.list?.after = try readFileIfThere("\(self.path).list-after").map(InstallationRecord.digest)
            }
            return record
        }
        return nil
    }

    /// Writes the record, at its temporary location if its own directory does not exist yet.
    func write(_ record: InstallationRecord) throws(FileError) {
        if try EntryStatus.find(path.folder, followingLinks: true) != nil {
            try writeFile(record.bytes, to: path, replacing: true)
            removeWaiting()
            for copy in sideFiles { removeEntry(copy) }
        } else {
            try writeFile(record.bytes, to: waitingPath(), replacing: true)
        }
    }

    /// Creates the record's directory and moves the record there.
    func settle() throws(FileError) {
        if try EntryStatus.find(path.folder, followingLinks: true) != nil { return }
        let waiting = try waitingPath()
        try makeFolders(path.folder)
        try renameEntry(waiting, to: path)
    }

    /// Removes the record and the directories created for it. Call this after all other files are removed.
    func remove(_ record: InstallationRecord) throws(FileError) {
        sweepLeftovers(in: path.folder)
        for copy in sideFiles { try deleteFile(copy) }
        let own = ([path.folder] + foldersAbove).filter(record.folders.contains)
        if let outermost = own.last, try EntryStatus.find(path.folder) != nil {
            try writeFile(record.bytes, to: outermost.folder.appending(Self.waitingName), replacing: true)
        }
        try deleteFile(path)
        for folder in own { try deleteFolderIfEmpty(folder) }
        for folder in foldersAbove { try deleteFile(folder.appending(Self.waitingName)) }
    }

    /// The files that release 0.1.0 stored next to its record.
    private var sideFiles: [LocalPath] { ["\(path).list-before", "\(path).list-after"] }

    private func removeWaiting() {
        for folder in foldersAbove { removeEntry(folder.appending(Self.waitingName)) }
    }

    private func waitingPath() throws(FileError) -> LocalPath {
        for folder in foldersAbove where try EntryStatus.find(folder, followingLinks: true) != nil {
            return folder.appending(Self.waitingName)
        }
        throw FileError(path, .folderNotFound)
    }
}

/// The directories into which an installation writes.
public enum InstallationTarget: Sendable, Hashable {
    /// The user's own directories, which need no special permissions.
    case user
    /// The directories of the system.
    case system
    /// The `share` directory below another directory.
    case prefix(LocalPath)

    var isForUser: Bool { self == .user }

    /// Returns the data directory.
    ///
    /// - Returns: the directory for MIME types, icons and desktop entries.
    public func dataFolder(_ session: SessionEnvironment) -> LocalPath {
        switch self {
        case .user: session.dataHome
        case .system: "/usr/local/share"
        case .prefix(let folder): folder.appending("share")
        }
    }

    /// Returns the directory for programs.
    ///
    /// - Returns: the directory, or `nil` if no programs are installed.
    public func programFolder(_ session: SessionEnvironment) -> LocalPath? {
        switch self {
        case .user: session.home.appending(".local/bin")
        case .system: "/usr/local/bin"
        case .prefix: nil
        }
    }

    /// Returns the association list that stores defaults.
    func listPath(_ session: SessionEnvironment) -> LocalPath? {
        switch self {
        case .user: session.configHome.appending("mimeapps.list")
        case .system: dataFolder(session).appending("applications/mimeapps.list")
        case .prefix: nil
        }
    }

    /// Returns all association lists that desktops use.
    func allLists(_ session: SessionEnvironment) throws(FileError) -> [LocalPath] {
        let applications = dataFolder(session).appending("applications")
        var lists = ["mimeapps.list", "defaults.list"].map { applications.appending($0) }
        if isForUser {
            let names: [LocalPath]
            do throws(FileError) {
                names = try folderEntries(session.configHome)
            } catch {
                guard error.reason == .notFound || error.reason == .notDirectory else { throw error }
                return lists
            }
            lists += names.filter { $0 == "mimeapps.list" || $0.hasSuffix("-mimeapps.list") }
                .map { session.configHome.appending($0) }
        }
        return lists
    }
}
