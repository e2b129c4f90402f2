import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// Keywords, oversized numbers and preserved lines of molfiles must be stable after the first write.
@Suite("Stable output: connection tables")
struct SecondTableTests {
    @Test("V3000 is selected by the output, not by the input")
    func needs() throws {
        for entry in ["C\u{1}\u{0}\u{0}\u{0}\u{0}B", "A\u{1}B", "\u{1}"] {
            try expectSettled(
                "control characters in a list", V3000.table(["1 [\(entry),N] 0 0 0 0"]), .molfile, .molfile)
        }
        let nameless = V3000.table(["1 Glu\u{1}\u{0} 0 0 0 0 CLASS="])
        try expectSettled("a template of a class without a name", nameless, .molfile, .molfile)
        try expectSettled("blanks in a list", V3000.table([#"1 "[C D E F,N]" 0 0 0 0"#]), .molfile, .molfile)
        let logic = V3000.table(["1 C 0 0 0 0"], behind: ["BEGIN RGROUP", "RLOGIC 0 0 >0", "END RGROUP"])
        try expectSettled("what an R-group without a number asks for", logic, .molfile, .molfile)
        let valence = V2000.molfile(
            atoms: [V2000.atom(valence: 270), V2000.atom()], bonds: [V2000.bond(1, 2)],
            properties: ["M  ZBO  1  99   0"])
        try expectSettled("a valence that no hydrogens come from", valence, .molfile, .molfile)
    }

    @Test("repeated values and references to missing objects are written in a stable form")
    func repeated() throws {
        try expectSettled(
            "a keyword that stands there twice", V3000.table(["1 C 0 0 0 0 ATTCHPT=1 ATTCHPT=3"]), .molfile, .molfile)
        let order = V2000.molfile(
            atoms: [V2000.atom("R#"), V2000.atom(), V2000.atom()], bonds: [V2000.bond(1, 2), V2000.bond(1, 3)],
            properties: ["M  RGP  1   1   1", "M  AAL   1  1   2   1", "M  AAL   1  1   3   2"])
        try expectSettled("an order of attachments in two lines", order, .molfile, .molfile)
        #expect(try settled(order).text.contains("M  AAL   1  2   2   1   3   2\n"))
        let links = V3000.table(
            ["1 C 0 0 0 0", "2 C 1 0 0 0", "COUNTS C 2 0 0 0", "4 C 3 0 0 0"], ["LINKNODE 1 2 2 2 3 2 1"])
        try expectSettled("a link to an atom that another one's number would be", links, .molfile, .molfile)
        let early = links.replacing("M  V30 BEGIN CTAB", with: "M  V30 LINKNODE 1 2 2 2 1 2 4\nM  V30 BEGIN CTAB")
        try expectSettled("a link in front of its table", early, .molfile, .molfile)
        let inner = V3000.table(
            ["1 C 0 0 0 0", "2 C 1 0 0 0", "3 C 2 0 0 0"],
            behind: ["BEGIN RGROUP 1", "1 C 0", "LINKNODE 1 2 2 2 1 2 3", "END RGROUP"])
        try expectSettled("a link in the block of an R-group", inner, .molfile, .molfile)
        let tritium = V2000.molfile(
            atoms: [V2000.atom("T")], bonds: [], properties: ["M  ISO  1   1   3", "M  ALS   1  2 F O   S   "])
        try expectSettled("tritium that is one of a list", tritium, .molfile, .molfile)
        let asking = V3000.table(["1 C 0 0 0 0"], behind: ["BEGIN RGROUP", "RLOGIC 0 0 >0", "END RGROUP"])
        let asked = try #require(try read(asking).record.molecule)
        let component = try write([Record(Reaction(Reaction.Step(reactants: [.init(asked)])))], as: .rxnfile)
        #expect(component.text.hasPrefix("$RXN\n"))
        #expect(component.losses.map(\.feature) == [.rgroupLogic])
        let both = V2000.molfile(
            atoms: [V2000.atom("R#")], bonds: [], properties: ["M  RGP  1   1   1", "M  ALS   1  2 F O   S   "])
        try expectSettled("a site of an R-group that is one of a list", both, .molfile, .molfile)
        let parents = [
            "BEGIN SGROUP", "1 DAT 0 ATOMS=(1 1) FIELDNAME=a", "2 DAT 0 ATOMS=(1 1) FIELDNAME=b PARENT=1 PARENT=1x",
            "END SGROUP",
        ]
        try expectSettled(
            "a parent that is none behind one that is", V3000.table(["1 C 0 0 0 0"], parents), .molfile, .molfile)
        let rgroups =
            ["BEGIN RGROUP 1"] + V3000.block(["1 C 0 0 0 0"]) + ["END RGROUP", "BEGIN RGROUP 2", "RLOGIC 0 0 >0"]
            + V3000.block(["1 N 0 0 0 0"]) + ["END RGROUP"]
        let groups = V3000.table(["1 R# 0 0 0 0 RGROUPS=(1 1)"], behind: rgroups)
        let numbered = groups.replacing("RGROUP 1\n", with: "RGROUP 6\nM  V30 RLOGIC 0 0 >0\n")
            .replacing("RGROUP 2\n", with: "RGROUP\n")
        try expectSettled("R-groups of which the second has no number", numbered, .molfile, .molfile)
        try expectSettled("R-groups of which the second asks for something", groups, .molfile, .molfile)
        let reaction =
            ["COUNTS 1 0", "BEGIN REACTANT"] + V3000.block(["1 R1 0 0 0 0", "2 R00 0 0 0 0"]) + ["END REACTANT"]
        try expectSettled(
            "a site of an R-group in a reaction",
            "$RXN V3000\n\n\n\n" + reaction.map { "M  V30 \($0)\n" }.joined() + "M  END\n", .rxnfile, .rxnfile)
    }

    /// Returns an RD file of a molecule with a field.
    private static func data(_ name: String, _ value: String) -> String {
        "$RDFILE 1\n$DATM x\n$MFMT\n" + V2000.headOfOne + V2000.carbon + "M  END\n$DTYPE \(name)\n$DATUM \(value)\n"
    }

    @Test("truncated and folded lines are written in a stable form")
    func cuts() throws {
        let name = "a" + String(repeating: "\u{1B}", count: 40) + "b"
        let group = ["BEGIN SGROUP", "1 DAT 1 ATOMS=(1 1) FIELDNAME=\(name)", "END SGROUP"]
        try expectSettled(
            "control characters where a name is cut", V3000.table(["1 C 0 0 0 0"], group), .molfile, .molfile)
        let counts = ["BEGIN SGROUP", "1 DAT 1 ATOMS=(1 1) FIELDNAME=HYD FIELDDATA=\"\u{0}\u{0}3\"", "END SGROUP"]
        try expectSettled(
            "control characters before a count of hydrogens", V3000.table(["1 C 0 0 0 0"], counts), .molfile, .molfile)
        let data = Array(Self.data("a", "").utf8.dropLast())
        for count in 0...160 {
            let line =
                Array(repeating: UInt8(ascii: "x"), count: count) + [0xF0] + Array(" \u{FEFF}".utf8)
                + Array(repeating: UInt8(ascii: "y"), count: 160)
            let records = try readAll(data + line + [0x0A], as: .rdfile).compactMap { $0.reading?.record }
            let first = try write(records, as: .rdfile).bytes
            let second = try write(readAll(first, as: .rdfile).compactMap { $0.reading?.record }, as: .rdfile).bytes
            #expect(records.count == 1 && first == second, "a letter and a byte that is none, \(count) bytes in")
        }
        let long = String(repeating: "x", count: 73) + "\u{1D}"
        try expectSettled("a control character that would be a line", Self.data("a", long), .rdfile, .rdfile)
        for count in 60...72 {
            let word = String(repeating: "x", count: count)
            let group = ["BEGIN SGROUP", "1 BR 0 ATOMS=(1 1) \(word) -", "x y END CTAB", "END SGROUP"]
            try expectSettled(
                "a word END where a line is folded", V3000.table(["1 C 0 0 0 0"], group), .molfile, .molfile)
        }
        try expectSettled(
            "a counts line in the data of a record without a structure",
            "$RDFILE 1\n$DATM x\nstray\n$REREG R\n$DTYPE a\n$DATUM b\n  1  0  0  0  0\n  2  2\n", .rdfile, .rdfile)
    }

    @Test("the last value of a repeated atom keyword is used, with a warning")
    func lastWord() throws {
        let text = V3000.chain([]).replacing("2 C 1 0 0 0", with: "2 C 1 0 0 0 SUBST=2 CLASS=AA SUBST=3")
        let reading = try read(text)
        #expect(Array(reading.molecule.notes(onAtom: 1)) == [.substitutionCount(3), .templateClass("AA")])
        #expect(reading.issues.map(\.message) == ["the keyword occurs twice; the last value is used"])
    }

    @Test("a link with more repeats than V2000 supports is written as V3000")
    func longLink() throws {
        var molecule = try read(V2000.chain(3, properties: ["M  LIN  1   2 999   1   3"])).molecule
        molecule.extras.contents.linkNodes[0].maximum = 9999
        #expect(try write(molecule).text.contains("M  V30 LINKNODE 1 9999 2 2 1 2 3\n"))
        let forced = try write(molecule, as: .molfile, .version(.v2000))
        #expect(forced.text.contains("M  LIN  1   2 999   1   3\n"))
        #expect(forced.losses.map(\.feature) == [.linkNodes])
    }

    @Test("labels that are not symbols are written in the order of their atoms", arguments: ["3Me", "a\tb", "benzyl"])
    func labels(_ label: String) throws {
        var molecule = try read(V2000.chain(3)).molecule
        molecule.atoms[2].element = .none
        molecule.setLabel(Text(label), ofAtom: 2)
        molecule.addNote(.alias("first"), toAtom: 0)
        let written = try write(molecule, as: .molfile, .version(.v2000)).text
        #expect(written.contains("A    1\nfirst\nA    3\n\(label)\n"))
        _ = try settled(written, .v2000)
    }

    @Test("an Sgroup bracket and an alias never corrupt the following lines")
    func linesBehind() throws {
        var molecule = try read(V2000.chain(2)).molecule
        molecule.addNote(.alias("$RXN"), toAtom: 0)
        var sgroup = Sgroup(.generic)
        sgroup.brackets = [.init(from: Position(1, 1e9), to: Position(2, 2))]
        molecule.extras.contents.sgroups = [sgroup]
        let written = try write(molecule, as: .molfile, .version(.v2000))
        #expect(written.text.contains("A    1\n $RXN\n"))
        #expect(written.text.contains("M  SDI   1  4    1.000099999.9999    2.0000    2.0000\n"))
        #expect(Set(written.losses.map(\.feature)) == [.aliases, .sgroupDetails])
        _ = try settled(written.text, .v2000)
    }

    @Test("a list entry that V2000 truncates is reported")
    func longListEntries() throws {
        let written = try settled(
            V3000.chain([]).replacing(" 1 C 0", with: " 1 [N,Abcd\u{13}e] 0"), as: .molfile, .v2000)
        #expect(written.text.contains("M  ALS   1  2 F N   Abcd\n"))
        #expect(written.losses.map(\.detail) == ["an entry of a list of more than four characters"])
    }

    @Test("an atom with a list has the list symbol, independent of its symbol columns")
    func listSymbol() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom().replacing("C  ", with: "L 0"), V2000.atom()], bonds: [V2000.bond(1, 2)],
            properties: ["M  ALS   1  2 F N   O   "])
        #expect(try settled(file).text.contains(" L   0  0"))
    }

    @Test("data about a bond are written as a V3000 bond type")
    func coordination() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom(), V2000.atom("N")], bonds: [V2000.bond(1, 2, 8)],
            properties: [
                "M  STY  1   1 DAT", "M  SAL   1  2   1   2", "M  SDT   1 MRV_COORDINATE_BOND_TYPE", "M  SED   1 1",
            ])
        let written = try settled(file, .v3000).text
        #expect(written.contains("M  V30 1 9 1 2\n") && !written.contains("MRV_"))
        #expect(try settled(file).text.contains("M  SDT   1 MRV_COORDINATE_BOND_TYPE\n"))
    }

    // Preserved lines and tokens.

    @Test("a link after the table is moved to the other links")
    func linkBehindTable() throws {
        let file = V3000.chain([], behind: ["LINKNODE 1 2 2 2 1 2 3"])
        #expect(try read(file).extras.linkNodes.count == 1)
        #expect(try settled(file, .v3000).text.contains("M  V30 LINKNODE 1 2 2 2 1 2 3\nM  V30 END CTAB\n"))
    }

    @Test("unknown lines are preserved in position, including links")
    func orderOfKeptLines() throws {
        let file = V3000.chain(["FIRST 1", "LINKNODE 1 2 2 9 9"], behind: ["THIRD 3"])
        let written = try settled(file, .v3000).text
        #expect(written.contains("M  V30 FIRST 1\nM  V30 LINKNODE 1 2 2 9 9\nM  V30 THIRD 3\nM  V30 END CTAB\n"))
    }

    @Test("preserved lines that would be misread are omitted and reported")
    func keptLineThatIsNone() throws {
        var molecule = try read(V2000.chain(2)).molecule
        molecule.extras.contents.verbatim = [
            Verbatim(.v2000, "M  XYZ kept"), Verbatim(.v2000, "M  END"), Verbatim(.v2000, "  1  2  1  0"),
            Verbatim(.v2000, "G    1  2"),
        ]
        let written = try write(molecule)
        #expect(written.text.hasSuffix(V2000.bond(1, 2) + "\nM  XYZ kept\nM  END\n"))
        #expect(written.losses.map(\.feature) == [.unknown, .unknown, .unknown])
        molecule.extras.contents.verbatim = [Verbatim(.v3000, "END CTAB"), Verbatim(.v3000, "KEPT 1")]
        #expect(try write(molecule).text.hasSuffix("M  V30 KEPT 1\nM  V30 END CTAB\nM  END\n"))
    }

    @Test("a token with quotes and control characters is preserved as one token")
    func quotedWord() throws {
        let file = V3000.chain(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) BXYZ=\"(9 -1\t0\u{1})\" LABEL=a", "END SGROUP"])
        #expect(try settled(file, .v3000).text.contains(" BXYZ=\"(9 -1\t0\u{1})\""))
    }

    @Test("an unclosed list, and a header with NUL, are written in a stable form")
    func damagedWords() throws {
        let atoms = try settled(V3000.chain(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=a", "END SGROUP"]), .v3000).text
        let broken = atoms.replacing("3 C 2 0 0 0", with: "3 C 2 0 0 0 ATTCHORD=(2 2 4 C")
        #expect(try settled(broken, .v3000).text.contains(" ATTCHORD=\"(2 2 4 C\"\n"))
        let fields = V2000.chain(1) + ">\u{0} <ID>\n2\n\n$$$$\n"
        #expect(try settled(fields, as: .sdfile).text.contains("\n>  <ID>\n2\n"))
    }

    @Test("a program line of control characters is replaced and reported")
    func controlCharacters() throws {
        let written = try settled(V2000.chain(1).replacing("\n\n\n", with: "\n\u{1}\u{7F}\n\n"))
        #expect(written.lines.dropFirst().first == "  CHEMOPEN          2D")
        #expect(written.losses.map(\.detail) == ["control characters"])
    }

    @Test("a line is not folded if the rest would end the block")
    func foldBeforeEnd() throws {
        let label = String(repeating: "a", count: 51)
        let file = V3000.chain(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=\(label) END ATOM", "END SGROUP"])
        #expect(try settled(file, .v3000).text.contains("\(label) -\nM  V30 END ATOM") == false)
    }

    @Test("a line that ends in dashes is not continued")
    func dashes() throws {
        let file = V3000.chain([
            "BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=a X=b--", "", "2 SUP 2 ATOMS=(1 2)", "END SGROUP",
        ])
        #expect(try read(file).extras.sgroups.count == 2)
        _ = try settled(file, .v3000)
    }

    @Test(
        "the SMILES of hydrogens with a stated valence and of substitution counts stays the same when read and written")
    func smiles() throws {
        let cyanide = V2000.molfile(
            atoms: [V2000.atom(), V2000.atom("N"), V2000.atom("H", valence: 1)],
            bonds: [V2000.bond(1, 2, 3), V2000.bond(1, 3)], properties: [])
        try expectSettled("a hydrogen with a valence", cyanide, .molfile, .smiles)
        let counts = V2000.molfile(
            atoms: Array(repeating: V2000.atom(), count: 4),
            bonds: [V2000.bond(1, 3), V2000.bond(3, 4), V2000.bond(4, 2)],
            properties: ["M  SUB  4   1   3   2   2   3   2   4   2"])
        try expectSettled("substitution counts", counts, .molfile, .smiles)
    }
}
