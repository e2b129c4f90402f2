import Chemopen

/// A value of JSON, read as RFC 8259 has it.
///
/// Where the RFC leaves a reader the choice, this one refuses: half of a surrogate pair, which no text can hold, a byte
/// order mark, a number beyond a `Double`, and arrays and objects more than 32 deep, by which the stack is bounded.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// In the order of the text; of a name that comes twice the last counts.
    case object([String: JSONValue])

    /// Nothing for bytes that are no JSON.
    init?(_ bytes: [UInt8]) {
        var parser = JSONParser(bytes)
        guard let value = parser.document() else { return nil }
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

    /// A whole number that is not negative.
    var count: Int? {
        guard case .number(let value) = self, value >= 0, value < 1e15, value == value.rounded() else { return nil }
        return Int(value)
    }
}

private struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private static let deepest = 32

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipBlanks()
        return index == bytes.count ? value : nil
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    /// Takes a byte that may stand behind blanks.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        return takeHere(byte)
    }

    private mutating func takeHere(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipBlanks()
        guard depth < Self.deepest, let first = next else { return nil }
        switch first {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard bytes[index...].starts(with: word.utf8) else { return nil }
        index += word.utf8.count
        return value
    }

    private mutating func number() -> JSONValue? {
        let start = index
        _ = takeHere(UInt8(ascii: "-"))
        // Behind a first zero comes no other digit.
        guard takeHere(UInt8(ascii: "0")) || takeDigits() else { return nil }
        if takeHere(UInt8(ascii: ".")) {
            guard takeDigits() else { return nil }
        }
        if takeHere(UInt8(ascii: "e")) || takeHere(UInt8(ascii: "E")) {
            _ = takeHere(UInt8(ascii: "+")) || takeHere(UInt8(ascii: "-"))
            guard takeDigits() else { return nil }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }

    private mutating func takeDigits() -> Bool {
        let start = index
        while let byte = next, Ascii.isDigit(byte) { index += 1 }
        return index > start
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
        index += 1
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(values) }
        while let value = value(depth: depth + 1) {
            values.append(value)
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
        return nil
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        index += 1
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipBlanks()
            guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members[name] = value
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    // MARK: Strings

    private mutating func string() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard escape(&text) else { return nil }
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(_ text: inout [UInt8]) -> Bool {
        guard let letter = next else { return false }
        index += 1
        switch letter {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "u"):
            guard let unit = hex() else { return false }
            var code = UInt32(unit)
            if 0xD800..<0xDC00 ~= unit {
                guard takeHere(UInt8(ascii: "\\")), takeHere(UInt8(ascii: "u")), let low = hex(),
                    0xDC00..<0xE000 ~= low
                else { return false }
                code = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { return false }
            text += Array(String(scalar).utf8)
        default: return false
        }
        return true
    }

    private mutating func hex() -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        let text = String(decoding: bytes[index..<index + 4], as: UTF8.self)
        guard text.utf8.allSatisfy({ Ascii.isDigit($0) || Ascii.isLetter($0) }) else { return nil }
        index += 4
        return UInt16(text, radix: 16)
    }
}
