import ChemopenBytes
import ChemopenModel
import Testing

@testable import ChemopenFormats

private let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <DataSheet><Summary><Title/><Description/></Summary>
    <Header nrows="3" ncols="2">
    <Column id="1" name="Molecule" type="molecule"/>
    <Column id="2" name="S" type="string"/>
    </Header>
    <Content>

    """

/// Returns a sheet of three rows with the specified row in the middle.
private func sheet(_ middle: String) -> String {
    head + row(1, "<![CDATA[first]]>") + middle + row(3, "third") + "</Content></DataSheet>\n"
}

private func row(_ number: Int, _ value: String) -> String {
    let molecule = "SketchEl!(1,0)\nC=0.0000,0.0000;0,0,i4\n!End\n"
    return "<Row id=\"\(number)\">\n<Cell id=\"1\"><![CDATA[\(molecule)]]></Cell>\n"
        + "<Cell id=\"2\">\(value)</Cell>\n</Row>\n"
}

private func values(_ text: String) throws -> [String] {
    try values(Array(text.utf8))
}

private func values(_ text: [UInt8], inBlocksOf size: Int? = nil) throws -> [String] {
    let reading = try Reading.all(text, by: DataSheetReader.self, inBlocksOf: size)
    #expect(reading.errors.isEmpty && reading.issues.isEmpty)
    return reading.records.map { $0.fields["S"]?.value.string ?? "none" }
}

@Suite("Rows in common and other notations")
struct PlainRowTests {
    @Test(
        "a row has the same content in every XML notation, and so do its neighbors",
        arguments: [
            ("<![CDATA[a<b]]>", "a<b"), ("a&lt;b", "a<b"), ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
            ("<![CDATA[a]>b]]>", "a]>b"), ("a<!-- -->b", "ab"), ("<!-- </Row> -->b", "b"), ("a\r\nb\rc", "a\nb\nc"),
            ("<![CDATA[a\r\nb]]>", "a\nb"), ("a<![CDATA[</Row>]]>", "a</Row>"), ("<![CDATA[]]>", ""), ("", "none"),
            ("<![CDATA[ü\u{2028}\u{FF21}]]>", "ü\u{2028}\u{FF21}"), ("ü > b", "ü > b"), ("a&#x41;<?b c?>", "aA"),
            ("\t \n", "\t \n"),
        ])
    func spellings(_ spelling: String, _ value: String) throws {
        #expect(try values(sheet(row(2, spelling))) == ["first", value, "third"])
    }

    @Test("rows with other spaces, quotation marks and attribute order have the same content")
    func tags() throws {
        let rows = [
            "<Row id='2'><Cell id='2'>x</Cell></Row>", "<Row  id=\"2\" >\n<Cell id=\"2\" >x</Cell ></Row >",
            "<Row id=\"2\"><Cell id=\"2\"><![CDATA[x]]></Cell><Cell id=\"1\"/></Row>",
            "<Row a=\"b\" id=\"2\">\r\n   <Cell id=\"2\" a=\"b\">x</Cell></Row>",
            "<x:Row id=\"2\"><Cell id=\"2\">x</Cell></x:Row>",
            String(repeating: " ", count: 100) + "<Row id=\"2\"><Cell id=\"1\"></Cell><Cell id=\"2\">x</Cell></Row>",
        ]
        for row in rows { #expect(try values(sheet(row)) == ["first", "x", "third"]) }
    }

    @Test("a thousand rows are the same in common or other notation, for any block size")
    func manyRows() throws {
        var plain = head
        var other = head
        for number in 1...1000 {
            let value = String(repeating: "[1]\n", count: number % 97)
            plain += row(number, "<![CDATA[\(value)]]>")
            other += row(number, number % 3 == 0 ? "<![CDATA[\(value)]]>" : "<!---->\(value)")
        }
        plain += "</Content></DataSheet>"
        other += "</Content></DataSheet>"
        let whole = try Reading.all(plain, by: DataSheetReader.self)
        #expect(whole.errors.isEmpty && whole.records.count == 1000)
        for size in [nil, 100, 5000] {
            for text in [plain, other] {
                let reading = try Reading.all(Array(text.utf8), by: DataSheetReader.self, inBlocksOf: size)
                #expect(reading.issues == whole.issues)
                #expect(reading.places.map(\.line) == whole.places.map(\.line))
                let starts = text.ranges(of: "<Row ").map {
                    text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
                }
                #expect(reading.places.map(\.offset) == starts)
                // A cell without text has no value, except a cell with an empty section.
                for (one, two) in zip(reading.records, whole.records) {
                    #expect(one.molecule == two.molecule)
                    #expect((one.fields["S"]?.value ?? "") == (two.fields["S"]?.value ?? ""))
                }
            }
        }
    }

    @Test("an error after many rows is reported with its line")
    func lines() throws {
        var text = head
        for number in 1...500 { text += row(number, "<![CDATA[a\nb]]>") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        let doubtful = try Reading.all(
            text + "<Row id=\"501\">\n<Cell id=\"9\">x</Cell></Row></Content></DataSheet>", by: DataSheetReader.self)
        #expect(doubtful.issues.first?.line == lines + 1)
        #expect(doubtful.issues.first?.message == "ignored a cell with an id that no column has")
        let broken = try Reading.all(text + "<Row id=\"501\">\n\n<Cell id=\"2\">x</Row>", by: DataSheetReader.self)
        #expect(broken.records.count == 500)
        #expect(broken.errors.first?.line == lines + 2 && broken.errors.first?.record == 501)
    }

    @Test(
        "invalid XML is rejected at any position",
        arguments: [
            "a]]>b", "a&b", "<![CDATA[a\u{1}b]]>", "a\u{1}b", "a<b", "<![CDATA[\u{FFFE}]]>", "\u{FFFF}", "</Row>",
        ])
    func noXML(_ value: String) throws {
        let reading = try Reading.all(sheet(row(2, value)), by: DataSheetReader.self)
        #expect(reading.errors.count == 1 && reading.records.count == 1)
    }

    @Test("invalid UTF-8 is rejected in a common row")
    func noUTF8() throws {
        for bad: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
            var text = Array(head.utf8) + Array(row(1, "<![CDATA[a").utf8).dropLast(15) + bad
            text += Array("]]></Cell></Row></Content></DataSheet>".utf8)
            let reading = try Reading.all(text, by: DataSheetReader.self)
            #expect(reading.errors.count == 1 && reading.records.isEmpty)
        }
    }

    @Test("rows in another encoding than UTF-8 are decoded")
    func otherEncodings() throws {
        let text = sheet(row(2, "<![CDATA[\u{E9}]]>")).replacing("UTF-8", with: "ISO-8859-1")
        let reading = try Reading.all(text.unicodeScalars.map { UInt8($0.value) }, by: DataSheetReader.self)
        #expect(reading.records.map { $0.fields["S"]?.value.string } == ["first", "é", "third"])
    }

    @Test(
        "rows have the same content for every declaration, encoding and block size",
        arguments: [
            "", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8' ?>",
            "<?xml version=\"1.0\" encoding = \"UTF8\"?>", "<?xml version=\"1.0\" standalone=\"yes\"?>\n<!-- ?> -->",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml version='1.0'\nencoding='latin1'?>",
            "<?xml version=\"1.0\" encoding=\"windows-1252\"?>", "<?xml-stylesheet encoding=\"latin1\"?>", "\n \n",
            "<!DOCTYPE DataSheet>", "<!DOCTYPE DataSheet [<!ATTLIST Cell kind CDATA \"&lt;\">]>",
        ])
    func declarations(_ declaration: String) throws {
        let text = declaration + sheet(row(2, "<![CDATA[\u{E9}]]>")).drop { $0 != "\n" }
        let isLatin =
            ["latin1?", "8859", "1252"].contains { declaration.contains($0) } || declaration.contains("latin1'")
        let bytes = isLatin ? text.unicodeScalars.map { UInt8($0.value) } : Array(text.utf8)
        var encoded = [bytes]
        if !declaration.contains("encoding=") && !declaration.contains("encoding =") {
            encoded.append([0xEF, 0xBB, 0xBF] + bytes)
            encoded.append([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
            encoded.append([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        }
        for bytes in encoded {
            for size in [nil, 1, 7, 100, 500] {
                #expect(try values(bytes, inBlocksOf: size) == ["first", "é", "third"])
            }
        }
    }

    @Test(
        "a row inside a comment, an instruction or a section is ignored, for any block size",
        arguments: [
            ("<!--", "-->"), ("<?a ", "?>"), ("<![CDATA[", "]]>"), ("<![CDATA[>", "]]>"), ("]<![CDATA[\n", "]]>"),
        ])
    func lookalikes(_ start: String, _ end: String) throws {
        let lookalike = start + "<Row id=\"9\">\n<Cell id=\"2\">x</Cell>\n</Row>\n" + end
        let text = Array(sheet(lookalike + row(2, "second")).utf8)
        for size in 1...text.count { #expect(try values(text, inBlocksOf: size) == ["first", "second", "third"]) }
    }

    @Test("a default attribute of a document type applies to every row")
    func defaults() throws {
        let text = "<!DOCTYPE DataSheet [<!ATTLIST Cell id CDATA \"2\">]>" + sheet(row(2, "second")).dropFirst(38)
        let added = text.replacing("<Cell id=\"2\">", with: "<Cell>")
        #expect(added != text)
        #expect(try values(added) == ["first", "second", "third"])
    }

    @Test("an internal entity is expanded between tags, and rejected in an attribute with its line")
    func entities() throws {
        let type = "<!DOCTYPE DataSheet [<!ENTITY two \"2\">]>"
        #expect(try values(type + sheet(row(2, "&two;&two;")).dropFirst(38)) == ["first", "22", "third"])
        let rows = "<Row id=\"2\">\n<Cell\n id=\"&two;\"\n>x</Cell></Row>"
        let text = type + sheet(rows).dropFirst(38)
        let reading = try Reading.all(text, by: DataSheetReader.self)
        let lines = text.prefix(upTo: try #require(text.range(of: "&two;")).lowerBound).count { $0 == "\n" }
        #expect(reading.records.count == 1 && reading.errors.count == 1)
        #expect(reading.errors.first?.line == lines + 1)
        #expect(
            reading.errors.first?.expected
                == "well-formed XML: entity 'two' is in an attribute, where entities are not supported")
    }

    @Test("the byte 0x80 in ASCII text is written as its character, not as a byte")
    func firstByteBeyondASCII() {
        var text = XMLText()
        var output: [UInt8] = []
        text.appendEscaped([0x41, 0x80], to: &output)
        #expect(String(validating: output, as: UTF8.self) == "A€")
    }
}
