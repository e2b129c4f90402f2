import Chemopen

/// A running or finished search for changes that git commits made to a file or a record. Results can be requested page
/// by page.
final class ChangesRun: Sendable {
    /// The key of a search. Equal requests share a search.
    struct Key: Sendable, Hashable {
        var entity: EntityID
        /// The number of the opened file, unique for each opening.
        var generation: Int
        var since: String?
        var until: String?
        var author: String?
    }

    struct Found: Sendable {
        var changes: [(commit: Commit, change: RecordChange)] = []
        var isComplete = false
        var isCancelled = false
        /// The reason why changes may be missing.
        var note = ""
        fileprivate var bytes = 0
    }

    let key: Key
    private let path: LocalPath
    private let record: (content: Record, bytes: [UInt8])?
    private let found = Guarded(Found())

    /// The limits for stored changes.
    private static let (mostChanges, mostBytes) = (5000, 1 << 26)

    /// Creates a search.
    ///
    /// - Parameter record: the record whose changes are wanted; `nil` for all records.
    init(_ key: Key, _ path: LocalPath, _ record: (content: Record, bytes: [UInt8])?) {
        (self.key, self.path, self.record) = (key, path, record)
    }

    func cancel() {
        found.change {
            $0.isCancelled = true
            $0.isComplete = true
        }
    }

    /// Searches the commits, the newest first.
    func run() {
        var note = ""
        do throws(Conversion.Failure) {
            var history = try FileHistory(path).cancelled { [found] in found.change { $0.isCancelled } }
            (history.since, history.until) = (key.since.map { LocalPath($0) }, key.until.map { LocalPath($0) })
            history.author = key.author
            var notes: [String] = []
            defer { note = notes.joined(separator: "; ") }
            if let record {
                try history.changes(of: record.content, record.bytes, note: { notes.append($0) }, take)
            } else {
                try history.changes(note: { notes.append($0) }, take)
            }
        } catch {
            note = error.explanation
        }
        found.change { found in
            if found.note.isEmpty { found.note = note }
            found.isComplete = true
        }
    }

    private func take(_ commit: Commit, _ change: RecordChange) -> Bool {
        found.change { found in
            found.changes.append((commit, change))
            found.bytes += (change.before?.bytes.count ?? 0) + (change.after?.bytes.count ?? 0)
            let isFull = found.changes.count >= Self.mostChanges || found.bytes > Self.mostBytes
            if isFull { found.note = "older changes are omitted (use since and until to select them)" }
            return !isFull && !found.isCancelled
        }
    }

    /// Waits until there are `count` changes or the search is complete.
    func wait(forChanges count: Int) -> Found {
        found.wait { $0.isComplete || $0.changes.count >= count ? $0 : nil }
    }

    /// The current results.
    var soFar: Found { found.change { $0 } }
}

extension Conversion.Failure {
    /// The reason as text.
    fileprivate var explanation: String {
        switch self {
        case .impossible(let reason): reason
        case .read(let error): error.message
        case .write(let error): error.description
        case .stopped, .cancelled: ""
        }
    }
}

/// Answers to `CHANGES`.
struct RecordHistory {
    let service: BrowseService

    /// Writes a page of the changes to a file or a record.
    ///
    /// - Returns: whether the search is complete.
    func answer(_ request: BrowseRequest, to json: inout JSON) throws(BrowseRequest.Fault) -> Bool {
        guard let id = request.entities.first, request.entities.count == 1 else {
            throw BrowseRequest.Fault(message: "CHANGES requires one file or record")
        }
        if !id.isRecord { _ = try service.file(id) }
        guard let entity = service.find(id), !entity.file.path.isDash else {
            Self.write(ChangesRun.Found(isComplete: true), request, to: &json)
            return true
        }
        let run = run(of: entity, id, request)
        let found = request.isPatient ? run?.wait(forChanges: request.first + request.count) : run?.soFar
        // A later request can start the search.
        Self.write(found ?? ChangesRun.Found(), request, to: &json)
        return found?.isComplete == true
    }

    /// Returns the search for a request, or `nil` if too many are running. Cancels another search of a single user.
    private func run(of entity: Entity, _ id: EntityID, _ request: BrowseRequest) -> ChangesRun? {
        let (file, view) = (entity.file, entity.file.view)
        var whole = id
        whole.parts = []
        let key = ChangesRun.Key(
            entity: whole, generation: view.generation, since: request.since, until: request.until,
            author: request.author)
        var record: (Record, [UInt8])?
        switch entity.kind {
        case .file, .category: break
        case .record(let shown), .part(_, let shown): record = (shown.record ?? Record(), shown.bytes)
        }
        if let known = service.runs.change({ $0.changes(key) }) { return known }
        let run = ChangesRun(key, file.path, record)
        guard service.runs.change({ $0.add(run, isShared: service.isShared) }) else { return nil }
        service.start(run)
        return run
    }

    private static let headers = [
        "COMMIT", "DATE", "AUTHOR", "ADDRESS", "MESSAGE", "CHANGE", "RECORD", "NAME", "PARTS", "IMAGES",
    ]

    private static func write(_ found: ChangesRun.Found, _ request: BrowseRequest, to json: inout JSON) {
        let changes = found.changes
        json.field("headers", headers)
        json.key("rows")
        json.array { json in
            for row in changes.dropFirst(request.first).prefix(request.count) {
                json.array { json in write(row.commit, row.change, request.style, to: &json) }
            }
        }
        json.field("total", changes.count)
        json.field("complete", found.isComplete && !found.isCancelled)
        if !found.note.isEmpty { json.field("note", found.note) }
    }

    private static func write(
        _ commit: Commit, _ change: RecordChange, _ style: Picture.Style, to json: inout JSON
    ) {
        for text in [commit.id, commit.date, commit.author, commit.address, commit.subject, change.kind.rawValue] {
            json.string(text)
        }
        json.number(change.after?.number ?? change.before?.number ?? 0)
        json.string(change.name)
        json.parts(change.parts)
        let pictures = change.pictures(style)
        json.object { json in
            json.key("BEFORE")
            json.picture(pictures.before)
            json.key("AFTER")
            json.picture(pictures.after)
        }
    }
}
