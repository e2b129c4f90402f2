import ChemopenBytes

/// The places of all that an installation puts, so that it can be taken away again without a trace.
///
/// It is written before the first of them. It lies as a small text beside the user's other state, and for a system in
/// the folder of data itself.
struct InstallationRecord: Sendable, Equatable {
    /// A file that is written, and the digest of its bytes; release 0.1.0 noted no digest.
    struct File: Sendable, Hashable {
        var path: LocalPath
        var digest: String?
    }

    /// The list of associations before and after the installation.
    struct List: Sendable, Equatable {
        var path: LocalPath
        /// `nil` where there was none.
        var before: [UInt8]?
        /// The digest of the list; `nil` where nothing was written into it.
        var after: String?
    }

    var files: [File] = []
    /// Folders made for them, the outer first.
    var folders: [LocalPath] = []
    /// Files that the desktop's own programs make where there was none.
    var generated: [LocalPath] = []
    /// Lines added to the list of associations: a type and its program.
    var defaults: [DefaultLine] = []
    var list: List?

    struct DefaultLine: Sendable, Hashable {
        var type: String
        var id: String
    }

    /// Whether this program wrote the file at a path as it is. A link, or a file that somebody has changed since, is
    /// not the program's own.
    func owns(_ path: LocalPath) throws(FileError) -> Bool {
        let digests = files.filter { $0.path == path }.map(\.digest)
        guard !digests.isEmpty, try EntryStatus.find(path)?.isRegular == true else { return false }
        if digests.contains(nil) { return true }
        guard let bytes = try readFileIfThere(path) else { return false }
        return digests.contains(Self.digest(bytes))
    }

    /// Adds what is not noted yet.
    mutating func note(_ other: InstallationRecord) {
        files += other.files.filter { !files.contains($0) }
        folders += other.folders.filter { !folders.contains($0) }
        generated += other.generated.filter { !generated.contains($0) }
        defaults += other.defaults.filter { !defaults.contains($0) }
    }

    /// A number that tells texts apart which nobody has made to be alike: FNV-1a, and the length.
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
            // The word of release 0.1.0.
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
            // The equals sign stands for a list that is there and empty.
            if let before = list.before { add("before", Array("=".utf8) + Self.escaped(before)) }
            if let after = list.after { add("after", Array(after.utf8)) }
        }
        return text
    }

    /// Paths stand in the record byte for byte; one with a line break stands as a URI, which no absolute path is.
    private static func path(_ word: ArraySlice<UInt8>) -> LocalPath {
        LocalPath(uri: String(decoding: word, as: UTF8.self)) ?? LocalPath(bytes: Array(word))
    }

    private static func word(_ path: LocalPath) -> [UInt8] {
        path.bytes.contains(UInt8(ascii: "\n")) ? Array(path.uri.utf8) : path.bytes
    }

    /// A text on one line.
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

/// The place of an installation's record.
///
/// Before the record's own folder is made, and after it is gone again, the record waits in the nearest folder that is
/// there. So there is a record at any moment at which there is anything to take away.
struct RecordPlace: Sendable {
    let path: LocalPath
    private static let waitingName: LocalPath = ".chemopen-installing"

    init(for target: InstallationTarget, _ session: Surroundings) {
        path = (target.isForUser ? session.stateHome : target.dataFolder(session)).appending("chemopen/installed")
    }

    /// The folders in which the record may wait, the nearest first.
    private var foldersAbove: [LocalPath] {
        var folders: [LocalPath] = []
        var folder = path.folder
        while folder != "/", folder != "." {
            folder = folder.folder
            folders.append(folder)
        }
        return folders
    }

    /// Reads the record; `nil` where nothing is installed.
    func read() throws(FileError) -> InstallationRecord? {
        for path in [path] + foldersAbove.map({ $0.appending(Self.waitingName) }) {
            guard let bytes = try readFileIfThere(path) else { continue }
            var record = InstallationRecord(bytes)
            // Release 0.1.0 kept the list in two files of its own.
            if record.list != nil, record.list?.after == nil, record.list?.before == nil {
                record.list?.before = try readFileIfThere("\(self.path).list-before")
                record.list?.after = try readFileIfThere("\(self.path).list-after").map(InstallationRecord.digest)
            }
            return record
        }
        return nil
    }

    /// Writes the record, where it waits if its folder is not there yet.
    func write(_ record: InstallationRecord) throws(FileError) {
        if try EntryStatus.find(path.folder, followingLinks: true) != nil {
            try writeFile(record.bytes, to: path, replacing: true)
            removeWaiting()
            for copy in sideFiles { removeEntry(copy) }
        } else {
            try writeFile(record.bytes, to: waitingPath(), replacing: true)
        }
    }

    /// Makes the record's folder and puts the record there.
    func settle() throws(FileError) {
        if try EntryStatus.find(path.folder, followingLinks: true) != nil { return }
        let waiting = try waitingPath()
        try makeFolders(path.folder)
        try renameEntry(waiting, to: path)
    }

    /// Removes the record, and the folders that were made for it, when all else is gone.
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

    /// The files that release 0.1.0 kept beside its record.
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

    /// The folder of programs; `nil` where none are put.
    public func programFolder(_ session: Surroundings) -> LocalPath? {
        switch self {
        case .user: session.home.appending(".local/bin")
        case .system: "/usr/local/bin"
        case .prefix: nil
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

    /// All lists in which desktops note programs.
    func allLists(_ session: Surroundings) throws(FileError) -> [LocalPath] {
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
