import Chemopen

/// The searches and orders asked for last: of one person the last of each, of many readers several.
struct BrowseRuns: Sendable {
    private(set) var searches: [SearchRun] = []
    private(set) var orders: [OrderRun] = []
    var changes: ChangesRun?

    /// Of so many the results are kept, and so many can be under way.
    private static let most = 8

    func search(_ key: SearchRun.Key) -> SearchRun? { searches.first { $0.key == key } }
    func order(_ key: OrderRun.Key) -> OrderRun? { orders.first { $0.key == key } }

    /// Takes a search in, which ends the one of a person before. Says whether there is room for it.
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

    /// Takes an order in. Of several files the orders of one person go on beside one another.
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
    /// Nothing, until there is room for the work that the answer takes.
    static var later: EntityList {
        var list = EntityList([])
        list.isComplete = false
        list.progress = 0
        return list
    }
}
