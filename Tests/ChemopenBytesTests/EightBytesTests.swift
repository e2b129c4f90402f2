import Testing

@testable import ChemopenBytes

@Suite("Scans of eight bytes at a time")
struct EightBytesTests {
    private func areFull(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.span.hasOnlyFullLines(without: 0x24, noneBeginning: 0x3E)
    }

    private func isPlainCell(_ bytes: [UInt8]) -> Bool { bytes.span.isPrintableASCII(without: 0x22, 0x2C) }

    private func look(_ bytes: [UInt8]) -> (lines: Int, isPlain: Bool) {
        (Int(bytes.span.countOfLineFeeds), bytes.span.isPrintableASCII)
    }

    @Test("finds an empty line or a line that starts with >, a carriage return or a dollar sign, at any offset")
    func fullLines() {
        let parts = ["a", "\n", "\r", "$", ">", "\u{E9}", "text", "0123456"]
        for first in parts {
            for second in parts {
                for place in 0..<20 {
                    let text = String(repeating: "x", count: place) + first + second + "yz"
                    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                    let isFull = lines.allSatisfy {
                        !$0.isEmpty && $0.first != 0x3E && !$0.contains(0x0D) && !$0.contains(0x24)
                    }
                    #expect(areFull(text) == isFull, "\(text.debugDescription)")
                    #expect(!areFull(text + "\n"))
                }
            }
        }
    }

    @Test("counts line ends in text of any length, and detects bytes that are not plain text")
    func lineFeeds() {
        for length in Array(0...40) + [4079, 4080, 4081, 9000] {
            var bytes = [UInt8](repeating: 0x0A, count: length)
            #expect(look(bytes) == (length, true))
            guard let last = bytes.indices.last else { continue }
            for (byte, isPlain) in [(0x09, true), (0x0D, false), (0x8A, false), (0x00, false), (0x7F, true)] {
                bytes[last] = UInt8(byte)
                #expect(look(bytes) == (length - 1, isPlain))
            }
        }
    }

    @Test("finds a control character, a byte outside ASCII or either of two given bytes, at any offset")
    func plainCells() {
        for length in 0...40 {
            for place in 0..<length {
                var bytes = [UInt8](repeating: 0x78, count: length)
                #expect(isPlainCell(bytes))
                for byte in UInt8.min...UInt8.max {
                    bytes[place] = byte
                    let isPlain = 0x20..<0x80 ~= byte && byte != 0x22 && byte != 0x2C
                    #expect(isPlainCell(bytes) == isPlain)
                }
            }
        }
    }
}
