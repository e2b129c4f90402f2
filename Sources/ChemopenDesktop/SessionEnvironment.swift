import ChemopenBytes

/// The facts about the session from its environment: directories, desktop and language.
///
/// Only this type reads the environment. A test can create its own value.
///
///     let session = SessionEnvironment(["HOME": "/home/anna"])
///     print(session.dataHome)      // /home/anna/.local/share
public struct SessionEnvironment: Sendable {
    private let variables: [String: [UInt8]]

    /// Creates a session from environment variables.
    public init(_ variables: [String: String]) {
        self.variables = variables.mapValues { Array($0.utf8) }
    }

    /// The session of this process.
    public static var current: SessionEnvironment {
        SessionEnvironment(block: currentEnvironment)
    }

    init(block: [[UInt8]]) {
        var variables: [String: [UInt8]] = [:]
        for entry in block {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")),
                let name = String(validating: entry[..<equals], as: UTF8.self)
            else { continue }
            variables[name] = Array(entry[(equals + 1)...])
        }
        self.variables = variables
    }

    /// Returns the value of a variable, or `nil` if it is missing, empty or not UTF-8.
    public func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) }
    }

    // MARK: Base directories. If one of these variables contains a relative path, it is ignored.

    /// The user's home directory, or `/` if there is none.
    public var home: LocalPath { folder("HOME") ?? "/" }
    /// The user's data directory.
    public var dataHome: LocalPath { folder("XDG_DATA_HOME") ?? home.appending(".local/share") }
    /// The user's configuration directory.
    public var configHome: LocalPath { folder("XDG_CONFIG_HOME") ?? home.appending(".config") }
    /// The directory for the state of programs.
    public var stateHome: LocalPath { folder("XDG_STATE_HOME") ?? home.appending(".local/state") }
    /// The directory for data that can be recreated. `nil` if the user has no home directory.
    public var cacheHome: LocalPath? { folder("XDG_CACHE_HOME") ?? folder("HOME")?.appending(".cache") }
    /// The directory for files that last as long as the session.
    public var runtimeFolder: LocalPath? { folder("XDG_RUNTIME_DIR") }
    /// The directory for temporary files, which can be deleted at any time.
    public var temporaryFolder: LocalPath { folder("TMPDIR") ?? "/tmp" }

    /// The system's data directories in order of precedence.
    public var systemDataFolders: [LocalPath] { folders("XDG_DATA_DIRS") ?? ["/usr/local/share", "/usr/share"] }
    /// All data directories, the user's first.
    public var dataFolders: [LocalPath] { unique([dataHome] + systemDataFolders) }
    /// All configuration directories, the user's first.
    public var configFolders: [LocalPath] { unique([configHome] + (folders("XDG_CONFIG_DIRS") ?? ["/etc/xdg"])) }

    private func folder(_ name: String) -> LocalPath? {
        variables[name].flatMap { $0.first == UInt8(ascii: "/") ? LocalPath(withoutTrailingSlashes: $0) : nil }
    }

    private func folders(_ name: String) -> [LocalPath]? {
        guard let list = variables[name], !list.isEmpty else { return nil }
        return list.split(separator: UInt8(ascii: ":")).filter { $0.first == UInt8(ascii: "/") }
            .map { LocalPath(withoutTrailingSlashes: Array($0)) }
    }

    private func unique(_ folders: [LocalPath]) -> [LocalPath] {
        var seen: Set<LocalPath> = []
        return folders.filter { seen.insert($0).inserted }
    }

    // MARK: Session

    /// The names of the desktop in lower case, the most specific name first.
    public var desktops: [String] {
        (value("XDG_CURRENT_DESKTOP") ?? "").lowercased().split(separator: ":").map(String.init)
    }

    /// Whether windows can be shown.
    public var isGraphical: Bool { value("DISPLAY") != nil || value("WAYLAND_DISPLAY") != nil }

    /// Whether the session has a bus, or one can be started.
    var hasBus: Bool { value("DBUS_SESSION_BUS_ADDRESS") != nil || runtimeFolder != nil }

    /// Whether a session bus is already running. If it is, using the bus does not start one.
    package var hasRunningBus: Bool {
        value("DBUS_SESSION_BUS_ADDRESS") != nil
            || runtimeFolder.map { EntryStatus($0.appending("bus")) != nil } == true
    }

    /// The directories of `PATH` to search for programs. Relative directories are ignored.
    public var programFolders: [LocalPath] {
        (variables["PATH"] ?? Array("/usr/local/bin:/usr/bin:/bin".utf8)).split(separator: UInt8(ascii: ":"))
            .filter { $0.first == UInt8(ascii: "/") }.map { LocalPath(bytes: Array($0)) }
    }

    /// Finds a program.
    ///
    /// - Parameter name: an absolute path, or a name to search in `PATH`.
    /// - Returns: the path of the program, or `nil` if it does not exist or is not executable.
    public func program(_ name: String) -> LocalPath? {
        if name.hasPrefix("/") { return isExecutableFile(LocalPath(name)) ? LocalPath(name) : nil }
        if name.isEmpty || name.contains("/") { return nil }
        return programFolders.lazy.map { $0.appending(LocalPath(name)) }.first(where: isExecutableFile)
    }

    /// Searches `PATH` for a program. Throws if a directory cannot be examined.
    package func findProgram(_ name: String) throws(FileError) -> LocalPath? {
        for folder in programFolders {
            let path = folder.appending(LocalPath(name))
            do throws(FileError) {
                let status = try EntryStatus.find(path, followingLinks: true)
                if status?.isRegular == true, mayBeStarted(path) { return path }
            } catch {
                // A directory without access permission is treated as empty.
                if error.reason != .noPermission { throw error }
            }
        }
        return nil
    }

    /// The locale suffixes of translated values, the closest match first.
    public var locales: [String] {
        let name = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? ""
        var rest = name[...]
        var modifier = ""
        if let at = rest.firstIndex(of: "@") {
            modifier = String(rest[at...])
            rest = rest[..<at]
        }
        if let dot = rest.firstIndex(of: ".") { rest = rest[..<dot] }
        if rest.isEmpty || rest == "C" || rest == "POSIX" { return [] }
        let language = rest.split(separator: "_").first.map(String.init) ?? ""
        let country = rest.contains("_") ? String(rest.dropFirst(language.count)) : ""
        var locales: [String] = []
        if !country.isEmpty, !modifier.isEmpty { locales.append(language + country + modifier) }
        if !country.isEmpty { locales.append(language + country) }
        if !modifier.isEmpty { locales.append(language + modifier) }
        return locales + [language]
    }
}

extension LocalPath {
    fileprivate init(withoutTrailingSlashes bytes: [UInt8]) {
        var path = bytes[...]
        while path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
        self.init(bytes: Array(path))
    }
}
