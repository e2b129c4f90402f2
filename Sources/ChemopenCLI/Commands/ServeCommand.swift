import Chemopen
import ChemopenBrowse

extension Option {
    static let listen = Option(
        "--listen", value: "PLACE", help: "listen on 127.0.0.1:PORT (default: 8017) or unix:PATH, for a proxy")
    static let address = Option(
        "--address", value: "URL", help: "public address of the proxy: https://chem.example.org")
    static let tokens = Option(
        "--tokens", path: "FILE", help: "file with the list of readers, instead of the one in your settings")
    static let addReader = Option("--add", value: "NAME", help: "create a token for a reader and print it once")
    static let listReaders = Option("--list", help: "list the readers and when they were added")
    static let revokeReader = Option("--revoke", value: "NAME", help: "revoke a reader's token")
}

/// `chemopen serve`: serves the collections of a directory to a team, read-only.
enum ServeCommand: Command {
    static let name = "serve"
    static let group = CommandGroup.network
    static let summary = "serve the collections in a directory to a team, for browsers and programs"
    static let usage = "chemopen serve [options] FOLDER | --add NAME | --list | --revoke NAME"
    static let example = "chemopen serve --listen unix:/run/chemopen/socket --address https://chem.example.org ~/team"
    static let moreExamples = [
        "chemopen serve --add anna",
        "chemopen serve --revoke anna",
    ]
    static let options: [Option] = [.listen, .address, .tokens, .addReader, .listReaders, .revokeReader, .json]
    static let remarks = [
        "The directory and each directory in it is a collection; its mapping.json specifies how it is",
        "shown. The server listens only on this machine: use a proxy with TLS in front of it (see",
        "docs/serve.md). It changes no file. Each reader has a token; only a digest of it is stored.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let actions = [Option.addReader, .listReaders, .revokeReader].filter(arguments.has)
        if arguments.has(.json), !arguments.has(.listReaders) { throw UsageError("--json requires --list") }
        if actions.isEmpty { return try serve(arguments, on: terminal) }
        guard actions.count == 1, arguments.operands.isEmpty, !arguments.has(.listen), !arguments.has(.address) else {
            throw UsageError("use only one of --add, --list and --revoke, with --tokens at most")
        }
        do throws(Readers.Failure) {
            var readers = try Readers(arguments.path(of: .tokens) ?? Readers.usualPath(in: .current))
            if let name = arguments.value(of: .addReader) {
                let token = Secret().text
                try readers.add(name, token: token, on: String(localTime(currentTime()).prefix(10)))
                terminal.print(token)
                terminal.tell(.note, "this is the only time that the token is shown")
            } else if let name = arguments.value(of: .revokeReader) {
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

    /// Prints the readers as JSON objects, one per line.
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
            throw UsageError("serve requires one directory")
        }
        let place = arguments.path(of: .listen) ?? ""
        if place.hasPrefix("unix:"), !arguments.has(.address) {
            throw UsageError("unix:PATH requires --address with the public address of the proxy")
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
