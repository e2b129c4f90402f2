import Chemopen

/// A search under way or done: what it has found so far, for those who ask page by page.
final class SearchRun: Sendable {
    /// The key that two equal searches share.
    struct Key: Sendable, Hashable {
        var text: String
        var domain: SearchDomain
        /// The files and how often each was opened.
        var files: [String]
    }

    /// A record that fits: its file's place among those searched, and its number from 0.
    struct Hit: Sendable, Hashable {
        var file: UInt32
        var number: UInt32
    }

    struct Found: Sendable {
        var hits: [Hit] = []
        var isComplete = false
        var progress = 0.0
        /// The tally of what a condition met up to now.
        fileprivate var choice: RecordChoice?
        fileprivate var isCancelled = false

        /// Puts the hits in the order of some selections, and leaves out those that are in none.
        mutating func keepOnly(_ selections: [Selection], of files: [BrowsedFile]) {
            var kept: [Hit] = []
            for selection in selections {
                guard let place = files.firstIndex(where: { $0.id == selection.file.id }) else { continue }
                let own = hits.lazy.filter { $0.file == UInt32(clamping: place) }
                guard let numbers = selection.numbers else {
                    kept += own
                    continue
                }
                // Both are in the order of the file.
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

    /// Looks through all files, a few hundred records at a time.
    func run() {
        let total = max(1, files.reduce(0) { $0 + $1.view.count })
        let step = 512
        var done = 0
        var choice = RecordChoice(of: query.selection)
        for (place, file) in files.enumerated() {
            let count = file.view.count
            let step = file.step(step, of: count)
            for start in stride(from: 0, to: count, by: step) {
                let numbers = start..<min(start + step, count)
                var hits: [Hit] = []
                var looked = 0
                file.read(numbers, holding: query.bytes) { number, record in
                    looked += 1
                    if query.fits(record, in: file.pathInConditions, &choice) {
                        hits.append(Hit(file: UInt32(clamping: place), number: UInt32(clamping: number)))
                    }
                    return true
                }
                // Those without the field that a condition needs were passed over.
                choice.passOver(numbers.count - looked)
                done += numbers.count
                let goesOn = found.change { found in
                    found.hits += hits
                    found.choice = choice
                    found.progress = Double(done) / Double(total)
                    return !found.isCancelled
                }
                if !goesOn { return }
            }
        }
        found.change { $0.isComplete = true }
    }

    /// The records found, once there are so many hits or the search is done.
    func wait(forHits count: Int) -> Found {
        found.wait { $0.isComplete || $0.hits.count >= count ? $0 : nil }
    }

    /// What may not have been meant by the condition of a search that is done.
    ///
    /// - Parameter isPatient: waits for the names of all fields, among which a mistyped one may be found.
    func note(on found: Found, waiting isPatient: Bool) -> String {
        guard found.isComplete, !found.isCancelled, var choice = found.choice else { return "" }
        if !choice.missing.isEmpty || !choice.absent.isEmpty {
            if isPatient { for file in files { file.waitForFields() } }
            choice.note(names: files.flatMap { $0.view.fields })
        }
        // That nothing is found needs no word beside the number of hits.
        let told = choice.remarks(on: query.selection, taken: max(1, found.hits.count), isWhole: true, sawAll: true)
        return told.remarks.map(\.text).joined(separator: "; ")
    }

    var isComplete: Bool { found.change { $0.isComplete } }

    /// The records found up to now.
    var soFar: Found { found.change { $0 } }
}
