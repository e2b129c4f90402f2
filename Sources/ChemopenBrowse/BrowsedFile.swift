import Chemopen

/// A file that is walked through: opened, its index growing, and opened anew when it changes.
final class BrowsedFile: Sendable {
    /// As it was given.
    let path: LocalPath
    /// Its last part.
    private let lastPart: LocalPath
    /// Its name for people: its last part, or the one that it has in the folder that is served.
    let name: String
    /// Its path for people.
    let shownPath: String
    /// How its collection is shown; nothing for a file that is shown as it is.
    let mapping: Mapping?
    /// The name of its collection.
    let collection: String
    /// It is one of a folder that is served.
    let isServed: Bool
    /// The folder that is served, if it is one of that: a link that leads out of it is not followed.
    private let root: LocalPath?
    /// Names the file in the ids of its records: the same for the same path.
    let id: String
    /// The format to read, whatever the content shows.
    private let named: Format?
    private let options: ReadOptions
    /// The kinds of files that are opened at its path.
    private let kind: OpenedKind
    private let cache: IndexCache
    private let session: Surroundings
    private let state = Guarded(State())
    /// How the file came here; nothing where nobody has handed it over.
    private let delivered: Guarded<Delivery?>
    /// The records that are wanted of it; nothing where all are.
    let wanted: RecordSelection?

    private static let lastGeneration = Guarded(0)

    private struct State: Sendable {
        var content: BrowsedContent?
        var failure: ReadError?
        var index = RecordIndex()
        var progress = 0.0
        /// Another number for each opening of any file.
        var generation = 0
        /// The names of data fields: those of a table's columns, and those met in records so far.
        private(set) var fields: [Text] = []
        private var knownFields: Set<Text> = []
        /// How many records were looked at for them one after the other, and whether that were all.
        var recordsWithKnownFields = 0
        var hasAllFields = false
        /// The categories of its records, where its mapping knows any.
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
        _ kind: OpenedKind = .regularFile, delivered: Delivery? = nil, served: ServedFile? = nil,
        choosing selection: RecordSelection = RecordSelection(), in session: Surroundings
    ) {
        self.path = path
        self.kind = kind
        wanted = selection.takesAll ? nil : selection
        mapping = served?.mapping
        collection = served?.collection ?? ""
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
        id = Fingerprint(path.absolute(from: currentFolder()).bytes).text
        open()
    }

    /// Whether a folder that is served has the file as it is.
    func isShown(as served: ServedFile) -> Bool {
        served.mapping == mapping && served.collection == collection && served.name == name
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
        var kept: RecordIndex?
        if case .success(let content) = opened, content.isIndexed, !content.isSpooled {
            kept = cache.index(named: id, of: content.identity, content.format.id)
        }
        state.change { state in
            state = State()
            state.generation = Self.lastGeneration.change { last in
                last += 1
                return last
            }
            switch opened {
            case .success(let content):
                state.content = content
                if let kept { (state.index, state.progress) = (kept, 1) }
            case .failure(let error):
                state.failure = error
            }
        }
    }

    /// How the file came here, and the address from which it was fetched, where the program that fetched it has said so.
    var delivery: (Delivery, origin: String)? {
        delivered.change { $0 }.map { ($0, attachedText("user.xdg.origin.url", of: path) ?? "") }
    }

    /// Notes that the file was handed over once more.
    func isDelivered(_ delivery: Delivery) {
        delivered.change { $0 = delivery }
    }

    /// The path as conditions see it: readers of a server do not learn where its files are stored.
    var pathInConditions: LocalPath { isServed ? LocalPath(name) : path }

    /// Where the file is had from the server, as the path of an address.
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

        /// The error of a file whose bytes could not all be had, when it was opened or later.
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

    /// Names the file and its state: another one when the file has changed.
    var stateName: String {
        guard let identity = view.content?.identity else { return "\(id).0" }
        let state = "\(identity.device) \(identity.inode) \(identity.size) \(identity.modified)"
        return "\(id)." + Fingerprint(Array(state.utf8)).text
    }

    /// The categories of the records, as far as they are known.
    var groups: RecordGroups { state.change { $0.groups } }

    /// Waits until the categories of all records are known.
    func waitForGroups() {
        state.wait { $0.groups.isComplete || $0.content == nil ? () : nil }
    }

    /// Puts the records into their categories, step by step.
    func makeGroups(while goesOn: () -> Bool) {
        let start = view
        guard let mapping, mapping.groupsRecords, start.isComplete, !groups.isComplete else { return }
        let step = step(512, of: start.count)
        for first in stride(from: 0, to: start.count, by: step) {
            var found: [(number: Int, category: String, parent: String)] = []
            read(first..<min(first + step, start.count), holding: nil) { number, record in
                let category = mapping.category?.text(of: record, in: name) ?? ""
                found.append((number, category, mapping.relation?.parent.text(of: record, in: name) ?? ""))
                return true
            }
            let isWanted = state.change { state in
                guard state.generation == start.generation else { return false }
                for (number, category, parent) in found {
                    state.groups.add(number, to: category)
                    state.groups.add(number, below: parent)
                }
                return goesOn()
            }
            if !isWanted { break }
        }
        state.change { if $0.generation == start.generation { $0.groups.finish() } }
    }

    /// The records that name another one as their parent, as far as they are known.
    func records(below record: BrowsedRecord) -> [BrowsedRecord] {
        guard let relation = mapping?.relation else { return [] }
        let key = relation.key.text(of: record, in: name)
        guard !key.isEmpty, groups.isComplete else { return [] }
        return groups.numbers(below: key).prefix(Self.mostBelow).flatMap { records($0..<$0 + 1) }.filter { other in
            other.number != record.number && relation.parent.text(of: other, in: name) == key
        }
    }

    /// More records than this are not shown below one.
    private static let mostBelow = 200

    /// Which records are below which is known, or there is nothing of the kind to know.
    var knowsChildren: Bool { mapping?.relation == nil || groups.isComplete || view.content == nil }

    /// Those of its records that are wanted, as far as they are known; nothing where all are.
    var chosen: ChosenRecords? { wanted == nil ? nil : state.change { $0.chosen } }

    /// Which of its records are wanted is known.
    var knowsChosen: Bool { wanted == nil || state.change { $0.chosen.isComplete || $0.content == nil } }

    /// Waits until that is known.
    func waitForChosen() {
        if wanted != nil { state.wait { $0.chosen.isComplete || $0.content == nil ? () : nil } }
    }

    /// Takes notice of records that are wanted. Says whether the file is still the one that was looked at.
    func note(_ numbers: [Int], progress: Double, generation: Int) -> Bool {
        state.change { state in
            guard state.generation == generation else { return false }
            state.chosen.note(numbers, progress: progress)
            return true
        }
    }

    /// Takes notice of all of them.
    func finishChoice(_ numbers: [Int], _ choice: RecordChoice?, generation: Int) {
        state.change { state in
            guard state.generation == generation else { return }
            state.chosen.note(numbers, progress: 1)
            state.chosen.finish(choice)
        }
    }

    /// Waits until so many records are known, or all there are.
    func wait(forRecords count: Int) -> View {
        state.wait { state in
            let view = Self.view(of: state)
            return view.isComplete || view.count >= count ? view : nil
        }
    }

    /// Opens the file anew if it is another one, or has changed. Says whether that was so.
    func refresh() -> Bool {
        // A file that came through a pipe has come once and for all.
        guard !path.isDash, fileKind(path) == .regular else { return false }
        let content = view.content
        let now = FileIdentity(path)
        if let content, now == content.identity || now == nil { return false }
        if content == nil, now == nil { return false }
        if content == nil, view.failure?.kind == .unrecognised { return false }
        open()
        return true
    }

    // MARK: The index

    /// Makes the index, step by step; another thread may read the records found so far.
    func makeIndex(while goesOn: () -> Bool) {
        let start = view
        guard let content = start.content, !start.isComplete else { return }
        content.findRecords { step in
            state.change { state in
                guard state.generation == start.generation else { return false }
                state.index.append(step.places, upTo: step.end, refusing: step.refusals, isLast: step.isLast)
                state.progress = step.progress
                if let failure = step.failure { state.failure = failure }
                return goesOn()
            }
        }
        // A file that was cut short is complete as far as it goes, so that nobody waits for more.
        let index = state.change { state in
            if state.generation == start.generation, !state.index.isComplete {
                state.index.append([], upTo: state.index.end, isLast: true)
            }
            return state.index
        }
        if content.isIndexed, !content.isSpooled, content.isUnchanged, content.lostContent == nil,
            view.generation == start.generation, goesOn()
        {
            cache.keep(index, named: id, of: content.identity, content.format.id)
        }
    }

    // MARK: Records

    /// The records of a range of numbers from 0, those that are known.
    func records(_ numbers: Range<Int>) -> [BrowsedRecord] {
        guard let content = view.content else { return [] }
        let records = RecordPages(content: content, name: lastPart).records(numbers, index)
        note(records)
        return records
    }

    /// The record of a number from 1.
    func record(_ number: Int) -> BrowsedRecord? {
        guard number > 0 else { return nil }
        _ = wait(forRecords: number)
        return records(number - 1..<number).first
    }

    /// Reads records for a search, without remembering anything of them.
    func read(_ numbers: Range<Int>, holding text: SoughtBytes?, _ take: (Int, BrowsedRecord) -> Bool) {
        guard let content = view.content else { return }
        RecordPages(content: content, name: lastPart).read(numbers, index, holding: text, take)
    }

    /// How many records to read at once where so many are usual: all of a file that is read from its beginning each time.
    func step(_ usual: Int, of count: Int) -> Int {
        view.content?.isIndexed == false ? max(1, count) : usual
    }

    /// The index; the array in it is shared as long as nobody adds to it.
    var index: RecordIndex { state.change { $0.index } }

    // MARK: Fields

    /// Waits until the names of all fields are known, as far as the file is read.
    func waitForFields() {
        _ = state.wait { state in Self.view(of: state).hasAllFields ? true : nil }
    }

    /// Reads some more records for the names of their fields. Says whether it is to be called again.
    func lookForFields() -> Bool {
        let (view, index, first) = state.change { (Self.view(of: $0), $0.index, $0.recordsWithKnownFields) }
        guard let content = view.content, view.isComplete, !view.hasAllFields else { return false }
        let pages = RecordPages(content: content, name: path)
        let numbers = first..<pages.end(ofRecordsFrom: first, index)
        let names = pages.fieldNames(numbers, index)
        return state.change { state in
            guard state.generation == view.generation else { return false }
            for name in names { state.add(name) }
            state.recordsWithKnownFields = numbers.upperBound
            state.hasAllFields = state.hasAllFields || numbers.upperBound == index.count || content.isFramed
            return !state.hasAllFields
        }
    }

    /// Nobody is to wait for more.
    func endLookingForFields() {
        state.change { state in
            state.hasAllFields = true
            state.groups.finish()
            state.chosen.finish(nil)
        }
    }

    /// Remembers the names of fields: each of them can be searched.
    private func note(_ records: [BrowsedRecord]) {
        state.change { state in
            var isFirst = true
            for record in records {
                // All rows of a table have the columns of the first.
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
