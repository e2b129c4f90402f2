import TestFolders
import Testing

@testable import ChemopenBytes

@Suite("Text in another encoding")
struct TextDecoderTests {
    /// `グルコース 表` in Shift_JIS; the second byte of 表 is a backslash.
    private let sugar: [UInt8] = [0x83, 0x4F, 0x83, 0x8B, 0x83, 0x52, 0x81, 0x5B, 0x83, 0x58, 0x20, 0x95, 0x5C]

    private func text(_ source: consuming ByteSource) throws -> String {
        String(decoding: try source.allBytes(), as: UTF8.self)
    }

    @Test("is converted to UTF-8 in memory, in blocks of any size, after lookahead and when compressed")
    func converted() throws {
        let encoding = try #require(CharacterEncoding("shift_jis"))
        let lines = Array(repeating: sugar + [0x5C, 0x0A], count: 5000).flatMap(\.self)
        let expected = String(repeating: "グルコース 表\\\n", count: 5000)
        #expect(try text(ByteSource(lines).decoded(from: encoding)) == expected)
        for size in [1, 7, 4096] {
            #expect(try text(ByteSource(inBlocksOf: size, lines).decoded(from: encoding)) == expected)
        }
        var seen = try ByteSource(inBlocksOf: 5000, lines)
        _ = try seen.fill()
        seen.consume(to: 2 * (sugar.count + 2))
        #expect(try text(seen.decoded(from: encoding)) == String(expected.dropFirst(2 * "グルコース 表\\\n".count)))
        let folder = try TestFolder()
        var sink = try ByteSink(path: LocalPath(folder.path("a.gz")), replacing: false)
        sink.bytes += lines
        try sink.commit()
        var packed = try ByteSource(path: LocalPath(folder.path("a.gz"))).decoded(from: encoding)
        #expect(packed.isCompressed && !packed.isVerbatim && packed.isDecoded)
        #expect(String(decoding: try packed.allBytes(), as: UTF8.self) == expected)
        try packed.rewind()
        #expect(String(decoding: try packed.allBytes(), as: UTF8.self) == expected)
    }

    @Test("supports UTF-16 with a mark, UTF-32, shift sequences and combined letters")
    func widths() throws {
        let samples: [(String, [UInt8], String)] = [
            ("utf-16", [0xFF, 0xFE, 0x41, 0, 0xB1, 3], "Aα"), ("UTF-16BE", [0, 0x41, 3, 0xB1], "Aα"),
            ("UTF-32LE", [0xB1, 3, 0, 0], "α"), ("BIG5-HKSCS", [0x88, 0x66], "Ê"), ("latin1", [0xB5], "µ"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x25, 0x30, 0x1B, 0x28, 0x42, 0x41], "グA"),
            ("utf8", Array("α".utf8), "α"), ("gbk", [], ""),
        ]
        for (name, bytes, expected) in samples {
            let encoding = try #require(CharacterEncoding(name), "\(name)")
            #expect(try text(ByteSource(bytes).decoded(from: encoding)) == expected, "\(name)")
        }
    }

    @Test("reports invalid bytes with their offset")
    func invalid() throws {
        let encoding = try #require(CharacterEncoding("Shift_JIS"))
        for (bytes, offset) in [(sugar + [0x0A, 0x41, 0xFF, 0x41], 15), (sugar + [0x0A, 0x83], 14)] {
            for size in [1, 5, 4096] {
                var source = try ByteSource(inBlocksOf: size, bytes).decoded(from: encoding)
                var failure: FileError?
                do throws(FileError) {
                    while try source.fill() {}
                } catch {
                    failure = error
                }
                #expect(failure?.reason == .invalidText(encoding: "Shift_JIS", offset: offset, line: 2))
                #expect(try !source.fill())
            }
        }
    }

    @Test(
        "is not converted if the file declares its encoding",
        arguments: [
            "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a>\u{B5}</a>", "\u{FEFF}µ", "VjCD0100\u{B5}", "a\0b\u{B5}",
        ])
    func declared(content: String) throws {
        let encoding = try #require(CharacterEncoding("latin1"))
        #expect(try text(ByteSource(Array(content.utf8)).decoded(from: encoding)) == content)
    }

    @Test("is not converted twice")
    func once() throws {
        let encoding = try #require(CharacterEncoding("latin1"))
        #expect(try text(ByteSource([0xE9]).decoded(from: encoding).decoded(from: encoding)) == "é")
    }

    @Test("accepts encoding names of iconv, but not its options")
    func names() {
        for name in CharacterEncoding.commonNames + ["koi8-r", "cp1251", "koi8_r", "euc_kr"] {
            #expect(CharacterEncoding(name) != nil, "\(name)")
        }
        for name in ["", "klingon", "latin1//TRANSLIT", "/tmp/a", "a b", String(repeating: "a", count: 100)] {
            #expect(CharacterEncoding(name) == nil, "\(name)")
        }
    }
}
