import Chemopen

/// `chemopen cache`: lists and deletes cached files.
enum CacheCommand: Command {
    static let name = "cache"
    static let group = CommandGroup.network
    static let summary = "list or remove cached copies of files fetched from the network"
    static let usage = "chemopen cache [options] [list | clear [ADDRESS]]"
    static let example = "chemopen cache clear https://www.ebi.ac.uk"
    static let options: [Option] = [.json]
    static let words = ["list", "clear"]
    static let remarks = [
        "list     prints the time of the last check, the size, and the address without its query",
        "clear    removes the copy of ADDRESS, of all addresses of https://HOST, or all with their key",
        "Commands that read files accept https:// addresses that you type, but never follow addresses in",
        "files. chemopen-fetch downloads only changed files and resumes interrupted downloads. The cached",
        "copy is used if the network is down. Only https is used (http for this machine), at most 16 GiB in",
        "4 hours; a download fails if fewer than 1000 bytes per second arrive for a minute. To change these",
        "limits, set CHEMOPEN_FETCH_BYTES, CHEMOPEN_FETCH_SECONDS and CHEMOPEN_FETCH_STALL.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let words = arguments.operands.isEmpty ? ["list"] : arguments.operands
        let isKnown = words == ["list"] || words[0] == "clear" && words.count <= 2
        guard isKnown else {
            let given = words.map(\.shown).joined(separator: " ")
            throw UsageError(
                "cache accepts list or clear, not \"\(given)\"" + suggestion(for: given, among: self.words))
        }
        return Fetcher.run(arguments.has(.json) ? ["--json"] + words : words, on: terminal)
    }
}

/// `chemopen login`: stores a credential for a server in the session's keyring.
enum LoginCommand: Command {
    static let name = "login"
    static let group = CommandGroup.network
    static let summary = "store the password or token for a server in the keyring"
    static let usage = "chemopen login [options] https://HOST"
    static let example = "chemopen login https://data.example.org"
    static let options: [Option] = []
    static let remarks = [
        "The command prompts for the name and the password, or reads them from standard input, one per line.",
        "If the name is empty, the password is a token. They are stored in the session's keyring and sent",
        "only to this server. Without a keyring, ~/.netrc is used if only you can read it: a line",
        "machine HOST login NAME password WORD; with the login name bearer, WORD is a token.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        try Fetcher.run(name, arguments, on: terminal)
    }
}

/// `chemopen logout`: deletes the credential.
enum LogoutCommand: Command {
    static let name = "logout"
    static let group = CommandGroup.network
    static let summary = "remove the password or token for a server from the keyring"
    static let usage = "chemopen logout [options] https://HOST"
    static let example = "chemopen logout https://data.example.org"
    static let options: [Option] = []

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        try Fetcher.run(name, arguments, on: terminal)
    }
}

/// The helper program for network access.
private enum Fetcher {
    static func run(_ name: String, _ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1 else { throw UsageError("\(name) requires the address of one server") }
        let word = arguments.operands[0]
        do throws(Address.Refusal) {
            _ = try Address(word.text ?? word.shown)
        } catch {
            throw UsageError("the address \(error)")
        }
        return run([LocalPath(name)] + arguments.operands, on: terminal)
    }

    /// Replaces this process with the helper program.
    static func run(_ words: [LocalPath], on terminal: Terminal) -> ExitStatus {
        terminal.flush()
        terminal.tell(.error, SiblingProgram.fetcher.run(words))
        return .noApplication
    }
}
