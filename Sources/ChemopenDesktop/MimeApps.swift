import ChemopenBytes

/// Which programs the lists of a desktop name for which types.
///
/// The lists are `mimeapps.list` in every folder of configuration and of data, those of the desktop that runs before
/// those for all; `defaults.list` of old; and beside the entries `mimeinfo.cache`, the index of what they claim.
/// Folders are asked in their order, as GIO does it; what a folder removes stays removed in all behind it.
struct MimeApps: Sendable {
    /// The associations of one folder.
    struct Layer: Sendable {
        var folder: LocalPath
        /// `gnome-mimeapps.list` and the like: they hold defaults only.
        var desktopLists: [KeyFile] = []
        var list: KeyFile?
        var oldDefaults: KeyFile?
        /// Types and the entries that claim them; `nil` where the folder holds no entries.
        var claims: [String: [String]]?
    }

    private(set) var layers: [Layer] = []

    init(_ session: Surroundings, claims: (_ folder: LocalPath) -> [String: [String]]?) {
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

    /// An entry is named, never a path.
    static func isEntryName(_ id: String) -> Bool {
        id.hasSuffix(".desktop") && !id.contains("/") && id != ".desktop"
    }

    /// The entries named as default, the weightiest first; whether they are there is not known here.
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

    /// The entries for a type, in the order in which they are offered.
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

    /// The types that an entry was removed from.
    func isRemoved(_ id: String, from type: String) -> Bool {
        layers.contains { $0.list?.group("Removed Associations")?.list(type).contains(id) == true }
    }
}
