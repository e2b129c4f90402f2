import ChemopenBytes
import ChemopenModel

/// Writes JSON values directly as bytes, one object or array per line.
///
///     var json = JSON()
///     json.object {
///         $0.field("atoms", 6)
///     }
///     json.endLine()                   // {"atoms":6}
package struct JSON: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Removes all bytes but reserves the memory for new ones.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Structure

    package mutating func object(_ body: (inout JSON) -> Void) {
        begin(UInt8(ascii: "{"))
        body(&self)
        end(UInt8(ascii: "}"))
    }

    package mutating func array(_ body: (inout JSON) -> Void) {
        begin(UInt8(ascii: "["))
        body(&self)
        end(UInt8(ascii: "]"))
    }

    /// Writes an array with an object for each value.
    package mutating func objects<Values: Sequence>(
        _ name: StaticString, of values: Values, _ body: (inout JSON, Values.Element) -> Void
    ) {
        key(name)
        array { json in for value in values { json.object { body(&$0, value) } } }
    }

    /// Writes the name of the next value.
    package mutating func key(text name: Text) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append("\":")
        needsComma = false
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Values

    package mutating func null() {
        separate()
        bytes.append("null")
    }

    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(value ? "true" : "false")
    }

    package mutating func number(_ value: Int) {
        separate()
        bytes.appendDecimal(value)
    }

    /// Writes a number, or null if JSON cannot represent it.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.appendShortest(value)
    }

    /// Writes a text without characters that must be escaped.
    package mutating func plain(_ word: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(word)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is already encoded.
    package mutating func value(written bytes: [UInt8]) {
        separate()
        self.bytes += bytes
    }

    /// Writes a number as text that is valid in JSON.
    package mutating func number(spelled text: ArraySlice<UInt8>) {
        separate()
        bytes += text
    }

    package mutating func string(_ text: Text) {
        if text.bytes.contains(where: { $0 >= 0x80 }) {
            string(text.string)
        } else {
            quote(text.bytes)
        }
    }

    package mutating func string(_ text: String) {
        quote(Array(text.utf8))
    }

    private mutating func quote(_ text: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var last: UInt8 = 0
        // Characters that need no escape are appended together.
        let isPlain: (UInt8) -> Bool = {
            0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        var rest = text[...]
        let span = text.span
        while !rest.isEmpty {
            var end = rest.startIndex
            while end < span.count, isPlain(span[end]) { end += 1 }
            if end > rest.startIndex {
                bytes += rest[..<end]
                last = UInt8(ascii: " ")
                rest = rest[end...]
            }
            guard let byte = rest.popFirst() else { break }
            switch byte {
            case UInt8(ascii: "\""): bytes.append("\\\"")
            case UInt8(ascii: "\\"): bytes.append("\\\\")
            case UInt8(ascii: "\n"): bytes.append("\\n")
            case UInt8(ascii: "\r"): bytes.append("\\r")
            case UInt8(ascii: "\t"): bytes.append("\\t")
            case 0..<0x20, 0x7F: escape(byte)
            case 0x80...0x9F where last == 0xC2:
                // C1 control characters could control a terminal.
                bytes.removeLast()
                escape(byte)
            default: bytes.append(byte)
            }
            last = byte
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ code: UInt8) {
        bytes.append("\\u")
        bytes.appendHex(UInt64(code), width: 4)
    }
}

extension JSON {
    package mutating func field(_ name: StaticString, _ value: Int) {
        key(name)
        number(value)
    }

    package mutating func field(_ name: StaticString, _ value: Double) {
        key(name)
        number(value)
    }

    package mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func field(_ name: StaticString, _ value: Text) {
        key(name)
        string(value)
    }

    package mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a path in the form of `LocalPath.shown`.
    package mutating func field(_ name: StaticString, _ path: LocalPath) {
        key(name)
        string(path.shown)
    }

    package mutating func field(_ name: StaticString, _ values: [String]) {
        field(name, values) { json, value in json.string(value) }
    }

    package mutating func field(_ name: StaticString, _ values: [Int]) {
        field(name, values) { json, value in json.number(value) }
    }

    private mutating func field<Value>(
        _ name: StaticString, _ values: [Value], _ write: (inout JSON, Value) -> Void
    ) {
        key(name)
        array { json in
            for value in values { write(&json, value) }
        }
    }
}
