import ChemopenFormats
import ChemopenModel
import Testing

@Suite("SD file writer")
struct SDfileWriterTests {
    private func record(_ title: Text = "t", _ fields: (Text, Text)...) -> Record {
        var molecule = Molecule()
        molecule.name = title
        molecule.atoms = [Atom(.carbon, at: Position(1))]
        var record = Record(molecule)
        for (name, value) in fields { record.fields.append(name, value) }
        return record
    }

    /// Returns the lines after `M  END` of the only written record.
    private func data(_ record: Record) throws -> [String] {
        let lines = try write([record], as: .sdfile).lines
        return Array(lines.drop { $0 != "M  END" }.dropFirst())
    }

    @Test("writes a molfile, its fields and $$$$ for each record")
    func whole() throws {
        let text = try write([record("a", ("x", "1"), ("y", "2\n3")), record("b")], as: .sdfile).text
        let table = [
            "  CHEMOPEN          2D", "", "  1  0  0  0  0  0  0  0  0  0999 V2000",
            "    1.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0", "M  END",
        ].joined(separator: "\n")
        #expect(text == "a\n\(table)\n>  <x>\n1\n\n>  <y>\n2\n3\n\n$$$$\nb\n\(table)\n$$$$\n")
    }

    @Test("writes preserved lines after the fields, followed by an empty line")
    func keptLines() throws {
        var record = record("t", ("x", "1"))
        record.verbatim = [Verbatim(.sdfile, "a stray line"), Verbatim(.rdfile, "$WEATHER rain")]
        #expect(try data(record) == [">  <x>", "1", "", "a stray line", "", "$$$$", ""])
    }

    @Test("preserves repeated names and the order of fields")
    func repeated() throws {
        #expect(
            try data(record("t", ("x", "1"), ("y", "2"), ("x", "3"))) == [
                ">  <x>", "1", "", ">  <y>", "2", "", ">  <x>", "3", "", "$$$$", "",
            ])
    }

    @Test("writes an empty line inside a value as a space")
    func emptyLines() throws {
        #expect(try data(record("t", ("x", "1\n\n2"))) == [">  <x>", "1", " ", "2", "", "$$$$", ""])
        #expect(try data(record("t", ("x", "\n1"))) == [">  <x>", " ", "1", "", "$$$$", ""])
        #expect(try data(record("t", ("x", "1\n"))) == [">  <x>", "1", " ", "", "$$$$", ""])
    }

    @Test("writes no line for an empty value")
    func emptyValue() throws {
        #expect(try data(record("t", ("x", ""), ("y", "1"))) == [">  <x>", "", ">  <y>", "1", "", "$$$$", ""])
    }

    @Test("inserts a space before a value line that looks like the separator")
    func separatorInValue() throws {
        #expect(try data(record("t", ("x", "$$$$\n1\n$$$$ x\n$$$$100"))).filter { $0.hasPrefix("$$$$") }.count <= 2)
        #expect(try data(record("t", ("x", "$$$$"))) == [">  <x>", " $$$$", "", "$$$$", ""])
        let writing = try write([record("a", ("x", "b\n$$$$\nc")), record("b")], as: .sdfile)
        #expect(try readAll(writing.bytes).map(\.title) == ["a", "b"])
    }

    @Test(
        "preserves brackets in a name, and writes a line end in a name as a space",
        arguments: [("a<b", "a<b"), ("a>b", "a>b"), ("<>", "<>"), ("> <", "> <"), ("a\nb", "a b"), ("\n", " ")]
            as [(Text, Text)])
    func names(name: Text, readAgain: Text) throws {
        let writing = try write([record("t", (name, "1"), ("next", "2"))], as: .sdfile)
        let reading = try #require(readAll(writing.bytes).first?.reading)
        #expect(reading.record.fields.map(\.name) == [readAgain, "next"])
        #expect(reading.record.fields.map(\.value) == ["1", "2"])
        #expect(reading.doubtfulLines == [])
        #expect(writing.losses.isEmpty == (name == readAgain))
    }

    @Test("writes a carriage return in a value as a single line end")
    func carriageReturn() throws {
        let writing = try write([record("t", ("x", "1\r\r2"), ("next", "3"))], as: .sdfile)
        let reading = try #require(readAll(writing.bytes).first?.reading)
        #expect(reading.record.fields.map(\.name) == ["x", "next"])
        #expect(reading.record.fields["next"]?.value == "3")
    }

    @Test("does not fold long lines")
    func longLines() throws {
        let long = String(repeating: "x", count: 5000)
        #expect(try data(record("t", ("x", Text(long)))) == [">  <x>", long, "", "$$$$", ""])
    }

    @Test(
        "preserves a header that contains more than a name",
        arguments: [">  <x> (7)", "> 25 <x>", "> DT12", "> (MD-08974) <x> DT12"])
    func headers(header: String) throws {
        let text = V2000.molfile() + header + "\nv\n\n$$$$\n"
        #expect(try rewrite(text, as: .sdfile).lines.contains(header))
    }

    @Test("writes a record that has only fields with an empty molfile")
    func noStructure() throws {
        var record = Record()
        record.fields.append("x", "1")
        let writing = try write([record], as: .sdfile)
        let reading = try #require(readAll(writing.bytes).first?.reading)
        #expect(writing.lines[3] == "  0  0  0  0  0  0  0  0  0  0999 V2000")
        #expect(reading.atoms.isEmpty)
        #expect(reading.record.fields["x"]?.value == "1")
    }

    @Test("selects the required version for each record")
    func versions() throws {
        var mapped = record("b")
        if var molecule = mapped.molecule {
            molecule.atoms[0].mapNumber = 1000
            mapped.subject = .molecule(molecule)
        }
        let writing = try write([record("a"), mapped, record("c")], as: .sdfile)
        #expect(writing.reports.map(\.version) == ["V2000", "V3000", "V2000"])
        let outcomes = try readAll(writing.bytes)
        #expect(outcomes.map(\.title) == ["a", "b", "c"])
        #expect(outcomes[1].reading?.atoms.first?.mapNumber == 1000)
    }

    @Test("normalizes an unusual file once, and then preserves it")
    func secondPass() throws {
        let text =
            "\u{FEFF}" + V2000.molfile(title: "a", atoms: [V2000.atom("cl", charge: 5)])
            + "> <x>\r\n1\r\n\r\n> DT3\n2\n\n$$$$\n\n"
            + V2000.molfile(title: "", end: "") + "> <y> (2)\n \n\n\n$$$$ end\n" + V2000.molfile(title: "> <t>")

        let once = try rewrite(text, as: .sdfile)
        #expect(once.reports.count == 3)
        let twice = try rewrite(once.text, as: .sdfile)
        #expect(twice.text == once.text)
        #expect(try readAll(once.bytes).allSatisfy { $0.reading?.doubtfulLines == [] })
    }
}
