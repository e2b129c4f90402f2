import ChemopenBytes
import ChemopenModel

/// A type that can be written to JSON Lines, read from them, and described in the schema.
protocol JSONCoded: Sendable {
    static var shape: JSONShape { get }

    /// Whether the value is written. If it is not written, its key is omitted.
    var isSaid: Bool { get }

    func write(to json: inout JSON)

    static func read(_ json: inout JSONCursor) throws(Fault) -> Self
}

extension JSONCoded {
    var isSaid: Bool { true }
}

/// The type of a value in the schema.
indirect enum JSONShape: Sendable, Equatable {
    case text, whole, number, truth
    case word([String])
    case list(JSONShape)
    /// An object with a form, referred to by name.
    case object(String)
    case either([JSONShape])
}

extension Text: JSONCoded {
    static var shape: JSONShape { .text }

    var isSaid: Bool { !isEmpty }

    func write(to json: inout JSON) { json.string(self) }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Text { try json.text() }
}

extension Bool: JSONCoded {
    static var shape: JSONShape { .truth }

    var isSaid: Bool { self }

    func write(to json: inout JSON) { json.bool(self) }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Bool { try json.bool() }
}

extension Double: JSONCoded {
    static var shape: JSONShape { .number }

    func write(to json: inout JSON) { json.number(self) }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Double { try json.decimal() }
}

extension JSONCoded where Self: FixedWidthInteger {
    static var shape: JSONShape { .whole }

    var isSaid: Bool { self != 0 }

    func write(to json: inout JSON) { json.number(Int(truncatingIfNeeded: self)) }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Self {
        try json.read("a smaller number") { json throws(Fault) in Self(exactly: try json.integer()) }
    }
}

extension Int: JSONCoded {}
extension Int32: JSONCoded {}
extension Int16: JSONCoded {}
extension UInt16: JSONCoded {}

extension Array: JSONCoded where Element: JSONCoded {
    static var shape: JSONShape { .list(Element.shape) }

    var isSaid: Bool { !isEmpty }

    func write(to json: inout JSON) {
        json.array { json in for element in self { element.write(to: &json) } }
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> [Element] {
        var elements: [Element] = []
        try json.array { json throws(Fault) in elements.append(try Element.read(&json)) }
        return elements
    }
}

extension Optional: JSONCoded where Wrapped: JSONCoded {
    static var shape: JSONShape { Wrapped.shape }

    var isSaid: Bool { self != nil }

    func write(to json: inout JSON) {
        if let value = self { value.write(to: &json) } else { json.null() }
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Wrapped? {
        json.null() ? nil : try Wrapped.read(&json)
    }
}

/// A type with a name for each of its values.
protocol JSONWord: JSONCoded, Equatable {
    static var words: [(value: Self, word: StaticString)] { get }
}

extension JSONWord {
    static var shape: JSONShape { .word(words.map(\.word.description)) }

    func write(to json: inout JSON) {
        for (value, word) in Self.words where value == self { return json.plain(word) }
        json.null()
    }

    static func read(_ json: inout JSONCursor) throws(Fault) -> Self {
        try json.word(of: words, "one of the values in the schema")
    }
}

extension JSONCursor {
    /// Reads an integer in a range.
    mutating func integer(in range: ClosedRange<Int>) throws(Fault) -> Int {
        try read("a number in the supported range") { json throws(Fault) in
            let value = try json.integer()
            return range.contains(value) ? value : nil
        }
    }

    /// Reads one of several names and returns its value.
    mutating func word<Value>(
        of words: [(value: Value, word: StaticString)], _ expected: StaticString
    ) throws(Fault) -> Value {
        try read(expected) { json throws(Fault) in
            let text = try json.text().bytes
            return words.first { text.span.isWord($0.word) }?.value
        }
    }
}

extension Span where Element == UInt8 {
    func isWord(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && range(0..<count, begins: word)
    }
}
