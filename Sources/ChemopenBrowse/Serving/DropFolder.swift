import Chemopen

/// A directory for new files of a collection. Files without a problem are moved into the collection. Others are set aside
/// in `refused`, with the reason in a text file.
struct DropFolder: Sendable {
    /// The directory, and that of the collection.
    let path: LocalPath
    let collection: LocalPath
    /// The path of the collection in the served directory, for messages; empty for the served directory itself.
    let name: String
    let mapping: Mapping

    /// Files that have changed in the last seconds may not be complete yet.
    private static let secondsOfRest = 2
    private static let largest = 1 << 28
    private static let mostProblems = 20
    private static let refused: LocalPath = "refused"

    /// Takes in all complete files.
    ///
    /// - Returns: messages about files that cannot be moved.
    func takeIn(_ recorder: ChangeRecorder?) -> [String] {
        guard EntryStatus(path)?.isFolder == true, let entries = try? folderEntries(path) else { return [] }
        var messages: [String] = []
        for entry in entries where !entry.hasPrefix(".") {
            let file = path.appending(entry)
            guard let status = EntryStatus(file), !status.isFolder,
                currentTime() - status.modified >= Self.secondsOfRest
            else { continue }
            do throws(FileError) {
                if let problem = try accept(entry, status, recorder) { try setAside(entry, problem, recorder) }
            } catch {
                messages.append("\(error)")
            }
        }
        return messages
    }

    /// Copies a file into the collection if it has no problem. The checked bytes are copied, so another program cannot
    /// exchange them in between.
    ///
    /// - Returns: the problems, one per line, or `nil`.
    private func accept(
        _ entry: LocalPath, _ status: EntryStatus, _ recorder: ChangeRecorder?
    ) throws(FileError) -> String? {
        guard status.isRegular else { return "not a regular file" }
        guard mapping.takes(entry) else { return "the collection does not include files with this name" }
        let target = collection.appending(entry)
        guard EntryStatus(target) == nil else { return "the collection already has a file with this name" }
        let descriptor = try openForReading(path.appending(entry), followingLinks: false)
        defer { closeDescriptor(descriptor) }
        let opened: LocalPath = "/proc/self/fd/\(descriptor)"
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(opened, limit: Self.largest)
        } catch {
            if error.reason == .tooLarge { return "larger than \(Self.largest >> 20) MiB" }
            throw FileError(path.appending(entry), error.reason)
        }
        let problems = Self.problems(of: bytes, named: entry)
        if !problems.isEmpty { return problems.joined(separator: "\n") }
        try writeFile(bytes, to: target, replacing: false, packing: false)
        // Another program may have replaced the dropped file in the meantime.
        if FileIdentity(path.appending(entry)) == FileIdentity(opened) { removeEntry(path.appending(entry)) }
        recorder?.recordNewFile(target, named: shown(entry))
        return nil
    }

    /// Returns the problems that `chemopen check` reports.
    private static func problems(of bytes: [UInt8], named name: LocalPath) -> [String] {
        var problems: [String] = []
        do throws(ReadError) {
            let source = Source(bytes, named: name)
            for marks in try ConflictMarks.find(in: source) { problems.append("\(marks)") }
            var stream = try RecordStream.open(source.openToRead(ReadOptions()))
            var record = Record()
            var isRecord = true
            var count = 0
            while isRecord, problems.count < mostProblems {
                do throws(ReadError) {
                    isRecord = try stream.read(into: &record)
                    if isRecord { count += 1 }
                } catch {
                    problems.append("\(error)")
                }
                for issue in stream.issues where issue.severity == .doubt {
                    let place = issue.line > 0 ? "line \(issue.line)" : "record \(stream.place.record)"
                    problems.append("\(place): \(issue.message)")
                }
            }
            if count == 0, problems.isEmpty { problems.append("the file has no records") }
        } catch {
            problems.append("\(error)")
        }
        return Array(problems.prefix(mostProblems))
    }

    /// Moves an entry to the directory `refused`, under a new name if there is one with its name.
    private func setAside(_ entry: LocalPath, _ problem: String, _ recorder: ChangeRecorder?) throws(FileError) {
        let folder = path.appending(Self.refused)
        try makeFolder(folder)
        var name = entry
        var number = 2
        while EntryStatus(folder.appending(name)) != nil || EntryStatus(folder.appending("\(name).txt")) != nil {
            name = "\(number)-\(entry)"
            number += 1
        }
        try writeFile(Array((problem + "\n").utf8), to: folder.appending("\(name).txt"), replacing: false)
        try renameEntry(path.appending(entry), to: folder.appending(name))
        let first = problem.split(separator: "\n").first ?? ""
        recorder?.note(
            "refused \(shown(entry)): \(first) (see \(path.name.shown)/\(Self.refused.shown)/\(name.shown).txt)")
    }

    private func shown(_ entry: LocalPath) -> String { name.isEmpty ? entry.shown : "\(name)/\(entry.shown)" }
}
