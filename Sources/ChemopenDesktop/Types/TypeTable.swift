import ChemopenBytes

/// The aliases and parent types in the desktop's database of types.
public struct TypeTable: Sendable {
    private var aliases: [String: String] = [:]
    private var parents: [String: [String]] = [:]

    /// Creates an empty table.
    public init() {}

    init(_ session: SessionEnvironment) {
        for folder in session.dataFolders.reversed() {
            for (alias, type) in Self.pairs(folder.appending("mime/aliases")) { aliases[alias] = type }
        }
        var known: [String: Set<String>] = [:]
        for folder in session.dataFolders {
            for (type, parent) in Self.pairs(folder.appending("mime/subclasses"))
            where known[type, default: []].insert(parent).inserted {
                parents[type, default: []].append(parent)
            }
        }
    }

    /// Returns the lines of a file that consist of two fields.
    private static func pairs(_ path: LocalPath) -> [(String, String)] {
        guard let bytes = try? readFile(path) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 2 else { return nil }
            return (String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self))
        }
    }

    /// Returns the canonical name of a type.
    ///
    /// - Returns: the target of an alias; otherwise the type itself.
    public func canonical(_ type: String) -> String {
        aliases[type] ?? type
    }

    /// The maximum number of ancestors, a limit for malformed databases.
    private static let mostAncestors = 64

    /// Returns the ancestors of a type.
    ///
    /// - Returns: the canonical names, the nearest first.
    public func ancestors(of type: String) -> [String] {
        var found: [String] = []
        var pending = [canonical(type)]
        while let next = pending.first, found.count < Self.mostAncestors {
            pending.removeFirst()
            var above = parents[next] ?? []
            if next.hasPrefix("text/"), next != "text/plain" { above.append("text/plain") }
            for parent in above.prefix(Self.mostAncestors).map(canonical)
            where parent != type && !found.contains(parent) {
                found.append(parent)
                pending.append(parent)
            }
        }
        return found
    }
}
