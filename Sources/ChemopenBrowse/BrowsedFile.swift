import Chemopen

/// A file in the viewer. It is indexed in the background and reopened when it changes.
final class BrowsedFile: Sendable {
    /// The path as specified.
    let path: LocalPath
    /// The last component of the path.
    private let lastPart: LocalPath
    /// The displayed name: the last component of the path, or the path in the served directory.
    let name: String
    /// The displayed path.
    let shownPath: String
    /// The mapping of the file's collection, if it has one.
    let mapping: Mapping?
    /// The table whose fields are shown with the records.
    private let table: JoinedTable?
    /// The name of its collection.
    let collection: String
    /// The path of the collection in the served directory.
    let folder: String
    /// The name of that directory in the rights of readers; `.` is the served directory itself.
    var folderName: String { folder.isEmpty ? "." : folder }
    /// Whether the file is in a served directory.
    let isServed: Bool
    /// The served directory, if the file is in one. Links that lead out of it are not followed.
    private let root: LocalPath?
    /// The identifier of the file. It depends only on the path, of a served file only on that in the directory.
    let id: String
    /// The names of the records in all files of the service.
    private let names: NameBook
    /// The name of the cached index.
    private let indexName: String
    /// The format to use instead of the detected one.
    private let named: Format?
    private let options: ReadOptions
    /// The kinds of files that may be opened.
    private let kind: OpenedKind
    private let cache: IndexCache
    private let session: SessionEnvironment
    private let state = Guarded(State())
    /// The files of the collection that can contain parents and children of the records.
    let relatives = Guarded<[Relative]>([])
    /// The sender of the file, if it is known.
    private let delivered: Guarded<OpenContext?>
    /// The record filter; `nil` to show all records.
    let wanted: RecordSelection?

    private static let lastGeneration = Guarded(0)

    private struct State: Sendable {
        var content: BrowsedContent?
        var failure: ReadError?
        var index = RecordIndex()
        /// The cached index, until the records are named.
        var cached: (index: RecordIndex, marks: [RecordMark])?
        var progress = 0.0
        /// A number that is unique for each opening of any file.
        var generation = 0
        /// The names of data fields: all columns of a table, or the fields found in records.
        private(set) var fields: [Text] = []
        private var knownFields: Set<Text> = []
        /// The number of records searched for field names, and whether the search is complete.
        var recordsWithKnownFields = 0
        var hasAllFields = false
        /// The categories of the records, if the mapping defines any.
        var groups = RecordGroups()
        var chosen = ChosenRecords()

        private static let mostFields = 10_000

        mutating func add(_ field: Text) {
            guard fields.count < Self.mostFields, knownFields.insert(field).inserted else { return }
            fields.append(field)
        }
    }

    init(
        _ path: LocalPath, as named: Format? = nil, _ options: ReadOptions = ReadOptions(),
        _ kind: OpenedKind = .regularFile, delivered: OpenContext? = nil, served: ServedFile? = nil,
        choosing selection: RecordSelection = RecordSelection(), naming names: NameBook = NameBook(),
        in session: SessionEnvironment
    ) {
        self.names = names
        self.path = path
        self.kind = kind
        wanted = selection.takesAll ? nil : selection
        mapping = served?.mapping
        table = served?.table
        collection = served?.collection ?? ""
        folder = served?.folder ?? ""
        isServed = served != nil
        root = served?.root
        self.delivered = Guarded(delivered)
        self.named = named
        self.options = options
        self.session = session
        cache = IndexCache(session)
        lastPart = path.isDash ? "standard input" : path.name
        name = served?.name ?? lastPart.shown
        shownPath = served?.name ?? path.shown
        indexName = Fingerprint(path.absolute(from: currentFolder()).bytes).text
        id = served.map { Fingerprint(Array($0.name.utf8)).text } ?? indexName
        open()
    }

    /// Opens the file to change it. Other programs that lock it wait until it is saved or the collection is released.
    func editableCollection() throws(BrowseRequest.Fault) -> RecordCollection {
        do throws(Conversion.Failure) {
            return try RecordCollection(path, as: named, options, isLocked: true)
        } catch {
            throw BrowseRequest.Fault(message: error.reason)
        }
    }

    /// The changes that readers of a server can make.
    var permittedChanges: PermittedChanges { mapping?.changes ?? PermittedChanges() }

    /// The reason why readers of a server cannot change the file, or `nil`.
    var servedRefusal: String? {
        if permittedChanges.isEmpty { return "\(name) cannot be changed here" }
        // A link could be redirected to a file outside of the served directory.
        return EntryStatus(path)?.isRegular == true ? nil : "\(name) is a link and cannot be changed here"
    }

    /// Whether the path is a file of the user, and not a pipe or the cached copy of a download.
    var isOwnFile: Bool {
        guard !isServed, !path.isDash, fileKind(path) == .regular else { return false }
        guard let folder = session.cacheHome?.appending("chemopen") else { return true }
        return !path.absolute(from: currentFolder()).bytes.starts(with: folder.bytes)
    }

    /// Returns whether an entry of the served directory is shown in the same way as this file.
    func isShown(as served: ServedFile) -> Bool {
        served.mapping == mapping && served.table === table && served.collection == collection && served.name == name
    }

    private func open() {
        let opened: Result<BrowsedContent, ReadError>
        do throws(ReadError) {
            let content = try BrowsedContent(
                path, as: named, options, accepting: kind, within: root, cache: cache, session: session)
            opened = .success(content)
        } catch {
            opened = .failure(error)
        }
        var kept: (index: RecordIndex, marks: [RecordMark])?
        if case .success(let content) = opened, content.isIndexed, !content.isSpooled {
            kept = cache.index(named: indexName, of: content.identity, content.format.id)
        }
        let generation = state.change { state in
            state = State()
            state.generation = Self.lastGeneration.change { last in
                last += 1
                return last
            }
            switch opened {
            case .success(let content):
                state.content = content
                state.cached = kept
            case .failure(let error):
                state.failure = error
            }
            return state.generation
        }
        names.begin(id, generation: generation)
    }

    /// The sender of the file, and the address that the downloading program stored with it.
    var delivery: (OpenContext, origin: String)? {
        delivered.change { $0 }.map { ($0, attachedText("user.xdg.origin.url", of: path) ?? "") }
    }

    /// Stores the sender when the file is opened again.
    func isDelivered(_ delivery: OpenContext) {
        delivered.change { $0 = delivery }
    }

    /// The path for use in conditions. Readers of a server must not learn where files are stored.
    var pathInConditions: LocalPath { isServed ? LocalPath(name) : path }

    /// The path of the file on the server, percent-encoded.
    var servedPath: String { String(LocalPath("/file/" + name).uri.dropFirst("file://".count)) }

    /// The state of the file at one moment.
    struct View: Sendable {
        let content: BrowsedContent?
        let failure: ReadError?
        let count: Int
        let isComplete: Bool
        let progress: Double
        let generation: Int
        let fields: [Text]
        let hasAllFields: Bool

        /// The error if the file's bytes could not be read completely, when it was opened or later.
        var lostContent: ReadError? {
            if let error = content?.lostContent { return error }
            if let failure, case .file(let file) = failure.kind, file.isLostContent { return failure }
            return nil
        }
    }

    var view: View { state.change { Self.view(of: $0) } }

    private static func view(of state: State) -> View {
        View(
            content: state.content, failure: state.failure, count: state.index.count,
            isComplete: state.index.isComplete || state.content == nil, progress: state.progress,
            generation: state.generation, fields: state.fields,
            hasAllFields: state.hasAllFields || state.content == nil)
    }

    /// An identifier of the file and its state, which changes when the file changes.
    var stateName: String {
        guard let identity = view.content?.identity else { return "\(id).0" }
        let state = "\(identity.device) \(identity.inode) \(identity.size) \(identity.modified)"
        return "\(id)." + Fingerprint(Array(state.utf8)).text
    }

    /// The categories found in the records.
    var groups: RecordGroups { state.change { $0.groups } }

    /// Waits until the categories of all records are known.
    func waitForGroups() {
        state.wait { $0.groups.isComplete || $0.content == nil ? () : nil }
    }

    /// Assigns the records to their categories, step by step.
    func makeGroups(while goesOn: () -> Bool) {
        let start = view
        guard let mapping, mapping.groupsRecords, start.isComplete, !groups.isComplete else { return }
        let step = step(512, of: start.count)
        for first in stride(from: 0, to: start.count, by: step) {
            var found: [(number: Int, category: String, parent: String, key: String)] = []
            read(first..<min(first + step, start.count), holding: nil) { number, record in
                let category = mapping.category?.text(of: record, in: name) ?? ""
                let parent = mapping.relation?.parent.text(of: record, in: name) ?? ""
                found.append((number, category, parent, mapping.relation?.key.text(of: record, in: name) ?? ""))
                return true
            }
            let isWanted = state.change { state in
                guard state.generation == start.generation else { return false }
                for (number, category, parent, key) in found {
                    state.groups.add(number, to: category)
                    state.groups.add(number, below: parent)
                    state.groups.add(key: key)
                }
                return goesOn()
            }
            if !isWanted { break }
        }
        state.change { if $0.generation == start.generation { $0.groups.finish() } }
    }

    /// The records found by the filter, or `nil` if there is no filter.
    var chosen: ChosenRecords? { wanted == nil ? nil : state.change { $0.chosen } }

    /// Whether the filter is complete. Also `true` without a filter.
    var knowsChosen: Bool { wanted == nil || state.change { $0.chosen.isComplete || $0.content == nil } }

    /// Waits until the filter is complete.
    func waitForChosen() {
        if wanted != nil { state.wait { $0.chosen.isComplete || $0.content == nil ? () : nil } }
    }

    /// Stores the records found by the filter. Returns whether the file has not been reopened since.
    func note(_ numbers: [Int], progress: Double, generation: Int) -> Bool {
        state.change { state in
            guard state.generation == generation else { return false }
            state.chosen.note(numbers, progress: progress)
            return true
        }
    }

    /// Stores the final result of the filter.
    func finishChoice(_ numbers: [Int], _ choice: SelectionStatistics?, generation: Int) {
        state.change { state in
            guard state.generation == generation else { return }
            state.chosen.note(numbers, progress: 1)
            state.chosen.finish(choice)
        }
    }

    /// Waits until `count` records are indexed or the index is complete.
    func wait(forRecords count: Int) -> View {
        state.wait { state in
            // A cached index is complete in a moment.
            if state.cached != nil { return nil }
            let view = Self.view(of: state)
            return view.isComplete || view.count >= count ? view : nil
        }
    }

    /// Reopens the file if it has been replaced or changed. Returns whether it was reopened.
    func refresh() -> Bool {
        // The data of a pipe can be read only once.
        guard !path.isDash, fileKind(path) == .regular else { return false }
        let content = view.content
        let now = FileIdentity(path)
        if let content, now == content.identity || now == nil { return false }
        if content == nil, now == nil { return false }
        if content == nil, view.failure?.kind == .unrecognized { return false }
        open()
        return true
    }

    // MARK: The index

    /// Creates the index step by step. Other threads can already read the indexed records.
    ///
    /// - Parameter publish: called when all records are named, possibly after those of other files.
    func makeIndex(while goesOn: () -> Bool, then publish: @escaping @Sendable () -> Void = {}) {
        let start = view
        guard let content = start.content, !start.isComplete else {
            names.leave(id)
            return publish()
        }
        // Records that had a name before keep it, so the names are known only when all records have been read.
        let namesLater = names.namesLater(id) || !content.isIndexed
        let end: @Sendable (RecordIndex) -> Void = { [self] index in
            state.change { state in
                guard state.generation == start.generation else { return }
                if namesLater { state.index = index }
                // After an interruption, mark the index as complete. Otherwise, threads would wait for more records.
                if !state.index.isComplete { state.index.append([], upTo: state.index.end, isLast: true) }
                (state.progress, state.cached) = (1, nil)
            }
            publish()
        }
        if let cached = state.change({ $0.generation == start.generation ? $0.cached : nil }) {
            let all = cached.index
            if namesLater { return names.finish(cached.marks, of: id) { end(all) } }
            names.add(cached.marks, to: id)
            state.change { if $0.generation == start.generation { $0.index = all } }
            names.leave(id)
            return end(all)
        }
        let pages = RecordPages(content: content, name: lastPart)
        var index = RecordIndex()
        var marks: [RecordMark] = []
        content.findRecords { step in
            let first = index.count
            index.append(step.places, upTo: step.end, refusing: step.refusals, isLast: step.isLast)
            var found = MarkedRecords()
            if content.isIndexed { found = pages.marks(first..<index.count, index, by: mapping?.key, in: name) }
            if namesLater { marks += found.marks } else { names.add(found.marks, to: id) }
            return state.change { state in
                guard state.generation == start.generation else { return false }
                if !namesLater {
                    state.index.append(step.places, upTo: step.end, refusing: step.refusals, isLast: step.isLast)
                }
                state.progress = step.progress
                if let failure = step.failure { state.failure = failure }
                for field in found.fields + (table?.names ?? []) { state.add(field) }
                return goesOn()
            }
        }
        if !content.isIndexed { marks = pages.marks(0..<index.count, index, by: mapping?.key, in: name).marks }
        let whole = index
        if content.isIndexed, whole.isComplete, whole.count > 0 {
            // The names of all fields are known too.
            state.change { state in
                guard state.generation == start.generation else { return }
                (state.recordsWithKnownFields, state.hasAllFields) = (whole.count, true)
            }
        }
        if content.isIndexed, !content.isSpooled, content.isUnchanged, content.lostContent == nil,
            view.generation == start.generation, whole.isComplete
        {
            let marks = namesLater ? marks : names.marks(of: id)
            cache.keep(whole, marks, named: indexName, of: content.identity, content.format.id)
        }
        if namesLater { return names.finish(marks, of: id) { end(whole) } }
        names.leave(id)
        end(whole)
    }

    // MARK: Records

    /// The number of records in the cached index, until they are named.
    var cachedCount: Int { state.change { $0.cached?.index.count ?? 0 } }

    /// Returns the name of a record with a number from 1.
    func recordName(_ number: Int) -> String { names.name(of: number - 1, in: id)?.text ?? "" }

    /// Returns the indexed records in a range of numbers from 0.
    func records(_ numbers: Range<Int>) -> [BrowsedRecord] {
        guard let content = view.content else { return [] }
        var records = RecordPages(content: content, name: lastPart).records(numbers, index)
        if let table { records = records.map(table.joined) }
        note(records)
        return records
    }

    /// Returns the record with a number from 1.
    func record(_ number: Int) -> BrowsedRecord? {
        guard number > 0 else { return nil }
        _ = wait(forRecords: number)
        return records(number - 1..<number).first
    }

    /// Reads records for a search without collecting their field names.
    func read(_ numbers: Range<Int>, holding text: SoughtBytes?, _ take: (Int, BrowsedRecord) -> Bool) {
        guard let content = view.content else { return }
        // The bytes of a record do not contain the text of its row.
        RecordPages(content: content, name: lastPart).read(numbers, index, holding: table == nil ? text : nil) {
            take($0, table?.joined($1) ?? $1)
        }
    }

    /// Reads records for a search, an order or statistics. Only the record, its number and its warnings are available.
    func scan(
        _ numbers: Range<Int>, holding text: SoughtBytes?, skippingStructures: Bool,
        _ take: (Int, BrowsedRecord) -> Bool
    ) {
        guard let content = view.content else { return }
        RecordPages(content: content, name: lastPart).scan(
            numbers, index, holding: table == nil ? text : nil,
            skippingStructures: skippingStructures && table?.needsStructures != true
        ) { take($0, table?.joined($1) ?? $1) }
    }

    /// Returns the number of records to read at once: `usual`, or all records if the file has to be read from its
    /// start.
    func step(_ usual: Int, of count: Int) -> Int {
        view.content?.isIndexed == false ? max(1, count) : usual
    }

    /// The index. Its array is shared until records are added to it.
    var index: RecordIndex { state.change { $0.index } }

    // MARK: Fields

    /// Waits until the names of all fields are known.
    func waitForFields() {
        _ = state.wait { state in Self.view(of: state).hasAllFields ? true : nil }
    }

    /// Reads some more records to find field names. Returns whether there are more records to read.
    func lookForFields() -> Bool {
        let (view, index, first) = state.change { (Self.view(of: $0), $0.index, $0.recordsWithKnownFields) }
        guard let content = view.content, view.isComplete, !view.hasAllFields else { return false }
        let pages = RecordPages(content: content, name: path)
        let numbers = first..<pages.end(ofRecordsFrom: first, index)
        let names = pages.fieldNames(numbers, index) + (table?.names ?? [])
        return state.change { state in
            guard state.generation == view.generation else { return false }
            for name in names { state.add(name) }
            state.recordsWithKnownFields = numbers.upperBound
            state.hasAllFields = state.hasAllFields || numbers.upperBound == index.count || content.isFramed
            return !state.hasAllFields
        }
    }

    /// Marks all searches in the file as complete. Otherwise, threads would wait for them.
    func endLookingForFields() {
        state.change { state in
            state.hasAllFields = true
            if !state.index.isComplete { state.index.append([], upTo: state.index.end, isLast: true) }
            state.cached = nil
            state.groups.finish()
            state.chosen.finish(nil)
        }
    }

    /// Adds field names, which can then be searched.
    private func note(_ records: [BrowsedRecord]) {
        state.change { state in
            var isFirst = true
            for record in records {
                // All rows of a table have the same columns.
                if isFirst || !record.header.hasAllColumns {
                    for name in record.header.namesOfFields { state.add(name) }
                }
                isFirst = false
                guard let fields = record.record?.fields else { continue }
                for place in fields.indices { state.add(fields.columns[Int(fields.entries[place].column)].name) }
            }
        }
    }
}
