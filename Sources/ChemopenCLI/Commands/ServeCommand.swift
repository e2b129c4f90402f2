import Chemopen
import ChemopenBrowse

extension Option {
    static let listen = Option(
        "--listen", value: "PLACE", help: "127.0.0.1:PORT (8017 without it) or unix:PATH, for a proxy")
    static let address = Option(
        "--address", value: "URL", help: "where readers reach the proxy: https://chem.example.org")
    static let tokens = Option("--tokens", path: "FILE", help: "the list of readers, if not readers in your settings")
    static let addReader = Option("--add", value: "NAME", help: "make a token for a reader, and show it this once")
    static let listReaders = Option("--list", help: "list the readers, and since when they are such")
    static let withdrawReader = Option("--withdraw", value: "NAME", help: "take a reader's token back")
}

/// `chemopen serve`: a folder's collections for a team, to read.
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "serve the collections of a folder to a team, to read in browsers and programs"
    static let usage = "chemopen serve [options] FOLDER | --add NAME | --list | --withdraw NAME"
    static let example = "chemopen serve --listen unix:/run/chemopen/socket --address https://chem.example.org ~/team"
    static let options: [Option] = [.listen, .address, .tokens, .addReader, .listReaders, .withdrawReader, .json]
    static let remarks = [
        "The folder and each folder in it is a collection; its mapping.json says how it is shown.",
        "It listens on this machine alone: a proxy with TLS stands before it (docs/serve.md has recipes).",
        "Nothing is changed. Each reader has a token, of which only a digest is kept.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let actions = [Option.addReader, .listReaders, .withdrawReader].filter(arguments.has)
        if arguments.has(.json), !arguments.has(.listReaders) { throw UsageError("--json goes with --list") }
        if actions.isEmpty { return try serve(arguments, on: terminal) }
        guard actions.count == 1, arguments.operands.isEmpty, !arguments.has(.listen), !arguments.has(.address) else {
            throw UsageError("--add, --list and --withdraw stand by themselves, or with --tokens")
        }
        do throws(Readers.Failure) {
            var readers = try Readers(arguments.path(of: .tokens) ?? Readers.usualPath(in: .current))
            if let name = arguments.value(of: .addReader) {
                let token = Secret().text
                try readers.add(name, token: token, on: String(localTime(currentTime()).prefix(10)))
                terminal.print(token)
                terminal.tell(.note, "this is the only time that the token is shown")
            } else if let name = arguments.value(of: .withdrawReader) {
                try readers.withdraw(name)
            } else {
                if arguments.has(.json) { return list(readers, on: terminal) }
                for reader in readers.list { terminal.print(printable("\(reader.since)  \(reader.name)")) }
            }
            return .done
        } catch {
            terminal.tell(.error, error.message)
            return .unwritable
        }
    }

    /// The readers, a JSON object each.
    private static func list(_ readers: borrowing Readers, on terminal: Terminal) -> ExitStatus {
        var json = JSON()
        for reader in readers.list {
            json.object { json in
                json.field("name", reader.name)
                json.field("since", reader.since)
            }
            json.endLine()
        }
        terminal.write(json.bytes)
        return .done
    }

    private static func serve(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        guard arguments.operands.count == 1, let folder = arguments.operands.first else {
            throw UsageError("serve takes one folder")
        }
        let place = arguments.path(of: .listen) ?? ""
        if place.hasPrefix("unix:"), !arguments.has(.address) {
            throw UsageError("behind a socket of the file system --address has to say where readers reach the proxy")
        }
        var words: [LocalPath] = ["--serve", folder]
        for option in [Option.listen, .address, .tokens] {
            if let value = arguments.path(of: option) { words += ["\(option.name)", value] }
        }
        terminal.flush()
        terminal.tell(.error, SiblingProgram.viewer.run(words))
        return .noApplication
    }
}
