import Chemopen

/// Visits all files in a directory and its subdirectories, sorted by name.
enum FolderWalk {
    /// The maximum depth.
    private static let deepest = 64

    static func forEachFile(in folder: LocalPath, _ take: (LocalPath) -> Void) {
        var open: [(path: LocalPath, depth: Int)] = [(folder, 0)]
        while let (path, depth) = open.popLast() {
            switch fileKind(path) {
            case .directory where depth < deepest:
                guard let names = try? folderEntries(path) else { continue }
                for name in names.reversed() { open.append((path.appending(name), depth + 1)) }
            case .regular: take(path)
            default: break
            }
        }
    }
}
