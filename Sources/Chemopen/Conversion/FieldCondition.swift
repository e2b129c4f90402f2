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
    }

    /// Reads a condition: a field's name, in quotes where it holds one of `! < > = ~`, a comparison, a value.
    public init(_ text: String) throws(SyntaxError) {
        var rest = text[...].trimmed
        let quoted = try Self.takeQuoted(&rest)
        let end = quoted == nil ? rest.firstIndex { "!<>=~".contains($0) } ?? rest.endIndex : rest.startIndex
        let field = quoted ?? String(rest[..<end].trimmed)
        rest = rest[end...].trimmed
        let found = Comparison.allCases.first { rest.hasPrefix($0.rawValue) }
        guard !field.isEmpty, let found else {
            throw SyntaxError(message: "expected FIELD, one of != < <= > >= = ~, and a value; found \"\(text)\"")
        }
        rest = rest.dropFirst(found.rawValue.count)
        if found == .equal, rest.hasPrefix("=") { rest = rest.dropFirst() }
        rest = rest.trimmed
        let value = try Self.takeQuoted(&rest)
        if value != nil, !rest.trimmed.isEmpty {
            throw SyntaxError(message: "expected nothing behind the value in quotes, found \"\(rest.trimmed)\"")
        }
        self.init(Text(field), found, Text(value ?? String(rest)))
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

    /// What stands in quotes at the beginning; `nil` where there is no quote.
    private static func takeQuoted(_ rest: inout Substring) throws(SyntaxError) -> String? {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        guard let end = rest.dropFirst().firstIndex(of: quote) else {
            throw SyntaxError(message: "expected a second \(quote) in \(rest)")
        }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[rest.index(after: rest.startIndex)..<end])
    }

    public func holds(for record: borrowing Record) -> Bool {
        for field in record.fields where field.name == self.field {
            if holds(for: field.value) { return true }
        }
        return false
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
        return parseDouble(span, span.trimmed(0..<bytes.count))
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

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
