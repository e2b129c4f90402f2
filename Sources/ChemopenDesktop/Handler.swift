/// A program that can open files.
///
///     let viewer = try Handler(
///         id: "my-viewer", name: "My viewer", command: ["/opt/viewer/bin/viewer", "--new"],
///         opening: ["chemical/x-mdl-sdfile"])
///     var registry = HandlerRegistry(.current)
///     registry.register(viewer)
public struct Handler: Sendable, Identifiable {
    /// The ID of the program's desktop entry.
    public let id: String
    /// The name in the user's language.
    public let name: String
    /// The entry that defines how to start the program.
    public let entry: DesktopEntry
    /// The types that the program claims to open, in its own order of preference.
    public var claims: [String]
    /// The formats that the program is known to read, the best first. `nil` if only its claims are known.
    public var known: KnownProgram?

    /// Creates a handler from a desktop entry.
    public init(_ entry: DesktopEntry, known: KnownProgram? = nil) {
        id = entry.id
        name = entry.name
        self.entry = entry
        claims = entry.mimeTypes
        self.known = known
    }

    /// Creates a handler for a program without a desktop entry.
    ///
    /// - Parameters:
    ///   - id: its name in the registry. It replaces an installed program with the same ID.
    ///   - command: the program, as a name in PATH or an absolute path, and the arguments before the files.
    ///   - types: the MIME types that it opens, in its order of preference.
    ///   - takesSeveralFiles: whether it is started once for several files instead of once for each.
    ///   - isTerminalProgram: whether it runs in a terminal.
    ///   - known: facts about the formats that it reads, if they are more precise than `types`.
    /// - Throws: an `EntryError` if the command cannot be used.
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

    /// Finds out how the program reads files of a type.
    ///
    /// - Parameter version: the format version of the file, or an empty string if it is unknown.
    /// - Returns: the limits of the support, or `nil` if the program does not read these files.
    public func reading(of type: String, version: String) -> Reading? {
        guard let known else { return claims.contains(type) ? Reading(type) : nil }
        return known.readings.first {
            $0.type == type && (version.isEmpty || $0.versions.isEmpty || $0.versions.contains(version))
        }
    }

    /// The types that the program reads in at least one version, in order of preference.
    public var types: [String] {
        var types: [String] = []
        for type in known?.readings.map(\.type) ?? claims where !types.contains(type) { types.append(type) }
        return types
    }
}

/// A type that a program reads, with the limits of its support.
public struct Reading: Sendable, Hashable {
    /// The MIME type.
    public var type: String
    /// The format versions that the program reads. The list is empty if the program reads all versions or if the
    /// versions are unknown.
    public var versions: [String] = []
    /// Whether the program shows only the first record of a file.
    public var showsFirstOnly = false
    /// Whether the program also reads gzipped files.
    public var readsGzip = false
    /// Whether the program shows reactions. If not, it shows only their molecules.
    public var showsReactions = true

    /// Creates the description of a type that a program reads.
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

/// Facts about a program that its desktop entry does not contain.
public struct KnownProgram: Sendable, Hashable {
    /// The chemical types that the program reads, the best first.
    public var readings: [Reading]
    /// A command that replaces the entry's own, which does not work.
    public var exec: String?
    /// Whether the program's start script splits file names at spaces. For such a program, files are copied to a path
    /// without spaces.
    public var needsPlainNames = false
    /// Whether the program shows molecules in 3D. It displays a 2D drawing as a flat sheet of atoms.
    public var isSpatial = false

    /// Creates the facts about a program.
    public init(
        _ readings: [Reading], exec: String? = nil, needsPlainNames: Bool = false, isSpatial: Bool = false
    ) {
        self.readings = readings
        self.exec = exec
        self.needsPlainNames = needsPlainNames
        self.isSpatial = isSpatial
    }

    /// Whether the program reads a type in at least one version.
    func reads(_ type: String) -> Bool { readings.contains { $0.type == type } }
}
