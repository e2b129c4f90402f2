import Chemopen

/// A cache of answer rows that all readers share. Frequently viewed records are read and drawn only once.
///
/// A row is cached when it is requested for the second time, so scrolling through a large file does not fill the cache.
/// The least recently used rows are removed when a size limit is reached.
final class KeptRows: Sendable {
    /// The key of a row: a record of a file in a certain state, in a certain form.
    struct Key: Sendable, Hashable {
        let generation: Int
        /// The record number from 0.
        let number: Int
        let form: Int
    }

    struct Row: Sendable {
        /// The `PERM_ID` and `REFCON` of the record.
        let id: String
        let reference: String
        let json: [UInt8]

        fileprivate var size: Int { json.count + 200 }
    }

    private struct Form: Sendable, Hashable {
        let columns: [EntityColumn]
        let pictures: PictureForm
        let highlight: SMARTSPattern?
    }

    private struct State: Sendable {
        /// The recently used rows, and the previous generation.
        var recent: [Key: Row] = [:]
        var older: [Key: Row] = [:]
        var recentBytes = 0
        /// Rows that were requested but are not cached, and the previous generation.
        var seen: Set<Key> = []
        var seenBefore: Set<Key> = []
        /// The current file states, from the last call of `keepOnly`.
        var generations: Set<Int> = []
        var forms: [Form: Int] = [:]
        var nextForm = 0

        mutating func row(_ key: Key) -> Row? {
            if let row = recent[key] { return row }
            guard let row = older.removeValue(forKey: key) else { return nil }
            put(row, key)
            return row
        }

        mutating func keep(_ row: Row, _ key: Key) {
            if seen.contains(key) || seenBefore.contains(key) {
                put(row, key)
            } else {
                seen.insert(key)
                if seen.count > KeptRows.mostSeen { (seenBefore, seen) = (seen, []) }
            }
        }

        mutating func keepOnly(_ generations: Set<Int>) {
            if generations == self.generations { return }
            self.generations = generations
            recent = recent.filter { generations.contains($0.key.generation) }
            older = older.filter { generations.contains($0.key.generation) }
            recentBytes = recent.values.reduce(0) { $0 + $1.size }
            seen = seen.filter { generations.contains($0.generation) }
            seenBefore = seenBefore.filter { generations.contains($0.generation) }
        }

        private mutating func put(_ row: Row, _ key: Key) {
            if let before = recent.updateValue(row, forKey: key) { recentBytes -= before.size }
            recentBytes += row.size
            guard recentBytes > KeptRows.mostBytes / 2 else { return }
            (older, recent, recentBytes) = (recent, [:], 0)
        }
    }

    private let state = Guarded(State())

    private static let mostBytes = 16 << 20
    private static let mostSeen = 20_000
    /// The maximum size of a row. Larger rows would displace many others.
    private static let largestRow = 1 << 18
    private static let mostForms = 64

    /// Returns the number of the row form for a request.
    func form(of request: BrowseRequest) -> Int {
        let form = Form(columns: request.answeredColumns, pictures: request.pictureForm, highlight: request.highlight)
        return state.change { state in
            if let number = state.forms[form] { return number }
            // Clients choose forms freely, so limit their number. Numbers are never reused.
            if state.forms.count >= Self.mostForms { state.forms = [:] }
            state.nextForm += 1
            state.forms[form] = state.nextForm
            return state.nextForm
        }
    }

    /// Returns the cached rows for keys, with `nil` for each missing row.
    func rows(_ keys: [Key]) -> [Row?] {
        state.change { state in keys.map { state.row($0) } }
    }

    func keep(_ rows: [(key: Key, row: Row)]) {
        guard !rows.isEmpty else { return }
        state.change { state in
            for (key, row) in rows where row.json.count <= Self.largestRow { state.keep(row, key) }
        }
    }

    /// Removes the rows of file states that are no longer current, because no reader requests them again.
    func keepOnly(_ generations: Set<Int>) {
        state.change { $0.keepOnly(generations) }
    }

    /// The total size of cached rows, for tests.
    var bytes: Int {
        state.change { state in [state.recent, state.older].joined().reduce(0) { $0 + $1.value.size } }
    }
}

/// A row of an answer: an entity, or a cached row.
enum EntityRow: Sendable {
    /// An entity that was read. With a key, its row can be cached for other readers.
    case read(Entity, keptAs: KeptRows.Key?)
    case kept(KeptRows.Row)

    init(_ entity: Entity) {
        self = .read(entity, keptAs: nil)
    }

    var id: String {
        switch self {
        case .read(let entity, _): entity.id.text
        case .kept(let row): row.id
        }
    }

    var reference: String {
        switch self {
        case .read(let entity, _): entity.reference
        case .kept(let row): row.reference
        }
    }
}

extension BrowsedFile {
    /// Returns the rows of records by their numbers from 0. Consecutive records are read together.
    ///
    /// - Parameter kept: the cache of rows.
    func rows(
        _ numbers: some Collection<Int>, for request: BrowseRequest, _ kept: KeptRows?
    ) -> [EntityRow] {
        // A drill-down request also needs the parts, which cached rows do not contain.
        guard let kept, request.kind != .drill else {
            return entities(numbers).map { EntityRow($0.highlighting(request.highlight)) }
        }
        let (generation, form) = (view.generation, kept.form(of: request))
        let keys = numbers.map { KeptRows.Key(generation: generation, number: $0, form: form) }
        let found = kept.rows(keys).enumerated().map { place, row in
            row?.id == recordName(keys[place].number + 1) ? row : nil
        }
        let missing = zip(keys, found).filter { $0.1 == nil }.map(\.0)
        var read = entities(missing.map(\.number))[...]
        return zip(keys, found).compactMap { key, row in
            if let row { return .kept(row) }
            // The file may have been changed in the meantime and have fewer records.
            guard let entity = read.first, entity.number == key.number + 1 else { return nil }
            read = read.dropFirst()
            return .read(entity.highlighting(request.highlight), keptAs: key)
        }
    }

    /// Returns the row of a record with a number from 0, or of its part, or `nil` if it does not exist.
    func row(_ number: Int, as id: EntityID, for request: BrowseRequest, _ kept: KeptRows?) -> EntityRow? {
        guard let kept, id.parts.isEmpty, id.name == recordName(number + 1) else {
            return entity(number, as: id).map { EntityRow($0.highlighting(request.highlight)) }
        }
        let key = KeptRows.Key(generation: view.generation, number: number, form: kept.form(of: request))
        if let row = kept.rows([key])[0], row.id == id.text { return .kept(row) }
        return entity(number, as: id).map { .read($0.highlighting(request.highlight), keptAs: key) }
    }
}
