import Chemopen

extension Option {
    static let command = Option(
        "--command", value: "LINE", help: "with add: register this command as a program, as in 'viewer %F'")
    static let displayName = Option("--name", value: "NAME", help: "with add --command: name of the program")
}

/// `chemopen handlers`: shows and changes the programs that open each type.
enum HandlersCommand: Command {
    static let name = "handlers"
    static let group = CommandGroup.desktop
    static let isPaged = true
    static let summary = "show and change the programs that open each type"
    static let usage = "chemopen handlers [options] [list | default | add | remove | refresh] ..."
    static let example = "chemopen handlers default sdf pymol"
    static let options: [Option] = [.json, .command, .displayName]
    static let words = ["list", "default", "add", "remove", "refresh"]
    static let remarks = [
        "list [TYPE...]       lists the programs for each type; * marks the default",
        "default TYPE [ID]    prints the default, or makes ID the default; - removes it",
        "add ID TYPE...       registers ID for the types",
        "remove ID [TYPE...]  removes the registration",
        "refresh              recreates the entries of programs that get files through chemopen",
        "TYPE is a format, an extension or a MIME type; ID is the name of a desktop entry. Only your own",
        "lists and entries are changed.",
    ]

    static func run(_ arguments: Arguments, on terminal: Terminal) throws(UsageError) -> ExitStatus {
        var words = arguments.operands.map { $0.text ?? $0.shown }[...]
        let action = words.popFirst() ?? "list"
        let registry = HandlerRegistry(.current, program: OpenRequest.ownProgram)
        if action == "list" {
            try list(
                words.isEmpty
                    ? Array(arguments.formats)
                    : words.map { word throws(UsageError) in try format(word, among: arguments.formats) }, registry,
                arguments, on: terminal)
            return .done
        }
        return try change(action, Array(words), arguments, registry, on: terminal)
    }

    // MARK: Changing

    private static func change(
        _ action: String, _ words: [String], _ arguments: Arguments, _ registry: HandlerRegistry, on terminal: Terminal
    ) throws(UsageError) -> ExitStatus {
        let registration = Registration(in: registry.session)
        do {
            switch action {
            case "default": return try setDefault(words, arguments.formats, registration, registry, on: terminal)
            case "add": return try add(words, arguments, registration, registry, on: terminal)
            case "remove":
                let status = try remove(words, arguments.formats, registration, registry)
                let rest = HandlerRegistry(registry.session, program: OpenRequest.ownProgram)
                _ = try refreshBridges(of: arguments.formats, rest)
                return status
            case "refresh": return try refresh(words, arguments.formats, registry, on: terminal)
            default:
                throw UsageError(
                    "handlers accepts list, default, add, remove and refresh, not \"\(action)\""
                        + suggestion(for: action, among: self.words))
            }
        } catch let error as UsageError {
            throw error
        } catch {
            terminal.tell(.error, "\(error)")
            return .unwritable
        }
    }

    private static func setDefault(
        _ words: [String], _ formats: FormatRegistry, _ registration: Registration, _ registry: HandlerRegistry,
        on terminal: Terminal
    ) throws -> ExitStatus {
        guard let name = words.first, words.count <= 2 else {
            throw UsageError("handlers default requires a type and optionally an ID")
        }
        let types = try self.types(name, among: formats)
        guard words.count == 2 else {
            for type in types { terminal.print("\(type): \(registry.effectiveHandler(for: type)?.id ?? "none")") }
            return .done
        }
        if words[1] == "-" {
            try registration.setDefault(nil, for: types)
        } else {
            try registration.setDefault(try handler(words[1], registry).id, for: types)
        }
        return .done
    }

    private static func add(
        _ words: [String], _ arguments: Arguments, _ registration: Registration, _ registry: HandlerRegistry,
        on terminal: Terminal
    ) throws -> ExitStatus {
        guard let id = words.first, words.count > 1 else {
            throw UsageError("handlers add requires an ID and at least one type")
        }
        let types = try words.dropFirst().flatMap { try self.types($0, among: arguments.formats) }
        guard let command = arguments.value(of: .command) else {
            try registration.add(try handler(id, registry).id, to: types)
            return .done
        }
        for option in [Option.command, .displayName] where arguments.path(of: option)?.text == nil {
            if let value = arguments.value(of: option) {
                throw UsageError("\(option.name) must be UTF-8, not \"\(value)\"")
            }
        }
        let fullID = id.hasSuffix(".desktop") ? id : id + ".desktop"
        try registration.makeEntry(
            fullID, name: arguments.value(of: .displayName) ?? id, command: command, types: types)
        let registry = HandlerRegistry(registry.session, program: OpenRequest.ownProgram)
        _ = try refreshBridges(of: arguments.formats, registry)
        return .done
    }

    private static func remove(
        _ words: [String], _ formats: FormatRegistry, _ registration: Registration, _ registry: HandlerRegistry
    ) throws -> ExitStatus {
        guard let name = words.first else { throw UsageError("handlers remove requires an ID") }
        let handler = try handler(name, registry)
        let types =
            words.count > 1
            ? try words.dropFirst().flatMap { try self.types($0, among: formats) } : formats.flatMap(allTypes)
        if words.count == 1, registration.isOwnEntry(handler.id) {
            registration.removeEntry(handler.id)
            try registration.remove(handler.id, from: types, claiming: [])
        } else {
            try registration.remove(handler.id, from: types, claiming: handler.claims)
        }
        return .done
    }

    /// Recreates the entries of programs that receive converted files, which `install` created. The installed programs
    /// may have changed since then.
    private static func refresh(
        _ words: [String], _ formats: FormatRegistry, _ registry: HandlerRegistry, on terminal: Terminal
    ) throws -> ExitStatus {
        if let word = words.first {
            throw UsageError("unexpected argument: \"\(word)\"")
        }
        guard try refreshBridges(of: formats, registry) else {
            terminal.tell(.error, "chemopen is not installed on this desktop (run chemopen install)")
            return .noApplication
        }
        return .done
    }

    /// Returns `false` if this program is not installed for the user.
    private static func refreshBridges(of formats: FormatRegistry, _ registry: HandlerRegistry) throws -> Bool {
        let package = DesktopPackage.startingThisProgram(
            at: ProgramPlace(for: .user, in: registry.session), among: formats, registry)
        return try Installation(package, for: .user, in: registry.session).refreshBridges()
    }

    // MARK: Names

    private static func handler(_ name: String, _ registry: HandlerRegistry) throws(UsageError) -> Handler {
        if let handler = registry.handler(name) { return handler }
        throw UsageError("no installed program is named \"\(name)\"" + suggestion(for: name, among: registry.names))
    }

    private static func format(_ name: String, among formats: FormatRegistry) throws(UsageError) -> Format {
        let word = name.lowercased()
        let bare = word.hasPrefix(".") ? String(word.dropFirst()) : word
        if let format = formats.first(where: {
            $0.id == bare || $0.extensions.contains(bare) || allTypes($0).contains(word)
        }) {
            return format
        }
        throw UsageError("unknown format: \"\(name)\"" + suggestion(for: bare, among: formats.map(\.id)))
    }

    /// Returns the MIME types for a name: a MIME type itself, or a format's types with and without gzip.
    private static func types(_ name: String, among formats: FormatRegistry) throws(UsageError) -> [String] {
        name.contains("/") ? [name] : allTypes(try format(name, among: formats))
    }

    private static func allTypes(_ format: Format) -> [String] {
        format.typeDescriptions.map(\.type)
    }

    // MARK: Listing

    private static func list(
        _ formats: [Format], _ registry: HandlerRegistry, _ arguments: Arguments, on terminal: Terminal
    ) throws(UsageError) {
        let opening = FileOpener(registry, among: arguments.formats)
        for format in formats {
            let first = registry.effectiveHandler(for: format.mimeType)
            let candidates = opening.candidates(for: format).filter { candidate in
                format.mimeTypes.contains {
                    candidate.handler.reading(of: $0, version: "") != nil || candidate.handler.claims.contains($0)
                }
            }
            if arguments.has(.json) {
                write(format, first, candidates, on: terminal)
                continue
            }
            terminal.print("\(format.name), \(format.mimeType)")
            for candidate in candidates {
                let mark = candidate.handler.id == first?.id ? "*" : " "
                terminal.print(
                    "  \(mark) \(candidate.handler.name) [\(candidate.handler.id)]: \(told(candidate, format))")
            }
            if let first, registry.ownIDs.contains(first.id) {
                terminal.print("  * chemopen itself chooses [\(first.id)]")
            }
            if candidates.isEmpty {
                terminal.print("    no other program; chemopen converts the file for programs that read other types")
            }
        }
        for (id, error) in registry.unusable.sorted(by: { $0.key < $1.key })
        where registry.location(of: id) != nil && !arguments.has(.json) {
            terminal.tell(.note, "\(id) cannot be used: \(error)")
        }
    }

    private static func told(_ candidate: HandlerRegistry.Candidate, _ format: Format) -> String {
        let handler = candidate.handler
        let standing =
            switch candidate.standing {
            case .isDefault: "default"
            case .isRegistered: "registered"
            case .isKnown: "not registered, known to read it"
            case .opens(let type): "opens any \(type)"
            }
        guard let known = handler.known else { return standing }
        guard let reading = known.readings.first(where: { format.mimeTypes.contains($0.type) }) else {
            return standing + ", but does not read it"
        }
        let versions = reading.versions.isEmpty ? "" : ", reads " + reading.versions.joined(separator: " and ")
        return standing + versions + (reading.showsFirstOnly ? ", shows the first record" : "")
    }

    private static func write(
        _ format: Format, _ first: Handler?, _ candidates: [HandlerRegistry.Candidate], on terminal: Terminal
    ) {
        var json = JSON()
        json.object { json in
            json.field("format", format.id)
            json.field("mime_type", format.mimeType)
            if let first { json.field("default", first.id) }
            json.objects("handlers", of: candidates) { json, candidate in
                json.field("id", candidate.handler.id)
                json.field("name", candidate.handler.name)
                json.field("standing", told(candidate, format))
                json.field("entry", candidate.handler.entry.location)
            }
        }
        json.endLine()
        terminal.write(json.bytes)
    }
}
