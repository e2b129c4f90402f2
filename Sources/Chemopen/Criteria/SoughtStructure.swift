/// A structure that a condition requires, as in `contains('c1ccncc1')`.
struct SoughtStructure: Sendable, Hashable {
    let pattern: SMARTSPattern
    /// Searches that are ready for use. A search is expensive to create, and several threads can test records.
    private let pool: SearchPool

    init(_ pattern: SMARTSPattern) {
        self.pattern = pattern
        pool = SearchPool()
    }

    /// Whether a record contains the structure, as `--smarts` defines it. Returns `nil` if the search reached its
    /// limit.
    func isIn(_ record: borrowing Record) -> Bool? {
        var filter = pool.take() ?? StructureFilter([pattern])
        defer { pool.put(filter) }
        let abandoned = filter.abandoned
        let isFound = filter.finds(in: record)
        return filter.abandoned > abandoned ? nil : isFound
    }

    static func == (one: Self, other: Self) -> Bool { one.pattern == other.pattern }

    func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}

/// Searches that no thread uses at the moment.
private final class SearchPool: Sendable {
    private let free = Guarded<[StructureFilter]>([])

    func take() -> StructureFilter? { free.change { $0.popLast() } }

    func put(_ filter: StructureFilter) { free.change { $0.append(filter) } }
}
