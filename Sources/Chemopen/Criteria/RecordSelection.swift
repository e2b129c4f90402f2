/// The records that are wanted: by their number, by their answer to a question, by a structure in them.
public struct RecordSelection: Sendable {
    /// `nil` for all.
    public var numbers: RecordNumbers?
    /// The conditions that a record has to fulfil, all of them.
    public var conditions: [Criteria] = []
    /// The structures that a record has to contain, all of them.
    public var structures: [SMARTSPattern] = []

    /// A selection that takes every record.
    public init() {}

    /// Records that fulfil all of some criteria.
    init(_ criteria: [Criteria]) {
        conditions = criteria
    }

    /// Whether every record is wanted.
    public var takesAll: Bool { numbers == nil && conditions.isEmpty && structures.isEmpty }

    /// Why the records cannot be chosen on this machine, if a condition asks for something that nothing makes.
    public var problem: String? { conditions.lazy.compactMap(\.problem).first }

    /// Whether a block of records may be looked at without those before it.
    var mayRunInBlocks: Bool { numbers == nil && !conditions.contains(where: \.readsPlaces) }

    /// Whether the choice depends on the structure of a record.
    package var readsStructures: Bool { !structures.isEmpty || conditions.contains(where: \.readsStructures) }
}

/// Chooses the records of one input, and keeps the tally.
package struct RecordSelector {
    private let selection: RecordSelection
    package private(set) var choice: RecordChoice
    private let input: LocalPath
    private var filter: StructureFilter?
    private let needsContext: Bool

    package init(_ selection: RecordSelection, from input: LocalPath) {
        self.selection = selection
        choice = RecordChoice(of: selection)
        self.input = input
        if !selection.structures.isEmpty { filter = StructureFilter(selection.structures) }
        needsContext = selection.conditions.contains { !$0.computedNames.isEmpty }
    }

    /// Whether a record that a stream has just brought is wanted.
    package mutating func takes(_ record: borrowing Record, of stream: borrowing RecordStream) -> Bool {
        var context = Criteria.Context()
        context.place = stream.place
        if needsContext {
            context.file = input
            context.problems = stream.issues.filter { $0.severity == .doubt }.map { Text($0.message) }
        }
        return takes(record, context)
    }

    /// Whether a record of a file of which no stream is there any more is wanted.
    package mutating func takes(_ record: borrowing Record, numbered number: Int) -> Bool {
        var context = Criteria.Context()
        context.file = input
        context.place.record = number
        defer { choice.finish(record, numbered: number) }
        return takes(record, context)
    }

    private mutating func takes(_ record: borrowing Record, _ context: Criteria.Context) -> Bool {
        choice.seen += 1
        if let numbers = selection.numbers, !numbers.contains(context.place.record) { return false }
        choice.look(at: record)
        for condition in selection.conditions where !condition.holds(for: record, context) {
            choice.note(condition, record)
            return false
        }
        let abandoned = filter?.abandoned ?? 0
        let isFound = filter?.finds(in: record) ?? true
        if filter?.abandoned ?? 0 > abandoned { choice.abandoned += 1 }
        return isFound
    }

    /// Whether no record behind that of a stream is wanted.
    package func isBehindAll(_ stream: borrowing RecordStream) -> Bool {
        stream.place.record >= selection.numbers?.last ?? .max
    }

    /// Notes how far a stream went, and what its fields are called.
    package mutating func finish(_ stream: borrowing RecordStream, namesFiles: Bool = false) {
        choice.finish(stream.header, lastRecord: stream.place.record, namesFiles: namesFiles)
    }
}

/// The tally of the choice of records by number and condition, for those who want to know why so few were taken.
public struct RecordChoice: Sendable {
    /// Records that were looked at, taken or not.
    public internal(set) var seen = 0
    /// Those of them that the conditions were held against.
    public private(set) var held = 0
    /// The number of the last record that was looked at, or refused, in the input that has most.
    public private(set) var lastRecord = 0
    /// Fields that conditions ask for, and no record that they were held against has.
    public private(set) var missing: [Text]
    /// Fields of which conditions only ask whether they are there, and which no record has.
    public private(set) var absent: [Text] = []
    /// Fields that are called as a computed value that conditions ask for: these mean the value.
    public private(set) var hidden: [Text] = []
    private var computed: [Text] = []
    /// The names of the fields that the inputs have, where one is missing.
    public private(set) var fieldNames: [Text] = []

    /// Records that were left as the search for a structure in them met its bound.
    public internal(set) var abandoned = 0
    /// Values that have no place in an order of numbers.
    public private(set) var oddValues: [OddValues] = []

    /// The records that were left as a value of theirs is no number.
    public struct OddValues: Sendable {
        /// The field that was asked for.
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

    /// Notes whether a record is left because of a value that cannot be held against the condition.
    package mutating func note(_ condition: Criteria, _ record: borrowing Record) {
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

    /// Notes how far an input went, and what its fields are called.
    mutating func finish(_ header: @autoclosure () -> SheetHeader, lastRecord: Int, namesFiles: Bool) {
        self.lastRecord = max(self.lastRecord, lastRecord)
        if !missing.isEmpty || !absent.isEmpty || namesFiles { add(header().columns.map(\.name)) }
    }

    /// Notes of a record without a file how far its file goes at least, and what its fields are called.
    mutating func finish(_ record: borrowing Record, numbered number: Int) {
        lastRecord = max(lastRecord, number)
        if !missing.isEmpty || !absent.isEmpty { add(record.fields.map(\.name)) }
    }

    /// Takes records into account that cannot have a field that is asked for, and were not read.
    package mutating func passOver(_ count: Int) {
        seen += count
        held += count
    }

    /// Notes the names of fields, among which a mistyped name may be found.
    package mutating func note(names: [Text]) {
        if !missing.isEmpty || !absent.isEmpty { add(names) }
    }

    /// Leaves out fields of which it was said already that no record has them.
    package mutating func forget(_ fields: [Text]) {
        missing.removeAll(where: fields.contains)
        absent.removeAll(where: fields.contains)
    }

    /// Adds what the choice from another input, or from another part of one, has come to.
    package mutating func add(_ other: RecordChoice) {
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

    /// A field by which files are to be named, and which none has.
    mutating func miss(_ field: Text) {
        if !missing.contains(field) { missing.append(field) }
    }

    private mutating func add(_ names: [Text]) {
        let most = 1000
        for name in names where fieldNames.count < most && !fieldNames.contains(name) { fieldNames.append(name) }
    }
}
