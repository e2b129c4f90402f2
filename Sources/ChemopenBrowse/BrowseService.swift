import Chemopen

/// Answers the requests of the browse protocol for some files.
///
/// A browser that knows nothing of chemistry walks from files to records to their parts, and asks only for what it
/// shows. Answers may be asked for on several threads at once.
///
///     let service = BrowseService(["a.sdf"])
///     service.serving {
///         print(service.answer(#"{"request":"NAVIGATION"}"#))
///     }
public final class BrowseService: Sendable {
    private let held: Guarded<[BrowsedFile]>
    private let format: Format?
    private let options: ReadOptions
    private let session: Surroundings
    let work = BackgroundWork()
    let runs = Guarded(Runs())
    /// Whether a thread does what goes on behind the answers.
    private let hasThread = Guarded(false)

    /// The search and the order asked for last.
    struct Runs: Sendable {
        var search: SearchRun?
        var order: OrderRun?
        var changes: ChangesRun?
    }

    /// - Parameters:
    ///   - format: the format of the files; `nil` where the content is to tell.
    ///   - options: how they are read.
    ///   - delivery: how they came here; `nil` where nobody has handed them over.
    public init(
        _ paths: [LocalPath], as format: Format? = nil, _ options: ReadOptions = ReadOptions(),
        delivered delivery: Delivery? = nil, in session: Surroundings = .current
    ) {
        held = Guarded(paths.map { BrowsedFile($0, as: format, options, delivered: delivery, in: session) })
        self.format = format
        self.options = options
        self.session = session
        for file in files { work.add(.index(file)) }
    }

    /// The files in the order in which they came.
    var files: [BrowsedFile] { held.change { $0 } }

    /// There is no file to walk through.
    public var isEmpty: Bool { held.change { $0.isEmpty } }

    /// Adds files behind those that are there, each once.
    ///
    /// - Returns: the errors of those that cannot be opened, which are left out, and the id of the first that can.
    public func add(_ paths: [LocalPath], delivered delivery: Delivery) -> (failures: [ReadError], first: String?) {
        var failures: [ReadError] = []
        var first: String?
        for path in paths {
            let file = BrowsedFile(path, as: format, options, delivered: delivery, in: session)
            if file.view.content == nil, let failure = file.view.failure {
                failures.append(failure)
                continue
            }
            first = first ?? file.id
            let known = held.change { files in
                let known = files.first { $0.id == file.id }
                if known == nil { files.append(file) }
                return known
            }
            if let known { known.isDelivered(delivery) } else { work.add(.index(file)) }
        }
        return (failures, first)
    }

    /// Answers for files whose paths are text.
    public convenience init(_ paths: [String], in session: Surroundings = .current) {
        self.init(paths.map { LocalPath($0) }, in: session)
    }

    /// The errors of the files that cannot be opened.
    public var failures: [ReadError] { files.compactMap { $0.view.content == nil ? $0.view.failure : nil } }

    /// The errors that files met while their records were looked for, each with the number of records before that.
    public var laterFailures: [(error: ReadError, records: Int)] {
        files.map(\.view).compactMap { view in
            view.content == nil ? nil : view.failure.map { (error: $0, records: view.count) }
        }
    }

    /// Runs the body while another thread makes indexes and searches.
    public func serving<Answer, Failure: Error>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        let outcome: Result<Answer, Failure> = withThread {
            self.work.run()
        } _: { isRunning in
            hasThread.change { $0 = isRunning }
            defer { close() }
            settle()
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func close() {
        runs.change { runs in
            runs.search?.cancel()
            runs.order?.cancel()
            runs.changes?.cancel()
        }
        work.close()
        for file in files { file.endLookingForFields() }
    }

    /// Looks for changes on a thread of its own, so that nothing else waits for git.
    func start(_ run: ChangesRun) {
        if hasThread.change({ $0 }) { onThread { run.run() } } else { run.run() }
    }

    /// Without a thread beside this one, what is to be done is done before the answer.
    func settle() {
        if !hasThread.change({ $0 }) { work.runNow() }
    }

    /// Answers one request, a JSON object, by another, without a line end.
    public func answer(_ request: String) -> String {
        String(decoding: answer(Array(request.utf8)), as: UTF8.self)
    }

    /// Answers one request, a JSON object, by another, without a line end.
    public func answer(_ request: [UInt8]) -> [UInt8] {
        guard let json = JSONValue(request), case .object = json else {
            return failure("a request is one JSON object on a line", id: nil)
        }
        do throws(BrowseRequest.Fault) {
            let request = try BrowseRequest(json)
            for file in files where file.refresh() { work.add(.index(file)) }
            settle()
            return try answer(request, id: json["id"])
        } catch {
            return failure(error.message, id: json["id"])
        }
    }

    private func failure(_ message: String, id: JSONValue?) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.id(id)
            json.field("error", message)
        }
        return json.bytes
    }

    private func answer(_ request: BrowseRequest, id: JSONValue?) throws(BrowseRequest.Fault) -> [UInt8] {
        let list: EntityList
        switch request.kind {
        case .preferences:
            let preferences = Preferences(of: try files(of: request), isPatient: request.isPatient)
            var json = JSON()
            json.object { json in
                json.id(id)
                preferences.write(to: &json)
            }
            return json.bytes
        case .navigation: list = EntityList(files.map { Entity($0) })
        case .root: list = try root(request)
        case .drill: list = try drill(request)
        case .detail: list = try details(request)
        case .search: list = try search(request)
        case .changes:
            var json = JSON()
            var fault: BrowseRequest.Fault?
            json.object { json in
                json.id(id)
                do throws(BrowseRequest.Fault) {
                    try changes(request, to: &json)
                } catch {
                    fault = error
                }
            }
            if let fault { throw fault }
            return json.bytes
        }
        var json = JSON()
        json.object { json in
            json.id(id)
            list.write(request.answeredColumns, request.style, to: &json)
        }
        return json.bytes
    }

    // MARK: Lists

    /// The files that a request names, or all.
    func files(of request: BrowseRequest) throws(BrowseRequest.Fault) -> [BrowsedFile] {
        if request.entities.isEmpty { return files }
        var named: [BrowsedFile] = []
        for id in request.entities {
            guard id.number == 0 else {
                throw BrowseRequest.Fault(message: "\(request.kind.rawValue) is asked of files, and \(id.text) is none")
            }
            named.append(try file(id))
        }
        return named
    }

    private func file(_ id: EntityID) throws(BrowseRequest.Fault) -> BrowsedFile {
        guard let file = files.first(where: { $0.id == id.file }) else {
            throw BrowseRequest.Fault(message: "there is no file \(id.file)")
        }
        return file
    }

    /// The records of files, a page of them; or the records that are named.
    func root(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        if let first = request.entities.first, first.number > 0 { return try details(request) }
        let named = try files(of: request)
        if let sort = request.sort { return sorted(named, by: sort, hits: nil, request) }
        return records(of: named, request)
    }

    private func records(of named: [BrowsedFile], _ request: BrowseRequest) -> EntityList {
        var list = EntityList([])
        var skipped = request.first
        var left = request.count
        for file in named {
            let view = request.isPatient ? file.wait(forRecords: skipped + left) : file.view
            let numbers = (skipped..<skipped + left).clamped(to: 0..<view.count)
            list.rows += file.records(numbers).map { Entity($0, in: file) }
            left -= numbers.count
            skipped = max(0, skipped - view.count)
            list.total += view.count
            list.isComplete = list.isComplete && view.isComplete
            list.progress = min(list.progress, view.isComplete ? 1 : view.progress)
            if let failure = view.failure, list.note.isEmpty { list.note = "\(file.name): \(failure.message)" }
        }
        return list
    }

    /// The parts of entities and the parts of these; of a file a page of its records, and their parts.
    private func drill(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        list.total = 0
        for id in request.entities {
            let file = try file(id)
            if id.number == 0 {
                let page = records(of: [file], request)
                list.rows += page.rows.flatMap { [$0] + $0.parts }
                list.total += page.total
                list.isComplete = list.isComplete && page.isComplete
            } else if let entity = find(id, in: file) {
                let rows = entity.parts.flatMap { [$0] + $0.parts }
                list.rows += rows
                list.total += rows.count
            } else {
                list.missing.append(id)
            }
        }
        return list
    }

    private func details(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        guard request.entities.count <= BrowseRequest.largestCount else {
            throw BrowseRequest.Fault(message: "at most \(BrowseRequest.largestCount) entities are answered at once")
        }
        for id in request.entities {
            let file = try file(id)
            if request.kind == .root, id.number == 0 {
                throw BrowseRequest.Fault(message: "ROOT is asked of files or of records, not of both at once")
            }
            if let entity = find(id, in: file) { list.rows.append(entity) } else { list.missing.append(id) }
        }
        list.total = list.rows.count
        return list
    }

    /// The entity of an id; nothing where the file does not hold it any more as it was.
    func find(_ id: EntityID, in file: BrowsedFile) -> Entity? {
        if id.number == 0 { return Entity(file) }
        guard let record = file.record(id.number) else { return nil }
        var entity = Entity(record, in: file)
        guard entity.id.fingerprint == id.fingerprint else { return nil }
        for key in id.parts {
            guard let part = entity.parts.first(where: { $0.id.parts.last == key }) else { return nil }
            entity = part
        }
        return entity
    }

    /// The entity that a client names; nothing where there is none.
    func find(_ id: EntityID) -> Entity? {
        files.first { $0.id == id.file }.flatMap { find(id, in: $0) }
    }
}

/// Entities to answer, and how far the whole is known that they are a page of.
struct EntityList {
    var rows: [Entity]
    /// How many there are in all, as far as known.
    var total: Int
    var isComplete = true
    var progress = 1.0
    /// Those that were asked for and are not there any more.
    var missing: [EntityID] = []
    /// Why there may be nothing to answer.
    var note = ""

    init(_ rows: [Entity]) {
        self.rows = rows
        total = rows.count
    }

    func write(_ columns: [EntityColumn], _ style: Picture.Style, to json: inout JSON) {
        json.field("headers", columns.map(\.name))
        json.key("rows")
        json.array { json in
            for entity in rows {
                json.array { json in
                    for column in columns { entity.write(column, style, to: &json) }
                }
            }
        }
        json.field("total", total)
        json.field("complete", isComplete)
        if !isComplete { json.field("progress", (progress * 1000).rounded() / 1000) }
        if !missing.isEmpty { json.field("missing", missing.map(\.text)) }
        if !note.isEmpty { json.field("note", note) }
    }
}

extension JSON {
    /// The name that the request gives itself, if any.
    fileprivate mutating func id(_ id: JSONValue?) {
        switch id {
        case .string(let text): field("id", text)
        case .number(let value):
            if let whole = Int(exactly: value) { field("id", whole) } else { field("id", value) }
        default: break
        }
    }
}
