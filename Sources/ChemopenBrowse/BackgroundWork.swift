import Chemopen

/// What goes on behind the answers, on a thread of its own: indexes first, then the searches and orders asked for.
final class BackgroundWork: Sendable {
    enum Task: Sendable {
        case index(BrowsedFile)
        case search(SearchRun)
        case order(OrderRun)
    }

    private struct Board: Sendable {
        var indexes: [BrowsedFile] = []
        var others: [Task] = []
        var isClosed = false

        /// The next task; nothing inside when there will be none, and `nil` as long as that is open.
        mutating func next() -> Task?? {
            if isClosed { return .some(nil) }
            if !indexes.isEmpty { return .index(indexes.removeFirst()) }
            return others.isEmpty ? nil : .some(others.removeFirst())
        }
    }

    private let board = Guarded(Board())

    func add(_ task: Task) {
        board.change { board in
            if case .index(let file) = task { board.indexes.append(file) } else { board.others.append(task) }
        }
    }

    /// Works until `close()`.
    func run() {
        while let task = board.wait(for: { $0.next() }) { work(on: task) }
    }

    /// Works on what there is to do, on this thread.
    func runNow() {
        while let task = board.change({ $0.next() }) ?? nil { work(on: task) }
    }

    private func work(on task: Task) {
        switch task {
        case .index(let file): file.makeIndex { !board.change { $0.isClosed } }
        case .search(let search): search.run()
        case .order(let order): order.run()
        }
    }

    func close() {
        board.change { $0.isClosed = true }
    }
}
