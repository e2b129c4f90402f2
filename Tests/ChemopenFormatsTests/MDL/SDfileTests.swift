import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

private let carbon = """
    carbon


      1  0  0  0  0  0            999 V2000
        0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    M  END

    """

@Suite("SD file")
struct SDfileTests {
    @Test("every block size produces the same records", arguments: ["\n", "\r\n", "\r"])
    func blockSizes(lineEnd: String) throws {
        let text = "\(carbon)>  <A>\n1\n\n$$$$\n\(carbon)>  <A>\nx\n$$$$\ny\n\n$$$$\n$$$$\n\(carbon)$$$$ end\n"
            .lines(endingIn: lineEnd)
        let whole = try Reading.all(text, by: SDfileReader.self)
        #expect(whole.records.count == 3)
        #expect(whole.records.map { $0.fields["A"]?.value } == ["1", "x\n$$$$\ny", nil])
        for size in 1...text.count {
            #expect(try Reading.all(text, by: SDfileReader.self, inBlocksOf: size) == whole, "blocks of \(size) bytes")
        }
    }

    @Test("a value of ten thousand separators is read in a single pass")
    func separatorsInValue() throws {
        let lines = String(repeating: "$$$$\nx\n", count: 10_000)
        let reading = try Reading.all("\(carbon)>  <A>\n\(lines)\n$$$$\n\(carbon)$$$$\n", by: SDfileReader.self)
        #expect(reading.records.count == 2)
        #expect(reading.records.first?.fields["A"]?.value.bytes.count == 69_999)
    }

    @Test("a record that is too large does not affect other records, and its lines are counted")
    func tooLarge() throws {
        var options = ReadOptions()
        options.largestRecord = 400
        let long = String(repeating: "value of many lines\n", count: 50)
        let text = "\(carbon)$$$$\n\(carbon)>  <A>\n\(long)\n$$$$\n\(carbon)$$$$\n"
        for size in [16, 64, 100, 300] {
            let reading = try Reading.all(text, by: SDfileReader.self, inBlocksOf: size, options)
            #expect(reading.records.count == 2)
            #expect(reading.errors.map(\.kind) == [.tooLarge])
            #expect(reading.errors.map(\.record) == [2])
            #expect(reading.places.map(\.line) == [1, 8, 67])
        }
    }

    @Test("blank lines before a record are skipped if the counts line is then the fourth")
    func blankLines() throws {
        let reading = try Reading.all("\(carbon)$$$$\n\n \n\n\(carbon)$$$$\n", by: SDfileReader.self)
        #expect(reading.records.map { $0.molecule?.name } == ["carbon", "carbon"])
        #expect(reading.issues.map(\.message) == ["3 blank lines before the record; skipped"])
    }

    @Test("work is split after the last separator that follows an empty line or M  END")
    func cutting() throws {
        let cut = try #require(Format.sdfile.lastRecordEnd)
        let first = Array("\(carbon)$$$$\n".utf8)
        #expect(cut((first + Array(carbon.utf8)).span) == first.count)
        #expect(cut(Array("\(carbon)>  <A>\nx\n$$$$\ny\n".utf8).span) == nil)
        // The search looks for the letter K of the keyword, preceded by four other characters.
        let titled = Array("blacK\(carbon)$$$$\n".utf8)
        #expect(cut((titled + Array(carbon.utf8)).span) == titled.count)
    }

    @Test(
        "a part of the work starts after the first separator that follows an empty line or M  END",
        arguments: ["\n", "\r\n"])
    func cuttingBehind(lineEnd: String) throws {
        let find = try #require(Format.sdfile.nextRecordEnd)
        for record in [carbon, "\(carbon)>  <A>\nx\n\n"] {
            let first = "\(record)$$$$\n".lines(endingIn: lineEnd)
            let text = first + first + first
            for (place, end) in [(1, first.count), (first.count, first.count), (first.count + 1, 2 * first.count)] {
                #expect(find(text.span, place, true) == end)
            }
        }
    }

    @Test(
        "a line of spaces ends a value before a data header, before $$$$ and at the end",
        arguments: ["\n", "\r\n", "\r"])
    func blanksEndValue(lineEnd: String) throws {
        let first = "\(carbon)>  <A>\n1\n \n>  <B>\n2\n\t \n$$$$\n"
        let text = (first + "\(carbon)>  <A>\none\n \n> two\n\n>  <B>\n \n").lines(endingIn: lineEnd)
        let whole = try Reading.all(text, by: SDfileReader.self)
        #expect(whole.records.map { $0.fields["A"]?.value } == ["1", "one\n \n> two"])
        #expect(whole.records.map { $0.fields["B"]?.value } == ["2", ""])
        #expect(whole.issues.allSatisfy { $0.severity == .remark })
        for size in 1...text.count {
            #expect(try Reading.all(text, by: SDfileReader.self, inBlocksOf: size) == whole, "blocks of \(size) bytes")
        }
        let cut = try #require(Format.sdfile.lastRecordEnd)
        if lineEnd == "\n" { #expect(cut(text.span) == first.utf8.count) }
    }

    @Test("a value that contains fields, spaces and separators survives a round trip, or its change is reported")
    func valuesOfOddLines() throws {
        var dice = Dice(18)
        for _ in 0..<3000 {
            var record = Record(Molecule())
            for name in ["A", "B"] {
                let lines = (0...dice.number(below: 4)).map { _ in
                    dice.pick(["", " ", "x", ">  <B>", "> y", "$$$$", "\t", " >  <B>"])
                }
                record.fields.append(Text(name), Text(lines.joined(separator: "\n")))
            }
            let writing = try Writing.all([record], by: SDfileWriter.self)
            let again = try Reading.all(writing.text, by: SDfileReader.self).records
            #expect(again.count == 1)
            #expect(again.first?.fields == record.fields || !writing.losses.isEmpty, "\(writing.string)")
            let second = try Writing.all(again, by: SDfileWriter.self)
            #expect(second.text == writing.text && second.losses.isEmpty, "\(writing.string)")
        }
    }

    // MARK: Writing

    @Test("a round trip preserves every record unless a loss is reported", arguments: Fixture.all(in: "sdf"))
    func roundTrip(_ fixture: Fixture) throws {
        let first = try Reading.all(fixture.bytes, by: SDfileReader.self)
        let writing = try Writing.all(first.records, by: SDfileWriter.self)
        let second = try Reading.all(writing.text, by: SDfileReader.self)
        let isSame = second.records.map(\.withoutOrigins) == first.records.map(\.withoutOrigins)
        #expect(isSame || !writing.losses.isEmpty)
        #expect(second.errors.isEmpty)
    }

    @Test("a record has the expected text")
    func wholeRecord() throws {
        var molecule = Molecule()
        molecule.name = "carbon"
        molecule.atoms = [Atom(.carbon)]
        var record = Record(molecule)
        record.fields.append("ID", "7")
        record.fields.append("NOTE", "two\nlines")
        record.fields.append("EMPTY", "")
        record.fields.append("NAME", "x", header: ">  25 <NAME> (MD-0001) DT12")
        #expect(
            try Writing.all([record], by: SDfileWriter.self).string == """
                carbon
                  CHEMOPEN          2D

                  1  0  0  0  0  0  0  0  0  0999 V2000
                    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
                M  END
                >  <ID>
                7

                >  <NOTE>
                two
                lines

                >  <EMPTY>

                >  25 <NAME> (MD-0001) DT12
                x

                $$$$

                """)
    }

    @Test("a value that contains the end of a field or record is changed, with a note")
    func dangerousValues() throws {
        var record = Record(Molecule())
        record.fields.append("A", "x\n\ny")
        record.fields.append("B", "$$$$")
        record.fields.append("two\nlines", "z")
        let writing = try Writing.all([record], by: SDfileWriter.self)
        #expect(writing.string.contains(">  <A>\nx\n \ny\n\n>  <B>\n $$$$\n\n>  <two lines>\nz\n\n$$$$\n"))
        #expect(writing.losses.map(\.feature) == [.emptyLinesInValues, .fields, .fields])
        let again = try Reading.all(writing.text, by: SDfileReader.self)
        #expect(again.records.first?.fields.map(\.value) == ["x\n \ny", " $$$$", "z"])
    }

    @Test("names may contain angle brackets", arguments: ["a>b", "<", "a<b>", ">", "", " blank ", "ä"])
    func names(_ name: String) throws {
        var record = Record(Molecule())
        record.fields.append(Text(name), "x")
        let writing = try Writing.all([record], by: SDfileWriter.self)
        #expect(try Reading.all(writing.text, by: SDfileReader.self).records.first?.fields.first?.name == Text(name))
    }

    @Test("registry numbers become data with a note, and a reaction is rejected")
    func foreign() throws {
        var record = Record(Molecule())
        record.registry = [
            .init("17", isInternal: true, isOfReaction: false), .init("ACME-1", isInternal: false, isOfReaction: false),
        ]
        let writing = try Writing.all([record], by: SDfileWriter.self)
        #expect(writing.string.hasSuffix(">  <internal-regno>\n17\n\n>  <external-regno>\nACME-1\n\n$$$$\n"))
        #expect(writing.losses.map(\.feature) == [.registryNumbers])
        let refused = #expect(throws: WriteError.self) {
            try Writing.all([Record(Reaction(Reaction.Step()))], by: SDfileWriter.self)
        }
        #expect(refused?.kind == .impossible)
    }

    @Test(
        "a copied record is closed with its own line ends, and only if another record follows",
        arguments: ["\n", "\r\n", "\r"])
    func copying(end: String) throws {
        for (given, closing) in [
            ("\(carbon)$$$$\n", ""), ("\(carbon)$$$$", "\n"), (carbon, "$$$$\n"), ("\(carbon)>  <A>\nx", "\n\n$$$$\n"),
            ("\(carbon)>  <A>\nx\n", "\n$$$$\n"), ("\(carbon)>  <A>\nx\n\n", "$$$$\n"), ("\(carbon)$$$$ \n", ""),
        ] {
            var writer = try SDfileWriter(ByteSink(), WriteOptions())
            try writer.copy(given.lines(endingIn: end), beginsFile: true)
            try writer.finish()
            #expect(writer.takeBytes() == given.lines(endingIn: end))
            writer = try SDfileWriter(ByteSink(), WriteOptions())
            try writer.copy(given.lines(endingIn: end), beginsFile: true)
            try writer.copy("\(carbon)$$$$\n".lines(endingIn: end), beginsFile: false)
            #expect(writer.takeBytes() == "\(given)\(closing)\(carbon)$$$$\n".lines(endingIn: end))
        }
    }

    @Test("lines end in CR LF on request")
    func carriageReturns() throws {
        var options = WriteOptions()
        options.carriageReturns = true
        let text = try Writing.all([Record(Molecule()), Record(Molecule())], by: SDfileWriter.self, options).text
        #expect(text.filter { $0 == 0x0A }.count == 12)
        #expect(zip(text, text.dropFirst()).allSatisfy { $1 != 0x0A || $0 == 0x0D })
    }
}
