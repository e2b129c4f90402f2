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
        "a decimal number is rounded to the nearest double",
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

    @Test("a decimal point may be the first or the last character")
    func barePoint() {
        #expect(double(".5") == 0.5)
        #expect(double("-.5") == -0.5)
        #expect(double("5.") == 5)
        #expect(double("5.e1") == 50)
    }

    @Test(
        "other text is not a number",
        arguments: [
            "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", " 1", "1 ", "0x10", "nan", "inf", "-infinity",
            "1d3",
            "--1", "1e5.0", "1e999", "-1e999", "1e99999999999999999999",
        ])
    func noDouble(text: String) {
        #expect(double(text) == nil)
    }

    @Test("a number is read only from its range of bytes")
    func ranges() {
        let bytes = Array("12.5034".utf8)
        #expect(Numeral.decimal(bytes.span, 1..<4) == 2.5)
        #expect(Numeral.whole(bytes.span, 4..<7) == 34)
        #expect(Numeral.whole(bytes.span, 5..<99) == 34)
        #expect(Numeral.decimal(bytes.span, 7..<7) == nil)
    }

    @Test("integers are read within the range of Int and rejected outside it")
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

    @Test("the numbers in a text are read token by token, with the same result as separately")
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

@Suite("Fast number parsing")
struct NumeralTests {
    /// Returns random texts that resemble numbers.
    private func texts(_ count: Int, of letters: String) -> [[UInt8]] {
        var chance: UInt64 = 1
        func number(below bound: Int) -> Int {
            chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(chance >> 33) % bound
        }
        let letters = Array(letters.utf8)
        func digits() -> String {
            String((0..<number(below: number(below: 4) == 0 ? 20 : 6)).map { _ in Character("\(number(below: 10))") })
        }
        return (0..<count).map { _ in
            var text = ["", "", "-", "+"][number(below: 4)] + digits()
            if number(below: 4) > 0 { text += "." + digits() }
            if number(below: 8) == 0 {
                text += ["e", "E"][number(below: 2)] + ["", "-", "+"][number(below: 3)] + digits()
            }
            var bytes = Array(text.utf8)
            if number(below: 4) == 0, !bytes.isEmpty {
                bytes[number(below: bytes.count)] = letters[number(below: letters.count)]
            }
            return bytes
        }
    }

    /// Returns the value that C's rules assign to a text in the supported syntax.
    private func expected(_ bytes: [UInt8]) -> Double? {
        guard bytes.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    @Test("a decimal number has the same bits as Swift's result, for any surrounding text")
    func decimals() {
        for text in texts(20_000, of: "0123456789 .-+eE,x\t/:") {
            let expected = expected(text)?.bitPattern
            for (before, behind) in [("", ""), ("12", "34567890123"), ("  ", "         "), ("x", ".5e5     ")] {
                let bytes = Array(before.utf8) + text + Array(behind.utf8)
                let range = before.utf8.count..<before.utf8.count + text.count
                #expect(Numeral.decimal(bytes.span, range)?.bitPattern == expected)
            }
        }
    }

    @Test("a decimal number read from an offset equals the number formed by its digits")
    func decimalsInText() {
        for text in texts(20_000, of: "0123456789 .-,x") {
            let bytes = text + Array(";        ".utf8)
            var at = 0
            guard let value = Numeral.decimal(bytes.span, at: &at) else { continue }
            #expect(at <= 18)
            #expect(value.bitPattern == Numeral.decimal(bytes.span, 0..<at)?.bitPattern)
            var end = 0
            let places = FourPlaces.decimal(bytes.span, at: &end)
            if places != nil, end == at { #expect(places?.bitPattern == value.bitPattern) }
            #expect(places == nil || end == at || bytes[end] &- 0x30 < 10)
        }
    }

    @Test("an integer has the same value as Swift's result, for any surrounding text")
    func wholes() {
        for text in texts(20_000, of: "0123456789 -+x/:") {
            let isPlain = text.allSatisfy { "0123456789+-".utf8.contains($0) }
            let expected = isPlain ? Int(String(decoding: text, as: UTF8.self)) : nil
            let bytes = Array("12".utf8) + text + Array("34567890123".utf8)
            #expect(Numeral.whole(bytes.span, 2..<2 + text.count) == expected)
            let digits = Array(text.prefix { $0 &- 0x30 < 10 })
            var at = 0
            let number = Numeral.whole((text + Array(" ".utf8)).span, at: &at)
            #expect(number == (1...9 ~= digits.count ? Int(String(decoding: digits, as: UTF8.self)) : -1))
        }
    }

    @Test("ten columns are read as the same number as their text, or left to the general parser")
    func tenColumns() {
        var count = 0
        for text in texts(20_000, of: "0123456789 .-+x") {
            let columns = Array(repeating: UInt8(ascii: " "), count: max(0, 10 - text.count)) + text.prefix(10)
            let bytes = columns + Array(repeating: UInt8(ascii: "9"), count: 8)
            let number = TenColumns.tenThousandths(bytes.span, at: 0)
            if number == TenColumns.none { continue }
            count += 1
            // The sign of zero is dropped.
            #expect(Double(number) / 10_000 == Numeral.decimal(bytes.span, bytes.span.trimmed(0..<10)))
            #expect(TenColumns.areZero(bytes.span, at: 0) == (columns == Array("    0.0000".utf8)))
        }
        #expect(count > 100)
    }

    @Test("three columns are read as their text, and text to the right has no effect", arguments: 0..<256)
    func threeColumns(_ first: Int) {
        let letters = Array(" 0123456789-+x\t/:\u{0}".utf8)
        for second in letters {
            for third in letters {
                let bytes = [UInt8(first), second, third] + Array("  7".utf8) + Array(repeating: 0, count: 8)
                let text = bytes.span.trimmed(0..<3)
                let isRight =
                    text.upperBound == 3 && text.allSatisfy { Ascii.isDigit(bytes[$0]) }
                    && !text.isEmpty && bytes[..<text.lowerBound].allSatisfy { $0 == Ascii.blank }
                let expected = isRight ? UInt32(bytes.span.integer(0..<3) ?? -1) : ThreeColumns.none
                #expect(ThreeColumns.number(loadWord(bytes.span, at: 0)) == expected)
                let two = ThreeColumns.twoNumbers(loadWord(bytes.span, at: 0))
                #expect(two == (isRight ? (expected, 7) : (ThreeColumns.none, ThreeColumns.none)))
            }
        }
    }
}
