/// The history of a file of records in git: the changes of each commit, record by record.
///
/// It uses git's command line, and never runs programs that the repository specifies.
///
///     let history = try FileHistory("library.sdf")
///     try history.changes(of: "CHEMBL25") { commit, change in
///         print(commit.date, commit.author, change)
///         return true
///     }
public struct FileHistory: Sendable {
    /// The file, which may no longer exist.
    public let path: LocalPath
    /// The field that identifies a record, or `title`. By default, the first key that is unique for each record is
    /// used.
    public var key: Text?
    /// The date of the oldest commit to include, in git's syntax, such as `2026-01-31` or `two weeks ago`.
    public var since: LocalPath?
    /// The date of the latest commit to include.
    public var until: LocalPath?
    /// The commits to include, in git's syntax for revisions, such as `main..topic`.
    public var commits: LocalPath?
    /// A part of the name or email address of the author. If it is set, only matching commits are included.
    public var author: String?
    let repository: GitRepository
    /// The oldest commits in a shallow clone.
    private let shallow: Set<String>
    private let format: Format?
    private(set) var options: ReadOptions

    /// Creates the history of a file in the repository that contains it.
    ///
    /// - Throws: `Conversion.Failure` if git is not installed or there is no repository.
    public init(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(Conversion.Failure) {
        self.path = path
        self.format = format
        self.options = options
        repository = try GitRepository(around: path.folder.absolute(from: currentFolder()))
        let words: [LocalPath] = ["rev-parse", "--path-format=absolute", "--git-path", "shallow"]
        guard let list = try repository.line(words) else {
            throw .impossible("\(path.shown): is not in a git repository that git trusts")
        }
        let lines = (try? readFile(list))?.split(separator: Ascii.lineFeed) ?? []
        shallow = Set(lines.map { String(decoding: $0, as: UTF8.self) })
    }

    var name: LocalPath { path.name }

    /// Reports the changes of all commits, the latest first.
    ///
    /// - Parameters:
    ///   - value: The key of the only record to report, or its number in the latest version; `nil` for all records.
    ///   - note: Receives the reasons why the history may be incomplete, such as a shallow clone.
    ///   - tell: Receives each change with its commit, and returns whether to continue.
    /// - Throws: `Conversion.Failure` if git fails or a version cannot be read, and any error of `tell`.
    public func changes(
        of value: Text? = nil, note: (String) -> Void = { _ in },
        _ tell: (Commit, RecordChange) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        try changes(of: value.map { SoughtRecord.called($0) }, note, tell)
    }

    /// Reports the changes of a record, given in its current state.
    ///
    /// - Parameter bytes: The bytes of the record.
    package func changes(
        of record: Record, _ bytes: [UInt8], note: (String) -> Void = { _ in },
        _ tell: (Commit, RecordChange) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        try changes(of: .record(record, bytes), note, tell)
    }

    private func changes(
        of sought: SoughtRecord?, _ note: (String) -> Void,
        _ tell: (Commit, RecordChange) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        let log = try log()
        for text in notes(of: log) { note(text) }
        var walk = try VersionWalk(self, log, sought)
        while let step = try walk.next() {
            if options.shouldCancel?() == true { throw .cancelled }
            if let author, !step.commit.isBy(author) { continue }
            for found in step.changes {
                if try !tell(step.commit, found.change) { return }
            }
        }
    }

    /// Finds changes and their commits, on a separate thread while the task waits.
    ///
    /// - Parameter most: The maximum number of changes.
    /// - Returns: The changes, the latest first.
    /// - Throws: `Conversion.Failure` if git fails or a version cannot be read, or `.cancelled`.
    public func changes(
        of value: Text? = nil, atMost most: Int = .max
    ) async throws(Conversion.Failure) -> [(commit: Commit, change: RecordChange)] {
        try await onReadingThread(by: options) { [self] options throws(Conversion.Failure) in
            var history = self
            history.options = options
            var found: [(commit: Commit, change: RecordChange)] = []
            try history.changes(of: value) { commit, change in
                found.append((commit, change))
                return found.count < most
            }
            return found
        }
    }

    /// Returns the same history with a function that can cancel reading at any record.
    package func cancelled(by shouldCancel: @escaping @Sendable () -> Bool) -> FileHistory {
        var history = self
        history.options.shouldCancel = shouldCancel
        return history
    }

    /// Whether the repository is a shallow clone, which lacks the older commits.
    public var isShallow: Bool { !shallow.isEmpty }

    func log() throws(Conversion.Failure) -> FileLog {
        let recognition = FileLog.Recognition(
            isKnown: { options.knownFormats.format(ofName: $0) != nil },
            areSimilar: { (try? haveCommonRecords($0, $1)) ?? false })
        var log = try FileLog(
            of: name, in: repository, FileLog.Range(since: since, until: until, commits: commits), recognition)
        // The oldest commit of a shallow clone contains records that it did not insert.
        log.removeFirstVersions(of: shallow)
        return log
    }

    /// The note for a shallow clone, or an empty list.
    var shallowNotes: [String] {
        isShallow ? ["the clone is shallow, so older commits are missing (run git fetch --unshallow)"] : []
    }

    private func notes(of log: FileLog) -> [String] { shallowNotes + log.notes }

    /// Whether two objects contain mostly the same records, possibly in different formats.
    private func haveCommonRecords(_ old: String, _ new: String) throws -> Bool {
        var objects = try repository.objects()
        var files: [RereadFile] = []
        for id in [new, old] {
            try objects.ask(for: id)
            files.append(try RereadFile(Source(unpacked(objects.next(), path), named: ""), as: nil, options))
        }
        let candidates = try RecordKey.candidates(in: files[0], named: key)
        let hash = KeyedHash()
        var tables: [RecordTable] = []
        for file in files {
            var table = RecordTable(candidates: candidates.count)
            table.take(try file.records(skippingStructures: true), by: candidates, hash, rows: nil, refuse: { _ in })
            tables.append(table)
        }
        let least = tables.map(\.count).min() ?? 0
        return least > 0
            && candidates.indices.contains { candidate in
                let keys = tables.map { Set($0.keys[candidate]).subtracting([RecordTable.none]) }
                return 2 * keys[0].intersection(keys[1]).count >= least
            }
    }

    /// Determines how to read the versions of the file, from its latest version.
    func reading(
        _ bytes: [UInt8], of sought: SoughtRecord? = nil
    ) throws(Conversion.Failure) -> (reading: VersionReading, hasValue: Bool) {
        do throws(ReadError) {
            let file = try RereadFile(Source(bytes, named: path), as: format, options)
            let candidates = try RecordKey.candidates(in: file, named: key)
            let hash = KeyedHash()
            var table = RecordTable(candidates: candidates.count)
            table.take(try file.records(skippingStructures: true), by: candidates, hash, rows: nil, refuse: { _ in })
            let named = candidates.indices.first { place in
                switch sought {
                case nil: return false
                case .called(let name): return table.keys[place].contains(max(1, hash(name.inUTF8.bytes.span)))
                case .record(let record, _):
                    // A key can also be used if no other record has the same value.
                    guard let value = candidates[place].value(in: record) else { return false }
                    let wanted = max(1, hash(value.span))
                    return table.keys[place].count { $0 == wanted } == 1
                }
            }
            let chosen = named ?? RecordTable.chosenCandidate(for: [table], isNamed: key != nil)
            let reading = VersionReading(
                path: path, format: file.format, options: options, key: chosen.map { candidates[$0] })
            return (reading, named != nil)
        } catch {
            throw .read(error)
        }
    }
}

/// The record whose history is requested.
enum SoughtRecord: Sendable {
    /// A record with a key, or with a number in the latest version.
    case called(Text)
    /// A record in its current state, with its bytes.
    case record(Record, [UInt8])

    var name: Text? {
        if case .called(let name) = self { name } else { nil }
    }
}

extension Commit {
    /// Whether the author's name or email address contains a text, in any case.
    func isBy(_ text: String) -> Bool {
        "\(author) <\(address)>".lowercased().holds(text.lowercased())
    }
}

/// An iterator over the versions of a file, the latest first. It compares each version with the previous one.
struct VersionWalk: ~Copyable {
    struct Step {
        let commit: Commit
        let changes: [VersionChanges.Found]
    }

    private let log: FileLog
    private var objects: GitObjects
    private let history: FileHistory
    private let sought: SoughtRecord?
    private var reading: VersionReading?
    /// The key of the requested record. It may differ in older versions.
    private var wanted: UInt64?
    private var place = 0
    /// The objects in the order of the requests, and the number of requests made.
    private var requests: [String] = []
    private var asked = 0
    /// The version that was read last.
    private var last: (id: String, version: FileVersion)?

    /// The number of objects to request in advance.
    private static let ahead = 4

    /// - Parameters:
    ///   - sought: The only record to report.
    ///   - reading: The way to read versions. By default it is determined from the latest version.
    ///   - commit: The only commit to report.
    init(
        _ history: FileHistory, _ log: FileLog, _ sought: SoughtRecord?, _ reading: VersionReading? = nil,
        only commit: String? = nil
    ) throws(Conversion.Failure) {
        var log = log
        if let commit { log.keep(commit) }
        self.history = history
        self.log = log
        self.sought = sought
        self.reading = reading
        if let reading { wanted = sought?.name.map { reading.hash(of: $0.inUTF8.bytes) } }
        objects = try history.repository.objects()
        var last: String?
        for entry in log.entries {
            if let new = entry.new, new != last { requests.append(new) }
            if let old = entry.old { requests.append(old) }
            requests += entry.others
            last = entry.old
        }
    }

    /// Returns the next commit with its changes. For a merge commit, changes that are already in another parent are
    /// omitted.
    mutating func next() throws(Conversion.Failure) -> Step? {
        guard place < log.entries.count else { return nil }
        let entry = log.entries[place]
        place += 1
        reuse()
        let step = try step(entry)
        if entry.others.isEmpty { return step }
        var changes = step.changes
        for _ in entry.others {
            let bytes = try object()
            guard let reading, !changes.isEmpty else { continue }
            let other = try FileVersion(bytes, reading)
            let places = Dictionary(zip(other.keys, other.keys.indices)) { first, _ in first }
            changes.removeAll { $0.isLike(other, places) }
        }
        return Step(commit: step.commit, changes: changes)
    }

    private mutating func step(_ entry: FileLog.Entry) throws(Conversion.Failure) -> Step {
        let new = try version(entry.new)
        if entry.isConverted, let new { return try step(entry, convertedTo: new) }
        guard let reading else { return Step(commit: entry.commit, changes: []) }
        let none = FileVersion(without: reading)
        guard let id = entry.old else {
            last = nil
            return step(entry, VersionChanges(none, nil, new ?? none))
        }
        let bytes = try object()
        guard let new else {
            let old = try FileVersion(bytes, reading)
            last = (id, old)
            return step(entry, VersionChanges(old, nil, none))
        }
        let beside = try FileVersion.beside(new, bytes)
        let step = step(entry, VersionChanges(beside.version, beside.own, new, beside.others))
        // The memory of an unneeded version is reused for the next one.
        last = (id, beside.version)
        retired = new
        if step.changes.isEmpty { reuse() }
        return step
    }

    /// Compares versions in different formats. Earlier versions are read in the older format.
    private mutating func step(
        _ entry: FileLog.Entry, convertedTo new: FileVersion
    ) throws(Conversion.Failure) -> Step {
        let bytes = try object()
        guard let current = reading, let id = entry.old else { return Step(commit: entry.commit, changes: []) }
        let reading = try current.redetected(bytes, as: entry.oldPath)
        let old = try FileVersion(bytes, reading)
        last = (id, old)
        self.reading = reading
        return step(entry, VersionChanges(old, nil, new))
    }

    private mutating func version(_ id: String?) throws(Conversion.Failure) -> FileVersion? {
        guard let id else {
            // If the commit deleted the file, the version before it determines how to read all versions.
            if reading == nil, let old = log.entries[place - 1].old { try prepare(old) }
            return nil
        }
        if let last, last.id == id { return last.version }
        let bytes = try object()
        if reading == nil { try begin(bytes) }
        guard let reading else { return nil }
        return try FileVersion(bytes, reading)
    }

    /// Reads a version out of order, with a separate process.
    private mutating func prepare(_ id: String) throws(Conversion.Failure) {
        var objects = try history.repository.objects()
        try objects.ask(for: id)
        try begin(try unpacked(objects.next(), history.path))
    }

    private mutating func begin(_ bytes: [UInt8]) throws(Conversion.Failure) {
        let (reading, hasValue) = try history.reading(bytes, of: sought)
        self.reading = reading
        if case .record(let record, let bytes) = sought {
            wanted = reading.hash(of: reading.key?.value(in: record) ?? bytes)
        }
        guard let value = sought?.name else { return }
        wanted = reading.hash(of: value.inUTF8.bytes)
        // A value that is not a key may be a record number.
        if !hasValue, let number = Int(value.string), number > 0 {
            let version = try FileVersion(bytes, reading)
            if number <= version.keys.count { wanted = version.keys[number - 1] }
        }
    }

    /// Recycles the memory of a version that is no longer needed.
    private mutating func reuse() {
        if var done = retired { spare = done.takeBytes() }
        retired = nil
    }

    private mutating func object() throws(Conversion.Failure) -> [UInt8] {
        while asked < requests.count, asked < taken + Self.ahead {
            try objects.ask(for: requests[asked])
            asked += 1
        }
        taken += 1
        var bytes: [UInt8] = []
        swap(&bytes, &spare)
        try objects.next(into: &bytes)
        return try unpacked(bytes, history.path)
    }

    private var taken = 0
    /// A buffer for the next object.
    private var spare: [UInt8] = []
    /// A version that the caller of the previous step may still use.
    private var retired: FileVersion?

    private mutating func step(_ entry: FileLog.Entry, _ changes: VersionChanges) -> Step {
        if let wanted, !changes.concerns(wanted) { return Step(commit: entry.commit, changes: []) }
        let found = changes.list(of: wanted)
        // If the key of the record has changed, older versions are searched for its previous key.
        if wanted != nil, let old = found.first(where: { $0.change.kind == .changed })?.old {
            wanted = changes.old.keys[old]
        }
        return Step(commit: entry.commit, changes: found)
    }
}
