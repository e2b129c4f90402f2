import Chemopen

/// Running or finished statistics of the fields and facts of records.
final class StatisticsRun: Sendable {
    /// The key of statistics. Equal requests share them.
    struct Key: Sendable, Hashable {
        var files: [String]
        var fields: [String]?
        var facts: [String]
        /// The search whose hits are counted, or `nil` for all records.
        var search: SearchRun.Key?
    }

    struct Result: Sendable {
        var columns: [(name: String, isFact: Bool, survey: ColumnSurvey)] = []
        /// The number of records that were read.
        var records = 0
        var progress = 0.0
        var isComplete = false
        fileprivate var isCancelled = false
    }

    let key: Key
    private let selections: [Selection]
    private let hits: SearchRun?
    private let facts: ComputedFields?
    private let result = Guarded(Result())
    private let work: Guarded<Work>

    /// The maximum number of fields in statistics.
    static let mostFields = 1000

    init(_ key: Key, of selections: [Selection], hits: SearchRun?) {
        self.key = key
        self.selections = selections
        self.hits = hits
        facts = key.facts.isEmpty ? nil : try? ComputedFields(key.facts)
        work = Guarded(Work(collector: Collector(key.fields, key.facts)))
    }

    var soFar: Result { result.change { $0 } }
    var isComplete: Bool { result.change { $0.isComplete } }
    /// Whether the statistics, or the search that they depend on, were cancelled. The result is then incomplete.
    var isCancelled: Bool { result.change { $0.isCancelled } }

    func wait() -> Result { result.wait { $0.isComplete ? $0 : nil } }

    func cancel() {
        result.change { ($0.isCancelled, $0.isComplete) = (true, true) }
    }

    /// Reads some more records. Searches that are requested in the meantime run before the next step.
    ///
    /// - Returns: whether there are more records to read.
    func step() -> Bool {
        if isComplete { return false }
        if let hits, !hits.isComplete { return true }
        if hits?.isCancelled == true {
            cancel()
            return false
        }
        return work.change { work in
            if !work.hasStarted { start(&work) }
            var done = 0
            while done < Self.stepSize, let piece = work.rest.popLast() {
                let collected = facts
                piece.file.scan(piece.numbers, holding: nil, skippingStructures: facts == nil) { _, record in
                    if let content = record.record {
                        work.collector.add(content, collected, at: RecordPlace(of: record))
                    }
                    return true
                }
                done += piece.numbers.count
            }
            work.done += done
            let isLast = work.rest.isEmpty
            return result.change { result in
                result.progress = isLast ? 1 : Double(work.done) / Double(max(1, work.total))
                result.records = work.done
                result.columns = work.collector.columns
                if isLast { result.isComplete = true }
                return !result.isComplete
            }
        }
    }

    /// The number of records that a step reads.
    private static let stepSize = 8192

    /// The state between two steps.
    private struct Work: Sendable {
        var collector: Collector
        var hasStarted = false
        /// The pieces that have not been read yet, the last one first.
        var rest: [(file: BrowsedFile, numbers: Range<Int>)] = []
        var done = 0
        var total = 0
    }

    private func start(_ work: inout Work) {
        work.hasStarted = true
        let found = hits?.soFar.hits
        for selection in selections {
            let file = selection.file
            var numbers = selection.numbers.map { $0.map { Int($0) } }
            if let found, let place = hits?.files.firstIndex(where: { $0.id == file.id }) {
                let own = found.filter { $0.file == UInt32(clamping: place) }.map { Int($0.number) }
                if let chosen = numbers.map(Set.init) { numbers = own.filter(chosen.contains) } else { numbers = own }
            }
            work.rest += pieces(of: numbers, in: file).map { (file, $0) }
        }
        work.total = work.rest.reduce(0) { $0 + $1.numbers.count }
        work.rest.reverse()
    }

    /// Returns ranges of records that are read at once.
    private func pieces(of numbers: [Int]?, in file: BrowsedFile) -> [Range<Int>] {
        let count = file.view.count
        let step = file.step(512, of: count)
        guard let numbers else {
            return stride(from: 0, to: count, by: step).map { $0..<min($0 + step, count) }
        }
        var pieces: [Range<Int>] = []
        for number in numbers where number < count {
            if let last = pieces.last, last.upperBound == number, last.count < step {
                pieces[pieces.count - 1] = last.lowerBound..<number + 1
            } else {
                pieces.append(number..<number + 1)
            }
        }
        return pieces
    }
}

extension RecordPlace {
    fileprivate init(of record: BrowsedRecord) {
        self.init()
        self.record = record.number
        version = record.version
    }
}

/// Collects the distributions of several fields.
private struct Collector: Sendable {
    private(set) var columns: [(name: String, isFact: Bool, survey: ColumnSurvey)] = []
    private var places: [Text: Int] = [:]
    private let takesAll: Bool
    private let firstFact: Int
    /// The column of each field of the previous record, which usually has the same columns.
    private var recent: [(name: Text, place: Int)] = []

    init(_ fields: [String]?, _ facts: [String]) {
        takesAll = fields == nil
        for field in fields ?? [] where places[Text(field)] == nil {
            places[Text(field)] = columns.count
            columns.append((field, false, ColumnSurvey()))
        }
        firstFact = columns.count
        for fact in facts { columns.append((fact, true, ColumnSurvey())) }
    }

    mutating func add(_ record: Record, _ facts: ComputedFields?, at position: RecordPlace) {
        let fields = record.fields
        for entry in fields.entries {
            let index = Int(entry.column)
            guard fields.columns.indices.contains(index) else { continue }
            let place = column(of: fields.columns[index].name, index)
            if place >= 0 { columns[place].survey.add(fields.bytes, entry.valueRange) }
        }
        guard let facts else { return }
        for (number, values) in facts.texts(of: record, at: position).enumerated() {
            for value in values { columns[firstFact + number].survey.add(value, 0..<value.count) }
        }
    }

    private mutating func column(of name: Text, _ index: Int) -> Int {
        if index < recent.count, recent[index].name == name { return recent[index].place }
        var place = places[name] ?? -1
        if place < 0, takesAll, columns.count < StatisticsRun.mostFields {
            place = columns.count
            places[name] = place
            columns.append((name.string, false, ColumnSurvey()))
        }
        if index < StatisticsRun.mostFields {
            while recent.count <= index { recent.append((Text(""), -1)) }
            recent[index] = (name, place)
        }
        return place
    }
}
