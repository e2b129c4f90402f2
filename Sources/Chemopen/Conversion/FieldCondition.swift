/// A condition on a record's data fields: `FIELD > 5`.
///
///     let condition = try FieldCondition("\"Mol Weight\" <= 500")
///     condition.holds(for: record)
///
/// Numbers compare as numbers, everything else as text. A field with several values fulfils the condition with any of
/// them; a record without the field does not fulfil it, whatever is asked.
public struct FieldCondition: Sendable, Hashable {
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        case notEqual = "!="
        case atMost = "<="
        case atLeast = ">="
        case equal = "="
        case less = "<"
        case greater = ">"
        case contains = "~"
    }

    public let field: Text
    public let comparison: Comparison
    public let value: Text
    private let number: Double?

    public init(_ field: Text, _ comparison: Comparison, _ value: Text) {
        self.field = field
        self.comparison = comparison
        self.value = value
        number = Self.number(value.bytes)
    }

    /// Why a text is no condition.
    public struct SyntaxError: Error, Sendable {
        public let message: String
        /// The text, and the part of it that is not understood.
        public let text: String
        public let part: Range<String.Index>
    }

    /// Reads a condition: a field's name, in quotes where it holds one of `! < > = ~`, a comparison, a value.
    ///
    /// Nothing is guessed: what has an order compares with a number, and a text that may be a second condition stands in
    /// quotes.
    public init(_ text: String) throws(SyntaxError) {
        var parser = ConditionParser(text)
        self = try parser.condition()
    }

    /// Reads a condition whose field or value is in another encoding, as a file may be: their bytes are kept.
    public init(_ text: Text) throws(SyntaxError) {
        guard !text.isUTF8 else {
            try self.init(text.string)
            return
        }
        // The parser sees a character for each byte, and each is turned back into its byte.
        let characters = text.bytes.map { Unicode.Scalar($0) }
        var string = String.UnicodeScalarView()
        string.append(contentsOf: characters)
        let condition = try FieldCondition(String(string))
        let bytes: (Text) -> [UInt8] = { $0.string.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
        self.init(Text(bytes: bytes(condition.field)), condition.comparison, Text(bytes: bytes(condition.value)))
    }

    public func holds(for record: borrowing Record) -> Bool {
        for field in record.fields where field.name == self.field {
            if holds(for: field.value) { return true }
        }
        return false
    }

    /// A value of the field that is neither above nor below the number that the condition asks for, as it is none.
    func valueWithoutOrder(in record: borrowing Record) -> Text? {
        guard number != nil, comparison.isOrder else { return nil }
        for field in record.fields where field.name == self.field && field.value.bytes.contains(where: { $0 > 0x20 }) {
            if Self.number(field.value.bytes) == nil { return field.value }
        }
        return nil
    }

    private func holds(for text: Text) -> Bool {
        if comparison == .contains { return text.string.contains(value.string) }
        if let number, let other = Self.number(text.bytes) {
            return comparison.holds(other < number ? -1 : other > number ? 1 : 0)
        }
        // A text is neither above nor below a number.
        if number != nil, comparison != .equal, comparison != .notEqual { return false }
        let text = text.string
        let value = value.string
        return comparison.holds(text < value ? -1 : text > value ? 1 : 0)
    }

    private static func number(_ bytes: [UInt8]) -> Double? {
        let span = bytes.span
        return Numeral.decimal(span, span.trimmed(0..<bytes.count))
    }
}

extension FieldCondition.Comparison {
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

/// Reads a condition from left to right.
private struct ConditionParser {
    private let text: String
    private var rest: Substring

    init(_ text: String) {
        self.text = text
        rest = text[...]
    }

    mutating func condition() throws(FieldCondition.SyntaxError) -> FieldCondition {
        let field = try name()
        let comparison = try comparison()
        let value = try value(of: comparison)
        return FieldCondition(Text(field), comparison, Text(value))
    }

    private func error(_ message: String, _ part: Substring) -> FieldCondition.SyntaxError {
        FieldCondition.SyntaxError(message: message, text: text, part: part.startIndex..<part.endIndex)
    }

    private mutating func name() throws(FieldCondition.SyntaxError) -> String {
        rest = rest.trimmed
        if let quoted = try quoted() { return quoted }
        let end = rest.firstIndex { "!<>=~".contains($0) } ?? rest.endIndex
        let name = rest[..<end].trimmed
        if name.isEmpty { throw error("expected the name of a field" + found(rest), rest) }
        rest = rest[end...]
        return String(name)
    }

    private mutating func comparison() throws(FieldCondition.SyntaxError) -> FieldCondition.Comparison {
        rest = rest.trimmed
        let known = FieldCondition.Comparison.allCases
        guard let found = known.first(where: { rest.hasPrefix($0.rawValue) }) else {
            let message = "expected one of = != < <= > >= ~ behind the name of a field"
            throw error(message + self.found(rest), rest)
        }
        let start = rest
        rest = rest.dropFirst(found.rawValue.count)
        if found == .equal, rest.hasPrefix("=") { rest = rest.dropFirst() }
        if let sign = rest.first, "!<>=~".contains(sign) {
            let signs = start.prefix { "!<>=~".contains($0) }
            throw error("there is no comparison \(signs); a text that begins so stands in quotes", signs)
        }
        return found
    }

    private mutating func value(of comparison: FieldCondition.Comparison) throws(FieldCondition.SyntaxError) -> String {
        rest = rest.trimmed
        let start = rest
        if let quoted = try quoted() {
            rest = rest.trimmed
            if !rest.isEmpty { throw error("expected nothing behind the value in quotes\(found(rest))", rest) }
            if comparison.isOrder, !quoted.isNumber {
                throw error("expected a number behind \(comparison.rawValue)\(found(start))", start)
            }
            return quoted
        }
        if comparison.isOrder {
            let word = rest.prefix { $0 != " " && $0 != "\t" }
            guard word.isNumber else {
                throw error("expected a number behind \(comparison.rawValue)\(found(rest))", rest)
            }
            let behind = rest[word.endIndex...].trimmed
            if !behind.isEmpty { throw error("expected nothing behind the number\(found(behind))" + hint, behind) }
            return String(word)
        }
        if let second = secondCondition() {
            throw error(
                "expected no second comparison\(found(second))\(hint), and such a text stands in quotes", second)
        }
        return String(rest)
    }

    private var hint: String { "; a condition is one comparison" }

    /// An `and` or `or` behind which a comparison stands, with all that follows.
    private func secondCondition() -> Substring? {
        var words = rest
        while let blank = words.firstIndex(where: { $0 == " " || $0 == "\t" }) {
            words = words[blank...].trimmed
            let word = words.prefix { $0 != " " && $0 != "\t" }
            let behind = words[word.endIndex...]
            if ["and", "or", "&&", "||", "&", "|"].contains(word.lowercased()),
                behind.contains(where: { "<>=~".contains($0) })
            {
                return words
            }
        }
        return nil
    }

    /// The text in quotes at the beginning; `nil` where there is no quote.
    private mutating func quoted() throws(FieldCondition.SyntaxError) -> String? {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        guard let end = rest.dropFirst().firstIndex(of: quote) else {
            throw error("expected a second \(quote)", rest)
        }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[rest.index(after: rest.startIndex)..<end])
    }

    private func found(_ part: Substring) -> String {
        part.isEmpty ? ", found nothing" : ", found \(part)"
    }
}

extension FieldCondition.Comparison {
    /// Whether it asks which of two comes first.
    fileprivate var isOrder: Bool {
        switch self {
        case .less, .atMost, .greater, .atLeast: true
        case .equal, .notEqual, .contains: false
        }
    }
}

extension StringProtocol {
    fileprivate var isNumber: Bool {
        let bytes = Array(utf8)
        return Numeral.decimal(bytes.span, bytes.span.trimmed(0..<bytes.count)) != nil
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
