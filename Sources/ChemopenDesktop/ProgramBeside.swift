import ChemopenBytes

/// Returns the path of a companion program in the directory of this one, or `nil` if it does not exist.
package func programBeside(_ name: String) -> LocalPath? {
    let path = resolvedPath("/proc/self/exe")?.folder.appending(LocalPath(name))
    return path.flatMap { isExecutableFile($0) ? $0 : nil }
}

/// Returns the path of a helper program for code that may run in a library of another program; `nil` if it does not
/// exist.
///
/// It is searched for next to the running program, next to the library, in the `bin` directories above the library and,
/// for a library, in the directories of `PATH`.
package func helperProgram(_ name: String) -> LocalPath? {
    if let path = programBeside(name) { return path }
    guard let library = loadedObject.flatMap(resolvedPath), library != resolvedPath("/proc/self/exe") else {
        return nil
    }
    let folder = library.folder
    var folders = [folder, folder.folder.appending("bin"), folder.folder.folder.appending("bin")]
    for text in (environment("PATH") ?? "").split(separator: ":") where text.hasPrefix("/") {
        folders.append(LocalPath(String(text)))
    }
    return folders.lazy.map { $0.appending(LocalPath(name)) }.first(where: isExecutableFile)
}

/// A running program that is connected through pipes. The owner must close both ends and wait for the process.
package struct StartedProgram: Sendable {
    package let process: ChildProcess
    /// The pipe to the program's standard input.
    package let input: Int32
    /// The pipe from the program's standard output.
    package let output: Int32

    /// Starts a program. The first argument is its name.
    package init(_ path: LocalPath, _ words: [[UInt8]], environment: [[UInt8]]) throws(FileError) {
        let input = try makePipe()
        let output: (reading: Int32, writing: Int32)
        do throws(FileError) {
            output = try makePipe()
        } catch {
            for end in [input.reading, input.writing] { closeDescriptor(end) }
            throw error
        }
        defer {
            closeDescriptor(input.reading)
            closeDescriptor(output.writing)
        }
        do throws(FileError) {
            process = try spawn(
                path, words, environment: environment, in: "/",
                streams: .filtering(from: input.reading, to: output.writing))
        } catch {
            for end in [input.writing, output.reading] { closeDescriptor(end) }
            throw error
        }
        (self.input, self.output) = (input.writing, output.reading)
    }

    /// Writes a text to the program and then returns its output, up to a limit. The program must read its complete
    /// input before it writes; otherwise, both sides could wait for each other.
    ///
    /// - Throws: `FileError` if writing or reading fails. The program is then ended.
    package func answer(to text: [UInt8], limit: Int) throws(FileError) -> [UInt8] {
        defer { closeDescriptor(output) }
        do throws(FileError) {
            do throws(FileError) {
                defer { closeDescriptor(input) }
                try writeAll(text, to: input)
            } catch  where error.reason == .brokenPipe {
                // If the program ended before it read the complete input, its output contains the reason.
            }
            return try readToEnd(output, of: process, limit: limit)
        } catch {
            process.end()
            throw error
        }
    }
}

/// The output of a running program, line by line.
package struct ProgramLines: Sendable {
    private let descriptor: Int32
    private let longest: Int
    private var bytes: [UInt8] = []
    /// The part that has been returned, and the part without a line ending.
    private var (start, searched) = (0, 0)

    /// Reads from a descriptor that the caller closes.
    ///
    /// - Parameter longest: the maximum length of a line.
    package init(_ descriptor: Int32, longest: Int) {
        self.descriptor = descriptor
        self.longest = longest
    }

    /// Returns the next line without its ending, or `nil` at the end of the output.
    ///
    /// - Throws: `FileError` if reading fails, a line is too long (`.tooLarge`) or the caller cancels (`.cancelled`).
    package mutating func next(_ shouldCancel: (() -> Bool)? = nil) throws(FileError) -> [UInt8]? {
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, searched) = (end + 1, end + 1) }
                return Array(bytes[start..<end])
            }
            bytes.removeFirst(start)
            (start, searched) = (0, bytes.count)
            guard bytes.count <= longest else { throw FileError("output", .tooLarge) }
            if shouldCancel?() == true { throw .cancelled("output") }
            if shouldCancel != nil, !hasInput(descriptor, within: 100) { continue }
            guard try readBytes(descriptor, upTo: 1 << 16, into: &bytes) else { return nil }
        }
    }
}

extension FileError {
    /// The error for a file whose reading was cancelled (`ECANCELED`).
    package static func cancelled(_ path: LocalPath) -> FileError { FileError(path, .other(errno: 125)) }
}
