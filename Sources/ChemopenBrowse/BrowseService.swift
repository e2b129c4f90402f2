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
    private let selection: RecordSelection
    private let session: Surroundings
    let work = BackgroundWork()
    let runs = Guarded(BrowseRuns())
    /// Whether a thread does what goes on behind the answers.
    private let hasThread = Guarded(false)
    /// The folder whose files are served to many readers; nothing where one person looks at files of his own.
    let folder: ServedFolder?
    /// Many ask at once: none of them may put an end to what another waits for, and none gets more than a share.
    var isShared: Bool { folder != nil }
    /// The rows that readers share; nothing for one person, whose page keeps what it has.
    let kept: KeptRows?

    /// - Parameters:
    ///   - format: the format of the files; `nil` where the content is to tell.
    ///   - options: how they are read.
    ///   - selection: the records of each file that there are for whoever asks; the others are left out of all lists.
    ///   - delivery: how they came here; `nil` where nobody has handed them over.
    public init(
        _ paths: [LocalPath], as format: Format? = nil, _ options: ReadOptions = ReadOptions(),
        choosing selection: RecordSelection = RecordSelection(), delivered delivery: Delivery? = nil,
        in session: Surroundings = .current
    ) {
        held = Guarded(
            paths.map { path in
                BrowsedFile(path, as: format, options, .anyFile, delivered: delivery, choosing: selection, in: session)
            })
        self.selection = selection
        folder = nil
        kept = nil
        self.format = format
        self.options = options
        self.session = session
        for file in files { work.add(.index(file)) }
    }

    /// Serves the files of a folder, each collection as its mapping has it.
    public init(serving folder: ServedFolder, in session: Surroundings = .current) {
        held = Guarded([])
        self.folder = folder
        kept = KeptRows()
        format = nil
        selection = RecordSelection()
        options = ReadOptions()
        self.session = session
    }

    /// Takes notice of files that have come, gone or changed in the folder that is served.
    ///
    /// - Returns: what is wrong with it, each once.
    public func lookAround() -> [String] {
        guard let folder else { return [] }
        let (served, messages) = folder.look()
        var known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        var fresh: [BrowsedFile] = []
        let now = served.compactMap { served in
            if let file = known.removeValue(forKey: served.path), file.isShown(as: served) { return file }
            let file = BrowsedFile(served.path, as: nil, options, served: served, in: session)
            // A file that is none of ours is looked at again when it changes.
            fresh.append(file)
            return file
        }
        for file in now where file.refresh() { work.add(.index(file)) }
        for file in fresh { work.add(.index(file)) }
        held.change { $0 = now }
        settle()
        return messages
    }

    /// The files in the order in which they came.
    var files: [BrowsedFile] { held.change { $0 } }

    /// The paths of the files, in their order.
    public var paths: [LocalPath] { files.map(\.path) }

    /// There is no file to walk through.
    public var isEmpty: Bool { held.change { $0.isEmpty } }

    /// Adds files behind those that are there, each once.
    ///
    /// - Returns: the errors of those that cannot be opened, which are left out, and the id of the first that can.
    public func add(_ paths: [LocalPath], delivered delivery: Delivery) -> (failures: [ReadError], first: String?) {
        var failures: [ReadError] = []
        var first: String?
        for path in paths {
            let file = BrowsedFile(path, as: format, options, delivered: delivery, choosing: selection, in: session)
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

    /// The tally of the choice of records in all files, as far as it is known.
    package var choice: ChoiceTally { files.reduce(into: ChoiceTally(of: selection)) { $1.chosen?.add(to: &$0) } }

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
            for search in runs.searches { search.cancel() }
            for order in runs.orders { order.cancel() }
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
            if !isShared { for file in files where file.refresh() { work.add(.index(file)) } }
            settle()
            return try answer(request, id: json["id"]).json
        } catch {
            return failure(error.message, id: json["id"])
        }
    }

    func failure(_ message: String, id: JSONValue?) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.id(id)
            json.field("error", message)
        }
        return json.bytes
    }

    /// The answer to a request, and whether it is all that is asked for.
    func answer(
        _ request: BrowseRequest, id: JSONValue?
    ) throws(BrowseRequest.Fault) -> (json: [UInt8], isComplete: Bool) {
        let knowsChildren = knowsChildren(request)
        var list: EntityList
        switch request.kind {
        case .preferences:
            let files = try selections(of: request).list.map(\.file)
            let preferences = Preferences(of: files, isPatient: request.isPatient)
            var json = JSON()
            json.object { json in
                json.id(id)
                preferences.write(to: &json)
            }
            return (json.bytes, preferences.isComplete)
        case .navigation: list = navigation(request)
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
            return (json.bytes, true)
        }
        if !knowsChildren { list.isComplete = false }
        list.leaveOut(request.known, tellingMissing: request.kind == .navigation)
        var json = JSON()
        json.object { json in
            json.id(id)
            let written = list.write(
                request.answeredColumns, request.style, upTo: isShared ? Self.largestShare : .max, to: &json)
            kept?.keep(written)
        }
        // A page that is full is all that is asked for, though nobody knows yet how many there are.
        let isPage = request.kind == .root || request.kind == .search && request.sort == nil
        return (json.bytes, list.isComplete || isPage && knowsChildren && list.rows.count >= request.count)
    }

    /// Whether it is known which records are below which, where that is asked for.
    private func knowsChildren(_ request: BrowseRequest) -> Bool {
        guard request.kind == .drill || request.answeredColumns.contains(.children) else { return true }
        let files = files.filter { !$0.knowsChildren }
        if request.isPatient { for file in files { file.waitForGroups() } }
        return request.isPatient || files.isEmpty
    }

    /// Beyond so many bytes an answer to one of many readers is cut.
    private static let largestShare = 4 << 20

    // MARK: Lists

    /// The categories: files, or those that a mapping makes of what records say.
    private func navigation(_ request: BrowseRequest) -> EntityList {
        let files = files
        var list = EntityList([])
        for file in files {
            if file.mapping?.category == nil {
                list.rows.append(EntityRow(Entity(file)))
                continue
            }
            if request.isPatient { file.waitForGroups() }
            list.isComplete = list.isComplete && file.groups.isComplete
        }
        for category in BrowsedCategory.all(in: files) {
            if let file = category.members.first?.file { list.rows.append(EntityRow(Entity(category, in: file))) }
        }
        if !list.isComplete { list.progress = 0 }
        list.total = list.rows.count
        return list
    }

    /// The files and categories that a request names, or all files, and whether all categories are known.
    func selections(of request: BrowseRequest) throws(BrowseRequest.Fault) -> (list: [Selection], isComplete: Bool) {
        let files = files
        for file in files where request.isPatient { file.waitForChosen() }
        if request.entities.isEmpty { return (files.map(\.chosenPart), files.allSatisfy(\.knowsChosen)) }
        var named: [Selection] = []
        var isComplete = true
        for id in request.entities {
            guard id.number == 0 else {
                throw BrowseRequest.Fault(message: "\(request.kind.rawValue) is asked of files, and \(id.text) is none")
            }
            if let file = files.first(where: { $0.id == id.file }) {
                named.append(file.chosenPart)
                isComplete = isComplete && file.knowsChosen
            } else if let category = category(id, isPatient: request.isPatient) {
                named += category.members
                isComplete = isComplete && category.isComplete
            } else if !knowsAllCategories {
                isComplete = false
            } else {
                throw BrowseRequest.Fault(message: "there is no file \(id.file)")
            }
        }
        return (named, isComplete)
    }

    private var knowsAllCategories: Bool {
        files.allSatisfy { $0.mapping?.category == nil || $0.groups.isComplete || $0.view.content == nil }
    }

    private func category(_ id: EntityID, isPatient: Bool) -> BrowsedCategory? {
        let files = files.filter { $0.mapping?.category != nil }
        for file in files where isPatient { file.waitForGroups() }
        return BrowsedCategory.all(in: files).first { $0.id == id.file }
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
        let (named, isComplete) = try selections(of: request)
        var list =
            if let sort = request.sort { sorted(named, by: sort, hits: nil, request) } else {
                records(of: named, request)
            }
        if !isComplete { list.isComplete = false }
        return list
    }

    private func records(of named: [Selection], _ request: BrowseRequest) -> EntityList {
        var list = EntityList([])
        var skipped = request.first
        var left = request.count
        for selection in named {
            let file = selection.file
            if let chosen = selection.numbers {
                let page = chosen[(skipped..<skipped + left).clamped(to: 0..<chosen.count)]
                list.rows += file.rows(page.map { Int($0) }, for: request, kept)
                left -= page.count
                skipped = max(0, skipped - chosen.count)
                list.total += chosen.count
                list.tellChoice(in: file)
                continue
            }
            let view = request.isPatient ? file.wait(forRecords: skipped + left) : file.view
            let numbers = (skipped..<skipped + left).clamped(to: 0..<view.count)
            list.rows += file.rows(numbers, for: request, kept)
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
            if id.number == 0 {
                var own = request
                own.entities = [id]
                let (named, isComplete) = try selections(of: own)
                var page = records(of: named, request)
                page.isComplete = page.isComplete && isComplete
                list.rows += page.rows.flatMap { row in
                    guard case .read(let entity, _) = row else { return [row] }
                    return [row] + entity.children.map { EntityRow($0) }
                }
                list.total += page.total
                list.isComplete = list.isComplete && page.isComplete
                continue
            }
            let file = try file(id)
            if isUnknownYet(id, in: file, request) {
                list.isComplete = false
            } else if let entity = file.entity(id) {
                let rows = entity.children.flatMap { [$0] + $0.children }
                list.rows += rows.map { EntityRow($0) }
                list.total += rows.count
            } else {
                list.missing.append(id)
            }
        }
        return list
    }

    private func details(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        guard request.entities.count <= mostRows else {
            throw BrowseRequest.Fault(message: "at most \(mostRows) entities are answered at once")
        }
        for id in request.entities {
            if request.kind == .root, id.number == 0 {
                throw BrowseRequest.Fault(message: "ROOT is asked of files or of records, not of both at once")
            }
            if id.number == 0, let category = category(id, isPatient: request.isPatient),
                let file = category.members.first?.file
            {
                list.rows.append(EntityRow(Entity(category, in: file)))
                continue
            }
            let file = try file(id)
            if isUnknownYet(id, in: file, request) {
                list.isComplete = false
            } else if let row = file.row(id, for: request, kept) {
                list.rows.append(row)
            } else {
                list.missing.append(id)
            }
        }
        list.total = list.rows.count
        return list
    }

    /// How many rows an answer has at most.
    var mostRows: Int { isShared ? 200 : BrowseRequest.largestCount }

    /// Whether the index has not come to a record, for which this request does not wait.
    private func isUnknownYet(_ id: EntityID, in file: BrowsedFile, _ request: BrowseRequest) -> Bool {
        let view = file.view
        return !request.isPatient && !view.isComplete && view.count < id.number
    }

    /// The entity that a client names; nothing where there is none.
    func find(_ id: EntityID) -> Entity? {
        files.first { $0.id == id.file }.flatMap { $0.entity(id) }
    }
}

/// Entities to answer, and how far the whole is known that they are a page of.
struct EntityList {
    var rows: [EntityRow]
    /// How many there are in all, as far as known.
    var total: Int
    var isComplete = true
    var progress = 1.0
    /// Those that were asked for and are not there any more.
    var missing: [EntityID] = []
    /// Why there may be nothing to answer.
    var note = ""

    init(_ rows: [Entity]) {
        self.rows = rows.map { EntityRow($0) }
        total = rows.count
    }

    /// Leaves out what the client has already, as it is.
    mutating func leaveOut(_ known: [String: String], tellingMissing: Bool) {
        guard !known.isEmpty else { return }
        if tellingMissing, isComplete {
            let there = Set(rows.map(\.id))
            missing += known.keys.sorted().filter { !there.contains($0) }.compactMap { EntityID($0) }
        }
        rows.removeAll { known[$0.id] == $0.reference }
    }

    /// - Parameter most: the row with which there are so many bytes is the last.
    /// - Returns: the rows that can be kept for others.
    @discardableResult
    func write(
        _ columns: [EntityColumn], _ style: Picture.Style, upTo most: Int = .max, to json: inout JSON
    ) -> [(key: KeptRows.Key, row: KeptRows.Row)] {
        var written: [(key: KeptRows.Key, row: KeptRows.Row)] = []
        json.field("headers", columns.map(\.name))
        json.key("rows")
        var note = note
        json.array { json in
            for (place, row) in rows.enumerated() {
                if json.bytes.count > most {
                    note = "the answer is cut behind \(counted(place, "row")); ask for fewer at once"
                    break
                }
                switch row {
                case .kept(let row): json.value(written: row.json)
                case .read(let entity, let key):
                    let start = json.bytes.count + (place == 0 ? 0 : ",".utf8.count)
                    let isFinal = entity.write(columns, style, to: &json)
                    if let key, isFinal {
                        let bytes = Array(json.bytes[start...])
                        let row = KeptRows.Row(id: entity.id.text, reference: entity.reference, json: bytes)
                        written.append((key, row))
                    }
                }
            }
        }
        json.field("total", total)
        json.field("complete", isComplete)
        if !isComplete { json.field("progress", (progress * 1000).rounded() / 1000) }
        if !missing.isEmpty { json.field("missing", missing.map(\.text)) }
        if !note.isEmpty { json.field("note", note) }
        return written
    }

    /// Tells how far the choice of records in a file is, and what may not have been meant by it.
    mutating func tellChoice(in file: BrowsedFile) {
        guard let wanted = file.wanted, let chosen = file.chosen else { return }
        progress = min(progress, chosen.progress)
        if note.isEmpty { note = chosen.note(on: wanted) }
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
