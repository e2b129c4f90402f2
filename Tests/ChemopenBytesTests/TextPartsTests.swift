import Testing

@testable import ChemopenBytes

@Suite("Parts of a text")
struct TextPartsTests {
    @Test("finds a part only where all its characters match")
    func parts() {
        #expect("one viewer.css".holds("viewer.css"))
        #expect(!"viewer.cs".holds("viewer.css"))
        #expect("aab".holds("ab"), "after a partial match")
        #expect(!"".holds("a"))
        #expect("naïve".dropFirst(2).holds("ïv"))
    }

    @Test("splitting retains empty parts, so joining restores the text")
    func separators() {
        #expect("a--b----c".parts(between: "--") == ["a", "b", "", "c"])
        #expect("--".parts(between: "--") == ["", ""])
        #expect("a-b".parts(between: "--") == ["a-b"])
        #expect("it's 'so'".replacingEach("'", by: "'\\''") == "it'\\''s '\\''so'\\''")
        #expect("aaa".replacingEach("aa", by: "a") == "aa", "what is put in is not looked at again")
    }

    @Test("searches work the same way in bytes that are not text")
    func bytes() {
        let bytes: [UInt8] = [0xFF, 1, 2, 0xFF, 1, 3]
        #expect(bytes.firstRange(ofPart: [0xFF, 1, 3] as [UInt8]) == 3..<6)
        #expect(bytes.firstRange(ofPart: [0xFF, 1] as [UInt8], from: 1) == 3..<5)
        #expect(bytes.firstRange(ofPart: [3, 0] as [UInt8]) == nil)
    }
}
