import CGlibcMore
import Glibc

// This file contains the module's system calls, except those to open files, start threads, manage memory and use a
// terminal. Pointers never outlive the call that they are passed to.

/// An open file, pipe or device, closed on destruction.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32
    /// The file's name in error messages.
    let name: LocalPath
    private let isOwned: Bool

    private init(owning number: Int32, name: LocalPath) {
        self.number = number
        self.name = name
        isOwned = true
    }

    /// Wraps a descriptor that the caller closes, such as standard input.
    init(borrowing number: Int32, name: LocalPath) {
        self.number = number
        self.name = name
        isOwned = false
    }

    /// Opens a file for reading. By default, it must be a regular file.
    init(
        reading path: LocalPath, as name: LocalPath? = nil, accepting kind: OpenedKind = .regularFile
    ) throws(FileError) {
        self.init(owning: try openForReading(path, as: name, accepting: kind), name: name ?? path)
    }

    /// Opens a named pipe and waits a limited time for a writer. If no writer opens the pipe in time, it is at its end.
    init(readingPipe path: LocalPath, patience milliseconds: Int32) throws(FileError) {
        self.init(owning: try openPipe(path, patience: milliseconds), name: path)
    }

    /// Opens a device or a named pipe for writing.
    init(writingThrough path: LocalPath) throws(FileError) {
        self.init(owning: try openForWriting(through: path), name: path)
    }

    /// Creates a file that must not exist yet.
    init(creating path: LocalPath, as name: LocalPath) throws(FileError) {
        self.init(owning: try openNewFile(path, as: name, mode: 0o666), name: name)
    }

    /// Creates a file for reading and writing that only this process can find. It is deleted with the last descriptor.
    init(unnamedIn folder: LocalPath) throws(FileError) {
        let path = folder.appending(hiddenName())
        let number = try openNewFile(path, as: folder, mode: 0o600, isReadable: true)
        removeFile(path)
        self.init(owning: number, name: folder)
    }

    /// Creates a file without a name, which is deleted unless it is linked. Returns `nil` if the file system or `/proc`
    /// does not support it.
    static func unnamed(inFolder folder: LocalPath, as name: LocalPath) -> FileDescriptor? {
        guard let number = try? openUnnamedFile(in: folder, as: name) else { return nil }
        let descriptor = FileDescriptor(owning: number, name: name)
        guard fileStatus(descriptor.linkPath) != nil else { return nil }
        return descriptor
    }

    deinit {
        if isOwned { close(number) }
    }

    /// The path of this descriptor in `/proc`.
    var linkPath: LocalPath { "/proc/self/fd/\(number)" }

    /// Returns the status of the open file.
    func status() throws(FileError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw FileError(name, errno: errno) }
        return FileStatus(status)
    }

    /// Appends the bytes of one read call, at most `output.freeCapacity`. If there are no bytes, this is the end.
    func read(into output: inout OutputSpan<UInt8>) throws(FileError) -> Int {
        var failure: Int32 = 0
        let taken = unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            guard count < buffer.count, let base = buffer.baseAddress else { return 0 }
            while true {
                let taken = unsafe Glibc.read(number, base + count, buffer.count - count)
                if taken >= 0 {
                    count += taken
                    return taken
                }
                failure = errno
                if failure == EAGAIN { waitUntilReady(number, POLLIN) } else if failure != EINTR { return -1 }
            }
        }
        guard taken >= 0 else { throw FileError(name, errno: failure) }
        return taken
    }

    /// Writes all bytes at an offset, or at the current position if `place` is `nil`.
    func write(_ bytes: Span<UInt8>, at place: Int? = nil) throws(FileError) {
        let failure = unsafe bytes.withUnsafeBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            var done = 0
            while done < buffer.count {
                let written =
                    if let place {
                        unsafe pwrite(number, base + done, buffer.count - done, place + done)
                    } else {
                        unsafe Glibc.write(number, base + done, buffer.count - done)
                    }
                if written > 0 {
                    done += written
                    continue
                }
                let failure = written == 0 ? EIO : errno
                if failure == EAGAIN { waitUntilReady(number, POLLOUT) } else if failure != EINTR { return failure }
            }
            return 0
        }
        guard failure == 0 else { throw FileError(name, errno: failure) }
    }

    /// Appends at most `output.freeCapacity` bytes from an offset, without moving the current position.
    func read(into output: inout OutputSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        var failure: Int32 = 0
        let taken = unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            guard count < buffer.count, let base = buffer.baseAddress else { return 0 }
            while true {
                let taken = unsafe pread(number, base + count, buffer.count - count, offset)
                if taken >= 0 {
                    count += taken
                    return taken
                }
                failure = errno
                if failure != EINTR { return -1 }
            }
        }
        guard taken >= 0 else { throw FileError(name, errno: failure) }
        return taken
    }

    /// Checks at the end of a regular file that the bytes read so far belong to the file that was opened.
    ///
    /// A larger file counts as unchanged, because another program can append to it while it is read.
    func checkUnchanged(since opened: FileStatus) throws(FileError) {
        guard opened.kind == .regular, opened.size > 0 else { return }
        let now = try status()
        guard now.size > opened.size || now.identity == opened.identity else {
            throw FileError(name, .changedWhileRead)
        }
    }

    /// Moves the current position to the start of the file.
    func rewind() throws(FileError) {
        try move(to: 0)
    }

    /// Moves the current position to an offset.
    func move(to offset: Int) throws(FileError) {
        guard lseek(number, offset, SEEK_SET) == offset else { throw FileError(name, errno: errno) }
    }

    /// Waits until the bytes are on the disk.
    func synchronize() throws(FileError) {
        while fsync(number) != 0 {
            if errno == EINVAL || errno == ENOTSUP { return }
            if errno != EINTR { throw FileError(name, errno: errno) }
        }
    }

    /// Sets the permissions of the file. Returns `false` if this user is not permitted to, or if the file system does
    /// not support permissions.
    func setMode(_ mode: UInt32) -> Bool {
        fchmod(number, mode) == 0
    }

    /// Changes the owner and group. Returns `false` if this user is not permitted to.
    func setOwner(_ owner: FileStatus.Owner) -> Bool {
        if fchown(number, owner.user, owner.group) == 0 { return true }
        // The user may still be a member of the group.
        _ = fchown(number, .max, owner.group)
        return false
    }

    /// Copies the extended attributes of another file, including its access control lists. Skips attributes that only
    /// the system can set.
    ///
    /// - Returns: the names of the attributes that could not be copied.
    func takeAttributes(of path: LocalPath) -> [LocalPath] {
        var list = [CChar](repeating: 0, count: 64 * 1024)
        let length = unsafe listxattr(path.cString, &list, list.count)
        guard length >= 0 || errno == ENOTSUP || errno == ENOSYS else { return ["extended attributes"] }
        guard length > 0 else { return [] }
        var lost: [LocalPath] = []
        for name in list[..<length].split(separator: 0) {
            let shown = LocalPath(bytes: name.map(UInt8.init(bitPattern:)))
            if shown.bytes.starts(with: "security.".utf8) || shown.bytes.starts(with: "trusted.".utf8) { continue }
            let name = Array(name) + [0]
            var value = [UInt8](repeating: 0, count: 64 * 1024)
            let count = unsafe getxattr(path.cString, name, &value, value.count)
            let isSet = unsafe count >= 0 && fsetxattr(number, name, value, count, 0) == 0
            if !isSet { lost.append(shown) }
        }
        return lost
    }

    /// Waits for an exclusive lock on the file, which lasts until it is closed. Has no effect on a file system without
    /// locks.
    func waitForLock() {
        while flock(number, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Marks the file as in use until it is closed. Returns `false` if another process has locked it, or if the file
    /// was deleted. If the system cannot determine this, the function returns `true`.
    func claim() -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
        var status = stat()
        return unsafe fstat(number, &status) != 0 || status.st_nlink > 0
    }
}

// MARK: Files by path

extension LocalPath {
    /// The path for system calls, with a terminating zero. A path that contains a zero byte would be truncated and lead
    /// to a different file, so it becomes an empty path, which never exists.
    package var cString: [CChar] {
        bytes.contains(0) ? [0] : bytes.map(CChar.init(bitPattern:)) + [0]
    }
}

/// Returns a unique name for a hidden temporary file.
func hiddenName() -> LocalPath {
    ".chemopen-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
}

/// Removes hidden temporary files that killed processes have left in a directory. Files that a running process has
/// locked are not removed.
package func sweepLeftovers(in folder: LocalPath) {
    guard let names = try? folderEntries(folder) else { return }
    for name in names where isHiddenName(name.bytes) {
        let path = folder.appending(name)
        guard let number = try? openForReading(path, followingLinks: false) else { continue }
        defer { close(number) }
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid(),
            flock(number, LOCK_EX | LOCK_NB) == 0
        else { continue }
        removeFile(path)
    }
}

private func isHiddenName(_ name: [UInt8]) -> Bool {
    let beginning = Array(".chemopen-".utf8)
    guard name.starts(with: beginning), (1...13).contains(name.count - beginning.count) else { return false }
    return UInt64(String(decoding: name[beginning.count...], as: UTF8.self), radix: 36) != nil
}

/// The kind of file at a path.
package enum FileKind: Sendable, Hashable {
    case regular, directory, fifo, device, socket, symbolicLink, missing
    /// The path exists, but its kind is unknown.
    case unknown
}

/// The identity and version of a file. If two values are equal, the content is the same, to the extent that the system
/// can detect it.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int
    /// The time of the last modification, in nanoseconds since 1970.
    package let modified: Int

    /// Returns the identity of the file at a path, with links followed, or `nil` if there is no file.
    package init?(_ path: LocalPath) {
        guard let status = fileStatus(path) else { return nil }
        self = status.identity
    }

    package init(device: UInt64, inode: UInt64, size: Int, modified: Int) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
    }
}

struct FileStatus: Sendable {
    let kind: FileKind
    let size: Int
    /// The permissions, in the lower nine bits.
    let mode: UInt32
    let owner: Owner
    /// The number of hard links.
    let names: Int
    let identity: FileIdentity

    struct Owner: Sendable, Equatable {
        let user: UInt32
        let group: UInt32
    }

    fileprivate init(_ status: stat) {
        owner = Owner(user: status.st_uid, group: status.st_gid)
        names = Int(clamping: status.st_nlink)
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFIFO: .fifo
            case S_IFCHR, S_IFBLK: .device
            case S_IFSOCK: .socket
            case S_IFLNK: .symbolicLink
            default: .unknown
            }
        size = status.st_size
        mode = status.st_mode & 0o777
        identity = FileIdentity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: status.st_size,
            modified: Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec))
    }
}

/// Returns the status of the file at a path, with links followed, or `nil` if the file is missing or inaccessible.
func fileStatus(_ path: LocalPath) -> FileStatus? {
    var status = stat()
    return unsafe stat(path.cString, &status) == 0 ? FileStatus(status) : nil
}

/// Returns the status of the file at a path, with links followed; `nil` if there is no file.
///
/// - Throws: `FileError` if the system reports another failure, so it is unknown whether the file exists.
func statusIfPresent(_ path: LocalPath, as name: LocalPath? = nil) throws(FileError) -> FileStatus? {
    var status = stat()
    if unsafe stat(path.cString, &status) == 0 { return FileStatus(status) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw FileError(name ?? path, errno: errno)
}

/// Returns the kind of the file at a path, with links followed.
package func fileKind(_ path: LocalPath) -> FileKind {
    var status = stat()
    if unsafe stat(path.cString, &status) == 0 { return FileStatus(status).kind }
    return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
}

/// Returns the size of a regular file, with links followed, or `nil` for any other kind.
package func regularFileSize(_ path: LocalPath) -> Int? {
    guard let status = fileStatus(path), status.kind == .regular else { return nil }
    return status.size
}

/// Returns the unresolved target of a symbolic link, or `nil` if the path is not a link.
func linkTarget(_ path: LocalPath) -> LocalPath? {
    (try? linkTargetIfPresent(path, as: path)) ?? nil
}

/// Returns the target of a link; `nil` if the path is not a link.
///
/// - Throws: `FileError` if the system reports another failure, so it is unknown whether the link exists.
func linkTargetIfPresent(_ path: LocalPath, as name: LocalPath) throws(FileError) -> LocalPath? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path.cString, &target, target.count)
    if count > 0 { return LocalPath(bytes: target[..<count].map(UInt8.init(bitPattern:))) }
    // The path is not a link, does not exist, or is below a file.
    if count == 0 || errno == EINVAL || errno == ENOENT || errno == ENOTDIR { return nil }
    throw FileError(name, errno: errno)
}

/// Whether this user may write to the file at a path.
func isWritable(_ path: LocalPath) -> Bool {
    unsafe access(path.cString, W_OK) == 0
}

/// Adds a name to a file, never replacing another. For a file without a name, `old` can be its `linkPath`.
func linkFile(_ old: LocalPath, to new: LocalPath, as name: LocalPath) throws(FileError) {
    guard unsafe linkat(AT_FDCWD, old.cString, AT_FDCWD, new.cString, AT_SYMLINK_FOLLOW) == 0 else {
        throw FileError(name, errno: errno)
    }
}

/// Renames a file, replacing any file with the new name.
func renameFile(_ old: LocalPath, to new: LocalPath, as name: LocalPath) throws(FileError) {
    guard unsafe rename(old.cString, new.cString) == 0 else { throw FileError(name, errno: errno) }
}

/// Removes a file, if it exists.
package func removeFile(_ path: LocalPath) {
    _ = unsafe unlink(path.cString)
}

/// Removes a directory if it is empty.
package func removeFolderIfEmpty(_ path: LocalPath) {
    _ = unsafe rmdir(path.cString)
}

/// Creates a directory inside an existing one, unless it already exists.
package func makeFolder(_ path: LocalPath) throws(FileError) {
    guard unsafe mkdir(path.cString, 0o777) != 0 else { return }
    let failure = errno
    guard failure == EEXIST else { throw FileError(path, failure == ENOENT ? .folderNotFound : .init(failure)) }
    guard fileKind(path) == .directory else { throw FileError(path, .notDirectory) }
}

/// Returns the sorted names in a directory, without `.` and `..`.
package func folderEntries(_ path: LocalPath) throws(FileError) -> [LocalPath] {
    let number = try openDirectory(path)
    guard let folder = unsafe fdopendir(number) else {
        let failure = errno
        close(number)
        throw FileError(path, errno: failure)
    }
    defer { unsafe closedir(folder) }
    var names: [LocalPath] = []
    while true {
        errno = 0
        guard let entry = unsafe readdir(folder) else { break }
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe LocalPath(bytes: Array(bytes.prefix { $0 != 0 }))
        }
        if name != "." && name != ".." { names.append(name) }
    }
    // The end of the directory is not an error. If another error occurs, no incomplete list of names is returned.
    guard errno == 0 else { throw FileError(path, errno: errno) }
    return names.sorted()
}

/// Returns the bytes of a small file. By default, it must be a regular file.
///
/// - Throws: `.tooLarge` if the file has more than `limit` bytes.
package func readFile(
    _ path: LocalPath, limit: Int = 16 * 1024 * 1024, accepting kind: OpenedKind = .regularFile,
    while goesOn: () -> Bool = { true }
) throws(FileError) -> [UInt8] {
    try readVersion(path, limit: limit, accepting: kind, while: goesOn).bytes
}

/// Returns the bytes of a small file and the identity of the file that was read.
func readVersion(
    _ path: LocalPath, limit: Int, accepting kind: OpenedKind = .regularFile, while goesOn: () -> Bool = { true }
) throws(FileError) -> (bytes: [UInt8], identity: FileIdentity) {
    let file = try FileDescriptor(reading: path, accepting: kind)
    let opened = try file.status()
    var bytes: [UInt8] = []
    var added = 0
    repeat {
        try bytes.append(addingCapacity: 16 * 1024) { (output: inout OutputSpan<UInt8>) throws(FileError) in
            added = try file.read(into: &output)
        }
        guard bytes.count <= limit else { throw FileError(path, .tooLarge) }
    } while added > 0 && goesOn()
    if added == 0 { try file.checkUnchanged(since: opened) }
    return (bytes, opened.identity)
}

// MARK: Standard streams

/// Writes all bytes to a descriptor without closing it, such as 1 for standard output.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    try FileDescriptor(borrowing: descriptor, name: streamName(descriptor)).write(bytes.span)
}

/// Appends the bytes of one read call on a descriptor, without closing it. Returns `false` at the end.
package func readBytes(_ descriptor: Int32, upTo count: Int, into bytes: inout [UInt8]) throws(FileError) -> Bool {
    let file = FileDescriptor(borrowing: descriptor, name: streamName(descriptor))
    var taken = 0
    try bytes.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) throws(FileError) in
        taken = try file.read(into: &output)
    }
    return taken > 0
}

private func streamName(_ descriptor: Int32) -> LocalPath {
    switch descriptor {
    case 0: "standard input"
    case 1: "standard output"
    case 2: "standard error"
    default: "descriptor \(descriptor)"
    }
}

/// Whether a descriptor is a terminal.
package func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
}

/// Returns the unmodified arguments of the command line, starting with the program's name. `CommandLine.arguments`
/// replaces bytes that are not UTF-8.
package func programArguments() -> [LocalPath] {
    var words: [LocalPath] = []
    for index in 0..<Int(CommandLine.argc) {
        guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
        words.append(LocalPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))))
    }
    if words.isEmpty {
        // Swift reads the arguments from /proc. The first one, the program's name, always exists.
        try? writeAll(Array("chemopen: error: cannot read the command line; mount /proc\n".utf8), to: 2)
        endProcess(2)
    }
    return words
}

/// Makes writes to a closed pipe, or beyond the file size limit of the process, fail with errors instead of signals.
/// This affects the entire process.
package func turnSignalsIntoErrors() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
}

// MARK: Process and machine

/// Exits the process immediately.
package func endProcess(_ status: Int32) -> Never {
    exit(status)
}

/// Returns the value of an environment variable, or `nil` if it is unset or not UTF-8.
package func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
}

/// The path of the program or shared library that contains this code, as reported by the dynamic loader, or `nil` if it
/// is not absolute.
package var loadedObject: LocalPath? {
    var found = unsafe LoadedObject()
    guard unsafe dladdr(#dsohandle, &found) != 0, let name = unsafe found.dli_fname else { return nil }
    let path = unsafe LocalPath(bytes: Array(UnsafeRawBufferPointer(start: name, count: strlen(name))))
    return path.bytes.first == UInt8(ascii: "/") ? path : nil
}

/// Returns the number of processors that this process may use, at least one. A CPU affinity mask can reduce it.
package func processorCount() -> Int {
    var processors = cpu_set_t()
    guard unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &processors) == 0 else {
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
    return max(1, unsafe withUnsafeBytes(of: processors) { unsafe $0.reduce(0) { $0 + $1.nonzeroBitCount } })
}

/// Returns the number of threads, reduced if the process has a limit on its address space: one for each 128 MB, of which
/// the allocator reserves half.
package func threadsThatFit(_ count: Int) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return count }
    return min(count, max(1, Int(clamping: limit.rlim_cur >> 27)))
}

/// Returns the time of a clock that never runs backward.
package func monotonicNanoseconds() -> UInt64 {
    nanoseconds(CLOCK_MONOTONIC)
}

/// Returns the time of the same clock in milliseconds.
package func monotonicMilliseconds() -> Int { Int(monotonicNanoseconds() / 1_000_000) }

/// Returns the processor time of this process, including all threads and system calls.
package func processCPUNanoseconds() -> UInt64 {
    nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
}

private func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Returns the peak memory use of the process.
package func peakResidentBytes() -> Int {
    var usage = rusage()
    let thisProcess: Int32 = 0
    return unsafe getrusage(thisProcess, &usage) == 0 ? usage.ru_maxrss * 1024 : 0
}

// MARK: Errors

extension FileError {
    /// Creates an error from a system error number.
    init(_ path: LocalPath, errno: Int32) {
        self.init(path, Reason(errno))
    }
}

extension FileError.Reason {
    /// Creates a reason from a system error number.
    package init(_ errno: Int32) {
        self =
            switch errno {
            case ENOENT: .notFound
            case EISDIR: .isDirectory
            case ENOTDIR: .notDirectory
            case EACCES, EPERM: .noPermission
            case EEXIST: .alreadyExists
            case ENOSPC, EDQUOT: .noSpace
            case EPIPE: .brokenPipe
            case ENOMEM: .noMemory
            default: .other(errno: errno)
            }
    }
}

/// Returns the system's message for an error number.
func systemMessage(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
}
