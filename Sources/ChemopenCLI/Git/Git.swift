import Chemopen

/// The program git, used through its stable command-line interface.
struct Git {
    private let program: LocalPath
    let isForUser: Bool

    /// Creates the interface, or returns `nil` if git is not installed.
    init?(forUser isForUser: Bool, _ session: SessionEnvironment = .current) {
        guard let program = try? session.findProgram("git") else { return nil }
        self.program = program
        self.isForUser = isForUser
    }

    /// The option for the configuration to read and write.
    private var place: String { isForUser ? "--global" : "--local" }

    /// Runs git and returns its output, or `nil` if it fails.
    func say(_ words: [String]) -> String? {
        let words = ["-C"].map { LocalPath($0) } + [currentFolder()] + words.map { LocalPath($0) }
        return runProgram(program, words).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the value of a key in the configuration.
    func value(of key: String) -> String? {
        say(["config", place, "--get", key])
    }

    /// Sets or removes a key. Returns whether that succeeded.
    func set(_ key: String, to value: String?) -> Bool {
        say(["config", place] + (value.map { [key, $0] } ?? ["--unset", key])) != nil
    }

    /// Returns whether the configuration contains a key in a section.
    func hasSection(_ name: String) -> Bool {
        let pattern = "^" + name.replacingEach(".", by: "\\.") + "\\."
        return say(["config", place, "--get-regexp", pattern]) != nil
    }

    /// Removes a section that no longer contains keys.
    func removeSection(_ name: String) {
        _ = say(["config", place, "--remove-section", name])
    }

    /// Returns the path of the attributes file that is not part of a repository.
    func attributesFile(_ session: SessionEnvironment = .current) -> LocalPath? {
        if !isForUser {
            return say(["rev-parse", "--git-path", "info/attributes"]).map {
                LocalPath($0).absolute(from: currentFolder())
            }
        }
        if let path = say(["config", "--global", "--type=path", "--get", "core.attributesFile"]) {
            return LocalPath(path)
        }
        return session.configHome.appending("git/attributes")
    }
}
