import ChemopenBytes

/// The path of a program that belongs to this one and lies beside it; `nil` where it does not.
package func programBeside(_ name: String) -> LocalPath? {
    let path = resolvedPath("/proc/self/exe")?.folder.appending(LocalPath(name))
    return path.flatMap { isExecutableFile($0) ? $0 : nil }
}

/// A program that was started to be written to and to be read. Whoever has started it closes both ends, and waits for it.
package struct StartedProgram: Sendable {
    package let process: ChildProcess
    /// The end that is written to.
    package let input: Int32
    /// The end that is read.
    package let output: Int32

    /// Starts a program; its first word is its name.
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

    /// Writes all that it is to read, and takes what it writes then, up to a limit. For a program that reads everything
    /// before it writes, so that neither waits for the other.
    package func answer(to text: [UInt8], limit: Int) -> [UInt8] {
        try? writeAll(text, to: input)
        closeDescriptor(input)
        defer { closeDescriptor(output) }
        return readToEnd(output, limit: limit)
    }
}
