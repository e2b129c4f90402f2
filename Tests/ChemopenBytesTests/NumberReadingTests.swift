import Testing

@testable import ChemopenBytes

private func double(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    return Numeral.decimal(bytes.span, 0..<bytes.count)
}

private func integer(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    return Numeral.whole(bytes.span, 0..<bytes.count)
}

@Suite("Numbers from text")
struct NumberReadingTests {
    @Test(
        "a decimal number is the nearest double",
        arguments: [
            "0", "1", "-1.5", "+2.25", "0.1", "123.4567", "-0.0001", "1e3", "1E-3", "2.5e+10", "1e22", "1e23", "1e-22",
            "9007199254740993", "9007199254740992.5", "1234567890123456789", "12345678901234567890123",
            "0.1234567890123456789", "1.7976931348623157e308", "5e-324", "2.4703282292062328e-324", "1e-400",
            "0e999999999",
            "000000000000000000000000001.5", "0.000000000000000000000000000015", "100000000000000000000000e-23",
        ])
    func nearest(text: String) {
        #expect(double(text) == Double(text))
    }

    @Test("a point may stand at either end")
    func barePoint() {
        #expect(double(".5") == 0.5)
        #expect(double("-.5") == -0.5)
        #expect(double("5.") == 5)
        #expect(double("5.e1") == 50)
    }

    @Test(
        "what is no number is none",
        arguments: [
            "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", " 1", "1 ", "0x10", "nan", "inf", "-infinity",
            "1d3",
            "--1", "1e5.0", "1e999", "-1e999", "1e99999999999999999999",
        ])
    func noDouble(text: String) {
        #expect(double(text) == nil)
    }

    @Test("a number is read from its own range of the bytes")
    func ranges() {
        let bytes = Array("12.5034".utf8)
        #expect(Numeral.decimal(bytes.span, 1..<4) == 2.5)
        #expect(Numeral.whole(bytes.span, 4..<7) == 34)
        #expect(Numeral.whole(bytes.span, 5..<99) == 34)
        #expect(Numeral.decimal(bytes.span, 7..<7) == nil)
    }

    @Test("whole numbers reach from the least to the greatest, and no further")
    func integers() {
        #expect(integer("0") == 0)
        #expect(integer("-0") == 0)
        #expect(integer("+7") == 7)
        #expect(integer("007") == 7)
        #expect(integer("9223372036854775807") == Int.max)
        #expect(integer("-9223372036854775808") == Int.min)
        #expect(integer("9223372036854775808") == nil)
        #expect(integer("-9223372036854775809") == nil)
        #expect(integer("99999999999999999999999") == nil)
        for text in ["", "-", "+", "1.0", " 1", "1 ", "a", "1-"] { #expect(integer(text) == nil) }
    }

    @Test("the numbers of a text are read word by word, each as if it stood alone")
    func words() {
        let words = [
            "276.53", "-0.5", "+2", "-0", ".5", "5.", "1e3", "123456789012345", "1234567890123456",
            "0.1234567890123456", "-", ".", "1.2.3", "1x", "nan", "12,5",
        ]
        let bytes = Array((" \t" + words.joined(separator: " \n") + "  ").utf8)
        var at = 0
        for word in words {
            #expect(Numeral.decimal(bytes.span, wordAt: &at)?.bitPattern == double(word)?.bitPattern)
        }
        #expect(Numeral.decimal(bytes.span, wordAt: &at) == nil)
        #expect(at == bytes.count)
    }
}
