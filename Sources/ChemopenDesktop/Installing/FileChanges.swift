import ChemopenBytes

/// Changes of files that are made together: where one fails, those before it are undone.
///
/// A file that is replaced or removed is only put aside, under a name of its own in the same folder, so that to undo
/// needs no room on the disk.
struct FileChanges {
    private enum Change {
        case madeFolder(LocalPath)
        case putAside(LocalPath)
        case wrote(LocalPath)
    }

    private var changes: [Change] = []

    /// The name under which a file waits until all changes are made. Who makes the changes removes it then.
    static func aside(_ path: LocalPath) -> LocalPath {
        path.folder.appending(LocalPath(bytes: Array(".".utf8) + path.name.bytes + Array(".before".utf8)))
    }

    /// Makes a folder and those above it.
    mutating func makeFolder(_ path: LocalPath) throws(FileError) {
        for folder in try missingFolders(to: path) {
            try ChemopenBytes.makeFolder(folder)
            changes.append(.madeFolder(folder))
        }
    }

    /// Puts a file in its place, or anew in the place of another.
    mutating func write(_ file: PlacedFile) throws(FileError) {
        if try EntryStatus.find(file.path) != nil { try remove(file.path) }
        try writeFile(file.bytes, to: file.path, replacing: true)
        changes.append(.wrote(file.path))
        if file.isProgram { try makeExecutable(file.path) }
    }

    /// Takes a file away.
    mutating func remove(_ path: LocalPath) throws(FileError) {
        try renameEntry(path, to: Self.aside(path))
        changes.append(.putAside(path))
    }

    /// Makes everything as it was; `false` where that fails.
    mutating func undo() -> Bool {
        var isUndone = true
        while let change = changes.popLast() {
            switch change {
            case .madeFolder(let folder): isUndone = removeEmptyFolder(folder) && isUndone
            case .wrote(let path): isUndone = removeEntry(path) && isUndone
            case .putAside(let path): isUndone = (try? renameEntry(Self.aside(path), to: path)) != nil && isUndone
            }
        }
        return isUndone
    }
}

/// A file and the place where it is to stand.
struct PlacedFile {
    let path: LocalPath
    let bytes: [UInt8]
    /// It may be started.
    let isProgram: Bool

    init(_ path: LocalPath, _ bytes: [UInt8], isProgram: Bool = false) {
        self.path = path
        self.bytes = bytes
        self.isProgram = isProgram
    }
}

/// The folders that have to be made before a folder is there, the outer first.
func missingFolders(to path: LocalPath) throws(FileError) -> [LocalPath] {
    if let status = try EntryStatus.find(path, followingLinks: true) {
        guard status.isFolder else { throw FileError(path, .notDirectory) }
        return []
    }
    let above = path.folder == "." || path.folder == "/" ? [] : try missingFolders(to: path.folder)
    return above + [path]
}

/// Makes a folder and those above it.
package func makeFolders(_ path: LocalPath) throws(FileError) {
    for folder in try missingFolders(to: path) { try makeFolder(folder) }
}

/// The bytes of a program: more than other files have that are read at once.
package func readProgram(_ path: LocalPath) throws(FileError) -> [UInt8] {
    try readFile(path, limit: 256 * 1024 * 1024)
}

/// The bytes of a file, which may be a program; `nil` where there is none.
func readFileIfThere(_ path: LocalPath) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
        return try readProgram(path)
    } catch {
        if error.reason == .notFound || error.reason == .notDirectory { return nil }
        throw error
    }
}
