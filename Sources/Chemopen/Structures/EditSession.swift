import ChemopenChemistry
import ChemopenDesktop

/// A record whose structure is being edited in another program.
///
/// The copy and the state are stored in a directory that survives the session. It is removed only after the last saved
/// copy was merged, so no saved copy can be lost: a later run finds and merges it.
///
///     var session = try EditSession(of: "a.sdf", record: 3, for: nil, HandlerRegistry(.current))
///     // Start an editor with session.copy, and after each save:
///     if let merged = try session.merge() { print(merged.changes.changes) }
///     session.close()
package struct EditSession: Sendable {
    /// The directory of the session.
    package let folder: LocalPath
    /// The copy to open in the editor.
    package let copy: LocalPath
    private var state: State
    /// Other processes leave the directory alone as long as this one holds the lock.
    private let lock: FolderLock?
    /// The features that the copy does not contain.
    package private(set) var losses: [Loss] = []
    private var reading = ReadOptions()

    /// The result of merging a saved copy.
    package struct Merged: Sendable {
        package let changes: ChangeSet
        /// Data that the editor has omitted and that is preserved.
        package let kept: [String]
        /// The record that was changed.
        package let number: Int
    }

    /// The state after the last merge.
    private struct State {
        var path: LocalPath
        var format: String
        var number: Int
        var copyName: LocalPath
        var copyFormat: String
        /// The copy that was merged last, or that was created.
        var base: [UInt8]
        /// The copy that was created, as an editor can keep it as a backup; `nil` if it is not known.
        var first: [UInt8]?
        /// A file that contains only the record after the last merge.
        var record: [UInt8]
    }

    private static let stateName: LocalPath = ".state"
    private static let most = RecordCost.mostBytes

    /// Creates a copy of a record for an editor.
    ///
    /// - Parameter handler: The editor, or `nil` for a command, which receives a molfile.
    /// - Throws: `Conversion.Failure` if the record cannot be edited in this way, or the copy cannot be written.
    package init(
        of path: LocalPath, as format: Format? = nil, _ reading: ReadOptions = ReadOptions(), record number: Int,
        for handler: Handler?, _ registry: HandlerRegistry
    ) throws(Conversion.Failure) {
        let file = try RecordCollection(path, as: format, reading)
        try file.text.refuseUnwritten()
        let name = "record \(number) of \(path.shown)"
        guard let record = try file.record(number) else { throw .impossible("\(name) is unreadable") }
        let made = try EditorCopy(of: record, for: handler, registry, called: name)
        losses = made.losses
        self.reading = reading
        let stem = safeFileName(fileStem(path))
        let suffix = made.format.extensions.first ?? "mol"
        let copyName: LocalPath = "\(stem.bytes.isEmpty ? "structure" : stem)-\(number).\(suffix)"
        state = State(
            path: path.absolute(from: currentFolder()), format: file.format.id, number: number, copyName: copyName,
            copyFormat: made.format.id, base: made.bytes, first: made.bytes, record: try file.alone(number))
        do throws(FileError) {
            folder = try Self.newFolder(registry.session)
            lock = FolderLock(folder)
            copy = folder.appending(copyName)
            try Self.write(state, in: folder)
            try writeFile(made.bytes, to: copy, replacing: false, packing: false)
        } catch {
            throw .write(WriteError(error))
        }
    }

    // MARK: Storage

    /// The directory of all sessions.
    package static func top(_ session: SessionEnvironment) -> LocalPath {
        session.dataHome.appending("chemopen/edits")
    }

    private static func newFolder(_ session: SessionEnvironment) throws(FileError) -> LocalPath {
        let top = top(session)
        try makeFolders(top.folder)
        _ = try makePrivateFolder(top)
        for _ in 0..<16 {
            let path = top.appending(LocalPath(String(UInt64.random(in: 0 ... .max), radix: 36)))
            if try makePrivateFolder(path) { return path }
        }
        throw FileError(top, .alreadyExists)
    }

    private static func write(_ state: State, in folder: LocalPath) throws(FileError) {
        let words = [
            state.path.uri, state.format, "\(state.number)", LocalPath("/").appending(state.copyName).uri,
            state.copyFormat, "\(state.base.count)",
        ]
        let head = words.joined(separator: " ") + "\n"
        let bytes = Array(head.utf8) + state.base + state.record
        try writeFile(bytes, to: folder.appending(stateName), replacing: true, packing: false)
    }

    /// Opens an existing session, or returns `nil` if its state cannot be read.
    private init?(existing folder: LocalPath, _ lock: FolderLock) {
        guard let bytes = try? readFile(folder.appending(Self.stateName), limit: 2 * Self.most + 65_536),
            let end = bytes.firstIndex(of: Ascii.lineFeed)
        else { return nil }
        let words = bytes[..<end].split(separator: Ascii.blank).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 6, let path = LocalPath(uri: words[0]), let number = Int(words[2]),
            let copyName = LocalPath(uri: words[3])?.name, let count = Int(words[5]),
            0...(bytes.count - end - 1) ~= count
        else { return nil }
        self.folder = folder
        self.lock = lock
        copy = folder.appending(copyName)
        state = State(
            path: path, format: words[1], number: number, copyName: copyName, copyFormat: words[4],
            base: Array(bytes[(end + 1)...].prefix(count)), first: nil, record: Array(bytes[(end + 1 + count)...]))
    }

    /// The age in seconds after which a session that was interrupted before anything was saved is removed. A program can
    /// still have its copy open until then.
    private static let age = 24 * 60 * 60

    /// Finds the interrupted sessions with saved copies that are not merged, and removes old ones without.
    package static func pending(in session: SessionEnvironment) -> [EditSession] {
        let top = top(session)
        var found: [EditSession] = []
        for name in (try? folderEntries(top)) ?? [] {
            let folder = top.appending(name)
            guard let status = EntryStatus(folder), status.isFolder, !status.isLink, let lock = FolderLock(folder)
            else { continue }
            let isOld = currentTime() - status.modified > age
            if let other = EditSession(existing: folder, lock) {
                if other.isSaved { found.append(other) } else if isOld { other.close() }
            } else if isOld {
                removeFolderIfEmpty(folder)
            }
        }
        return found
    }

    // MARK: Merging

    /// The file that contains the record.
    package var path: LocalPath { state.path }
    /// The number of the record.
    package var number: Int { state.number }

    /// Whether the copy was saved after the last merge. An unreadable copy counts as saved.
    package var isSaved: Bool {
        if fileKind(copy) == .missing { return false }
        return (try? readFile(copy, limit: Self.most)) != state.base
    }

    /// Merges the saved copy into the record.
    ///
    /// - Parameter moved: The new path of the file, if it was moved.
    /// - Returns: The changes, or `nil` if the copy was not saved since the last merge.
    /// - Throws: `Conversion.Failure` if the copy cannot be read or merged. The file is then unchanged, and the copy
    ///   remains.
    package mutating func merge(into moved: LocalPath? = nil) throws(Conversion.Failure) -> Merged? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(copy, limit: Self.most)
        } catch {
            throw .read(ReadError(error))
        }
        if bytes == state.base { return nil }
        let copyFormat = reading.knownFormats.first { $0.id == state.copyFormat } ?? .molfile
        let structures: (base: Molecule, saved: Molecule)
        do throws(ReadError) {
            structures = (
                try EditorCopy.structure(in: state.base, as: copyFormat),
                try EditorCopy.structure(in: bytes, as: copyFormat)
            )
        } catch {
            throw .read(error)
        }
        let edits = StructureChanges(from: structures.base, to: structures.saved, by: .editor)
        if edits.isUnrelated {
            throw .impossible(
                "the saved copy is another structure (use chemopen edit --structure \(copy.shown) to replace the record's)"
            )
        }
        let path = moved ?? state.path
        let format = reading.knownFormats.first { $0.id == state.format }
        var file = try RecordCollection(path, as: format, reading, isLocked: true)
        let merged = try file.merge(edits, intoRecord: state.number, lastSeen: state.record)
        if file.isEdited { try file.save() }
        state.path = path.absolute(from: currentFolder())
        state.number = merged.number
        state.base = bytes
        state.record = try file.alone(merged.number)
        do throws(FileError) {
            try Self.write(state, in: folder)
        } catch {
            throw .write(WriteError(error))
        }
        return Merged(changes: merged.changes, kept: edits.kept, number: merged.number)
    }

    /// Merges each saved copy until the editor has ended. If the editor has passed the copy to another process, continues
    /// for some hours.
    ///
    /// - Parameter report: Receives each result. A failure is reported once for each saved copy.
    package mutating func watch(
        _ editors: [ChildProcess], _ report: (Result<Merged, Conversion.Failure>) -> Void
    ) {
        let (start, pause, shortest, longest): (Int, UInt32, Int, Int) = (currentTime(), 250, 5, 12 * 60 * 60)
        var running = editors
        var seen = FileIdentity(copy)
        var changed = seen
        var isUsed = false
        while true {
            running.removeAll { $0.endedStatus() != nil }
            let time = currentTime() - start
            if running.isEmpty, isUsed || time >= longest || time >= shortest && !editors.isEmpty { break }
            let now = FileIdentity(copy)
            if now != seen, now == changed {
                seen = now
                isUsed = mergeReporting(report) || isUsed
            }
            changed = now
            sleepMilliseconds(pause)
        }
        _ = mergeReporting(report)
    }

    private mutating func mergeReporting(_ report: (Result<Merged, Conversion.Failure>) -> Void) -> Bool {
        guard isSaved else { return false }
        do throws(Conversion.Failure) {
            if let merged = try merge() { report(.success(merged)) }
        } catch {
            report(.failure(error))
        }
        return true
    }

    /// Removes the session, unless its copy was saved after the last merge.
    ///
    /// - Returns: Whether it was removed.
    @discardableResult
    package func close() -> Bool {
        defer { lock?.release() }
        if isSaved { return false }
        // Of the files that the editor created next to the copy, only backups without changes are removed.
        for name in (try? folderEntries(folder)) ?? [] where name != Self.stateName {
            let file = folder.appending(name)
            guard let status = EntryStatus(file), !status.isFolder, !status.isLink else { continue }
            let bytes = try? readFile(file, limit: Self.most)
            if bytes == state.base || bytes == state.first { removeFile(file) }
        }
        removeFile(copy)
        removeFile(folder.appending(Self.stateName))
        removeFolderIfEmpty(folder)
        return true
    }
}

extension RecordCollection {
    /// Returns a file that contains only this record.
    func alone(_ number: Int) throws(Conversion.Failure) -> [UInt8] {
        let bytes = try bytes(ofRecord: number)
        guard let table = text.table else { return bytes }
        let rest = text.records.last.map { text.bytes[$0.upperBound...] } ?? []
        return table.head(of: text.bytes, adding: [], rows: 0) + bytes + rest
    }

    /// Applies the changes of an editor to a record.
    ///
    /// - Parameter seen: A file that contains the record as the editor received it.
    /// - Returns: The changes, and the current number of the record.
    mutating func merge(
        _ edits: StructureChanges, intoRecord number: Int, lastSeen seen: [UInt8]
    ) throws(Conversion.Failure) -> (changes: ChangeSet, number: Int) {
        let old = firstRecord(in: seen)
        guard let before = old?.molecule else { throw .impossible("the original record is unreadable") }
        let number = try self.number(of: seen, old, near: number)
        guard let record = try record(number), let current = record.molecule else {
            throw .impossible("record \(number) of \(path.shown) has no structure any more")
        }
        var target = before
        edits.apply(to: &target, edits.base == before ? nil : AtomAlignment(edits.base, before))
        var named = before
        named.name = current.name
        if named != current {
            let merge = StructureMerge(before, current, target)
            if !merge.conflicts.isEmpty {
                throw .impossible(
                    "record \(number) of \(path.shown) was also changed by someone else: "
                        + merge.conflicts.joined(separator: ", "))
            }
            target = merge.molecule
        }
        target.name = current.name
        if target == current { return (ChangeSet(), number) }
        return (try edit(record: number, [.take(.structure, from: Record(target))]), number)
    }

    private func firstRecord(in bytes: [UInt8]) -> Record? {
        guard let source = try? ByteSource(bytes), var records = try? RecordStream.open(source, as: format) else {
            return nil
        }
        return (try? records.next()) ?? nil
    }

    /// Finds a record that may have been moved or changed: by its text, then by its title, then by its number.
    private func number(of seen: [UInt8], _ old: Record?, near number: Int) throws(Conversion.Failure) -> Int {
        if (1..<count + 1).contains(number), try alone(number) == seen { return number }
        for other in 1..<count + 1 where try alone(other) == seen { return other }
        if let title = old?.title, !title.isEmpty {
            let named = try numbers(called: title, key: "title")
            if named.contains(number) { return number }
            if named.count == 1 { return named[0] }
        }
        if (1..<count + 1).contains(number), let record = try record(number), let molecule = record.molecule,
            let before = old?.molecule, record.title == old?.title,
            !StructureChanges(from: before, to: molecule, by: .person).isUnrelated
        {
            return number
        }
        throw .impossible("record \(number) of \(path.shown) was deleted or replaced")
    }
}
