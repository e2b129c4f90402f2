import ChemopenBytes

/// What an installation has put where, so that it can be taken away again without a trace.
///
/// It lies as a small text beside the user's other state, and for a system in the folder of data itself.
struct InstallationRecord: Sendable {
    /// Files written.
    var files: [String] = []
    /// Folders made for them, the outer first.
    var folders: [String] = []
    /// Files that the desktop's own programs made where there was none.
    var generated: [String] = []
    /// Lines added to the list of associations: a type and its program.
    var defaults: [(type: String, id: String)] = []
    /// The list that they were added to.
    var listPath = ""
    /// The list as it was and as it became; `nil` where there was none.
    var listBefore: [UInt8]?
    var listAfter: [UInt8]?

    static func path(for mode: InstallationTarget, _ session: Surroundings) -> String {
        (mode.isForUser ? session.stateHome : mode.dataFolder(session)).appending(path: "chemopen/installed")
    }

    init() {}

    /// Reads a record; `nil` where nothing is installed.
    init?(at path: String) {
        guard let bytes = try? readFile(path) else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            switch words[0] {
            case "file": files.append(words[1])
            case "folder": folders.append(words[1])
            case "generated": generated.append(words[1])
            case "list": listPath = words[1]
            case "default":
                let parts = words[1].split(separator: " ").map(String.init)
                if parts.count == 2 { defaults.append((parts[0], parts[1])) }
            default: break
            }
        }
        listBefore = try? readFile(path + ".list-before")
        listAfter = try? readFile(path + ".list-after")
    }

    var text: String {
        var text = ""
        for file in files { text += "file \(file)\n" }
        for folder in folders { text += "folder \(folder)\n" }
        for file in generated { text += "generated \(file)\n" }
        if !listPath.isEmpty { text += "list \(listPath)\n" }
        for line in defaults { text += "default \(line.type) \(line.id)\n" }
        return text
    }

    func write(to path: String) throws(FileError) {
        try replaceFile(path, with: Array(text.utf8))
        for (bytes, suffix) in [(listBefore, ".list-before"), (listAfter, ".list-after")] {
            if let bytes { try replaceFile(path + suffix, with: bytes) } else { removeEntry(path + suffix) }
        }
    }

    static func remove(at path: String) {
        for suffix in ["", ".list-before", ".list-after"] { removeEntry(path + suffix) }
    }
}

/// Where an installation goes.
public enum InstallationTarget: Sendable, Hashable {
    /// The user's own folders; nothing else can be written without rights.
    case user
    /// The folders of the whole machine.
    case system
    /// `share` below another folder.
    case prefix(String)

    var isForUser: Bool { self == .user }

    /// The folder of data.
    public func dataFolder(_ session: Surroundings) -> String {
        switch self {
        case .user: session.dataHome
        case .system: "/usr/local/share"
        case .prefix(let folder): folder.appending(path: "share")
        }
    }

    /// The list in which defaults are kept.
    func listPath(_ session: Surroundings) -> String? {
        switch self {
        case .user: session.configHome.appending(path: "mimeapps.list")
        case .system: dataFolder(session).appending(path: "applications/mimeapps.list")
        case .prefix: nil
        }
    }
}

/// Writes a file anew, whole or not at all.
func replaceFile(_ path: String, with bytes: [UInt8]) throws(FileError) {
    var sink = try ByteSink(path: path, replacing: true)
    sink.bytes = bytes
    try sink.commit()
}

/// Makes a folder and those above it; those that were made, the outer first.
func makeFolders(_ path: String) throws(FileError) -> [String] {
    if EntryStatus(path, followingLinks: true)?.isFolder == true { return [] }
    var made: [String] = []
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { made = try makeFolders(String(path[..<slash])) }
    try makeFolder(path)
    return made + [path]
}
