import Synchronization

/// A read-modify-write cycle on a file that does not lose changes made by other programs.
///
/// Writers that lock the file before they read it wait for each other. Before the file is replaced, it is compared with
/// the version that was read. If a program without a lock has changed it, the new version is rejected.
package final class FileUpdate: Sendable {
    package let path: LocalPath
    private let hash = KeyedHash()
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: FileLock?
        var version: Version?
    }

    /// A version of the file.
    private struct Version: Sendable, Equatable {
        let identity: FileIdentity
        let hash: UInt64
    }

    /// - Parameter isLocked: if `true`, other programs that lock the file wait until it is written or this object is
    ///   destroyed.
    package init(_ path: LocalPath, isLocked: Bool = false) throws(FileError) {
        self.path = path
        state = Mutex(State(lock: isLocked ? try FileLock(path) : nil, version: nil))
    }

    /// Reads the file, and remembers its version.
    ///
    /// - Returns: the bytes on the disk without decompression, or no bytes if the file does not exist.
    package func read(while goesOn: () -> Bool = { true }) throws(FileError) -> [UInt8] {
        let (bytes, version) = try current(while: goesOn)
        state.withLock { $0.version = version }
        return bytes
    }

    private func current(while goesOn: () -> Bool = { true }) throws(FileError) -> ([UInt8], Version?) {
        guard try statusIfPresent(path) != nil else { return ([], nil) }
        let (bytes, identity) = try readVersion(path, limit: .max, while: goesOn)
        return (bytes, Version(identity: identity, hash: hash(bytes.span)))
    }

    /// Writes the file atomically if it still has the version that was read or written last, and unlocks it.
    ///
    /// - Parameter packing: whether to compress the file; if `nil`, the name decides.
    /// - Throws: `.changedMeanwhile` if the file has another version.
    package func write(_ bytes: [UInt8], packing: Bool? = nil) throws(FileError) {
        try state.withLock { state throws(FileError) in
            if state.lock == nil { state.lock = try FileLock(path) }
            defer { state.lock = nil }
            let found = try current().1
            guard found?.hash == state.version?.hash else { throw FileError(path, .changedMeanwhile) }
            let isPacked = packing ?? path.hasSuffix(".gz")
            let deflate = isPacked ? Deflate(level: 6) : nil
            if isPacked, deflate == nil { throw FileError(path, .noMemory) }
            let file = try StagedFile.open(path, replacing: found != nil, expecting: found?.identity)
            var outlet = Outlet(.file(file), packing: deflate)
            try outlet.finish(bytes)
            state.version = try current().1
        }
    }
}

/// A lock on a file that blocks other users of `FileLock`. It ends with the object or the process, and leaves no files.
private final class FileLock: Sendable {
    private let file: FileDescriptor?

    /// Waits until the file is unlocked. A missing file, or one on a file system without locks, is not locked.
    init(_ path: LocalPath) throws(FileError) {
        while true {
            guard try statusIfPresent(path)?.kind == .regular else {
                file = nil
                return
            }
            let file = try FileDescriptor(reading: path)
            file.waitForLock()
            // A writer may have replaced the locked file with another one.
            let (locked, there) = (try file.status().identity, try statusIfPresent(path)?.identity)
            if there == nil || (there?.device, there?.inode) == (locked.device, locked.inode) {
                self.file = .some(consume file)
                return
            }
        }
    }
}
