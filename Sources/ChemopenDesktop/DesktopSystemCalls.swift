import CSpawn
import ChemopenBytes
import Glibc

// The one file of this module that calls the system. Pointers live no longer than the call they are passed to.

// MARK: Processes

/// A program that was started and is a child of this process.
package struct ChildProcess: Sendable {
    package let id: Int32

    /// Waits until the program ends: its exit status, or 128 and the number of the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 {
            if errno != EINTR { return 127 }
        }
        return Self.exitStatus(status)
    }

    /// The same without waiting; `nil` as long as the program runs.
    package func endedStatus() -> Int32? {
        var status: Int32 = 0
        let ended = unsafe waitpid(id, &status, WNOHANG)
        if ended == 0 { return nil }
        return ended < 0 ? 127 : Self.exitStatus(status)
    }

    /// Ends the program, whatever it is doing, and waits until it has ended: its status, as `wait` has it.
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

/// Where the standard streams of a program lead.
package enum ChildStreams: Sendable {
    /// Nothing to read, nobody to read; standard error goes to a terminal where there is one.
    case none
    /// Those of this process.
    case inherited
    /// Its output goes to a descriptor; the rest as with `none`.
    case printing(to: Int32)
    /// Its input comes from a descriptor, and its output goes to another.
    case filtering(from: Int32, to: Int32)
}

/// Starts a program. The arguments go to it as they are, and no shell sees them.
///
/// Without `inherited` streams the program has a session of its own and outlives this process.
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
    var flags = POSIX_SPAWN_SETSIGDEF
    // POSIX_SPAWN_SETSID, which the headers show to GNU sources only.
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
        // Whoever waits for the end of a descriptor that this process was given does not wait for the program.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    var id: pid_t = 0
    var failure = ETXTBSY
    // A program that was put there a moment ago may still be open for writing: a child that another thread started
    // meanwhile has its descriptor, until it becomes a program itself, which on a busy machine takes seconds.
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

/// Lets another program take the place of this one; returns only when that fails.
package func becomeProgram(_ program: LocalPath, _ arguments: [[UInt8]]) -> FileError {
    _ = unsafe withCStrings(arguments) { argv in unsafe execv(program.cString, argv) }
    return FileError(program, FileError.Reason(errno))
}

/// A pipe: what is written to the second descriptor is read from the first.
package func makePipe() throws(FileError) -> (reading: Int32, writing: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let failure = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe pipe(bytes.bindMemory(to: Int32.self).baseAddress)
    }
    guard failure == 0 else { throw FileError("pipe", FileError.Reason(errno)) }
    for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends.0, ends.1)
}

/// Two ends of a line on which both sides talk: what is written to the one is read from the other.
package func makeLine() throws(FileError) -> (own: Int32, other: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let failure = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe socketpair(AF_UNIX, kind, 0, bytes.bindMemory(to: Int32.self).baseAddress)
    }
    guard failure == 0 else { throw FileError("socket", FileError.Reason(errno)) }
    return (ends.0, ends.1)
}

/// Says something on a line; `false` where nobody is at its other end.
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

/// The outcome of a wait for a line of text.
package enum Heard: Sendable, Hashable {
    /// A line is complete.
    case line
    /// Time is over; more may come.
    case nothingYet
    /// The other end is gone.
    case end
}

/// Waits so many milliseconds for a line of text, which comes to stand behind `bytes`, with its end.
package func hear(_ bytes: inout [UInt8], from line: Int32, milliseconds: Int) -> Heard {
    let end = monotonicMilliseconds() + milliseconds
    var block = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.last != UInt8(ascii: "\n") {
        var question = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&question, 1, Int32(clamping: max(0, end - monotonicMilliseconds())))
        if ready < 0, errno == EINTR { continue }
        if ready == 0 { return .nothingYet }
        let taken = unsafe read(line, &block, block.count)
        if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { return .end }
    }
    return .line
}

/// Lets a pipe hold more, where the system allows it: both ends take turns less often.
package func widenPipe(_ number: Int32) {
    // F_SETPIPE_SZ, which the headers show to GNU sources only.
    _ = fcntl(number, 1031, 1 << 20)
}

package func closeDescriptor(_ number: Int32) {
    close(number)
}

/// Whether something comes from a descriptor, or its end, within so many milliseconds.
package func hasInput(_ number: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) != 0
}

/// Copies a file into a new one, which only this user can read.
package func copyFile(_ path: LocalPath, to copy: LocalPath) throws(FileError) {
    let number = try openForReading(path)
    defer { close(number) }
    try spool(number, to: copy)
}

/// All that comes from a descriptor, up to a limit.
package func readToEnd(_ number: Int32, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count < limit {
        let taken = unsafe read(number, &block, block.count)
        if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { break }
    }
    return bytes
}

/// Takes all that comes from a descriptor into a file of its own, as it comes.
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

/// Lets a file take the place of standard input.
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

/// Seconds since 1970.
package func currentTime() -> Int { time(nil) }

/// A moment as the user's clock shows it: `2026-11-23 13:45`.
package func localTime(_ seconds: Int) -> String {
    var seconds = seconds
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

// MARK: Files

/// A regular file that is open to be read; closed when it goes out of use.
package struct OpenFile: ~Copyable {
    private let number: Int32

    /// Opens a file for reading; nothing that waits or acts, such as a named pipe or a device, is opened for good.
    package init(_ path: LocalPath) throws(FileError) {
        (number, isRegular) = try openToInspect(path)
    }

    deinit { close(number) }

    /// An ordinary file: no pipe, no device.
    package let isRegular: Bool

    /// A path that leads to this very file, whatever happens to its name meanwhile.
    package var path: LocalPath { "/proc/self/fd/\(number)" }
}

/// The entry at a path, itself and not the target of a link.
package struct EntryStatus: Sendable {
    package let isFolder: Bool
    package let isLink: Bool
    /// An ordinary file.
    package let isRegular: Bool
    package let mode: UInt32
    package let owner: UInt32
    /// When it was changed last, in seconds since 1970.
    package let modified: Int

    package init?(_ path: LocalPath, followingLinks: Bool = false) {
        var status = stat()
        let failure = unsafe followingLinks ? stat(path.cString, &status) : lstat(path.cString, &status)
        guard failure == 0 else { return nil }
        self.init(status)
    }

    /// The entry at a path; `nil` where there is none, and an error where that cannot be known.
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

/// Makes a folder that only this user can enter; `false` where something stands there already.
package func makePrivateFolder(_ path: LocalPath) throws(FileError) -> Bool {
    if unsafe mkdir(path.cString, 0o700) == 0 { return true }
    if errno == EEXIST { return false }
    throw FileError(path, FileError.Reason(errno))
}

/// Keeps other processes of this program out of a folder until the descriptor is closed. A file system that knows no locks
/// lets everybody in.
package func lockFolder(_ path: LocalPath) throws(FileError) -> Int32 {
    for _ in 0..<250 {
        if let lock = try tryToLockFolder(path) { return lock }
        sleepMilliseconds(20)
    }
    throw FileError(path, .other(errno: EWOULDBLOCK))
}

/// The same without waiting; `nil` where another process is in the folder.
package func tryToLockFolder(_ path: LocalPath) throws(FileError) -> Int32? {
    let number = try openDirectory(path)
    if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return number }
    close(number)
    return nil
}

/// Puts a file that only this user can read in the place of what is at a path, in one step. Until then it has a name of its
/// own, at which nothing stays.
package func replacePrivateFile(
    _ bytes: [UInt8], at path: LocalPath, stagedAt staged: LocalPath
) throws(FileError) {
    removeEntry(staged)
    do throws(FileError) {
        try writePrivateFile(bytes, to: staged)
        try renameEntry(staged, to: path)
    } catch {
        removeEntry(staged)
        throw error
    }
}

/// Makes a file of its own, which only this user can read, and writes it.
package func writePrivateFile(_ bytes: [UInt8], to path: LocalPath) throws(FileError) {
    let number = try openNewFile(path, mode: 0o600)
    defer { close(number) }
    try writeAll(bytes, to: number)
}

/// Removes a folder that is empty. Whatever makes it useful to somebody else keeps it in place.
package func deleteFolderIfEmpty(_ path: LocalPath) throws(FileError) {
    guard unsafe rmdir(path.cString) != 0, ![ENOENT, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno) else { return }
    throw FileError(path, FileError.Reason(errno))
}

/// Puts bytes in the place of those of a file that is there, and that stays the same file for whoever holds it open;
/// `false` where there is none, or something else.
package func overwriteFile(_ path: LocalPath, with bytes: [UInt8]) throws(FileError) -> Bool {
    guard let number = openToOverwrite(path) else { return false }
    defer { close(number) }
    guard ftruncate(number, 0) == 0 else { throw FileError(path, FileError.Reason(errno)) }
    try writeAll(bytes, to: number)
    return true
}

package func setMode(_ mode: UInt32, of path: LocalPath) {
    _ = unsafe chmod(path.cString, mode)
}

/// A text that another program has attached to a file as an extended attribute; `nil` where there is none.
package func attachedText(_ name: String, of path: LocalPath) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe name.withCString { name in unsafe getxattr(path.cString, name, &bytes, bytes.count) }
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
}

/// Lets everybody start a file who may read it.
package func makeExecutable(_ path: LocalPath) throws(FileError) {
    if unsafe chmod(path.cString, 0o755) != 0 { throw FileError(path, FileError.Reason(errno)) }
}

@discardableResult
package func removeEntry(_ path: LocalPath) -> Bool {
    unsafe unlink(path.cString) == 0
}

/// Removes a file; that it may be gone already is no error.
package func deleteFile(_ path: LocalPath) throws(FileError) {
    guard unsafe unlink(path.cString) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw FileError(path, FileError.Reason(errno))
}

/// Removes a folder that is empty.
@discardableResult
package func removeEmptyFolder(_ path: LocalPath) -> Bool {
    unsafe rmdir(path.cString) == 0
}

package func renameEntry(_ old: LocalPath, to new: LocalPath) throws(FileError) {
    guard unsafe rename(old.cString, new.cString) == 0 else { throw FileError(new, FileError.Reason(errno)) }
}

/// The path without links and dots; nil when nothing is there.
package func resolvedPath(_ path: LocalPath) -> LocalPath? {
    guard let resolved = unsafe realpath(path.cString, nil) else { return nil }
    defer { unsafe free(resolved) }
    return LocalPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
}

/// Whether a path leads to a file that this user may execute. Where the system does not say whether he may, starting it
/// will show.
package func isExecutableFile(_ path: LocalPath) -> Bool {
    EntryStatus(path, followingLinks: true)?.isRegular == true && mayBeStarted(path)
}

/// Whether this user may start a file, or that cannot be known.
func mayBeStarted(_ path: LocalPath) -> Bool {
    unsafe access(path.cString, X_OK) == 0 || ![EACCES, EPERM, EROFS].contains(errno)
}

/// The folder in which this process stands.
package func currentFolder() -> LocalPath {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return LocalPath(bytes: unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
}

// MARK: Strings

/// An array as C programs get their arguments: pointers to strings, and a null pointer behind the last.
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
