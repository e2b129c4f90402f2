import Chemopen
import ChemopenBrowse

extension Option {
    static let listen = Option(
        "--listen", value: "PLACE", help: "listen on 127.0.0.1:PORT (default: 8017) or unix:PATH, for a proxy")
    static let address = Option(
        "--address", value: "URL", help: "public address of the proxy: https://chem.example.org")
    static let tokens = Option(
        "--tokens", path: "FILE", help: "file with the list of readers, instead of the one in your settings")
    static let checkService = Option(
        "--check", help: "check directory, mappings, tokens and address; print the problems")
    static let noLog = Option("--no-log", help: "write no access log to standard error")
    static let addReader = Option("--add", value: "NAME", help: "create a token for a reader and print it once")
    static let right = Option(
        "--right", value: "RIGHT", help: "what the token permits: read (default), propose or write")
    static let collections = Option(
        "--collections", value: "LIST", help: "the visible directories, such as lots,vitamins (default: all)")
    static let lastDay = Option("--until", value: "DATE", help: "the last day of the token, such as 2027-01-31")
    static let listReaders = Option("--list", help: "list the readers, their rights and their last requests")
    static let rotateToken = Option(
        "--rotate", value: "NAME", help: "create a second token; the old one stays valid until you revoke it")
    static let revokeOld = Option("--revoke-old", value: "NAME", help: "revoke the older of a reader's two tokens")
    static let revokeReader = Option("--revoke", value: "NAME", help: "revoke all tokens of a reader")
}

/// `chemopen serve`: serves the collections of a directory to a team.
enum ServeCommand: Command {
    static let name = "serve"
    static let group = CommandGroup.network
    static let summary = "serve the collections in a directory to a team, for browsers and programs"
    static let usage =
        "chemopen serve [options] FOLDER | --add NAME | --list | --rotate NAME | --revoke NAME"
    static let example = "chemopen serve --listen unix:/run/chemopen/socket --address https://chem.example.org ~/team"
    static let moreExamples = [
        "chemopen serve --add anna",
        "chemopen serve --add bo --right write --collections vitamins,lots --until 2027-01-31",
        "chemopen serve --revoke anna",
    ]
    static let options: [Option] =
        [.listen, .address, .tokens, .noLog, .checkService, .addReader] + rights
        + [.listReaders, .rotateToken, .revokeOld, .revokeReader, .json]
    private static let rights: [Option] = [.right, .collections, .lastDay]
    static let remarks = [
        "The directory and each directory in it is a collection; its mapping.json specifies how it is",
        "shown. The server listens only on this machine: use a proxy with TLS in front of it (see",
        "docs/serve.md). Each reader has a token; only a digest of it is stored. Readers can change",
        "only the fields that a mapping lists, and only with the right to propose or write.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        let actions = [Option.addReader, .listReaders, .rotateToken, .revokeOld, .revokeReader].filter(arguments.has)
        if arguments.has(.json), !arguments.has(.listReaders) { throw UsageError("--json requires --list") }
        if rights.contains(where: arguments.has), !arguments.has(.addReader), !arguments.has(.rotateToken) {
            throw UsageError("--right, --collections and --until require --add or --rotate")
        }
        if actions.isEmpty { return try serve(arguments, on: terminal) }
        let serving = [Option.listen, .address, .noLog, .checkService]
        guard actions.count == 1, arguments.operands.isEmpty, !serving.contains(where: arguments.has) else {
            throw UsageError("use only one of --add, --list, --rotate, --revoke-old and --revoke")
        }
        let today = String(localTime(currentTime()).prefix(10))
        let token = Secret().text
        func show() {
            terminal.print(token)
            terminal.tell(.note, "this is the only time that the token is shown")
        }
        let rights = try self.rights(in: arguments)
        do throws(Readers.Failure) {
            var readers = try Readers(arguments.path(of: .tokens) ?? Readers.usualPath(in: .current))
            if let name = arguments.value(of: .addReader) {
                var reader = Reader(name)
                rights(&reader)
                try readers.add(reader, token: token, on: today)
                show()
            } else if let name = arguments.value(of: .rotateToken) {
                try readers.rotate(name, token: token, on: today, rights)
                show()
            } else if let name = arguments.value(of: .revokeOld) {
                try readers.withdraw(name, onlyOld: true)
            } else if let name = arguments.value(of: .revokeReader) {
                try readers.withdraw(name)
            } else {
                let seen = LastSeen(beside: readers.path)
                if arguments.has(.json) { return list(readers, seen, on: terminal) }
                for reader in readers.list {
                    let time = seen.time(of: reader).map { "last request \(localTime($0))" } ?? "no request yet"
                    let end = reader.hasExpired(on: today) ? "  (expired)" : ""
                    terminal.print(printable("\(reader.since)  \(reader.name)  \(reader.rights)  \(time)" + end))
                }
            }
            return .done
        } catch {
            terminal.tell(.error, error.message)
            return .unwritable
        }
    }

    /// Returns a function that sets the rights which the arguments specify.
    private static func rights(in arguments: Arguments) throws(UsageError) -> (inout Reader) -> Void {
        var right: Reader.Right?
        if let word = arguments.value(of: .right) {
            right = Reader.Right(rawValue: word)
            let names = Reader.Right.allCases.map(\.rawValue)
            if right == nil {
                throw UsageError("--right must be read, propose or write" + suggestion(for: word, among: names))
            }
        }
        let until = arguments.value(of: .lastDay)
        if let until, !Reader.isDay(until) { throw UsageError("--until requires a date such as 2027-01-31") }
        let collections = arguments.value(of: .collections)?.split(separator: ",").map { String($0).trimmingBlanks }
        if collections?.isEmpty == true { throw UsageError("--collections requires at least one directory") }
        return { [right] reader in
            reader.right = right ?? reader.right
            reader.until = until ?? reader.until
            reader.collections = collections ?? reader.collections
        }
    }

    /// Prints the readers as JSON objects, one per line.
    private static func list(
        _ readers: borrowing Readers, _ seen: LastSeen, on terminal: Terminal
    ) -> ExitStatus {
        var json = JSON()
        for reader in readers.list {
            json.object { json in
                json.field("name", reader.name)
                json.field("since", reader.since)
                json.field("right", reader.right.rawValue)
                if let collections = reader.collections { json.field("collections", collections) }
                if let until = reader.until { json.field("until", until) }
                if let time = seen.time(of: reader) { json.field("seen", universalTime(time)) }
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
        if let place = arguments.path(of: .listen) {
            guard let parsed = ListenPlace(place) else {
                let reason = "the server listens only on this machine"
                throw UsageError("--listen requires 127.0.0.1:PORT or unix:PATH, not \"\(place.shown)\"; \(reason)")
            }
            if case .socket = parsed, !arguments.has(.address) {
                throw UsageError("unix:PATH requires --address with the public address of the proxy")
            }
        }
        if let address = arguments.value(of: .address), ListenPlace.origin(address) == nil {
            throw UsageError("--address requires the form https://chem.example.org, not \"\(address)\"")
        }
        var words: [LocalPath] = ["--serve", folder, "--program", LocalPath(version)]
        for flag in [Option.noLog, .checkService] where arguments.has(flag) { words.append("\(flag.name)") }
        for option in [Option.listen, .address, .tokens] {
            if let value = arguments.path(of: option) { words += ["\(option.name)", value] }
        }
        terminal.flush()
        terminal.tell(.error, SiblingProgram.viewer.run(words))
        return .noApplication
    }
}
