import Chemopen

/// A program that belongs to this one and lies beside it: what it needs of libraries, this one need not load.
struct SiblingProgram {
    let name: String
    /// Where it lies; nothing where it is not installed.
    let path: LocalPath?

    static let viewer = SiblingProgram("chemopen-view")

    static let fetcher = SiblingProgram("chemopen-fetch")

    init(_ name: String) {
        self.name = name
        path = programBeside(name)
    }

    /// Lets it take the place of this program. Returns only when that fails, with the reason.
    func run(_ words: [LocalPath]) -> String {
        guard let path else { return "the program \(name) does not lie beside this one" }
        return "\(becomeProgram(path, arguments(words)))"
    }

    /// Starts it as a process of its own, which outlives this one.
    func start(_ words: [LocalPath]) -> ChildProcess? {
        guard let path else { return nil }
        return try? spawn(
            path, arguments(words), environment: currentEnvironment, in: currentFolder(), streams: .none)
    }

    /// Starts it as a process of its own, which outlives this one, and waits for its first words; none where it ends without.
    func startTelling(_ words: [LocalPath]) -> [UInt8] {
        guard let path, let ends = try? makePipe() else { return [] }
        defer { closeDescriptor(ends.reading) }
        let child = try? spawn(
            path, arguments(words), environment: currentEnvironment, in: currentFolder(),
            streams: .printing(to: ends.writing))
        closeDescriptor(ends.writing)
        return child == nil ? [] : readToEnd(ends.reading, limit: 1)
    }

    private func arguments(_ words: [LocalPath]) -> [[UInt8]] {
        [Array(name.utf8)] + words.map(\.bytes)
    }
}
