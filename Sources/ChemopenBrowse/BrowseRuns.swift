import Chemopen

/// The most recent searches and sort orders: for one user the last of each, for several readers more of them.
struct BrowseRuns: Sendable {
    private(set) var searches: [SearchRun] = []
    private(set) var orders: [OrderRun] = []
    private(set) var statistics: [StatisticsRun] = []
    private(set) var changes: [ChangesRun] = []

    /// The maximum number of searches and of sort orders, finished or running.
    private static let most = 8

    func search(_ key: SearchRun.Key) -> SearchRun? { searches.first { $0.key == key } }
    func statistics(_ key: StatisticsRun.Key) -> StatisticsRun? {
        statistics.first { $0.key == key && !$0.isCancelled }
    }

    /// Adds statistics. The oldest ones are forgotten. Returns `false` if too many are running.
    mutating func add(_ run: StatisticsRun) -> Bool {
        if statistics.count >= Self.most {
            guard let done = statistics.firstIndex(where: \.isComplete) else { return false }
            statistics.remove(at: done)
        }
        statistics.append(run)
        return true
    }

    func changes(_ key: ChangesRun.Key) -> ChangesRun? { changes.first { $0.key == key && !$0.soFar.isCancelled } }

    /// The maximum number of searches for commits that run at the same time, because each one starts git.
    private static let mostHistories = 2

    /// Adds a search for commits. For a single user it cancels the previous one. Returns `false` if too many are running.
    mutating func add(_ run: ChangesRun, isShared: Bool) -> Bool {
        if !isShared {
            for old in changes { old.cancel() }
            changes = []
        } else {
            if changes.count(where: { !$0.soFar.isComplete }) >= Self.mostHistories { return false }
            changes = changes.filter { !$0.soFar.isComplete } + changes.filter(\.soFar.isComplete).suffix(Self.most)
        }
        changes.append(run)
        return true
    }

    func order(_ key: OrderRun.Key) -> OrderRun? { orders.first { $0.key == key } }

    /// Adds a search. For a single user it cancels the previous one. Returns `false` if too many are running.
    mutating func add(_ run: SearchRun, isShared: Bool) -> Bool {
        if !isShared {
            searches.last?.cancel()
            searches = []
        } else if searches.count >= Self.most {
            guard let done = searches.firstIndex(where: \.isComplete) else { return false }
            searches.remove(at: done)
        }
        searches.append(run)
        return true
    }

    /// Adds a sort order. For a single user with one file, it cancels the previous order; orders of several files run at
    /// the same time. Returns `false` if too many are running.
    mutating func add(_ run: OrderRun, isOnly: Bool, isShared: Bool) -> Bool {
        if !isShared {
            if isOnly { orders.last?.cancel() }
            orders = []
        } else if orders.count >= Self.most {
            guard let done = orders.firstIndex(where: \.isComplete) else { return false }
            orders.remove(at: done)
        }
        orders.append(run)
        return true
    }
}

extension EntityList {
    /// An empty incomplete list, returned if there are too many requests.
    static var later: EntityList {
        var list = EntityList([])
        list.isComplete = false
        list.progress = 0
        return list
    }
}
