import ChemopenBytes
import ChemopenFormats
import ChemopenModel
import Testing

/// Output is read back without loss and written again unchanged, even if the original file was damaged.
@Suite("Stable output")
struct SecondWritingTests {
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

    @Test(
        "records are stable after the first write",
        arguments: [
            (
                "blanks around a field's name", V2000.headOfOne + V2000.carbon + "M  END\n>  < name >\n1\n\n$$$$\n",
                Format.sdfile,
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
                "a date between blanks",
                "$RDFILE 1\n$DATM \t x\t\u{0}\n$MFMT\n" + V2000.headOfOne + V2000.carbon + "M  END\n", .rdfile,
                .rdfile
            ),
            ("a blank name", V2000.headOfOne + V2000.carbon + "M  END\n>  < >\n1\n\n$$$$\n", .sdfile, .rdfile),
            (
                "no registry number",
                "$RDFILE 1\n$DATM x\n$MFMT $MIREG  \n" + V2000.headOfOne + V2000.carbon + "M  END\n", .rdfile, .sdfile
            ),
            (
                "a valence beyond all counts",
                V2000.headOfOne + V2000.carbon.replacing("C   0  0  0  0  0  0", with: "C   0  0  0  0  0368")
                    + "M  END\n", .molfile, .molfile
            ),
            ("many unpaired electrons", "SketchEl!(1,0)\nN=0,0;0,127\n!End\n", .sketchEl, .molfile),
            (
                "a NUL in a value",
                "$RDFILE 1\n$DATM x\n$MFMT\n" + V2000.headOfOne + V2000.carbon + "M  END\n$DTYPE a\n$DATUM 1\u{0}\n",
                .rdfile, .sdfile
            ),
            (
                "empty lines at the end", V2000.headOfOne + V2000.carbon + "M  END\n>  <a>\n1\n \n\n$$$$\n", .sdfile,
                .rdfile
            ),
            ("a long name for the site of an R-group", namedSite, .molfile, .molfile),
            ("an element without a name", "SketchEl!(1,0)\nR1=0,0;0,0,i0,qE:N\\002C\n!End\n", .sketchEl, .molfile),
            (
                "an element that is one of a list of the old kind",
                "a\n\n\n  1  0  1  0  0  0  0  0  0  0999 V2000\n" + V2000.carbon + "  1 F    2   7   8\nM  END\n",
                .molfile,
                .molfile
            ),
            (
                "the site of an R-group by a name of its own",
                V2000.headOfOne + V2000.carbon.replacing("C   0", with: "#   0") + "M  RGP  1   1   2\nM  END\n",
                .molfile, .molfile
            ),
            (
                "two orders of one bond",
                "SketchEl!(2,1)\nC=0,0;0,0\nC=1,0;0,0\n1-2=0,0,yZERO_DATIVE,yZERO_HYDROGEN\n!End\n", .sketchEl,
                .sketchEl
            ),
            (
                "two parities of one atom",
                "SketchEl!(1,0)\nC=0,0;0,0,i4,yCHIRAL_MDL_ODD,yCHIRAL_MDL_RACEMIC\n!End\n", .sketchEl, .sketchEl
            ),
            (
                "two names of one atom", V2000.headOfOne + V2000.carbon + "A    1\nx\nA    1\ny\nM  END\n", .molfile,
                .molfile
            ),
            (
                "a link to an atom without a number",
                "a\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 4 0 0 0 0\n"
                    + "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 2 C 1 0 0 0\nM  V30 N3 2 0 0 0\nM  V30 4 O 3 0 0 0\n"
                    + "M  V30 END ATOM\nM  V30 LINKNODE 1 2 2 2 1 2 3\nM  V30 END CTAB\nM  END\n", .molfile, .molfile
            ),
            (
                "a structure as a value that cannot be read, with a long line",
                "$RDFILE 1\n$DATM x\n$MFMT\n" + V2000.headOfOne + V2000.carbon
                    + "M  END\n$DTYPE a\n$DATUM $MFMT\n\n\n\n  1  0"
                    + String(repeating: "\u{0}", count: 90) + "x\n" + V2000.carbon + "M  END\n", .rdfile, .rdfile
            ),
            (
                "a byte order mark",
                V2000.headOfOne + V2000.carbon + "M  END\n$$$$\n\u{FEFF}" + V2000.headOfOne + V2000.carbon
                    + "M  END\n$$$$\n", .sdfile,
                .sdfile
            ),
        ])
    func asRead(_ what: String, _ text: String, _ source: Format, _ target: Format) throws {
        try expectSettled(what, text, source, target)
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

    @Test("drawings are stable after the first write", arguments: [Format.cdxml, .cdx])
    func drawn(_ target: Format) throws {
        let group = V3000.chain(["BEGIN SGROUP", "1 SRU 1 ATOMS=(2 3 2) XBONDS=(1 1) LABEL=n", "END SGROUP"])
        let valence =
            V2000.headOfOne + V2000.carbon.replacing("0  0  0  0  0  0\n", with: "0368  0  0  0  0\n") + "M  END\n"
        for (what, text, source) in [
            ("an abbreviation that reaches as far as can be said", Self.farAbbreviation, Format.sketchEl),
            ("an abbreviation that reaches far, and is turned", Self.turnedAbbreviation, .sketchEl),
            ("a wedge inside an abbreviation that leads out of it", Self.wedgedAbbreviation, .sketchEl),
            ("a group that names its atoms in another order", group, .molfile),
            ("more hydrogens than can be counted", valence, .molfile),
            (
                "an atom far above its page",
                "a\n  x 3D\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
                    + V2000.carbon.replacing("    0.0000 C", with: " 4321.1234 C") + "M  END\n", .molfile
            ),
            ("no room for hydrogens", "SketchEl!(1,0)\nC=0,0;0,0,e300\n!End\n", .sketchEl),
        ] {
            let records = try readAll(text, as: source).compactMap { $0.reading?.record }
            let first = try write(records, as: target).bytes
            let second = try write(readAll(first, as: target).compactMap { $0.reading?.record }, as: target).bytes
            #expect(records.count == 1 && first == second, "\(what)")
        }
    }

    @Test("a query for no hydrogens is drawn on any atom", arguments: [Format.cdxml, .cdx])
    func drawnQueries(_ format: Format) throws {
        var molecule = Molecule()
        molecule.atoms = [Atom(.nitrogen, at: Position(0)), Atom(.carbon, at: Position(1.5))]
        molecule.bonds = [Bond(0, 1)]
        molecule.extras.contents.atomNotes = [Indexed(0, .hydrogenQuery(0)), Indexed(1, .hydrogenQuery(0))]
        molecule.markNotes()
        let written = try write(molecule, as: format)
        let read = try #require(try readAll(written.bytes, as: format).first?.reading?.record.molecule)
        #expect(read == molecule)
    }

    @Test("empty and excessive values are stable after the first write")
    func senseless() throws {
        try expectSettled("data displayed by blanks", Self.blankDisplay, .molfile, .molfile)
        try expectSettled("an abbreviation as far away as can be said", Self.farAbbreviation, .sketchEl, .molfile)
        try expectSettled("a copolymer without atoms", Self.emptyCopolymer, .molfile, .sketchEl)
        try expectSettled("a site of an R-group 0", "SketchEl!(1,0)\nR0=0,0;0,0,i0\n!End\n", .sketchEl, .molfile)
        try expectSettled("a mass beyond all isotopes", Self.largeMass, .sketchEl, .molfile)
        try expectSettled(
            "a Ctrl-Z at the end of the last value",
            V2000.headOfOne + V2000.carbon + "M  END\n>  <a>\n1\n\u{1A}\n\n$$$$\n",
            .sdfile,
            .rdfile)
        try expectSettled(
            "a NUL in a structure of a value",
            "$RDFILE 1\n$DATM x\n$MFMT\n" + V2000.headOfOne + V2000.carbon + "M  END\n$DTYPE a\n$DATUM $MFMT\n"
                + V2000.headOfOne.replacing("  1  0", with: "  1\u{0} 0") + V2000.carbon + "M  END\n", .rdfile, .sdfile)
    }

    @Test(
        "an atom without a name is written as * in each format",
        arguments: FormatRegistry.standard.all.filter { $0.isWritable && $0.id != "rxn" })
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
}
