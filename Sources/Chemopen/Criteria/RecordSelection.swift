/// A selection of records by number, by conditions and by structure.
public struct RecordSelection: Sendable {
    /// The numbers of the records, or `nil` for all.
    public var numbers: RecordNumbers?
    /// The conditions that a record must satisfy.
    public var conditions: [RecordFilter] = []
    /// The structures that a record must contain.
    public var structures: [SMARTSPattern] = []

    /// Creates a selection of all records.
    public init() {}

    /// Creates a selection of the records that satisfy all conditions.
    init(_ criteria: [RecordFilter]) {
        conditions = criteria
    }

    /// Whether all records are selected.
    public var takesAll: Bool { numbers == nil && conditions.isEmpty && structures.isEmpty }

    /// The reason why the selection cannot be evaluated on this machine, or `nil` if it can.
    public var problem: String? { conditions.lazy.compactMap(\.problem).first }

    /// Whether a block of records can be processed independently of the preceding blocks.
    var mayRunInBlocks: Bool { numbers == nil && !conditions.contains(where: \.readsPlaces) }

    /// Whether the selection depends on the structures of the records.
    package var readsStructures: Bool { !structures.isEmpty || conditions.contains(where: \.readsStructures) }
}

/// A selector for the records of one input. It also collects statistics.
package struct RecordSelector {
    private let selection: RecordSelection
    package private(set) var choice: SelectionStatistics
    private let input: LocalPath
    private var filter: StructureFilter?
    private let needsContext: Bool

    package init(_ selection: RecordSelection, from input: LocalPath) {
        self.selection = selection
        choice = SelectionStatistics(of: selection)
        self.input = input
        if !selection.structures.isEmpty { filter = StructureFilter(selection.structures) }
        needsContext = selection.conditions.contains { !$0.computedNames.isEmpty }
    }

    /// Whether the record that a stream has just read is selected.
    package mutating func takes(_ record: borrowing Record, of stream: borrowing RecordStream) -> Bool {
        var context = RecordFilter.Context()
        context.place = stream.place
        if needsContext {
            context.file = input
            context.problems = stream.issues.filter { $0.severity == .doubt }.map { Text($0.message) }
        }
        return takes(record, context)
    }

    /// Whether a record is selected. Use this function if the stream of the record no longer exists.
    package mutating func takes(_ record: borrowing Record, numbered number: Int) -> Bool {
        var context = RecordFilter.Context()
        context.file = input
        context.place.record = number
        defer { choice.finish(record, numbered: number) }
        return takes(record, context)
    }

    private mutating func takes(_ record: borrowing Record, _ context: RecordFilter.Context) -> Bool {
        choice.seen += 1
        if let numbers = selection.numbers, !numbers.contains(context.place.record) { return false }
        choice.look(at: record)
        for condition in selection.conditions {
            let outcome = condition.outcome(for: record, context)
            if outcome == .holds { continue }
            choice.note(condition, record, outcome)
            return false
        }
        let abandoned = filter?.abandoned ?? 0
        let isFound = filter?.finds(in: record) ?? true
        if filter?.abandoned ?? 0 > abandoned { choice.abandoned += 1 }
        return isFound
    }

    /// Whether all selected numbers have been read.
    package func isFinished(_ stream: borrowing RecordStream) -> Bool {
        stream.place.record >= selection.numbers?.last ?? .max
    }

    /// Adds the number of the stream's last record, and the names of its fields, to the statistics.
    package mutating func finish(_ stream: borrowing RecordStream, namesFiles: Bool = false) {
        choice.finish(stream.header, lastRecord: stream.place.record, namesFiles: namesFiles)
    }
}

/// Statistics about a selection, to explain why few or no records were selected.
public struct SelectionStatistics: Sendable {
    /// The number of records that were examined, selected or not.
    public internal(set) var seen = 0
    /// The number of records that were tested against the conditions.
    public private(set) var held = 0
    /// The number of the last record that was examined or rejected; the largest one if there are several inputs.
    public private(set) var lastRecord = 0
    /// The fields that conditions compare but that no tested record has.
    public private(set) var missing: [Text]
    /// The fields that conditions test only for existence and that no record has.
    public private(set) var absent: [Text] = []
    /// The fields with the same name as a computed value in a condition. In this case, the condition uses the computed
    /// value.
    public private(set) var hidden: [Text] = []
    private var computed: [Text] = []
    /// The names of the fields in the inputs; collected only if a field is missing.
    public private(set) var fieldNames: [Text] = []

    /// The number of records that were not selected because the structure search reached its limit.
    public internal(set) var abandoned = 0
    /// The values that cannot be compared by order with a number.
    public private(set) var oddValues: [OddValues] = []

    /// The records that were not selected because a value is not a number.
    public struct OddValues: Sendable {
        /// The name of the field.
        public let field: Text
        /// The number of records.
        public fileprivate(set) var count: Int
        /// The first of the values.
        public let example: Text
    }

    init() {
        missing = []
    }

    package init(of selection: RecordSelection) {
        missing = []
        for condition in selection.conditions {
            for field in condition.comparedFields where !missing.contains(field) { missing.append(field) }
            for field in condition.fields where !missing.contains(field) && !absent.contains(field) {
                absent.append(field)
            }
            for name in condition.computedNames where !computed.contains(name) { computed.append(name) }
        }
    }

    package mutating func look(at record: borrowing Record) {
        held += 1
        if !missing.isEmpty { missing.removeAll { record.fields[$0] != nil } }
        if !absent.isEmpty { absent.removeAll { record.fields[$0] != nil } }
        if !computed.isEmpty, let place = computed.firstIndex(where: { record.fields[$0] != nil }) {
            hidden.append(computed.remove(at: place))
        }
    }

    /// Adds the reason why a record does not satisfy a condition: a search that reached its limit, or values that cannot
    /// be compared.
    package mutating func note(
        _ condition: RecordFilter, _ record: borrowing Record, _ outcome: RecordFilter.Outcome = .fails
    ) {
        if outcome == .unknown { abandoned += 1 }
        for (field, value) in condition.valuesWithoutOrder(in: record) {
            add(OddValues(field: field, count: 1, example: value))
        }
    }

    private mutating func add(_ values: OddValues) {
        if let place = oddValues.firstIndex(where: { $0.field == values.field }) {
            oddValues[place].count += values.count
        } else {
            oddValues.append(values)
        }
    }

    /// Adds the number of the last record in an input and the names of its fields.
    mutating func finish(_ header: @autoclosure () -> SheetHeader, lastRecord: Int, namesFiles: Bool) {
        self.lastRecord = max(self.lastRecord, lastRecord)
        if !missing.isEmpty || !absent.isEmpty || namesFiles { add(header().columns.map(\.name)) }
    }

    /// Adds the number and the field names of a record whose file is not read.
    mutating func finish(_ record: borrowing Record, numbered number: Int) {
        lastRecord = max(lastRecord, number)
        if !missing.isEmpty || !absent.isEmpty { add(record.fields.map(\.name)) }
    }

    /// Adds records that were skipped because they cannot contain a required field.
    package mutating func passOver(_ count: Int) {
        seen += count
        held += count
    }

    /// Adds field names, for suggestions in case of a misspelled name.
    package mutating func note(names: [Text]) {
        if !missing.isEmpty || !absent.isEmpty { add(names) }
    }

    /// Removes fields that were already reported as missing.
    package mutating func forget(_ fields: [Text]) {
        missing.removeAll(where: fields.contains)
        absent.removeAll(where: fields.contains)
    }

    /// Adds the statistics of another input, or of another part of the same input.
    package mutating func add(_ other: SelectionStatistics) {
        seen += other.seen
        held += other.held
        abandoned += other.abandoned
        lastRecord = max(lastRecord, other.lastRecord)
        missing.removeAll { !other.missing.contains($0) }
        absent.removeAll { !other.absent.contains($0) }
        for name in other.hidden where !hidden.contains(name) { hidden.append(name) }
        for values in other.oddValues { add(values) }
        add(other.fieldNames)
    }

    /// Adds a field that was specified for file names but is missing in all records.
    mutating func miss(_ field: Text) {
        if !missing.contains(field) { missing.append(field) }
    }

    private mutating func add(_ names: [Text]) {
        let most = 1000
        for name in names where fieldNames.count < most && !fieldNames.contains(name) { fieldNames.append(name) }
    }
}
