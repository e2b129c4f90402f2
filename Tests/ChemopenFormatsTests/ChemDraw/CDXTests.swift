import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("CDX")
struct CDXTests {
    private func reading(_ name: String) throws -> Reading {
        try Reading.all(try Fixture(name).bytes, by: DrawingReader.self)
    }

    @Test("every file is detected by its content and read without an error", arguments: Fixture.all(in: "cdx"))
    func fixtures(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        #expect(Format.cdx.sniff(Head(bytes, isWhole: true)) >= .likely)
        #expect(Format.cdxml.sniff(Head(bytes, isWhole: true)) == .no)
        let reading = try Reading.all(bytes, by: DrawingReader.self)
        #expect(reading.errors.isEmpty)
        #expect(reading.records.isEmpty == false)
        let inBlocks = try Reading.all(bytes, by: DrawingReader.self, inBlocksOf: 100)
        #expect(inBlocks.records == reading.records)
    }

    @Test("Base64, an OLE container and a file without a document object contain the same drawing")
    func wrappings() throws {
        let plain = try reading("cdx/methanol.cdx").records
        #expect(try reading("cdx/base64.cdx").records == plain)
        #expect(try reading("cdx/ole-container.cdx").records == plain)
        #expect(try reading("cdx/without-document.cdx").records.first?.molecule?.formula == "CH4O")
    }

    @Test("a charge of four bytes is a fixed-point number")
    func charge() throws {
        #expect(try reading("cdx/charge-fixed-point.cdx").records.first?.molecule?.atoms.first?.charge == -1)
    }

    @Test("text is decoded in the character set of its font, and a UTF-8 copy takes precedence")
    func text() throws {
        #expect(try reading("cdx/text-character-sets.cdx").records.first?.fields["Caption"]?.value == "é °µé")
        #expect(try reading("cdx/text-utf8-copy.cdx").records.first?.fields["Caption"]?.value == "β-")
    }

    @Test("text that starts with a non-ASCII byte is also decoded in the character set of its font")
    func firstByteBeyondASCII() throws {
        let bytes = try Fixture("cdx/text-character-sets.cdx").bytes
        let text: [UInt8] = [0x8E, 0x20, 0xA1, 0xB5, 0xE9]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        let changed = bytes[..<place] + [0x80, 0x20, 0x78, 0x79, 0x7A] + bytes[(place + 5)...]
        let reading = try Reading.all(Array(changed), by: DrawingReader.self)
        #expect(reading.records.first?.fields["Caption"]?.value == "Ä xyz")
    }

    @Test("text is plain if it is the same in every character set and has no unusual line ends")
    func plainText() {
        let isPlain = { (text: [UInt8]) in CDXCharacterSets.isPlain(text.span) }
        #expect([[], [1], [9], [10], [0x41, 0x7F]].allSatisfy(isPlain))
        #expect([[0], [13], [0x80], [0x41, 0xFF]].contains(where: isPlain) == false)
    }

    @Test(
        "a user tag is a number of 8 or 4 bytes, or a text",
        arguments: [
            ([0, 0, 0, 0, 0, 0, 0xF8, 0x3F], "1.5"), ([5, 0, 0, 0], "5"), ([0xFB, 0xFF, 0, 0], "65531"),
            (Array("B-7".utf8), "B-7"), (Array("four".utf8), "four"), (Array("eight888".utf8), "eight888"),
        ] as [([UInt8], Text)])
    func tagValues(data: [UInt8], value: Text) throws {
        let bytes = try Fixture("cdx/names-and-data.cdx").bytes
        let tag: [UInt8] = [0x05, 0x0D, 3, 0, 0x42, 0x2D, 0x37]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: tag) })
        let changed = bytes[..<place] + [0x05, 0x0D, UInt8(data.count), 0] + data + bytes[(place + 7)...]
        let reading = try Reading.all(Array(changed), by: DrawingReader.self)
        #expect(reading.records.first?.fields["Batch"]?.value == value)
    }

    @Test(
        "a flag is set by a nonzero byte or by an empty property",
        arguments: [([0], false), ([1], true), ([], true)]
            as [([UInt8], Bool)])
    func flags(data: [UInt8], isSet: Bool) throws {
        let absolute = [0x01, 0x05, UInt8(data.count), 0] + data
        let page = object(0x8001, 1, object(0x8003, 2, absolute + object(0x8004, 3, [])))
        let reading = try Reading.all(head + page + [0, 0, 0, 0], by: DrawingReader.self)
        #expect(reading.records.first?.molecule?.flags.contains(.chiral) == isSet)
    }

    /// The head of a file up to the properties of its document.
    private let head =
        Array("VjCD0100".utf8) + [4, 3, 2, 1] + [UInt8](repeating: 0, count: 16) + [0, 0x80, 0, 0, 0, 0]

    private func object(_ tag: UInt16, _ id: UInt8, _ content: [UInt8]) -> [UInt8] {
        [UInt8(tag & 0xFF), UInt8(tag >> 8), id, 0, 0, 0] + content + [0, 0]
    }

    @Test("single bytes of Windows-1252 in a UTF-8 copy are decoded with a warning")
    func mixedText() throws {
        let bytes = try Fixture("cdx/text-utf8-copy.cdx").bytes
        let dash = try #require(bytes.lastIndex(of: UInt8(ascii: "-")))
        let reading = try Reading.all(
            bytes.enumerated().map { $0.offset == dash ? 0x96 : $0.element }, by: DrawingReader.self)
        #expect(reading.records.first?.fields["Caption"]?.value == "β–")
        #expect(
            reading.issues.map(\.message) == [
                "UTF8Text: some bytes are not UTF-8; read as Windows-1252"
            ])
    }

    @Test("a truncated file is rejected, or its complete objects are read with a single error")
    func cuts() throws {
        let bytes = try Fixture("cdx/reaction.cdx").bytes
        for length in 0..<(bytes.count - 4) {
            let reading = try Reading.all(Array(bytes[..<length]), by: DrawingReader.self)
            #expect(reading.errors.count == 1, "\(length) bytes")
        }
    }

    @Test("no changed byte crashes the reader")
    func changes() throws {
        for name in ["abbreviation-two-bonds", "reaction", "polymer", "centre-without-wedge"] {
            let bytes = try Fixture("cdx/\(name).cdx").bytes
            for place in bytes.indices {
                for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] where bytes[place] != value {
                    var changed = bytes
                    changed[place] = value
                    let reading = try Reading.all(changed, by: DrawingReader.self)
                    for molecule in reading.records.compactMap(\.molecule) {
                        #expect(molecule.bonds.allSatisfy { $0.from != $0.to && Int($0.to) < molecule.atoms.count })
                    }
                }
            }
        }
    }

    @Test(
        "the property that a symbol represents is read in both byte orders",
        arguments: [(false, [4, 3, 2, 1, 0x21, 4]), (true, [1, 2, 3, 4, 4, 0x21])] as [(Bool, [UInt8])])
    func orders(isBigEndian: Bool, data: [UInt8]) {
        var reading = CDXReading(isBigEndian: isBigEndian)
        guard case .references(let shown)? = reading.value(of: .references, in: data[...]) else {
            Issue.record("expected a represented property")
            return
        }
        #expect(shown.map(\.object) == [0x0102_0304] && shown.map(\.property) == [0x0421])
    }

    @Test("a warning about a binary drawing has no line, but may have a byte offset")
    func placesOfDoubts() throws {
        let issues = try Fixture.all(in: "cdx").flatMap { try Reading.all(try $0.bytes, by: DrawingReader.self).issues }
        #expect(issues.contains { ($0.offset ?? 0) > 0 })
        #expect(issues.allSatisfy { $0.line == 0 })
    }

    @Test("damage is reported with its byte offset")
    func damage() throws {
        let cut = try reading("bad/drawing-cut-in-bond.cdx")
        #expect(cut.records.first?.molecule?.atoms.count == 2)
        #expect(cut.records.first?.molecule?.bonds.isEmpty == true)
        #expect(cut.errors.first?.offset == 147)
        let long = try reading("bad/drawing-length-of-4-gib.cdx")
        #expect(long.errors.first?.expected.contains("claims 4294967295 bytes") == true)
        #expect(
            try reading("bad/drawing-version-unknown.cdx").errors.first?.message
                == "expected version VjCD0100, found \"VjCD0900\"")
        #expect(try reading("bad/drawing-header-only.cdx").records.isEmpty)
        let deep = try reading("bad/drawing-nested-5000.cdx")
        #expect(deep.records.count == 1)
        #expect(deep.errors.first?.expected.contains("more than 4096 deep") == true)
        #expect(
            try reading("bad/drawing-ole-without-drawing.cdx").errors.first?.expected.contains("OLE container") == true)
    }

    @Test("an unreadable property does not change the element of an atom, unless it is the element property")
    func unreadableProperties() throws {
        func elements(_ property: [UInt8]) throws -> [ChemicalElement] {
            let page = object(0x8001, 1, object(0x8003, 2, object(0x8004, 3, property)))
            let reading = try Reading.all(head + page + [0, 0, 0, 0], by: DrawingReader.self)
            return reading.records.first?.molecule?.atoms.map(\.element) ?? []
        }
        let (isotope, element): ([UInt8], [UInt8]) = ([0x20, 0x04, 0, 0], [0x02, 0x04, 0, 0])
        #expect(try elements([]) == [.carbon])
        #expect(try elements(isotope) == [.carbon])
        #expect(try elements(element) == [.none])
    }
}
