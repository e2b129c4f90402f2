import Chemopen

/// A served directory. The directory and each of its subdirectories is a collection, shown as its `mapping.json`
/// specifies.
public struct ServedFolder: Sendable {
    let path: LocalPath
    private let tables = JoinedTables()

    /// The maximum number of served files.
    static let mostFiles = 10_000
    private static let mostCollections = 1000
    private static let largestMapping = 1 << 20

    /// Opens a directory. Returns `nil` if the path is not a directory.
    public init?(_ path: LocalPath) {
        guard let resolved = resolvedPath(path), fileKind(resolved) == .directory else { return nil }
        self.path = resolved
    }

    /// Returns the files to serve, the directories for new files, messages about problems, and those of them that are
    /// limits.
    func look() -> (files: [ServedFile], drops: [DropFolder], messages: [String], limits: [String]) {
        var look = Look(root: path, tables: tables)
        look.takeCollection(path, name: "")
        let own = look.drops.map(\.path)
        let folders = ((try? folderEntries(path)) ?? []).filter { name in
            let folder = path.appending(name)
            return !name.hasPrefix(".") && !own.contains(folder) && EntryStatus(folder)?.isFolder == true
        }
        for name in folders.prefix(Self.mostCollections) { look.takeCollection(path.appending(name), name: name.shown) }
        var limits: [String] = []
        if folders.count > Self.mostCollections {
            limits.append("only the first \(Self.mostCollections) of \(folders.count) collections are served")
        }
        if look.files.count > Self.mostFiles {
            limits.append("only the first \(Self.mostFiles) of \(look.files.count) files are served")
        }
        return (Array(look.files.prefix(Self.mostFiles)), look.drops, look.messages + limits, limits)
    }

    private struct Look {
        let root: LocalPath
        let tables: JoinedTables
        var files: [ServedFile] = []
        var drops: [DropFolder] = []
        var messages: [String] = []

        mutating func takeCollection(_ folder: LocalPath, name: String) {
            let names: [LocalPath]
            do throws(FileError) {
                names = try folderEntries(folder)
            } catch {
                messages.append("\(error)")
                return
            }
            let mapping =
                names.contains(Mapping.fileName) ? self.mapping(folder.appending(Mapping.fileName)) : Mapping()
            // If the mapping is invalid, do not show the collection in an unintended way.
            guard let mapping else { return }
            let isMapped = names.contains(Mapping.fileName)
            var problem: String?
            let table = mapping.join.flatMap { tables.table($0, in: folder, of: root, &problem) }
            if let problem { messages.append("\(folder.appending(Mapping.fileName).shown): \(problem)") }
            if let drop = mapping.drop {
                drops.append(
                    DropFolder(
                        path: folder.appending(LocalPath(drop)), collection: folder, name: name, mapping: mapping))
            }
            for entry in names where mapping.takes(entry) {
                guard let resolved = resolvedPath(folder.appending(entry)), fileKind(resolved) == .regular else {
                    continue
                }
                guard resolved.hasPrefix(root.appending("")) else {
                    messages.append("\(entry.shown) leads out of the directory and is not served")
                    continue
                }
                files.append(
                    ServedFile(
                        path: folder.appending(entry), root: root,
                        name: name.isEmpty ? entry.shown : "\(name)/\(entry.shown)",
                        folder: name, collection: mapping.label.isEmpty ? name : mapping.label,
                        mapping: isMapped ? mapping : nil, table: table))
            }
        }

        private mutating func mapping(_ path: LocalPath) -> Mapping? {
            do throws(FileError) {
                let bytes = try readFile(path, limit: largestMapping)
                do throws(Mapping.Fault) {
                    return try Mapping(bytes)
                } catch {
                    messages.append("\(path.shown): \(error.message); the collection is not served")
                }
            } catch {
                messages.append("\(error)")
            }
            return nil
        }
    }
}

extension Mapping {
    /// Returns whether a file belongs to the collection: it matches the mapping's patterns or, if there are none, has the
    /// extension of a readable format.
    func takes(_ entry: LocalPath) -> Bool {
        if entry.hasPrefix(".") || entry == Self.fileName { return false }
        guard let files else { return FormatRegistry.standard.format(ofName: entry)?.makeReader != nil }
        return files.contains { isMatch(Array($0.utf8)[...], entry.bytes[...]) }
    }
}

/// A file in a served directory.
struct ServedFile: Sendable {
    let path: LocalPath
    /// The served directory. Files outside it are never read.
    let root: LocalPath
    /// The path in the directory.
    let name: String
    /// The path of the collection in the directory, and its label.
    let folder: String
    let collection: String
    /// The mapping of the collection, if it has one.
    let mapping: Mapping?
    let table: JoinedTable?
}

/// Returns whether a name matches a pattern, in which `*` matches any text and `?` any byte.
func isMatch(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (pattern, name) = (pattern, name)
    // The state after the last `*`, for backtracking.
    var retry: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    while !name.isEmpty || !pattern.isEmpty {
        if pattern.first == UInt8(ascii: "*") {
            pattern = pattern.dropFirst()
            retry = (pattern, name)
        } else if let byte = name.first, let wanted = pattern.first, wanted == byte || wanted == UInt8(ascii: "?") {
            pattern = pattern.dropFirst()
            name = name.dropFirst()
        } else if let last = retry, !last.name.isEmpty {
            (pattern, name) = (last.pattern, last.name.dropFirst())
            retry = (pattern, name)
        } else {
            return false
        }
    }
    return true
}
