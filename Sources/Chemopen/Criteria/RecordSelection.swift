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

    /// Whether a block of records may be looked at without those before it.
    var mayRunInBlocks: Bool { numbers == nil && !conditions.contains(where: \.readsPlaces) }

    /// Whether the choice depends on the structure of a record.
    package var readsStructures: Bool { !structures.isEmpty || conditions.contains(where: \.readsStructures) }
}

/// Chooses the records of one input, and keeps the tally.
package struct RecordSelector {
    private let selection: RecordSelection
    package private(set) var choice: RecordChoice
    private var filter: StructureFilter
    private var context = Criteria.Context()
    private let needsContext: Bool

    package init(_ selection: RecordSelection, from input: LocalPath) {
        self.selection = selection
        choice = RecordChoice(of: selection)
        filter = StructureFilter(selection.structures)
        context.file = input
        needsContext = selection.conditions.contains { !$0.computedNames.isEmpty }
    }

    /// Whether a record that a stream has just brought is wanted.
    package mutating func takes(_ record: borrowing Record, of stream: borrowing RecordStream) -> Bool {
        choice.seen += 1
        let place = stream.place
        if let numbers = selection.numbers, !numbers.contains(place.record) { return false }
        choice.look(at: record)
        if selection.conditions.isEmpty, filter.isEmpty { return true }
        if needsContext {
            context.place = place
            context.problems = stream.issues.filter { $0.severity == .doubt }.map { Text($0.message) }
        }
        for condition in selection.conditions where !condition.holds(for: record, context) {
            choice.note(condition, record)
            return false
        }
        if filter.isEmpty { return true }
        let abandoned = filter.abandoned
        defer { if filter.abandoned > abandoned { choice.abandoned += 1 } }
        return filter.finds(in: record)
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
