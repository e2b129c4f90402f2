import ChemopenBytes

/// The desktop's association lists, which assign programs to MIME types.
///
/// Each configuration and data directory can contain a `mimeapps.list`; variants for the current desktop precede the
/// general list. Data directories can also contain the older `defaults.list` and `mimeinfo.cache`, the index of types
/// that entries claim. Directories are read in order of precedence, as in GIO. A removal applies to all later
/// directories.
struct MimeApps: Sendable {
    /// The associations of one directory.
    struct Layer: Sendable {
        var folder: LocalPath
        /// Lists for specific desktops, such as `gnome-mimeapps.list`. They can only contain defaults.
        var desktopLists: [KeyFile] = []
        var list: KeyFile?
        var oldDefaults: KeyFile?
        /// Types and the entries that claim them. `nil` if the directory contains no entries.
        var claims: [String: [String]]?
    }

    private(set) var layers: [Layer] = []

    init(_ session: SessionEnvironment, claims: (_ folder: LocalPath) -> [String: [String]]?) {
        let applications = session.dataFolders.map { $0.appending("applications") }
        for folder in session.configFolders + applications {
            var layer = Layer(folder: folder)
            layer.desktopLists = session.desktops.compactMap { Self.file(folder, LocalPath("\($0)-mimeapps.list")) }
            layer.list = Self.file(folder, "mimeapps.list")
            if applications.contains(folder) {
                layer.oldDefaults = Self.file(folder, "defaults.list")
                layer.claims = Self.file(folder, "mimeinfo.cache").map(Self.claims) ?? claims(folder)
            }
            layers.append(layer)
        }
    }

    init(layers: [Layer]) {
        self.layers = layers
    }

    private static func file(_ folder: LocalPath, _ name: LocalPath) -> KeyFile? {
        (try? readFile(folder.appending(name))).map(KeyFile.init)
    }

    static func claims(_ cache: KeyFile) -> [String: [String]] {
        guard let group = cache.group("MIME Cache") else { return [:] }
        return Dictionary(uniqueKeysWithValues: group.keys.map { ($0, group.list($0).filter(isEntryName)) })
    }

    /// Returns whether an ID is a valid entry name and not a path.
    static func isEntryName(_ id: String) -> Bool {
        id.hasSuffix(".desktop") && !id.contains("/") && id != ".desktop"
    }

    /// Returns the default entries for a type in order of precedence. Some of them may not be installed.
    func defaults(for type: String) -> [String] {
        var ids: [String] = []
        var known: Set<String> = []
        for layer in layers {
            for list in layer.desktopLists + [layer.list, layer.oldDefaults].compactMap(\.self) {
                for id in list.group("Default Applications")?.list(type) ?? []
                where Self.isEntryName(id) && known.insert(id).inserted {
                    ids.append(id)
                }
            }
        }
        return ids
    }

    /// Returns the entries for a type in the order of the desktop's menu.
    func associations(of type: String) -> [String] {
        var ids: [String] = []
        var known: Set<String> = []
        var removed: Set<String> = []
        for layer in layers {
            let added = layer.list?.group("Added Associations")?.list(type) ?? []
            let taken = layer.list?.group("Removed Associations")?.list(type) ?? []
            for id in added where Self.isEntryName(id) && !removed.contains(id) && known.insert(id).inserted {
                ids.append(id)
            }
            removed.formUnion(taken)
            for id in layer.claims?[type] ?? [] where !removed.contains(id) && known.insert(id).inserted {
                ids.append(id)
            }
        }
        return ids
    }

    /// Returns whether an entry has been removed from a type.
    func isRemoved(_ id: String, from type: String) -> Bool {
        layers.contains { $0.list?.group("Removed Associations")?.list(type).contains(id) == true }
    }
}
