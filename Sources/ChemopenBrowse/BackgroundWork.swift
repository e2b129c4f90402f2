import Chemopen

/// The work behind the answers, on a thread of its own: indexes first, then the searches and orders asked for, then the
/// names of fields.
final class BackgroundWork: Sendable {
    enum Task: Sendable {
        case index(BrowsedFile)
        case search(SearchRun)
        case order(OrderRun)
        case groups(BrowsedFile)
        case choice(BrowsedFile)
        case fields(BrowsedFile)
    }

    private struct Board: Sendable {
        var indexes: [BrowsedFile] = []
        var others: [Task] = []
        /// The files that nobody may be waiting for: their work is done bit by bit where there is nothing else to do.
        var later: [BrowsedFile] = []
        var isClosed = false

        /// The next task; nothing inside when there will be none, and `nil` as long as that is open.
        mutating func next() -> Task?? {
            if isClosed { return .some(nil) }
            if !indexes.isEmpty { return .index(indexes.removeFirst()) }
            if !others.isEmpty { return .some(others.removeFirst()) }
            return later.isEmpty ? nil : .fields(later.removeFirst())
        }
    }

    private let board = Guarded(Board())

    func add(_ task: Task) {
        board.change { board in
            switch task {
            case .index(let file): board.indexes.append(file)
            case .search, .order, .groups, .choice: board.others.append(task)
            case .fields(let file): board.later.append(file)
            }
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
        case .index(let file):
            file.makeIndex { !board.change { $0.isClosed } }
            if file.mapping?.groupsRecords == true { add(.groups(file)) }
            if file.wanted != nil { add(.choice(file)) }
            add(.fields(file))
        case .groups(let file): file.makeGroups { !board.change { $0.isClosed } }
        case .choice(let file): file.choose { !board.change { $0.isClosed } }
        case .fields(let file):
            if file.lookForFields() { add(task) }
        case .search(let search): search.run()
        case .order(let order): order.run()
        }
    }

    func close() {
        board.change { $0.isClosed = true }
    }
}
