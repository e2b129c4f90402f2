import Chemopen

/// A folder whose files are served: it and each folder in it is a collection, shown as its `mapping.json` has it.
public struct ServedFolder: Sendable {
    private let path: LocalPath

    /// More files are not served.
    static let mostFiles = 400
    private static let mostCollections = 100
    private static let largestMapping = 1 << 20

    /// Nothing where there is no folder.
    public init?(_ path: LocalPath) {
        guard let resolved = resolvedPath(path), fileKind(resolved) == .directory else { return nil }
        self.path = resolved
    }

    /// The files that there are, and what is wrong with the folder.
    func look() -> (files: [ServedFile], messages: [String]) {
        var look = Look(root: path)
        look.takeCollection(path, name: "")
        let folders = ((try? folderEntries(path)) ?? []).filter { name in
            !name.hasPrefix(".") && EntryStatus(path.appending(name))?.isFolder == true
        }
        for name in folders.prefix(Self.mostCollections) { look.takeCollection(path.appending(name), name: name.shown) }
        if folders.count > Self.mostCollections {
            look.messages.append("only the first \(Self.mostCollections) collections are served")
        }
        if look.files.count > Self.mostFiles {
            look.messages.append("only the first \(Self.mostFiles) of \(look.files.count) files are served")
        }
        return (Array(look.files.prefix(Self.mostFiles)), look.messages)
    }

    private struct Look {
        let root: LocalPath
        var files: [ServedFile] = []
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
            // A collection whose mapping cannot be read is not shown in another way than the one that is meant.
            guard let mapping else { return }
            let isMapped = names.contains(Mapping.fileName)
            for entry in names where !entry.hasPrefix(".") && entry != Mapping.fileName && isTaken(entry, mapping) {
                guard let resolved = resolvedPath(folder.appending(entry)), fileKind(resolved) == .regular else {
                    continue
                }
                guard resolved.hasPrefix(root.appending("")) else {
                    messages.append("\(entry.shown) leads out of the folder, and is not served")
                    continue
                }
                files.append(
                    ServedFile(
                        path: folder.appending(entry), root: root,
                        name: name.isEmpty ? entry.shown : "\(name)/\(entry.shown)",
                        collection: mapping.label.isEmpty ? name : mapping.label, mapping: isMapped ? mapping : nil))
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

        /// Whether the mapping names the file, or, where it names none, its extension is that of a format that is read.
        private func isTaken(_ entry: LocalPath, _ mapping: Mapping) -> Bool {
            if let files = mapping.files {
                return files.contains { isMatch(Array($0.utf8)[...], entry.bytes[...]) }
            }
            return FormatRegistry.standard.format(ofName: entry)?.makeReader != nil
        }
    }
}

/// A file of a folder that is served.
struct ServedFile: Sendable {
    let path: LocalPath
    /// The folder that is served, outside of which nothing is read.
    let root: LocalPath
    /// Its path in the folder.
    let name: String
    let collection: String
    /// Nothing where the collection has none.
    let mapping: Mapping?
}

/// Whether a name fits a pattern in which `*` is any text and `?` any byte.
func isMatch(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (pattern, name) = (pattern, name)
    // Where the last `*` was met, and what it has not taken up to now.
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
