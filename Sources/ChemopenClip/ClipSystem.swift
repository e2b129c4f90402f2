import ChemopenBytes
import Glibc

// The system as this program needs it: descriptors that are waited for, pipes that nobody may read. Pointers live no longer
// than the call they are passed to.

/// A descriptor that is waited for.
struct Watched {
    let descriptor: Int32
    /// Waits until it can be written, and not until it can be read.
    var isForWriting = false
}

/// Waits until something can be done with one of the descriptors, or so many milliseconds: the places of those that are ready,
/// also because their other end is gone.
func waitForAny(of watched: [Watched], milliseconds: Int) -> Set<Int> {
    var entries = watched.map { entry in
        pollfd(fd: entry.descriptor, events: Int16(entry.isForWriting ? POLLOUT : POLLIN), revents: 0)
    }
    let count = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    guard count > 0 else { return [] }
    return Set(entries.indices.filter { entries[$0].revents != 0 })
}

/// Writes as much as a descriptor takes at once: how much that was, 0 where it is full, and `nil` where nobody reads it.
func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
}

/// Reads as much as is there at once; `nil` at the end, and nothing where there is nothing yet.
func readSome(_ descriptor: Int32) -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    let count = unsafe read(descriptor, &block, block.count)
    if count > 0 { return Array(block[..<count]) }
    if count == 0 { return nil }
    return errno == EAGAIN || errno == EINTR ? [] : nil
}

/// Lets no call wait for a descriptor.
func neverWait(for descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

func closeFile(_ descriptor: Int32) {
    close(descriptor)
}

/// A pipe whose ends no call waits for: what is written to the second is read from the first.
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

/// A file in memory of so many zeros, which goes away with its descriptor.
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

/// The pipe that a signal to end writes to; a handler can do no more.
private nonisolated(unsafe) var endingPipe: Int32 = -1

/// Turns the signals to end into bytes that can be read from the descriptor; `nil` where there are none left.
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

/// Closes what came along from whoever started the program, and may be waited for.
func closeInherited() {
    for descriptor in 3..<256 as Range<Int32> { close(descriptor) }
}

/// Leaves the terminal, the folder and the streams of whoever started the program.
func goToBackground() {
    _ = setsid()
    _ = unsafe chdir("/")
    guard let nothing = try? openNullDevice() else { return }
    for stream in 0...2 as ClosedRange<Int32> { _ = dup2(nothing, stream) }
    if nothing > 2 { close(nothing) }
}
