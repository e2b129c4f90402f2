import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Foundation
import Testing

/// Guarantees for the fixtures of every format, which are found automatically.
@Suite("Fixtures")
struct FixtureFolderTests {
    static let formats = Format.all + Format.toldByName

    static let all = formats.flatMap { Fixture.all(in: $0.id) }

    @Test("the directory of a fixture has the id of its format, and each format has one")
    func folders() throws {
        let kept = Set(try Fixture.folders()).subtracting(["bad", "help"])
        #expect(kept == Set(Self.formats.map(\.id)))
        for format in Self.formats { #expect(!Fixture.all(in: format.id).isEmpty, "TestData/\(format.id) is empty") }
    }

    @Test("a fixture is detected by its content, and a table or a list of SMILES by content and name", arguments: all)
    func told(_ fixture: Fixture) throws {
        let head = Head(try fixture.bytes, isWhole: true)
        let format = try fixture.format
        if Format.toldByName.contains(where: { $0.id == format.id }) {
            #expect(format.sniff(head) > .no)
            #expect(Format.all.allSatisfy { $0.sniff(head) == .no })
            return
        }
        let sure = Self.formats.map { ($0.id, $0.sniff(head)) }
        let best = sure.map(\.1).max() ?? .no
        #expect(best > .no)
        #expect(sure.filter { $0.1 == best }.map(\.0) == [format.id])
    }

    @Test("a fixture is in the list of test files", arguments: all)
    func named(_ fixture: Fixture) throws {
        let list = try Fixture("README.md").text
        let name = fixture.testDescription.split(separator: "/")[1]
        let stem = name.split(separator: ".")[0]
        let versionless = stem.hasSuffix("-v2000") || stem.hasSuffix("-v3000") ? stem.dropLast(6) : stem
        #expect([name, stem, versionless].contains { list.contains("`\($0)`") })
    }

    @Test("a fixture is read without an error, with the same result for any block size", arguments: all)
    func blocks(_ fixture: Fixture) throws {
        let format = try fixture.format
        let bytes = try fixture.bytes
        let whole = try readAll(bytes, as: format)
        #expect(whole.allSatisfy { $0.error == nil })
        for size in [61, 4096] {
            let pieces = try readAll(bytes, as: format, inBlocksOf: size)
            #expect(pieces.map { $0.reading?.record } == whole.map { $0.reading?.record }, "in blocks of \(size)")
        }
    }

    @Test(
        "a fixture split at any position has the same records",
        arguments: all.filter { (try? $0.format.lastRecordEnd) != nil && !$0.testDescription.hasSuffix(".gz") })
    func cut(_ fixture: Fixture) throws {
        let format = try fixture.format
        let bytes = try fixture.bytes
        let lastRecordEnd = try #require(format.lastRecordEnd)
        let whole = try readAll(bytes, as: format).map { $0.reading?.record.fields.map(\.value) }
        for length in stride(from: 1, through: bytes.count, by: max(1, bytes.count / 40)) {
            guard let end = lastRecordEnd(Array(bytes[..<length]).span) else { continue }
            try #require(1...length ~= end)
            let pieces = try [bytes[..<end], bytes[end...]].flatMap { try readAll(Array($0), as: format) }
            #expect(
                pieces.map { $0.reading?.record.fields.map(\.value) } == whole, "the first \(length) bytes, at \(end)")
        }
    }

    @Test("a line-based file is split after its last line end, even if the first line is empty")
    func cutLines() throws {
        let lastRecordEnd = try #require(Format.smiles.lastRecordEnd)
        for (text, end) in [("", nil), ("C", nil), ("\n", 1), ("\nC", 1), ("C a\nN", 4), ("C\nN\n", 4)]
            as [(String, Int?)]
        {
            #expect(lastRecordEnd(Array(text.utf8).span) == end)
        }
    }

    @Test(
        "writing a fixture twice produces the same bytes, if its format can be written",
        arguments: all.filter { (try? $0.format.isWritable) == true })
    func secondWriting(_ fixture: Fixture) throws {
        let format = try fixture.format
        let reading = try fixture.bytes.read(as: format)
        let once = try reading.written(as: format)
        let again = try once.read(as: format)
        #expect(again.records.count == reading.records.count)
        // A line notation stores an explicit hydrogen as a count on its neighbor.
        for (one, other) in zip(reading.records, again.records) where one.hydrogens.count == other.hydrogens.count {
            let isSame = zip(one.hydrogens, other.hydrogens).allSatisfy { $0.count != $1.count || $0 == $1 }
            #expect(isSame)
        }
        #expect(again.records.map(\.formulas) == reading.records.map(\.formulas))
        #expect(try Text(bytes: again.written(as: format)) == Text(bytes: once))
    }
}

extension Fixture {
    /// The format with the directory's name as its id.
    var format: Format {
        get throws { try #require(FixtureFolderTests.formats.first { testDescription.hasPrefix($0.id + "/") }) }
    }

    var text: String {
        get throws { String(decoding: try bytes, as: UTF8.self) }
    }
}

/// The records of a file with the header of their table.
private struct Table {
    var records: [Record]
    var header: SheetHeader

    func written(as format: Format) throws -> [UInt8] {
        var writer = try format.makeWriter(ByteSink(), WriteOptions())
        try writer.begin(header)
        for record in records { _ = try writer.write(record) }
        try writer.finish()
        return writer.takeBytes()
    }
}

extension [UInt8] {
    fileprivate func read(as format: Format) throws -> Table {
        let makeReader = try #require(format.makeReader)
        var options = ReadOptions()
        options.formats = .standard
        var reader = try makeReader(ByteSource(self), options)
        var records: [Record] = []
        var record = Record()
        while try reader.read(into: &record) { records.append(record) }
        return Table(records: records, header: header(of: reader))
    }

    /// Returns the header. A noncopyable reader of unknown type can be borrowed only by a function.
    private func header(of reader: borrowing any RecordReader & ~Copyable) -> SheetHeader { reader.header }
}

extension Record {
    private var molecules: [Molecule] { [molecule].compactMap { $0 } + (reaction?.components.map(\.molecule) ?? []) }

    /// The hydrogens on each atom of each molecule.
    fileprivate var hydrogens: [[Int]] { molecules.map { $0.hydrogenCounts() } }

    fileprivate var formulas: [String] { molecules.map { "\($0.formula)" } }
}
