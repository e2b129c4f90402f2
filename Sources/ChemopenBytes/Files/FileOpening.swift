import Glibc

// All files are opened in this file, which `Tests/House/opens` checks. Another user can create a named pipe, a device
// or a link at the path of an expected file. Therefore, these functions wait for another program only if the caller
// requests it.

/// The kinds of files that an open call accepts.
package enum OpenedKind: Sendable {
    /// Only a regular file: for every path that another user could have created.
    case regularFile
    /// Also a device, or a named pipe that is read when it has a writer: for a path that a person has typed.
    case anyFile
}

/// Opens a file for reading.
///
/// - Parameter name: the path for error messages.
/// - Returns: a descriptor that the caller closes.
/// - Throws: `.isNamedPipe` or `.notRegular` if the kind of file is not accepted.
package func openForReading(
    _ path: LocalPath, as name: LocalPath? = nil, accepting kind: OpenedKind = .regularFile, followingLinks: Bool = true
) throws(FileError) -> Int32 {
    let name = name ?? path
    let flags = O_RDONLY | O_NOCTTY | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    let number = try openDescriptor(path, flags, as: name)
    do throws(FileError) {
        let isPipe = try check(number, kind, name)
        // If a pipe has no writer yet, this is not its end. This waits for the first byte, or until the writer closes
        // the pipe.
        if isPipe { waitUntilReady(number, POLLIN) }
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
        return number
    } catch {
        close(number)
        throw error
    }
}

/// Opens a file of any kind to find out its kind. Neither opening nor reading blocks or has side effects.
///
/// - Returns: a descriptor that the caller closes, and whether it is a regular file.
package func openToInspect(_ path: LocalPath) throws(FileError) -> (number: Int32, isRegular: Bool) {
    let number = try openDescriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, as: path)
    do throws(FileError) {
        _ = try check(number, .anyFile, path)
    } catch {
        close(number)
        throw error
    }
    return (number, (try? check(number, .regularFile, path)) != nil)
}

/// Checks the kind of an open file, and returns whether it is a named pipe.
private func check(_ number: Int32, _ kind: OpenedKind, _ name: LocalPath) throws(FileError) -> Bool {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw FileError(name, errno: errno) }
    switch (status.st_mode & S_IFMT, kind) {
    case (S_IFREG, _): return false
    case (S_IFDIR, _): throw FileError(name, .isDirectory)
    case (S_IFIFO, .anyFile): return true
    case (_, .anyFile): return false
    case (S_IFIFO, .regularFile): throw FileError(name, .isNamedPipe)
    case (_, .regularFile): throw FileError(name, .notRegular)
    }
}

/// Opens a named pipe for reading, and waits a limited time for a writer. If no writer opens the pipe in time, it is at
/// its end.
func openPipe(_ path: LocalPath, patience milliseconds: Int32) throws(FileError) -> Int32 {
    let number = try openDescriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, as: path)
    waitUntilReady(number, POLLIN, milliseconds)
    return number
}

/// Opens a directory.
package func openDirectory(_ path: LocalPath) throws(FileError) -> Int32 {
    try openDescriptor(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, as: path)
}

/// Opens a device or a named pipe for writing, for a path that a person has typed. A pipe waits for its reader.
func openForWriting(through path: LocalPath) throws(FileError) -> Int32 {
    try openDescriptor(path, O_WRONLY | O_NOCTTY, as: path)
}

/// Opens the terminal of the process for keys and pictures.
func openOwnTerminal() throws(FileError) -> Int32 {
    try openDescriptor("/dev/tty", O_RDWR | O_NOCTTY, as: "/dev/tty")
}

/// Opens a regular file to overwrite its bytes, or returns `nil` if the path is not a regular file.
package func openToOverwrite(_ path: LocalPath) -> Int32? {
    guard let number = try? openDescriptor(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, as: path) else { return nil }
    if (try? check(number, .regularFile, path)) != nil { return number }
    close(number)
    return nil
}

/// Opens a regular file of this user to read it and append to it. Creates it if it is missing.
package func openToAppend(_ path: LocalPath, mode: UInt32) throws(FileError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
    let number = try openDescriptor(path, flags, mode, as: path)
    do throws(FileError) {
        _ = try check(number, .regularFile, path)
        return number
    } catch {
        close(number)
        throw error
    }
}

/// Creates a file that must not exist yet.
package func openNewFile(
    _ path: LocalPath, as name: LocalPath? = nil, mode: UInt32, isReadable: Bool = false
) throws(FileError) -> Int32 {
    let flags = (isReadable ? O_RDWR : O_WRONLY) | O_CREAT | O_EXCL | O_NOFOLLOW
    return try openDescriptor(path, flags, mode, as: name ?? path)
}

/// Creates a file without a name in a directory.
func openUnnamedFile(in directory: LocalPath, as name: LocalPath) throws(FileError) -> Int32 {
    // O_TMPFILE, which the headers define only for GNU sources.
    let unnamedFile: Int32 = 0o20_000_000 | O_DIRECTORY
    return try openDescriptor(directory, O_WRONLY | unnamedFile, as: name)
}

/// Opens the null device, which contains no bytes and discards all output.
package func openNullDevice() throws(FileError) -> Int32 {
    try openDescriptor("/dev/null", O_RDWR, as: "/dev/null")
}

private func openDescriptor(
    _ path: LocalPath, _ flags: Int32, _ mode: UInt32 = 0o666, as name: LocalPath
) throws(FileError) -> Int32 {
    while true {
        let number = unsafe open(path.cString, flags | O_CLOEXEC, mode)
        if number >= 0 { return number }
        // A socket cannot be opened with `open`.
        if errno == ENXIO { throw FileError(name, .notRegular) }
        if errno != EINTR { throw FileError(name, errno: errno) }
    }
}

/// Waits until a descriptor can be read or written, or until the time limit.
func waitUntilReady(_ number: Int32, _ event: Int32, _ milliseconds: Int32 = -1) {
    var request = pollfd(fd: number, events: Int16(truncatingIfNeeded: event), revents: 0)
    while unsafe poll(&request, 1, milliseconds) < 0, errno == EINTR, milliseconds < 0 {}
}
