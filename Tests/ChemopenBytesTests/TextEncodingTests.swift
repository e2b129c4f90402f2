import Testing

@testable import ChemopenBytes

@Suite("Text in bytes")
struct TextEncodingTests {
    @Test("detects UTF-8 by its byte patterns")
    func validity() {
        #expect(isUTF8([]))
        #expect(isUTF8(Array("benzene".utf8)))
        #expect(isUTF8(Array("α-pinène 🧪".utf8)))
        #expect(!isUTF8([0x41, 0xE9, 0x42]))
        #expect(!isUTF8([0xC0, 0x80]))
        #expect(!isUTF8([0xED, 0xA0, 0x80]))
        #expect(!isUTF8([0xCE]))
    }
}
