/// A file that is written next to its target and replaces the target when it is complete.
///
/// If the system supports it, the file has no name until then, so even a killed process leaves no file.
struct StagedFile: ~Copyable, Sendable {
    /// The path as specified by the caller, for error messages.
    private var path: LocalPath
    /// The final location of the file: the path with symbolic links followed.
    private var target: LocalPath
    private let replacing: Bool
    /// The only file that may be replaced, or `nil` for any.
    private var expected: FileIdentity?
    private let file: FileDescriptor
    /// The attributes of the replaced file that cannot be preserved, as text.
    private(set) var unkept: [String] = []
    /// The name of the file until it is published, or `nil` if it has no name.
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

    /// Starts a file that will be published at `path`, and checks early for conditions that would make publishing fail.
    ///
    /// - Parameter expected: the only file and version that may be replaced, or `nil` for any.
    /// - Throws: `.alreadyExists` if the file exists and `replacing` is `false`.
    static func open(
        _ path: LocalPath, replacing: Bool, expecting expected: FileIdentity? = nil, avoidingUnnamed: Bool = false
    ) throws(FileError) -> StagedFile {
        let target = try followLinks(path)
        guard let last = target.bytes.last else { throw FileError(path, .notFound) }
        let existing = try statusIfPresent(target, as: path)
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

    /// Copies the owner, the mode and the attributes of the file to replace, within this user's permissions.
    private mutating func keep(_ existing: FileStatus) {
        let owner = (try? file.status())?.owner
        if owner != existing.owner, !file.setOwner(existing.owner) { unkept.append("its owner") }
        let hasMode = (try? file.status())?.mode == existing.mode
        if !file.setMode(existing.mode), !hasMode { unkept.append("its permissions") }
        let lost = file.takeAttributes(of: target)
        if !lost.isEmpty { unkept.append("its attributes \(lost.map(\.shown).joined(separator: ", "))") }
        if existing.names > 1 { unkept.append("its other hard links, which still have the old content") }
    }

    private static func begin(
        _ path: LocalPath, _ target: LocalPath, replacing: Bool, named: Bool
    ) throws(FileError) -> StagedFile {
        if !named, let file = FileDescriptor.unnamed(inFolder: target.folder, as: path) {
            // The lock stays with the file when it is linked to a name.
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
            // Another process may have removed the file before it was locked.
            if file.claim() {
                return StagedFile(path: path, target: target, replacing: replacing, file: file, temporaryPath: name)
            }
            removeFile(name)
        }
    }

    /// Removes temporary files that killed processes have left next to a file.
    static func sweep(beside path: LocalPath) {
        guard let target = try? followLinks(path) else { return }
        sweepLeftovers(in: target.folder)
    }

    deinit {
        if let temporaryPath { removeFile(temporaryPath) }
    }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            // A broken pipe can end a program silently. A staged file is not a pipe, so report a different error.
            throw error.reason == .brokenPipe ? FileError(path, .other(errno: 32)) : error
        }
    }

    /// Overwrites the first bytes of the file.
    func overwrite(_ beginning: Span<UInt8>) throws(FileError) {
        try file.write(beginning, at: 0)
    }

    /// Changes the published name to that of the target plus a suffix, in the same directory.
    mutating func move(toSuffix suffix: LocalPath) {
        path = "\(path)\(suffix)"
        target = "\(target)\(suffix)"
    }

    /// Replaces the target with the complete file.
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
                // Some file systems do not support hard links. For these, checking that the target is missing must be
                // enough.
                guard error.reason != .alreadyExists, fileKind(target) == .missing else { throw error }
            }
        }
        try rename(name)
    }

    /// Returns the end of a chain of symbolic links, which need not exist.
    private static func followLinks(_ name: LocalPath) throws(FileError) -> LocalPath {
        var path = name
        for _ in 0..<40 {
            guard let next = try linkTargetIfPresent(path, as: name) else { return path }
            path = next.absolute(from: path.folder)
        }
        throw FileError(path, .notFound)
    }

    private static func temporaryPath(beside target: LocalPath) -> LocalPath {
        target.folder.appending(hiddenName())
    }
}
