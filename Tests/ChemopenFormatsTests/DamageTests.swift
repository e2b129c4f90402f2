import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Foundation
import Testing

@Suite("A damaged MDL file is read or refused, and never ends the program")
struct DamageTests {
    static let fixtures = ["mol", "sdf", "rxn", "rdf", "bad"].flatMap(Fixture.all(in:))
    /// How often each file is damaged; more takes minutes.
    static let tries = ProcessInfo.processInfo.environment["CHEMOPEN_DAMAGE"].flatMap { Int($0) } ?? 5

    /// Reads by all four readers and writes what came out.
    private func read(_ text: [UInt8]) throws {
        _ = try Writing.all(Reading.all(text, by: RDfileReader.self).records, by: RDfileWriter.self)
        _ = try Writing.all(Reading.all(text, by: SDfileReader.self).records, by: SDfileWriter.self)
        _ = try Writing.all(Reading.all(text, by: MolfileRecordReader.self).records, by: MolfileRecordWriter.self)
        for record in try Reading.all(text, by: RXNfileReader.self).records {
            _ = try Writing.all([record], by: RXNfileWriter.self)
        }
    }

    @Test("cut off anywhere", arguments: fixtures)
    func cut(_ fixture: Fixture) throws {
        let text = try fixture.bytes
        let step = max(1, text.count / Self.tries)
        for end in stride(from: text.count % step, to: text.count, by: step) { try read(Array(text[..<end])) }
    }

    @Test("with a byte that does not belong", arguments: fixtures)
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
