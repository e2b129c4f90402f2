/// A file that is written beside its target and takes the target's place when it is whole.
///
/// Where the system allows, it bears no name until then, so that even a killed process leaves nothing behind.
struct StagedFile: ~Copyable, Sendable {
    /// The path as the caller gave it, for errors.
    private var path: LocalPath
    /// The file to stand there in the end: the path with links followed.
    private var target: LocalPath
    private let replacing: Bool
    /// The sole file that may be replaced; `nil` for any.
    private var expected: FileIdentity?
    private let file: FileDescriptor
    /// The attributes of the replaced file that cannot be kept, in words.
    private(set) var unkept: [String] = []
    /// The name the file bears until it is published; nil when it has none.
    private var temporaryPath: LocalPath?

    private init(
        path: LocalPath, target: LocalPath, replacing: Bool, file: consuming FileDescriptor, temporaryPath: LocalPath?
    ) {
        self.path = path
        self.target = target
        self.replacing = replacing
        self.file = file
        self.temporaryPath = temporaryPath
    }

    /// Begins a file that is to stand at `path`, and refuses what can be known to fail in the end.
    ///
    /// - Parameter expected: the sole file that may be replaced, in the state in which it may be; `nil` for any.
    static func open(
        _ path: LocalPath, replacing: Bool, expecting expected: FileIdentity? = nil, avoidingUnnamed: Bool = false
    ) throws(FileError) -> StagedFile {
        let target = try followLinks(path)
        guard let last = target.bytes.last else { throw FileError(path, .notFound) }
        let existing = fileStatus(target)
        if let existing {
            guard existing.kind != .directory else { throw FileError(path, .isDirectory) }
            guard replacing else { throw FileError(path, .alreadyExists) }
            guard isWritable(target) else { throw FileError(path, .noPermission) }
        }
        guard last != UInt8(ascii: "/") else { throw FileError(path, .folderNotFound) }
        var staged = try begin(path, target, replacing: replacing, named: avoidingUnnamed)
        if let existing { staged.keep(existing) }
        staged.expected = expected
        return staged
    }

    /// Gives the file what the one has that it is to replace, as far as this user may.
    private mutating func keep(_ existing: FileStatus) {
        let owner = (try? file.status())?.owner
        if owner != existing.owner, !file.setOwner(existing.owner) { unkept.append("its owner") }
        file.setMode(existing.mode)
        let lost = file.takeAttributes(of: target)
        if !lost.isEmpty { unkept.append("what it bears as \(lost.map(\.shown).joined(separator: ", "))") }
        if existing.names > 1 { unkept.append("its other names, which lead to the old content") }
    }

    private static func begin(
        _ path: LocalPath, _ target: LocalPath, replacing: Bool, named: Bool
    ) throws(FileError) -> StagedFile {
        if !named, let file = FileDescriptor.unnamed(inFolder: target.folder, as: path) {
            // A claim stays with the file when it gets a name.
            _ = file.claim()
            return StagedFile(path: path, target: target, replacing: replacing, file: file, temporaryPath: nil)
        }
        while true {
            let name = temporaryPath(beside: target)
            let file: FileDescriptor
            do {
                file = try FileDescriptor(creating: name, as: path)
            } catch {
                throw error.reason == .notFound ? FileError(path, .folderNotFound) : error
            }
            // Another process may have swept it away before it was claimed.
            if file.claim() {
                return StagedFile(path: path, target: target, replacing: replacing, file: file, temporaryPath: name)
            }
            removeFile(name)
        }
    }

    /// Removes what killed processes have left beside a file.
    static func sweep(beside path: LocalPath) {
        guard let target = try? followLinks(path) else { return }
        sweepLeftovers(in: target.folder)
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

    /// Publishes the file next to its target instead, under the target's name with a suffix.
    mutating func move(toSuffix suffix: LocalPath) {
        path = "\(path)\(suffix)"
        target = "\(target)\(suffix)"
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
        if expected == nil {
            do {
                return try linkFile(file.linkPath, to: target, as: path)
            } catch {
                guard replacing, error.reason == .alreadyExists else { throw error }
            }
        }
        let name = Self.temporaryPath(beside: target)
        try linkFile(file.linkPath, to: name, as: path)
        temporaryPath = name
        try rename(name)
    }

    private mutating func rename(_ name: LocalPath) throws(FileError) {
        if let expected, FileIdentity(target) != expected { throw FileError(path, .changedMeanwhile) }
        try renameFile(name, to: target, as: path)
        temporaryPath = nil
    }

    private mutating func publish(_ name: LocalPath) throws(FileError) {
        if !replacing {
            do {
                try linkFile(name, to: target, as: path)
                return
            } catch {
                // Some file systems know no second names; there a look must do.
                guard error.reason != .alreadyExists, fileKind(target) == .missing else { throw error }
            }
        }
        try rename(name)
    }

    /// The path that a chain of symbolic links leads to, whether or not a file stands there.
    private static func followLinks(_ path: LocalPath) throws(FileError) -> LocalPath {
        var path = path
        for _ in 0..<40 {
            guard let next = linkTarget(path) else { return path }
            path = next.absolute(from: path.folder)
        }
        throw FileError(path, .notFound)
    }

    private static func temporaryPath(beside target: LocalPath) -> LocalPath {
        target.folder.appending(hiddenName())
    }
}
