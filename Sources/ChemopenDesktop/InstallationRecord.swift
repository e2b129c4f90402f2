import ChemopenBytes

/// The places of all that an installation has put, so that it can be taken away again without a trace.
///
/// It lies as a small text beside the user's other state, and for a system in the folder of data itself.
struct InstallationRecord: Sendable {
    /// Files written.
    var files: [LocalPath] = []
    /// Folders made for them, the outer first.
    var folders: [LocalPath] = []
    /// Files that the desktop's own programs made where there was none.
    var generated: [LocalPath] = []
    /// Lines added to the list of associations: a type and its program.
    var defaults: [(type: String, id: String)] = []
    /// The list that they were added to.
    var listPath: LocalPath?
    /// The list as it was and as it became; `nil` where there was none.
    var listBefore: [UInt8]?
    var listAfter: [UInt8]?

    static func path(for mode: InstallationTarget, _ session: Surroundings) -> LocalPath {
        (mode.isForUser ? session.stateHome : mode.dataFolder(session)).appending("chemopen/installed")
    }

    init() {}

    /// Reads a record; `nil` where nothing is installed.
    init?(at path: LocalPath) {
        guard let bytes = try? readFile(path) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard words.count == 2 else { continue }
            let path = Self.path(words[1])
            switch String(decoding: words[0], as: UTF8.self) {
            case "file": files.append(path)
            case "folder": folders.append(path)
            case "generated": generated.append(path)
            case "list": listPath = path
            case "default":
                let parts = words[1].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
                if parts.count == 2 { defaults.append((parts[0], parts[1])) }
            default: break
            }
        }
        listBefore = try? readFile("\(path).list-before")
        listAfter = try? readFile("\(path).list-after")
    }

    /// Paths stand in the record byte for byte; one with a line break stands as a URI, which no absolute path is.
    private static func path(_ word: ArraySlice<UInt8>) -> LocalPath {
        LocalPath(uri: String(decoding: word, as: UTF8.self)) ?? LocalPath(bytes: Array(word))
    }

    private static func word(_ path: LocalPath) -> [UInt8] {
        path.bytes.contains(UInt8(ascii: "\n")) ? Array(path.uri.utf8) : path.bytes
    }

    var bytes: [UInt8] {
        var lines: [[UInt8]] = []
        for file in files { lines.append(Array("file ".utf8) + Self.word(file)) }
        for folder in folders { lines.append(Array("folder ".utf8) + Self.word(folder)) }
        for file in generated { lines.append(Array("generated ".utf8) + Self.word(file)) }
        if let listPath { lines.append(Array("list ".utf8) + Self.word(listPath)) }
        for line in defaults { lines.append(Array("default \(line.type) \(line.id)".utf8)) }
        return lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    func write(to path: LocalPath) throws(FileError) {
        try replaceFile(path, with: bytes)
        for (bytes, copy) in [(listBefore, "\(path).list-before"), (listAfter, "\(path).list-after")]
            as [([UInt8]?, LocalPath)]
        {
            if let bytes { try replaceFile(copy, with: bytes) } else { removeEntry(copy) }
        }
    }

    static func remove(at path: LocalPath) {
        for file in [path, "\(path).list-before", "\(path).list-after"] { removeEntry(file) }
    }
}

/// Where an installation goes.
public enum InstallationTarget: Sendable, Hashable {
    /// The user's own folders; nothing else can be written without rights.
    case user
    /// The folders of the whole machine.
    case system
    /// `share` below another folder.
    case prefix(LocalPath)

    var isForUser: Bool { self == .user }

    /// The folder of data.
    public func dataFolder(_ session: Surroundings) -> LocalPath {
        switch self {
        case .user: session.dataHome
        case .system: "/usr/local/share"
        case .prefix(let folder): folder.appending("share")
        }
    }

    /// The list in which defaults are kept.
    func listPath(_ session: Surroundings) -> LocalPath? {
        switch self {
        case .user: session.configHome.appending("mimeapps.list")
        case .system: dataFolder(session).appending("applications/mimeapps.list")
        case .prefix: nil
        }
    }
}

/// Writes a file anew, whole or not at all.
func replaceFile(_ path: LocalPath, with bytes: [UInt8]) throws(FileError) {
    var sink = try ByteSink(path: path, replacing: true)
    sink.bytes = bytes
    try sink.commit()
}

/// Makes a folder and those above it; those that were made, the outer first.
func makeFolders(_ path: LocalPath) throws(FileError) -> [LocalPath] {
    if EntryStatus(path, followingLinks: true)?.isFolder == true { return [] }
    var made: [LocalPath] = []
    if path.folder != ".", path.folder != "/" { made = try makeFolders(path.folder) }
    try makeFolder(path)
    return made + [path]
}
