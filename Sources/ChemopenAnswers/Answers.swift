import ChemopenConfinement
import Glibc

/// Replies to each line of standard input with one line, until the input ends. Helper programs that chemopen starts use
/// this.
///
/// - Parameters:
///   - help: the command whose help describes the program.
///   - library: the library that the program requires, and whether it was built with it.
///   - answer: returns the reply, with its line ending.
package func answerLines(
    as name: String, help: String, with library: (name: String, isThere: Bool),
    _ answer: (_ line: [UInt8]) -> [UInt8]
) -> Never {
    guard CommandLine.arguments.count == 1 else {
        complain("\(name) is run by chemopen; see chemopen \(help)")
        exit(2)
    }
    guard library.isThere else {
        complain("\(name): error: it was built without \(library.name)")
        exit(3)
    }
    limitMemory()
    Confinement.toComputation()
    var input = LineInput()
    while let line = input.next() {
        // The program exits if a reply takes longer than a minute, because the requesting program no longer waits for
        // it.
        alarm(60)
        write(answer(line))
        alarm(0)
    }
    exit(0)
}

/// Parses the integers of a request, separated by spaces.
package func wholeNumbers(in line: [UInt8]) -> [Int32] {
    line.split(separator: UInt8(ascii: " ")).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
}

/// The lines of standard input.
private struct LineInput {
    private var bytes: [UInt8] = []
    private var start = 0

    /// Returns the next line without its ending. Returns `nil` at the end of the input or if a line exceeds 4 MiB.
    mutating func next() -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(bytes[start..<end])
            }
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            guard bytes.count < 1 << 22 else { return nil }
            var block = [UInt8](repeating: 0, count: 64 * 1024)
            let taken = unsafe read(0, &block, block.count)
            if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { return nil }
        }
    }
}

private func write(_ bytes: [UInt8]) {
    var done = 0
    while done < bytes.count {
        let written = unsafe bytes[done...].withUnsafeBytes { rest in
            unsafe Glibc.write(1, rest.baseAddress, rest.count)
        }
        if written > 0 { done += written } else if errno != EINTR { exit(1) }
    }
}

private func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
}

/// Limits the memory to 1 GiB; a structure that needs more ends the program. Also disables core dumps.
private func limitMemory() {
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}
