import ChemopenBytes

/// A program that is registered with the desktop by a `.desktop` file.
public struct DesktopEntry: Sendable {
    /// The path below `applications`, with dashes instead of slashes: `org.example.App.desktop`.
    public let id: String
    /// The path of the `.desktop` file.
    public let location: LocalPath
    /// The name of the program in the user's language.
    public let name: String
    /// The purpose of the program in the user's language.
    public let comment: String
    /// The name or the path of the icon.
    public let icon: String?
    /// The MIME types that the entry lists.
    public let mimeTypes: [String]
    /// A program that must be installed for the entry to be valid.
    public let tryExec: String?
    /// The working directory of the program.
    public let folder: LocalPath?
    /// Whether the program runs in a terminal.
    public let isTerminalProgram: Bool
    /// Whether the program can be started over the session bus.
    public let isBusActivatable: Bool
    /// Whether menus omit the entry. Programs can still open files with the entry.
    public let isUnlisted: Bool
    /// The additional actions of the entry.
    public let actions: [Action]
    /// The parsed `Exec` line, or the error in it. `nil` if the entry has no `Exec` line.
    let exec: Result<ExecLine, EntryError>?

    /// An additional action of a program, shown in the menu of its icon.
    public struct Action: Sendable {
        /// The identifier of the action in the entry.
        public let id: String
        /// The name in the menu, in the user's language.
        public let name: String
    }

    /// Parses an entry.
    ///
    /// - Parameter locales: the user's locales, in the notation of entry keys.
    /// - Throws: an `EntryError` if the file is malformed, is not an application, or is marked as deleted.
    public init(_ bytes: [UInt8], id: String, location: LocalPath, locales: [String] = []) throws(EntryError) {
        let file = KeyFile(bytes)
        if let line = file.faults.first { throw EntryError("line \(line) is not a key with a value") }
        guard let group = file.groups.first, group.name == "Desktop Entry" else {
            throw EntryError("it does not begin with [Desktop Entry]")
        }
        guard group.string("Type") == "Application" else { throw EntryError("it is not an application") }
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

    /// Creates an entry that is not backed by a file.
    init(id: String, name: String, exec: ExecLine, mimeTypes: [String], isTerminalProgram: Bool) {
        self.id = id
        self.name = name
        self.mimeTypes = mimeTypes
        self.isTerminalProgram = isTerminalProgram
        self.exec = .success(exec)
        (location, comment, icon, tryExec, folder) = ("", "", nil, nil, nil)
        (isBusActivatable, isUnlisted, actions) = (false, false, [])
    }

    /// Reads an entry from a file of at most 1 MiB.
    init(path: LocalPath, id: String, locales: [String]) throws(EntryError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path, limit: 1024 * 1024)
        } catch {
            throw EntryError(error.explanation)
        }
        try self.init(bytes, id: id, location: path, locales: locales)
    }

    /// The bus name of the program.
    var busName: String { String(id.dropLast(".desktop".count)) }

    /// Finds the entry's program.
    ///
    /// - Returns: the absolute path of the program.
    /// - Throws: an `EntryError` if the program is not installed or the entry has no usable `Exec` line.
    public func program(in session: SessionEnvironment) throws(EntryError) -> LocalPath {
        if let tryExec, session.program(tryExec) == nil { throw EntryError("\(tryExec) is not installed") }
        guard let exec else { throw EntryError("it can only be started over the session bus") }
        let line = try exec.get()
        guard let program = session.program(line.program) else { throw EntryError("\(line.program) is not installed") }
        return program
    }

    /// Checks that the entry can be started.
    ///
    /// - Throws: an `EntryError` with the reason if it cannot be started.
    public func checkUsable(in session: SessionEnvironment) throws(EntryError) {
        if exec == nil, isBusActivatable {
            if let tryExec, session.program(tryExec) == nil { throw EntryError("\(tryExec) is not installed") }
            return
        }
        _ = try program(in: session)
    }

    /// Returns every program that the `Exec` line mentions, including the arguments that a launcher could start in
    /// turn.
    func programsNamed(in session: SessionEnvironment) -> [LocalPath] {
        guard case .success(let line)? = exec else { return [] }
        return line.words.compactMap { word in
            guard case .pieces(let pieces) = word, case .text(let text)? = pieces.first, pieces.count == 1 else {
                return nil
            }
            return session.program(String(decoding: text, as: UTF8.self))
        }
    }
}
