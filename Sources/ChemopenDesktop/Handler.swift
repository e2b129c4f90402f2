/// A program that files can be handed to.
///
///     let viewer = try Handler(
///         id: "my-viewer", name: "My viewer", command: ["/opt/viewer/bin/viewer", "--new"],
///         opening: ["chemical/x-mdl-sdfile"])
///     var registry = HandlerRegistry(.current)
///     registry.register(viewer)
public struct Handler: Sendable, Identifiable {
    /// The desktop id of its entry.
    public let id: String
    /// In the user's language.
    public let name: String
    /// How it is started.
    public let entry: DesktopEntry
    /// The types it says it opens, in its own order of preference.
    public var claims: [String]
    /// The formats that it is known to read, the best first; `nil` where only its word is known.
    public var known: KnownProgram?

    /// A program by its entry.
    public init(_ entry: DesktopEntry, known: KnownProgram? = nil) {
        id = entry.id
        name = entry.name
        self.entry = entry
        claims = entry.mimeTypes
        self.known = known
    }

    /// A program that has no entry of its own.
    ///
    /// - Parameters:
    ///   - id: its name in the registry; a program that is installed under it gives way to this one.
    ///   - command: the program, by its name in PATH or its whole path, and the words between it and the files.
    ///   - types: the MIME types that it opens, in its order of preference.
    ///   - takesSeveralFiles: whether it is started once for several files, and not once for each.
    ///   - isTerminalProgram: whether it runs in a terminal.
    ///   - known: the facts about what it reads, where they say more than the types.
    public init(
        id: String, name: String, command: [String], opening types: [String], takesSeveralFiles: Bool = false,
        isTerminalProgram: Bool = false, known: KnownProgram? = nil
    ) throws(EntryError) {
        let exec = try ExecLine(command, takesSeveralFiles: takesSeveralFiles)
        self.init(
            DesktopEntry(
                id: id.hasSuffix(".desktop") ? id : id + ".desktop", name: name, exec: exec, mimeTypes: types,
                isTerminalProgram: isTerminalProgram),
            known: known)
    }

    /// How it reads files of a type; `nil` where it does not.
    ///
    /// - Parameter version: the version of the format that the file is written in, where there are several.
    public func reading(of type: String, version: String) -> Reading? {
        guard let known else { return claims.contains(type) ? Reading(type) : nil }
        return known.readings.first {
            $0.type == type && (version.isEmpty || $0.versions.isEmpty || $0.versions.contains(version))
        }
    }

    /// The types it takes in any version, in order of preference.
    public var types: [String] {
        var types: [String] = []
        for type in known?.readings.map(\.type) ?? claims where !types.contains(type) { types.append(type) }
        return types
    }
}

/// A type that a program reads, and how far.
public struct Reading: Sendable, Hashable {
    /// The MIME type.
    public var type: String
    /// The versions of the format; none are named where it reads all or nobody knows.
    public var versions: [String] = []
    /// Of a file with several records it shows only the first.
    public var showsFirstOnly = false
    /// It reads the type gzipped, too.
    public var readsGzip = false
    /// It shows reactions as such; otherwise their molecules alone.
    public var showsReactions = true

    /// A type that a program reads.
    public init(
        _ type: String, versions: [String] = [], showsFirstOnly: Bool = false, readsGzip: Bool = false,
        showsReactions: Bool = true
    ) {
        self.type = type
        self.versions = versions
        self.showsFirstOnly = showsFirstOnly
        self.readsGzip = readsGzip
        self.showsReactions = showsReactions
    }
}

/// The facts known of a program, whatever it registers for.
public struct KnownProgram: Sendable, Hashable {
    /// All that it reads of chemical types, the best first.
    public var readings: [Reading]
    /// The command to use instead of its entry's, which does not do.
    public var exec: String?
    /// Its start script splits names at blanks: it gets a copy under a plain name.
    public var needsPlainNames = false
    /// It shows molecules in space: a drawing is a sheet of atoms there.
    public var isSpatial = false

    /// Facts about a program.
    public init(
        _ readings: [Reading], exec: String? = nil, needsPlainNames: Bool = false, isSpatial: Bool = false
    ) {
        self.readings = readings
        self.exec = exec
        self.needsPlainNames = needsPlainNames
        self.isSpatial = isSpatial
    }

    /// Whether it reads a type in any version.
    func reads(_ type: String) -> Bool { readings.contains { $0.type == type } }
}
