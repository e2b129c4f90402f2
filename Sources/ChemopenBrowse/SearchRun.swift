import Chemopen

/// A running or finished search. Results can be requested page by page.
final class SearchRun: Sendable {
    /// The key of a search. Equal requests share a search.
    struct Key: Sendable, Hashable {
        var text: String
        var domain: SearchDomain
        var condition: String
        /// The files with the numbers of their openings.
        var files: [String]
    }

    /// A matching record: the index of its file among those searched, and its number from 0.
    struct Hit: Sendable, Hashable {
        var file: UInt32
        var number: UInt32
    }

    struct Found: Sendable {
        var hits: [Hit] = []
        var isComplete = false
        var progress = 0.0
        /// The current statistics of the condition.
        fileprivate var choice: SelectionStatistics?
        fileprivate var isCancelled = false

        /// Removes hits that are not in any of the selections, and sorts the others in the order of the selections.
        mutating func keepOnly(_ selections: [Selection], of files: [BrowsedFile]) {
            var kept: [Hit] = []
            for selection in selections {
                guard let place = files.firstIndex(where: { $0.id == selection.file.id }) else { continue }
                let own = hits.lazy.filter { $0.file == UInt32(clamping: place) }
                guard let numbers = selection.numbers else {
                    kept += own
                    continue
                }
                // Both lists are in file order.
                var rest = numbers[...]
                for hit in own {
                    while let first = rest.first, first < hit.number { rest.removeFirst() }
                    if rest.first == hit.number { kept.append(hit) }
                }
            }
            hits = kept
        }
    }

    let key: Key
    let files: [BrowsedFile]
    private let query: SearchQuery
    private let found = Guarded(Found())

    init(_ key: Key, _ query: SearchQuery, in files: [BrowsedFile]) {
        self.key = key
        self.query = query
        self.files = files
    }

    func cancel() {
        found.change {
            $0.isCancelled = true
            $0.isComplete = true
        }
    }

    /// Searches all files, a few hundred records at a time. If a file is still being indexed, follows the index.
    func run() {
        var done = 0
        var choice = SelectionStatistics(of: query.selection)
        for (place, file) in files.enumerated() {
            var start = 0
            while true {
                // A file that has to be read from its start is read only once.
                let isIndexed = file.view.content?.isIndexed != false
                let count = file.wait(forRecords: isIndexed ? start + 1 : .max).count
                if start >= count { break }
                let numbers = start..<min(start + file.step(512, of: count), count)
                start = numbers.upperBound
                var hits: [Hit] = []
                var looked = 0
                file.scan(
                    numbers, holding: query.bytes, skippingStructures: query.skipsStructures
                ) { number, record in
                    looked += 1
                    if query.fits(record, in: file.pathInConditions, &choice) {
                        hits.append(Hit(file: UInt32(clamping: place), number: UInt32(clamping: number)))
                    }
                    return true
                }
                // Records without the field that the condition requires were skipped.
                choice.passOver(numbers.count - looked)
                done += numbers.count
                let progress = Double(done) / max(1, files.reduce(0) { $0 + $1.expectedCount })
                let goesOn = found.change { found in
                    found.hits += hits
                    found.choice = choice
                    found.progress = min(1, progress)
                    return !found.isCancelled
                }
                if !goesOn { return }
            }
        }
        found.change { $0.isComplete = true }
    }

    /// Waits until there are `count` hits or the search is complete.
    func wait(forHits count: Int) -> Found {
        found.wait { $0.isComplete || $0.hits.count >= count ? $0 : nil }
    }

    /// Returns warnings about the condition after the search is complete.
    ///
    /// - Parameter isPatient: whether to wait for the names of all fields, to find suggestions for misspelled ones.
    func note(on found: Found, waiting isPatient: Bool) -> String {
        guard found.isComplete, !found.isCancelled, var choice = found.choice else { return "" }
        if !choice.missing.isEmpty || !choice.absent.isEmpty {
            if isPatient { for file in files { file.waitForFields() } }
            choice.note(names: files.flatMap { $0.view.fields })
        }
        // No warning is needed if there are no hits, because the client shows their number.
        let told = choice.remarks(on: query.selection, taken: max(1, found.hits.count), isWhole: true, sawAll: true)
        return told.remarks.map(\.text).joined(separator: "; ")
    }

    var isComplete: Bool { found.change { $0.isComplete } }
    /// Whether another search has replaced this one. It then has only some of the hits.
    var isCancelled: Bool { found.change { $0.isCancelled } }

    /// The current results.
    var soFar: Found { found.change { $0 } }
}

extension BrowsedFile {
    /// The estimated number of records, which is exact after the file has been indexed.
    fileprivate var expectedCount: Double {
        let view = view
        return Double(view.count) / (view.isComplete ? 1 : max(0.001, view.progress))
    }
}
