import Testing

@testable import ChemopenBytes

@Suite("Text in bytes")
struct TextEncodingTests {
    @Test("UTF-8 is known by its form")
    func validity() {
        #expect(isUTF8([]))
        #expect(isUTF8(Array("benzene".utf8)))
        #expect(isUTF8(Array("α-pinène 🧪".utf8)))
        #expect(!isUTF8([0x41, 0xE9, 0x42]))
        #expect(!isUTF8([0xC0, 0x80]))
        #expect(!isUTF8([0xED, 0xA0, 0x80]))
        #expect(!isUTF8([0xCE]))
    }

    @Test("what is no UTF-8 is read as Windows-1252, undefined bytes as control codes")
    func decoding() {
        #expect(decodeText(Array("α-pinène".utf8)) == "α-pinène")
        #expect(decodeText([0x70, 0x69, 0x6E, 0xE8, 0x6E, 0x65]) == "pinène")
        #expect(decodeText([0x80, 0x93, 0x9F, 0xFF]) == "€“Ÿÿ")
        #expect(decodeText([0x81, 0x8D, 0x8F, 0x90, 0x9D]) == "\u{81}\u{8D}\u{8F}\u{90}\u{9D}")
    }
}
