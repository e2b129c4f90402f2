import Chemopen

/// Rows of answers as they were written last, shared by all readers: a record that many look at is read and drawn once.
///
/// A row is kept when it is asked for once more, so that somebody who leafs through a large file leaves nothing here. Those
/// that nobody has asked for in a while make room for others. How much room there is counts in bytes.
final class KeptRows: Sendable {
    /// A record of a file in one state, in one form of a row.
    struct Key: Sendable, Hashable {
        let generation: Int
        /// From 0.
        let number: Int
        let form: Int
    }

    struct Row: Sendable {
        /// The `PERM_ID` and the `REFCON` of its record.
        let id: String
        let reference: String
        let json: [UInt8]

        fileprivate var size: Int { json.count + 200 }
    }

    private struct Form: Sendable, Hashable {
        let columns: [EntityColumn]
        let isDark: Bool
    }

    private struct State: Sendable {
        /// The rows asked for of late, and those that were before that.
        var recent: [Key: Row] = [:]
        var older: [Key: Row] = [:]
        var recentBytes = 0
        /// The rows that were asked for and are not kept, and those before them.
        var seen: Set<Key> = []
        var seenBefore: Set<Key> = []
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
    /// A row that takes more is not kept: it would put many others out.
    private static let largestRow = 1 << 18
    private static let mostForms = 64

    /// The number of the form that rows of a request's answer have.
    func form(of request: BrowseRequest) -> Int {
        let form = Form(columns: request.answeredColumns, isDark: request.isDark)
        return state.change { state in
            if let number = state.forms[form] { return number }
            // Readers choose forms as they like. A number is never given twice.
            if state.forms.count >= Self.mostForms { state.forms = [:] }
            state.nextForm += 1
            state.forms[form] = state.nextForm
            return state.nextForm
        }
    }

    /// The rows that are there of those asked for, each in its place.
    func rows(_ keys: [Key]) -> [Row?] {
        state.change { state in keys.map { state.row($0) } }
    }

    func keep(_ rows: [(key: Key, row: Row)]) {
        guard !rows.isEmpty else { return }
        state.change { state in
            for (key, row) in rows where row.json.count <= Self.largestRow { state.keep(row, key) }
        }
    }

    /// How many bytes are kept, for those who count.
    var bytes: Int {
        state.change { state in [state.recent, state.older].joined().reduce(0) { $0 + $1.value.size } }
    }
}

/// A row to be answered: of an entity that was read, or as it was written for somebody before.
enum EntityRow: Sendable {
    /// - Parameter keptAs: under this key others can have it, too.
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
    /// The rows of records, by their numbers from 0. Those behind one another are read together.
    ///
    /// - Parameter kept: rows that others have had.
    func rows(
        _ numbers: some Swift.Collection<Int>, for request: BrowseRequest, _ kept: KeptRows?
    ) -> [EntityRow] {
        // Whoever drills wants to see the parts, too.
        guard let kept, request.kind != .drill else { return entities(numbers).map { EntityRow($0) } }
        let (generation, form) = (view.generation, kept.form(of: request))
        let keys = numbers.map { KeptRows.Key(generation: generation, number: $0, form: form) }
        let found = kept.rows(keys)
        let missing = zip(keys, found).filter { $0.1 == nil }.map(\.0)
        var read = entities(missing.map(\.number))[...]
        return zip(keys, found).compactMap { key, row in
            if let row { return .kept(row) }
            // A file that was changed meanwhile may have fewer.
            guard let entity = read.first, entity.id.number == key.number + 1 else { return nil }
            read = read.dropFirst()
            return .read(entity, keptAs: key)
        }
    }

    /// The row of an entity that a reader names. Nothing where the file does not hold it any more as it was.
    func row(_ id: EntityID, for request: BrowseRequest, _ kept: KeptRows?) -> EntityRow? {
        guard let kept, id.number > 0, id.parts.isEmpty else { return entity(id).map { EntityRow($0) } }
        let key = KeptRows.Key(generation: view.generation, number: id.number - 1, form: kept.form(of: request))
        if let row = kept.rows([key])[0], row.id == id.text { return .kept(row) }
        return entity(id).map { .read($0, keptAs: key) }
    }
}
