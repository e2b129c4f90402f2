import Chemopen

/// The queue of background work: indexes first, then requested searches and orders, then field names.
final class BackgroundWork: Sendable {
    enum Task: Sendable {
        case index(BrowsedFile)
        case search(SearchRun)
        case order(OrderRun)
        case statistics(StatisticsRun)
        case groups(BrowsedFile)
        case choice(BrowsedFile)
        case fields(BrowsedFile)
    }

    private struct Board: Sendable {
        var indexes: [BrowsedFile] = []
        var others: [Task] = []
        /// Field names and statistics, which are collected step by step when there is no other work.
        var later: [Task] = []
        var isClosed = false

        /// Returns the next task. The inner value is `nil` after `close()`; the outer value is `nil` if there is no
        /// task yet.
        mutating func next() -> Task?? {
            if isClosed { return .some(nil) }
            if !indexes.isEmpty { return .index(indexes.removeFirst()) }
            if !others.isEmpty { return .some(others.removeFirst()) }
            return later.isEmpty ? nil : .some(later.removeFirst())
        }
    }

    private let board = Guarded(Board())

    func add(_ task: Task) {
        board.change { board in
            switch task {
            case .index(let file): board.indexes.append(file)
            case .search, .order, .groups, .choice: board.others.append(task)
            case .fields, .statistics: board.later.append(task)
            }
        }
    }

    /// Runs tasks until `close()`.
    func run() {
        while let task = board.wait(for: { $0.next() }) { work(on: task) }
    }

    /// Runs all pending tasks on the current thread.
    func runNow() {
        while let task = board.change({ $0.next() }) ?? nil { work(on: task) }
    }

    private func work(on task: Task) {
        switch task {
        case .index(let file):
            file.makeIndex {
                !board.change { $0.isClosed }
            } then: { [self] in
                if file.mapping?.groupsRecords == true { add(.groups(file)) }
                if file.wanted != nil { add(.choice(file)) }
                add(.fields(file))
            }
        case .groups(let file): file.makeGroups { !board.change { $0.isClosed } }
        case .choice(let file): file.choose { !board.change { $0.isClosed } }
        case .fields(let file):
            if file.lookForFields() { add(task) }
        case .search(let search): search.run()
        case .order(let order): order.run()
        case .statistics(let statistics):
            if statistics.step() { add(task) }
        }
    }

    func close() {
        board.change { $0.isClosed = true }
    }
}
