import Chemopen

/// `chemopen cache`: what was fetched and is kept.
enum CacheCommand: Command {
    static let name = "cache"
    static let summary = "list the files that were fetched from addresses, or forget them"
    static let usage = "chemopen cache [options] [list | clear [ADDRESS]]"
    static let example = "chemopen cache clear https://www.ebi.ac.uk"
    static let options: [Option] = [.json]
    static let words = ["list", "clear"]
    static let remarks = [
        "list     when it was last known to be unchanged, its size, and its address without a query",
        "clear    forgets the file of ADDRESS, all of the server https://HOST, or all with their key",
        "",
        "Commands that read files take https:// addresses that are typed: never one that stands in a",
        "file. The program chemopen-fetch fetches what has changed, and the rest of what broke off; what",
        "is kept is shown when the network is gone. It fetches by https alone (by http of this machine),",
        "at most 16 GiB in 4 hours, and gives up where less than 1000 bytes a second come in a minute;",
        "CHEMOPEN_FETCH_BYTES, CHEMOPEN_FETCH_SECONDS and CHEMOPEN_FETCH_STALL set otherwise.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let words = arguments.operands.isEmpty ? ["list"] : arguments.operands
        let isKnown = words == ["list"] || words[0] == "clear" && words.count <= 2
        guard isKnown else {
            let given = words.map(\.shown).joined(separator: " ")
            throw UsageError("cache takes list or clear, not \"\(given)\"" + suggestion(for: given, among: self.words))
        }
        return Fetcher.run(arguments.has(.json) ? ["--json"] + words : words, on: terminal)
    }
}

/// `chemopen login`: gives the words for a server to the session's keyring.
enum LoginCommand: Command {
    static let name = "login"
    static let summary = "give the password or token for a server to the keyring"
    static let usage = "chemopen login [options] https://HOST"
    static let example = "chemopen login https://data.example.org"
    static let options: [Option] = []
    static let remarks = [
        "It asks for the name and the password, or reads them from standard input, a line each; where the",
        "name is empty, the password is a token. The session's keyring keeps them, and they are sent to",
        "this server alone. Without one, ~/.netrc serves, if nobody else can read it: a line",
        "machine HOST login NAME password WORD, where the login bearer says that WORD is a token.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        try Fetcher.run(name, arguments, on: terminal)
    }
}

/// `chemopen logout`: withdraws them.
enum LogoutCommand: Command {
    static let name = "logout"
    static let summary = "withdraw the password or token for a server from the keyring"
    static let usage = "chemopen logout [options] https://HOST"
    static let example = "chemopen logout https://data.example.org"
    static let options: [Option] = []

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        try Fetcher.run(name, arguments, on: terminal)
    }
}

/// The program that has to do with the network.
private enum Fetcher {
    static func run(_ name: String, _ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1 else { throw UsageError("\(name) takes the address of one server") }
        let word = arguments.operands[0]
        do throws(Address.Refusal) {
            _ = try Address(word.text ?? word.shown)
        } catch {
            throw UsageError("the address \(error)")
        }
        return run([LocalPath(name)] + arguments.operands, on: terminal)
    }

    /// Lets it take the place of this program.
    static func run(_ words: [LocalPath], on terminal: Terminal) -> ExitStatus {
        terminal.flush()
        terminal.tell(.error, SiblingProgram.fetcher.run(words))
        return .noApplication
    }
}
