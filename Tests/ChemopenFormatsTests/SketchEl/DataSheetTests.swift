import ChemopenBytes
import ChemopenModel
import TestFolders
import Testing

@testable import ChemopenFormats

/// Returns a sheet with the specified rows.
private func sheet(
    _ rows: String, columns: String = #"<Column id="1" name="S" type="string"/>"#,
    header: String = #"nrows="1" ncols="1""#
) -> String {
    "<DataSheet><Summary><Title/><Description/></Summary><Header \(header)>\(columns)</Header>"
        + "<Content>\(rows)</Content></DataSheet>"
}

private func values(_ text: String) throws -> [[String]] {
    try Reading.all(text, by: DataSheetReader.self).records.map { $0.fields.map { "\($0.column):\($0.value.string)" } }
}

private func doubts(_ text: String) throws -> [String] {
    try Reading.all(text, by: DataSheetReader.self).issues.map(\.message)
}

@Suite("XML DataSheet")
struct DataSheetTests {
    @Test("a sheet is preserved byte for byte, for any block size", arguments: Fixture.all(in: "ds"))
    func stable(_ fixture: Fixture) throws {
        let whole = try Reading.all(try fixture.bytes, by: DataSheetReader.self)
        #expect(whole.errors.isEmpty && whole.issues.isEmpty)
        for size in [1, 7, 64, 1000] {
            let reading = try Reading.all(try fixture.bytes, by: DataSheetReader.self, inBlocksOf: size)
            #expect(reading.records == whole.records)
        }
        var writer = try DataSheetWriter(ByteSink(), WriteOptions())
        try writer.begin(whole.header)
        for record in whole.records { #expect(try writer.write(record).losses.isEmpty) }
        try writer.finish()
        #expect(writer.takeBytes() == (try fixture.bytes))
    }

    @Test("the first molecule column is the subject, values preserve their notation, and an empty cell has no value")
    func columns() throws {
        let reading = try Reading.all(try Fixture("ds/columns.ds").bytes, by: DataSheetReader.self)
        let first = try #require(reading.records.first)
        #expect(reading.header.subjectColumn == 1)
        #expect(first.molecule?.formula == "H2O")
        #expect(first.fields["Count"]?.cell == .integer(7))
        #expect(first.fields["Mass"]?.cell == .real(1.5, spelling: "1.50"))
        #expect(first.fields["Stable"]?.cell == .boolean(true))
        #expect(first.fields["Opaque"]?.cell == .extend("{\"a\":1}"))
        if case .molecule(let salt) = first.fields["Other"]?.cell {
            #expect(salt.formula == "ClNa")
        } else {
            Issue.record()
        }
        #expect(reading.records[1].fields.isEmpty && reading.records[1].subject == .none)
        #expect(reading.records[2].fields["Text"]?.value == "")
        #expect(reading.header.extensions.map(\.content) == ["a=]]>b"])
    }

    @Test("a sparse row contains only its values")
    func sparseRows() throws {
        var columns = ""
        for number in 1...300 { columns += #"<Column id="\#(number)" name="c\#(number)" type="string"/>"# }
        let text = sheet(
            #"<Row id="1"><Cell id="250">x</Cell></Row>"#, columns: columns, header: #"nrows="1" ncols="300""#)
        let reading = try Reading.all(text, by: DataSheetReader.self)
        #expect(reading.records[0].fields.entries.count == 1)
        let writing = try Writing.all(reading.records, by: DataSheetWriter.self, header: reading.header)
        #expect(!writing.string.contains(#"<Cell id="1""#))
    }

    @Test("rows have a cell for every column if there are at most 64, and otherwise only cells with values")
    func fullRows() throws {
        func cells(_ count: Int) throws -> Int {
            var header = SheetHeader()
            header.columns = [Column("Molecule", .molecule)] + (2...count).map { Column(Text("c\($0)")) }
            (header.subjectColumn, header.hasAllColumns) = (0, true)
            var molecule = Molecule()
            molecule.atoms = [Atom(.oxygen)]
            let writing = try Writing.all([Record(molecule)], by: DataSheetWriter.self, header: header)
            return writing.string.split(separator: "<Cell").count - 1
        }
        #expect(try cells(63) == 63)
        #expect(try cells(64) == 64)
        #expect(try cells(65) == 1)
    }

    @Test("a row is copied with its values, in normalized form")
    func copiedRow() throws {
        let row = "<Row id = '1' ><Cell id='1'>a &#60; <![CDATA[b]]></Cell ><Cell id='2'/></Row>"
        #expect(
            try Reading.all(sheet(row), by: DataSheetReader.self).copies.map { String(decoding: $0, as: UTF8.self) }
                == ["<Row id=\"1\">\n<Cell id=\"1\"><![CDATA[a < b]]></Cell>\n<Cell id=\"2\"/>\n</Row>\n"])
    }

    @Test("a wide sheet has no cell for a missing name")
    func namelessRows() throws {
        var header = SheetHeader()
        header.columns = [Column("Molecule", .molecule), Column("Name")]
        header.columns += (1...100).map { Column(Text("c\($0)")) }
        (header.subjectColumn, header.nameColumn, header.hasAllColumns) = (0, 1, true)
        var named = Molecule()
        named.atoms = [Atom(.oxygen)]
        let nameless = Record(named)
        named.name = "water"
        let writing = try Writing.all([nameless, Record(named)], by: DataSheetWriter.self, header: header)
        #expect(
            writing.string.split(separator: "<Row").dropFirst().map { $0.contains("<Cell id=\"2\"") } == [false, true])
    }

    @Test("bytes that are invalid in the encoding of the file end the sheet, at any position")
    func brokenEncoding() throws {
        let declaration = #"<?xml version="1.0" encoding="UTF-7"?>"#
        for text in ["<DataSheet><Summary><Title>a\\0</Title>", "<DataSheet><Summary/><Extension>\\0020"] {
            #expect(throws: ReadError.self) { try Reading.all(declaration + text, by: DataSheetReader.self) }
        }
    }

    @Test("the text in a molecule column ends with a line end, and an empty molfile is not a value")
    func moleculeCells() throws {
        var header = SheetHeader()
        header.columns = [Column("Molecule", .molecule), Column("Other", .molecule)]
        (header.subjectColumn, header.hasAllColumns) = (0, true)
        var record = Record(Molecule())
        record.fields.columns = header.columns
        record.fields.append(column: 1, Array("SketchEl!(0,0)\n!End".utf8)[...])
        let writing = try Writing.all([record], by: DataSheetWriter.self, header: header)
        #expect(writing.string.contains("<Cell id=\"1\"/>\n<Cell id=\"2\"><![CDATA[SketchEl!(0,0)\n!End\n]]></Cell>"))
    }

    @Test("if structures are skipped, rows have their other values")
    func withoutStructures() throws {
        var options = ReadOptions()
        options.skipsStructures = true
        let reading = try Reading.all(try Fixture("ds/columns.ds").bytes, by: DataSheetReader.self, options)
        #expect(reading.records.count == 3)
        #expect(reading.records[0].molecule?.atoms.isEmpty == true)
        #expect(reading.records[0].fields["Count"]?.cell == .integer(7))
        // Structures in other columns are read, because conditions may use them.
        let whole = try Reading.all(try Fixture("ds/columns.ds").bytes, by: DataSheetReader.self)
        #expect(reading.records.map { $0.fields.map(\.value) } == whole.records.map { $0.fields.map(\.value) })
    }

    @Test("cells are assigned by their ids, in any order")
    func cellOrder() throws {
        let columns = #"<Column id="2" name="B" type="string"/><Column id="1" name="A" type="string"/>"#
        let rows = #"<Row id="1"><Cell id="2">b</Cell><Cell id="1">a</Cell></Row>"#
        let text = sheet(rows, columns: columns, header: #"ncols="2""#)
        #expect(try values(text) == [["0:a", "1:b"]])
        #expect(try Reading.all(text, by: DataSheetReader.self).header.columns.map(\.name) == ["A", "B"])
    }

    @Test("parts may be in any order, even after the rows")
    func partsOutOfOrder() throws {
        let text =
            #"<DataSheet><Content><Row id="1"><Cell id="1">x</Cell></Row></Content>"#
            + #"<Header ncols="1"><Column id="1" name="S" type="string"/></Header><Summary><Title>T</Title></Summary></DataSheet>"#
        for size in [1, 50, 4096] {
            let reading = try Reading.all(Array(text.utf8), by: DataSheetReader.self, inBlocksOf: size)
            #expect(reading.header.title == "T")
            #expect(reading.records.map { $0.fields.map(\.value) } == [["x"]])
        }
    }

    @Test("a file on disk with parts after its rows, or without some parts, has the same result as in memory")
    func partsOutOfOrderOnDisk() throws {
        let rows = #"<Content><Row id="1"><Cell id="1">x</Cell></Row><Row id="3"/></Content>"#
        let header = #"<Header nrows="2" ncols="1"><Column id="1" name="S" type="string"/></Header>"#
        let summary = "<Summary><Title>T</Title></Summary>"
        let folder = try TestFolder()
        for parts in [header + rows, rows + header, header + rows + summary, summary + rows + header] {
            let text = "<DataSheet>\(parts)</DataSheet>"
            let path = try folder.put(text, at: "a.ds")
            let reading = try Reading.all(from: ByteSource(path: path), by: DataSheetReader.self)
            #expect(reading == (try Reading.all(text, by: DataSheetReader.self)))
            #expect(reading.records.count == 2)
        }
    }

    @Test("every kind of line end becomes LF, except a character reference")
    func lineEnds() throws {
        let text = sheet("<Row id=\"1\"><Cell id=\"1\"><![CDATA[a\r\nb\rc]]>&#13;d\r\n</Cell></Row>")
        for size in 1...40 {
            let reading = try Reading.all(Array(text.utf8), by: DataSheetReader.self, inBlocksOf: size)
            #expect(reading.records[0].fields[0].value == "a\nb\nc\rd\n")
        }
    }

    @Test("a value that XML cannot contain directly is escaped and read back")
    func awkwardValues() throws {
        var record = Record()
        record.fields.append("S", "]]> <a> & \r end]]>")
        var header = SheetHeader()
        header.columns = [Column("S")]
        let writing = try Writing.all([record], by: DataSheetWriter.self, header: header)
        #expect(try values(writing.string) == [["1:]]> <a> & \r end]]>"]])
        record = Record()
        record.fields.append("S", "bell\u{7}")
        record.fields.append("S", "again")
        record.fields.append("T", "new")
        let losses = try Writing.all([record], by: DataSheetWriter.self, header: header).losses
        #expect(losses.map(\.feature) == [.repeatedFields, .fields, .unknown])
    }

    @Test("a value with another type than its column is reported and preserved as text")
    func misfits() throws {
        let columns = #"<Column id="1" name="I" type="integer"/><Column id="2" name="M" type="molecule"/>"#
        let rows = #"<Row id="1"><Cell id="1">5.7</Cell><Cell id="2">SketchEl!(9,9)</Cell></Row>"#
        let text = sheet(rows, columns: columns, header: #"ncols="2""#)
        #expect(try values(text) == [["0:5.7", "1:SketchEl!(9,9)"]])
        #expect(try doubts(text).count == 2)
    }

    @Test("a molecule cell may contain a molfile")
    func molfileInCell() throws {
        let molfile = "\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    1.0000    0.0000 O   0  0\nM  END\n"
        let text = sheet(
            "<Row id=\"1\"><Cell id=\"1\">\(molfile)</Cell></Row>",
            columns: #"<Column id="1" name="M" type="molecule"/>"#)
        var options = ReadOptions()
        options.formats = [Format.molfile]
        #expect(try Reading.all(text, by: DataSheetReader.self, options).records[0].molecule?.formula == "H2O")
    }

    @Test("a wrong row count is reported, and all rows are read")
    func wrongCount() throws {
        let text = sheet(#"<Row id="1"/><Row id="2"/>"#, header: #"nrows="7" ncols="1""#)
        #expect(try values(text) == [[], []])
        #expect(try doubts(text) == ["nrows is 7, but there are 2 rows"])
    }

    @Test("the rows before an error are read, and the error has its line")
    func brokenXML() throws {
        let reading = try Reading.all(sheet("<Row id=\"1\"/>\n<Row id=\"2\"></Cell></Row>"), by: DataSheetReader.self)
        #expect(reading.records.count == 1)
        #expect(reading.errors.map(\.record) == [2])
        #expect(reading.errors.map(\.line) == [2])
    }

    @Test(
        "external entities are never loaded, and nested entities are not expanded",
        arguments: [
            "<!DOCTYPE DataSheet [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>",
            "<!DOCTYPE DataSheet SYSTEM \"http://192.0.2.1/a\">",
            "<!DOCTYPE DataSheet [<!ENTITY a \"&b;&b;\"><!ENTITY b \"&c;&c;\"><!ENTITY c \"lol\">]>",
        ])
    func hostileEntities(_ documentType: String) throws {
        let text = documentType + sheet("<Row id=\"1\"><Cell id=\"1\">&a;</Cell></Row>")
        let reading = try Reading.all(text, by: DataSheetReader.self)
        #expect(reading.records.isEmpty)
        #expect(reading.errors.count == 1)
    }

    @Test("a short text entity is expanded, up to a limit")
    func plainEntities() throws {
        let documentType =
            "<!DOCTYPE DataSheet [<!ENTITY mu \"&#181;\"><!ENTITY long \"\(String(repeating: "x", count: 250))\">]>"
        #expect(try values(documentType + sheet("<Row id=\"1\"><Cell id=\"1\">&mu;m</Cell></Row>")) == [["0:µm"]])
        let many = String(repeating: "&long;", count: 300)
        let reading = try Reading.all(
            documentType + sheet("<Row id=\"1\"><Cell id=\"1\">\(many)</Cell></Row>"), by: DataSheetReader.self)
        #expect(reading.records.isEmpty)
    }

    @Test("twenty thousand nested elements are rejected")
    func depth() throws {
        let rows = String(repeating: "<a>", count: 20_000) + String(repeating: "</a>", count: 20_000)
        #expect(try Reading.all(sheet(rows), by: DataSheetReader.self).errors.count == 1)
    }

    @Test("a tag with a hundred thousand attributes is rejected early")
    func crowdedTag() throws {
        let attributes = (0..<100_000).map { " a\($0)=\"\"" }.joined()
        let reading = try Reading.all(
            sheet("<Row id=\"1\"/>\n<Row\(attributes)/>"), by: DataSheetReader.self, inBlocksOf: 64 * 1024)
        #expect(reading.records.count == 1)
        #expect(reading.errors.count == 1)
        #expect(reading.errors.first?.expected.contains("a tag with more than 10000 attributes") == true)
    }

    @Test(
        "a sheet without its required parts is rejected",
        arguments: ["<Other/>", "", "<DataSheet/>", "<DataSheet><Content/></DataSheet>", "{\"title\":1}"])
    func noSheet(_ text: String) {
        #expect(throws: ReadError.self) { try Reading.all(text, by: DataSheetReader.self) }
    }

    @Test("a sheet is detected by its root element, in any encoding and after a document type")
    func sniffing() {
        var utf16: [UInt8] = [0xFF, 0xFE]
        for letter in "<?xml version='1.0'?><DataSheet/>".utf8 { utf16 += [letter, 0] }
        let texts: [[UInt8]] = [
            utf16, Array("\u{FEFF}<!-- <a> --><!DOCTYPE x [<!ENTITY y '>'>]>\n<d:DataSheet>".utf8),
            Array("<DataSheets>".utf8),
            Array("text <DataSheet>".utf8),
        ]
        let found = texts.map { Format.dataSheet.sniff(Head($0, isWhole: true)) }
        #expect(found == [.certain, .certain, .no, .no])
    }

    @Test("a column added to the text of a sheet follows the columns in its header")
    func addedColumn() throws {
        let bytes = try Fixture("ds/experiment.ds").bytes
        let taken = SheetText(bytes.span)
        let sheet = try #require(taken)
        #expect(sheet.columnCount == 10 && sheet.rows.count == 3)
        let head = String(decoding: sheet.head(of: bytes, adding: [Column("Note")], rows: 1), as: UTF8.self)
        #expect(head.contains("<Header nrows=\"4\" ncols=\"11\">"))
        #expect(head.contains("<Column id=\"11\" name=\"Note\""))
    }

    @Test("a part after the rows is read with a warning")
    func partBehindRows() throws {
        let text = sheet("<Row id=\"1\"><Cell id=\"1\">x</Cell></Row>").replacing(
            "</DataSheet>", with: "<Extension><Ext name=\"a\" type=\"b\">c</Ext></Extension></DataSheet>")
        #expect(try doubts(text) == ["a part of the sheet follows its rows"])
    }
}
