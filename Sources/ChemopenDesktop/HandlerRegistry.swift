import ChemopenBytes

/// The programs of this desktop that files can be handed to, and who is registered for what.
///
/// It is made from what is installed: entries, lists of associations, their index, and what is known of programs.
///
///     let registry = HandlerRegistry(.current)
///     for candidate in registry.candidates(for: "chemical/x-mdl-molfile") {
///         print(candidate.handler.name)
///     }
public struct HandlerRegistry: Sendable {
    /// The surroundings whose programs these are.
    public let session: Surroundings
    /// The types of the desktop.
    public let types: TypeTable
    /// Entries that cannot be used, and why.
    public private(set) var unusable: [String: EntryError] = [:]
    private(set) var apps: MimeApps
    private var handlers: [String: Handler] = [:]
    /// This program's own entries, and those that would only hand the file on to it.
    public private(set) var ownIDs: Set<String> = []
    /// Programs registered by a call, before all others.
    private var registered: [String] = []
    private let paths: [String: LocalPath]

    /// Reads what is installed. `program` is the path of the running program, which is never a handler.
    public init(_ session: Surroundings, program: LocalPath? = nil) {
        self.session = session
        types = TypeTable(session)
        let folders = session.dataFolders.map { $0.appending("applications") }
        paths = Self.entryPaths(in: folders)
        let paths = self.paths
        apps = MimeApps(session) { Self.claims(in: $0, paths, session.locales) }
        let own = program.flatMap(resolvedPath)
        var names = Set(KnownHandlers.all.keys)
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
            handlers[id] = Handler(entry, known: KnownHandlers.all[id])
            if handsBack(entry, own) { ownIDs.insert(id) }
        } catch {
            unusable[id] = error
        }
    }

    /// Programs that open a file by asking the desktop, which may come back to this one.
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

    /// Where entries lie, by id; the first folder that holds an id hides those behind it.
    private static func entryPaths(in folders: [LocalPath]) -> [String: LocalPath] {
        var paths: [String: LocalPath] = [:]
        for folder in folders {
            var pending = [(path: folder, prefix: "", depth: 0)]
            while let next = pending.popLast() {
                // A name that is no text is no id.
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

    /// The claims of the entries of a folder without an index.
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

    /// Where the entry of an id lies, whether or not it can be used.
    public func location(of id: String) -> LocalPath? { paths[id] }

    /// Every entry that is installed, by id.
    public var installedIDs: [String] { paths.keys.sorted() }

    // MARK: Lookup

    /// Registers a program by a call, for as long as this value lives. It comes before those that are installed.
    public mutating func register(_ handler: Handler) {
        handlers[handler.id] = handler
        registered.insert(handler.id, at: 0)
    }

    /// The program with an id; its `.desktop` and its case do not matter, nor whether its name is meant.
    public func handler(_ name: String) -> Handler? {
        if let handler = handlers[name] ?? handlers[name + ".desktop"] { return handler }
        if let handler = installed(name) ?? installed(name + ".desktop") { return handler }
        let wanted = name.lowercased()
        let all = handlers.values.sorted { $0.id < $1.id }
        return all.first { $0.id.lowercased() == wanted + ".desktop" || $0.id.lowercased() == wanted }
            ?? all.first { $0.name.lowercased() == wanted }
            ?? all.first { $0.id.lowercased().hasSuffix(".\(wanted).desktop") }
    }

    /// A program that no list names.
    private func installed(_ id: String) -> Handler? {
        guard let path = paths[id], let entry = try? DesktopEntry(path: path, id: id, locales: session.locales),
            (try? entry.checkUsable(in: session)) != nil
        else { return nil }
        return Handler(entry, known: KnownHandlers.all[id])
    }

    /// All programs that could be meant, for a suggestion.
    public var names: [String] {
        Set(paths.keys).union(handlers.keys).map { String($0.dropLast(".desktop".count)) }.sorted()
    }

    /// The program that a user or an administrator has set as the default of a type, if it is there.
    public func defaultHandler(for type: String) -> Handler? {
        apps.defaults(for: type).lazy.compactMap { handlers[$0] }.first
    }

    /// Programs that were set as default before the one that counts, and cannot be used.
    public func missingDefaults(for type: String) -> [String] {
        Array(apps.defaults(for: type).prefix { handlers[$0] == nil })
    }

    /// The program that the desktop opens a type with: the default, or the first that is registered.
    public func effectiveHandler(for type: String) -> Handler? {
        defaultHandler(for: type) ?? apps.associations(of: type).lazy.compactMap { handlers[$0] }.first
    }

    /// Who is registered for a type, in the order in which the desktop offers them.
    public func registeredHandlers(for type: String) -> [Handler] {
        var ids = registered.filter { handlers[$0]?.claims.contains(type) == true }
        var known = Set(ids)
        if let first = defaultHandler(for: type)?.id, known.insert(first).inserted { ids.append(first) }
        for id in apps.associations(of: type) where known.insert(id).inserted { ids.append(id) }
        return ids.compactMap { handlers[$0] }
    }

    /// Who can be asked to open a type, the first choice first: the default, those registered, those known to read it
    /// without being registered, and those for anything that the type is a kind of.
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

    /// Every program that a list, a claim or what is known of it has brought here, by id.
    public var all: [Handler] { handlers.values.sorted { $0.id < $1.id } }

    /// A program that could open a type, and why it is thought of.
    public struct Candidate: Sendable {
        /// The program.
        public let handler: Handler
        /// Why it is thought of.
        public let standing: Standing

        /// A program and why it is thought of.
        public init(handler: Handler, standing: Standing) {
            self.handler = handler
            self.standing = standing
        }

        /// Why a program is thought of for a type.
        public enum Standing: Sendable, Hashable {
            /// Named as the default of the type.
            case isDefault
            /// It says that it opens the type.
            case isRegistered
            /// It does not say so, and reads it.
            case isKnown
            /// It opens a wider type, such as plain text.
            case opens(String)
        }
    }
}
