import CSpawn
import ChemopenBytes
import Glibc
import Synchronization

// Only this file of the module makes system calls. No pointer outlives the call that it is passed to.

// MARK: Processes

/// A program that this process started as its child.
package struct ChildProcess: Sendable {
    package let id: Int32

    /// Waits until the program ends. Returns its exit status, or 128 plus the number of the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 {
            if errno != EINTR { return 127 }
        }
        return Self.exitStatus(status)
    }

    /// Returns the exit status, as `wait` does, or `nil` if the program is still running.
    package func endedStatus() -> Int32? {
        var status: Int32 = 0
        let ended = unsafe waitpid(id, &status, WNOHANG)
        if ended == 0 { return nil }
        return ended < 0 ? 127 : Self.exitStatus(status)
    }

    /// Whether the program has ended. Does not consume its status, so `wait` can still return it.
    package var hasEnded: Bool {
        var information = unsafe siginfo_t()
        unsafe information._sifields._kill.si_pid = 0
        let failure = unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT)
        return unsafe failure != 0 ? errno != EINTR : information._sifields._kill.si_pid != 0
    }

    /// Kills the program, waits until it has ended, and returns its status as `wait` does.
    @discardableResult
    package func end() -> Int32 {
        kill(id, SIGKILL)
        return wait()
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// The standard streams of a child program.
package enum ChildStreams: Sendable {
    /// No input and no output. Standard error is inherited if it is a terminal.
    case none
    /// The streams of this process.
    case inherited
    /// Standard output is written to a descriptor. The other streams are as in `none`.
    case printing(to: Int32)
    /// Standard input is read from one descriptor, and standard output is written to another.
    case filtering(from: Int32, to: Int32)
}

/// Starts a program. The arguments are passed unchanged, without a shell.
///
/// Unless the streams are `inherited`, the program runs in a session of its own and can outlive this process.
package func spawn(
    _ program: LocalPath, _ arguments: [[UInt8]], environment: [[UInt8]], in folder: LocalPath, streams: ChildStreams
) throws(FileError) -> ChildProcess {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addchdir_np(&actions, folder.cString)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe sigaddset(&defaults, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    // A server blocks SIGTERM to wait for it; its helpers must not.
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    // POSIX_SPAWN_SETSID, which the headers define for GNU sources only.
    let ownSession: Int32 = 0x80
    switch streams {
    case .inherited: break
    case .filtering(let input, let output):
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    case .none, .printing:
        flags |= ownSession
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if case .printing(let descriptor) = streams {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        if isatty(2) != 1 { unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        // Close all other descriptors. If a reader waits until one of them is closed, it must not have to wait for this
        // program.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    var id: pid_t = 0
    var failure = ETXTBSY
    // A program file that was written a moment ago may still be open for writing. If another thread has forked a child,
    // the file is open in the child until it calls `exec`, which takes seconds on a busy machine.
    for _ in 0..<500 {
        failure = unsafe withCStrings(arguments) { argv in
            unsafe withCStrings(environment) { envp in
                unsafe posix_spawn(&id, program.cString, &actions, &attributes, argv, envp)
            }
        }
        if failure != ETXTBSY { break }
        sleepMilliseconds(10)
    }
    guard failure == 0 else {
        throw FileError(program, FileError.Reason(failure))
    }
    return ChildProcess(id: id)
}

/// Replaces this process with another program. Returns only if that fails.
package func becomeProgram(_ program: LocalPath, _ arguments: [[UInt8]]) -> FileError {
    _ = unsafe withCStrings(arguments) { argv in unsafe execv(program.cString, argv) }
    return FileError(program, FileError.Reason(errno))
}

/// Creates a pipe. Data written to the second descriptor can be read from the first.
package func makePipe() throws(FileError) -> (reading: Int32, writing: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let failure = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe pipe(bytes.bindMemory(to: Int32.self).baseAddress)
    }
    guard failure == 0 else { throw FileError("pipe", FileError.Reason(errno)) }
    for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends.0, ends.1)
}

/// Creates a pair of connected sockets. Data written to one can be read from the other.
package func makeLine() throws(FileError) -> (own: Int32, other: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let failure = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe socketpair(AF_UNIX, kind, 0, bytes.bindMemory(to: Int32.self).baseAddress)
    }
    guard failure == 0 else { throw FileError("socket", FileError.Reason(errno)) }
    return (ends.0, ends.1)
}

/// Sends bytes over a socket. Returns `false` if the other end is closed.
package func say(_ bytes: [UInt8], on line: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
        let sent = unsafe bytes[done...].withUnsafeBytes { rest in
            unsafe send(line, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        if sent > 0 { done += sent } else if errno != EINTR { return false }
    }
    return true
}

/// The result of waiting for a line of text.
package enum Heard: Sendable, Hashable {
    /// A complete line has arrived.
    case line
    /// The time limit has passed. More data may follow.
    case nothingYet
    /// The other end is closed.
    case end
}

/// Waits up to `milliseconds` for a line of text and appends it, with its line ending, to `bytes`.
package func hear(_ bytes: inout [UInt8], from line: Int32, milliseconds: Int) -> Heard {
    let end = monotonicMilliseconds() + milliseconds
    var block = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.last != UInt8(ascii: "\n") {
        // No response is this long, so the program is damaged.
        if bytes.count > 1 << 24 { return .end }
        var question = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&question, 1, Int32(clamping: max(0, end - monotonicMilliseconds())))
        if ready < 0, errno == EINTR { continue }
        if ready == 0 { return .nothingYet }
        let taken = unsafe read(line, &block, block.count)
        if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { return .end }
    }
    return .line
}

/// Enlarges the buffer of a pipe if the system allows it. Both ends then have to wait for each other less often.
package func widenPipe(_ number: Int32) {
    // F_SETPIPE_SZ, which the headers define for GNU sources only.
    _ = fcntl(number, 1031, 1 << 20)
}

package func closeDescriptor(_ number: Int32) {
    close(number)
}

/// Whether data or the end of the stream can be read from a descriptor within `milliseconds`.
package func hasInput(_ number: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) != 0
}

/// Copies a file to a new file that only this user can read.
package func copyFile(_ path: LocalPath, to copy: LocalPath) throws(FileError) {
    let number = try openForReading(path)
    defer { close(number) }
    try spool(number, to: copy)
}

/// Reads everything that a program writes to a descriptor, up to a limit.
///
/// The output ends when the program ends, even if another process, or this one, still has the other end open.
///
/// - Throws: `FileError` if reading fails, because the bytes read until then would be incomplete.
package func readToEnd(_ number: Int32, of child: ChildProcess, limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit, waitForOutput(number, of: child) {
        guard try readBytes(number, upTo: min(limit - bytes.count, 64 * 1024), into: &bytes) else { break }
    }
    return bytes
}

/// Waits until a program has written to a descriptor, or has closed it.
///
/// - Returns: `false` if the program has ended and no output is left to read.
package func waitForOutput(_ number: Int32, of child: ChildProcess) -> Bool {
    while !hasInput(number, within: 200) {
        if child.hasEnded { return hasInput(number, within: 0) }
    }
    return true
}

/// Copies everything that can be read from a descriptor to a new file, block by block.
package func spool(_ number: Int32, to path: LocalPath) throws(FileError) {
    let file = try openNewFile(path, mode: 0o600)
    defer { close(file) }
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        let taken = unsafe read(number, &block, block.count)
        if taken > 0 {
            try writeAll(Array(block[..<taken]), to: file)
        } else if taken == 0 {
            return
        } else if errno != EINTR {
            throw FileError("standard input", FileError.Reason(errno))
        }
    }
}

/// Makes standard input read from a file.
package func redirectStandardInput(to path: LocalPath) throws(FileError) {
    let file = try openForReading(path, accepting: .anyFile)
    if file == 0 { return }
    defer { close(file) }
    if dup2(file, 0) < 0 { throw FileError(path, FileError.Reason(errno)) }
}

package func sleepSeconds(_ seconds: UInt32) {
    _ = sleep(seconds)
}

package func sleepMilliseconds(_ milliseconds: UInt32) {
    _ = usleep(milliseconds * 1000)
}

package func currentProcessID() -> Int32 { getpid() }
package func currentUserID() -> UInt32 { getuid() }

/// The current time in seconds since 1970.
package func currentTime() -> Int { time(nil) }

/// Formats a time in the user's time zone: `2026-11-23 13:45`.
package func localTime(_ seconds: Int) -> String {
    var seconds = seconds
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "" }
    return unsafe timeText(&parts, "%Y-%m-%d %H:%M")
}

/// Formats a time for logs: `2026-11-23T13:45:09Z`.
package func universalTime(_ seconds: Int) -> String {
    var seconds = seconds
    var parts = unsafe tm()
    guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
    return unsafe timeText(&parts, "%Y-%m-%dT%H:%M:%SZ")
}

private func timeText(_ parts: UnsafePointer<tm>, _ form: String) -> String {
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, form, parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

// MARK: Files

/// A file that is open for reading. It is closed when the value is destroyed.
package struct OpenFile: ~Copyable {
    private let number: Int32

    /// Opens a file for reading. Does not open files that block or have side effects, such as named pipes and devices.
    package init(_ path: LocalPath) throws(FileError) {
        (number, isRegular) = try openToInspect(path)
    }

    deinit { close(number) }

    /// Whether this is a regular file, not a pipe or a device.
    package let isRegular: Bool

    /// A path that leads to this open file even if the file is renamed or deleted.
    package var path: LocalPath { "/proc/self/fd/\(number)" }
}

/// The status of a file, directory or link.
package struct EntryStatus: Sendable {
    package let isFolder: Bool
    package let isLink: Bool
    /// Whether this is a regular file.
    package let isRegular: Bool
    package let mode: UInt32
    package let owner: UInt32
    /// The time of the last modification, in seconds since 1970.
    package let modified: Int

    package init?(_ path: LocalPath, followingLinks: Bool = false) {
        var status = stat()
        let failure = unsafe followingLinks ? stat(path.cString, &status) : lstat(path.cString, &status)
        guard failure == 0 else { return nil }
        self.init(status)
    }

    /// Returns the status of the entry at `path`, or `nil` if it does not exist. Throws if the status cannot be read.
    package static func find(_ path: LocalPath, followingLinks: Bool = false) throws(FileError) -> EntryStatus? {
        var status = stat()
        let failure = unsafe followingLinks ? stat(path.cString, &status) : lstat(path.cString, &status)
        if failure == 0 { return EntryStatus(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileError(path, FileError.Reason(errno))
    }

    private init(_ status: stat) {
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isLink = status.st_mode & S_IFMT == S_IFLNK
        isRegular = status.st_mode & S_IFMT == S_IFREG
        mode = status.st_mode & 0o7777
        owner = status.st_uid
        modified = status.st_mtim.tv_sec
    }
}

/// Creates a directory that only this user can enter. Returns `false` if the path already exists.
package func makePrivateFolder(_ path: LocalPath) throws(FileError) -> Bool {
    if unsafe mkdir(path.cString, 0o700) == 0 { return true }
    if errno == EEXIST { return false }
    throw FileError(path, FileError.Reason(errno))
}

/// Locks a directory against other processes of this program until the returned descriptor is closed. On a file system
/// without locks this has no effect.
package func lockFolder(_ path: LocalPath) throws(FileError) -> Int32 {
    for _ in 0..<250 {
        if let lock = try tryToLockFolder(path) { return lock }
        sleepMilliseconds(20)
    }
    throw FileError(path, .other(errno: EWOULDBLOCK))
}

/// Locks a directory as `lockFolder` does, without waiting. Returns `nil` if another process has locked it.
package func tryToLockFolder(_ path: LocalPath) throws(FileError) -> Int32? {
    let number = try openDirectory(path)
    if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return number }
    close(number)
    return nil
}

/// A lock on a directory against other processes of this program, held until it is released.
package final class FolderLock: Sendable {
    private let descriptor: Guarded<Int32?>

    /// Returns `nil` if another process has locked the directory, or if it cannot be opened.
    package init?(_ path: LocalPath) {
        guard let number = try? tryToLockFolder(path) else { return nil }
        descriptor = Guarded(number)
    }

    package func release() {
        if let number = descriptor.change({ exchange(&$0, with: nil) }) { closeDescriptor(number) }
    }

    deinit { release() }
}

private let endSignal = Atomic(false)

/// Whether a signal has asked this process to end, after `noteSignalsToEnd`.
package var isAskedToEnd: Bool { endSignal.load(ordering: .relaxed) }

/// Notes signals that end the process, for a loop that must finish its work first.
package func noteSignalsToEnd() {
    endSignal.store(false, ordering: .relaxed)
    for number in [SIGTERM, SIGINT, SIGHUP] {
        _ = signal(number) { _ in endSignal.store(true, ordering: .relaxed) }
    }
}

/// Writes a file that only this user can read and moves it to `path` atomically. If that fails, the temporary file at
/// `staged` is removed.
package func replacePrivateFile(
    _ bytes: [UInt8], at path: LocalPath, stagedAt staged: LocalPath, forFolderOwner isForFolderOwner: Bool = false
) throws(FileError) {
    removeEntry(staged)
    do throws(FileError) {
        try writePrivateFile(bytes, to: staged, forFolderOwner: isForFolderOwner)
        try renameEntry(staged, to: path)
    } catch {
        removeEntry(staged)
        throw error
    }
}

/// Writes a new file that only this user can read.
///
/// - Parameter isForFolderOwner: whether a file that root writes belongs to the owner of its directory, such as the user
///   of a service.
package func writePrivateFile(
    _ bytes: [UInt8], to path: LocalPath, forFolderOwner isForFolderOwner: Bool = false
) throws(FileError) {
    let number = try openNewFile(path, mode: 0o600)
    defer { close(number) }
    if isForFolderOwner, geteuid() == 0 {
        var status = stat()
        guard unsafe stat(path.folder.cString, &status) == 0, fchown(number, status.st_uid, status.st_gid) == 0 else {
            throw FileError(path, FileError.Reason(errno))
        }
    }
    try writeAll(bytes, to: number)
}

/// Removes a directory if it is empty. A directory that contains files is left unchanged, without an error.
package func deleteFolderIfEmpty(_ path: LocalPath) throws(FileError) {
    guard unsafe rmdir(path.cString) != 0, ![ENOENT, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno) else { return }
    throw FileError(path, FileError.Reason(errno))
}

/// Overwrites an existing file in place; programs that have it open see the new content. Returns `false` if `path` is
/// not an existing regular file.
package func overwriteFile(_ path: LocalPath, with bytes: [UInt8]) throws(FileError) -> Bool {
    guard let number = openToOverwrite(path) else { return false }
    defer { close(number) }
    guard ftruncate(number, 0) == 0 else { throw FileError(path, FileError.Reason(errno)) }
    do throws(FileError) {
        try writeAll(bytes, to: number)
    } catch {
        // The written part is removed, because it could be mistaken for the complete file.
        _ = ftruncate(number, 0)
        throw error
    }
    return true
}

package func setMode(_ mode: UInt32, of path: LocalPath) {
    _ = unsafe chmod(path.cString, mode)
}

/// Returns the value of an extended attribute as text, or `nil` if the file has no such attribute.
package func attachedText(_ name: String, of path: LocalPath) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe name.withCString { name in unsafe getxattr(path.cString, name, &bytes, bytes.count) }
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
}

/// Makes a file readable and executable for every user.
package func makeExecutable(_ path: LocalPath) throws(FileError) {
    if unsafe chmod(path.cString, 0o755) != 0 { throw FileError(path, FileError.Reason(errno)) }
}

@discardableResult
package func removeEntry(_ path: LocalPath) -> Bool {
    unsafe unlink(path.cString) == 0
}

/// Removes a file. Does not throw if the file is already missing.
package func deleteFile(_ path: LocalPath) throws(FileError) {
    guard unsafe unlink(path.cString) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw FileError(path, FileError.Reason(errno))
}

/// Removes a directory if it is empty.
@discardableResult
package func removeEmptyFolder(_ path: LocalPath) -> Bool {
    unsafe rmdir(path.cString) == 0
}

package func renameEntry(_ old: LocalPath, to new: LocalPath) throws(FileError) {
    guard unsafe rename(old.cString, new.cString) == 0 else { throw FileError(new, FileError.Reason(errno)) }
}

/// Returns the path without symbolic links and dot components, or `nil` if it does not exist.
package func resolvedPath(_ path: LocalPath) -> LocalPath? {
    guard let resolved = unsafe realpath(path.cString, nil) else { return nil }
    defer { unsafe free(resolved) }
    return LocalPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
}

/// Whether a path leads to a regular file that this user may execute. If the system cannot determine the permission,
/// this is `true`, and starting the file reports the error.
package func isExecutableFile(_ path: LocalPath) -> Bool {
    EntryStatus(path, followingLinks: true)?.isRegular == true && mayBeStarted(path)
}

/// Whether this user may execute a file. If the system cannot determine this, the result is also `true`.
func mayBeStarted(_ path: LocalPath) -> Bool {
    unsafe access(path.cString, X_OK) == 0 || ![EACCES, EPERM, EROFS].contains(errno)
}

/// The current directory of this process.
package func currentFolder() -> LocalPath {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return LocalPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
}

// MARK: Strings

/// The environment that programs started by this process inherit.
package var currentEnvironment: [[UInt8]] {
    var entries: [[UInt8]] = []
    var place = unsafe chemopen_environment()
    while let entry = unsafe place?.pointee {
        unsafe entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
        unsafe place = place?.successor()
    }
    return entries
}

/// Calls `body` with an array of C strings that ends with a null pointer, as C programs receive their arguments.
private func withCStrings(
    _ words: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
) -> Int32 {
    var text: [CChar] = []
    var starts: [Int] = []
    for word in words {
        starts.append(text.count)
        text += word.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
        text.append(0)
    }
    return unsafe text.withUnsafeMutableBufferPointer { buffer in
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe starts.map { start in
            unsafe buffer.baseAddress.map { unsafe $0 + start }
        }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { pointers in
            guard let base = pointers.baseAddress else { return EINVAL }
            return unsafe body(base)
        }
    }
}
