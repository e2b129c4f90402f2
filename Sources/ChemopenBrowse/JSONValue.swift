import Chemopen

/// A JSON value, parsed as specified in RFC 8259.
///
/// If the RFC leaves a choice, this parser is strict. It rejects unpaired surrogates, a byte order mark, numbers beyond
/// the range of `Double`, and nesting of more than 32 levels, which limits the use of the stack.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The members by name. If a name is repeated, the last value is used.
    case object([String: JSONValue])

    /// Parses JSON. Returns `nil` if the bytes are not valid JSON.
    init?(_ bytes: [UInt8]) {
        var json = JSONCursor(0..<bytes.count, of: bytes, deepest: Self.deepest)
        guard let value = try? Self.read(&json), json.isAtEnd else { return nil }
        self = value
    }

    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The value as a non-negative integer.
    var count: Int? {
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
