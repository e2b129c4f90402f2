/// A condition for records, such as `MASS < 500 and (title ~ acid or elements.N > 2)`.
///
///     let criteria = try RecordFilter("\"Mol Weight\" <= 500 and not has(charges)")
///     criteria.holds(for: record)
///
/// A name refers to a data field. Some lowercase names refer to computed values; in quotes, they always refer to
/// fields. Numbers are compared as numbers, dates as dates and everything else as text.
///
/// If a field has several values, a comparison is true if any of them satisfies it. If a record does not have the
/// field, each comparison is false. Therefore `MASS != 5` and `not MASS = 5` differ, and so do `MASS not in (5)` and
/// `not MASS in (5)`.
public struct RecordFilter: Sendable, Hashable {
    let root: Node

    /// An operator that compares a value with another one.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// Not equal.
        case notEqual = "!="
        /// Less than or equal.
        case atMost = "<="
        /// Greater than or equal.
        case atLeast = ">="
        /// Equal.
        case equal = "="
        /// Less than.
        case less = "<"
        /// Greater than.
        case greater = ">"
        /// Contains the text, in any case.
        case containsInAnyCase = "~*"
        /// Contains the text.
        case contains = "~"
    }

    /// Information about a record that is not part of the record but can be used in conditions.
    public struct Context: Sendable {
        /// The position of the record in its file.
        public var place = RecordPlace()
        /// The file that contains the record.
        public var file = LocalPath("")
        /// The warnings about the record.
        public var problems: [Text] = []

        /// Creates the context of a record that was not read from a file.
        public init() {}
    }

    /// The reason why a text is not a valid condition.
    public struct SyntaxError: Error, Sendable {
        /// The error message for the invalid part.
        public let message: String
        /// The text of the condition.
        public let text: String
        /// The invalid part of the text.
        public let part: Range<String.Index>
    }

    indirect enum Node: Sendable, Hashable {
        case all([Node])
        case any([Node])
        case not(Node)
        case test(Operand, Relation)
        case has(RecordTrait)
        case contains(SoughtStructure)
    }

    enum Operand: Sendable, Hashable {
        case field(Text)
        /// A field with values that contain a number, possibly after a comparison sign or before a unit.
        case measure(Text)
        case computed(ComputedValue)

        var field: Text? {
            switch self {
            case .field(let name), .measure(let name): name
            case .computed: nil
            }
        }
    }

    enum Relation: Sendable, Hashable {
        case compares(Comparison, Literal)
        case isOneOf([Literal])
        case isNoneOf([Literal])
        case isBetween(Literal, Literal)
        case isOutside(Literal, Literal)
        case exists
        case isEmpty
    }

    /// Parses a condition.
    ///
    /// A value that contains `and`, `or` or a comma must be quoted.
    ///
    /// - Throws: `SyntaxError` if the text is not a valid condition.
    public init(_ text: String) throws(SyntaxError) {
        var parser = CriteriaParser(text) { Text($0) }
        root = try parser.criteria()
    }

    /// Parses a condition. Names and values can be in any encoding; their bytes are preserved.
    ///
    /// - Throws: `SyntaxError` if the text is not a valid condition.
    public init(_ text: Text) throws(SyntaxError) {
        var parser = CriteriaParser(text.string) { Text($0) }
        if !text.isUTF8 {
            // The parser receives each byte as one character and converts the characters back to bytes.
            var characters = String.UnicodeScalarView()
            characters.append(contentsOf: text.bytes.map { Unicode.Scalar($0) })
            parser = CriteriaParser(String(characters)) {
                Text(bytes: $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            }
        }
        root = try parser.criteria()
    }

    /// Creates the comparison of a field with a value.
    public init(_ field: Text, _ comparison: Comparison, _ value: Text) {
        root = .test(.field(field), .compares(comparison, Literal(value)))
    }

    private init(_ root: Node) {
        self.root = root
    }

    /// Combines conditions with `and`. An empty array results in a condition that is always true.
    ///
    /// - Returns: The combined condition.
    public static func all(_ criteria: [RecordFilter]) -> RecordFilter {
        criteria.count == 1 ? criteria[0] : RecordFilter(.all(criteria.map(\.root)))
    }

    /// Whether a record satisfies the condition.
    ///
    /// - Parameter context: The record's position, file and warnings, for conditions that depend on them.
    /// - Returns: `true` if the record satisfies the condition.
    public func holds(for record: borrowing Record, _ context: Context = Context()) -> Bool {
        outcome(for: record, context) == .holds
    }

    /// The result of testing a record.
    package enum Outcome: Sendable {
        case holds, fails
        /// A structure search reached its limit, so it is unknown whether the record satisfies the condition.
        case unknown
    }

    /// Tests a record.
    package func outcome(for record: borrowing Record, _ context: Context = Context()) -> Outcome {
        var values = RecordValues(context)
        let isTrue = root.holds(for: record, &values)
        return values.hasAbandonedSearch ? .unknown : isTrue ? .holds : .fails
    }
}

// MARK: Contents of a condition

extension RecordFilter {
    /// The names of the computed values with their descriptions.
    public static var vocabulary: [(word: String, meaning: String)] {
        ComputedValue.all.map { ($0.name, $0.meaning) }
            + [(ComputedValue.elementPrefix + "Cl", "the atoms of an element, implied hydrogens included")]
    }

    /// The names that `has(...)` accepts.
    public static var traits: [String] { RecordTrait.names }
}

extension RecordFilter {
    /// The names of the fields in the condition.
    public var fields: [Text] {
        var names: [Text] = []
        root.forEachTest { operand, _ in
            if let name = operand.field, !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The names of the fields that are compared with a value, not only tested for existence.
    public var comparedFields: [Text] {
        var names: [Text] = []
        root.forEachTest { operand, relation in
            guard let name = operand.field, !names.contains(name), relation != .exists, relation != .isEmpty
            else { return }
            names.append(name)
        }
        return names
    }

    /// The names of the computed values in the condition.
    public var computedNames: [Text] {
        var names: [Text] = []
        root.forEachTest { operand, _ in
            if case .computed(let value) = operand, !names.contains(Text(value.name)) { names.append(Text(value.name)) }
        }
        return names
    }

    /// The patterns of `contains(…)`, to highlight the matching atoms. Negated patterns are omitted.
    package var patterns: [SMARTSPattern] {
        func patterns(_ node: Node) -> [SMARTSPattern] {
            switch node {
            case .all(let nodes), .any(let nodes): nodes.flatMap(patterns)
            case .contains(let structure): [structure.pattern]
            case .not, .test, .has: []
            }
        }
        return patterns(root)
    }

    /// Whether the result depends on the structure.
    package var readsStructures: Bool {
        root.contains { node in
            switch node {
            case .has, .contains: true
            case .test(.computed(let value), _): value.readsStructure
            default: false
            }
        }
    }

    /// Whether the condition requires an InChI, which is computed by a separate program.
    package var needsInChI: Bool {
        root.contains { node in
            if case .test(.computed(let value), _) = node { value.needsInChI } else { false }
        }
    }

    /// The reason why the condition cannot be evaluated on this machine, or `nil` if it can. A condition with an InChI
    /// requires a separate program.
    public var problem: String? { needsInChI ? InChI.problem : nil }

    /// Whether the result depends on the file or on the record's position.
    package var readsPlaces: Bool {
        root.contains { node in
            if case .test(.computed(let value), _) = node { value.readsPlace } else { false }
        }
    }

    /// The name of a field that a record must have to satisfy the condition.
    package var neededField: Text? {
        func needed(_ node: Node) -> Text? {
            switch node {
            case .all(let nodes): nodes.lazy.compactMap(needed).first
            case .test(let operand, let relation): relation == .isEmpty ? nil : operand.field
            case .any, .not, .has, .contains: nil
            }
        }
        return needed(root)
    }

    /// Literals that the condition compares with a computed value that can never equal them, each with the list of
    /// possible values.
    var impossibleWords: [(value: ComputedValue, word: Text, all: [String])] {
        var found: [(ComputedValue, Text, [String])] = []
        root.forEachTest { operand, relation in
            guard case .computed(let value) = operand, let all = value.allValues else { return }
            for literal in relation.wholeWords where !all.contains(where: { Text($0) == literal.text }) {
                found.append((value, literal.text, all))
            }
        }
        return found
    }

    /// Returns the compared values that have no order because they are neither numbers nor dates, although the other
    /// side has an order.
    func valuesWithoutOrder(in record: borrowing Record) -> [(field: Text, value: Text)] {
        var found: [(Text, Text)] = []
        let values = RecordValues(Context())
        let fields = record.fields
        root.forEachTest { operand, relation in
            guard let name = operand.field, relation.asksForOrder else { return }
            for value in values.values(of: operand, fields) {
                guard case .text(let text) = value, text.bytes.contains(where: { $0 > 0x20 }) else { continue }
                if relation.literals.contains(where: { $0.order(of: value) == nil }) {
                    found.append((name, text))
                    break
                }
            }
        }
        return found
    }
}

extension RecordFilter.Node {
    /// The parser limits the depth of the recursion.
    fileprivate func holds(for record: borrowing Record, _ values: inout RecordValues) -> Bool {
        switch self {
        case .all(let nodes):
            for node in nodes where !node.holds(for: record, &values) { return false }
            return true
        case .any(let nodes):
            for node in nodes where node.holds(for: record, &values) { return true }
            return false
        case .not(let node): return !node.holds(for: record, &values)
        case .has(let trait):
            return trait.isIn(values.features(of: record))
                || trait.perceived.map { values.perceives($0, in: record) } ?? false
        case .contains(let structure):
            let isFound = structure.isIn(record)
            if isFound == nil { values.hasAbandonedSearch = true }
            return isFound ?? false
        case .test(let operand, let relation):
            if case .computed(let value) = operand {
                return relation.holds(for: values.values(of: value, record))
            }
            return relation.holds(for: values.values(of: operand, record.fields))
        }
    }

    func forEachTest(_ body: (RecordFilter.Operand, RecordFilter.Relation) -> Void) {
        _ = contains { node in
            if case .test(let operand, let relation) = node { body(operand, relation) }
            return false
        }
    }

    func contains(_ isSought: (RecordFilter.Node) -> Bool) -> Bool {
        if isSought(self) { return true }
        return switch self {
        case .all(let nodes), .any(let nodes): nodes.contains { $0.contains(isSought) }
        case .not(let node): node.contains(isSought)
        case .test, .has, .contains: false
        }
    }
}

extension RecordFilter.Relation {
    fileprivate func holds(for values: [RecordValues.Value]) -> Bool {
        switch self {
        case .exists: !values.isEmpty
        case .isEmpty: values.allSatisfy(\.isBlank)
        case .compares(.contains, let literal):
            values.contains { $0.text.string.firstRange(ofPart: literal.text.string) != nil }
        case .compares(.containsInAnyCase, let literal):
            values.contains { $0.text.string.lowercased().firstRange(ofPart: literal.text.string.lowercased()) != nil }
        case .compares(let comparison, let literal):
            values.contains { value in literal.order(of: value, comparison).map(comparison.holds) ?? false }
        case .isOneOf(let literals):
            values.contains { value in literals.contains { $0.order(of: value, .equal) == 0 } }
        case .isNoneOf(let literals):
            values.contains { value in !literals.contains { $0.order(of: value, .equal) == 0 } }
        case .isBetween(let low, let high): values.contains { $0.isBetween(low, high) == true }
        case .isOutside(let low, let high): values.contains { $0.isBetween(low, high) == false }
        }
    }

    /// The relation of a value that is not in the list or range. A missing field does not satisfy this relation either.
    var turned: RecordFilter.Relation? {
        switch self {
        case .isOneOf(let literals): .isNoneOf(literals)
        case .isBetween(let low, let high): .isOutside(low, high)
        default: nil
        }
    }

    fileprivate var asksForOrder: Bool {
        switch self {
        case .compares(let comparison, let literal): comparison.isOrder && literal.hasOrder
        case .isBetween, .isOutside: true
        case .isOneOf, .isNoneOf, .exists, .isEmpty: false
        }
    }

    /// The values that are compared for equality.
    fileprivate var wholeWords: [RecordFilter.Literal] {
        switch self {
        case .compares(let comparison, let literal): comparison == .equal || comparison == .notEqual ? [literal] : []
        case .isOneOf(let literals), .isNoneOf(let literals): literals
        case .isBetween, .isOutside, .exists, .isEmpty: []
        }
    }

    fileprivate var literals: [RecordFilter.Literal] {
        switch self {
        case .compares(_, let literal): [literal]
        case .isOneOf(let literals), .isNoneOf(let literals): literals
        case .isBetween(let low, let high), .isOutside(let low, let high): [low, high]
        case .exists, .isEmpty: []
        }
    }
}

extension RecordValues.Value {
    /// Returns whether the value is in a range, or `nil` if it has no order.
    fileprivate func isBetween(_ low: RecordFilter.Literal, _ high: RecordFilter.Literal) -> Bool? {
        guard let above = low.order(of: self), let below = high.order(of: self) else { return nil }
        return above >= 0 && below <= 0
    }
}

extension RecordFilter.Comparison {
    /// Whether the operator compares by order.
    var isOrder: Bool {
        switch self {
        case .less, .atMost, .greater, .atLeast: true
        case .equal, .notEqual, .contains, .containsInAnyCase: false
        }
    }

    /// Whether the operator searches for a part of a text.
    var searchesText: Bool { self == .contains || self == .containsInAnyCase }

    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .notEqual: order != 0
        case .equal: order == 0
        case .less: order < 0
        case .atMost: order <= 0
        case .greater: order > 0
        case .atLeast: order >= 0
        case .contains, .containsInAnyCase: false
        }
    }
}
