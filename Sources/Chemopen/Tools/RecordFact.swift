/// A value of a record: a data field, or a value that is computed from its structure.
///
///     RecordFact("CAS")           // a field
///     RecordFact("mass")          // computed, as in conditions
///     RecordFact("elements.Cl")   // computed
public struct RecordFact: Sendable, Hashable {
    /// The name.
    public let name: Text
    private let operand: Operand

    private enum Operand: Sendable, Hashable {
        case computed(ComputedValue)
        case field(Text)
    }

    /// Creates a value by its name. If a computed value and a field have the same name, the name refers to the computed
    /// value.
    public init(_ name: Text) {
        self.name = name
        let text = name.string
        let prefix = ComputedValue.elementPrefix
        if let value = ComputedValue(text) {
            operand = .computed(value)
        } else if text.hasPrefix(prefix), let element = ChemicalElement(symbol: String(text.dropFirst(prefix.count))) {
            operand = .computed(.element(element))
        } else {
            operand = .field(name)
        }
    }

    /// Creates the value of a field, even if a computed value has the same name.
    public init(field name: Text) {
        self.name = name
        operand = .field(name)
    }

    /// Whether the value is computed.
    public var isComputed: Bool { if case .computed = operand { true } else { false } }

    /// Whether the value is computed and a number.
    public var isNumber: Bool { if case .computed(let value) = operand { value.isNumber } else { false } }

    /// The reason why the value cannot be computed on this machine, or `nil` if it can.
    public var problem: String? {
        if case .computed(let value) = operand, value.needsInChI { InChI.problem } else { nil }
    }

    /// Whether the value depends on the structure.
    package var readsStructure: Bool {
        // A title can be read even if structures are skipped.
        if case .computed(let value) = operand { value.readsStructure && value != .title } else { false }
    }

    /// Returns the number of the record in its first value, or `nil` if there is none.
    func number(in record: borrowing Record, _ context: RecordFilter.Context) -> Double? {
        switch operand {
        case .field(let name):
            let fields = record.fields
            guard let range = Self.range(of: name, fields) else { return nil }
            let bytes = fields.bytes.span
            return Numeral.decimal(bytes, bytes.trimmed(range))
        case .computed(let value):
            var values = RecordValues(context)
            return values.values(of: value, record).first?.number
        }
    }

    /// Returns the first value as text, or `nil` if the record has no value or a blank one.
    func text(in record: borrowing Record, _ context: RecordFilter.Context) -> [UInt8]? {
        switch operand {
        case .field(let name):
            let fields = record.fields
            guard let range = Self.range(of: name, fields) else { return nil }
            return Array(fields.bytes[range])
        case .computed(let value):
            var values = RecordValues(context)
            let all = values.values(of: value, record)
            // A reaction may have a value for each component.
            let texts = all.map { value in value.number.map(Self.text) ?? value.text.bytes }
            if texts.isEmpty || texts.allSatisfy({ $0.allSatisfy { $0 <= Ascii.blank } }) { return nil }
            return Array(texts.joined(separator: [Ascii.lineFeed]))
        }
    }

    private static func text(_ number: Double) -> [UInt8] {
        Array(FieldSummary.Value.number(number).text.utf8)
    }

    /// Returns the range of the first value of a field, unless it is blank.
    private static func range(of name: Text, _ fields: Fields) -> Range<Int>? {
        guard let column = fields.columns.firstIndex(where: { $0.name == name }) else { return nil }
        for entry in fields.entries {
            let place = Int(entry.column)
            if place != column, fields.columns[place].name != name { continue }
            let range = entry.valueRange
            return fields.bytes.span.trimmed(range).isEmpty ? nil : range
        }
        return nil
    }
}

extension RecordFact: CustomStringConvertible {
    /// The name.
    public var description: String { name.string }
}

/// A key to sort records by.
public struct RecordOrder: Sendable, Hashable {
    /// The value to compare.
    public let fact: RecordFact
    /// Whether values are compared as numbers. Values that are not numbers follow the numbers.
    public let isNumeric: Bool
    /// Whether large values come first. Records without a value are last in any case.
    public let isDescending: Bool

    /// Creates a key. Computed numbers are always compared as numbers, and texts by their bytes.
    public init(_ fact: RecordFact, isNumeric: Bool = false, isDescending: Bool = false) {
        self.fact = fact
        self.isNumeric = isNumeric || fact.isNumber
        self.isDescending = isDescending
    }

    /// Creates a key by the name of its value.
    public init(_ name: Text, isNumeric: Bool = false, isDescending: Bool = false) {
        self.init(RecordFact(name), isNumeric: isNumeric, isDescending: isDescending)
    }
}
