import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

@Suite("Records of an SD file")
struct SDfileRecordTests {
    /// Returns a record of one carbon with the specified lines after `M  END`.
    private func record(_ title: String = "one", _ data: String...) -> String {
        V2000.molfile(title: title) + data.map { $0 + "\n" }.joined()
    }

    /// Reads the only record of a file with the specified lines between `M  END` and `$$$$`.
    private func reading(_ data: String...) throws -> ReadRecord {
        try read(V2000.molfile() + data.map { $0 + "\n" }.joined() + "$$$$\n", as: .sdfile)
    }

    private func pairs(_ reading: ReadRecord) -> [String] {
        reading.record.fields.map { "\($0.name)=\($0.value)" }
    }

    // Headers.

    @Test(
        "the name in a header is between the first < and the last >",
        arguments: [
            ("> <x>", "x"), (">  <x>", "x"), ("><x>", "x"), (">  <x> (7)", "x"), ("> (MD-08974) <x> DT12", "x"),
            ("> 25 <x>", "x"),
            ("> <a>b>", "a>b"), ("> <a<b>", "a<b"), ("> < a b >", " a b "), ("> <Ünï>", "Ünï"),
            ("> <x> FROM ARCHIVES", "x"),
            (">  DT12", "DT12"), ("> 25", "25"), ("> DT12 (MD-1)", "DT12"), ("> <DT1>", "DT1"), (">\t<x>", "x"),
        ])
    func headers(header: String, name: String) throws {
        let reading = try reading(header, "v", "", "> <next>", "w", "")
        #expect(pairs(reading) == ["\(name)=v", "next=w"])
        #expect(reading.doubtfulLines == [])
    }

    @Test(
        "a header with more than the name is preserved completely",
        arguments: [">  <x> (7)", "> (MD-08974) <x> DT12", "> 25 <x>", "> DT12"])
    func keptHeaders(header: String) throws {
        #expect(try reading(header, "v", "").record.fields.first?.header == Text(header))
    }

    @Test("a usual header is not stored", arguments: ["> <x>", ">  <x>", "><x>"])
    func usualHeaders(header: String) throws {
        #expect(try reading(header, "v", "").record.fields.first?.header == nil)
    }

    @Test("a header without a name still has a field")
    func namelessHeaders() throws {
        let empty = try reading("> <>", "v", "", "> <next>", "w", "")
        #expect(pairs(empty) == ["=v", "next=w"])
        let none = try reading(">", "v", "", "> <next>", "w", "")
        #expect(none.record.fields.map(\.value) == ["v", "w"])
        #expect(none.doubtfulLines == [7])
    }

    @Test("a header broken over two lines is reported, and all of its text is preserved")
    func brokenHeader() throws {
        let reading = try reading(">  <ID", "foo>", "v", "", "> <next>", "w", "")
        #expect(reading.record.fields.count == 2)
        #expect(reading.record.fields.first?.value == "foo>\nv")
        #expect(reading.record.fields["next"]?.value == "w")
        #expect(reading.doubtfulLines == [7])
    }

    @Test("names are case-sensitive, and repeated fields are preserved in order")
    func names() throws {
        let reading = try reading("> <id>", "1", "", "> <ID>", "2", "", "> <id>", "3", "", "> <id>", "1", "")
        #expect(pairs(reading) == ["id=1", "ID=2", "id=3", "id=1"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("the fields of a file share their columns, in order of appearance")
    func columns() throws {
        let text =
            record("a", "> <x>", "1", "", "> <y>", "2", "", "$$$$")
            + record("b", "> <z>", "3", "", "> <x>", "4", "", "$$$$")
        let outcomes = try readAll(text)
        #expect(outcomes.map { $0.reading?.record.fields.map(\.column) } == [[0, 1], [2, 0]])
        #expect(outcomes[1].reading?.record.fields.columns.map(\.name) == ["x", "y", "z"])
    }

    @Test("a field with the name NAME is not a title")
    func nameField() throws {
        let reading = try read(V2000.molfile(title: "") + "> <NAME>\nben\n\n$$$$\n", as: .sdfile)
        #expect(reading.molecule.name == "")
        #expect(pairs(reading) == ["NAME=ben"])
    }

    // Values.

    @Test("a value ends at the first empty line, and a line of spaces is not empty")
    func blankLines() throws {
        let reading = try reading("> <x>", "a", "   ", "b", " ", "", "> <y>", "c", "")
        #expect(pairs(reading) == ["x=a\n   \nb\n ", "y=c"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("a value that consists of a line of spaces preserves them")
    func blanksOnly() throws {
        #expect(pairs(try reading("> <x>", "  ", "", "> <y>", "\t", "")) == ["x=  ", "y=\t"])
    }

    @Test("a value may be empty, followed by one or two empty lines")
    func emptyValues() throws {
        let reading = try reading("> <x>", "", "> <y>", "", "", "> <z>", "1", "")
        #expect(pairs(reading) == ["x=", "y=", "z=1"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("leading and trailing spaces are part of the value")
    func blanksAroundValues() throws {
        #expect(pairs(try reading("> <x>", "  a  ", "\tb\t", "")) == ["x=  a  \n\tb\t"])
    }

    @Test("a line that starts with > inside a value is data, even the first")
    func greaterInValue() throws {
        let reading = try reading("> <x>", "> <no header>", "b", "> <c>", "d", "", "> <y>", "> 5 mM", "")
        #expect(pairs(reading) == ["x=> <no header>\nb\n> <c>\nd", "y=> 5 mM"])
        #expect(reading.doubtfulLines == [])
    }

    @Test("long lines are read completely")
    func longLines() throws {
        let long = String(repeating: "0123456789", count: 20_000)
        #expect(try reading("> <x>", long, long, "").record.fields.first?.value == Text(long + "\n" + long))
    }

    @Test("a record may have no data, or empty lines before the data")
    func noData() throws {
        #expect(try reading().record.fields.isEmpty)
        #expect(try reading("").record.fields.isEmpty)
        #expect(pairs(try reading("", "", "> <x>", "1", "")) == ["x=1"])
    }

    @Test("a record may have fields and no atoms")
    func noStructure() throws {
        let text = lines("", "", "", "  0  0  0  0  0  0            999 V2000", "M  END", "> <x>", "1", "", "$$$$")
        let reading = try read(text, as: .sdfile)
        #expect(reading.atoms.isEmpty)
        #expect(pairs(reading) == ["x=1"])
        #expect(reading.doubtfulLines == [])
    }

    // Separators.

    @Test(
        "$$$$ ends a record on its own, or if a space and any text follow",
        arguments: ["$$$$", "$$$$   ", "$$$$ end", "$$$$\t"])
    func separators(separator: String) throws {
        let outcomes = try readAll(
            record("a", separator) + record("b", "> <x>", "1", "", separator) + record("c", separator))
        #expect(outcomes.map(\.title) == ["a", "b", "c"])
        #expect(outcomes.allSatisfy { $0.reading?.doubtfulLines == [] })
    }

    @Test("$$$$100 is not a separator")
    func noSeparator() throws {
        let reading = try reading("> <price>", "$$$$100", "$$$$$", " $$$$", "", "> <y>", "1", "")
        #expect(pairs(reading) == ["price=$$$$100\n$$$$$\n $$$$", "y=1"])
    }

    @Test("a missing empty line does not affect the next record")
    func forgottenEmptyLine() throws {
        let outcomes = try readAll(record("a", "> <x>", "1", "$$$$") + record("b", "> <x>", "2", "$$$$"))
        #expect(outcomes.map(\.title) == ["a", "b"])
        #expect(outcomes.map { $0.reading.map(pairs) } == [["x=1"], ["x=2"]])
        #expect(outcomes[0].reading?.doubtfulLines == [9])
    }

    @Test("a line of spaces instead of an empty line does not affect the next record")
    func blankInsteadOfEmpty() throws {
        let outcomes = try readAll(record("a", "> <x>", "1", " ", "$$$$") + record("b", "> <x>", "2", " ", "$$$$"))
        #expect(outcomes.map(\.title) == ["a", "b"])
        #expect(outcomes.map { $0.reading?.record.fields.count } == [1, 1])
    }

    @Test("$$$$ in a value is data if no record follows it")
    func separatorInValue() throws {
        let outcomes = try readAll(
            record("a", "> <x>", "before", "$$$$", "behind", "", "> <y>", "2", "", "$$$$") + record("b", "$$$$"))
        #expect(outcomes.map(\.title) == ["a", "b"])
        #expect(outcomes[0].reading.map(pairs) == ["x=before\n$$$$\nbehind", "y=2"])
        let only = try readAll(record("a", "> <x>", "$$$$", "", "> <y>", "2", "", "$$$$") + record("b", "$$$$"))
        #expect(only.map(\.title) == ["a", "b"])
        #expect(only[0].reading.map(pairs) == ["x=$$$$", "y=2"])
    }

    @Test("the last $$$$ may be missing")
    func lastSeparator() throws {
        #expect(try readAll(record("a", "$$$$") + record("b")).map(\.title) == ["a", "b"])
        let withData = try readAll(record("a", "$$$$") + record("b", "> <x>", "1"))
        #expect(withData.map(\.title) == ["a", "b"])
        #expect(withData[1].reading.map(pairs) == ["x=1"])
        let cut = try readAll(String((record("a", "$$$$") + record("b", "> <x>", "1", "", "$$$$")).dropLast()))
        #expect(cut.map(\.title) == ["a", "b"])
    }

    @Test(
        "white space, NUL and Ctrl-Z after the last $$$$ are not a record",
        arguments: ["", "\n", "\n\n\n", "  \n\t\n", "\0\0\0", "\u{1A}", "\r\n\u{1A}\r\n"])
    func endOfFile(rest: String) throws {
        #expect(
            try readAll(record("a", "$$$$") + record("b", "> <x>", "1", "", "$$$$") + rest).map(\.title) == ["a", "b"])
    }

    @Test("the title, the program line and the comment may all be blank")
    func blankHeader() throws {
        let outcomes = try readAll(record("a", "$$$$") + record("", "$$$$") + record("c", "$$$$"))
        #expect(outcomes.map(\.title) == ["a", "", "c"])
        #expect(outcomes.allSatisfy { $0.reading?.issues.isEmpty == true })
    }

    @Test("a title may look like a data header")
    func titleLikeHeader() throws {
        #expect(try readAll(record("> <x>", "$$$$") + record("b", "$$$$")).map(\.title) == ["> <x>", "b"])
    }

    @Test("a record has its number, first line, offset and length")
    func places() throws {
        let records = [record("a", "$$$$"), record("b", "> <x>", "1", "", "$$$$"), record("c")]
        let outcomes = try readAll(records.joined())
        let places = outcomes.compactMap { $0.reading?.place }
        #expect(places.map(\.record) == [1, 2, 3])
        #expect(places.map(\.line) == [1, 8, 18])
        #expect(places.map(\.offset) == [0, records[0].utf8.count, (records[0] + records[1]).utf8.count])
        #expect(places.map(\.length) == records.map(\.utf8.count))
        #expect(places.map(\.version) == ["V2000", "V2000", "V2000"])
    }

    @Test("the bytes of the records form the complete file")
    func copies() throws {
        let text =
            record("a", "$$$$ x") + record("b", "> <x>", "1", "$$$$") + "broken\n$$$$\n"
            + record("c", "> <x>", "$$$$", "", "$$$$")
        for blockSize in [1, 7, 64, 1000] {
            var reader = try SDfileReader(ByteSource(inBlocksOf: blockSize, Array(text.utf8)), ReadOptions())
            var bytes: [UInt8] = []
            var isOpen = true
            while isOpen {
                var record = Record()
                do throws(ReadError) { isOpen = try reader.read(into: &record) } catch {}
                if isOpen { reader.copyRecordBytes(to: &bytes) }
            }
            #expect(Text(bytes: bytes).string == text)
        }
    }

    @Test("S  SKP can skip $$$$")
    func skip() throws {
        let text =
            V2000.molfile(
                title: "a", properties: ["S  SKP  3", "other program", "$$$$", "M  END", "M  CHG  1   1   1"])
            + "> <x>\n1\n\n$$$$\n" + record("b", "$$$$")
        for blockSize in [1, 50, 4096] {
            let outcomes = try readAll(text, inBlocksOf: blockSize)
            #expect(outcomes.map(\.title) == ["a", "b"])
            #expect(outcomes[0].reading?.atoms.first?.charge == 1)
            #expect(outcomes[0].reading.map(pairs) == ["x=1"])
            #expect(outcomes[1].reading?.place.record == 2)
        }
    }

    @Test("S  SKP beyond the end of the file skips no line and loses no record")
    func hugeSkip() throws {
        let text =
            V2000.molfile(title: "a", properties: ["S  SKP999"]) + "> <x>\n1\n\n$$$$\n" + record("b", "$$$$")
            + record("c", "$$$$")
        for blockSize in [1, 50, 4096] {
            let outcomes = try readAll(text, inBlocksOf: blockSize)
            #expect(outcomes.map(\.title) == ["a", "b", "c"])
            #expect(outcomes[0].reading?.doubtfulLines == [6])
            #expect(outcomes[0].reading.map(pairs) == ["x=1"])
            #expect(outcomes.map { $0.reading?.place.line } == [1, 12, 19])
        }
    }

    @Test("records of both versions can be in the same file")
    func mixedVersions() throws {
        let v3000 = lines(
            "three", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB", "M  V30 COUNTS 1 0 0 0 0",
            "M  V30 BEGIN ATOM", "M  V30 1 N 0 0 0 0", "M  V30 END ATOM", "M  V30 END CTAB", "M  END", "$$$$")
        let outcomes = try readAll(record("a", "$$$$") + v3000 + record("c", "$$$$"))
        #expect(outcomes.map(\.title) == ["a", "three", "c"])
        #expect(outcomes.map { $0.reading?.place.version } == ["V2000", "V3000", "V2000"])
    }

    @Test("if structures are skipped, titles and fields are still read, and the same records are valid")
    func withoutStructures() throws {
        let table = """
              2  1  0  0  0  0  0  0  0  0999 V2000
                1.0000    2.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
               -1.0000    2.0000    0.0000 Cl  0  0  1  0  0  0  0  0  0  0  0  0
              1  2  1  0  0  0  0
            M  CHG  1   1   1
            M  END
            """
        var broken = table
        broken.replace("   -1.0000", with: "       abc")
        let charged = table.replacing("C   0  0", with: "C   0  x")
        var text = ""
        for table in [table, broken, charged] { text += "name\n\n\n\(table)\n> <A>\n1\n\n$$$$\n" }
        var options = ReadOptions()
        options.skipsStructures = true
        let skipping = try Reading.all(text, by: SDfileReader.self, options)
        let reading = try Reading.all(text, by: SDfileReader.self)
        #expect(skipping.records.map { $0.molecule?.name } == ["name"])
        #expect(skipping.records.map { $0.molecule?.atoms.count } == [0])
        #expect(skipping.records.map { $0.fields["A"]?.value } == ["1"])
        #expect(skipping.errors == reading.errors && skipping.issues == reading.issues)
        #expect(reading.records.count == 1 && reading.errors.count == 2)
    }
}
