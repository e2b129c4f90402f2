import Synchronization

/// A file that is read, changed and written again, without losing what others write meanwhile.
///
/// Writers that lock the file before they read it take turns. Before a new version takes the place of the file, the file is
/// compared with the version that was read: if a program that locks nothing has written it, the new version is refused.
package final class FileUpdate: Sendable {
    /// The file.
    package let path: LocalPath
    private let hash = KeyedHash()
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: FileLock?
        var version: Version?
    }

    /// A state of the file.
    private struct Version: Sendable, Equatable {
        let identity: FileIdentity
        let hash: UInt64
    }

    /// - Parameter isLocked: others that lock the file wait until it is written, or this object is gone.
    package init(_ path: LocalPath, isLocked: Bool = false) throws(FileError) {
        self.path = path
        state = Mutex(State(lock: isLocked ? try FileLock(path) : nil, version: nil))
    }

    /// Reads the file, and keeps in mind which version was read.
    ///
    /// - Returns: the bytes as they are on the disk; none if there is no file.
    package func read(while goesOn: () -> Bool = { true }) throws(FileError) -> [UInt8] {
        let (bytes, version) = try current(while: goesOn)
        state.withLock { $0.version = version }
        return bytes
    }

    private func current(while goesOn: () -> Bool = { true }) throws(FileError) -> ([UInt8], Version?) {
        guard let identity = FileIdentity(path) else { return ([], nil) }
        let bytes = try readFile(path, limit: .max, while: goesOn)
        return (bytes, Version(identity: identity, hash: hash(bytes.span)))
    }

    /// Writes the file atomically if it still holds the version that was read or written last, and unlocks it.
    ///
    /// - Parameter packing: `nil` if the name says whether the file is compressed.
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

/// A lock on a file that other users of `FileLock` wait for. It ends with the object or the process, and leaves nothing behind.
private final class FileLock: Sendable {
    private let file: FileDescriptor?

    /// Waits until the file is free. A file that is missing, or on a file system without locks, is not locked.
    init(_ path: LocalPath) throws(FileError) {
        while true {
            guard fileKind(path) == .regular else {
                file = nil
                return
            }
            let file = try FileDescriptor(reading: path)
            file.waitForLock()
            // A writer puts another file in the place of the one that was locked.
            let (locked, there) = (try file.status().identity, FileIdentity(path))
            if there == nil || (there?.device, there?.inode) == (locked.device, locked.inode) {
                self.file = .some(consume file)
                return
            }
        }
    }
}
