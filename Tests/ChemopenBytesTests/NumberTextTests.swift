import Testing

@testable import ChemopenBytes

private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}

@Suite("Numbers as text")
struct NumberTextTests {
    @Test(
        "an integer is padded with spaces up to the width and never truncated",
        arguments: [
            (0, 3, "  0"), (7, 3, "  7"), (42, 3, " 42"), (999, 3, "999"), (1000, 3, "1000"), (-1, 3, " -1"),
            (-100, 3, "-100"), (5, 1, "5"), (12, 6, "    12"), (12, -4, "12"),
            (Int.max, 3, "9223372036854775807"), (Int.min, 21, " -9223372036854775808"),
        ])
    func padded(value: Int, width: Int, expected: String) {
        #expect(text { $0.appendPadded(value, width: width) } == expected)
    }

    @Test("an integer is written correctly for every number of digits")
    func decimal() {
        var power = 1
        for _ in 0..<18 {
            for value in [power - 1, power, power + 1, -power] {
                #expect(text { $0.appendDecimal(value) } == String(value))
            }
            power *= 10
        }
    }

    @Test("hexadecimal numbers use lowercase digits with leading zeros")
    func hexadecimal() {
        #expect(text { $0.appendHex(0) } == "0")
        #expect(text { $0.appendHex(0xbeef, width: 8) } == "0000beef")
        #expect(text { $0.appendHex(.max, width: 2) } == "ffffffffffffffff")
    }

    @Test("a literal is appended as its bytes")
    func literal() {
        var bytes: [UInt8] = []
        bytes.append("M  END")
        bytes.append("\n")
        bytes.append("é")
        #expect(bytes == Array("M  END\né".utf8))
    }

    @Test(
        "four decimals in ten columns match C",
        arguments: [
            (0, "    0.0000"), (-0.0, "    0.0000"), (1.5, "    1.5000"), (-1.5, "   -1.5000"),
            (0.00005, "    0.0001"), (1.00005, "    1.0001"), (-0.00004, "    0.0000"), (-0.00006, "   -0.0001"),
            (0.03125, "    0.0312"), (0.09375, "    0.0938"), (-0.03125, "   -0.0312"), (1.03125, "    1.0312"),
            (0.5, "    0.5000"), (99.9999, "   99.9999"), (99.99996, "  100.0000"), (-123.4567, " -123.4567"),
            (9999.9999, " 9999.9999"), (9999.99995, " 9999.9999"), (9999.99996, "10000.0000"),
            (-9999.9999, "-9999.9999"),
            (99999.99995, "99999.9999"), (-99999.5, "-99999.5000"), (123456.789, "123456.7890"),
            (1e20, "100000000000000000000.0000"), (.leastNonzeroMagnitude, "    0.0000"), (.infinity, "       inf"),
            (.nan, "       nan"),
            (4503599627370496.5, "4503599627370496.0000"), (225179981368524.0625, "225179981368524.0625"),
        ] as [(Double, String)])
    func fixed(value: Double, expected: String) {
        #expect(text { $0.appendFixed(value, decimals: 4, width: 10) } == expected)
    }

    @Test(
        "other widths and precisions also round half to even",
        arguments: [
            (0.5, 0, 0, "0"), (1.5, 0, 0, "2"), (2.5, 0, 4, "   2"), (-0.5, 0, 0, "0"), (0.125, 2, 0, "0.12"),
            (0.375, 2, 6, "  0.38"), (2.675, 2, 0, "2.67"), (-1.25, 4, 0, "-1.2500"), (12.5, 4, 8, " 12.5000"),
            (12.5, 4, 12, "     12.5000"), (0.1, 20, 0, "0.10000000000000000555"), (1e-7, 7, 0, "0.0000001"),
            (1e22, 1, 0, "10000000000000000000000.0"), (-1e-30, 25, 0, "0.0000000000000000000000000"),
            (0.5, 17, 0, "0.50000000000000000"), (3, -1, 2, " 3"),
        ] as [(Double, Int, Int, String)])
    func otherFixed(value: Double, decimals: Int, width: Int, expected: String) {
        #expect(text { $0.appendFixed(value, decimals: decimals, width: width) } == expected)
    }

    @Test(
        "the shortest text has plain digits without an exponent",
        arguments: [
            (0, "0"), (-0.0, "0"), (5, "5"), (-5, "-5"), (100, "100"), (0.1, "0.1"), (1.25, "1.25"),
            (-0.0625, "-0.0625"),
            (12345.6789, "12345.6789"), (0.30000000000000004, "0.30000000000000004"), (1e-5, "0.00001"),
            (1.5e-7, "0.00000015"), (1e15, "1000000000000000"), (1.25e21, "1250000000000000000000"),
            (123_456_789_012_345_680, "123456789012345680"), (.infinity, "inf"), (.nan, "nan"),
            (0.12345678901, "0.12345678901"), (6.02214076e23, "602214076000000000000000"),
        ] as [(Double, String)])
    func shortest(value: Double, expected: String) {
        #expect(text { $0.appendShortest(value) } == expected)
    }

    @Test("the shortest text of any number reads back as the same number")
    func roundTrip() {
        var pattern: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<20_000 {
            pattern = pattern &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: pattern)
            guard value.isFinite else { continue }
            var bytes: [UInt8] = []
            bytes.appendShortest(value)
            #expect(Numeral.decimal(bytes.span, 0..<bytes.count) == value)
        }
    }
}
