/// A file that is written beside its target and takes the target's place when it is whole.
///
/// Where the system allows, it bears no name until then, so that even a killed process leaves nothing behind.
struct StagedFile: ~Copyable, Sendable {
    /// The path as the caller gave it, for errors.
    private let path: String
    /// The file to stand there in the end: the path with links followed.
    private let target: String
    private let replacing: Bool
    private let file: FileDescriptor
    /// The name the file bears until it is published; nil when it has none.
    private var temporaryPath: String?

    private init(
        path: String, target: String, replacing: Bool, file: consuming FileDescriptor, temporaryPath: String?
    ) {
        self.path = path
        self.target = target
        self.replacing = replacing
        self.file = file
        self.temporaryPath = temporaryPath
    }

    /// Begins a file that is to stand at `path`, and refuses what can be known to fail in the end.
    static func open(
        _ path: String, replacing: Bool, avoidingUnnamed: Bool = false
    ) throws(FileError) -> StagedFile {
        let target = try followLinks(path)
        guard let last = target.utf8.last else { throw FileError(path, .notFound) }
        let existing = fileStatus(target)
        if let existing {
            guard existing.kind != .directory else { throw FileError(path, .isDirectory) }
            guard replacing else { throw FileError(path, .alreadyExists) }
            guard isWritable(target) else { throw FileError(path, .noPermission) }
        }
        guard last != UInt8(ascii: "/") else { throw FileError(path, .folderNotFound) }
        let staged = try begin(path, target, replacing: replacing, named: avoidingUnnamed)
        if let existing { staged.file.setMode(existing.mode) }
        return staged
    }

    private static func begin(
        _ path: String, _ target: String, replacing: Bool, named: Bool
    ) throws(FileError) -> StagedFile {
        if !named, let file = FileDescriptor.unnamed(inFolder: folder(of: target), as: path) {
            return StagedFile(path: path, target: target, replacing: replacing, file: file, temporaryPath: nil)
        }
        let name = temporaryPath(beside: target)
        do {
            let file = try FileDescriptor(creating: name, as: path)
            return StagedFile(path: path, target: target, replacing: replacing, file: file, temporaryPath: name)
        } catch {
            throw error.reason == .notFound ? FileError(path, .folderNotFound) : error
        }
    }

    deinit {
        if let temporaryPath { removeFile(temporaryPath) }
    }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        try file.write(bytes)
    }

    /// Puts bytes over those that the file begins with.
    func overwrite(_ beginning: Span<UInt8>) throws(FileError) {
        try file.write(beginning, at: 0)
    }

    /// Puts the whole file in its target's place.
    mutating func publish() throws(FileError) {
        try file.synchronize()
        if let temporaryPath {
            try publish(temporaryPath)
        } else {
            try publishUnnamed()
        }
    }

    private mutating func publishUnnamed() throws(FileError) {
        do {
            try linkFile(file.linkPath, to: target, as: path)
        } catch {
            guard replacing, error.reason == .alreadyExists else { throw error }
            let name = Self.temporaryPath(beside: target)
            try linkFile(file.linkPath, to: name, as: path)
            temporaryPath = name
            try renameFile(name, to: target, as: path)
            temporaryPath = nil
        }
    }

    private mutating func publish(_ name: String) throws(FileError) {
        if !replacing {
            do {
                try linkFile(name, to: target, as: path)
                return
            } catch {
                // Some file systems know no second names; there a look must do.
                guard error.reason != .alreadyExists, fileKind(target) == .missing else { throw error }
            }
        }
        try renameFile(name, to: target, as: path)
        temporaryPath = nil
    }

    /// The path that a chain of symbolic links leads to, whether or not a file stands there.
    private static func followLinks(_ path: String) throws(FileError) -> String {
        var path = path
        for _ in 0..<40 {
            guard let next = linkTarget(path) else { return path }
            path = next.utf8.first == UInt8(ascii: "/") ? next : folder(of: path) + "/" + next
        }
        throw FileError(path, .notFound)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func temporaryPath(beside target: String) -> String {
        folder(of: target) + "/.chemopen-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    }
}
