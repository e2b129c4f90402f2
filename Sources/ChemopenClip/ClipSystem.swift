import ChemopenBytes
import Glibc

// The system calls of this program. No pointer outlives the call that it is passed to.

/// A descriptor to wait for.
struct Watched {
    let descriptor: Int32
    /// Whether to wait until the descriptor can be written instead of read.
    var isForWriting = false
}

/// Waits up to `milliseconds` until a descriptor is ready or its other end is closed. Returns the indices of these
/// descriptors.
func waitForAny(of watched: [Watched], milliseconds: Int) -> Set<Int> {
    var entries = watched.map { entry in
        pollfd(fd: entry.descriptor, events: Int16(entry.isForWriting ? POLLOUT : POLLIN), revents: 0)
    }
    let count = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    guard count > 0 else { return [] }
    return Set(entries.indices.filter { entries[$0].revents != 0 })
}

/// Writes as much as a descriptor accepts without blocking. Returns the number of bytes, 0 if the descriptor is full,
/// or `nil` if no process reads it.
func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
}

/// Reads the bytes that are available without blocking. Returns `nil` at the end and an empty array if there is no data
/// yet.
func readSome(_ descriptor: Int32) -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    let count = unsafe read(descriptor, &block, block.count)
    if count > 0 { return Array(block[..<count]) }
    if count == 0 { return nil }
    return errno == EAGAIN || errno == EINTR ? [] : nil
}

/// Makes a descriptor non-blocking.
func neverWait(for descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

func closeFile(_ descriptor: Int32) {
    close(descriptor)
}

/// Creates a pipe with a non-blocking reading end. Data written to the second descriptor can be read from the first.
func makeQuickPipe() -> (reading: Int32, writing: Int32)? {
    var ends: (Int32, Int32) = (-1, -1)
    let failure = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe pipe(bytes.bindMemory(to: Int32.self).baseAddress)
    }
    guard failure == 0 else { return nil }
    for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    neverWait(for: ends.0)
    return (ends.0, ends.1)
}

/// Creates a file in memory that contains `size` zeros and is deleted when its descriptor is closed.
func makeMemoryFile(_ size: Int) -> Int32? {
    var template = Array("/dev/shm/chemopen-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard ftruncate(descriptor, size) == 0 else {
        close(descriptor)
        return nil
    }
    return descriptor
}

/// The signal handler writes to this pipe, because few other calls are safe in a handler.
private nonisolated(unsafe) var endingPipe: Int32 = -1

/// Converts termination signals into bytes on the returned descriptor. Returns `nil` if no more descriptors are
/// available.
func watchSignalsToEnd() -> Int32? {
    guard let ends = makeQuickPipe() else { return nil }
    neverWait(for: ends.writing)
    unsafe endingPipe = ends.writing
    for number in [SIGTERM, SIGINT, SIGHUP] {
        _ = signal(number) { _ in
            var byte: UInt8 = 0
            _ = unsafe write(endingPipe, &byte, 1)
        }
    }
    return ends.reading
}

/// Closes inherited descriptors. Another process may wait until they are closed.
func closeInherited() {
    for descriptor in 3..<256 as Range<Int32> { close(descriptor) }
}

/// Detaches from the terminal, the working directory and the standard streams of the parent process.
func goToBackground() {
    _ = setsid()
    _ = unsafe chdir("/")
    guard let nothing = try? openNullDevice() else { return }
    for stream in 0...2 as ClosedRange<Int32> { _ = dup2(nothing, stream) }
    if nothing > 2 { close(nothing) }
}
