import ChemopenBytes

/// The desktop's database of types as far as names go: which patterns belong to which type.
public struct TypeDatabase: Sendable {
    /// A pattern of names that belong to a type.
    public struct Glob: Sendable, Hashable {
        /// From 0 to 100; the heaviest pattern wins.
        public let weight: Int
        /// The MIME type.
        public let type: String
        /// The pattern: `*.mol`.
        public let pattern: String
    }

    /// The patterns, as the database has them.
    public private(set) var globs: [Glob] = []
    /// Folders whose packages are newer than what was made of them.
    public private(set) var stale: [LocalPath] = []

    /// Reads the database of a desktop.
    public init(_ session: Surroundings) {
        for folder in session.dataFolders {
            let mime = folder.appending("mime")
            globs += Self.globs(mime.appending("globs2"))
            let packages = mime.appending("packages")
            guard let changed = EntryStatus(packages)?.modified, (try? folderEntries(packages))?.isEmpty == false else {
                continue
            }
            guard let made = EntryStatus(mime.appending("mime.cache"))?.modified, made >= changed else {
                stale.append(mime)
                continue
            }
        }
    }

    private static func globs(_ path: LocalPath) -> [Glob] {
        guard let bytes = try? readFile(path) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":")
            guard parts.count >= 3, let weight = Int(parts[0]) else { return nil }
            return Glob(weight: weight, type: String(parts[1]), pattern: String(parts[2]))
        }
    }

    /// The types that claim an extension, the weightiest first.
    public func types(forExtension suffix: String) -> [Glob] {
        let pattern = "*." + suffix
        return globs.filter { $0.pattern == pattern }.sorted { $0.weight > $1.weight }
    }

    /// The type that a desktop takes a file for if it does not know some types: by the name, then by the beginning,
    /// then by whether it is text.
    public func type(
        of path: LocalPath, beginning head: [UInt8], in session: Surroundings, without isLeftOut: (String) -> Bool
    ) -> String {
        var suffix = path.name.shown.lowercased()[...]
        while let dot = suffix.firstIndex(of: ".") {
            suffix = suffix[suffix.index(after: dot)...]
            if let glob = types(forExtension: String(suffix)).first(where: { !isLeftOut($0.type) }) { return glob.type }
        }
        if let type = MagicRules(session).type(of: head, except: isLeftOut) { return type }
        let isText = head.prefix(128).allSatisfy { $0 >= 0x20 && $0 != 0x7F || 9...13 ~= $0 || $0 == 0x1B }
        return isText ? "text/plain" : "application/octet-stream"
    }
}
