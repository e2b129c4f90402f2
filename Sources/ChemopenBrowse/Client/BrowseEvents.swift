import Chemopen

/// A change that a `BrowseClient` follows.
public struct BrowseEvent: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable {
        /// The entity is new.
        case added
        /// The entity has changed.
        case changed
        /// The entity no longer exists.
        case removed
    }

    /// The kind of the change.
    public let kind: Kind
    /// The record or category, with its title; in its last state if it was removed.
    public let entity: BrowseEntity
    /// The previous `PERM_ID`, if a changed entity has a new one.
    public let previousID: String?
    /// The category of a record, or `nil` if the entity is a category.
    public let category: BrowseEntity?

    init(_ kind: Kind, _ entity: BrowseEntity, of category: BrowseEntity?, previousID: String? = nil) {
        self.kind = kind
        self.entity = entity
        self.category = category
        self.previousID = previousID
    }
}

/// The changes that a `BrowseClient` follows, without an end. If the task is cancelled, it throws `BrowseError`.
public struct BrowseEvents: AsyncSequence, Sendable {
    let watch: BrowseWatch
    let interval: Duration

    /// Iterates over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        private var watch: BrowseWatch
        private let interval: Duration
        private var pending: ArraySlice<BrowseEvent> = []

        init(_ events: BrowseEvents) {
            watch = events.watch
            interval = events.interval
        }

        /// Waits for the next change and returns it. While the server is unavailable, it keeps waiting.
        ///
        /// - Throws: `BrowseError` if the task is cancelled or access is denied.
        public mutating func next() async throws(BrowseError) -> BrowseEvent? {
            while pending.isEmpty {
                do {
                    try await Task.sleep(for: interval)
                } catch {
                    throw BrowseError(.cancelled, "the request was cancelled")
                }
                do throws(BrowseError) {
                    pending = try await watch.look()[...]
                } catch {
                    if error.kind != .unavailable { throw error }
                }
            }
            return pending.popFirst()
        }
    }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// The last known state of the categories and their records.
struct BrowseWatch: Sendable {
    private let client: BrowseClient
    private var categories: [String: BrowseEntity] = [:]
    /// The records of each category by `PERM_ID`; `nil` if there are too many.
    private var records: [String: [String: BrowseEntity]?] = [:]

    /// Larger categories are compared only as a whole.
    private static let mostRecords = 20_000
    private static let pageSize = 1000

    init(_ client: BrowseClient) { self.client = client }

    /// Compares the server's state with the known one, which it replaces. Returns the changes.
    mutating func look() async throws(BrowseError) -> [BrowseEvent] {
        let known = categories.values.map(\.key)
        let answer = try await client.page([
            "request": "NAVIGATION", "changedsince": .array(known), "columns": ["SUMMARY_HEADER", "SUMMARY"],
        ])
        var events: [BrowseEvent] = []
        for id in answer.missing {
            records[id] = nil
            if let category = categories.removeValue(forKey: id) {
                events.append(BrowseEvent(.removed, category, of: nil))
            }
        }
        for category in answer.rows where categories[category.id]?.reference != category.reference {
            let now: [String: BrowseEntity]?
            do throws(BrowseError) {
                now = try await list(category)
            } catch {
                // The category has changed again; the next look repeats this.
                if error.kind == .refused { continue }
                throw error
            }
            let isNew = categories.updateValue(category, forKey: category.id) == nil
            let before = records.updateValue(now, forKey: category.id) ?? nil
            if isNew {
                events.append(BrowseEvent(.added, category, of: nil))
            } else if let now, let before {
                events += Self.differences(before, now, category)
            } else {
                events.append(BrowseEvent(.changed, category, of: nil))
            }
        }
        return events
    }

    /// Returns the records of a category, or `nil` if there are too many.
    private func list(_ category: BrowseEntity) async throws(BrowseError) -> [String: BrowseEntity]? {
        var found: [String: BrowseEntity] = [:]
        var first = 0
        while true {
            let page = try await client.records(
                of: category, from: first, count: Self.pageSize, columns: ["SUMMARY_HEADER", "SUMMARY", "IDENTIFIER"])
            if page.total > Self.mostRecords { return nil }
            for row in page.rows { found[row.id] = row }
            first += page.rows.count
            if page.rows.isEmpty || first >= page.total { return found }
        }
    }

    private static func differences(
        _ before: [String: BrowseEntity], _ now: [String: BrowseEntity], _ category: BrowseEntity
    ) -> [BrowseEvent] {
        let byName: (BrowseEntity, BrowseEntity) -> Bool = { ($0.identifier, $0.id) < ($1.identifier, $1.id) }
        let gone = before.values.filter { now[$0.id] == nil }.sorted(by: byName)
        var left = Dictionary(gone.map { ($0.identifier, $0) }) { first, _ in first }
        var events: [BrowseEvent] = []
        for entity in now.values.sorted(by: byName) {
            if let old = before[entity.id] {
                if isChanged(old, entity) { events.append(BrowseEvent(.changed, entity, of: category)) }
            } else if let old = left.removeValue(forKey: entity.identifier) {
                events.append(BrowseEvent(.changed, entity, of: category, previousID: old.id))
            } else {
                events.append(BrowseEvent(.added, entity, of: category))
            }
        }
        let removed = gone.filter { left[$0.identifier]?.id == $0.id }
        return removed.map { BrowseEvent(.removed, $0, of: category) } + events
    }

    /// Returns whether an entity with the same identifier has another content. The rest of the reference is the location,
    /// which changes if earlier records grow.
    private static func isChanged(_ old: BrowseEntity, _ new: BrowseEntity) -> Bool {
        old.reference.split(separator: ".").last != new.reference.split(separator: ".").last
    }
}
