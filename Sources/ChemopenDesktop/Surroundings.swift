import ChemopenBytes

/// What the environment says of the session: where things lie, which desktop it is, which language is spoken.
///
/// A value: a test makes its own, and nothing else asks the environment.
///
///     let session = Surroundings(["HOME": "/home/anna"])
///     print(session.dataHome)      // /home/anna/.local/share
public struct Surroundings: Sendable {
    public let variables: [String: String]

    public init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// Those of this process.
    public static var current: Surroundings {
        Surroundings(block: currentEnvironment)
    }

    init(block: [[UInt8]]) {
        var variables: [String: String] = [:]
        for entry in block {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")),
                let name = String(validating: entry[..<equals], as: UTF8.self),
                let value = String(validating: entry[(equals + 1)...], as: UTF8.self)
            else { continue }
            variables[name] = value
        }
        self.init(variables)
    }

    public func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: Base directories. A relative path in any of these variables is void.

    public var home: String { folder("HOME") ?? "/" }
    public var dataHome: String { folder("XDG_DATA_HOME") ?? home.appending(path: ".local/share") }
    public var configHome: String { folder("XDG_CONFIG_HOME") ?? home.appending(path: ".config") }
    public var stateHome: String { folder("XDG_STATE_HOME") ?? home.appending(path: ".local/state") }
    public var runtimeFolder: String? { folder("XDG_RUNTIME_DIR") }
    public var temporaryFolder: String { folder("TMPDIR") ?? "/tmp" }

    /// The folders of data behind the user's own, the weightier first.
    public var systemDataFolders: [String] { folders("XDG_DATA_DIRS") ?? ["/usr/local/share", "/usr/share"] }
    /// All folders of data, the user's first.
    public var dataFolders: [String] { unique([dataHome] + systemDataFolders) }
    public var configFolders: [String] { unique([configHome] + (folders("XDG_CONFIG_DIRS") ?? ["/etc/xdg"])) }

    private func folder(_ name: String) -> String? {
        value(name).flatMap { $0.hasPrefix("/") ? $0.withoutTrailingSlashes : nil }
    }

    private func folders(_ name: String) -> [String]? {
        guard let list = value(name) else { return nil }
        return list.split(separator: ":").filter { $0.hasPrefix("/") }.map { String($0).withoutTrailingSlashes }
    }

    private func unique(_ folders: [String]) -> [String] {
        var seen: Set<String> = []
        return folders.filter { seen.insert($0).inserted }
    }

    // MARK: Session

    /// What the desktop is called, in small letters, the more particular name first.
    public var desktops: [String] {
        (value("XDG_CURRENT_DESKTOP") ?? "").lowercased().split(separator: ":").map(String.init)
    }

    /// Windows can be shown.
    public var isGraphical: Bool { value("DISPLAY") != nil || value("WAYLAND_DISPLAY") != nil }

    /// The folders in which programs are looked for. Those that are named from where one stands do not count.
    public var programFolders: [String] {
        (variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
            .map(String.init)
    }

    /// Where a program lies: an absolute path that is one, or a name that a folder of `PATH` holds.
    public func program(_ name: String) -> String? {
        if name.hasPrefix("/") { return isExecutableFile(Array(name.utf8)) ? name : nil }
        if name.isEmpty || name.contains("/") { return nil }
        return programFolders.lazy.map { $0.appending(path: name) }.first { isExecutableFile(Array($0.utf8)) }
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

extension String {
    package func appending(path: String) -> String {
        hasSuffix("/") ? self + path : self + "/" + path
    }

    fileprivate var withoutTrailingSlashes: String {
        var path = self[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}
