import Chemopen

/// Implements the browse protocol for a set of files.
///
/// A client needs no knowledge of chemistry. It navigates from files to records to their parts and requests only the
/// entities that it shows. Several threads can send requests at once.
///
///     let service = BrowseService(["a.sdf"])
///     service.serving {
///         print(service.answer(#"{"request":"NAVIGATION"}"#))
///     }
public final class BrowseService: Sendable {
    private let held: Guarded<HeldFiles>
    /// The names of all records.
    let names: NameBook
    private let format: Format?
    let options: ReadOptions
    private let selection: RecordSelection
    let session: SessionEnvironment
    let work: BackgroundWork
    let runs: Guarded<BrowseRuns>
    /// Whether a background thread is running.
    private let hasThread: Guarded<Bool>
    private let isFirstLook = Guarded(true)
    /// The limits of the served directory that were reached.
    private let limits = Guarded<[String]>([])
    /// The limits of the served directory that were reached, as text for readers.
    var limitNote: String { limits.change { $0.joined(separator: "; ") } }
    private var cache: IndexCache { IndexCache(session) }
    /// The served directory, or `nil` if a user views local files.
    let folder: ServedFolder?
    /// Whether several readers share the service. If so, no request cancels another, and each reader gets a limited
    /// share.
    var isShared: Bool { folder != nil }
    /// Whether clients can change the files.
    let allowsChanges: Bool
    /// The changes that clients can undo.
    let changeLog: Guarded<ChangeLog>
    /// The log of the changes of readers; `nil` for the user of this machine.
    let recorder: ChangeRecorder?
    /// The reader whose requests are answered, or `nil` for the user of this machine.
    let reader: Reader?
    /// The row cache that readers share, or `nil` for a single user. That user's page caches its own data.
    let kept: KeptRows?

    /// Creates a service for local files.
    ///
    /// - Parameters:
    ///   - format: the format of the files; `nil` detects it from the content.
    ///   - options: the options for reading them.
    ///   - selection: the records of each file to include. All lists omit the others.
    ///   - delivery: the sender of the files; `nil` if it is unknown.
    ///   - allowsChanges: whether clients can change the files with `CHANGE`.
    public init(
        _ paths: [LocalPath], as format: Format? = nil, _ options: ReadOptions = ReadOptions(),
        choosing selection: RecordSelection = RecordSelection(), delivered delivery: OpenContext? = nil,
        allowingChanges allowsChanges: Bool = false, in session: SessionEnvironment = .current
    ) {
        self.allowsChanges = allowsChanges
        let names = NameBook()
        (self.names, work, runs) = (names, BackgroundWork(), Guarded(BrowseRuns()))
        (hasThread, changeLog, recorder, reader) = (Guarded(false), Guarded(ChangeLog()), nil, nil)
        held = Guarded(
            HeldFiles(
                paths.map { path in
                    BrowsedFile(
                        path, as: format, options, .anyFile, delivered: delivery, choosing: selection, naming: names,
                        in: session)
                }))
        self.selection = selection
        folder = nil
        kept = nil
        self.format = format
        self.options = options
        self.session = session
        for file in files { work.add(.index(file)) }
    }

    /// Creates a service for a directory. Each collection is shown as its mapping specifies.
    ///
    /// - Parameters:
    ///   - domain: the domain of the email addresses in commits.
    ///   - report: receives a line of the log for each change of a reader.
    public init(
        serving folder: ServedFolder, recordingAs domain: String = "localhost",
        in session: SessionEnvironment = .current,
        _ report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        held = Guarded(HeldFiles([]))
        (names, work, runs) = (NameBook(), BackgroundWork(), Guarded(BrowseRuns()))
        (hasThread, changeLog, reader) = (Guarded(false), Guarded(ChangeLog()), nil)
        recorder = ChangeRecorder(domain: domain, report)
        allowsChanges = true
        self.folder = folder
        kept = KeptRows()
        format = nil
        selection = RecordSelection()
        options = ReadOptions()
        self.session = session
    }

    /// Creates the view of a reader, which contains only the collections that the reader can see. It shares the indexes,
    /// caches and running searches of the service.
    private init(of service: BrowseService, for reader: Reader) {
        held = Guarded(HeldFiles(service.files.filter { reader.sees($0.folderName) }))
        names = service.names
        (work, runs, hasThread) = (service.work, service.runs, service.hasThread)
        (changeLog, recorder, self.reader) = (service.changeLog, service.recorder, reader)
        (allowsChanges, folder, kept) = (service.allowsChanges, service.folder, service.kept)
        (format, selection) = (service.format, service.selection)
        (options, session) = (service.options, service.session)
    }

    /// Returns the service as a reader sees it.
    func seen(by reader: Reader) -> BrowseService { BrowseService(of: self, for: reader) }

    /// Updates the list of files in the served directory.
    ///
    /// - Returns: messages about problems in the directory, without duplicates.
    public func lookAround() -> [String] {
        guard let folder else { return [] }
        let (served, drops, messages, limits) = folder.look()
        self.limits.change { $0 = limits }
        let isFirstLook = isFirstLook.change { first in
            defer { first = false }
            return first
        }
        if isFirstLook { names.restore(cache.names(of: folder.path)) }
        var known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        var fresh: [BrowsedFile] = []
        let now = served.compactMap { served in
            if let file = known.removeValue(forKey: served.path), file.isShown(as: served) { return file }
            let file = BrowsedFile(served.path, as: nil, options, served: served, naming: names, in: session)
            // An unreadable file stays in the list and is opened again when it changes.
            fresh.append(file)
            return file
        }
        // The names of a deleted file are set aside first, because it may have been renamed.
        names.keepOnly(Set(now.map(\.id)))
        for group in Dictionary(grouping: now.filter { $0.mapping?.relation != nil }, by: \.folder).values {
            for file in group { file.relate(to: group) }
        }
        let isFresh = Set(fresh.map(\.id))
        for file in now.filter({ isFresh.contains($0.id) || $0.refresh() }) { work.add(.index(file)) }
        held.change { $0 = HeldFiles(now) }
        keepNames()
        kept?.keepOnly(Set(now.map(\.view.generation)))
        settle()
        return messages + drops.flatMap { $0.takeIn(recorder) }
    }

    /// Stores the names when all files have been indexed.
    private func keepNames() {
        guard let folder, files.allSatisfy(\.view.isComplete) else { return }
        names.settle()
        guard let bytes = names.changedBytes() else { return }
        cache.keep(names: bytes, of: folder.path)
    }

    /// The files, in the order of their addition.
    var files: [BrowsedFile] { held.change { $0.list } }

    /// The paths of the files in the same order.
    public var paths: [LocalPath] { files.map(\.path) }

    /// Whether the service has no files.
    public var isEmpty: Bool { held.change { $0.list.isEmpty } }

    /// Appends files that are not in the list yet.
    ///
    /// - Returns: the errors of files that cannot be opened, which are left out, and the ID of the first opened file.
    public func add(_ paths: [LocalPath], delivered delivery: OpenContext) -> (failures: [ReadError], first: String?) {
        var failures: [ReadError] = []
        var first: String?
        for path in paths {
            let file = BrowsedFile(
                path, as: format, options, delivered: delivery, choosing: selection, naming: names,
                in: session)
            if file.view.content == nil, let failure = file.view.failure {
                failures.append(failure)
                continue
            }
            first = first ?? file.id
            let known = held.change { files in
                let known = files[file.id]
                if known == nil { files.append(file) }
                return known
            }
            if let known { known.isDelivered(delivery) } else { work.add(.index(file)) }
        }
        return (failures, first)
    }

    /// Creates a service for files with paths as strings.
    public convenience init(_ paths: [String], in session: SessionEnvironment = .current) {
        self.init(paths.map { LocalPath($0) }, in: session)
    }

    /// The errors of files that cannot be opened.
    public var failures: [ReadError] { files.compactMap { $0.view.content == nil ? $0.view.failure : nil } }

    /// The errors of files that failed while they were indexed, with the number of records before each error.
    public var laterFailures: [(error: ReadError, records: Int)] {
        files.map(\.view).compactMap { view in
            view.content == nil ? nil : view.failure.map { (error: $0, records: view.count) }
        }
    }

    /// The current statistics of the record filter in all files.
    package var choice: ChoiceTally { files.reduce(into: ChoiceTally(of: selection)) { $1.chosen?.add(to: &$0) } }

    /// Runs a function while a background thread creates indexes and runs searches.
    ///
    /// - Returns: the result of the function.
    /// - Throws: the error that the function throws.
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
            for run in runs.statistics { run.cancel() }
            for run in runs.changes { run.cancel() }
        }
        work.close()
        for file in files { file.endLookingForFields() }
    }

    /// Searches for changes on a separate thread because git could delay other work.
    func start(_ run: ChangesRun) {
        if hasThread.change({ $0 }) { onThread { run.run() } } else { run.run() }
    }

    /// Starts a search. Its first hits do not wait for the index.
    func start(_ run: SearchRun) {
        let isEarly = hasThread.change { $0 } && run.files.contains { !$0.view.isComplete }
        if isEarly { onThread { run.run() } } else { work.add(.search(run)) }
    }

    /// Runs all pending work if there is no background thread.
    func settle() {
        if !hasThread.change({ $0 }) { work.runNow() }
    }

    /// Answers a request.
    ///
    /// - Parameter request: a JSON object.
    /// - Returns: a JSON object without a line ending. Errors are reported in its member `error`.
    public func answer(_ request: String) -> String {
        String(decoding: answer(Array(request.utf8)), as: UTF8.self)
    }

    /// Answers a request.
    ///
    /// - Parameter request: a JSON object in UTF-8.
    /// - Returns: a JSON object without a line ending. Errors are reported in its member `error`.
    public func answer(_ request: [UInt8]) -> [UInt8] {
        guard let json = JSONValue(request), case .object = json else {
            return failure("a request must be one JSON object on a line", id: nil)
        }
        do throws(BrowseRequest.Fault) {
            let request = try BrowseRequest(json)
            if isShared { settle() } else { refreshFiles() }
            return try answer(request, id: json["id"]).json
        } catch {
            return failure(error, id: json["id"])
        }
    }

    /// Opens changed files again.
    func refreshFiles() {
        if files.allSatisfy(\.view.isComplete) { names.settle() }
        // The names of all changed files are set aside first, because records can have moved between them.
        for file in files.filter({ $0.refresh() }) { work.add(.index(file)) }
        settle()
    }

    /// Opens a file again if it has changed.
    func refresh(_ file: BrowsedFile) {
        if file.refresh() { work.add(.index(file)) }
        settle()
    }

    /// Returns the reason why changes of readers are not recorded in git, if a mapping permits changes.
    public func recordingProblem() -> String? {
        guard let folder, files.contains(where: { !$0.permittedChanges.isEmpty }) else { return nil }
        return ChangeRecorder.problem(in: folder.path)
    }

    func failure(_ fault: BrowseRequest.Fault, id: JSONValue?) -> [UInt8] {
        var json = JSON()
        json.object { json in
            json.id(id)
            json.field("error", fault.message)
            guard fault.kind == .conflict else { return }
            json.key("current")
            guard let current = fault.current else { return json.null() }
            json.object { json in
                json.field("PERM_ID", current.id)
                json.field("REFCON", current.reference)
                json.key("PARTS")
                json.parts(current.parts)
            }
        }
        return json.bytes
    }

    func failure(_ message: String, id: JSONValue?) -> [UInt8] {
        failure(BrowseRequest.Fault(message: message), id: id)
    }

    /// Returns the answer to a request, and whether it is complete.
    func answer(
        _ request: BrowseRequest, id: JSONValue?
    ) throws(BrowseRequest.Fault) -> (json: [UInt8], isComplete: Bool) {
        let knowsChildren = knowsChildren(request)
        var list: EntityList
        switch request.kind {
        case .preferences:
            let files = try selections(of: request).list.map(\.file)
            let preferences = Preferences(of: files, request, for: reader)
            var json = JSON()
            json.object { json in
                json.id(id)
                preferences.write(to: &json)
            }
            return (json.bytes, preferences.isComplete)
        case .navigation: list = RequestedEntities(service: self).navigation(request)
        case .root where request.condition.isEmpty: list = try RequestedEntities(service: self).root(request)
        case .root: list = try search(request)
        case .statistics, .pattern, .export:
            return try Workbench(service: self).answer(request, id: id)
        case .drill: list = try RequestedEntities(service: self).drill(request)
        case .detail: list = try RequestedEntities(service: self).details(request)
        case .search: list = try search(request)
        case .changes, .sketch, .change, .proposals:
            var isComplete = true
            var json = JSON()
            var fault: BrowseRequest.Fault?
            json.object { json in
                json.id(id)
                do throws(BrowseRequest.Fault) {
                    switch request.kind {
                    case .sketch: try Sketch(service: self).answer(request, to: &json)
                    case .change: try FileChanges(service: self).answer(request, to: &json)
                    case .proposals: try Proposals(self).list(to: &json)
                    default: isComplete = try RecordHistory(service: self).answer(request, to: &json)
                    }
                } catch {
                    fault = error
                }
            }
            if let fault { throw fault }
            return (json.bytes, isComplete)
        }
        if !knowsChildren { list.isComplete = false }
        if !request.isPaged, list.total > list.rows.count, list.isComplete {
            list.truncation =
                "the response contains the first \(list.rows.count) of \(list.total) rows; "
                + "use from and count for the others"
        }
        list.leaveOut(request.known, tellingMissing: request.kind == .navigation)
        var json = JSON()
        json.object { json in
            json.id(id)
            let written = list.write(
                request.answeredColumns, request.pictureForm, upTo: largestAnswer(request), to: &json)
            kept?.keep(written)
        }
        // A full page is complete even if the total number of rows is not known yet.
        let isPage =
            request.kind == .root && request.condition.isEmpty || request.kind == .search && request.sort.isEmpty
        return (json.bytes, list.isComplete || isPage && knowsChildren && list.rows.count >= request.count)
    }

    /// Returns whether the parent relation of records is known, if the request needs it.
    private func knowsChildren(_ request: BrowseRequest) -> Bool {
        let columns = request.answeredColumns
        guard
            request.kind == .drill || request.level != .all || columns.contains(.children)
                || columns.contains(.rootLevel)
        else { return true }
        let files = files.filter { !$0.knowsChildren }
        if request.isPatient { for file in files { file.waitForGroups() } }
        return request.isPatient || files.isEmpty
    }

    /// The maximum size of an answer to one of several readers, in bytes. Larger answers are truncated.
    private static let largestShare = 4 << 20
    private static let largestUnpaged = 64 << 20

    private func largestAnswer(_ request: BrowseRequest) -> Int {
        if !request.isPaged { return Self.largestUnpaged }
        return isShared ? Self.largestShare : .max
    }

    // MARK: Lists

    /// Returns the files and categories that a request specifies, or all files, and whether all categories are known.
    func selections(
        of request: BrowseRequest
    ) throws(BrowseRequest.Fault) -> (list: [Selection], isComplete: Bool, missing: [EntityID]) {
        let files = files
        for file in files where request.isPatient { file.waitForChosen() }
        if request.entities.isEmpty, request.level == .all {
            return (files.map(\.chosenPart), files.allSatisfy(\.knowsChosen), [])
        }
        if request.level != .all, request.isPatient { for file in files { file.waitForChildren() } }
        var named = request.entities.isEmpty ? files.map(\.chosenPart) : []
        var missing: [EntityID] = []
        var isComplete = true
        for id in request.entities {
            guard !id.isRecord else {
                throw BrowseRequest.Fault(message: "\(request.kind.rawValue) requires files, not \(id.text)")
            }
            if let file = knownFile(id) {
                named.append(file.chosenPart)
                isComplete = isComplete && file.knowsChosen
            } else if let category = category(id, isPatient: request.isPatient) {
                named += category.members
                isComplete = isComplete && category.isComplete
            } else if !knowsAllCategories {
                isComplete = false
            } else {
                try miss(id, in: &missing)
            }
        }
        if request.level != .all {
            named = named.map { $0.file.part(of: $0, at: request.level) }
            isComplete = isComplete && named.allSatisfy(\.file.knowsChildren)
        }
        return (named, isComplete, missing)
    }

    /// Notes that a file or category no longer exists.
    func miss(_ id: EntityID, in missing: inout [EntityID]) throws(BrowseRequest.Fault) {
        guard id.isPossible else { throw BrowseRequest.Fault(message: "there is no file \(id.name)") }
        missing.append(id)
    }

    private var knowsAllCategories: Bool {
        files.allSatisfy { $0.mapping?.category == nil || $0.groups.isComplete || $0.view.content == nil }
    }

    func category(_ id: EntityID, isPatient: Bool) -> BrowsedCategory? {
        let files = files.filter { $0.mapping?.category != nil }
        for file in files where isPatient { file.waitForGroups() }
        return BrowsedCategory.all(in: files).first { $0.id == id.name }
    }

    /// Returns the file with an ID, or `nil` if there is none. A renamed file also has its previous ID.
    func knownFile(_ id: EntityID) -> BrowsedFile? {
        held.change { $0[id.name] } ?? names.renamed(id.name).flatMap { other in held.change { $0[other] } }
    }

    func file(_ id: EntityID) throws(BrowseRequest.Fault) -> BrowsedFile {
        guard let file = knownFile(id) else {
            throw BrowseRequest.Fault(message: "there is no file \(id.name)")
        }
        return file
    }

    /// The position of a record.
    enum Located {
        /// The file and the number of the record from 0.
        case found(BrowsedFile, Int)
        /// Some files are not indexed yet.
        case later
        case missing
    }

    /// Finds the record with an ID.
    ///
    /// - Parameter isPatient: whether to wait for the index.
    func locate(_ id: EntityID, isPatient: Bool) -> Located {
        guard let name = RecordName(id.name) else { return .missing }
        while true {
            // The files are checked first, because a name that is added in the meantime is found.
            let growing = files.filter { !$0.view.isComplete }
            var ownFile: BrowsedFile?
            if let place = names.place(of: name) {
                ownFile = held.change { $0[place.file] }
                if let view = ownFile?.view, view.generation == place.generation, let ownFile {
                    if place.number < view.count { return .found(ownFile, place.number) }
                    if view.isComplete { return .missing }
                }
            }
            guard let next = ownFile.flatMap({ $0.view.isComplete ? nil : $0 }) ?? growing.first else {
                return .missing
            }
            guard isPatient else { return .later }
            _ = next.wait(forRecords: .max)
        }
    }

    /// The maximum number of rows in an answer.
    var mostRows: Int { isShared ? 200 : BrowseRequest.largestCount }

    /// Returns the entity with an ID, or `nil` if it does not exist.
    ///
    /// - Parameter isPatient: whether to wait for the index.
    func find(_ id: EntityID, isPatient: Bool = true) -> Entity? {
        if !id.isRecord { return knownFile(id).map { Entity($0) } }
        guard case .found(let file, let number) = locate(id, isPatient: isPatient) else { return nil }
        return file.entity(number, as: id)
    }
}

/// The files of a service, in order and by their IDs.
private struct HeldFiles: Sendable {
    private(set) var list: [BrowsedFile] = []
    private var byID: [String: BrowsedFile] = [:]

    init(_ files: [BrowsedFile]) {
        for file in files { append(file) }
    }

    mutating func append(_ file: BrowsedFile) {
        list.append(file)
        if byID[file.id] == nil { byID[file.id] = file }
    }

    subscript(id: String) -> BrowsedFile? { byID[id] }
}

/// A page of entities to return, with the state of the complete list.
struct EntityList {
    var rows: [EntityRow]
    /// The total number of entities, if it is known; otherwise the number of those found.
    var total: Int
    var isComplete = true
    var progress = 1.0
    /// Requested entities that no longer exist.
    var missing: [EntityID] = []
    /// The reason why the list may be empty or incomplete.
    var note = ""
    /// The reason why the rest of the list is not returned, although it is known.
    var truncation = ""

    init(_ rows: [Entity]) {
        self.rows = rows.map { EntityRow($0) }
        total = rows.count
    }

    /// Adds the rows of a file's records. If the file was replaced in the meantime, the list is incomplete.
    mutating func append(
        _ numbers: some Collection<Int>, of file: BrowsedFile, for request: BrowseRequest, _ kept: KeptRows?
    ) {
        let found = file.rows(numbers, for: request, kept)
        rows += found
        if found.count == numbers.count { return }
        let view = file.view
        if !view.isComplete || numbers.contains(where: { $0 >= view.count }) { isComplete = false }
    }

    /// Removes rows that the client already has and that are unchanged.
    mutating func leaveOut(_ known: [String: String], tellingMissing: Bool) {
        guard !known.isEmpty else { return }
        if tellingMissing, isComplete {
            let there = Set(rows.map(\.id))
            missing += known.keys.sorted().filter { !there.contains($0) }.compactMap { EntityID(text: $0) }
        }
        rows.removeAll { known[$0.id] == $0.reference }
    }

    /// Writes the rows as JSON.
    ///
    /// - Parameter most: the size in bytes after which no further row is written.
    /// - Returns: the rows that can be cached for other readers.
    @discardableResult
    func write(
        _ columns: [EntityColumn], _ style: PictureForm, upTo most: Int = .max, to json: inout JSON
    ) -> [(key: KeptRows.Key, row: KeptRows.Row)] {
        var written: [(key: KeptRows.Key, row: KeptRows.Row)] = []
        json.field("headers", columns.map(\.name))
        json.key("rows")
        var (note, truncation) = (note, truncation)
        var limits: Set<String> = []
        json.array { json in
            for (place, row) in rows.enumerated() {
                if json.bytes.count > most {
                    truncation = "the answer was truncated after \(counted(place, "row")); request fewer at once"
                    break
                }
                switch row {
                case .kept(let row): json.value(written: row.json)
                case .read(let entity, let key):
                    let start = json.bytes.count + (place == 0 ? 0 : ",".utf8.count)
                    let isFinal = entity.write(columns, style, to: &json)
                    let limit = columns.contains(.children) ? entity.children.limit : nil
                    if let limit { limits.insert(limit) }
                    if let key, isFinal, limit == nil {
                        let bytes = Array(json.bytes[start...])
                        let row = KeptRows.Row(id: entity.id.text, reference: entity.reference, json: bytes)
                        written.append((key, row))
                    }
                }
            }
        }
        json.field("total", total)
        json.field("complete", isComplete && truncation.isEmpty)
        note = ([note, truncation] + limits.sorted()).filter { !$0.isEmpty }.joined(separator: "; ")
        if !isComplete { json.field("progress", (progress * 1000).rounded() / 1000) }
        if !missing.isEmpty { json.field("missing", missing.map(\.text)) }
        if !note.isEmpty { json.field("note", note) }
        return written
    }

    /// Adds the progress of the record filter in a file, and any warning about it.
    mutating func tellChoice(in file: BrowsedFile) {
        guard let wanted = file.wanted, let chosen = file.chosen else { return }
        progress = min(progress, chosen.progress)
        if note.isEmpty { note = chosen.note(on: wanted) }
    }
}

extension JSON {
    /// Writes the request's own ID, if it has one.
    mutating func id(_ id: JSONValue?) {
        switch id {
        case .string(let text): field("id", text)
        case .number(let value):
            if let whole = Int(exactly: value) { field("id", whole) } else { field("id", value) }
        default: break
        }
    }
}
