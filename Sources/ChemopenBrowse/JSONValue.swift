import Chemopen

/// A JSON value, parsed as specified in RFC 8259.
///
///     let request: JSONValue = ["request": "ROOT", "count": 10]
///     print(request.text)              // {"count":10,"request":"ROOT"}
///
/// If the RFC leaves a choice, this parser is strict. It rejects unpaired surrogates, a byte order mark, numbers beyond
/// the range of `Double`, and nesting of more than 32 levels, which limits the use of the stack.
public enum JSONValue: Sendable, Hashable {
    /// The value `null`.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// The members by name. If a name is repeated, the last value is used.
    case object([String: JSONValue])

    /// Parses JSON. Returns `nil` if the bytes are not valid JSON.
    public init?(_ bytes: [UInt8]) {
        var json = JSONCursor(0..<bytes.count, of: bytes, deepest: Self.deepest)
        guard let value = try? Self.read(&json), json.isAtEnd else { return nil }
        self = value
    }

    /// The member of an object with a name.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, or `nil` for another kind of value.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The Boolean value, or `nil` for another kind of value.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, or `nil` for another kind of value.
    public var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The members, or `nil` if the value is not an object.
    public var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements, or `nil` if the value is not a list.
    public var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The value as a non-negative integer.
    public var count: Int? {
        guard case .number(let value) = self, value >= 0, value < 1e15, value == value.rounded() else { return nil }
        return Int(value)
    }
}

extension JSONValue {
    private static let deepest = 32

    private static func read(_ json: inout JSONCursor) throws(Fault) -> JSONValue {
        switch json.next {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            try json.object { json, name throws(Fault) in
                let name = try string(json.text(of: name), in: json)
                members[name] = try read(&json)
            }
            return .object(members)
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try json.array { json throws(Fault) in values.append(try read(&json)) }
            return .array(values)
        case UInt8(ascii: "\""): return .string(try string(try json.text(), in: json))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try json.bool())
        case UInt8(ascii: "n") where json.null(): return .null
        default: return .number(try json.decimal())
        }
    }

    private static func string(_ text: Text, in json: JSONCursor) throws(Fault) -> String {
        guard let string = String(validating: text.bytes, as: UTF8.self) else { throw json.fault("UTF-8") }
        return string
    }
}

extension JSONValue {
    /// The value as JSON on one line, with members sorted by name.
    public var text: String {
        var json = JSON()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSON) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .number(let value): json.number(value)
        case .string(let text): json.string(text)
        case .array(let values): json.array { json in for value in values { value.write(to: &json) } }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.key(text: Text(name))
                    value.write(to: &json)
                }
            }
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral text: String) { self = .string(text) }

    /// Creates a number.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }

    /// Creates a number.
    public init(floatLiteral number: Double) { self = .number(number) }

    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a list.
    public init(arrayLiteral values: JSONValue...) { self = .array(values) }

    /// Creates an object. If a name is repeated, the last value is used.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
