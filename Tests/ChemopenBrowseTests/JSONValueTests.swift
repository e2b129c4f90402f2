import Chemopen
import Testing

@testable import ChemopenBrowse

private func read(_ text: String) -> JSONValue? {
    JSONValue(Array(text.utf8))
}

private let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)

@Suite("JSON reader")
struct JSONValueTests {
    @Test(
        "reads JSON according to RFC 8259",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("\t\r\n\"\" \n", .string("")),
            ("0", .number(0)), ("-0", .number(0)), ("-1", .number(-1)), ("10", .number(10)), ("0.5", .number(0.5)),
            ("-0.25e1", .number(-2.5)), ("1E2", .number(100)), ("1e+2", .number(100)), ("5e-1", .number(0.5)),
            ("1e002", .number(100)), ("0e1", .number(0)), ("0.00", .number(0)), ("1e-400", .number(0)),
            ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", .string("\"\\/\u{8}\u{C}\n\r\t")),
            ("\"é😀\u{7F}\u{2028}\"", .string("é😀\u{7F}\u{2028}")),
            ("\"\\u0041\\u00e9\\u20AC\\u0000\\uFFFF\"", .string("Aé€\0\u{FFFF}")), ("\"\\uD83D\\uDE00\"", .string("😀")),
            ("\"\\uDBFF\\uDFFF\"", .string("\u{10FFFF}")), ("\"\\\\u0041\"", .string("\\u0041")),
            ("\"//*#\"", .string("//*#")),
            ("[]", .array([])), ("[ ]", .array([])), ("[1 ,\n2]", .array([.number(1), .number(2)])),
            ("[[],{}]", .array([.array([]), .object([:])])), ("{}", .object([:])),
            ("{\"a\":1,\"b\" : [true]}", .object(["a": .number(1), "b": .array([.bool(true)])])),
            ("{\"\":0}", .object(["": .number(0)])), ("{\"a\":1,\"a\":2}", .object(["a": .number(2)])),
            ("{\"\\u0061\":1}", .object(["a": .number(1)])),
        ] as [(String, JSONValue)])
    func reads(_ text: String, _ value: JSONValue) {
        #expect(read(text) == value)
    }

    @Test(
        "rejects text that is not JSON",
        arguments: [
            "", " ", "\u{FEFF}{}", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "a", "'a'", "é",
            "*",
            "+1", "+01", "01", "-01", "00", "1.", "-1.", ".5", "-.5", "-", "--1", "+-1", "1e", "1e+", "1E-", "1e1.5",
            "1.e1",
            "1.5.5", "0x1", "1a", "1 000", "1_000", "1e400", "-1e400", "1\u{660}", "\u{FF11}", "- 1", "1 .5", "0e",
            "inf",
            "\"", "\"a", "a\"", "\"\\\"", "\"\\", "\"\\a\"", "\"\\x41\"", "\"\\U0041\"", "\"\\\u{0}\"", "\"\\é\"",
            "\"\\'\"",
            "\"a\nb\"", "\"a\tb\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\u\"", "\"\\u004\"", "\"\\u00G1\"", "\"\\u+041\"",
            "\"\\u 041\"", "\"\\uD83D\"", "\"\\uDE00\"", "\"\\uDE00\\uD83D\"", "\"\\uD83D\\uD83D\"", "\"\\uD83Dx\"",
            "\"\\uD83D\\n\"", "\"\\uD83D \\uDE00\"", "\"\\uD83D\\ uDE00\"", "\"\\uD83D\n\\uDE00\"", "\"\\uD83D\\u\"",
            "\"\\uD83D\\u0041\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[,]", "[1 2]", "[1;2]", "[1:2]",
            "[\"a\"",
            "[1]]", "[1}", "[a]", "[\u{A0}]", "\u{B}[]", "[\u{C}]", "[]\u{0}", "[]\u{2060}", "[/* */]", "[] // a",
            "[]#",
            "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}",
            "{\"a\":1,,\"b\":2}",
            "{\"a\" 1}", "{\"a\",1}", "{\"a\"::1}", "{\"a\":}", "{:1}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}",
            "{\"a\":1]",
            "{\"a\":1}}", "{\"a\":1 \"b\":2}", "{\"a\":1}x", "{}{}", "[][]", "1 2", "\"a\" \"b\"", "<null>", "[1]x",
        ])
    func refuses(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test("rejects invalid UTF-8 inside and outside strings")
    func noUTF8() {
        for bad: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE9]] {
            #expect(JSONValue([0x22] + bad + [0x22]) == nil)
            #expect(JSONValue(bad) == nil)
        }
        #expect(JSONValue([0xFF, 0xFE, 0x5B, 0, 0x5D, 0]) == nil)
        #expect(JSONValue([0x5B, 0, 0x5D, 0]) == nil)
    }

    @Test("reads arrays and objects up to 32 levels deep, and rejects deeper input early")
    func depth() {
        #expect(read(deepest) != nil)
        #expect(read("[" + deepest + "]") == nil)
        #expect(read(String(repeating: "{\"a\":", count: 33) + "1" + String(repeating: "}", count: 33)) == nil)
        #expect(read(String(repeating: "{\"a\":", count: 31) + "1" + String(repeating: "}", count: 31)) != nil)
        #expect(read(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(read(String(repeating: "[{\"a\":", count: 500_000)) == nil)
    }

    @Test("rejects JSON truncated at any byte")
    func cut() {
        let text = Array(#"{"a":[1.5e3,-2,true,null,"x\u0041\uD83D\uDE00é"],"b":{"c":false}}"#.utf8)
        #expect(JSONValue(text) != nil)
        for length in 0..<text.count { #expect(JSONValue(Array(text[..<length])) == nil) }
    }

    @Test("strings, numbers and names survive writing and reading, for any character")
    func written() {
        for code in Array(0...0x2FF) + [0x2028, 0xFFFE, 0xFFFF, 0x1F600, 0x10FFFF] as [UInt32] {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let text = "a\(Character(scalar))b"
            var json = JSON()
            json.object {
                $0.key(text: Text(text))
                $0.string(text)
            }
            #expect(JSONValue(json.bytes) == .object([text: .string(text)]))
        }
        for number in [
            0, -0.0, 1, -1.5, 0.1, 1e21, 1e-7, 123_456_789.125, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ] {
            var json = JSON()
            json.array { $0.number(number) }
            #expect(JSONValue(json.bytes) == .array([.number(number)]))
        }
    }
}
