extension FileHistory {
    /// A version of the file in a commit.
    struct CommittedVersion {
        let commit: String
        /// The path in the commit, relative to the top of the repository.
        let path: LocalPath
        /// The decompressed bytes.
        let bytes: [UInt8]
    }

    /// Returns the version of the file in a commit.
    func version(at commit: String) throws(Conversion.Failure) -> CommittedVersion {
        let id = try self.id(of: commit)
        let prefix = try repository.line(["rev-parse", "--show-prefix"]) ?? ""
        var names = ["\(prefix)\(name)"] as [LocalPath]
        for entry in try log().entries {
            for path in [entry.path, entry.oldPath] where !names.contains(path) { names.append(path) }
        }
        for name in names {
            // The path is relative to the top of the repository and is used literally.
            let words: [LocalPath] = ["ls-tree", "-z", "--full-tree", LocalPath(id), "--", name]
            guard let output = try repository.ask(words), let tab = output.firstIndex(of: Ascii.tab) else { continue }
            let fields = String(decoding: output[..<tab], as: UTF8.self).split(separator: " ")
            guard fields.count == 3, fields[1] == "blob" else { continue }
            var objects = try repository.objects()
            try objects.ask(for: String(fields[2]))
            return CommittedVersion(commit: id, path: name, bytes: try unpacked(objects.next(), path))
        }
        throw .impossible("commit \(commit) does not contain \(path.shown)")
    }

    /// Returns the way to read a committed version, which may have another format.
    private func reading(
        _ version: CommittedVersion, besides reading: VersionReading
    ) throws(Conversion.Failure) -> VersionReading {
        fileExtension(version.path) == fileExtension(path)
            ? reading : try reading.redetected(version.bytes, as: version.path)
    }

    /// A hint that a missing commit may be absent only in this clone.
    private var shallowHint: String { shallowNotes.first.map { "; \($0)" } ?? "" }

    /// Returns the latest committed version that has records.
    fileprivate func latestVersionWithRecords() throws(Conversion.Failure) -> [UInt8]? {
        var objects = try repository.objects()
        for entry in try log().entries {
            guard let id = entry.old, fileExtension(entry.oldPath) == fileExtension(path) else { continue }
            try objects.ask(for: id)
            let bytes = try unpacked(objects.next(), path)
            if try !reading(bytes).reading.cut(bytes).keys.isEmpty { return bytes }
        }
        return nil
    }

    private func id(of commit: String) throws(Conversion.Failure) -> String {
        let words: [LocalPath] = [
            "rev-parse", "--verify", "--quiet", "--end-of-options", "\(LocalPath(commit))^{commit}",
        ]
        guard let id = try repository.line(words), !id.bytes.isEmpty else {
            throw .impossible("there is no commit \(commit)\(shallowHint)")
        }
        return id.shown
    }

    /// Restores a record, or parts of it, from a commit. A missing record is inserted after the records that precede it
    /// in the commit.
    ///
    /// - Parameter file: The current file.
    /// - Returns: The changes.
    /// - Throws: `Conversion.Failure` if the commit does not contain the record.
    public func restore(
        _ value: Text, only parts: Set<RecordPart>? = nil, to commit: String, in file: inout RecordCollection
    ) throws(Conversion.Failure) -> ChangeSet {
        let then = try version(at: commit)
        let edited = try EditedVersion(file, self, value)
        let old = try FileVersion(then.bytes, reading(then, besides: edited.reading))
        let named = old.keys.firstIndex(of: edited.reading.hash(of: value.inUTF8.bytes))
        guard let place = named ?? edited.key(ofNumber: value).flatMap({ old.keys.firstIndex(of: $0) }) else {
            throw .impossible("commit \(commit) has no record \"\(value.shown)\"")
        }
        var edits = edited
        let changes = try edits.bring(old, place, only: parts)
        file = edits.file
        return changes
    }

    /// Restores the complete file from a commit.
    ///
    /// - Returns: The bytes of the file, and the changes of its records.
    /// - Throws: `Conversion.Failure` if the commit does not contain the file.
    public func restore(to commit: String, in path: LocalPath) throws(Conversion.Failure) -> (
        bytes: [UInt8], changes: ChangeSet
    ) {
        try restored(to: commit, from: fileKind(path) == .missing ? [] : unpackedBytes(of: path).bytes)
    }

    /// Overwrites the file with the version in a commit. The file is locked against other edits.
    package func restoreFile(to commit: String) throws(Conversion.Failure) -> ChangeSet {
        let update: FileUpdate
        do throws(FileError) {
            update = try FileUpdate(path, isLocked: true)
        } catch {
            throw .read(ReadError(error))
        }
        let now = fileKind(path) == .missing ? [] : try unpackedBytes(of: update).bytes
        let (bytes, changes) = try restored(to: commit, from: now)
        try update.save(bytes)
        return changes
    }

    private func restored(
        to commit: String, from now: [UInt8]
    ) throws(Conversion.Failure) -> (bytes: [UInt8], changes: ChangeSet) {
        let then = try version(at: commit)
        let reading = try self.reading(then.bytes).reading
        if let format = FileVersion.otherFormat(reading, than: path, options.knownFormats) {
            throw .impossible(
                "\(path.shown) was \(then.path.shown) in commit \(commit), in another format (use git show "
                    + "\(commit):\(then.path.shown) and convert it to \(format.name))")
        }
        let (old, new) = (
            now.isEmpty ? FileVersion(without: reading) : try FileVersion(now, reading),
            try FileVersion(then.bytes, reading)
        )
        return (then.bytes, ChangeSet(VersionChanges(old, nil, new).list().map(\.change)))
    }

    /// Restores the exact bytes of a deleted record, after the records that preceded it.
    ///
    /// - Returns: The commit that deleted the record, and the changes.
    /// - Throws: `Conversion.Failure` if the record still exists or no commit has deleted it.
    public func undelete(
        _ value: Text, in file: inout RecordCollection
    ) throws(Conversion.Failure) -> (commit: Commit, changes: ChangeSet) {
        var edits = try EditedVersion(file, self, value)
        if edits.number(of: edits.reading.hash(of: value.inUTF8.bytes)) != nil {
            throw .impossible("\(path.shown) already has a record \"\(value.shown)\"")
        }
        // If no deleted record has this key, the value may be the number of a record before it was deleted.
        let number = key == nil ? Int(value.string) : nil
        for isNumber in number == nil ? [false] : [false, true] {
            var walk = try VersionWalk(self, log(), isNumber ? nil : .called(value), edits.reading)
            while let step = try walk.next() {
                let found = step.changes.first { found in
                    found.change.kind == .deleted && (!isNumber || found.change.before?.number == number)
                }
                guard let found, let place = found.old else { continue }
                if isNumber, edits.number(of: found.versions.old.keys[place]) != nil { continue }
                let changes = try edits.bring(found.versions.old, place, only: nil)
                file = edits.file
                return (step.commit, changes)
            }
        }
        throw .impossible("no commit has deleted a record \"\(value.shown)\"\(shallowHint)")
    }

    /// Restores the file itself if a commit has deleted it.
    ///
    /// - Returns: The commit that deleted the file, and the changes of its records.
    /// - Throws: `Conversion.Failure` if the file exists or no commit has deleted it.
    package func undeleteFile() throws(Conversion.Failure) -> (commit: Commit, changes: ChangeSet) {
        if fileKind(path) != .missing { throw .impossible("\(path.shown) exists (use --record to restore a record)") }
        let entry = try deletion()
        return (entry, try restoreFile(to: "\(entry.id)^"))
    }

    /// Returns the commit that deleted the file.
    private func deletion() throws(Conversion.Failure) -> Commit {
        guard let entry = try log().entries.first(where: { $0.new == nil }) else {
            throw .impossible("no commit has deleted \(path.shown)\(shallowHint)")
        }
        return entry.commit
    }

    /// Returns the error for a file that does not exist, with the command that restores it if a commit has deleted it.
    package func missingFile() -> Conversion.Failure? {
        guard fileKind(path) == .missing, let commit = try? deletion() else { return nil }
        return .impossible(
            "\(path.shown) was deleted in commit \(commit.id.prefix(12)) (use chemopen undelete without --record to "
                + "restore the file)")
    }

    /// Reverts the changes of a commit, even if other data has changed since.
    ///
    /// - Parameters:
    ///   - value: The key of the only record to revert. By default all records are reverted.
    ///   - parts: The only parts to revert.
    /// - Returns: The commit and the changes.
    /// - Throws: `Conversion.Failure` if the same data has changed again since the commit. The file is then unchanged.
    public func revert(
        _ commit: String, record value: Text? = nil, only parts: Set<RecordPart>? = nil, in file: inout RecordCollection
    ) throws(Conversion.Failure) -> (commit: Commit, changes: ChangeSet) {
        let id = try id(of: commit)
        var edits = try EditedVersion(file, self, value)
        var walk = try VersionWalk(self, log(), nil, edits.reading, only: id)
        guard let step = try walk.next() else {
            throw .impossible("commit \(commit) has not changed \(path.shown)")
        }
        var chosen = step.changes
        if let value {
            let wanted = edits.reading.hash(of: value.inUTF8.bytes)
            chosen = step.changes.filter { $0.concerns(wanted) }
            if chosen.isEmpty, let key = edits.key(ofNumber: value) {
                chosen = step.changes.filter { $0.concerns(key) }
            }
        }
        if chosen.isEmpty { throw .impossible("commit \(commit) has not changed that record") }
        var changes = ChangeSet()
        for found in chosen where parts == nil || found.change.kind == .changed {
            changes.add(try edits.takeBack(found, only: parts))
        }
        file = edits.file
        return (step.commit, changes)
    }
}

/// The current file, with the keys of its records during the edits.
private struct EditedVersion {
    private(set) var file: RecordCollection
    let reading: VersionReading
    private let hasNamedKey: Bool
    private var keys: [UInt64]

    init(_ file: RecordCollection, _ history: FileHistory, _ value: Text?) throws(Conversion.Failure) {
        self.file = file
        hasNamedKey = history.key != nil
        let bytes = try file.bytes()
        // If the file has no records, it does not show which field identifies them.
        let example = file.count == 0 ? try history.latestVersionWithRecords() : nil
        reading = try history.reading(example ?? bytes, of: value.map { SoughtRecord.called($0) }).reading
        keys = try reading.cut(bytes).keys
    }

    func number(of key: UInt64) -> Int? { keys.firstIndex(of: key).map { $0 + 1 } }

    /// Returns the key of the record with a number in the current file, or `nil` if no such record exists or a field
    /// was specified as the key.
    func key(ofNumber text: Text) -> UInt64? {
        guard !hasNamedKey, let number = Int(text.string), keys.indices.contains(number - 1) else { return nil }
        return keys[number - 1]
    }

    /// Returns the number at which to insert a record of an older version: after the nearest record that precedes it
    /// there.
    private func number(behind place: Int, of old: FileVersion) -> Int {
        var numbers: [UInt64: Int] = [:]
        for (index, key) in keys.enumerated() { numbers[key] = index + 1 }
        for before in stride(from: place - 1, through: 0, by: -1) {
            if let number = numbers[old.keys[before]] { return number + 1 }
        }
        return 1
    }

    /// Inserts a record of another version into the file, or replaces some parts.
    mutating func bring(
        _ old: FileVersion, _ place: Int, only parts: Set<RecordPart>?
    ) throws(Conversion.Failure) -> ChangeSet {
        let version = old.version(place)
        guard let record = version.record else { throw .impossible("the earlier version of the record is unreadable") }
        let isConverted = old.reading.format.id != file.format.id
        guard let number = number(of: old.keys[place]) else {
            let number = number(behind: place, of: old)
            keys.insert(old.keys[place], at: number - 1)
            if isConverted { return try file.insertConverted(record, at: at(number)) }
            return try file.insert([RecordText.Version(bytes: version.bytes, record: record)], at: at(number))
        }
        if isConverted { return try file.takeConverted(record, record: number, only: parts) }
        guard let parts else { return try file.replace(record: number, by: version.bytes, record) }
        return try file.take(parts, of: RecordText.Version(bytes: version.bytes, record: record), record: number)
    }

    /// Returns `nil` for the end of the file.
    private func at(_ number: Int) -> Int? { number > file.count ? nil : number }

    /// Reverts a change.
    mutating func takeBack(
        _ found: VersionChanges.Found, only parts: Set<RecordPart>?
    ) throws(Conversion.Failure) -> ChangeSet {
        let change = found.change
        if change.kind == .deleted, let place = found.old {
            if number(of: found.versions.old.keys[place]) != nil {
                throw .impossible("\(change.name): the record already exists")
            }
            return try bring(found.versions.old, place, only: nil)
        }
        guard let after = change.after, let place = found.new, let number = number(of: found.versions.new.keys[place])
        else { throw .impossible("\(change.name): the record no longer exists") }
        switch change.kind {
        case .inserted:
            guard try file.holds(after.bytes, at: number) else {
                throw .impossible("\(change.name): the record has been changed since it was inserted")
            }
            keys.remove(at: number - 1)
            return try file.delete(records: [number])
        case .moved:
            let key = keys.remove(at: number - 1)
            let target = self.number(behind: found.old ?? 0, of: found.versions.old)
            keys.insert(key, at: target - 1)
            return try file.move(records: [number], to: target)
        case .changed, .deleted:
            guard let before = change.before, let base = after.record, let theirs = before.record else {
                throw .impossible("\(change.name): the record cannot be read")
            }
            if let old = found.old { keys[number - 1] = found.versions.old.keys[old] }
            if found.versions.old.reading.format.id != file.format.id {
                return try file.mergeConverted(theirs, of: base, record: number, only: parts)
            }
            return try file.merge(
                RecordText.Version(bytes: before.bytes, record: theirs), of: base, record: number, only: parts)
        }
    }
}
