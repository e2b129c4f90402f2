import Chemopen

/// The program git, over its stable command line.
struct Git {
    private let program: LocalPath
    let isForUser: Bool

    /// `nil` where there is none.
    init?(forUser isForUser: Bool, _ session: Surroundings = .current) {
        guard let program = try? session.findProgram("git") else { return nil }
        self.program = program
        self.isForUser = isForUser
    }

    /// The configuration that is read and written.
    private var place: String { isForUser ? "--global" : "--local" }

    /// The answer of git to a request; `nil` where it fails.
    func say(_ words: [String]) -> String? {
        let words = ["-C"].map { LocalPath($0) } + [currentFolder()] + words.map { LocalPath($0) }
        return runProgram(program, words).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a key of the configuration, the repository's or the user's.
    func value(of key: String) -> String? {
        say(["config", place, "--get", key])
    }

    /// Sets a key, or takes it out. Whether that was done.
    func set(_ key: String, to value: String?) -> Bool {
        say(["config", place] + (value.map { [key, $0] } ?? ["--unset", key])) != nil
    }

    /// Whether any key of the configuration begins so.
    func hasSection(_ name: String) -> Bool {
        let pattern = "^" + name.replacingEach(".", by: "\\.") + "\\."
        return say(["config", place, "--get-regexp", pattern]) != nil
    }

    /// Takes out what is left of a section without keys.
    func removeSection(_ name: String) {
        _ = say(["config", place, "--remove-section", name])
    }

    /// The file of attributes that no repository carries along.
    func attributesFile(_ session: Surroundings = .current) -> LocalPath? {
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
