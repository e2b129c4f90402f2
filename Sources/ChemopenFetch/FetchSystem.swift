import CSpawn
import ChemopenBytes
import ChemopenDesktop
import Glibc

// The system calls of this program. Owners of the descriptors opened here close them.

/// A private file that grows by appending data.
final class GrowingFile {
    private let number: Int32
    private let path: LocalPath

    /// Opens the file, or creates it if it does not exist.
    init(_ path: LocalPath) throws(FileError) {
        number = try openToAppend(path, mode: 0o600)
        self.path = path
    }

    deinit { close(number) }

    var size: Int { Int(lseek(number, 0, SEEK_END)) }

    func empty() throws(FileError) {
        guard ftruncate(number, 0) == 0 else { throw FileError(path, FileError.Reason(errno)) }
    }

    func append(_ bytes: [UInt8]) throws(FileError) {
        do throws(FileError) {
            try writeAll(bytes, to: number)
        } catch {
            throw FileError(path, error.reason)
        }
    }

    func settle() throws(FileError) {
        guard fsync(number) == 0 else { throw FileError(path, FileError.Reason(errno)) }
    }
}

/// Creates a file in memory. Other processes of this user can open it below `/proc` while this process runs.
func makeFileInMemory() throws(FileError) -> (number: Int32, path: LocalPath) {
    let number = unsafe memfd_create("chemopen", 1)
    guard number >= 0 else { throw FileError("memory", FileError.Reason(errno)) }
    return (number, "/proc/\(getpid())/fd/\(number)")
}

/// Returns the size of a file and its modification time in nanoseconds.
func stamp(of path: LocalPath) -> (size: Int, modified: Int)? {
    var status = stat()
    guard unsafe lstat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int(status.st_size), status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
}

/// Sets an extended attribute of a file if the file system supports it.
func attach(_ text: String, as name: String, to path: LocalPath) {
    let bytes = Array(text.utf8)
    _ = unsafe setxattr(path.cString, name, bytes, bytes.count, 0)
}

/// Returns whether the calling program has closed its end of standard input.
func hasLostItsCaller() -> Bool {
    guard hasInput(0, within: 0) else { return false }
    var byte: UInt8 = 0
    return unsafe read(0, &byte, 1) == 0
}

/// Runs an operation that may wait for the user, such as a keyring that asks for its password. If the calling program
/// exits in the meantime, this process ends at once. Data that was received until then remains available to the next
/// run.
func endingWithCaller<Answer, Failure: Error>(_ ask: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    let isDone = Guarded(false)
    let outcome: Result<Answer, Failure> = withThread {
        while !isDone.change({ $0 }) {
            if hasLostItsCaller() { endProcess(3) }
            sleepMilliseconds(5)
        }
    } _: { _ in
        defer { isDone.change { $0 = true } }
        do throws(Failure) {
            return .success(try ask())
        } catch {
            return .failure(error)
        }
    }
    return try outcome.get()
}

/// Waits until the calling program closes standard input.
func awaitEndOfInput() {
    var byte: UInt8 = 0
    while true {
        let taken = unsafe read(0, &byte, 1)
        if taken == 0 || taken < 0 && errno != EINTR { return }
    }
}

/// Reads a line of standard input without its ending. Returns `nil` at the end of the input or if the line is too long.
///
/// - Parameter isSecret: whether to disable the terminal's echo.
func nextLine(isSecret: Bool = false, longest: Int = 64 * 1024) -> String? {
    var settings = termios()
    let hides = unsafe isSecret && tcgetattr(0, &settings) == 0
    if hides {
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        _ = unsafe tcsetattr(0, TCSAFLUSH, &silent)
    }
    defer {
        if hides {
            _ = unsafe tcsetattr(0, TCSAFLUSH, &settings)
            say("")
        }
    }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < longest {
        let taken = unsafe read(0, &byte, 1)
        if taken < 0, errno == EINTR { continue }
        if taken <= 0 { return line.isEmpty ? nil : String(validating: line, as: UTF8.self) }
        if byte == UInt8(ascii: "\n") { return String(validating: line, as: UTF8.self) }
        line.append(byte)
    }
    return nil
}

/// Prints a line to standard error.
func say(_ text: String) {
    try? writeAll(Array((text + "\n").utf8), to: 2)
}
