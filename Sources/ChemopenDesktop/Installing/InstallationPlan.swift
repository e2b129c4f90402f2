import ChemopenBytes

/// The changes of an installation, determined before the first of them is made.
struct InstallationPlan {
    /// Files to write: those that are missing or differ.
    private(set) var written: [PlacedFile] = []
    /// Files of an earlier installation that are no longer part of it.
    private(set) var stale: [LocalPath] = []
    /// A file at a target path that this program did not write, or a link.
    private(set) var foreign: LocalPath?
    /// The record of the installation, without the association list.
    private(set) var record: InstallationRecord

    /// Determines the changes.
    ///
    /// - Parameter keeps: whether a file of an earlier installation stays even if `files` does not contain it.
    init(
        _ files: [PlacedFile], over former: InstallationRecord?,
        keeping keeps: (LocalPath) -> Bool = { _ in false },
        recognized isOwn: (_ bytes: [UInt8], _ path: LocalPath) -> Bool, listPath: LocalPath?, recordFolder: LocalPath
    ) throws(FileError) {
        record = former ?? InstallationRecord()
        record.files = record.files.filter { keeps($0.path) }
        for file in files {
            let (path, bytes) = (file.path, file.bytes)
            record.files.append(.init(path: path, digest: InstallationRecord.digest(bytes)))
            guard let status = try EntryStatus.find(path) else {
                written.append(file)
                continue
            }
            let current = status.isRegular ? try readFileIfThere(path) : nil
            if current == bytes { continue }
            let isFormer = try former?.owns(path) == true
            if isFormer || current.map({ isOwn($0, path) }) == true {
                written.append(file)
            } else if foreign == nil {
                foreign = path
            }
        }
        for path in Set((former?.files ?? []).map(\.path)).sorted()
        where !files.contains(where: { $0.path == path }) && !keeps(path) {
            if try former?.owns(path) == true { stale.append(path) }
        }
        let folders = files.map(\.path.folder) + [recordFolder] + (listPath.map { [$0.folder] } ?? [])
        for folder in folders {
            for missing in try missingFolders(to: folder) where !record.folders.contains(missing) {
                record.folders.append(missing)
            }
        }
    }
}
