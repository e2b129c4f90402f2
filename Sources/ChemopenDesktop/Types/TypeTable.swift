import ChemopenBytes

/// The desktop's type database on types themselves: other names, and which is a kind of which.
public struct TypeTable: Sendable {
    private var aliases: [String: String] = [:]
    private var parents: [String: [String]] = [:]

    /// A table without types.
    public init() {}

    init(_ session: Surroundings) {
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

    /// The lines of two words of a file.
    private static func pairs(_ path: LocalPath) -> [(String, String)] {
        guard let bytes = try? readFile(path) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 2 else { return nil }
            return (String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self))
        }
    }

    /// The name under which a type is described.
    public func canonical(_ type: String) -> String {
        aliases[type] ?? type
    }

    /// A type is a kind of no more others than this.
    private static let mostAncestors = 64

    /// The types that every file of a type has besides, the nearer first.
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
