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
        /// The fields that a condition asks for and no record has up to now.
        fileprivate var missing: [Text] = []
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
        var missing = query.fields
        for (place, file) in files.enumerated() {
            let count = file.view.count
            let step = file.step(step, of: count)
            for start in stride(from: 0, to: count, by: step) {
                let numbers = start..<min(start + step, count)
                var hits: [Hit] = []
                file.read(numbers, holding: query.bytes) { number, record in
                    guard let content = record.record else { return true }
                    if query.fits(content, number: number + 1, in: file.path) {
                        hits.append(Hit(file: UInt32(clamping: place), number: UInt32(clamping: number)))
                    }
                    if !missing.isEmpty { missing.removeAll { content.fields[$0] != nil } }
                    return true
                }
                done += numbers.count
                let goesOn = found.change { found in
                    found.hits += hits
                    found.missing = missing
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

    /// A field that a condition asks for, where no record has it.
    func missingField(in found: Found) -> String? {
        found.isCancelled ? nil : found.missing.first?.string
    }

    var isComplete: Bool { found.change { $0.isComplete } }

    /// The records found up to now.
    var soFar: Found { found.change { $0 } }
}
