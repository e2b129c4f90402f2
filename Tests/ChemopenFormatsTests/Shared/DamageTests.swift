import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Foundation
import Testing

@Suite("Damaged files of any format")
struct DamageTests {
    static let fixtures = (FixtureFolderTests.formats.map(\.id) + ["bad"]).flatMap(Fixture.all(in:))
    /// The number of damaged variants of each file. More take minutes.
    static let tries = ProcessInfo.processInfo.environment["CHEMOPEN_DAMAGE"].flatMap { Int($0) } ?? 5

    /// Reads a text with the reader of every format, and writes the result in the same format if possible.
    private func read(_ text: [UInt8]) throws {
        for format in FixtureFolderTests.formats {
            guard let records = try records(in: text, as: format), format.isWritable else { continue }
            if format.supportedFeatures.contains(.severalRecords) {
                _ = try write(records, as: format)
            } else {
                for record in records { _ = try write([record], as: format) }
            }
        }
    }

    /// Returns the readable records, or `nil` if the text is rejected completely.
    private func records(in text: [UInt8], as format: Format) throws -> [Record]? {
        do {
            return try readAll(text, as: format).compactMap { $0.reading?.record }
        } catch is ReadError {
            return nil
        }
    }

    @Test("a truncated file never crashes the program", arguments: fixtures)
    func cut(_ fixture: Fixture) throws {
        let text = try fixture.bytes
        let step = max(1, text.count / Self.tries)
        for end in stride(from: text.count % step, to: text.count, by: step) { try read(Array(text[..<end])) }
    }

    @Test("a file with an invalid byte never crashes the program", arguments: fixtures)
    func changed(_ fixture: Fixture) throws {
        let text = try fixture.bytes
        let step = max(1, text.count / Self.tries)
        var random: UInt64 = 42
        for place in stride(from: 0, to: text.count, by: step) {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var changed = text
            let bytes = Array("- 9$>M\n\r\0(\"".utf8)
            changed[min(text.count - 1, place + Int(random >> 40) % step)] = bytes[Int(random >> 33) % bytes.count]
            try read(changed)
        }
    }
}
