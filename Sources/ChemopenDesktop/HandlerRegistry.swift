import ChemopenBytes

/// The installed programs that can open files, and their registrations for MIME types.
///
/// The registry combines desktop entries, association lists, their index, and built-in facts about programs.
///
///     let registry = HandlerRegistry(.current)
///     for candidate in registry.candidates(for: "chemical/x-mdl-molfile") {
///         print(candidate.handler.name)
///     }
public struct HandlerRegistry: Sendable {
    /// The session whose programs are listed.
    public let session: SessionEnvironment
    /// The MIME types known to the desktop.
    public let types: TypeTable
    /// The entries that cannot be used, with the reasons.
    public private(set) var unusable: [String: EntryError] = [:]
    private(set) var apps: MimeApps
    private var handlers: [String: Handler] = [:]
    /// This program's own entries, and entries that would only pass the file back to it.
    public private(set) var ownIDs: Set<String> = []
    /// Programs registered with `register(_:)`, which precede all others.
    private var registered: [String] = []
    private let paths: [String: LocalPath]

    /// Reads the installed programs.
    ///
    /// - Parameter program: the path of the running program, which is never offered as a handler.
    public init(_ session: SessionEnvironment, program: LocalPath? = nil) {
        self.session = session
        types = TypeTable(session)
        let folders = session.dataFolders.map { $0.appending("applications") }
        paths = Self.entryPaths(in: folders)
        let paths = self.paths
        apps = MimeApps(session) { Self.claims(in: $0, paths, session.locales) }
        let own = program.flatMap(resolvedPath)
        var names = Set(HandlerOverrides.all.keys)
        for layer in apps.layers {
            for ids in (layer.claims ?? [:]).values { names.formUnion(ids) }
            for list in layer.desktopLists + [layer.list, layer.oldDefaults].compactMap(\.self) {
                for group in list.groups { for key in group.keys { names.formUnion(group.list(key)) } }
            }
        }
        for id in names.sorted() { load(id, own) }
    }

    private mutating func load(_ id: String, _ own: LocalPath?) {
        guard let path = paths[id] else { return }
        do throws(EntryError) {
            let entry = try DesktopEntry(path: path, id: id, locales: session.locales)
            try entry.checkUsable(in: session)
            handlers[id] = Handler(entry, known: HandlerOverrides.all[id])
            if handsBack(entry, own) { ownIDs.insert(id) }
        } catch {
            unusable[id] = error
        }
    }

    /// Programs that open a file through the desktop's associations, which may lead back to this program.
    private static let openers: Set<String> = [
        "xdg-open", "gio", "gvfs-open", "exo-open", "kde-open", "kde-open5", "kioclient", "kioclient5", "mimeopen",
        "run-mailcap", "see", "open", "chemopen",
    ]

    private func handsBack(_ entry: DesktopEntry, _ own: LocalPath?) -> Bool {
        entry.programsNamed(in: session).contains { program in
            let name = program.name.shown
            return Self.openers.contains(name) || (own != nil && resolvedPath(program) == own)
        }
    }

    // MARK: What is installed

    /// Returns the paths of entries by ID. The first directory that contains an ID takes precedence.
    private static func entryPaths(in folders: [LocalPath]) -> [String: LocalPath] {
        var paths: [String: LocalPath] = [:]
        for folder in folders {
            var pending = [(path: folder, prefix: "", depth: 0)]
            while let next = pending.popLast() {
                // A file name that is not valid UTF-8 cannot be an ID.
                for entry in (try? folderEntries(next.path)) ?? [] {
                    guard let name = entry.text else { continue }
                    let path = next.path.appending(entry)
                    if name.hasSuffix(".desktop") {
                        if paths[next.prefix + name] == nil { paths[next.prefix + name] = path }
                    } else if next.depth < 4, EntryStatus(path)?.isFolder == true {
                        pending.append((path, next.prefix + name + "-", next.depth + 1))
                    }
                }
            }
        }
        return paths
    }

    /// Returns the MIME types that the entries of a directory without an index claim.
    private static func claims(
        in folder: LocalPath, _ paths: [String: LocalPath], _ locales: [String]
    ) -> [String: [String]]? {
        var claims: [String: [String]] = [:]
        for (id, path) in paths.sorted(by: { $0.key < $1.key }) where path.hasPrefix("\(folder)/") {
            guard let entry = try? DesktopEntry(path: path, id: id, locales: locales) else { continue }
            for type in entry.mimeTypes { claims[type, default: []].append(id) }
        }
        return claims
    }

    /// Returns the path of the entry with an ID, even if the entry cannot be used.
    ///
    /// - Returns: the path of the entry, or `nil` if it is not installed.
    public func location(of id: String) -> LocalPath? { paths[id] }

    /// The IDs of all installed entries.
    public var installedIDs: [String] { paths.keys.sorted() }

    // MARK: Lookup

    /// Registers a program for the lifetime of this value. It precedes installed programs.
    public mutating func register(_ handler: Handler) {
        handlers[handler.id] = handler
        registered.insert(handler.id, at: 0)
    }

    /// Finds a program by its ID or name. Case and the suffix `.desktop` are ignored.
    ///
    /// - Returns: the program, or `nil` if it is unknown or cannot be used.
    public func handler(_ name: String) -> Handler? {
        if let handler = handlers[name] ?? handlers[name + ".desktop"] { return handler }
        if let handler = installed(name) ?? installed(name + ".desktop") { return handler }
        let wanted = name.lowercased()
        let all = handlers.values.sorted { $0.id < $1.id }
        return all.first { $0.id.lowercased() == wanted + ".desktop" || $0.id.lowercased() == wanted }
            ?? all.first { $0.name.lowercased() == wanted }
            ?? all.first { $0.id.lowercased().hasSuffix(".\(wanted).desktop") }
    }

    /// Returns an installed program that no association list contains.
    private func installed(_ id: String) -> Handler? {
        guard let path = paths[id], let entry = try? DesktopEntry(path: path, id: id, locales: session.locales),
            (try? entry.checkUsable(in: session)) != nil
        else { return nil }
        return Handler(entry, known: HandlerOverrides.all[id])
    }

    /// The names of all programs, for suggestions.
    public var names: [String] {
        Set(paths.keys).union(handlers.keys).map { String($0.dropLast(".desktop".count)) }.sorted()
    }

    /// Returns the default program that the user or the administrator has set for a type.
    ///
    /// - Returns: the first default that is installed, or `nil` if no default is set or installed.
    public func defaultHandler(for type: String) -> Handler? {
        apps.defaults(for: type).lazy.compactMap { handlers[$0] }.first
    }

    /// Returns the defaults for a type that precede the effective one but cannot be used.
    ///
    /// - Returns: the IDs of these programs.
    public func missingDefaults(for type: String) -> [String] {
        Array(apps.defaults(for: type).prefix { handlers[$0] == nil })
    }

    /// Returns the program that the desktop uses for a type.
    ///
    /// - Returns: the default, or else the first registered program; `nil` if no program is installed.
    public func effectiveHandler(for type: String) -> Handler? {
        defaultHandler(for: type) ?? apps.associations(of: type).lazy.compactMap { handlers[$0] }.first
    }

    /// Returns the programs registered for a type.
    ///
    /// - Returns: the programs, in the order of the desktop's menu.
    public func registeredHandlers(for type: String) -> [Handler] {
        var ids = registered.filter { handlers[$0]?.claims.contains(type) == true }
        var known = Set(ids)
        if let first = defaultHandler(for: type)?.id, known.insert(first).inserted { ids.append(first) }
        for id in apps.associations(of: type) where known.insert(id).inserted { ids.append(id) }
        return ids.compactMap { handlers[$0] }
    }

    /// Returns the programs that can open a type.
    ///
    /// - Parameter aliases: other names of the type.
    /// - Returns: the programs, the first choice first: the default, registered programs, programs known to read the
    ///   type without being registered, and programs for its parent types.
    public func candidates(for type: String, aliases: [String] = []) -> [Candidate] {
        var found: [Candidate] = []
        func add(_ handler: Handler, _ standing: Candidate.Standing) {
            if ownIDs.contains(handler.id) || found.contains(where: { $0.handler.id == handler.id }) { return }
            found.append(Candidate(handler: handler, standing: standing))
        }
        let names = [type] + aliases
        for name in names {
            if let handler = defaultHandler(for: name) { add(handler, .isDefault) }
        }
        for name in names {
            for handler in registeredHandlers(for: name) { add(handler, .isRegistered) }
        }
        for handler in handlers.values.sorted(by: { $0.id < $1.id })
        where handler.known?.readings.contains(where: { $0.type == type }) == true {
            if !apps.isRemoved(handler.id, from: type) { add(handler, .isKnown) }
        }
        for parent in types.ancestors(of: type) {
            for handler in registeredHandlers(for: parent) { add(handler, .opens(parent)) }
        }
        return found
    }

    /// All programs in a list, a claim or the built-in facts, sorted by ID.
    public var all: [Handler] { handlers.values.sorted { $0.id < $1.id } }

    /// A program that could open a type, with the reason why it is offered.
    public struct Candidate: Sendable {
        /// The program.
        public let handler: Handler
        /// The reason why it is offered.
        public let standing: Standing

        /// Creates a candidate.
        public init(handler: Handler, standing: Standing) {
            self.handler = handler
            self.standing = standing
        }

        /// The reason why a program is offered for a type.
        public enum Standing: Sendable, Hashable {
            /// It is the default for the type.
            case isDefault
            /// It claims to open the type.
            case isRegistered
            /// It reads the type although it is not registered for it.
            case isKnown
            /// It opens a parent type, such as plain text.
            case opens(String)
        }
    }
}

extension HandlerRegistry {
    /// Browsers that show the page of their option `--app` in a window without an address bar.
    private static let appBrowsers = ["chrom", "google-chrome", "brave", "microsoft-edge", "vivaldi", "opera"]

    /// The default browser if it can show a page in a window without an address bar, otherwise `nil`.
    package var appBrowser: LocalPath? {
        guard case .success(let line)? = defaultHandler(for: "x-scheme-handler/http")?.entry.exec,
            let name = line.program.split(separator: "/").last,
            Self.appBrowsers.contains(where: { name.hasPrefix($0) })
        else { return nil }
        return session.program(line.program)
    }
}
