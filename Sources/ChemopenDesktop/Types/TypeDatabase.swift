import ChemopenBytes

/// The file name patterns in the desktop's database of types.
public struct TypeDatabase: Sendable {
    /// A file name pattern of a type.
    public struct Glob: Sendable, Hashable {
        /// The weight from 0 to 100. The pattern with the highest weight wins.
        public let weight: Int
        /// The MIME type.
        public let type: String
        /// The pattern: `*.mol`.
        public let pattern: String
    }

    /// The patterns in the order of the database.
    public private(set) var globs: [Glob] = []
    /// Directories with packages that are newer than the generated database.
    public private(set) var stale: [LocalPath] = []

    /// Reads the database of a desktop.
    public init(_ session: SessionEnvironment) {
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

    /// Returns the types that claim an extension.
    ///
    /// - Parameter suffix: the extension without its period.
    /// - Returns: the matching patterns, in descending weight.
    public func types(forExtension suffix: String) -> [Glob] {
        let pattern = "*." + suffix
        return globs.filter { $0.pattern == pattern }.sorted { $0.weight > $1.weight }
    }

    /// Returns the type that a desktop detects for a file if it does not know some types.
    ///
    /// - Parameter isLeftOut: whether to ignore a type.
    /// - Returns: the type according to the name, or else according to the content; otherwise `text/plain` or
    ///   `application/octet-stream`.
    public func type(
        of path: LocalPath, beginning head: [UInt8], in session: SessionEnvironment, without isLeftOut: (String) -> Bool
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
