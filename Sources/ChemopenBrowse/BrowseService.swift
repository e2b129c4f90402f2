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
    let files: [BrowsedFile]
    let work = BackgroundWork()
    let runs = Guarded(Runs())
    /// Whether a thread does what goes on behind the answers.
    private let hasThread = Guarded(false)

    /// The search and the order asked for last.
    struct Runs: Sendable {
        var search: SearchRun?
        var order: OrderRun?
    }

    public init(_ paths: [LocalPath], in session: Surroundings = .current) {
        files = paths.map { BrowsedFile($0, in: session) }
        for file in files { work.add(.index(file)) }
    }

    /// Answers for files whose paths are text.
    public convenience init(_ paths: [String], in session: Surroundings = .current) {
        self.init(paths.map { LocalPath($0) }, in: session)
    }

    /// What the files that cannot be opened fail with.
    public var failures: [ReadError] { files.compactMap { $0.view.content == nil ? $0.view.failure : nil } }

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
        }
        work.close()
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
        case .preferences: return preferences(id)
        case .navigation: list = EntityList(files.map { Entity($0) })
        case .root: list = try root(request)
        case .drill: list = try drill(request)
        case .detail: list = try details(request)
        case .search: list = try search(request)
        }
        var json = JSON()
        json.object { json in
            json.id(id)
            list.write(request.answeredColumns, request.style, to: &json)
        }
        return json.bytes
    }

    // MARK: Preferences

    private func preferences(_ id: JSONValue?) -> [UInt8] {
        let views = files.map(\.view)
        let isReady = views.allSatisfy(\.isComplete)
        if isReady, views.contains(where: { $0.fields.isEmpty && $0.count > 0 }) { lookForFields() }
        var fields: [Text] = []
        for file in files { for field in file.view.fields where !fields.contains(field) { fields.append(field) } }
        var json = JSON()
        json.object { json in
            json.id(id)
            json.field("headers", ["REFRESH_INTERVAL", "SEARCH_DOMAINS", "SORT_KEYS"])
            json.key("rows")
            json.array { json in
                json.array { json in
                    json.number(isReady ? 5 : 1)
                    json.array { json in
                        guard isReady else { return }
                        for domain in [SearchDomain.all, .name, .formula] { json.choice(domain.key, domain.label) }
                        if !fields.isEmpty { json.choice("condition", SearchDomain.condition.label) }
                        for field in fields { json.choice("field:" + field.string, field.string) }
                    }
                    json.array { json in
                        json.choice("number", "File order")
                        guard isReady else { return }
                        for (key, label) in [("name", "Name"), ("formula", "Formula"), ("mass", "Mass")] {
                            json.choice(key, label)
                        }
                        for field in fields { json.choice("field:" + field.string, field.string) }
                    }
                }
            }
        }
        return json.bytes
    }

    /// Reads the first records for the names of their fields.
    private func lookForFields() {
        for file in files where file.view.fields.isEmpty { _ = file.records(0..<50) }
    }

    // MARK: Lists

    /// The files that a request names, or all.
    func files(of request: BrowseRequest) throws(BrowseRequest.Fault) -> [BrowsedFile] {
        if request.entities.isEmpty { return files }
        var named: [BrowsedFile] = []
        for reference in request.entities { named.append(try file(reference.id)) }
        return named
    }

    private func file(_ id: EntityID) throws(BrowseRequest.Fault) -> BrowsedFile {
        guard let file = files.first(where: { $0.id == id.file }) else {
            throw BrowseRequest.Fault(message: "there is no file \(id.file)")
        }
        return file
    }

    /// The records of files, a page of them.
    func root(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
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
        }
        return list
    }

    /// The parts of entities and the parts of these; of a file a page of its records, and their parts.
    private func drill(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        list.total = 0
        for reference in request.entities {
            let file = try file(reference.id)
            if reference.id.number == 0 {
                let page = records(of: [file], request)
                list.rows += page.rows.flatMap { [$0] + $0.parts }
                list.total += page.total
                list.isComplete = list.isComplete && page.isComplete
            } else if let entity = find(reference.id, in: file) {
                let rows = entity.parts.flatMap { [$0] + $0.parts }
                list.rows += rows
                list.total += rows.count
            } else {
                list.missing.append(reference.id)
            }
        }
        return list
    }

    private func details(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        for reference in request.entities.prefix(BrowseRequest.largestCount) {
            let file = try file(reference.id)
            if let entity = find(reference.id, in: file) {
                list.rows.append(entity)
            } else {
                list.missing.append(reference.id)
            }
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
    }
}

extension JSON {
    /// What the request calls itself, if it does.
    fileprivate mutating func id(_ id: JSONValue?) {
        switch id {
        case .string(let text): field("id", text)
        case .number(let value):
            if let whole = Int(exactly: value) { field("id", whole) } else { field("id", value) }
        default: break
        }
    }

    fileprivate mutating func choice(_ key: String, _ label: String) {
        object { json in
            json.field("key", key)
            json.field("label", label)
        }
    }
}
