import ChemopenBytes

/// A group of file changes. If one of them fails, the previous ones can be undone.
///
/// A file that is replaced or removed is first renamed in its own directory, so undoing needs no disk space.
struct FileChanges {
    private enum Change {
        case madeFolder(LocalPath)
        case putAside(LocalPath)
        case wrote(LocalPath)
    }

    private var changes: [Change] = []

    /// The temporary name of a replaced file until all changes are made. The caller then removes it.
    static func aside(_ path: LocalPath) -> LocalPath {
        path.folder.appending(LocalPath(bytes: Array(".".utf8) + path.name.bytes + Array(".before".utf8)))
    }

    /// Creates a directory and its missing parents.
    mutating func makeFolder(_ path: LocalPath) throws(FileError) {
        for folder in try missingFolders(to: path) {
            try ChemopenBytes.makeFolder(folder)
            changes.append(.madeFolder(folder))
        }
    }

    /// Writes a file, replacing an existing one.
    mutating func write(_ file: PlacedFile) throws(FileError) {
        if try EntryStatus.find(file.path) != nil { try remove(file.path) }
        try writeFile(file.bytes, to: file.path, replacing: true)
        changes.append(.wrote(file.path))
        if file.isProgram { try makeExecutable(file.path) }
    }

    /// Removes a file.
    mutating func remove(_ path: LocalPath) throws(FileError) {
        try renameEntry(path, to: Self.aside(path))
        changes.append(.putAside(path))
    }

    /// Restores the original state. Returns `false` if that fails.
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

/// A file and its target path.
struct PlacedFile {
    let path: LocalPath
    let bytes: [UInt8]
    /// Whether the file is executable.
    let isProgram: Bool

    init(_ path: LocalPath, _ bytes: [UInt8], isProgram: Bool = false) {
        self.path = path
        self.bytes = bytes
        self.isProgram = isProgram
    }
}

/// Returns the directories that must be created for a path, the outermost first.
func missingFolders(to path: LocalPath) throws(FileError) -> [LocalPath] {
    if let status = try EntryStatus.find(path, followingLinks: true) {
        guard status.isFolder else { throw FileError(path, .notDirectory) }
        return []
    }
    let above = path.folder == "." || path.folder == "/" ? [] : try missingFolders(to: path.folder)
    return above + [path]
}

/// Creates a directory and its missing parents.
package func makeFolders(_ path: LocalPath) throws(FileError) {
    for folder in try missingFolders(to: path) { try makeFolder(folder) }
}

/// Reads a program, which may exceed the usual limit for files that are read at once.
package func readProgram(_ path: LocalPath) throws(FileError) -> [UInt8] {
    try readFile(path, limit: 256 * 1024 * 1024)
}

/// Reads a file, which may be a program. Returns `nil` if it does not exist.
func readFileIfThere(_ path: LocalPath) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
        return try readProgram(path)
    } catch {
        if error.reason == .notFound || error.reason == .notDirectory { return nil }
        throw error
    }
}
