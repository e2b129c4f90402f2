import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// The content around structures in RD files and reactions must be stable after the first write.
@Suite("Stable output: records")
struct SecondRecordsTests {
    @Test("a data name is written without its trailing NUL")
    func nulInName() throws {
        let file = "$RDFILE 1\n$DATM\n$MFMT\n" + V2000.chain(1) + "$DTYPE KIND\0\0\n$DATUM 7\n"
        #expect(try settled(file, as: .rdfile).text.contains("$DTYPE KIND\n$DATUM 7\n"))
    }

    @Test(
        "the date of an RD file is written in the form that is read back",
        arguments: ["x", "\u{0} x", "x \u{0}", "\u{0}"])
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

    @Test("text after a V3000 reaction that would be read as a V2000 component is omitted and reported")
    func textThatIsAComponent() throws {
        let text = "$MOL\n\n\n\nno counts"
        var record = Record(Reaction(Reaction.Step(reactants: [.init(try read(V2000.chain(2)).molecule)])))
        record.verbatim = [Verbatim(.v3000, Text(text))]
        let written = try write([record], as: .rxnfile)
        #expect(!written.text.contains("no counts"))
        #expect(written.losses.map(\.feature) == [.unknown])
        #expect(try write([record], as: .rxnfile, .version(.v3000)).text.hasSuffix("M  END\n\(text)\n"))
    }

    @Test("text after a reaction is preserved with its blank lines")
    func textBehindReaction() throws {
        let reaction = lines("$RXN", "", "", "", "  1  0", "$MOL") + V2000.chain(2) + "first\n\n\nsecond\n"
        #expect(try settled(reaction, as: .rxnfile).text.hasSuffix("M  END\nfirst\n\n\nsecond\n"))
    }

    @Test("stray lines of an RD record are preserved if they are read back as such")
    func strayLines() throws {
        let record = "$RDFILE 1\n$MFMT\n" + V2000.chain(2) + "a stray line\n$STRAY\n$DTYPE a\n$DATUM b\n"
        #expect(try settled(record, as: .rdfile).text.contains("M  END\na stray line\n$STRAY\n$DTYPE a\n"))
        var reaction = Record(Reaction(Reaction.Step(products: [.init(try read(V2000.chain(2)).molecule)])))
        reaction.verbatim = [Verbatim(.rdfile, "$MOL")]
        #expect(try write([reaction], as: .rdfile).losses.map(\.feature) == [.unknown])
    }
}
