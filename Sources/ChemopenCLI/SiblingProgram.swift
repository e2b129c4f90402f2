import Chemopen

/// A companion program in the same directory. It is separate to avoid loading its libraries here.
struct SiblingProgram {
    let name: String
    /// The path, or `nil` if the program is not installed.
    let path: LocalPath?

    static let viewer = SiblingProgram("chemopen-view")

    static let fetcher = SiblingProgram("chemopen-fetch")

    init(_ name: String) {
        self.name = name
        path = programBeside(name)
    }

    /// Replaces this process with the program. Returns an error message if that fails.
    func run(_ words: [LocalPath]) -> String {
        guard let path else { return "the program \(name) is not installed next to chemopen" }
        return "\(becomeProgram(path, arguments(words)))"
    }

    /// Starts the program as a separate process that can outlive this one.
    func start(_ words: [LocalPath]) -> ChildProcess? {
        guard let path else { return nil }
        return try? spawn(
            path, arguments(words), environment: currentEnvironment, in: currentFolder(), streams: .none)
    }

    /// Starts the program as a separate process that can outlive this one, and waits for its first output. Returns an
    /// empty array if it ends without output.
    func startTelling(_ words: [LocalPath]) -> [UInt8] {
        guard let path, let ends = try? makePipe() else { return [] }
        defer { closeDescriptor(ends.reading) }
        let child = try? spawn(
            path, arguments(words), environment: currentEnvironment, in: currentFolder(),
            streams: .printing(to: ends.writing))
        closeDescriptor(ends.writing)
        return child.flatMap { try? readToEnd(ends.reading, of: $0, limit: 1) } ?? []
    }

    private func arguments(_ words: [LocalPath]) -> [[UInt8]] {
        [Array(name.utf8)] + words.map(\.bytes)
    }
}
