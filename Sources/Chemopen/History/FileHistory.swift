/// The history of a file of records in git: what each commit has changed, record by record.
///
/// Git is asked over its own command line, and nothing runs that the repository names.
///
///     let history = try FileHistory("library.sdf")
///     try history.changes(of: "CHEMBL25") { commit, change in
///         print(commit.date, commit.author, change)
///         return true
///     }
public struct FileHistory: Sendable {
    /// The file, which need not be there any more.
    public let path: LocalPath
    /// The field by whose value a record is found again, or `title`; `nil` for the first that tells the records apart.
    public var key: Text?
    /// Only commits from then on, as git understands it: `2026-01-31`, `two weeks ago`.
    public var since: LocalPath?
    /// Only commits up to then.
    public var until: LocalPath?
    /// Only commits of an author whose name or address has this in it.
    public var author: String?
    let repository: GitRepository
    /// The commits at which a shallow clone ends.
    private let shallow: Set<String>
    private let format: Format?
    private var options: ReadOptions

    /// The file in the repository around it.
    public init(
        _ path: LocalPath, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(Conversion.Failure) {
        self.path = path
        self.format = format
        self.options = options
        repository = try GitRepository(around: path.folder.absolute(from: currentFolder()))
        let words: [LocalPath] = ["rev-parse", "--path-format=absolute", "--git-path", "shallow"]
        guard let list = try repository.line(words) else {
            throw .impossible("\(path.shown): git knows no repository here, or does not trust it")
        }
        let lines = (try? readFile(list))?.split(separator: Ascii.lineFeed) ?? []
        shallow = Set(lines.map { String(decoding: $0, as: UTF8.self) })
    }

    var name: LocalPath { path.name }

    /// Tells what commits have changed, the latest first, as long as the answer is yes.
    ///
    /// - Parameters:
    ///   - value: the key of the sole record that is asked for, or its number in the latest version; `nil` for all.
    ///   - tell: gets each change and its commit.
    public func changes(
        of value: Text? = nil, _ tell: (Commit, RecordChange) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        try changes(of: value.map { SoughtRecord.called($0) }, tell)
    }

    /// Tells what commits have changed in a record as it is now.
    ///
    /// - Parameter bytes: those of the record.
    package func changes(
        of record: Record, _ bytes: [UInt8], _ tell: (Commit, RecordChange) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        try changes(of: .record(record, bytes), tell)
    }

    private func changes(
        of sought: SoughtRecord?, _ tell: (Commit, RecordChange) throws(Conversion.Failure) -> Bool
    ) throws(Conversion.Failure) {
        var walk = try VersionWalk(self, log(), sought)
        while let step = try walk.next() {
            if options.cancels?() == true { throw .cancelled }
            if let author, !step.commit.isBy(author) { continue }
            for found in step.changes {
                if try !tell(step.commit, found.change) { return }
            }
        }
    }

    /// The changes and their commits, found on a thread of its own, while the task waits.
    ///
    /// - Parameter most: no more than so many.
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

    /// The same history, which ends at the next record where a function says so.
    package func cancelled(by cancels: @escaping @Sendable () -> Bool) -> FileHistory {
        var history = self
        history.options.cancels = cancels
        return history
    }

    /// Whether the repository is a shallow clone, which does not have the older commits.
    public var isShallow: Bool { !shallow.isEmpty }

    func log() throws(Conversion.Failure) -> FileLog {
        var log = try FileLog(of: name, in: repository, FileLog.Range(since: since, until: until))
        // What is there in the oldest commit of a shallow clone was not inserted by it.
        log.removeFirstVersions(of: shallow)
        return log
    }

    /// How versions are read, by the latest of them.
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
                    // A key that no other record has is as good as one by which all are told apart.
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

/// The sole record whose history is asked for.
enum SoughtRecord: Sendable {
    /// By its key, or its number in the latest version.
    case called(Text)
    /// As it is now, with its bytes.
    case record(Record, [UInt8])

    var name: Text? {
        if case .called(let name) = self { name } else { nil }
    }
}

extension Commit {
    /// Whether the name or the address of the author has some text in it, in letters of either case.
    func isBy(_ text: String) -> Bool {
        "\(author) <\(address)>".lowercased().holds(text.lowercased())
    }
}

/// Walks through the versions of a file, the latest first, and compares each with the one before it.
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
    /// The key of the sole record that is asked for; an older version may have another one.
    private var wanted: UInt64?
    private var place = 0
    /// The objects in the order in which they are asked for, and how many have been.
    private var requests: [String] = []
    private var asked = 0
    /// The version that was looked at last.
    private var last: (id: String, version: FileVersion)?

    /// So many objects are asked for ahead.
    private static let ahead = 4

    /// - Parameters:
    ///   - sought: the sole record that is asked for.
    ///   - reading: how versions are read; `nil` where the latest of them says so.
    ///   - commit: the sole commit that is asked for.
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

    /// The next commit with what it has changed; one that merges others with what none of them has so.
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
        // A version that nobody needs any more gives its memory to the next one.
        last = (id, beside.version)
        retired = new
        if step.changes.isEmpty { reuse() }
        return step
    }

    private mutating func version(_ id: String?) throws(Conversion.Failure) -> FileVersion? {
        guard let id else {
            // The file is gone behind this commit: the version before it says how all are read.
            if reading == nil, let old = log.entries[place - 1].old { try prepare(old) }
            return nil
        }
        if let last, last.id == id { return last.version }
        let bytes = try object()
        if reading == nil { try begin(bytes) }
        guard let reading else { return nil }
        return try FileVersion(bytes, reading)
    }

    /// Looks at a version by a process of its own, before its turn.
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
        // A value that is no key may be the number of a record.
        if !hasValue, let number = Int(value.string), number > 0 {
            let version = try FileVersion(bytes, reading)
            if number <= version.keys.count { wanted = version.keys[number - 1] }
        }
    }

    /// Gives the memory of a version that is done with to the next one.
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
    /// Memory for the next object.
    private var spare: [UInt8] = []
    /// The version that whoever asked for the last step may still look at.
    private var retired: FileVersion?

    private mutating func step(_ entry: FileLog.Entry, _ changes: VersionChanges) -> Step {
        if let wanted, !changes.concerns(wanted) { return Step(commit: entry.commit, changes: []) }
        let found = changes.list(of: wanted)
        // A record whose key has changed is followed under the one that it had before.
        if wanted != nil, let old = found.first(where: { $0.change.kind == .changed })?.old {
            wanted = changes.old.keys[old]
        }
        return Step(commit: entry.commit, changes: found)
    }
}
