import ChemopenModel
import Testing

@testable import ChemopenFormats

@Suite("CDXML")
struct CDXMLTests {
    private func reading(_ name: String) throws -> Reading {
        try Reading.all(try Fixture(name).bytes, by: DrawingReader.self)
    }

    @Test("every file is detected by its content and read without an error", arguments: Fixture.all(in: "cdxml"))
    func fixtures(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        #expect(Format.cdxml.sniff(Head(bytes, isWhole: true)) == .certain)
        #expect(Format.cdx.sniff(Head(bytes, isWhole: true)) == .no)
        let reading = try Reading.all(bytes, by: DrawingReader.self)
        #expect(reading.errors.isEmpty)
        #expect(reading.records.isEmpty == false)
    }

    @Test("a drawing is the same with a trailing comment, which is not plain XML", arguments: Fixture.all(in: "cdxml"))
    func fronts(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes
        let plain = try Reading.all(bytes, by: DrawingReader.self)
        // In UTF-16 a comment has other bytes; such files are never plain.
        let other = try Reading.all(bytes + (bytes.contains(0) ? [] : Array("<!-- -->".utf8)), by: DrawingReader.self)
        #expect(plain.records == other.records)
        #expect(plain.issues == other.issues)
        #expect(plain.errors == other.errors)
        #expect(plain.header == other.header)
    }

    @Test("unknown content is preserved in its original notation, and text is read, in plain XML and in other XML")
    func spelling() throws {
        let text = """
            <CDXML><page id="1"><fragment id="2" Foo="a&lt;&#34;b"><n id="3" p="1 2"><t p="1 2"><s>N&amp;</s><s>x</s></t></n>
            <n id="4" p="&#x31;&#x30;  2.0"/><b B="3" E="4"/><Zz id='5' Z="1"> a <n id="6" p="&#10;"/>
            </Zz></fragment></page></CDXML>
            """
        let plain = try Reading.all(Array(text.utf8), by: DrawingReader.self)
        let other = try Reading.all(Array("\(text)<?end?>".utf8), by: DrawingReader.self)
        #expect(plain.errors.isEmpty && plain.records == other.records && plain.issues == other.issues)
        let molecule = try #require(plain.records.first?.molecule)
        #expect(molecule.atoms.count == 2 && molecule.bonds.count == 1)
        let kept = molecule.extras.contents.verbatim.map(\.text.string)
        #expect(kept.contains("<fragment id=\"2\"> Foo=\"a&lt;&quot;b\""))
        #expect(kept.contains("<fragment id=\"2\"> <Zz id=\"5\" Z=\"1\"> a <n id=\"6\" p=\"\n\"></n></Zz>"))
    }

    @Test("UTF-16 is read, and bytes that are not UTF-8 are read as Windows-1252 with a warning")
    func encodings() throws {
        #expect(try reading("cdxml/utf-16.cdxml").records.first?.molecule?.formula == "CH4O")
        let foreign = try reading("cdxml/windows-1252.cdxml")
        #expect(foreign.records.first?.molecule?.name == "5 µM ’")
        #expect(foreign.issues.map(\.message) == ["the text is not UTF-8; read as Windows-1252"])
    }

    @Test("a short internal entity is expanded")
    func entity() throws {
        #expect(try reading("cdxml/internal-entity.cdxml").records.first?.molecule?.name == "nobody")
    }

    @Test("entities are expanded up to 65536 bytes, and further ones are preserved verbatim")
    func manyEntities() {
        let head = "<!DOCTYPE CDXML [<!ENTITY a \"x\">]>"
        let text = Array((head + String(repeating: "&a;", count: 65538)).utf8)
        let expected = head + String(repeating: "x", count: 65536) + "&a;&a;"
        #expect(InternalEntities.expanded(in: text).text == Array(expected.utf8))
    }

    @Test("a drawing and a list of drawings are detected by their root element", arguments: ["<CDXML/>", "<cdxList/>"])
    func roots(_ root: String) {
        #expect(Format.cdxml.sniff(Head(Array("<?xml version=\"1.0\"?>\n\(root)".utf8), isWhole: true)) == .certain)
    }

    @Test("a list of documents is read as consecutive drawings")
    func list() throws {
        #expect(try reading("cdxml/list-of-documents.cdxml").records.map { $0.molecule?.formula } == ["CH4O", "ClH"])
    }

    @Test("a truncated file is read up to the cut, and a file with crossed tags is rejected")
    func damage() throws {
        let bytes = try Fixture("cdxml/groups-and-pages.cdxml").bytes
        let cut = try Reading.all(Array(bytes.dropLast(20)), by: DrawingReader.self)
        #expect(cut.records.count == 2)
        #expect(cut.errors.count == 1)
        let crossed = try reading("bad/drawing-tags-crossed.cdxml")
        #expect(crossed.records.isEmpty)
        #expect(crossed.errors.count == 1)
    }

    @Test("a bond to a missing atom is dropped and an invalid element becomes a label, with the line in the warning")
    func doubts() throws {
        let bond = try reading("bad/drawing-bond-to-nothing.cdxml")
        #expect(bond.records.first?.molecule?.bonds.count == 1)
        #expect(bond.issues.first?.message == "<b id=\"22\">: a bond to 99, not a node of its fragment; omitted")
        #expect(bond.issues.first?.line == 8)
        let word = try reading("bad/drawing-element-a-word.cdxml")
        #expect(word.records.first?.molecule?.symbol(ofAtom: 1) == "OH")
        #expect(word.records.first?.molecule?.atoms[1].element == ChemicalElement.none)
        #expect(word.issues.map(\.found) == ["oxygen"])
    }

    @Test("misplaced atoms and fragments are read with a warning")
    func outside() throws {
        func messages(_ body: String) throws -> [String] {
            let reading = try Reading.all("<CDXML>\(body)</CDXML>", by: DrawingReader.self)
            #expect(reading.records.compactMap { $0.molecule?.formula } == ["CH4"])
            return reading.issues.map(\.message)
        }
        let node = "<n id=\"3\" p=\"1 1\"/>"
        #expect(try messages("<page id=\"1\"><fragment id=\"2\">\(node)</fragment></page>") == [])
        #expect(
            try messages("<fragment id=\"2\">\(node)</fragment>") == [
                "<fragment id=\"2\">: a fragment outside a page"
            ])
        #expect(
            try messages("<page id=\"1\">\(node)</page>")
                == ["<page id=\"1\">: atoms outside a fragment; read as a molecule"])
    }

    @Test("an id that two fragments of a page share is reported")
    func doubtfulIDs() throws {
        func messages(_ ids: Int...) throws -> [String] {
            let fragments = ids.enumerated().map { place, id in
                "<fragment id=\"\(id)\"><n id=\"\(11 + place)\" p=\"\(place) 1\"/></fragment>"
            }
            let text = "<CDXML><page id=\"1\">\(fragments.joined())</page></CDXML>"
            return try Reading.all(text, by: DrawingReader.self).issues.map(\.message)
        }
        #expect(try messages(2, 3, 4) == [])
        #expect(
            try messages(2, 3, 2) == ["<fragment id=\"2\">: an earlier fragment or group has the same id"])
    }

    @Test("a clipboard picture format is named only if its signature has the right offset")
    func pictures() {
        func name(_ bytes: [UInt8]) -> String? {
            if case .foreign(let name) = DrawingWrapping(of: bytes[...]) { name } else { nil }
        }
        let macintosh: [UInt8] = Array(repeating: 0, count: 522) + [0, 0x11, 2, 0xFF]
        let enhanced: [UInt8] = [1, 0, 0, 0] + Array(repeating: 9, count: 36) + Array(" EMF".utf8)
        for (bytes, expected) in [
            (macintosh, "a Macintosh picture"), ([0xD7, 0xCD, 0xC6, 0x9A], "a Windows metafile"),
            (enhanced, "an enhanced metafile"),
        ] {
            #expect(name(bytes) == expected)
            #expect(name(bytes + [0]) == expected)
            #expect(name([7] + bytes) == nil)
            #expect(name(bytes.dropLast() + [7]) == nil)
            #expect(name(Array(bytes.dropLast())) == nil)
        }
    }
}
