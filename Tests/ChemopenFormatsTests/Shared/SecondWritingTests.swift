import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// A file that our writers wrote is read without loss and written again the same, however damaged the first file was.
@Suite("A second writing")
struct SecondWritingTests {
    /// Reads a file, writes it, reads that and writes it again; returns the first writing once both are the same.
    private func settled(
        _ text: String, as format: Format = .molfile, _ version: WriteOptions.Version = .asNeeded
    ) throws -> WrittenText {
        let first = try rewrite(text, as: format, .version(version))
        let second = try rewrite(first.text, as: format, .version(version))
        #expect(second.text == first.text)
        return first
    }

    private func v3000(_ lines: [String], behind: [String] = []) -> String {
        let head = ["title", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB"]
        let table = ["COUNTS 3 2 0 0 0", "BEGIN ATOM", "1 C 0 0 0 0", "2 C 1 0 0 0", "3 C 2 0 0 0", "END ATOM"]
        let bonds = ["BEGIN BOND", "1 1 1 2", "2 1 2 3", "END BOND"]
        return
            (head + (table + bonds + lines + ["END CTAB"] + behind).map { "M  V30 " + $0 } + ["M  END"])
            .map { $0 + "\n" }.joined()
    }

    @Test("gives a group no number that the kept field of a damaged one has")
    func numbersOfDamagedGroups() throws {
        let whole = #"yMDL_SGROUP_GEN:2\002Cb"#
        let damaged = ["a", "x"].map { #"yMDL_SGROUP_GEN:1\002C\#($0)"# }
        let atoms = damaged.map { "C=0.0000,0.0000;0,0,i4,\($0),\(whole)\n" }
        let text = "SketchEl!(2,0)\n" + atoms.joined() + "!End\n"
        #expect(try settled(text, as: .sketchEl).text == text)
    }

    @Test(
        "calls an atom without a name * in each format",
        arguments: FormatRegistry.standard.all.filter { $0.makeWriter != nil && $0.id != "rxn" })
    func nameless(_ format: Format) throws {
        var nameless = Molecule()
        nameless.atoms = [Atom(.carbon, at: Position(0)), Atom(.none, at: Position(1.5))]
        nameless.bonds = [Bond(0, 1)]
        var named = nameless
        named.setLabel("*", ofAtom: 1)
        for molecule in [named, nameless] {
            let written = try write(molecule, as: format)
            let read = try #require(try readAll(written.bytes, as: format).first?.reading?.record.molecule)
            #expect(["*", ""].contains(read.symbol(ofAtom: 1)))
            #expect(try write(read, as: format).bytes == written.bytes)
            #expect(!written.losses.contains { $0.feature == .labels })
        }
    }

    // Values that readers trim, clamp, or take for something else.

    private static let atom = "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
    private static let namedSite = """
        a


          0  0  0     0  0            999 V3000
        M  V30 BEGIN CTAB
        M  V30 COUNTS 1 0 0 0 0
        M  V30 BEGIN ATOM
        M  V30 1 Site 0 0 0 0 RGROUPS=(1 1)
        M  V30 END ATOM
        M  V30 END CTAB
        M  END

        """
    private static let head = "a\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"

    @Test(
        "writes what it will read",
        arguments: [
            (
                "blanks around a field's name", head + atom + "M  END\n>  < name >\n1\n\n$$$$\n", Format.sdfile,
                Format.rdfile
            ),
            (
                "a number without room in its columns",
                "a\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 2 0 0 0 0\nM  V30 BEGIN ATOM\n"
                    + "M  V30 1 C 0 0 0 0 SUBST=32767\nM  V30 2 C 1 0 0 0 SUBST=3\n"
                    + "M  V30 END ATOM\nM  V30 END CTAB\nM  END\n",
                .molfile, .molfile
            ),
            (
                "a date between blanks", "$RDFILE 1\n$DATM \t x\t\u{0}\n$MFMT\n" + head + atom + "M  END\n", .rdfile,
                .rdfile
            ),
            ("a blank name", head + atom + "M  END\n>  < >\n1\n\n$$$$\n", .sdfile, .rdfile),
            ("no registry number", "$RDFILE 1\n$DATM x\n$MFMT $MIREG  \n" + head + atom + "M  END\n", .rdfile, .sdfile),
            (
                "a valence beyond all counts",
                head + atom.replacing("C   0  0  0  0  0  0", with: "C   0  0  0  0  0368")
                    + "M  END\n", .molfile, .molfile
            ),
            ("many unpaired electrons", "SketchEl!(1,0)\nN=0,0;0,127\n!End\n", .sketchEl, .molfile),
            (
                "a NUL in a value",
                "$RDFILE 1\n$DATM x\n$MFMT\n" + head + atom + "M  END\n$DTYPE a\n$DATUM 1\u{0}\n", .rdfile, .sdfile
            ),
            ("empty lines at the end", head + atom + "M  END\n>  <a>\n1\n \n\n$$$$\n", .sdfile, .rdfile),
            ("a long name for the site of an R-group", namedSite, .molfile, .molfile),
            ("an element without a name", "SketchEl!(1,0)\nR1=0,0;0,0,i0,qE:N\\002C\n!End\n", .sketchEl, .molfile),
            (
                "an element that is one of a list of the old kind",
                "a\n\n\n  1  0  1  0  0  0  0  0  0  0999 V2000\n" + atom + "  1 F    2   7   8\nM  END\n", .molfile,
                .molfile
            ),
            (
                "the site of an R-group by a name of its own",
                head + atom.replacing("C   0", with: "#   0") + "M  RGP  1   1   2\nM  END\n", .molfile, .molfile
            ),
            (
                "two orders of one bond",
                "SketchEl!(2,1)\nC=0,0;0,0\nC=1,0;0,0\n1-2=0,0,yZERO_DATIVE,yZERO_HYDROGEN\n!End\n", .sketchEl,
                .sketchEl
            ),
            ("two names of one atom", head + atom + "A    1\nx\nA    1\ny\nM  END\n", .molfile, .molfile),
            (
                "a link to an atom without a number",
                "a\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 4 0 0 0 0\n"
                    + "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 2 C 1 0 0 0\nM  V30 N3 2 0 0 0\nM  V30 4 O 3 0 0 0\n"
                    + "M  V30 END ATOM\nM  V30 LINKNODE 1 2 2 2 1 2 3\nM  V30 END CTAB\nM  END\n", .molfile, .molfile
            ),
            (
                "a structure as a value that cannot be read, with a long line",
                "$RDFILE 1\n$DATM x\n$MFMT\n" + head + atom + "M  END\n$DTYPE a\n$DATUM $MFMT\n\n\n\n  1  0"
                    + String(repeating: "\u{0}", count: 90) + "x\n" + atom + "M  END\n", .rdfile, .rdfile
            ),
            (
                "a byte order mark", head + atom + "M  END\n$$$$\n\u{FEFF}" + head + atom + "M  END\n$$$$\n", .sdfile,
                .sdfile
            ),
        ])
    func asRead(_ what: String, _ text: String, _ source: Format, _ target: Format) throws {
        for case .record(let reading) in try readAll(text, as: source) {
            for version in [WriteOptions.Version.asNeeded, .v2000, .v3000] {
                let first = try write([reading.record], as: target, .version(version)).text
                let second = try write([read(first, as: target).record], as: target, .version(version)).text
                #expect(first == second, "\(what)")
            }
        }
    }

    private static let blankDisplay = """
        a


          0  0  0     0  0            999 V3000
        M  V30 BEGIN CTAB
        M  V30 COUNTS 1 0 1 0 0
        M  V30 BEGIN ATOM
        M  V30 1 C 0 0 0 0
        M  V30 END ATOM
        M  V30 BEGIN SGROUP
        M  V30 1 DAT 0 ATOMS=(1 1) FIELDNAME=a FIELDDISP="  "
        M  V30 END SGROUP
        M  V30 END CTAB
        M  END

        """

    private static let farAbbreviation = #"""
        SketchEl!(2,1)
        S=0,0;0,0,i1
        Me=1.5,0;0,0,i0,aSketchEl!(2\002C1)\000A*\003D0\002C-1e308\003B0\002C0\000AC\003D1.5\002C0\003B0\002C0\000A1-2\003D1\002C0\000A!End\000A
        1-2=1,0
        !End

        """#

    private static let turnedAbbreviation = #"""
        SketchEl!(2,1)
        S=0,0;0,0,i1
        Me=1.06,1.06;0,0,i0,aSketchEl!(3\002C2)\000A*\003D0\002C0\003B0\002C0\000AC\003D1.5\002C0\003B0\002C0\000AC\003D180\002C180\003B0\002C0\000A1-2\003D1\002C0\000A2-3\003D1\002C0\000A!End\000A
        1-2=1,0
        !End

        """#

    private static let emptyCopolymer = V2000.molfile(
        atoms: [V2000.atom(), V2000.atom(), V2000.atom()], bonds: [V2000.bond(1, 2), V2000.bond(2, 3)],
        properties: ["M  STY  2   1 COP   2 SRU", "M  SAL   2  1   2", "M  SBL   2  2   1   2", "M  SMT   2 n"])

    private static let largeMass = "SketchEl!(1,0)\nC=0,0;0,0,i0,m32767\n!End\n"

    private static let wedgedAbbreviation = #"""
        SketchEl!(2,1)
        S=0,0;0,0,i1
        Me=1.5,0;0,0,i0,aSketchEl!(2\002C1)\000A*\003D0\002C0\003B0\002C0\000AC\003D1.5\002C0\003B0\002C0\000A1-2\003D2\002C1\000A!End\000A
        1-2=1,0
        !End

        """#

    @Test("draws what it will read", arguments: [Format.cdxml, .cdx])
    func drawn(_ target: Format) throws {
        let group = v3000(["BEGIN SGROUP", "1 SRU 1 ATOMS=(2 3 2) XBONDS=(1 1) LABEL=n", "END SGROUP"])
        let valence = Self.head + Self.atom.replacing("0  0  0  0  0  0\n", with: "0368  0  0  0  0\n") + "M  END\n"
        for (what, text, source) in [
            ("an abbreviation that reaches as far as can be said", Self.farAbbreviation, Format.sketchEl),
            ("an abbreviation that reaches far, and is turned", Self.turnedAbbreviation, .sketchEl),
            ("a wedge inside an abbreviation that leads out of it", Self.wedgedAbbreviation, .sketchEl),
            ("a group that names its atoms in another order", group, .molfile),
            ("more hydrogens than can be counted", valence, .molfile),
            (
                "an atom far above its page",
                "a\n  x 3D\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
                    + Self.atom.replacing("    0.0000 C", with: " 4321.1234 C") + "M  END\n", .molfile
            ),
            ("no room for hydrogens", "SketchEl!(1,0)\nC=0,0;0,0,e300\n!End\n", .sketchEl),
        ] {
            let records = try readAll(text, as: source).compactMap { $0.reading?.record }
            let first = try write(records, as: target).bytes
            let second = try write(readAll(first, as: target).compactMap { $0.reading?.record }, as: target).bytes
            #expect(records.count == 1 && first == second, "\(what)")
        }
    }

    @Test("writes what it will read where a value is empty or beyond all sense")
    func senseless() throws {
        try asRead("data displayed by blanks", Self.blankDisplay, .molfile, .molfile)
        try asRead("an abbreviation as far away as can be said", Self.farAbbreviation, .sketchEl, .molfile)
        try asRead("a copolymer without atoms", Self.emptyCopolymer, .molfile, .sketchEl)
        try asRead("a site of an R-group 0", "SketchEl!(1,0)\nR0=0,0;0,0,i0\n!End\n", .sketchEl, .molfile)
        try asRead("a mass beyond all isotopes", Self.largeMass, .sketchEl, .molfile)
        try asRead(
            "a Ctrl-Z at the end of the last value", Self.head + Self.atom + "M  END\n>  <a>\n1\n\u{1A}\n\n$$$$\n",
            .sdfile,
            .rdfile)
        try asRead(
            "a NUL in a structure of a value",
            "$RDFILE 1\n$DATM x\n$MFMT\n" + Self.head + Self.atom + "M  END\n$DTYPE a\n$DATUM $MFMT\n"
                + Self.head.replacing("  1  0", with: "  1\u{0} 0") + Self.atom + "M  END\n", .rdfile, .sdfile)
    }

    /// The lines of a V3000 table of atoms, with lines behind the atoms, and a molfile of them with lines behind the table.
    private func block(_ atoms: [String], _ lines: [String] = []) -> [String] {
        ["BEGIN CTAB", "COUNTS \(atoms.count) 0 0 0 0", "BEGIN ATOM"] + atoms + ["END ATOM"] + lines + ["END CTAB"]
    }

    private func table(_ atoms: [String], _ lines: [String] = [], behind: [String] = []) -> String {
        (["a", "", "", "  0  0  0     0  0            999 V3000"]
            + (block(atoms, lines) + behind).map { "M  V30 " + $0 } + ["M  END", ""]).joined(separator: "\n")
    }

    @Test("writes V3000 for what is written, and not for what was read")
    func needs() throws {
        for entry in ["C\u{1}\u{0}\u{0}\u{0}\u{0}B", "A\u{1}B", "\u{1}"] {
            try asRead("control characters in a list", table(["1 [\(entry),N] 0 0 0 0"]), .molfile, .molfile)
        }
        let nameless = table(["1 Glu\u{1}\u{0} 0 0 0 0 CLASS="])
        try asRead("a template of a class without a name", nameless, .molfile, .molfile)
        try asRead("blanks in a list", table([#"1 "[C D E F,N]" 0 0 0 0"#]), .molfile, .molfile)
        let logic = table(["1 C 0 0 0 0"], behind: ["BEGIN RGROUP", "RLOGIC 0 0 >0", "END RGROUP"])
        try asRead("what an R-group without a number asks for", logic, .molfile, .molfile)
        let valence = V2000.molfile(
            atoms: [V2000.atom(valence: 270), V2000.atom()], bonds: [V2000.bond(1, 2)],
            properties: ["M  ZBO  1  99   0"])
        try asRead("a valence that no hydrogens come from", valence, .molfile, .molfile)
    }

    @Test("writes what it will read where something stands there twice, or names what is not there")
    func repeated() throws {
        try asRead("a keyword that stands there twice", table(["1 C 0 0 0 0 ATTCHPT=1 ATTCHPT=3"]), .molfile, .molfile)
        let order = V2000.molfile(
            atoms: [V2000.atom("R#"), V2000.atom(), V2000.atom()], bonds: [V2000.bond(1, 2), V2000.bond(1, 3)],
            properties: ["M  RGP  1   1   1", "M  AAL   1  1   2   1", "M  AAL   1  1   3   2"])
        try asRead("an order of attachments in two lines", order, .molfile, .molfile)
        #expect(try settled(order).text.contains("M  AAL   1  2   2   1   3   2\n"))
        let links = table(
            ["1 C 0 0 0 0", "2 C 1 0 0 0", "COUNTS C 2 0 0 0", "4 C 3 0 0 0"], ["LINKNODE 1 2 2 2 3 2 1"])
        try asRead("a link to an atom that another one's number would be", links, .molfile, .molfile)
        let early = links.replacing("M  V30 BEGIN CTAB", with: "M  V30 LINKNODE 1 2 2 2 1 2 4\nM  V30 BEGIN CTAB")
        try asRead("a link in front of its table", early, .molfile, .molfile)
        let inner = table(
            ["1 C 0 0 0 0", "2 C 1 0 0 0", "3 C 2 0 0 0"],
            behind: ["BEGIN RGROUP 1", "1 C 0", "LINKNODE 1 2 2 2 1 2 3", "END RGROUP"])
        try asRead("a link in the block of an R-group", inner, .molfile, .molfile)
        let tritium = V2000.molfile(
            atoms: [V2000.atom("T")], bonds: [], properties: ["M  ISO  1   1   3", "M  ALS   1  2 F O   S   "])
        try asRead("tritium that is one of a list", tritium, .molfile, .molfile)
        let asking = table(["1 C 0 0 0 0"], behind: ["BEGIN RGROUP", "RLOGIC 0 0 >0", "END RGROUP"])
        let asked = try #require(try read(asking).record.molecule)
        let component = try write([Record(Reaction(Reaction.Step(reactants: [.init(asked)])))], as: .rxnfile)
        #expect(component.text.hasPrefix("$RXN\n"))
        #expect(component.losses.map(\.feature) == [.rgroupLogic])
        let both = V2000.molfile(
            atoms: [V2000.atom("R#")], bonds: [], properties: ["M  RGP  1   1   1", "M  ALS   1  2 F O   S   "])
        try asRead("a site of an R-group that is one of a list", both, .molfile, .molfile)
        let parents = [
            "BEGIN SGROUP", "1 DAT 0 ATOMS=(1 1) FIELDNAME=a", "2 DAT 0 ATOMS=(1 1) FIELDNAME=b PARENT=1 PARENT=1x",
            "END SGROUP",
        ]
        try asRead("a parent that is none behind one that is", table(["1 C 0 0 0 0"], parents), .molfile, .molfile)
        let rgroups =
            ["BEGIN RGROUP 1"] + block(["1 C 0 0 0 0"]) + ["END RGROUP", "BEGIN RGROUP 2", "RLOGIC 0 0 >0"]
            + block(["1 N 0 0 0 0"]) + ["END RGROUP"]
        let groups = table(["1 R# 0 0 0 0 RGROUPS=(1 1)"], behind: rgroups)
        let numbered = groups.replacing("RGROUP 1\n", with: "RGROUP 6\nM  V30 RLOGIC 0 0 >0\n")
            .replacing("RGROUP 2\n", with: "RGROUP\n")
        try asRead("R-groups of which the second has no number", numbered, .molfile, .molfile)
        try asRead("R-groups of which the second asks for something", groups, .molfile, .molfile)
        let reaction =
            ["COUNTS 1 0", "BEGIN REACTANT"] + block(["1 R1 0 0 0 0", "2 R00 0 0 0 0"]) + ["END REACTANT"]
        try asRead(
            "a site of an R-group in a reaction",
            "$RXN V3000\n\n\n\n" + reaction.map { "M  V30 \($0)\n" }.joined() + "M  END\n", .rxnfile, .rxnfile)
    }

    /// An RD file of a molecule with a field.
    private static func data(_ name: String, _ value: String) -> String {
        "$RDFILE 1\n$DATM x\n$MFMT\n" + head + atom + "M  END\n$DTYPE \(name)\n$DATUM \(value)\n"
    }

    @Test("writes what it will read where lines are cut and folded")
    func cuts() throws {
        let name = "a" + String(repeating: "\u{1B}", count: 40) + "b"
        let group = ["BEGIN SGROUP", "1 DAT 1 ATOMS=(1 1) FIELDNAME=\(name)", "END SGROUP"]
        try asRead("control characters where a name is cut", table(["1 C 0 0 0 0"], group), .molfile, .molfile)
        let counts = ["BEGIN SGROUP", "1 DAT 1 ATOMS=(1 1) FIELDNAME=HYD FIELDDATA=\"\u{0}\u{0}3\"", "END SGROUP"]
        try asRead("control characters before a count of hydrogens", table(["1 C 0 0 0 0"], counts), .molfile, .molfile)
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
        try asRead("a control character that would be a line", Self.data("a", long), .rdfile, .rdfile)
        for count in 60...72 {
            let word = String(repeating: "x", count: count)
            let group = ["BEGIN SGROUP", "1 BR 0 ATOMS=(1 1) \(word) -", "x y END CTAB", "END SGROUP"]
            try asRead("a word END where a line is folded", table(["1 C 0 0 0 0"], group), .molfile, .molfile)
        }
        try asRead(
            "a counts line in the data of a record without a structure",
            "$RDFILE 1\n$DATM x\nstray\n$REREG R\n$DTYPE a\n$DATUM b\n  1  0  0  0  0\n  2  2\n", .rdfile, .rdfile)
    }

    @Test("takes the last word on an atom where a keyword stands there twice, and says so")
    func lastWord() throws {
        let text = v3000([]).replacing("2 C 1 0 0 0", with: "2 C 1 0 0 0 SUBST=2 CLASS=AA SUBST=3")
        let reading = try read(text)
        #expect(Array(reading.molecule.notes(onAtom: 1)) == [.substitutionCount(3), .templateClass("AA")])
        #expect(reading.issues.map(\.message) == ["the keyword stands there twice; the last one counts"])
    }

    @Test("draws the query for no hydrogens on any atom", arguments: [Format.cdxml, .cdx])
    func drawnQueries(_ format: Format) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.nitrogen, at: Position(0)), Atom(.carbon, at: Position(1.5))]
        molecule.bonds = [Bond(0, 1)]
        molecule.extras.contents.atomNotes = [Tagged(0, .hydrogenQuery(0)), Tagged(1, .hydrogenQuery(0))]
        molecule.markNotes()
        let written = try write(molecule, as: format)
        let read = try #require(try readAll(written.bytes, as: format).first?.reading?.record.molecule)
        #expect(read == molecule)
    }

    @Test("knows a group by a code that is not UTF-8 as it will know it by its escapes")
    func codesOfGroups() throws {
        let text = Array("SketchEl!(1,0)\nC=0,0;0,0,i4,yMDL_SGROUP_A".utf8) + [0xAC] + Array("B:7\\002C\n!End\n".utf8)
        let records = try readAll(text, as: .sketchEl).compactMap { $0.reading?.record }
        let first = try write(records, as: .sketchEl).bytes
        let second = try write(readAll(first, as: .sketchEl).compactMap { $0.reading?.record }, as: .sketchEl).bytes
        #expect(records.count == 1 && first == second)
    }

    @Test("gives a repeating unit no number that the kept field of a damaged one has")
    func numbersOfDamagedBlocks() throws {
        let text = """
            SketchEl!(3,2)
            C=0,0;0,0,i3,xPOLYMER:1:1,xPOLYMER:2:0
            C=1,0;0,0,i2,xPOLYMER:1:4,xPOLYMER:2:0
            C=2,0;0,0,i3,xPOLYMER:2:0
            1-2=1,0
            2-3=1,0
            !End

            """
        let written = try settled(text, as: .sketchEl).text
        #expect(written.contains("xPOLYMER:1:1,xPOLYMER:2:0"))
    }

    // Zero-order bonds.

    @Test("keeps the charges that stand beside a zero-order bond for others, and states no valence there")
    func drawnCharges() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom("N"), V2000.atom("B"), V2000.atom("C")],
            bonds: [V2000.bond(1, 2), V2000.bond(1, 3)],
            properties: [
                "M  CHG  2   1   1   2  -1", "M  ZBO  1   1   0", "M  ZCH  2   1   0   2   0", "M  HYD  1   2   3",
            ])
        let molecule = try read(file).molecule
        #expect(molecule.atoms.map(\.charge) == [0, 0, 0])
        #expect(molecule.hydrogenCounts() == [2, 3, 3])
        let written = try settled(file).lines
        #expect(
            written.dropFirst(4).prefix(2) == [
                V2000.atom("N", charge: 3), V2000.atom("B", charge: 5),
            ])
        #expect(
            written.suffix(6) == [
                "M  CHG  2   1   1   2  -1", "M  ZBO  1   1   0", "M  ZCH  2   1   0   2   0", "M  HYD  1   2   3",
                "M  END", "",
            ])
        let v3000 = try settled(file, .v3000)
        #expect(v3000.text.contains("1 N 1 0 0 0 CHG=1\n"))
        #expect(try read(v3000.text).molecule.hydrogenCounts() == [2, 3, 3])
    }

    /// Atoms that have none of the hydrogens that MDL's rule would give them.
    private var counted: Molecule {
        var molecule = Molecule()
        molecule.hydrogenRule = .sketchEl
        molecule.atoms = [Atom(.nitrogen), Atom(.chlorine), Atom(.boron), Atom(.iron)]
        molecule.atoms[0].hydrogens = .fixed(2)
        molecule.bonds = [Bond(1, 3, .zero)]
        return molecule
    }

    @Test(
        "keeps the hydrogens of a reaction's components, whatever rule gives them",
        arguments: [WriteOptions.Version.asNeeded, .v2000, .v3000])
    func hydrogensInReactions(_ version: WriteOptions.Version) throws {
        let step = Reaction.Step(reactants: [.init(counted)], products: [.init(counted)])
        let text = try write([Record(Reaction(step))], as: .rxnfile, .version(version)).text
        let reaction = try #require(try read(text, as: .rxnfile).record.reaction)
        #expect(reaction.components.map { $0.molecule.hydrogenCounts() } == [[2, 0, 0, 0], [2, 0, 0, 0]])
    }

    @Test("keeps the hydrogens of a member of an R-group, whatever rule gives those of the others")
    func hydrogensInRGroups() throws {
        for isCounted in [true, false] {
            var root = Molecule()
            root.atoms = [Atom(.chlorine), Atom(.none), Atom(.chlorine)]
            root.setLabel("R#", ofAtom: 1)
            root.addNote(.rgroups([1]), toAtom: 1)
            root.bonds = [Bond(0, 1)]
            root.hydrogenRule = isCounted ? .mdl : .sketchEl
            var member = counted
            if !isCounted {
                member = Molecule()
                member.atoms = [Atom(.chlorine), Atom(.boron)]
            }
            var group = RGroup(1)
            group.members = [member]
            root.extras.contents.rgroups = [group]
            let back = try read(try write(root, as: .molfile, .version(.v3000)).text).molecule
            #expect(back.hydrogenCounts() == root.hydrogenCounts())
            let members = back.extras.contents.rgroups.flatMap(\.members)
            #expect(members.map { $0.hydrogenCounts() } == [member.hydrogenCounts()])
        }
    }

    @Test("says in V3000 what attached data of that name count there: the hydrogens of all atoms")
    func hydrogensOfData() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom("N"), V2000.atom("Cl")], bonds: [],
            properties: [
                "M  STY  1   1 DAT", "M  SAL   1  1   1", "M  SDT   1 HYD",
                "M  SDD   1     0.0000    0.0000    DR    ALL  1       1", "M  SED   1 4",
            ])
        #expect(try read(try settled(file, .v3000).text).molecule.hydrogenCounts() == [4, 0])
    }

    @Test("keeps a charge that only V3000 has room for, and the hydrogens beside it")
    func largeCharge() throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.iron), Atom(.boron)]
        molecule.atoms[0].charge = 20
        let written = try write(molecule, as: .molfile, .version(.v2000)).text
        #expect(written.contains("M  CHG  1   1  15\n") && written.contains("M  ZCH  1   1  20\n"))
        let again = try read(written).molecule
        #expect(again.atoms[0].charge == 20)
        #expect(again.hydrogenCounts() == [0, 3])
        _ = try settled(written, .v2000)
    }

    @Test("writes a charge beyond three columns as the nearest that fits, and says so", arguments: [-32_768, 32_767])
    func chargeBeyondColumns(_ charge: Int) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.iron)]
        molecule.atoms[0].charge = Int16(charge)
        let written = try write(molecule, as: .molfile, .version(.v2000))
        #expect(try read(written.text).molecule.atoms[0].charge == (charge < 0 ? -99 : 999))
        #expect(written.losses.contains { $0.detail.string.contains("beyond three columns") })
        _ = try settled(written.text, .v2000)
    }

    // Numbers without room.

    @Test("says a link of more repeats than V2000 has columns for in V3000")
    func longLink() throws {
        var molecule = try read(V2000.chain(3, properties: ["M  LIN  1   2 999   1   3"])).molecule
        molecule.extras.contents.linkNodes[0].maximum = 9999
        #expect(try write(molecule).text.contains("M  V30 LINKNODE 1 9999 2 2 1 2 3\n"))
        let forced = try write(molecule, as: .molfile, .version(.v2000))
        #expect(forced.text.contains("M  LIN  1   2 999   1   3\n"))
        #expect(forced.losses.map(\.feature) == [.linkNodes])
    }

    @Test("keeps labels that are no symbols in the order of their atoms", arguments: ["3Me", "a\tb", "benzyl"])
    func labels(_ label: String) throws {
        var molecule = try read(V2000.chain(3)).molecule
        molecule.atoms[2].element = .none
        molecule.setLabel(Text(label), ofAtom: 2)
        molecule.addNote(.alias("first"), toAtom: 0)
        let written = try write(molecule, as: .molfile, .version(.v2000)).text
        #expect(written.contains("A    1\nfirst\nA    3\n\(label)\n"))
        _ = try settled(written, .v2000)
    }

    @Test("keeps what an Sgroup's bracket and an alias would do to the lines behind them")
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

    // Kept lines.

    @Test("puts a link behind the table back among its links")
    func linkBehindTable() throws {
        let file = v3000([], behind: ["LINKNODE 1 2 2 2 1 2 3"])
        #expect(try read(file).extras.linkNodes.count == 1)
        #expect(try settled(file, .v3000).text.contains("M  V30 LINKNODE 1 2 2 2 1 2 3\nM  V30 END CTAB\n"))
    }

    @Test("keeps lines that mean nothing where they stood, links among them")
    func orderOfKeptLines() throws {
        let file = v3000(["FIRST 1", "LINKNODE 1 2 2 9 9"], behind: ["THIRD 3"])
        let written = try settled(file, .v3000).text
        #expect(written.contains("M  V30 FIRST 1\nM  V30 LINKNODE 1 2 2 9 9\nM  V30 THIRD 3\nM  V30 END CTAB\n"))
    }

    @Test("leaves out, and tells, kept lines that would be read as something else")
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

    @Test("keeps a word with quotes and control characters as one word")
    func quotedWord() throws {
        let file = v3000(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) BXYZ=\"(9 -1\t0\u{1})\" LABEL=a", "END SGROUP"])
        #expect(try settled(file, .v3000).text.contains(" BXYZ=\"(9 -1\t0\u{1})\""))
    }

    @Test("keeps a list that is not closed, and a header with NUL, as they will be read")
    func damagedWords() throws {
        let atoms = try settled(v3000(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=a", "END SGROUP"]), .v3000).text
        let broken = atoms.replacing("3 C 2 0 0 0", with: "3 C 2 0 0 0 ATTCHORD=(2 2 4 C")
        #expect(try settled(broken, .v3000).text.contains(" ATTCHORD=\"(2 2 4 C\"\n"))
        let fields = V2000.chain(1) + ">\u{0} <ID>\n2\n\n$$$$\n"
        #expect(try settled(fields, as: .sdfile).text.contains("\n>  <ID>\n2\n"))
    }

    @Test("takes a program line of control characters for none, and says so")
    func controlCharacters() throws {
        let written = try settled(V2000.chain(1).replacing("\n\n\n", with: "\n\u{1}\u{7F}\n\n"))
        #expect(written.lines.dropFirst().first == "  CHEMOPEN          2D")
        #expect(written.losses.map(\.detail) == ["control characters"])
    }

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

    @Test("keeps an Sgroup of a kind that nobody knows behind the abbreviation of its atoms")
    func unknownKinds() throws {
        let groups = ["1 SUP 0 ATOMS=(1 1) XBONDS=(1 1) LABEL=Me CLASS=AA", "2 DAT30 0 ATOMS=(1 1) FIELDNAME=a"]
        let file = v3000(["BEGIN SGROUP"] + groups + ["END SGROUP"])
            .replacing("COUNTS 3 2 0", with: "COUNTS 3 2 2")
        let first = try write(read(file).record.molecule ?? Molecule(), as: .sketchEl)
        #expect(try rewrite(first.text, as: .sketchEl).text == first.text)
    }

    @Test("counts the hydrogens of an abbreviation by the element that its label spells, whatever format it comes from")
    func abbreviationsCalledLikeElements() throws {
        let group = ["1 SUP 0 ATOMS=(1 1) XBONDS=(1 1) LABEL=O"]
        let file = v3000(["BEGIN SGROUP"] + group + ["END SGROUP"]).replacing("COUNTS 3 2 0", with: "COUNTS 3 2 1")
        let first = try write(read(file).record.molecule ?? Molecule(), as: .sketchEl)
        #expect(first.text.contains(",i1,aSketchEl!(2\\002C1)"))
        #expect(try rewrite(first.text, as: .sketchEl).text == first.text)
    }

    @Test("keeps an abbreviation of one atom that says more than its name")
    func abbreviationsThatAreNoNames() throws {
        let group = #"yMDL_SGROUP_MULTIATTACH:1\002CH\002CtemplateClass\003DLGRP"#
        let text = "SketchEl!(1,0)\nH=0.0000,0.0000;0,0,i0,aX,\(group)\n!End\n"
        #expect(try settled(text, as: .sketchEl).text == text)
    }

    @Test("tells of an entry of a list that V2000 has to cut")
    func longListEntries() throws {
        let written = try settled(v3000([]).replacing(" 1 C 0", with: " 1 [N,Abcd\u{13}e] 0"), as: .molfile, .v2000)
        #expect(written.text.contains("M  ALS   1  2 F N   Abcd\n"))
        #expect(written.losses.map(\.detail) == ["an entry of a list of more than four characters"])
    }

    @Test("contracts a group of a drawing whatever else the drawing holds")
    func contractedGroups() throws {
        let file = """
            <CDXML BondLength="30"><page><fragment><n id="1" p="0 0"/>\
            <n id="2" p="30 0" NodeType="GenericNickname" GenericNickname="Ar"><t><s>Ar</s></t></n>\
            <b id="3" unknown="x" B="1" E="2"/></fragment></page></CDXML>
            """
        let first = try write(read(file, as: .cdxml).record.molecule ?? Molecule(), as: .sketchEl)
        #expect(first.text.contains("\nAr="))
        #expect(try rewrite(first.text, as: .sketchEl).text == first.text)
    }

    @Test("tells of the logic of an R-group of a number that V2000 has no columns for")
    func largeRGroups() throws {
        var molecule = try read(Self.head + Self.atom + "M  END\n").record.molecule ?? Molecule()
        var group = RGroup(65_535)
        group.logic = RGroup.Logic()
        group.logic?.occurrence = ">0"
        molecule.extras.contents.rgroups = [group]
        let written = try write(molecule, as: .molfile, .version(.v2000))
        #expect(!written.text.contains("M  LOG"))
        #expect(written.losses.map(\.feature) == [.rgroupLogic])
    }

    @Test("leaves out, and tells, what stands behind the table of an R-group's member")
    func groupsOfMembers() throws {
        var member = try read(Self.head + Self.atom + "M  END\n").molecule
        var inner = RGroup(0)
        inner.logic = RGroup.Logic()
        inner.members = [member]
        member.extras.contents.rgroups = [inner]
        var molecule = try read(Self.head + Self.atom + "M  END\n").molecule
        var group = RGroup(1)
        group.members = [member]
        molecule.extras.contents.rgroups = [group]
        for version in [WriteOptions.Version.asNeeded, .v2000, .v3000] {
            let written = try write(molecule, as: .molfile, .version(version))
            #expect(Set(written.losses.map(\.feature)) == [.rgroups, .rgroupLogic])
            #expect(try settled(written.text, version).text == written.text)
        }
    }

    @Test("does not fold a line where the rest would end the block")
    func foldBeforeEnd() throws {
        let label = String(repeating: "a", count: 51)
        let file = v3000(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=\(label) END ATOM", "END SGROUP"])
        #expect(try settled(file, .v3000).text.contains("\(label) -\nM  V30 END ATOM") == false)
    }

    @Test("calls an atom with a list by that name, whatever stands in the columns of its symbol")
    func listSymbol() throws {
        let file = V2000.molfile(
            atoms: [V2000.atom().replacing("C  ", with: "L 0"), V2000.atom()], bonds: [V2000.bond(1, 2)],
            properties: ["M  ALS   1  2 F N   O   "])
        #expect(try settled(file).text.contains(" L   0  0"))
    }

    @Test("ends a line that ends in dashes where it ended")
    func dashes() throws {
        let file = v3000(["BEGIN SGROUP", "1 SUP 1 ATOMS=(1 1) LABEL=a X=b--", "", "2 SUP 2 ATOMS=(1 2)", "END SGROUP"])
        #expect(try read(file).extras.sgroups.count == 2)
        _ = try settled(file, .v3000)
    }

    @Test("says in V3000 what data say of a bond, as its reader would understand it")
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

    // Reactions.

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

    // Cutting for several threads.

    @Test("cuts no SD file at a separator that a line skips")
    func skippedSeparator() {
        let record = V2000.chain(1) + ">  <a>\n1\n\n$$$$\n"
        let skipping = V2000.molfile(properties: ["S  SKP002", "M  END", "$$$$"]) + ">  <a>\n1\n\n$$$$\n"
        let cut = Format.sdfile.lastRecordEnd
        #expect(cut?(Array((record + record + "next\n").utf8).span) == 2 * record.utf8.count)
        #expect(cut?(Array((record + skipping + "next\n").utf8).span) == record.utf8.count)
        #expect(cut?(Array((skipping + "next\n").utf8).span) == nil)
    }

    @Test("cuts an SD file behind M  END only where a record follows, for a value may hold one")
    func endInValue() {
        let record = V2000.chain(1) + "$$$$\n"
        let cut = Format.sdfile.lastRecordEnd
        #expect(cut?(Array((record + record).utf8).span) == record.utf8.count)
        #expect(cut?(Array((V2000.chain(1) + ">  <a>\nM  END\n$$$$\nno\nrecord\nat\nall\n\n").utf8).span) == nil)
    }

    @Test("cuts no RD file behind its head")
    func headOfRDfile() {
        let head = "$RDFILE 1\n$DATE\n"
        let record = "$MFMT\n" + V2000.chain(1)
        let cut = Format.rdfile.lastRecordEnd
        #expect(cut?(Array((head + record).utf8).span) == nil)
        #expect(cut?(Array((head + record + record).utf8).span) == (head + record).utf8.count)
        #expect(cut?(Array((record + record).utf8).span) == record.utf8.count)
    }
}
