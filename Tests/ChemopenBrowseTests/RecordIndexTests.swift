import Chemopen
import Foundation
import Testing

@testable import ChemopenBrowse

@Suite("Record index")
struct RecordIndexTests {
    @Test("supports offsets above four gigabytes")
    func far() {
        var index = RecordIndex()
        index.append([0, 5_000_000_000], upTo: 5_000_000_100, isLast: true)
        #expect(index.count == 2)
        #expect(index.range(of: 0) == 0..<5_000_000_000)
        #expect(index.range(of: 1) == 5_000_000_000..<5_000_000_100)
        #expect(index.range(of: 2) == 0..<0 && index.range(of: -1) == 0..<0)
    }

    /// Returns the offsets of the records that the reader skips, for input in blocks of a given size.
    private func places(_ format: Format, _ text: String, blockSize: Int) throws -> [Int] {
        var stream = try RecordStream.open(ByteSource(inBlocksOf: blockSize, Array(text.utf8)), as: format)
        var all: [Int] = []
        while try stream.pass() { all.append(stream.place.offset) }
        return all
    }

    private static let a = record("a", ["C"])
    private static let sheet = """
        <DataSheet><!-- <Row> --><Header/><Content><Row id="1"><Cell><![CDATA[<Row>]]></Cell></Row>
        <Row/></Content></DataSheet>
        """
    private static let value = "> <A>\none\n$$$$\ntwo\n\n$$$$\n"

    @Test(
        "skipping finds the same records as reading, for any block size",
        arguments: [
            ("sdf", a + record("b", ["N"], fields: [("X", "$$$$ 5")]) + "$$$$\n" + record("c", ["O"]), 3),
            ("sdf", a.replacing("$$$$\n", with: value) + record("b", ["N"]), 2),
            ("sdf", (a.replacing("$$$$", with: "> <X>\n1\n\n$$$$") + a).replacing("\n", with: "\r\n") + "\n\n", 2),
            ("sdf", a + String(record("b", ["N"]).dropLast(5)), 2),
            ("rdf", "$RDFILE 1\n$DATM x\n$MFMT\n\(a.dropLast(5))$RFMT $RIREG 7\n$MEREG 5\n$DTYPE a\n$DATUM b\n", 3),
            ("ds", sheet, 2),
        ])
    func blocks(_ id: String, _ text: String, _ count: Int) throws {
        let format = try #require(Format.all.first { $0.id == id })
        let whole = try places(format, text, blockSize: text.utf8.count + 1)
        #expect(whole.count == count)
        for size in [1, 2, 3, 5, 7, 16, 64, 100] {
            #expect(try places(format, text, blockSize: size) == whole, "blocks of \(size)")
        }
        var stream = try readUnknown(bytes: Array(text.utf8))
        var read: [Int] = []
        while true {
            // Unreadable records also count.
            do { guard try stream.next() != nil else { break } } catch {}
            read.append(stream.place.offset)
        }
        #expect(read == whole)
    }

    @Test("the index of a large file is cached privately, reused, and discarded if the file changes")
    func cache() throws {
        let desk = try BrowseDesk()
        let one = record("a", ["C", "C"], bonds: 1, fields: [("NOTE", String(repeating: "x", count: 70_000))])
        let path = try desk.put(String(repeating: one, count: 70), at: "large.sdf")
        let service = desk.browse(path)
        let total = #""total":70,"complete":true}"#
        let folder = desk.folder + "/cache/chemopen"
        var names: [String] = []
        service.serving {
            #expect(service.answer(#"{"request":"SEARCH","text":"none"}"#).contains(#""total":0"#))
            // The index is written after the records can be requested.
            for _ in 0..<1000 where names.isEmpty {
                Thread.sleep(forTimeInterval: 0.01)
                names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
                    $0.hasSuffix(".index")
                }
            }
        }
        #expect(names.count == 1)
        for (name, mode) in [(folder, 0o700), (folder + "/" + names[0], 0o600)] {
            #expect(try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int == mode)
        }
        // This service has no indexing thread, so the count shows that the cached index was used.
        #expect(BrowsedFile(LocalPath(path), in: desk.session).cachedCount == 70)
        let again = desk.browse(path)
        again.serving { #expect(again.answer(#"{"request":"ROOT","count":0}"#).hasSuffix(total)) }
        try desk.put(String(repeating: one, count: 69), at: "large.sdf")
        #expect(BrowsedFile(LocalPath(path), in: desk.session).cachedCount == 0)
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder + "/" + names[0]))
        #expect(BrowsedFile(LocalPath(path), in: desk.session).cachedCount == 0)
    }

    @Test(
        "a compressed file, a drawing and a table are indexed like other files",
        arguments: [
            ("sdf/vitamins.sdf.gz", 7), ("cdx/reaction.cdx", 2), ("ds/columns.ds", 3), ("rdf/mixed-records.rdf", 3),
        ])
    func formats(_ name: String, _ count: Int) throws {
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("TestData").path
        let service = try BrowseDesk().browse(data + "/" + name)
        service.serving {
            let answer = service.answer(#"{"request":"ROOT","columns":["IDENTIFIER"]}"#)
            let file = name.split(separator: "/").last.map(String.init) ?? ""
            #expect(rows(answer).map { $0[0] } == (1...count).map { "\(file)#\($0)" })
        }
    }
}
