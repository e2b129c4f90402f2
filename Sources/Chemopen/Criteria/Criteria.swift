/// A question that a record answers with yes or no: `MASS < 500 and (title ~ acid or elements.N > 2)`.
///
///     let criteria = try Criteria("\"Mol Weight\" <= 500 and not has(charges)")
///     criteria.holds(for: record)
///
/// Names ask for data fields; some lowercase words ask for a value that is computed, and a name in quotes always asks for
/// a field. Numbers compare as numbers and days as days; everything else compares as text. Where there are several
/// values, one that fulfils a comparison is enough. A record without the field fulfils no comparison, so `MASS != 5` and
/// `not MASS = 5` are different questions.
public struct Criteria: Sendable, Hashable {
    let root: Node

    /// A comparison of a value with another one.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// Another value than this one.
        case notEqual = "!="
        /// This number or less.
        case atMost = "<="
        /// This number or more.
        case atLeast = ">="
        /// This value.
        case equal = "="
        /// Less than this number.
        case less = "<"
        /// More than this number.
        case greater = ">"
        /// A text with this one in it.
        case contains = "~"
    }

    /// The circumstances of a record, which some questions are about.
    public struct Context: Sendable {
        /// Where the record stands in its file.
        public var place = RecordPlace()
        /// The file that the record is of.
        public var file = LocalPath("")
        /// The doubts about the record.
        public var problems: [Text] = []

        /// The surroundings of a record that was not read.
        public init() {}
    }

    /// Why a text is no question.
    public struct SyntaxError: Error, Sendable {
        /// The complaint about the part that is not understood.
        public let message: String
        /// The text, and the part of it that is not understood.
        public let text: String
        /// The part of the text that is not understood.
        public let part: Range<String.Index>
    }

    indirect enum Node: Sendable, Hashable {
        case all([Node])
        case any([Node])
        case not(Node)
        case test(Operand, Relation)
        case has(RecordTrait)
    }

    enum Operand: Sendable, Hashable {
        case field(Text)
        /// A field whose values are numbers with signs before them or units behind them.
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
        case isBetween(Literal, Literal)
        case exists
        case isEmpty
    }

    /// Reads a question. Nothing is guessed: a text with `and`, `or` or a comma in it stands in quotes.
    public init(_ text: String) throws(SyntaxError) {
        var parser = CriteriaParser(text) { Text($0) }
        root = try parser.criteria()
    }

    /// Reads a question whose names or values are in another encoding, as a file may be: their bytes are kept.
    public init(_ text: Text) throws(SyntaxError) {
        var parser = CriteriaParser(text.string) { Text($0) }
        if !text.isUTF8 {
            // The parser sees a character for each byte, and each is turned back into its byte.
            var characters = String.UnicodeScalarView()
            characters.append(contentsOf: text.bytes.map { Unicode.Scalar($0) })
            parser = CriteriaParser(String(characters)) {
                Text(bytes: $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            }
        }
        root = try parser.criteria()
    }

    /// The comparison of a field with a value.
    public init(_ field: Text, _ comparison: Comparison, _ value: Text) {
        root = .test(.field(field), .compares(comparison, Literal(value)))
    }

    private init(_ root: Node) {
        self.root = root
    }

    /// Several questions that all have to be answered with yes; none is always fulfilled.
    public static func all(_ criteria: [Criteria]) -> Criteria {
        criteria.count == 1 ? criteria[0] : Criteria(.all(criteria.map(\.root)))
    }

    /// Whether a record fulfils them.
    public func holds(for record: borrowing Record, _ context: Context = Context()) -> Bool {
        var values = RecordValues(context)
        return root.holds(for: record, &values)
    }
}

// MARK: The question itself

extension Criteria {
    /// The words that are computed, each with its meaning.
    public static var vocabulary: [(word: String, meaning: String)] {
        ComputedValue.all.map { ($0.name, $0.meaning) }
            + [(ComputedValue.elementPrefix + "Cl", "the atoms of an element, implied hydrogens included")]
    }

    /// The words that `has(...)` takes.
    public static var traits: [String] { RecordTrait.names }
}

extension Criteria {
    /// The fields that it asks for.
    public var fields: [Text] {
        var names: [Text] = []
        root.forEachTest { operand, _ in
            if let name = operand.field, !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The fields without which a comparison means nothing: others are only asked whether they are there.
    public var comparedFields: [Text] {
        var names: [Text] = []
        root.forEachTest { operand, relation in
            guard let name = operand.field, !names.contains(name), relation != .exists, relation != .isEmpty
            else { return }
            names.append(name)
        }
        return names
    }

    /// The computed values that it asks for, by their names.
    public var computedNames: [Text] {
        var names: [Text] = []
        root.forEachTest { operand, _ in
            if case .computed(let value) = operand, !names.contains(Text(value.name)) { names.append(Text(value.name)) }
        }
        return names
    }

    /// Whether the answer depends on the structure.
    package var readsStructures: Bool {
        root.contains { node in
            switch node {
            case .has: true
            case .test(.computed(let value), _): value.readsStructure
            default: false
            }
        }
    }

    /// Whether it asks for an InChI, for which there is a program of its own.
    package var needsInChI: Bool {
        root.contains { node in
            if case .test(.computed(let value), _) = node { value.needsInChI } else { false }
        }
    }

    /// Why the question has no answer on this machine: it asks for an InChI, and nothing makes one. Otherwise `nil`.
    public var problem: String? { needsInChI ? InChI.problem : nil }

    /// Whether the answer depends on the file or on the place in it.
    package var readsPlaces: Bool {
        root.contains { node in
            if case .test(.computed(let value), _) = node { value.readsPlace } else { false }
        }
    }

    /// A field without which no record fulfils them.
    package var neededField: Text? {
        func needed(_ node: Node) -> Text? {
            switch node {
            case .all(let nodes): nodes.lazy.compactMap(needed).first
            case .test(let operand, let relation): relation == .isEmpty ? nil : operand.field
            case .any, .not, .has: nil
            }
        }
        return needed(root)
    }

    /// The words that a computed value is compared with and can never be, each with the value and all that it can be.
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

    /// The values that are neither above nor below a number or day that they are compared with, as they are none.
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

extension Criteria.Node {
    /// Parsing bounds the depth.
    fileprivate func holds(for record: borrowing Record, _ values: inout RecordValues) -> Bool {
        switch self {
        case .all(let nodes):
            for node in nodes where !node.holds(for: record, &values) { return false }
            return true
        case .any(let nodes):
            for node in nodes where node.holds(for: record, &values) { return true }
            return false
        case .not(let node): return !node.holds(for: record, &values)
        case .has(let trait): return trait.isIn(values.features(of: record))
        case .test(let operand, let relation):
            if case .computed(let value) = operand {
                return relation.holds(for: values.values(of: value, record))
            }
            return relation.holds(for: values.values(of: operand, record.fields))
        }
    }

    func forEachTest(_ body: (Criteria.Operand, Criteria.Relation) -> Void) {
        _ = contains { node in
            if case .test(let operand, let relation) = node { body(operand, relation) }
            return false
        }
    }

    func contains(_ isSought: (Criteria.Node) -> Bool) -> Bool {
        if isSought(self) { return true }
        return switch self {
        case .all(let nodes), .any(let nodes): nodes.contains { $0.contains(isSought) }
        case .not(let node): node.contains(isSought)
        case .test, .has: false
        }
    }
}

extension Criteria.Relation {
    fileprivate func holds(for values: [RecordValues.Value]) -> Bool {
        switch self {
        case .exists: !values.isEmpty
        case .isEmpty: values.allSatisfy(\.isBlank)
        case .compares(.contains, let literal):
            values.contains { $0.text.string.firstRange(ofPart: literal.text.string) != nil }
        case .compares(let comparison, let literal):
            values.contains { value in literal.order(of: value, comparison).map(comparison.holds) ?? false }
        case .isOneOf(let literals):
            values.contains { value in literals.contains { $0.order(of: value, .equal) == 0 } }
        case .isBetween(let low, let high):
            values.contains { value in
                guard let above = low.order(of: value), let below = high.order(of: value) else { return false }
                return above >= 0 && below <= 0
            }
        }
    }

    fileprivate var asksForOrder: Bool {
        switch self {
        case .compares(let comparison, let literal): comparison.isOrder && literal.hasOrder
        case .isBetween: true
        case .isOneOf, .exists, .isEmpty: false
        }
    }

    /// The words that a value has to be, or not to be.
    fileprivate var wholeWords: [Criteria.Literal] {
        switch self {
        case .compares(let comparison, let literal): comparison == .equal || comparison == .notEqual ? [literal] : []
        case .isOneOf(let literals): literals
        case .isBetween, .exists, .isEmpty: []
        }
    }

    fileprivate var literals: [Criteria.Literal] {
        switch self {
        case .compares(_, let literal): [literal]
        case .isOneOf(let literals): literals
        case .isBetween(let low, let high): [low, high]
        case .exists, .isEmpty: []
        }
    }
}

extension Criteria.Comparison {
    /// Whether it asks which of two comes first.
    var isOrder: Bool {
        switch self {
        case .less, .atMost, .greater, .atLeast: true
        case .equal, .notEqual, .contains: false
        }
    }

    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .notEqual: order != 0
        case .equal: order == 0
        case .less: order < 0
        case .atMost: order <= 0
        case .greater: order > 0
        case .atLeast: order >= 0
        case .contains: false
        }
    }
}
