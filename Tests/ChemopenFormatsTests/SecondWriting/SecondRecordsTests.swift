import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// What stands around the structures of RD files and reactions settles in one writing.
@Suite("A second writing of records")
struct SecondRecordsTests {
    @Test("writes a name of data without the NUL at its end")
    func nulInName() throws {
        let file = "$RDFILE 1\n$DATM\n$MFMT\n" + V2000.chain(1) + "$DTYPE KIND\0\0\n$DATUM 7\n"
        #expect(try settled(file, as: .rdfile).text.contains("$DTYPE KIND\n$DATUM 7\n"))
    }

    @Test("writes the date of an RD file as it will be read", arguments: ["x", "\u{0} x", "x \u{0}", "\u{0}"])
    func dates(_ date: String) throws {
        var header = SheetHeader()
        header.extensions = [.init(name: "$DATM", type: "chemical/x-mdl-rdfile", content: Text(date))]
        var writer = try RDfileWriter(ByteSink(), WriteOptions())
        try writer.begin(header)
        _ = try writer.write(Record(Molecule()))
        try writer.finish()
        let lines = String(decoding: writer.takeBytes(), as: UTF8.self).split(separator: "\n")
        #expect(lines[1] == (date.contains("x") ? "$DATM    x" : "$DATM"))
    }

    @Test("leaves out, and tells, text behind a V3000 reaction that would be a component of a V2000 one")
    func textThatIsAComponent() throws {
        let text = "$MOL\n\n\n\nno counts"
        var record = Record(Reaction(Reaction.Step(reactants: [.init(try read(V2000.chain(2)).molecule)])))
        record.verbatim = [Verbatim(.v3000, Text(text))]
        let written = try write([record], as: .rxnfile)
        #expect(!written.text.contains("no counts"))
        #expect(written.losses.map(\.feature) == [.unknown])
        #expect(try write([record], as: .rxnfile, .version(.v3000)).text.hasSuffix("M  END\n\(text)\n"))
    }

    @Test("keeps text behind a reaction with its blank lines")
    func textBehindReaction() throws {
        let reaction = lines("$RXN", "", "", "", "  1  0", "$MOL") + V2000.chain(2) + "first\n\n\nsecond\n"
        #expect(try settled(reaction, as: .rxnfile).text.hasSuffix("M  END\nfirst\n\n\nsecond\n"))
    }

    @Test("keeps stray lines of an RD record where they stay strays")
    func strayLines() throws {
        let record = "$RDFILE 1\n$MFMT\n" + V2000.chain(2) + "a stray line\n$STRAY\n$DTYPE a\n$DATUM b\n"
        #expect(try settled(record, as: .rdfile).text.contains("M  END\na stray line\n$STRAY\n$DTYPE a\n"))
        var reaction = Record(Reaction(Reaction.Step(products: [.init(try read(V2000.chain(2)).molecule)])))
        reaction.verbatim = [Verbatim(.rdfile, "$MOL")]
        #expect(try write([reaction], as: .rdfile).losses.map(\.feature) == [.unknown])
    }
}
