import Chemopen

/// A program that belongs to this one and lies beside it: what it needs of libraries, this one need not load.
struct SiblingProgram {
    let name: String
    /// Where it lies; nothing where it is not installed.
    let path: [UInt8]?

    static let viewer = SiblingProgram("chemopen-view")

    init(_ name: String) {
        self.name = name
        let own = resolvedPath(Array("/proc/self/exe".utf8)) ?? []
        let beside = own.lastIndex(of: UInt8(ascii: "/")).map { own[...$0] + Array(name.utf8) }
        path = beside.flatMap { isExecutableFile(Array($0)) ? Array($0) : nil }
    }

    /// Lets it take the place of this program. Returns only when that fails, with the reason.
    func run(_ words: [[UInt8]]) -> String {
        guard let path else { return "the program \(name) does not lie beside this one" }
        return "\(becomeProgram(path, [Array(name.utf8)] + words))"
    }

    /// Starts it as a process of its own, which outlives this one.
    func start(_ words: [[UInt8]]) -> ChildProcess? {
        guard let path else { return nil }
        return try? spawn(
            path, [Array(name.utf8)] + words, environment: currentEnvironment,
            in: String(decoding: currentFolder(), as: UTF8.self), streams: .none)
    }
}
