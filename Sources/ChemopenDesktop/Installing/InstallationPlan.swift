import ChemopenBytes

/// The changes that an installation makes, known before the first of them.
struct InstallationPlan {
    /// Files to be written: those that do not stand there yet as they should.
    private(set) var written: [PlacedFile] = []
    /// Files of a former installation that no longer belong to it.
    private(set) var stale: [LocalPath] = []
    /// A file that stands in the way and is not this program's, or a link.
    private(set) var foreign: LocalPath?
    /// The record of the installation, but for the list of associations.
    private(set) var record: InstallationRecord

    /// - Parameter keeps: files of a former installation that stay, whether or not they are among those to be written.
    init(
        _ files: [PlacedFile], over former: InstallationRecord?,
        keeping keeps: (LocalPath) -> Bool = { _ in false },
        recognised isOwn: (_ bytes: [UInt8], _ path: LocalPath) -> Bool, listPath: LocalPath?, recordFolder: LocalPath
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
