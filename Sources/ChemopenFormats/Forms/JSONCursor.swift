import ChemopenBytes
import ChemopenModel

/// A reader for JSON (RFC 8259) that reads value by value, directly from bytes.
///
/// It rejects some input that the RFC leaves to the implementation: half of a surrogate pair, which text cannot
/// represent, a byte order mark, and deep nesting, which could exhaust the stack.
package struct JSONCursor: Sendable {
    private let bytes: [UInt8]
    private let start: Int
    private let end: Int
    private var index: Int
    private var depth = 0
    private let deepest: Int
    /// The first names of unknown members that were skipped.
    private(set) var unknown: [Text] = []

    /// The default limit for the nesting of arrays and objects.
    package static let usualDepth = 128

    /// Creates a reader for a range of bytes.
    package init(_ text: Range<Int>, of bytes: [UInt8], deepest: Int = usualDepth) {
        self.bytes = bytes
        start = text.lowerBound
        end = min(text.upperBound, bytes.count)
        index = start
        self.deepest = deepest
    }

    /// The next byte after blanks, or 0 at the end.
    package var next: UInt8 {
        mutating get {
            while index < end, bytes[index] <= 0x20, Self.isBlank(bytes[index]) { index += 1 }
            return index < end ? bytes[index] : 0
        }
    }

    /// The index of the next byte after blanks.
    var nextPlace: Int {
        mutating get {
            _ = next
            return index
        }
    }

    /// The index after the last value, before the blanks that follow it.
    var place: Int { index }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Whether no bytes except blanks follow the last value.
    package var isAtEnd: Bool {
        mutating get { next == 0 && index == end }
    }

    /// Returns a fault for unexpected content at the current index or an earlier one.
    package func fault(_ expected: StaticString, at place: Int? = nil) -> Fault {
        let column = min(place ?? index, end) - start
        return Fault(line: 0, column..<max(column + 1, min(column + 20, end - start)), expected: expected)
    }

    /// Reads a value with a function that returns `nil` if the value is not as expected. The fault then covers the
    /// value.
    package mutating func read<Value>(
        _ expected: StaticString, _ value: (inout JSONCursor) throws(Fault) -> Value?
    ) throws(Fault) -> Value {
        let beginning = nextPlace
        if let value = try value(&self) { return value }
        throw fault(expected, at: beginning)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte, index < end else { return false }
        index += 1
        return true
    }
}

// MARK: Arrays and objects

extension JSONCursor {
    /// Reads an object.
    ///
    /// - Parameter member: accepts the name of a member and must read the complete value.
    package mutating func object(
        _ member: (inout JSONCursor, JSONName) throws(Fault) -> Void
    ) throws(Fault) {
        try enter(UInt8(ascii: "{"), "a JSON object")
        defer { depth -= 1 }
        if take(UInt8(ascii: "}")) { return }
        repeat {
            let name = try name()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon after a name") }
            try member(&self, name)
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("a comma or the end of an object") }
    }

    /// Reads an array value by value.
    package mutating func array(_ element: (inout JSONCursor) throws(Fault) -> Void) throws(Fault) {
        try enter(UInt8(ascii: "["), "a JSON array")
        defer { depth -= 1 }
        if take(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a comma or the end of an array") }
    }

    private mutating func enter(_ bracket: UInt8, _ expected: StaticString) throws(Fault) {
        guard next == bracket else { throw fault(expected) }
        guard depth < deepest else { throw fault("arrays and objects with fewer levels") }
        index += 1
        depth += 1
    }

    /// Skips the value of an unknown member and records its name.
    mutating func pass(unknown name: JSONName) throws(Fault) {
        let name = text(of: name)
        if unknown.count < 10, !unknown.contains(name) { unknown.append(name) }
        try skip()
    }

    /// Skips a value of any type.
    package mutating func skip() throws(Fault) {
        switch next {
        case UInt8(ascii: "{"): try object { json, _ throws(Fault) in try json.skip() }
        case UInt8(ascii: "["): try array { json throws(Fault) in try json.skip() }
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): if !null() { throw fault("a JSON value") }
        default: _ = try number()
        }
    }
}

extension JSONCursor {
    /// Whether the object at this index has a member with one of these names. Moves past the object.
    mutating func hasMember(_ names: StaticString...) throws(Fault) -> Bool {
        var isThere = false
        try object { json, name throws(Fault) in
            isThere = isThere || names.contains { json.isName(name, $0) }
            try json.skip()
        }
        return isThere
    }

    /// Returns the text between this cursor and another one.
    func text(upTo other: JSONCursor) -> Text { Text(bytes: bytes[index..<max(index, other.index)]) }
}

// MARK: Literals and numbers

extension JSONCursor {
    package mutating func null() -> Bool { word("null") }

    package mutating func bool() throws(Fault) -> Bool {
        if word("true") { return true }
        if word("false") { return false }
        throw fault("true or false")
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard next != 0, bytes.span.range(index..<end, begins: word) else { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    /// Moves past a number and returns its text.
    package mutating func number() throws(Fault) -> [UInt8] {
        let text = try numberRange()
        return Array(bytes[text])
    }

    private mutating func numberRange() throws(Fault) -> Range<Int> {
        _ = next
        let start = index
        index = Self.endOfNumber(bytes.span, start..<end)
        guard index > start else { throw fault("a JSON number") }
        return start..<index
    }

    package mutating func integer() throws(Fault) -> Int {
        try read("an integer") { json throws(Fault) in
            let range = try json.numberRange()
            return Numeral.whole(json.bytes.span, range)
        }
    }

    package mutating func decimal() throws(Fault) -> Double {
        try read("a number in the range of a double") { json throws(Fault) in
            let range = try json.numberRange()
            let value = Numeral.decimal(json.bytes.span, range)
            return value?.isFinite == true ? value : nil
        }
    }

    /// Returns the index after the number at the start of a range, or the start of the range if it is not a number.
    package static func endOfNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var at = range.lowerBound
        func take(_ isMeant: (UInt8) -> Bool) -> Bool {
            guard at < range.upperBound, isMeant(bytes[at]) else { return false }
            at += 1
            return true
        }
        func takeDigits() -> Bool {
            let first = at
            while take(Ascii.isDigit) {}
            return at > first
        }
        _ = take { $0 == Ascii.minus }
        // No other digit may follow a leading zero.
        guard take({ $0 == Ascii.zero }) || takeDigits() else { return range.lowerBound }
        if take({ $0 == Ascii.point }), !takeDigits() { return range.lowerBound }
        if take({ $0 | 0x20 == UInt8(ascii: "e") }) {
            _ = take { $0 == Ascii.minus || $0 == Ascii.plus }
            if !takeDigits() { return range.lowerBound }
        }
        return at
    }
}

// MARK: Texts

/// The name of a member: its range in the text, or its decoded bytes if it contains escapes.
package struct JSONName {
    fileprivate let range: Range<Int>
    fileprivate let unescaped: [UInt8]?
}

extension JSONCursor {
    private mutating func name() throws(Fault) -> JSONName {
        guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes") }
        let first = index + 1
        var at = first
        while at < end, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"), bytes[at] >= 0x20 { at += 1 }
        if at < end, bytes[at] == UInt8(ascii: "\"") {
            index = at + 1
            return JSONName(range: first..<at, unescaped: nil)
        }
        return JSONName(range: first..<first, unescaped: try text().bytes)
    }

    /// Whether a member has a certain name, which must be ASCII.
    @inline(__always)
    package func isName(_ name: JSONName, _ word: StaticString) -> Bool {
        if let letters = name.unescaped { return letters == Array(word.description.utf8) }
        return name.range.count == word.utf8CodeUnitCount && bytes.span.range(name.range, begins: word)
    }

    package func text(of name: JSONName) -> Text {
        name.unescaped.map { Text(bytes: $0) } ?? Text(bytes: bytes[name.range])
    }

    package mutating func text() throws(Fault) -> Text {
        guard next == UInt8(ascii: "\"") else { throw fault("a text in quotes") }
        index += 1
        var text: [UInt8] = []
        while index < end {
            let first = index
            while index < end, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"),
                bytes[index] >= 0x20
            {
                index += 1
            }
            text += bytes[first..<index]
            guard index < end, bytes[index] >= 0x20 else { break }
            index += 1
            if bytes[index - 1] == UInt8(ascii: "\"") { return Text(bytes: text) }
            try escape(&text)
        }
        throw fault("the closing quote of a text without control characters")
    }

    private mutating func escape(_ text: inout [UInt8]) throws(Fault) {
        let letter = index < end ? bytes[index] : 0
        index += 1
        switch letter {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "u"):
            var code = try hex()
            if 0xD800..<0xDC00 ~= code, index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            {
                index += 2
                let low = try hex()
                guard 0xDC00..<0xE000 ~= low else { throw fault("both halves of a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault("both halves of a surrogate pair") }
            text += Array(String(scalar).utf8)
        default:
            index -= 1
            throw fault("a valid escape after the backslash")
        }
    }

    private mutating func hex() throws(Fault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let letter = index < end ? Ascii.lower(bytes[index]) : 0
            switch letter {
            case 0x30...0x39: code = code << 4 | UInt32(letter - 0x30)
            case 0x61...0x66: code = code << 4 | UInt32(letter - 0x61 + 10)
            default: throw fault("four hexadecimal digits")
            }
            index += 1
        }
        return code
    }
}
