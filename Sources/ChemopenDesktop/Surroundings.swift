import ChemopenBytes

/// The facts of the session in the environment: where things lie, which desktop it is, which language is spoken.
///
/// A value: a test makes its own, and nothing else asks the environment.
///
///     let session = Surroundings(["HOME": "/home/anna"])
///     print(session.dataHome)      // /home/anna/.local/share
public struct Surroundings: Sendable {
    private let variables: [String: [UInt8]]

    /// Surroundings of variables that are text.
    public init(_ variables: [String: String]) {
        self.variables = variables.mapValues { Array($0.utf8) }
    }

    /// Those of this process.
    public static var current: Surroundings {
        Surroundings(block: currentEnvironment)
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

    /// A variable that is not empty and is text.
    public func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) }
    }

    // MARK: Base directories. A relative path in any of these variables is void.

    /// The user's home; the root where there is none.
    public var home: LocalPath { folder("HOME") ?? "/" }
    /// Where the user's data lies.
    public var dataHome: LocalPath { folder("XDG_DATA_HOME") ?? home.appending(".local/share") }
    /// Where the user's settings lie.
    public var configHome: LocalPath { folder("XDG_CONFIG_HOME") ?? home.appending(".config") }
    /// Where programs keep their state.
    public var stateHome: LocalPath { folder("XDG_STATE_HOME") ?? home.appending(".local/state") }
    /// Where programs keep what can be made again; `nil` for a user without a home.
    public var cacheHome: LocalPath? { folder("XDG_CACHE_HOME") ?? folder("HOME")?.appending(".cache") }
    /// Where programs keep what lasts as long as the session.
    public var runtimeFolder: LocalPath? { folder("XDG_RUNTIME_DIR") }
    /// Where programs keep what anybody may delete.
    public var temporaryFolder: LocalPath { folder("TMPDIR") ?? "/tmp" }

    /// The folders of data behind the user's own, the weightier first.
    public var systemDataFolders: [LocalPath] { folders("XDG_DATA_DIRS") ?? ["/usr/local/share", "/usr/share"] }
    /// All folders of data, the user's first.
    public var dataFolders: [LocalPath] { unique([dataHome] + systemDataFolders) }
    /// All folders of settings, the user's first.
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

    /// The names of the desktop, in small letters, the more particular name first.
    public var desktops: [String] {
        (value("XDG_CURRENT_DESKTOP") ?? "").lowercased().split(separator: ":").map(String.init)
    }

    /// Windows can be shown.
    public var isGraphical: Bool { value("DISPLAY") != nil || value("WAYLAND_DISPLAY") != nil }

    /// Programs of the session can be asked over its bus.
    var hasBus: Bool { value("DBUS_SESSION_BUS_ADDRESS") != nil || runtimeFolder != nil }

    /// There is such a bus: asking for it does not start one.
    package var hasRunningBus: Bool {
        value("DBUS_SESSION_BUS_ADDRESS") != nil
            || runtimeFolder.map { EntryStatus($0.appending("bus")) != nil } == true
    }

    /// The folders in which programs are looked for. Those that are named from where one stands do not count.
    public var programFolders: [LocalPath] {
        (variables["PATH"] ?? Array("/usr/local/bin:/usr/bin:/bin".utf8)).split(separator: UInt8(ascii: ":"))
            .filter { $0.first == UInt8(ascii: "/") }.map { LocalPath(bytes: Array($0)) }
    }

    /// Where a program lies: an absolute path that is one, or a name that a folder of `PATH` holds.
    public func program(_ name: String) -> LocalPath? {
        if name.hasPrefix("/") { return isExecutableFile(LocalPath(name)) ? LocalPath(name) : nil }
        if name.isEmpty || name.contains("/") { return nil }
        return programFolders.lazy.map { $0.appending(LocalPath(name)) }.first(where: isExecutableFile)
    }

    /// The same, and an error where it cannot be known whether a program is there.
    package func findProgram(_ name: String) throws(FileError) -> LocalPath? {
        for folder in programFolders {
            let path = folder.appending(LocalPath(name))
            do throws(FileError) {
                let status = try EntryStatus.find(path, followingLinks: true)
                if status?.isRegular == true, mayBeStarted(path) { return path }
            } catch {
                // A folder that may not be entered has no program.
                if error.reason != .noPermission { throw error }
            }
        }
        return nil
    }

    /// The locale's spellings under which a translated value may stand, the closest first.
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

/// The environment as programs started from here get it.
package var currentEnvironment: [[UInt8]] {
    let block = (try? readFile("/proc/self/environ")) ?? []
    return block.split(separator: 0).map(Array.init)
}

extension LocalPath {
    fileprivate init(withoutTrailingSlashes bytes: [UInt8]) {
        var path = bytes[...]
        while path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
        self.init(bytes: Array(path))
    }
}
