import ChemopenFormats
import ChemopenModel
import Testing

@Suite("The SD writer")
struct SDfileWriterTests {
    private func record(_ title: Text = "t", _ fields: (Text, Text)...) -> Record {
        var molecule = Molecule()
        molecule.name = title
        molecule.atoms = [Atom(.carbon, at: Position(1))]
        var record = Record(molecule)
        for (name, value) in fields { record.fields.append(name, value) }
        return record
    }

    /// The lines behind `M  END` of the only record written.
    private func data(_ record: Record) throws -> [String] {
        let lines = try write([record], as: .sdfile).lines
        return Array(lines.drop { $0 != "M  END" }.dropFirst())
    }

    @Test("writes a molfile, its fields and $$$$, for each record")
    func whole() throws {
        let text = try write([record("a", ("x", "1"), ("y", "2\n3")), record("b")], as: .sdfile).text
        let table = [
            "  CHEMOPEN          2D", "", "  1  0  0  0  0  0  0  0  0  0999 V2000",
            "    1.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0", "M  END",
        ].joined(separator: "\n")
        #expect(text == "a\n\(table)\n>  <x>\n1\n\n>  <y>\n2\n3\n\n$$$$\nb\n\(table)\n$$$$\n")
    }

    @Test("puts kept lines behind the fields, and an empty line behind them")
    func keptLines() throws {
        var record = record("t", ("x", "1"))
        record.verbatim = [Verbatim(.sdfile, "a stray line"), Verbatim(.rdfile, "$WEATHER rain")]
        #expect(try data(record) == [">  <x>", "1", "", "a stray line", "", "$$$$", ""])
    }

    @Test("keeps repeated names and the order of fields")
    func repeated() throws {
        #expect(
            try data(record("t", ("x", "1"), ("y", "2"), ("x", "3"))) == [
                ">  <x>", "1", "", ">  <y>", "2", "", ">  <x>", "3", "", "$$$$", "",
            ])
    }

    @Test("an empty line inside a value becomes a blank")
    func emptyLines() throws {
        #expect(try data(record("t", ("x", "1\n\n2"))) == [">  <x>", "1", " ", "2", "", "$$$$", ""])
        #expect(try data(record("t", ("x", "\n1"))) == [">  <x>", " ", "1", "", "$$$$", ""])
        #expect(try data(record("t", ("x", "1\n"))) == [">  <x>", "1", " ", "", "$$$$", ""])
    }

    @Test("an empty value has no line")
    func emptyValue() throws {
        #expect(try data(record("t", ("x", ""), ("y", "1"))) == [">  <x>", "", ">  <y>", "1", "", "$$$$", ""])
    }

    @Test("a value line that looks like the separator gets a blank in front")
    func separatorInValue() throws {
        #expect(try data(record("t", ("x", "$$$$\n1\n$$$$ x\n$$$$100"))).filter { $0.hasPrefix("$$$$") }.count <= 2)
        #expect(try data(record("t", ("x", "$$$$"))) == [">  <x>", " $$$$", "", "$$$$", ""])
        let writing = try write([record("a", ("x", "b\n$$$$\nc")), record("b")], as: .sdfile)
        #expect(try readAll(writing.bytes).map(\.title) == ["a", "b"])
    }

    @Test(
        "a name comes back with its brackets, a line end in it as a blank, and the next field is safe",
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

    @Test("a carriage return in a value ends a line and no more")
    func carriageReturn() throws {
        let writing = try write([record("t", ("x", "1\r\r2"), ("next", "3"))], as: .sdfile)
        let reading = try #require(readAll(writing.bytes).first?.reading)
        #expect(reading.record.fields.map(\.name) == ["x", "next"])
        #expect(reading.record.fields["next"]?.value == "3")
    }

    @Test("long lines are not folded")
    func longLines() throws {
        let long = String(repeating: "x", count: 5000)
        #expect(try data(record("t", ("x", Text(long)))) == [">  <x>", long, "", "$$$$", ""])
    }

    @Test(
        "a header that said more than a name is written as it was read",
        arguments: [">  <x> (7)", "> 25 <x>", "> DT12", "> (MD-08974) <x> DT12"])
    func headers(header: String) throws {
        let text = V2000.molfile() + header + "\nv\n\n$$$$\n"
        #expect(try rewrite(text, as: .sdfile).lines.contains(header))
    }

    @Test("a record of fields alone has a molfile without atoms")
    func noStructure() throws {
        var record = Record()
        record.fields.append("x", "1")
        let writing = try write([record], as: .sdfile)
        let reading = try #require(readAll(writing.bytes).first?.reading)
        #expect(writing.lines[3] == "  0  0  0  0  0  0  0  0  0  0999 V2000")
        #expect(reading.atoms.isEmpty)
        #expect(reading.record.fields["x"]?.value == "1")
    }

    @Test("each record has the version it needs")
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

    @Test("a file that departs from the book in many ways is put right once, and then stays as it is")
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
