import Chemopen
import Foundation
import TestFolders
import Testing

@testable import ChemopenBrowse

@Suite("Index compared with reader")
struct IndexReaderTests {
    /// A record as the reader sees it: its offset and content, or the error if it is unreadable.
    private struct Reading {
        var start: Int
        var content: Result<Record, ReadError>
    }

    private func readings(_ path: String) -> [Reading]? {
        guard var stream = try? readUnknown(path: path) else { return nil }
        var all: [Reading] = []
        while true {
            do throws(ReadError) {
                guard let record = try stream.next() else { return all }
                all.append(Reading(start: stream.place.offset, content: .success(record)))
            } catch {
                switch error.kind {
                case .file, .unrecognized: break
                case .broken, .tooLarge: all.append(Reading(start: stream.place.offset, content: .failure(error)))
                }
            }
        }
    }

    /// Compares the index of a file with the records from its reader, and with each record read separately.
    private func compare(_ path: String, _ session: SessionEnvironment, _ name: Comment) {
        let file = BrowsedFile(LocalPath(path), in: session)
        file.makeIndex { true }
        let index = file.index
        guard let readings = readings(path) else {
            #expect(index.count == 0, name)
            return
        }
        #expect(index.count == readings.count, name)
        guard index.count == readings.count, let content = file.view.content else { return }
        let records = file.records(0..<index.count)
        #expect(records.count == readings.count, name)
        for (number, (reading, record)) in zip(readings, records).enumerated() {
            if content.isIndexed, index.refusals[number] == nil {
                #expect(index.range(of: number).lowerBound == reading.start, name)
            }
            switch (reading.content, record.content) {
            case (.failure(let wanted), .failure(let found)): #expect(found.message == wanted.message, name)
            case (.success(let wanted), .success(let found)): #expect(isSame(wanted, found), name)
            default: Issue.record("record \(number + 1) is readable only in one of the two: \(name)")
            }
        }
    }

    /// Whether two records are equal. Ignores the known columns, which depend on earlier records, and reaction rows
    /// of a sheet.
    private func isSame(_ one: Record, _ other: Record) -> Bool {
        guard one.fields.map(\.name) == other.fields.map(\.name), one.fields.map(\.value) == other.fields.map(\.value),
            one.registry == other.registry
        else { return false }
        if case .reaction = other.subject, case .reaction = one.subject {
        } else if case .reaction = other.subject {
            return true
        }
        return one.subject == other.subject
    }

    @Test(
        "finds the same records as the reader, each readable separately, for every kind of line end",
        arguments: ChemicalFile.folders)
    func same(_ folder: ChemicalFile.Folder) throws {
        let files = try TestFolder()
        let session = SessionEnvironment(["XDG_CACHE_HOME": files.path + "/cache", "HOME": files.path])
        for file in folder.files {
            for variant in ChemicalFile.Variant.allCases where variant.fits(file) {
                let path = files.path("a" + variant.suffix)
                try variant.write(file, to: path)
                compare(path, session, "\(file.path), \(variant.rawValue)")
            }
        }
    }

    private static let start = """
        <DataSheet><Summary><Title>t</Title></Summary><Header nrows="2" ncols="1">
        <Column id="1" name="A" type="string"/></Header><Content>

        """
    private static let end = "</Content></DataSheet>\n"
    private static let row = "<Row id=\"1\"><Cell id=\"1\">a</Cell></Row>\n"

    @Test(
        "finds the same rows as the reader despite similar markup",
        arguments: [
            row + row, "<!-- <Row> -->" + row, "<?a <Row ?>" + row, row + "<Other><Row/></Other>" + row,
            "<Row id='1'><Cell id='1'><![CDATA[<Row>]]></Cell></Row>" + row, "<Row><Row/><Cell id=\"1\"/></Row>" + row,
            "<x:Row xmlns:x=\"x\"/>" + row + "<Rows/>" + row, row + "<Row a=\"<\"/>" + row,
            row + "</Content><Content>" + row,
            row + "<Row id=\"2\"><Cell id=\"1\">&nbsp;</Cell></Row>" + row, row + "</Content></DataSheet>\n<Row/>", "",
            "<Row/>",
            row + "<Row \n id = \"2\" \n><Cell id=\"1\">\u{e9}\r\n&#228;</Cell></Row >" + row
                + String(repeating: row, count: 2000),
        ])
    func rows(_ rows: String) throws {
        let files = try TestFolder()
        let session = SessionEnvironment(["XDG_CACHE_HOME": files.path + "/cache", "HOME": files.path])
        let (start, end) = (Self.start, Self.end)
        let sheets = [
            start + rows + end, "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + start + rows + end,
            start.replacing("<Summary><Title>t</Title></Summary>", with: "") + rows + end, start + rows,
            "<DataSheet><Content>" + rows + start.replacing("<DataSheet>", with: "").replacing("<Content>", with: "<X>")
                + end.replacing("Content", with: "X"),
        ]
        for (number, sheet) in sheets.enumerated() {
            compare(try files.put(sheet, at: "\(number).ds"), session, "sheet \(number)")
        }
        let latin = ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + start + rows + end).unicodeScalars
        let bytes = latin.map { UInt8(truncatingIfNeeded: $0.value) }
        compare(try files.put(bytes, at: "latin.ds"), session, "in ISO-8859-1")
    }

    @Test("the offset of a row is the offset of its tag for every way of reading, and in the index")
    func tags() throws {
        let odd = "<!-- <Row> --><Row id='1' ><Cell id='1'/></Row>\n"
        let (start, end) = (Self.start, Self.end)
        let text = start + String(repeating: Self.row, count: 1000) + odd + Self.row + odd + odd + Self.row + end
        let bytes = Array(text.utf8)
        var stream = try readUnknown(bytes: bytes)
        var starts: [Int] = []
        while try stream.next() != nil { starts.append(stream.place.offset) }
        #expect(starts.count == 1005)
        #expect(starts == Array(Set(starts)).sorted())
        for start in starts { #expect(bytes[start...].starts(with: "<Row id=".utf8)) }
        let desk = try BrowseDesk()
        let file = BrowsedFile(LocalPath(try desk.put(text, at: "a.ds")), in: desk.session)
        file.makeIndex { true }
        #expect(file.view.content?.isIndexed == true)
        #expect((0..<file.index.count).map { file.index.range(of: $0).lowerBound } == starts)
    }

    private static let skip = "S  SKP  3\n"
    /// Pieces of SD files that resemble the end or the start of a record.
    private static let pieces = [
        "a\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n", "M  END\n",
        "$$$$\n",
        "> <A>\n", "one\n", "\n", "> <B>\n\n", "$$$$ x\n", skip, "\n$$$$\n", "M  END\n$$$$\n", "  \n", "$$$$",
        "\u{feff}", ">", "K\n",
    ]

    @Test("finds the same records as the reader in randomly assembled files", arguments: 0..<8)
    func random(_ seed: Int) throws {
        let files = try TestFolder()
        let session = SessionEnvironment(["XDG_CACHE_HOME": files.path + "/cache", "HOME": files.path])
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func pick(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<150 {
            var pieces = [Self.pieces[0]] + (0..<pick(24)).map { _ in Self.pieces[pick(Self.pieces.count)] }
            // If another line also skips too many lines, the effect depends on the rest of the file.
            if let skip = pieces.firstIndex(of: Self.skip) { pieces[(skip + 1)...].removeAll { $0 == Self.skip } }
            let text = pieces.joined()
            let end = ["\n", "\r\n", "\r"][pick(3)]
            compare(try files.put(text.replacing("\n", with: end), at: "a.sdf"), session, "\(text.debugDescription)")
        }
    }

    @Test(
        "includes the files of the corpus in the comparison",
        .enabled(if: ChemicalFile.corpus != nil, "no corpus found")
    )
    func hasCorpus() {
        #expect(ChemicalFile.folders.contains { $0.path.hasPrefix(ChemicalFile.corpus ?? "-") })
    }
}

/// A file that the tests read in several variants.
struct ChemicalFile: Sendable {
    let path: String
    let bytes: [UInt8]

    struct Folder: Sendable, CustomTestStringConvertible {
        let path: String
        let files: [ChemicalFile]
        var testDescription: String { path.split(separator: "/").suffix(3).joined(separator: "/") }
    }

    /// The directories of `TestData`, and of a corpus next to the checkout if there is one.
    static let folders: [Folder] = ([testData] + (corpus.map { [$0] } ?? [])).flatMap(folders)

    private static let checkout = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    private static let testData = checkout + "/TestData"
    /// `CHEMOPEN_CORPUS`, or `shared/corpus` next to the checkout.
    static let corpus: String? = {
        let path = ProcessInfo.processInfo.environment["CHEMOPEN_CORPUS"] ?? checkout + "/../shared/corpus"
        let entries = try? FileManager.default.contentsOfDirectory(atPath: path)
        return entries?.isEmpty == false ? path : nil
    }()

    private static let suffixes: Set = ["mol", "mdl", "sdf", "sd", "rxn", "rdf", "el", "ds", "cdx", "cdxml", "gz"]

    private static func folders(_ root: String) -> [Folder] {
        var folders: [String: [ChemicalFile]] = [:]
        for name in (FileManager.default.enumerator(atPath: root)?.allObjects ?? []).compactMap({ $0 as? String }) {
            let path = root + "/" + name
            guard suffixes.contains((name as NSString).pathExtension),
                let data = FileManager.default.contents(atPath: path)
            else { continue }
            folders[(path as NSString).deletingLastPathComponent, default: []]
                .append(ChemicalFile(path: path, bytes: [UInt8](data)))
        }
        return folders.keys.sorted().map { Folder(path: $0, files: folders[$0] ?? []) }
    }

    /// A variant of a file.
    enum Variant: String, CaseIterable {
        case asItIs = "as it is"
        case lineFeeds = "lines end in LF"
        case pairs = "lines end in CR LF"
        case returns = "lines end in CR"
        case endless = "the last line has no end"
        case packed = "gzipped"
        case cutShort = "gzipped and cut short"

        var suffix: String { self == .packed || self == .cutShort ? ".gz" : "" }

        /// Whether the variant applies to a file. Binary files have no lines.
        func fits(_ file: ChemicalFile) -> Bool {
            if self == .lineFeeds, !file.bytes.contains(0x0D) { return false }
            return suffix == ".gz" || self == .asItIs
                || !file.bytes.contains(0) && !file.bytes.starts(with: [0x1F, 0x8B])
        }

        func write(_ file: ChemicalFile, to path: String) throws {
            var sink = try ByteSink(path: path, replacing: true)
            sink.bytes = bytes(file.bytes)
            try sink.commit()
            guard self == .cutShort, let packed = FileManager.default.contents(atPath: path) else { return }
            try packed.prefix(packed.count * 2 / 3).write(to: URL(filePath: path))
        }

        private func bytes(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .asItIs, .packed, .cutShort: bytes
            case .lineFeeds: Self.lines(bytes, endingIn: [0x0A])
            case .pairs: Self.lines(bytes, endingIn: [0x0D, 0x0A])
            case .returns: Self.lines(bytes, endingIn: [0x0D])
            case .endless: Array(bytes.prefix((bytes.lastIndex { $0 != 0x0A && $0 != 0x0D } ?? -1) + 1))
            }
        }

        private static func lines(_ bytes: [UInt8], endingIn end: [UInt8]) -> [UInt8] {
            var lines: [UInt8] = []
            lines.reserveCapacity(bytes.count + bytes.count / 16)
            var isBehindReturn = false
            for byte in bytes {
                if byte == 0x0D || byte == 0x0A && !isBehindReturn {
                    lines += end
                } else if byte != 0x0A {
                    lines.append(byte)
                }
                isBehindReturn = byte == 0x0D
            }
            return lines
        }
    }
}
