import ChemopenBytes

/// A program as it has registered with the desktop: a `.desktop` file.
public struct DesktopEntry: Sendable {
    /// The path below `applications`, with dashes for slashes: `org.example.App.desktop`.
    public let id: String
    /// Where the file lies.
    public let location: LocalPath
    /// In the user's language.
    public let name: String
    /// The purpose of the program, in the user's language.
    public let comment: String
    /// The name of the icon, or its path.
    public let icon: String?
    /// The types that the program says it opens.
    public let mimeTypes: [String]
    /// A program without which this one is not installed.
    public let tryExec: String?
    /// The folder in which the program is to run.
    public let folder: LocalPath?
    /// The program runs in a terminal.
    public let isTerminalProgram: Bool
    /// The program can be started over the session bus.
    public let isBusActivatable: Bool
    /// Left out of menus; a handler all the same.
    public let isUnlisted: Bool
    /// The other things that it can do.
    public let actions: [Action]
    /// How it is started; what is wrong with that, where it cannot be.
    let exec: Result<ExecLine, EntryError>?

    /// Something else that the program can do, in the menu of its icon.
    public struct Action: Sendable {
        /// The name of the action in the entry.
        public let id: String
        /// The name in the menu, in the user's language.
        public let name: String
    }

    /// Reads an entry; `locales` are the spellings of the user's language.
    public init(_ bytes: [UInt8], id: String, location: LocalPath, locales: [String] = []) throws(EntryError) {
        let file = KeyFile(bytes)
        if let line = file.faults.first { throw EntryError("line \(line) is no key and value") }
        guard let group = file.groups.first, group.name == "Desktop Entry" else {
            throw EntryError("it does not begin with [Desktop Entry]")
        }
        guard group.string("Type") == "Application" else { throw EntryError("it is no application") }
        if group.flag("Hidden") { throw EntryError("it is marked as deleted") }
        guard let name = group.string("Name", in: locales), !name.isEmpty else { throw EntryError("it has no name") }
        self.id = id
        self.location = location
        self.name = name
        comment = group.string("Comment", in: locales) ?? ""
        icon = group.string("Icon", in: locales)
        mimeTypes = group.list("MimeType")
        tryExec = group.string("TryExec")
        folder = group.string("Path").flatMap { $0.hasPrefix("/") ? LocalPath($0) : nil }
        isTerminalProgram = group.flag("Terminal")
        isBusActivatable = group.flag("DBusActivatable")
        isUnlisted = group.flag("NoDisplay")
        exec = group.string("Exec").map { text in
            do throws(EntryError) { return .success(try ExecLine(text)) } catch { return .failure(error) }
        }
        guard exec != nil || isBusActivatable else { throw EntryError("it has no Exec line") }
        actions = group.list("Actions").compactMap { id in
            file.group("Desktop Action \(id)")?.string("Name", in: locales).map { Action(id: id, name: $0) }
        }
    }

    /// An entry of which there is no file.
    init(id: String, name: String, exec: ExecLine, mimeTypes: [String], isTerminalProgram: Bool) {
        self.id = id
        self.name = name
        self.mimeTypes = mimeTypes
        self.isTerminalProgram = isTerminalProgram
        self.exec = .success(exec)
        (location, comment, icon, tryExec, folder) = ("", "", nil, nil, nil)
        (isBusActivatable, isUnlisted, actions) = (false, false, [])
    }

    /// Reads the file of an entry, which must be a file that only its owner and the system can change.
    init(path: LocalPath, id: String, locales: [String]) throws(EntryError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path, limit: 1024 * 1024)
        } catch {
            throw EntryError(error.explanation)
        }
        try self.init(bytes, id: id, location: path, locales: locales)
    }

    /// The bus name under which the program is started.
    var busName: String { String(id.dropLast(".desktop".count)) }

    /// The entry's program, or why there is none.
    public func program(in session: Surroundings) throws(EntryError) -> LocalPath {
        if let tryExec, session.program(tryExec) == nil { throw EntryError("\(tryExec) is not installed") }
        guard let exec else { throw EntryError("it is started over the bus only") }
        let line = try exec.get()
        guard let program = session.program(line.program) else { throw EntryError("\(line.program) is not installed") }
        return program
    }

    /// Whether the entry can be started at all.
    public func checkUsable(in session: Surroundings) throws(EntryError) {
        if exec == nil, isBusActivatable {
            if let tryExec, session.program(tryExec) == nil { throw EntryError("\(tryExec) is not installed") }
            return
        }
        _ = try program(in: session)
    }

    /// All the programs that the Exec line names or may hand on to: its words that are programs.
    func programsNamed(in session: Surroundings) -> [LocalPath] {
        guard case .success(let line)? = exec else { return [] }
        return line.words.compactMap { word in
            guard case .pieces(let pieces) = word, case .text(let text)? = pieces.first, pieces.count == 1 else {
                return nil
            }
            return session.program(String(decoding: text, as: UTF8.self))
        }
    }
}
